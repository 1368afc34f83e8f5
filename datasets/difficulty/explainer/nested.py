"""Spreads all assumptions of a position: by links, with patterns, and with chains nested within them.

The levels are those of the original: 0 links only, 1 patterns too (``patterns``), 2 also chains and cycles of single
links, 3 also cell and unit forcing chains; at level 4, patterns and dynamic forcing chains of a lower level. At each
level the easiest kind that makes an elimination is added, and the assumption spreads on from there. Importing this
module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from datasets.difficulty.explainer.found import CYCLE, Found, in_order, new_found
from datasets.difficulty.explainer.grid import HOME, KINDS, N_LITERALS, Grid, Ints, copy_grid, new_grid, restore
from datasets.difficulty.explainer.hints import CELL, UNIT, Hints, eliminated, find_hints, hints_in_order, new_hints
from datasets.difficulty.explainer.links import Links, find_links, new_links
from datasets.difficulty.explainer.patterns import (
    Draft,
    add_elimination,
    add_gone_from_cell,
    add_gone_from_unit,
    add_patterns,
    commit,
    new_draft,
)
from datasets.difficulty.explainer.spread import spread
from datasets.difficulty.explainer.store import (
    BY_CHAIN,
    FULL,
    MAX_NESTED,
    NESTS,
    WORK,
    Store,
    assume,
    chain_of,
    clear_store,
    new_store,
)
from datasets.difficulty.explainer.walk import Walk, eliminated_by, find_walks, new_walk

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
        outer, middle, inner: three depths, as the highest level nests two times.
        walk, found: for chains and cycles of single links.
        budget: number of nodes that may still be made; 1 if there were not enough.
    """

    outer: Depth
    middle: Depth
    inner: Depth
    walk: Walk
    found: Found
    budget: Ints


def new_room() -> Room:
    """Allocate the room for rating."""
    depths = (Depth(new_grid(), new_grid(), new_links(), new_store(), new_hints()) for _ in range(3))
    return Room(*depths, new_walk(), new_found(), np.zeros(2, dtype=np.int64))


@njit(cache=True)
def _begin(here: Depth, source: int) -> None:
    restore(here.base, here.grid)
    assume(here.store, source)


@njit(cache=True)
def _hand_down(here: Depth, inner: Depth) -> None:
    """Make the position after assumptions the base of the next depth."""
    copy_grid(here.base, inner.base)
    restore(here.grid, inner.base)


@njit(cache=True)
def _has(here: Depth, candidate: int) -> bool:
    return bool(here.base.cand[candidate // 9] >> (candidate % 9) & 1)


@njit(cache=True)
def _spend(here: Depth, budget: Ints) -> bool:
    """Take what was made since the last call from the budget; return whether any is left."""
    budget[LEFT] -= here.store.size[WORK]
    here.store.size[WORK] = 0
    if budget[LEFT] < 0:
        budget[SPENT] = 1
    return bool(budget[SPENT] == 0)


@njit(cache=True)
def spread_all(here: Depth, budget: Ints, dynamic: bool, nishio: bool) -> bool:
    """Spread all assumptions by links, false ones only if ``dynamic``; return False if the budget is spent."""
    find_links(here.base, here.links)
    clear_store(here.store)
    for source in range(N_LITERALS):
        if _has(here, source >> 1) and (dynamic or source & 1):
            _begin(here, source)
            spread(here.grid, here.base, here.links, here.store, source, dynamic, not nishio)
            if not _spend(here, budget):
                return False
    return True


@njit(cache=True)
def spread_all_low(here: Depth, inner: Depth, room: Room, level: int) -> bool:
    """Spread all assumptions of ``here.base`` dynamically at a level up to 3; False if the budget is spent."""
    draft = new_draft()
    find_links(here.base, here.links)
    clear_store(here.store)
    for source in range(N_LITERALS):
        if not _has(here, source >> 1):
            continue
        _begin(here, source)
        while spread(here.grid, here.base, here.links, here.store, source, True, True):
            if not _spend(here, room.budget) or not _advance_low(here, inner, room, source, draft, level):
                break
        if not _spend(here, room.budget):
            return False
    return True


@njit(cache=True)
def spread_all_high(room: Room, level: int) -> bool:
    """Spread all assumptions dynamically, with dynamic chains of a lower level nested; False if the budget is spent."""
    here = room.outer
    draft = new_draft()
    find_links(here.base, here.links)
    clear_store(here.store)
    for source in range(N_LITERALS):
        if not _has(here, source >> 1):
            continue
        _begin(here, source)
        while spread(here.grid, here.base, here.links, here.store, source, True, True):
            if not _spend(here, room.budget) or not _advance_high(here, room, source, draft, level):
                break
        if not _spend(here, room.budget):
            return False
    return True


@njit(cache=True)
def _advance_low(here: Depth, inner: Depth, room: Room, source: int, draft: Draft, level: int) -> bool:
    """Add the eliminations of the easiest kind that the level allows; return whether there are any."""
    if level == 0:
        return False
    if add_patterns(here.grid, here.base, here.store, source, draft):
        return True
    if level >= 2:
        find_links(here.grid, inner.links)
        find_walks(here.grid, inner.links, room.walk, room.found, True)
        room.budget[LEFT] -= room.walk.size[3]
        room.walk.size[3] = 0
        if _add_walks(here, room, source, draft):
            return True
    if level >= 3:
        _hand_down(here, inner)
        if not spread_all(inner, room.budget, False, False):
            return False
        find_hints(inner.base, inner.store, inner.hints, False, False, True)
        return _add_hints(here, inner, source, draft)
    return False


@njit(cache=True)
def _advance_high(here: Depth, room: Room, source: int, draft: Draft, level: int) -> bool:
    """Add the eliminations of patterns or else of dynamic chains of a level; return whether there are any."""
    if add_patterns(here.grid, here.base, here.store, source, draft):
        return True
    inner = room.middle
    _hand_down(here, inner)
    if not spread_all_low(inner, room.inner, room, level):
        return False
    find_hints(inner.base, inner.store, inner.hints, True, False, True)
    return _add_hints(here, inner, source, draft)


@njit(cache=True)
def _add_walks(here: Depth, room: Room, source: int, draft: Draft) -> bool:
    """Add what nested chains and cycles of single links eliminate, the best ones first."""
    found, added = room.found, False
    masks = np.zeros(81, dtype=np.int64)
    for record in in_order(found):
        _draft_parents_of_walk(here, found, record, draft)
        if draft.size[1] == 0:
            continue
        eliminated_by(here.grid, room.walk, found, record, masks)
        for cell in range(81):
            add_elimination(draft, cell, masks[cell])
        nest = here.store.size[NESTS]
        if commit(here.store, source, draft, BY_CHAIN, nest):
            mark = 0
            for k in range(found.begin[record], found.end[record]):
                mark = _mix(mark, found.path[k])
            literal = found.path[found.begin[record]]
            _add_nest(here.store, found.length[record], mark, -1 - found.kind[record], literal, literal)
            added = True
    return added


@njit(cache=True)
def _draft_parents_of_walk(here: Depth, found: Found, record: int, draft: Draft) -> None:
    """Draft what had to be false for each link to a true literal; in a cycle also for each link back."""
    for k in range(found.begin[record], found.end[record]):
        literal, cause = found.path[k], found.cause[k]
        if cause >= 0 and (literal & 1 or found.kind[record] == CYCLE):
            _draft_parents(here, draft, literal >> 1, cause)


@njit(cache=True)
def _draft_parents(here: Depth, draft: Draft, candidate: int, link: int) -> None:
    """Draft what is gone from the cell or unit of a link."""
    cell, digit = candidate // 9, candidate % 9
    if link == 0:
        add_gone_from_cell(here.grid, here.base, draft, cell, 511)
    else:
        add_gone_from_unit(here.grid, here.base, draft, HOME[cell, KINDS[link - 1]], digit, 511)


@njit(cache=True)
def _add_hints(here: Depth, inner: Depth, source: int, draft: Draft) -> bool:
    """Add what nested forcing chains eliminate, the best ones first."""
    hints, added = inner.hints, False
    chain = np.empty(N_LITERALS + 1, dtype=np.int32)
    for hint in hints_in_order(hints):
        mark = 0
        for k in range(hints.n_nodes[hint]):
            n = chain_of(inner.store, hints.nodes[hint, k], chain)
            mark = _mix(mark, -n)
            for i in range(n):
                node = chain[i]
                mark = _mix(mark, inner.store.literal[node])
                _draft_parents_of_node(here, inner, hint, node, draft)
        conclusion = hints.conclusion[hint]
        add_elimination(draft, (conclusion >> 1) // 9, eliminated(here.grid, conclusion))
        nest = here.store.size[NESTS]
        if commit(here.store, source, draft, BY_CHAIN, nest):
            _add_nest(here.store, hints.length[hint], mark, hints.kind[hint], hints.origin[hint], conclusion)
            added = True
    return added


@njit(cache=True)
def _draft_parents_of_node(here: Depth, inner: Depth, hint: int, node: int, draft: Draft) -> None:
    """Draft what had to be false for a true literal of a nested chain, or for its place among the assumptions."""
    literal, cause = inner.store.literal[node], inner.store.cause[node]
    if not literal & 1:
        return
    if cause >= 0:
        _draft_parents(here, draft, literal >> 1, cause)
    elif inner.hints.kind[hint] == CELL:
        _draft_parents(here, draft, literal >> 1, 0)
    elif inner.hints.kind[hint] == UNIT:
        unit, digit = inner.hints.origin[hint] // 9, inner.hints.origin[hint] % 9
        add_gone_from_unit(here.grid, here.base, draft, unit, digit, 511)


@njit(cache=True)
def _mix(mark: int, value: int) -> int:
    """Return a fingerprint of a sequence with one more item."""
    return (mark ^ (value + 0x1E3779B9 + (mark << 6) + (mark >> 2))) * 0x3F58476D1CE4E5B9


@njit(cache=True)
def _add_nest(store: Store, length: int, mark: int, kind: int, origin: int, conclusion: int) -> None:
    nest = store.size[NESTS]
    if nest == MAX_NESTED:
        store.size[FULL] = 1
        return
    store.nest[nest, 0], store.nest[nest, 1], store.nest[nest, 2] = length, mark, kind
    store.nest[nest, 3], store.nest[nest, 4] = origin, conclusion
    store.size[NESTS] = nest + 1
