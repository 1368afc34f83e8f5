"""The ladder of techniques: the easiest step of a position, applied. Importing this module imports numba.

Each technique has a number, in the order in which they are tried; ``BASE`` holds the least rating of each, in tenths.
"""

from __future__ import annotations

import numpy as np

from sudoku_bench.datasets.difficulty.board import Board
from sudoku_bench.datasets.difficulty.explainer import found as records
from sudoku_bench.datasets.difficulty.explainer import hints as forcing
from sudoku_bench.datasets.difficulty.explainer import techniques
from sudoku_bench.datasets.difficulty.explainer.chains import find_walks
from sudoku_bench.datasets.difficulty.explainer.conclusions import eliminated_by
from sudoku_bench.datasets.difficulty.explainer.exclusion import aligned_exclusion
from sudoku_bench.datasets.difficulty.explainer.found import COUNT, CYCLE, Found, length_tenths
from sudoku_bench.datasets.difficulty.explainer.grave import universal_grave
from sudoku_bench.datasets.difficulty.explainer.grid import Grid, Ints, flag, put, read_board, wide
from sudoku_bench.datasets.difficulty.explainer.hints import eliminated, find_hints
from sudoku_bench.datasets.difficulty.explainer.links import find_links
from sudoku_bench.datasets.difficulty.explainer.nested import SPENT, Depth, Room, spread_all, spread_all_deep
from sudoku_bench.datasets.difficulty.explainer.patterns import new_draft
from sudoku_bench.datasets.difficulty.explainer.techniques import BOXES, LINES, PAIRS, QUADS, TRIPLETS
from sudoku_bench.datasets.difficulty.explainer.unique import unique_loop
from sudoku_bench.datasets.difficulty.explainer.walk import Walk
from sudoku_bench.datasets.kernels import njit

# fmt: off
LAST_CELL, HIDDEN_IN_BOX, HIDDEN_IN_LINE, DIRECT_POINTING, DIRECT_CLAIMING, DIRECT_PAIR = range(6)
NAKED_SINGLE, DIRECT_TRIPLET, POINTING, CLAIMING, NAKED_PAIR, X_WING, HIDDEN_PAIR = range(6, 13)
NAKED_TRIPLET, SWORDFISH, HIDDEN_TRIPLET, XY_WING, XYZ_WING, UNIQUE_LOOP, NAKED_QUAD = range(13, 20)
JELLYFISH, HIDDEN_QUAD, GRAVE, PAIR_EXCLUSION, WALK, TRIPLET_EXCLUSION, NISHIO, MULTIPLE = range(20, 28)
DYNAMIC, DYNAMIC_PATTERNS, DYNAMIC_WALKS, DYNAMIC_MULTIPLE, DYNAMIC_DYNAMIC = range(28, 33)
BASE = (
    10, 12, 15, 17, 19, 20, 23, 25, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 45, 50, 52, 54, 56, 62, 65, 75, 75, 80,
    85, 90, 95, 100, 105,
)
# fmt: on
NONE, OUT_OF_BUDGET = -1, -2  # instead of a technique


def take_step(board: Board, room: Room) -> tuple[int, int, bool]:
    """Apply the easiest step; return its technique, its rating in tenths, and whether it fills a cell.

    Instead of a technique, return ``NONE`` if no technique finds a step, or ``OUT_OF_BUDGET``, each with the rating
    that a step would have at least. Techniques are called one by one, so that the harder ones are compiled only when a
    puzzle needs them.
    """
    technique, rating = take_easy_step(board, room.outer.base, room.outer.grid)
    if technique != NONE:
        return technique, rating, technique < POINTING
    masks = np.zeros(81, dtype=np.int64)
    for technique in range(WALK, len(BASE)):
        rating, conclusion = _find_chain(room, technique, masks)
        if room.budget[SPENT]:
            return OUT_OF_BUDGET, BASE[technique], False
        if rating:
            _apply(board, masks, conclusion)
            return technique, rating, bool(conclusion & 1)
    return NONE, BASE[-1], False


@njit(nogil=True)
def take_easy_step(board: Board, grid: Grid, rest: Grid) -> tuple[int, int]:
    """Apply the easiest step up to aligned pairs; return its technique and rating, or ``NONE``.

    If there is none, ``grid`` holds the position; ``rest`` is room for a grid.
    """
    technique = _single(board)
    if technique == NONE:
        technique = _elimination(board)
    if technique != NONE:
        return technique, BASE[technique]
    read_board(board, grid)
    masks = np.zeros(81, dtype=np.int64)
    technique, rating = _pattern(board, grid, rest, masks)
    _apply(board, masks, 0)
    return technique, rating


@njit()
def _apply(board: Board, masks: Ints, conclusion: int) -> None:
    """Eliminate candidates, and fill the cell of a literal that must be true."""
    for cell in range(81):
        for digit in range(9):
            if masks[cell] >> digit & 1:
                techniques.eliminate(board, cell, digit)
    if conclusion & 1:
        techniques.fill(board, (conclusion >> 1) // 9, (conclusion >> 1) % 9)


@njit()
def _single(board: Board) -> int:
    """Apply the easiest step that fills a cell, up to direct hidden triplets; return its technique, else ``NONE``."""
    if techniques.last_cell(board):
        return LAST_CELL
    if techniques.hidden_single(board, BOXES):
        return HIDDEN_IN_BOX
    if techniques.hidden_single(board, LINES):
        return HIDDEN_IN_LINE
    if techniques.locked(board, BOXES, flag(True)):
        return DIRECT_POINTING
    if techniques.locked(board, LINES, flag(True)):
        return DIRECT_CLAIMING
    if techniques.direct_set(board, PAIRS):
        return DIRECT_PAIR
    if techniques.naked_single(board):
        return NAKED_SINGLE
    return DIRECT_TRIPLET if techniques.direct_set(board, TRIPLETS) else NONE


@njit()
def _elimination(board: Board) -> int:
    """Apply the easiest step that eliminates candidates, up to XYZ-wings; return its technique, else ``NONE``."""
    if techniques.locked(board, BOXES, flag(False)):
        return POINTING
    if techniques.locked(board, LINES, flag(False)):
        return CLAIMING
    for technique, sets in ((NAKED_PAIR, PAIRS), (NAKED_TRIPLET, TRIPLETS)):
        if techniques.naked_set(board, sets):
            return technique
        if techniques.fish(board, sets):
            return technique + 1
        if techniques.hidden_set(board, sets):
            return technique + 2
    if techniques.wing(board, 2):
        return XY_WING
    return XYZ_WING if techniques.wing(board, 3) else NONE


@njit()
def _pattern(board: Board, grid: Grid, rest: Grid, masks: Ints) -> tuple[int, int]:
    """Find the easiest step from unique loops to aligned pairs; return technique and rating, or ``NONE``.

    ``masks`` receives what it eliminates; quads are applied at once.
    """
    rating = unique_loop(grid, masks)
    if rating:
        return UNIQUE_LOOP, rating
    if techniques.naked_set(board, QUADS):
        return NAKED_QUAD, BASE[NAKED_QUAD]
    if techniques.fish(board, QUADS):
        return JELLYFISH, BASE[JELLYFISH]
    if techniques.hidden_set(board, QUADS):
        return HIDDEN_QUAD, BASE[HIDDEN_QUAD]
    rating = universal_grave(grid, rest, masks)
    if rating:
        return GRAVE, rating
    if aligned_exclusion(grid, wide(2), masks):
        return PAIR_EXCLUSION, BASE[PAIR_EXCLUSION]
    put(masks, 0)
    return NONE, 0


def _find_chain(room: Room, technique: int, masks: Ints) -> tuple[int, int]:
    """Find the best step of a technique from single chains on; return its rating (0: none) and the literal it shows.

    ``masks`` receives what it eliminates.
    """
    if technique == WALK:
        return _best_walk(room.outer, room.walk, room.found, masks)
    if technique == TRIPLET_EXCLUSION:
        return (BASE[technique] if aligned_exclusion(room.outer.base, 3, masks) else 0), 0
    if technique <= DYNAMIC:
        complete = spread_all(room.outer, room.budget, technique != MULTIPLE, technique == NISHIO)
    else:
        level, draft = technique - DYNAMIC, new_draft()
        complete = spread_all_deep(room.outer, room.inner, room.walk, room.found, room.budget, draft, level)
    if not complete:
        return 0, 0
    length, conclusion = _best_hint(room.outer, technique != MULTIPLE, technique == NISHIO, masks)
    return BASE[technique] + length_tenths(length) if length else 0, conclusion


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
