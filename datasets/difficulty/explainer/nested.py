"""Spreads all assumptions of a position: by links, with patterns, and with chains nested within them.

What a *level* adds to links: 1 patterns (``patterns``), 2 also chains and cycles of single links, 3 also cell and unit
forcing chains, 4 patterns and dynamic forcing chains. Whenever nothing more follows, the easiest of these that makes an
elimination is added, and the assumption spreads on from there. Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudoku_bench.datasets.difficulty.explainer import found as records
from sudoku_bench.datasets.difficulty.explainer import hints as forcing
from sudoku_bench.datasets.difficulty.explainer import store as stores
from sudoku_bench.datasets.difficulty.explainer.chains import find_walks
from sudoku_bench.datasets.difficulty.explainer.conclusions import eliminated_by
from sudoku_bench.datasets.difficulty.explainer.found import CYCLE, Found, in_order, new_found
from sudoku_bench.datasets.difficulty.explainer.grid import (
    HOME,
    KINDS,
    N_LITERALS,
    Grid,
    Ints,
    copy_grid,
    flag,
    new_grid,
    wide,
)
from sudoku_bench.datasets.difficulty.explainer.hints import (
    CELL,
    UNIT,
    Hints,
    eliminated,
    find_hints,
    hints_in_order,
    new_hints,
)
from sudoku_bench.datasets.difficulty.explainer.links import WALKED, Links, Walk, find_links, new_links, new_walk
from sudoku_bench.datasets.difficulty.explainer.patterns import (
    LOST,
    Draft,
    add_gone_from_cell,
    add_gone_from_unit,
    add_patterns,
    commit,
)
from sudoku_bench.datasets.difficulty.explainer.spread import spread
from sudoku_bench.datasets.difficulty.explainer.store import (
    BY_CHAIN,
    MAX_NESTS,
    NESTS,
    Store,
    assume,
    chain_of,
    clear_store,
    new_store,
)
from sudoku_bench.datasets.kernels import njit

LEFT, SPENT = 0, 1  # places in ``Room.budget``


class Depth(NamedTuple):
    """What one depth of nesting works with: the position before and after assumptions, links, store and results."""

    base: Grid
    grid: Grid
    links: Links
    store: Store
    hints: Hints


class Room(NamedTuple):
    """All that the harder steps work with.

    Attributes:
        outer, inner: for the assumptions of a position, and for those of a chain nested within them.
        walk, found: for chains and cycles of single links.
        budget: number of nodes that may still be made; 1 if there were not enough.
    """

    outer: Depth
    inner: Depth
    walk: Walk
    found: Found
    budget: Ints


def new_room() -> Room:
    """Allocate the room for rating."""
    outer, inner = (Depth(new_grid(), new_grid(), new_links(), new_store(), new_hints()) for _ in range(2))
    return Room(outer, inner, new_walk(), new_found(), np.zeros(2, dtype=np.int64))


@njit()
def _begin(here: Depth, source: int) -> None:
    copy_grid(here.base, here.grid)
    assume(here.store, source)


@njit()
def _spend(store: Store, budget: Ints) -> bool:
    """Take what was made since the last call from the budget; return whether any is left."""
    budget[LEFT] -= store.size[stores.WORK]
    store.size[stores.WORK] = 0
    if budget[LEFT] < 0 or store.size[stores.FULL]:
        budget[SPENT] = 1
        store.size[stores.FULL] = 0
    return bool(budget[SPENT] == 0)


@njit()
def _has(grid: Grid, literal: int) -> bool:
    candidate = literal >> 1
    return bool(grid[candidate // 9] >> (candidate % 9) & 1)


@njit(nogil=True)
def spread_all(here: Depth, budget: Ints, dynamic: bool, nishio: bool) -> bool:
    """Spread all assumptions by links, false ones only if ``dynamic``; return False if the budget is spent."""
    find_links(here.base, here.links)
    clear_store(here.store)
    for source in range(N_LITERALS):
        if _has(here.base, source) and (dynamic or source & 1):
            _begin(here, source)
            spread(here.grid, here.base, here.links, here.store, source, dynamic, not nishio)
            if not _spend(here.store, budget):
                return False
    return True


@njit(nogil=True)
def spread_all_deep(
    here: Depth, inner: Depth, walk: Walk, found: Found, budget: Ints, draft: Draft, level: int
) -> bool:
    """Spread all assumptions of ``here.base`` dynamically at a level from 1 on; False if the budget is spent."""
    find_links(here.base, here.links)
    clear_store(here.store)
    walk.size[WALKED] = 0
    for source in range(N_LITERALS):
        if not _has(here.base, source):
            continue
        _begin(here, source)
        advanced = True
        while advanced and spread(here.grid, here.base, here.links, here.store, source, flag(True), flag(True)):
            advanced = _spend(here.store, budget) and _advance(here, inner, walk, found, budget, source, draft, level)
        if not _spend(here.store, budget):
            return False
    return True


@njit()
def _advance(
    here: Depth, inner: Depth, walk: Walk, found: Found, budget: Ints, source: int, draft: Draft, level: int
) -> bool:
    """Add the eliminations of the easiest kind that the level allows; return whether there are any."""
    if add_patterns(here.grid, here.base, here.store, source, draft):
        return True
    if level == 2 or level == 3:
        find_links(here.grid, inner.links)
        find_walks(here.grid, inner.links, walk, found, flag(True))
        budget[LEFT] -= walk.size[WALKED]
        walk.size[WALKED] = 0
        if found.size[records.FULL]:
            budget[SPENT] = 1
        if _add_walks(here, walk, found, source, draft):
            return True
    if level >= 3:
        copy_grid(here.grid, inner.base)
        dynamic = level == 4
        if spread_all(inner, budget, dynamic, flag(False)):
            find_hints(inner.base, inner.store, inner.hints, dynamic, flag(False), flag(True))
            return _add_hints(here, inner.store, inner.hints, source, draft)
    return False


@njit()
def _add_walks(here: Depth, walk: Walk, found: Found, source: int, draft: Draft) -> bool:
    """Add what nested chains and cycles of single links eliminate, the best ones first.

    What had to be false before: what is gone from the cell or unit of each link to a true literal; in a cycle, which
    holds in both directions, of each link.
    """
    added = False
    for number in in_order(found):
        record = found.record[number]
        fingerprint = 0
        for k in range(record[records.BEGIN], record[records.END]):
            literal, cause = wide(found.path[k, records.LITERAL]), wide(found.path[k, records.CAUSE])
            fingerprint = _mix(fingerprint, literal)
            if cause >= 0 and (literal & 1 or record[records.KIND] == CYCLE):
                _add_gone(here, draft, literal >> 1, cause)
        eliminated_by(here.grid, walk, found, number, draft[LOST])
        if commit(here.store, source, draft, wide(BY_CHAIN), here.store.size[NESTS]):
            _add_nest(here.store, record[records.LENGTH], fingerprint)
            added = True
    return added


@njit()
def _add_gone(here: Depth, draft: Draft, candidate: int, link: int) -> None:
    """Note what is gone from the cell or unit of a link."""
    cell, digit = candidate // 9, candidate % 9
    if link == 0:
        add_gone_from_cell(here.grid, here.base, draft, cell, 511)
    else:
        add_gone_from_unit(here.grid, here.base, draft, HOME[cell, KINDS[link - 1]], digit, 511)


@njit()
def _add_hints(here: Depth, store: Store, hints: Hints, source: int, draft: Draft) -> bool:
    """Add what nested forcing chains eliminate, the best ones first.

    What had to be false before: what is gone from the cell or unit of each true literal's link, and of the assumptions.
    """
    added = False
    chain = np.empty(N_LITERALS + 1, dtype=np.int64)
    for slot in hints_in_order(hints):
        hint = hints.record[slot]
        fingerprint = 0
        for k in range(hint[forcing.N_ENDS]):
            n = chain_of(store, hint[forcing.ENDS + k], chain)
            fingerprint = _mix(fingerprint, -n)
            for i in range(n):
                literal = wide(store.node[chain[i], stores.LITERAL])
                cause = wide(store.node[chain[i], stores.CAUSE])
                fingerprint = _mix(fingerprint, literal)
                if literal & 1 and cause >= 0:
                    _add_gone(here, draft, literal >> 1, cause)
        if hint[forcing.KIND] == CELL:
            add_gone_from_cell(here.grid, here.base, draft, hint[forcing.ORIGIN], 511)
        elif hint[forcing.KIND] == UNIT:
            unit, digit = hint[forcing.ORIGIN] // 9, hint[forcing.ORIGIN] % 9
            add_gone_from_unit(here.grid, here.base, draft, unit, digit, 511)
        conclusion = hint[forcing.CONCLUSION]
        draft[LOST, (conclusion >> 1) // 9] = eliminated(here.grid, conclusion)
        if commit(here.store, source, draft, wide(BY_CHAIN), here.store.size[NESTS]):
            _add_nest(here.store, hint[forcing.LENGTH], fingerprint)
            added = True
    return added


@njit()
def _mix(fingerprint: int, value: int) -> int:
    """Return the fingerprint of a sequence with one more item."""
    return (fingerprint ^ (value + 0x1E3779B9 + (fingerprint << 6) + (fingerprint >> 2))) * 0x3F58476D1CE4E5B9


@njit()
def _add_nest(store: Store, length: int, fingerprint: int) -> None:
    n = store.size[NESTS]
    store.nest[n, stores.LENGTH], store.nest[n, stores.FINGERPRINT] = length, fingerprint
    if n + 1 < MAX_NESTS:
        store.size[NESTS] = n + 1
    else:
        store.size[stores.FULL] = 1
