"""The work of a lookahead search: the difficulty of a puzzle for solvers that try each candidate before they branch.

At each node every candidate is assumed in turn, and singles are placed (a *look-ahead*). A candidate that leads to a
contradiction is eliminated; this is repeated until a whole pass eliminates nothing. Then the search branches on a
candidate of a cell with the fewest candidates, and on its elimination. Lookahead solvers for SAT work like this (Heule
& van Maaren 2009). The measure is the number of look-aheads until the first solution. Ties are broken by the order of
cells and digits, so the count varies among isomorphs. Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np

from sudoku_bench.datasets.bits import ZERO, bit_index, lowest_bit, popcount
from sudoku_bench.datasets.difficulty.board import (
    Board,
    Cells,
    as_array,
    board_tables,
    copy_of,
    empty_board,
    place,
    place_clues,
    propagate,
    remove_candidate,
)
from sudoku_bench.datasets.difficulty.estimate import Estimate, estimate
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle

FORMS = 12
MAX_TRIES = 50_000  # of one form; beyond this the mean is not known
SOLVED, ABSURD = -1, -2  # instead of a cell to branch on
NO_SOLUTION, GIVEN_UP = -1, -2  # instead of a count


def look_aheads(puzzle: Puzzle, seed: int, forms: int = FORMS, max_tries: int = MAX_TRIES) -> Estimate:
    """Return the mean look-aheads until a solution over ``forms`` (at least 2) random isomorphs.

    It is unknown if a form has no solution or needs more than ``max_tries``.
    """
    tables = board_tables(puzzle.shape)
    counts = []
    for number in range(1, forms + 1):
        cells = form(puzzle, isomorph(seed, puzzle, number)).cells
        counts.append(int(_search(as_array(cells), *tables, max_tries)))
        if counts[-1] < 0:
            break
    return estimate(counts)


@njit(nogil=True)
def _search(cells: Cells, units: Cells, peers: Cells, homes: Cells, max_tries: int) -> int:
    """Count the look-aheads until a solution; ``NO_SOLUTION`` or ``GIVEN_UP`` if there is none."""
    board = empty_board(units, peers, homes)
    trial, tries = copy_of(board), np.zeros(1, dtype=np.int64)
    branches = [(copy_of(board), 0, 0) for _ in range(0)]  # position, and the candidate that was tried first
    consistent = propagate(board, place_clues(board, cells))
    while True:
        cell = look_ahead(board, trial, tries, max_tries) if consistent else ABSURD
        if tries[0] > max_tries:
            return GIVEN_UP
        if cell == SOLVED:
            return int(tries[0])
        if cell == ABSURD:
            if len(branches) == 0:
                return NO_SOLUTION
            board, cell, digit = branches.pop()
            consistent = propagate(board, remove_candidate(board, cell, digit, 0))
            continue
        digit = bit_index(lowest_bit(board.cand[cell]))
        branches.append((copy_of(board), cell, digit))
        consistent = propagate(board, place(board, cell, digit, 0))


@njit()
def look_ahead(board: Board, trial: Board, tries: Cells, max_tries: int) -> int:
    """Eliminate refuted candidates until none is left; return the cell to branch on, ``SOLVED`` or ``ABSURD``."""
    changed = True
    while changed and tries[0] <= max_tries:
        changed = False
        for cell in range(board.cand.shape[0]):
            mask = board.cand[cell]
            while mask:
                bit = lowest_bit(mask)
                mask ^= bit
                if board.cand[cell] & bit == ZERO or board.cand[cell] == bit:  # decided by an elimination just made
                    continue
                trial.cand[:] = board.cand
                trial.spots[:] = board.spots
                tries[0] += 1
                if propagate(trial, place(trial, cell, bit_index(bit), 0)):
                    continue
                changed = True
                if not propagate(board, remove_candidate(board, cell, bit_index(bit), 0)):
                    return ABSURD
    best, fewest = SOLVED, np.int64(board.cand.shape[0])
    for cell in range(board.cand.shape[0]):
        count = popcount(board.cand[cell])
        if 1 < count < fewest:
            best, fewest = cell, count
    return best
