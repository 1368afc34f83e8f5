"""Eliminations by pointing, claiming, pairs and X-wings that an assumption makes possible.

A pattern counts only if the assumption was needed for it, that is, if it removed candidates that stood in the way;
these are the parents of what the pattern eliminates. Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np

from sudoku_bench.datasets.difficulty.explainer.grid import (
    BOX,
    COLUMN,
    HOME,
    OPEN,
    PLACED,
    POP,
    ROW,
    UNITS,
    Grid,
    Ints,
    any_of,
    put,
    spots,
    wide,
)
from sudoku_bench.datasets.difficulty.explainer.store import (
    BY_HIDDEN_PAIR,
    BY_LOCKED,
    BY_NAKED_PAIR,
    BY_X_WING,
    Store,
    add_node,
    add_parent,
)
from sudoku_bench.datasets.kernels import njit

LOCKED = ((BOX, COLUMN), (BOX, ROW), (COLUMN, BOX), (ROW, BOX))
LINES = ((COLUMN, ROW), (ROW, COLUMN))
ORDER = (BOX, COLUMN, ROW)
GONE, LOST = 0, 1  # rows of a draft

Draft = Ints  # 2 × 81 masks: what is eliminated from each cell (``LOST``), because of what is gone before (``GONE``)


@njit()
def new_draft() -> Draft:
    """Allocate a draft of an elimination."""
    return np.zeros((2, 81), dtype=np.int64)


@njit()
def add_gone_from_cell(grid: Grid, base: Grid, draft: Draft, cell: int, mask: int) -> None:
    """Note those of some candidates of a cell that were removed since ``base``."""
    draft[GONE, cell] |= base[cell] & ~grid[cell] & mask


@njit()
def add_gone_from_unit(grid: Grid, base: Grid, draft: Draft, unit: int, digit: int, places: int) -> None:
    """Note those of some places of a digit in a unit that were removed since ``base``."""
    gone = spots(base, unit, digit) & ~spots(grid, unit, digit) & places
    for place in range(9):
        if gone >> place & 1:
            draft[GONE, UNITS[unit, place]] |= 1 << digit


@njit()
def commit(store: Store, source: int, draft: Draft, cause: int, nest: int) -> bool:
    """Add the eliminations of a draft to the consequences of a source, and clear it; return whether there are new ones.

    Without anything that is gone, there are none.
    """
    added, is_needed = False, any_of(draft[GONE])
    for cell in range(81):
        if is_needed and draft[LOST, cell]:
            for digit in range(9):
                literal = 2 * (9 * cell + digit)
                if draft[LOST, cell] >> digit & 1 and store.source[source, literal] < 0:
                    _add_parents(store, source, draft, add_node(store, source, literal, cause, nest))
                    added = True
    put(draft[GONE], 0)
    put(draft[LOST], 0)
    return added


@njit()
def _add_parents(store: Store, source: int, draft: Draft, node: int) -> None:
    for cell in range(81):
        if draft[GONE, cell]:
            for digit in range(9):
                if draft[GONE, cell] >> digit & 1:
                    parent = store.source[source, 2 * (9 * cell + digit)]
                    add_parent(store, node, wide(parent))


@njit()
def add_patterns(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Add the eliminations of the easiest kind of pattern that makes some; return whether there are any."""
    return (
        _locked(grid, base, store, source, draft)
        or _hidden_pairs(grid, base, store, source, draft)
        or _naked_pairs(grid, base, store, source, draft)
        or _x_wings(grid, base, store, source, draft)
    )


@njit()
def _locked(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Pointing and claiming: all places of a digit in one unit are also in a second one."""
    added = False
    for kind, other_kind in LOCKED:
        for digit in range(9):
            for unit in range(9 * kind, 9 * kind + 9):
                places = spots(grid, unit, digit)
                if POP[places] < 2 or POP[places] > 3:
                    continue
                other = _common_unit(unit, places, other_kind)
                if other < 0:
                    continue
                for place in range(9):
                    cell = UNITS[other, place]
                    if spots(grid, other, digit) >> place & 1 and HOME[cell, kind] != unit:
                        draft[LOST, cell] = 1 << digit
                    if HOME[UNITS[unit, place], other_kind] != other:
                        add_gone_from_unit(grid, base, draft, unit, digit, 1 << place)
                added |= commit(store, source, draft, wide(BY_LOCKED), wide(-1))
    return added


@njit()
def _common_unit(unit: int, places: int, kind: int) -> int:
    """Return the unit of a kind that contains all these places; -1 if there is none."""
    common = -1
    for place in range(9):
        if places >> place & 1:
            home = HOME[UNITS[unit, place], kind]
            if common >= 0 and home != common:
                return -1
            common = home
    return common


@njit()
def _hidden_pairs(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Two digits with the same two places in a unit."""
    added = False
    for kind in ORDER:
        for unit in range(9 * kind, 9 * kind + 9):
            if base[OPEN + unit] <= 4:
                continue
            for second in range(1, 9):
                for first in range(second):
                    places, pair = spots(grid, unit, first), 1 << first | 1 << second
                    if POP[places] != 2 or spots(grid, unit, second) != places:
                        continue
                    for place in range(9):
                        cell = UNITS[unit, place]
                        if places >> place & 1:
                            draft[LOST, cell] = grid[cell] & ~pair
                        else:
                            add_gone_from_cell(grid, base, draft, cell, pair)
                    added |= commit(store, source, draft, wide(BY_HIDDEN_PAIR), wide(-1))
    return added


@njit()
def _naked_pairs(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Two cells of a unit with the same two candidates."""
    added = False
    for kind in ORDER:
        for unit in range(9 * kind, 9 * kind + 9):
            if base[OPEN + unit] < 4:
                continue
            for second in range(1, 9):
                for first in range(second):
                    pair, own = grid[UNITS[unit, first]], 1 << first | 1 << second
                    if POP[pair] != 2 or grid[UNITS[unit, second]] != pair:
                        continue
                    for place in range(9):
                        cell = UNITS[unit, place]
                        if own >> place & 1:
                            add_gone_from_cell(grid, base, draft, cell, 511)
                        else:
                            draft[LOST, cell] = grid[cell] & pair
                    added |= commit(store, source, draft, wide(BY_NAKED_PAIR), wide(-1))
    return added


@njit()
def _x_wings(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Two lines in which a digit has the same two places."""
    added = False
    for kind, across in LINES:
        for b in range(1, 9):
            for a in range(b):
                for digit in range(9):
                    first, second = 9 * kind + a, 9 * kind + b
                    places = spots(grid, first, digit)
                    if POP[places] != 2 or spots(grid, second, digit) != places or base[PLACED + digit] > 5:
                        continue
                    for line in range(9):
                        others = spots(grid, 9 * across + line, digit) if places >> line & 1 else 0
                        for place in range(9):
                            if others >> place & 1 and place not in (a, b):
                                draft[LOST, UNITS[9 * across + line, place]] = 1 << digit
                    add_gone_from_unit(grid, base, draft, first, digit, ~places)
                    add_gone_from_unit(grid, base, draft, second, digit, ~places)
                    added |= commit(store, source, draft, wide(BY_X_WING), wide(-1))
    return added
