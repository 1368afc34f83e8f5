"""The explainer scale: the rating of the hardest step for a person who always takes the easiest available step.

The scale is that of Sudoku Explainer 1.2.1 (Juillerat, 2007), from the published ratings of its techniques and its
published order. Each step is the first one of the easiest kind that applies: of ``datasets/steps`` up to bivalue
universal graves (``walkthrough.RATED``), else of ``HARD``, which is compiled. The length of a chain adds tenths. Among
chains of one kind, the shortest is taken; among those, the kind with the lower rank, then the one found first, going
through cells row by row and digits in order. So above 7.5 the rating depends on the presentation of a puzzle. Importing
this module imports numba.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from sudoku_bench.datasets.difficulty.explainer import found as records
from sudoku_bench.datasets.difficulty.explainer import hints as forcing
from sudoku_bench.datasets.difficulty.explainer.chains import find_walks
from sudoku_bench.datasets.difficulty.explainer.conclusions import eliminated_by
from sudoku_bench.datasets.difficulty.explainer.exclusion import aligned_exclusion
from sudoku_bench.datasets.difficulty.explainer.found import COUNT, CYCLE, Found, length_tenths
from sudoku_bench.datasets.difficulty.explainer.grid import SHAPE, Ints, flag, put, read_board, wide
from sudoku_bench.datasets.difficulty.explainer.hints import eliminated, find_hints
from sudoku_bench.datasets.difficulty.explainer.links import CYCLE_BASE, Walk, X, find_links
from sudoku_bench.datasets.difficulty.explainer.nested import (
    LEFT,
    SPENT,
    Depth,
    Room,
    new_room,
    spread_all,
    spread_all_deep,
)
from sudoku_bench.datasets.difficulty.explainer.patterns import new_draft
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.steps.board import Board, Step, bits
from sudoku_bench.datasets.steps.walkthrough import RATED, easiest

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
    er = ep = ed = 0.0
    for step in climb(puzzle, work):
        if not step.technique:
            return Explained(BEYOND, ep or BEYOND, ed or BEYOND, round(max(step.rating, er) - 0.1, 1))
        er = max(er, step.rating)
        ed = ed or step.rating
        ep = ep or (er if step.placed else 0.0)
    return Explained(er, ep, ed)


def climb(puzzle: Puzzle, work: int) -> Iterator[Step]:
    """Yield the easiest steps that solve a puzzle.

    The last one has no technique if none was found within the work; its rating is what that step would have at least.

    Raises:
        ValueError: the board is not 9×9 with 3×3 boxes.
    """
    if puzzle.shape != SHAPE:
        raise ValueError(f"the explainer scale is for 9×9 boards with 3×3 boxes, not for {puzzle.shape.name}")
    if not hasattr(_rooms, "room"):
        _rooms.room = new_room()  # one for each thread
    board, room = Board(puzzle), _rooms.room
    room.budget[LEFT], room.budget[SPENT] = work, 0
    is_found = True
    while is_found and any(board.candidates):
        step = easiest(board, RATED) or hard_step(board, room)
        yield step
        board.apply(step)
        is_found = bool(step.technique)


def hard_step(board: Board, room: Room) -> Step:
    """Return the easiest step of ``HARD``; one without a technique if there is none, or the budget is spent.

    Techniques are called one by one, so that the harder ones are compiled only when a puzzle needs them.
    """
    read_board(board, room.outer.base)
    masks = np.zeros(81, dtype=np.int64)
    base = 0
    for base, technique, find in HARD:
        tenths, conclusion = find(room, masks)
        if room.budget[SPENT]:
            break
        if tenths >= 0:
            rating, literal = (base + tenths) / 10, conclusion >> 1
            if conclusion & 1:
                return Step(rating, technique, (literal // 9, literal % 9 + 1), (), (), "")
            gone = tuple((cell, digit + 1) for cell, mask in enumerate(masks.tolist()) for digit in bits(mask))
            return Step(rating, technique, None, gone, (), "")
    return Step(base / 10, "", None, (), (), "")


def _exclusion(room: Room, masks: Ints, n: int) -> tuple[int, int]:
    return 0 if aligned_exclusion(room.outer.base, n, masks) else -1, 0


def _walk(room: Room, masks: Ints) -> tuple[int, int]:
    rating, conclusion = _best_walk(room.outer, room.walk, room.found, masks)
    return rating - CYCLE_BASE[X] if rating else -1, conclusion


def _forcing(room: Room, masks: Ints, level: int = 0, dynamic: bool = True, nishio: bool = False) -> tuple[int, int]:
    if level:
        complete = spread_all_deep(room.outer, room.inner, room.walk, room.found, room.budget, new_draft(), level)
    else:
        complete = spread_all(room.outer, room.budget, dynamic, nishio)
    length, conclusion = _best_hint(room.outer, dynamic, nishio, masks) if complete else (0, 0)
    return length_tenths(length) if length else -1, conclusion


# The least rating of each technique in tenths, its name, and what finds its best step. That returns the tenths beyond
# the least rating (-1: there is no step) and the literal that it shows, if that must be true; ``masks`` receives what
# the step eliminates.
HARD: tuple[tuple[int, str, Callable[[Room, Ints], tuple[int, int]]], ...] = (
    (62, "aligned pair exclusion", partial(_exclusion, n=2)),
    (65, "chain or cycle", _walk),
    (75, "aligned triplet exclusion", partial(_exclusion, n=3)),
    (75, "Nishio", partial(_forcing, nishio=True)),
    (80, "forcing chains", partial(_forcing, dynamic=False)),
    (85, "dynamic forcing chains", _forcing),
    (90, "dynamic forcing chains with patterns", partial(_forcing, level=1)),
    (95, "dynamic forcing chains with nested chains", partial(_forcing, level=2)),
    (100, "dynamic forcing chains with nested forcing chains", partial(_forcing, level=3)),
    (105, "dynamic forcing chains with nested dynamic forcing chains", partial(_forcing, level=4)),
)


@njit(nogil=True)
def _best_walk(here: Depth, walk: Walk, found: Found, masks: Ints) -> tuple[int, int]:
    """Find the best chain or cycle of single links; return its rating and the literal that it shows (a cycle: none)."""
    find_links(here.base, here.links)
    find_walks(here.base, here.links, walk, found, flag(False))
    if found.size[COUNT] == 0:
        return 0, 0
    eliminated_by(here.base, walk, found, 0, masks)
    record = found.record[0]
    literal = wide(found.path[record[records.BEGIN], records.LITERAL])
    return record[records.RATING], literal if record[records.KIND] != CYCLE else 0


@njit(nogil=True)
def _best_hint(here: Depth, dynamic: bool, nishio: bool, masks: Ints) -> tuple[int, int]:
    """Find the best conclusion from spread assumptions; return its length and its literal, or zeros."""
    find_hints(here.base, here.store, here.hints, dynamic, nishio, flag(False))
    if here.hints.size[0] == 0:
        return 0, 0
    hint = here.hints.record[forcing.BEST]
    put(masks, 0)
    masks[(hint[forcing.CONCLUSION] >> 1) // 9] = eliminated(here.base, hint[forcing.CONCLUSION])
    return hint[forcing.LENGTH], hint[forcing.CONCLUSION]
