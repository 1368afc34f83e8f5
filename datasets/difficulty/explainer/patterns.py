"""Eliminations by pointing, claiming, pairs and X-wings that an assumption makes possible.

A pattern counts only if the assumption was needed for it, that is, if it removed candidates that stood in the way;
these are the parents of what the pattern eliminates. Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.difficulty.explainer.grid import BOX, COLUMN, HOME, N_LITERALS, POP, ROW, UNITS, Flags, Grid, Ints, put
from datasets.difficulty.explainer.store import (
    BY_HIDDEN_PAIR,
    BY_LOCKED,
    BY_NAKED_PAIR,
    BY_X_WING,
    Store,
    add_node,
    add_parent,
)

FIRST_UNIT = (0, 9, 18)  # of each kind
LOCKED = ((BOX, COLUMN), (BOX, ROW), (COLUMN, BOX), (ROW, BOX))
LINES = ((COLUMN, ROW), (ROW, COLUMN))
ORDER = (BOX, COLUMN, ROW)


class Draft(NamedTuple):
    """An elimination that is being put together.

    Attributes:
        cells, masks: what it eliminates.
        parents: literals that had to follow before.
        seen: whether a literal is one of them.
        size: number of cells, number of parents.
    """

    cells: Ints
    masks: Ints
    parents: NDArray[np.int16]
    seen: Flags
    size: Ints


@njit(cache=True)
def new_draft() -> Draft:
    """Allocate a draft."""
    return Draft(
        np.empty(81, dtype=np.int64),
        np.empty(81, dtype=np.int64),
        np.empty(N_LITERALS, dtype=np.int16),
        np.zeros(N_LITERALS, dtype=np.bool_),
        np.zeros(2, dtype=np.int64),
    )


@njit(cache=True)
def _add_parent(draft: Draft, candidate: int) -> None:
    if not draft.seen[2 * candidate]:
        draft.seen[2 * candidate] = True
        draft.parents[draft.size[1]] = 2 * candidate
        draft.size[1] += 1


@njit(cache=True)
def add_elimination(draft: Draft, cell: int, mask: int) -> None:
    """Add the candidates that are eliminated from a cell, if any."""
    if mask:
        draft.cells[draft.size[0]], draft.masks[draft.size[0]] = cell, mask
        draft.size[0] += 1


@njit(cache=True)
def add_gone_from_cell(grid: Grid, base: Grid, draft: Draft, cell: int, mask: int) -> None:
    """Add those of some candidates of a cell that were removed since ``base`` to the parents."""
    gone = base.cand[cell] & ~grid.cand[cell] & mask
    for digit in range(9):
        if gone >> digit & 1:
            _add_parent(draft, cell * 9 + digit)


@njit(cache=True)
def add_gone_from_unit(grid: Grid, base: Grid, draft: Draft, unit: int, digit: int, places: int) -> None:
    """Add those of some places of a digit in a unit that were removed since ``base`` to the parents."""
    gone = base.spots[unit, digit] & ~grid.spots[unit, digit] & places
    for place in range(9):
        if gone >> place & 1:
            _add_parent(draft, UNITS[unit, place] * 9 + digit)


@njit(cache=True)
def commit(store: Store, source: int, draft: Draft, cause: int, nested: int) -> bool:
    """Add the eliminations of a draft to the consequences of a source; return whether there are new ones.

    The cells come in the order of the original's hash table: by number modulo its size.
    """
    n_cells, n_parents = draft.size[0], draft.size[1]
    draft.size[0] = draft.size[1] = 0
    put(draft.seen, False)
    buckets = 16
    while n_cells > buckets * 3 // 4:
        buckets *= 2
    added = False
    for bucket in range(buckets if n_parents else 0):
        for k in range(n_cells):
            if draft.cells[k] % buckets == bucket:
                added |= _commit_cell(store, source, draft, k, n_parents, cause, nested)
    return added


@njit(cache=True)
def _commit_cell(store: Store, source: int, draft: Draft, k: int, n_parents: int, cause: int, nested: int) -> bool:
    added = False
    for digit in range(9):
        literal = 2 * (draft.cells[k] * 9 + digit)
        if draft.masks[k] >> digit & 1 and store.where[source, literal] < 0:
            node = add_node(store, source, literal, cause, nested)
            for i in range(n_parents):
                add_parent(store, node, store.where[source, draft.parents[i]])
            added = True
    return added


@njit(cache=True)
def add_patterns(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Add the eliminations of the easiest kind of pattern that makes some; return whether there are any."""
    return (
        _locked(grid, base, store, source, draft)
        or _hidden_pairs(grid, base, store, source, draft)
        or _naked_pairs(grid, base, store, source, draft)
        or _x_wings(grid, base, store, source, draft)
    )


@njit(cache=True)
def _locked(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Pointing and claiming: all places of a digit in one unit are also in a second one."""
    added = False
    for kind, other_kind in LOCKED:
        for digit in range(9):
            for unit in range(FIRST_UNIT[kind], FIRST_UNIT[kind] + 9):
                places = grid.spots[unit, digit]
                if POP[places] < 2 or POP[places] > 3:
                    continue
                other = _common_unit(unit, places, other_kind)
                if other < 0:
                    continue
                outside = grid.spots[other, digit]
                for place in range(9):
                    cell = UNITS[other, place]
                    if outside >> place & 1 and HOME[cell, kind] != unit:
                        add_elimination(draft, cell, 1 << digit)
                for place in range(9):
                    if HOME[UNITS[unit, place], other_kind] != other:
                        add_gone_from_unit(grid, base, draft, unit, digit, 1 << place)
                added |= commit(store, source, draft, BY_LOCKED, -1)
    return added


@njit(cache=True)
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


@njit(cache=True)
def _hidden_pairs(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Two digits with the same two places in a unit."""
    added = False
    for kind in ORDER:
        for unit in range(FIRST_UNIT[kind], FIRST_UNIT[kind] + 9):
            if base.open_cells[unit] <= 4:
                continue
            for b in range(1, 9):
                for a in range(b):
                    places = grid.spots[unit, a]
                    if POP[places] == 2 and grid.spots[unit, b] == places:
                        _hidden_pair(grid, base, draft, unit, a, b)
                        added |= commit(store, source, draft, BY_HIDDEN_PAIR, -1)
    return added


@njit(cache=True)
def _hidden_pair(grid: Grid, base: Grid, draft: Draft, unit: int, a: int, b: int) -> None:
    places, pair = grid.spots[unit, a], 1 << a | 1 << b
    for place in range(9):
        cell = UNITS[unit, place]
        if places >> place & 1:
            add_elimination(draft, cell, grid.cand[cell] & ~pair)
        else:
            add_gone_from_cell(grid, base, draft, cell, pair)


@njit(cache=True)
def _naked_pairs(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Two cells of a unit with the same two candidates."""
    added = False
    for kind in ORDER:
        for unit in range(FIRST_UNIT[kind], FIRST_UNIT[kind] + 9):
            if base.open_cells[unit] < 4:
                continue
            for b in range(1, 9):
                pair = grid.cand[UNITS[unit, b]]
                if POP[pair] != 2:
                    continue
                for a in range(b):
                    if grid.cand[UNITS[unit, a]] == pair:
                        _naked_pair(grid, base, draft, unit, a, b)
                        added |= commit(store, source, draft, BY_NAKED_PAIR, -1)
    return added


@njit(cache=True)
def _naked_pair(grid: Grid, base: Grid, draft: Draft, unit: int, a: int, b: int) -> None:
    pair = grid.cand[UNITS[unit, a]]
    for place in range(9):
        cell = UNITS[unit, place]
        if (1 << a | 1 << b) >> place & 1:
            add_gone_from_cell(grid, base, draft, cell, 511)
        else:
            add_elimination(draft, cell, grid.cand[cell] & pair)


@njit(cache=True)
def _x_wings(grid: Grid, base: Grid, store: Store, source: int, draft: Draft) -> bool:
    """Two lines in which a digit has the same two places."""
    added = False
    for kind, across in LINES:
        for b in range(1, 9):
            for a in range(b):
                for digit in range(9):
                    places = grid.spots[FIRST_UNIT[kind] + a, digit]
                    if POP[places] != 2 or grid.spots[FIRST_UNIT[kind] + b, digit] != places:
                        continue
                    if base.placed[digit] > 5:
                        continue
                    lines = 1 << a | 1 << b
                    for place in range(9):
                        if places >> place & 1:
                            _clear_line(grid, draft, FIRST_UNIT[across] + place, digit, lines)
                    add_gone_from_unit(grid, base, draft, FIRST_UNIT[kind] + a, digit, ~places)
                    add_gone_from_unit(grid, base, draft, FIRST_UNIT[kind] + b, digit, ~places)
                    added |= commit(store, source, draft, BY_X_WING, -1)
    return added


@njit(cache=True)
def _clear_line(grid: Grid, draft: Draft, unit: int, digit: int, kept: int) -> None:
    """Eliminate a digit from a line except from some places."""
    for place in range(9):
        if grid.spots[unit, digit] >> place & 1 and not kept >> place & 1:
            add_elimination(draft, UNITS[unit, place], 1 << digit)
