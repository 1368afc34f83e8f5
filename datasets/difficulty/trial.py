"""The trial-and-error rating: the number of rounds of singles that refute a wrong candidate.

When singles make no more progress, each candidate in turn is assumed, and rounds of singles (see
``datasets/difficulty/board``) are counted until a contradiction: a cell without a candidate, or a unit without a place
for a digit. A contradiction that round r finds, before it places anything, counts r, so a contradiction that the
assumption itself causes counts 1. All candidates with the lowest count are eliminated at once, and singles continue;
this is one stage. The rating is the largest count over the stages. A puzzle that is still unsolved when no candidate is
refuted needs a second level of trial. The rating is deterministic and the same for all isomorphs. Importing this module
imports numba.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudoku_bench.datasets.bits import ONE, ZERO, bit_index, lowest_bit
from sudoku_bench.datasets.difficulty.board import (
    NO_LIMIT,
    Board,
    Cells,
    Masks,
    as_array,
    board_tables,
    copy_of,
    count_open,
    empty_board,
    place,
    place_clues,
    propagate,
    refuting_round,
    remove_candidate,
)
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle


@dataclass(frozen=True)
class Trial:
    """The trial-and-error rating of a puzzle with one solution.

    Attributes:
        rounds: the largest count over all stages; 0 if singles suffice.
        depth: 1, or 2 if one level of trial does not solve the puzzle (``rounds`` then covers the completed stages).
    """

    rounds: int
    depth: int


def trial(puzzle: Puzzle, solution: tuple[int, ...]) -> Trial:
    """Rate a puzzle, given its only solution. The right candidates are never refuted, so they need no trial.

    Raises:
        ValueError: the solution does not fit the clues.
    """
    units, peers, homes = board_tables(puzzle.shape)
    cells, solved = as_array(puzzle.cells), as_array(solution)
    most, depth = trial_kernel(cells, solved, units, peers, homes)
    if depth < 0 or ((cells != solved) & (cells != 0)).any():
        raise ValueError("the solution does not fit the clues")
    return Trial(int(most), int(depth))


@njit(nogil=True)
def trial_kernel(cells: Cells, solution: Cells, units: Cells, peers: Cells, homes: Cells) -> tuple[int, int]:
    """Return rounds and depth of a puzzle (0 for empty cells); see ``Trial``. ``board_tables`` provides the tables.

    ``solution`` only avoids the trial of right candidates: zeros give the same result for a puzzle with one solution.
    Depth -1 means that there is no solution, or a different one.
    """
    board = empty_board(units, peers, homes)
    refuted = np.empty(cells.shape[0], dtype=np.uint64)
    most = 0
    tail = place_clues(board, cells)
    while propagate(board, tail):
        if count_open(board) == 0:
            return most, 1
        count = _cheapest(board, solution, refuted)
        if count == 0:
            return most, 2
        most = max(most, count)
        tail = _eliminate(board, refuted)
    return most, -1


@njit()
def _cheapest(board: Board, solution: Cells, refuted: Masks) -> int:
    """Return the fewest rounds that refute a candidate, 0 if none is refuted; set ``refuted`` to all with that count.

    The state must contain no singles.
    """
    best = NO_LIMIT
    trial_board = copy_of(board)
    refuted[:] = ZERO
    for cell in range(board.cand.shape[0]):
        mask = board.cand[cell]
        if mask & (mask - ONE) == ZERO:
            continue
        if solution[cell]:
            mask &= ~(ONE << np.uint64(solution[cell] - 1))
        while mask:
            bit = lowest_bit(mask)
            mask ^= bit
            trial_board.cand[:] = board.cand
            trial_board.spots[:] = board.spots
            tail = place(trial_board, cell, bit_index(bit), 0)
            count = 1 if tail < 0 else refuting_round(trial_board, tail, best)
            if 0 < count < best:
                best = count
                refuted[:] = ZERO
            if count == best:
                refuted[cell] |= bit
    return 0 if best == NO_LIMIT else best


@njit()
def _eliminate(board: Board, refuted: Masks) -> int:
    """Remove the refuted candidates; return the tail of the queue of singles, -1 on a contradiction."""
    tail = 0
    for cell in range(board.cand.shape[0]):
        mask = refuted[cell]
        while mask and tail >= 0:
            bit = lowest_bit(mask)
            mask ^= bit
            tail = remove_candidate(board, cell, bit_index(bit), tail)
    return tail
