"""The explainer scale: the rating of the hardest step for a person who always takes the easiest available step.

The scale is that of Sudoku Explainer (Juillerat, 2007), implemented from its published rules up to XYZ-wing. Each step
is the first one of the easiest kind that applies:

    1.0        last cell of a unit          2.6 / 2.8        pointing / claiming
    1.2        hidden single of a box       3.0 / 3.2 / 3.4  naked pair / X-wing / hidden pair
    1.5        hidden single of a line      3.6 / 3.8 / 4.0  naked triplet / swordfish / hidden triplet
    1.7 / 1.9  direct pointing / claiming   4.2 / 4.4        XY-wing / XYZ-wing
    2.0        direct hidden pair
    2.3        naked single
    2.5        direct hidden triplet

A *direct* step places the hidden single that its eliminations would uncover in the same kind of unit, and eliminates
nothing itself. Importing this module imports numba.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from numba import njit

from datasets.difficulty import techniques
from datasets.difficulty.board import Board, Cells, as_array, board_tables, empty_board
from datasets.difficulty.techniques import BOXES, LINES, PAIRS, TRIPLETS
from datasets.puzzle import Puzzle
from datasets.shape import Shape

SHAPE = Shape(3, 3)
TOP = 4.4
BEYOND = math.inf  # rating above TOP


@dataclass(frozen=True)
class Explained:
    """Ratings of a 9×9 puzzle with one solution.

    Attributes:
        er: rating of the hardest step; ``BEYOND`` if the puzzle needs a step above 4.4.
        ep: rating of the hardest step up to the first placement; 0.0 if there was none.
        ed: rating of the first step; 0.0 if there was none.
    """

    er: float
    ep: float
    ed: float


def explain(puzzle: Puzzle) -> Explained:
    """Rate a puzzle that has exactly one solution; for other puzzles the ratings are meaningless.

    Raises:
        ValueError: the board is not 9×9 with 3×3 boxes.
    """
    if puzzle.shape != SHAPE:
        raise ValueError(f"the explainer scale is for 9×9 boards with 3×3 boxes, not for {puzzle.shape.name}")
    units, peers, homes = board_tables(SHAPE)
    er, ep, ed = explain_kernel(as_array(puzzle.cells), units, peers, homes)
    return Explained(BEYOND if er < 0 else er / 10, ep / 10, ed / 10)


@njit(cache=True, nogil=True)
def explain_kernel(cells: Cells, units: Cells, peers: Cells, homes: Cells) -> tuple[int, int, int]:
    """Return ER, EP and ED in tenths; ER is -1 if the steps of the scale do not solve the puzzle."""
    board = empty_board(units, peers, homes)
    for cell in range(81):
        if cells[cell]:
            techniques.fill(board, cell, cells[cell] - 1)
    er, ep, ed = 0, 0, 0
    while board.cand.any():
        rating = _placement(board)
        placed = rating > 0
        if not placed:
            rating = _elimination(board)
        if rating == 0:
            return -1, ep, ed
        er = max(er, rating)
        if ed == 0:
            ed = rating
        if ep == 0 and placed:
            ep = er
    return er, ep, ed


@njit(cache=True)
def _placement(board: Board) -> int:
    """Apply the easiest step that fills a cell; return its rating in tenths, 0 if there is none."""
    if techniques.last_cell(board):
        return 10
    if techniques.hidden_single(board, BOXES):
        return 12
    if techniques.hidden_single(board, LINES):
        return 15
    if techniques.locked(board, BOXES, True):
        return 17
    if techniques.locked(board, LINES, True):
        return 19
    if techniques.direct_set(board, PAIRS):
        return 20
    if techniques.naked_single(board):
        return 23
    return 25 if techniques.direct_set(board, TRIPLETS) else 0


@njit(cache=True)
def _elimination(board: Board) -> int:
    """Apply the easiest step that eliminates candidates; return its rating in tenths, 0 if there is none."""
    if techniques.locked(board, BOXES, False):
        return 26
    if techniques.locked(board, LINES, False):
        return 28
    for rating, sets in ((30, PAIRS), (36, TRIPLETS)):
        if techniques.naked_set(board, sets):
            return rating
        if techniques.fish(board, sets):
            return rating + 2
        if techniques.hidden_set(board, sets):
            return rating + 4
    if techniques.wing(board, 2):
        return 42
    return 44 if techniques.wing(board, 3) else 0
