"""The explainer scale: the rating of the hardest step for a person who always takes the easiest available step.

The scale is that of Sudoku Explainer 1.2.1 (Juillerat, 2007), from the published ratings of its techniques and its
published order. Each step is the first one of the easiest kind that applies:

    1.0        last cell of a unit             4.5 - 5.x    unique rectangle or loop
    1.2        hidden single of a box          5.0 / 5.2 / 5.4  naked quad / jellyfish / hidden quad
    1.5        hidden single of a line         5.6 - 6.2    bivalue universal grave
    1.7 / 1.9  direct pointing / claiming      6.2          aligned pair exclusion
    2.0        direct hidden pair              6.5 +        X- and Y-cycles (6.6 + X-chains, 7.0 + both)
    2.3        naked single                    7.5          aligned triplet exclusion
    2.5        direct hidden triplet           7.5 +        Nishio
    2.6 / 2.8  pointing / claiming             8.0 +        cell and unit forcing chains
    3.0 / 3.2 / 3.4  pair / X-wing / hidden    8.5 +        dynamic forcing chains
    3.6 / 3.8 / 4.0  triplet / swordfish       9.0 +        dynamic with pointing, claiming, pairs and X-wings
                     / hidden triplet          9.5 / 10.0 + dynamic with nested single / multiple chains
    4.2 / 4.4  XY-wing / XYZ-wing              10.5 +       dynamic with nested dynamic chains

The length of a chain adds tenths ("+"). A *direct* step places the hidden single that its eliminations would uncover in
the same kind of unit, and eliminates nothing itself. Among chains of one kind, the shortest is taken; among those, the
kind with the lower rank, then the one found first, going through cells row by row and digits in order. So above 7.5 the
rating depends on the presentation of a puzzle. Importing this module imports numba.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from sudoku_bench.datasets.difficulty.board import Board, Cells, as_array, board_tables, empty_board
from sudoku_bench.datasets.difficulty.explainer import techniques
from sudoku_bench.datasets.difficulty.explainer.grid import SHAPE
from sudoku_bench.datasets.difficulty.explainer.ladder import take_step
from sudoku_bench.datasets.difficulty.explainer.nested import LEFT, SPENT, Room, new_room
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle

BEYOND = math.inf  # rating above ``Explained.beyond``
NO_LIMIT = 2**62

_rooms = threading.local()


@dataclass(frozen=True)
class Explained:
    """Ratings of a 9×9 puzzle with one solution.

    Attributes:
        er: rating of the hardest step; ``BEYOND`` if a step was not found within the limit of work.
        ep: rating of the hardest step up to the first placement; ``BEYOND`` if it was not reached, 0.0 if there is
            nothing to place.
        ed: rating of the first step, likewise.
        beyond: what the ratings that are ``BEYOND`` are above; 0.0 if there is none.
    """

    er: float
    ep: float
    ed: float
    beyond: float = 0.0

    def fields(self) -> dict[str, str]:
        """Return the ratings as text by name, a bound as ``>9.4``."""
        bound, ratings = f">{self.beyond:.1f}", {"er": self.er, "ep": self.ep, "ed": self.ed}
        return {name: bound if math.isinf(rating) else f"{rating:.1f}" for name, rating in ratings.items()}


def explain(puzzle: Puzzle, work: int = NO_LIMIT) -> Explained:
    """Rate a puzzle that has exactly one solution; for other puzzles the ratings are meaningless.

    Args:
        work: number of deduced literals after which the search for a step is given up; the same on every machine.

    Raises:
        ValueError: the board is not 9×9 with 3×3 boxes.
    """
    er, ep, ed = 0, 0, 0
    for technique, rating, placed in climb(start(puzzle), work):
        if technique < 0:
            beyond = (max(rating, er) - 1) / 10
            return Explained(BEYOND, ep / 10 or BEYOND, ed / 10 or BEYOND, beyond)
        er = max(er, rating)
        ed = ed or rating
        ep = ep or (er if placed else 0)
    return Explained(er / 10, ep / 10, ed / 10)


def climb(board: Board, work: int) -> Iterator[tuple[int, int, bool]]:
    """Solve a board by the easiest steps; yield for each what ``take_step`` returns.

    The board shows the position after the step. The last item has no technique if the work was spent.
    """
    room().budget[LEFT], room().budget[SPENT] = work, 0
    technique = 0
    while technique >= 0 and board.cand.any():
        technique, rating, placed = take_step(board, room())
        yield technique, rating, placed


def room() -> Room:
    """Return the room that rating works in, one for each thread; it is used by one rating at a time."""
    if not hasattr(_rooms, "room"):
        _rooms.room = new_room()
    mine: Room = _rooms.room
    return mine


def start(puzzle: Puzzle) -> Board:
    """Return the board of a puzzle, in which filled cells have no candidates.

    Raises:
        ValueError: the board is not 9×9 with 3×3 boxes.
    """
    if puzzle.shape != SHAPE:
        raise ValueError(f"the explainer scale is for 9×9 boards with 3×3 boxes, not for {puzzle.shape.name}")
    return _start(as_array(puzzle.cells), *board_tables(SHAPE))


@njit()
def _start(cells: Cells, units: Cells, peers: Cells, homes: Cells) -> Board:
    board = empty_board(units, peers, homes)
    for cell in range(81):
        if cells[cell]:
            techniques.fill(board, cell, cells[cell] - 1)
    return board
