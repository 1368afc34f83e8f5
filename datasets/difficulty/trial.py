"""The trial-and-error rating: how many rounds of singles it takes to refute a wrong candidate.

Whenever singles get stuck, each candidate in turn is assumed, and rounds of singles (see ``datasets.difficulty.board``) are
counted until a contradiction: a cell without a candidate, or a unit without a place for a digit. One that round r
finds, before it places anything, counts r, so what the assumption itself breaks counts 1. The cheapest candidates,
all of equal count at once, are eliminated, and singles go on: that is a stage. The rating is the largest count over
the stages. A puzzle that is not solved when no candidate is refuted any more needs a second level of trial.
Everything is deterministic and the same for all isomorphs. Importing this module imports numba.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from datasets.difficulty.board import (
    NO_LIMIT,
    Board,
    Cells,
    Masks,
    as_array,
    copy_of,
    count_open,
    empty_board,
    give,
    lowest,
    number_of,
    put,
    remove,
    rounds,
    settle,
    tables,
)
from datasets.puzzle import Puzzle
from datasets.search import ONE, ZERO

__all__ = ["Trial", "tables", "trial", "trial_kernel"]


@dataclass(frozen=True)
class Trial:
    """The trial-and-error rating of a puzzle with one solution.

    Attributes:
        rounds: the largest count over all stages; 0 if singles suffice.
        depth: 1, or 2 if one level of trial does not solve the puzzle (``rounds`` is then of the stages done).
    """

    rounds: int
    depth: int


def trial(puzzle: Puzzle, solution: tuple[int, ...]) -> Trial:
    """The rating of a puzzle whose one solution is known: its candidates need no trial, as they are never refuted.

    Raises:
        ValueError: the solution does not fit the clues.
    """
    units, peers, homes = tables(puzzle.shape)
    cells, solved = as_array(puzzle.cells), as_array(solution)
    most, depth = trial_kernel(cells, solved, units, peers, homes)
    if depth < 0 or ((cells != solved) & (cells != 0)).any():
        raise ValueError("the solution does not fit the clues")
    return Trial(int(most), int(depth))


@njit(cache=True)
def trial_kernel(cells: Cells, solution: Cells, units: Cells, peers: Cells, homes: Cells) -> tuple[int, int]:
    """Rounds and depth of a puzzle (cells with 0 for empty); see ``Trial``. The tables are those of ``tables``.

    ``solution`` only spares the trial of right candidates: zeros give the same result for a puzzle with one solution.
    Depth -1 says that there is no solution, or another one than this.
    """
    board = empty_board(units, peers, homes)
    refuted = np.empty(cells.shape[0], dtype=np.uint64)
    most = 0
    tail = give(board, cells)
    while settle(board, tail):
        if count_open(board) == 0:
            return most, 1
        count = _cheapest(board, solution, refuted)
        if count == 0:
            return most, 2
        most = max(most, count)
        tail = _eliminate(board, refuted)
    return most, -1


@njit(cache=True)
def _cheapest(board: Board, solution: Cells, refuted: Masks) -> int:
    """The fewest rounds in which an assumed candidate is refuted, 0 if none is; ``refuted`` gets all that take no more.

    The state must have no single left.
    """
    best = NO_LIMIT
    tried = copy_of(board)
    refuted[:] = ZERO
    for cell in range(board.cand.shape[0]):
        mask = board.cand[cell]
        if mask & (mask - ONE) == ZERO:
            continue
        if solution[cell]:
            mask &= ~(ONE << np.uint64(solution[cell] - 1))
        while mask:
            bit = lowest(mask)
            mask ^= bit
            tried.cand[:] = board.cand
            tried.spots[:] = board.spots
            tail = put(tried, cell, number_of(bit), 0)
            count = 1 if tail < 0 else rounds(tried, tail, best)
            if 0 < count < best:
                best = count
                refuted[:] = ZERO
            if count == best:
                refuted[cell] |= bit
    return 0 if best == NO_LIMIT else best


@njit(cache=True)
def _eliminate(board: Board, refuted: Masks) -> int:
    """Take the refuted candidates away: the tail of the queue of singles, -1 on a contradiction."""
    tail = 0
    for cell in range(board.cand.shape[0]):
        mask = refuted[cell]
        while mask and tail >= 0:
            bit = lowest(mask)
            mask ^= bit
            tail = remove(board, cell, number_of(bit), tail)
    return tail
