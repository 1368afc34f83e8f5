"""Chains and cycles of single links: X, Y and both (6.5 to 7.5 and more), by breadth-first search from each candidate.

A link leads from a true candidate to a false one of the same cell, or of the same digit in the same unit, and from a
false candidate to the other one of a cell or unit that has only two. A *cycle* returns to its assumption, so it holds
in both directions and eliminates what sees both ends of a link. A *chain* ends at the opposite of its assumption, which
is therefore refuted. Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.difficulty.explainer.found import (
    CHAIN,
    CYCLE,
    FULL,
    MAX_STEPS,
    STEPS,
    Found,
    clear_found,
    is_better,
    place_for,
    rating_of,
)
from datasets.difficulty.explainer.grid import N_CANDIDATES, PEERS, POP, Grid, Ints, link_of, put
from datasets.difficulty.explainer.links import MAX_WEAK, Links

X, Y, XY = 0, 1, 2  # links by digits in units only; to false ones by both and to true ones by cells only; by both
CYCLE_BASE = (6.5, 6.5, 7.0)
CHAIN_BASE = (6.6, 6.6, 7.0)
RANK = (2, 3, 4)
FIRST_STRONG = (1, 0, 0)  # the links to true candidates of each mode
LAST_STRONG = (4, 1, 4)
MAX_NODES = N_CANDIDATES * (MAX_WEAK + 1) + 2


class Walk(NamedTuple):
    """Room for one breadth-first search.

    Attributes:
        literal, parent, cause: the nodes, layer by layer; the parent of the first one is -1.
        seen: the search in which each literal was last reached.
        useful: whether a false candidate leads to a true one in the current mode.
        near: for each candidate, marks of the true (0) and false (1) nodes of a cycle that see it.
        size: number of nodes; number of searches; order of the last record; all nodes so far.
    """

    literal: NDArray[np.int16]
    parent: NDArray[np.int32]
    cause: NDArray[np.int8]
    seen: Ints
    useful: NDArray[np.bool_]
    near: NDArray[np.int8]
    size: Ints


def new_walk() -> Walk:
    """Allocate room for a search."""
    return Walk(
        np.zeros(MAX_NODES, dtype=np.int16),
        np.zeros(MAX_NODES, dtype=np.int32),
        np.zeros(MAX_NODES, dtype=np.int8),
        np.zeros(2 * N_CANDIDATES, dtype=np.int64),
        np.zeros(N_CANDIDATES, dtype=np.bool_),
        np.zeros((N_CANDIDATES, 2), dtype=np.int8),
        np.zeros(4, dtype=np.int64),
    )


@njit(cache=True)
def find_walks(grid: Grid, links: Links, walk: Walk, found: Found, keep_all: bool) -> None:
    """Find the best chain or cycle, or (``keep_all``) the best one for each conclusion."""
    clear_found(found)
    walk.size[2] = 0
    for mode in (X, Y, XY):
        _mark_useful(grid, links, walk, mode)
        for cell in range(81):
            n = POP[grid.cand[cell]]
            if n < 2 or (mode == Y and n > 2):
                continue
            for digit in range(9):
                if grid.cand[cell] >> digit & 1:
                    _search_from(grid, links, walk, found, mode, cell * 9 + digit, keep_all)


@njit(cache=True)
def _mark_useful(grid: Grid, links: Links, walk: Walk, mode: int) -> None:
    for candidate in range(N_CANDIDATES):
        walk.useful[candidate] = False
        if grid.cand[candidate // 9] >> (candidate % 9) & 1:
            for link in range(FIRST_STRONG[mode], LAST_STRONG[mode]):
                if links.strong[candidate, link] >= 0:
                    walk.useful[candidate] = True


@njit(cache=True)
def _search_from(grid: Grid, links: Links, walk: Walk, found: Found, mode: int, source: int, keep_all: bool) -> None:
    if walk.useful[source]:  # as strong links hold in both directions, a cycle also leaves each candidate by one
        _find_cycles(grid, links, walk, found, mode, source, keep_all)
    if mode != Y:
        _chain_to_false(grid, links, walk, found, mode, source, keep_all)
        _chain_to_true(grid, links, walk, found, mode, source, keep_all)


@njit(cache=True)
def _start(walk: Walk, literal: int) -> None:
    walk.size[0] = 0
    walk.size[1] += 1
    _push(walk, literal, -1, -1)


@njit(cache=True)
def _push(walk: Walk, literal: int, parent: int, cause: int) -> None:
    n = walk.size[0]
    walk.literal[n], walk.parent[n], walk.cause[n] = literal, parent, cause
    walk.seen[literal] = walk.size[1]
    walk.size[0] += 1
    walk.size[3] += 1


@njit(cache=True)
def _may_win(found: Found, keep_all: bool, base: float, length: int, rank: int) -> bool:
    """Return whether a conclusion of this length could still be of use."""
    return bool(keep_all or found.table[0] < 0 or is_better(rating_of(base, length), length, rank, found, 0))


@njit(cache=True)
def _find_cycles(grid: Grid, links: Links, walk: Walk, found: Found, mode: int, source: int, keep_all: bool) -> None:
    """Find the cycles through a candidate that is assumed to be true."""
    _start(walk, 2 * source + 1)
    begin, end, length = 0, 1, 2
    while begin < end and _may_win(found, keep_all, CYCLE_BASE[mode], max(length, 4), RANK[mode]):
        _to_false(links, walk, mode, begin, end, False)
        begin, end = end, walk.size[0]
        for node in range(begin, end):
            candidate = walk.literal[node] >> 1
            for link in range(FIRST_STRONG[mode], LAST_STRONG[mode]):
                other = links.strong[candidate, link]
                if other == source and length >= 4:
                    _conclude_cycle(grid, walk, found, mode, node, link, keep_all)
                if other >= 0 and walk.seen[2 * other + 1] != walk.size[1]:
                    _push(walk, 2 * other + 1, node, link)
        begin, end, length = end, walk.size[0], length + 2


@njit(cache=True)
def _to_false(links: Links, walk: Walk, mode: int, begin: int, end: int, once: bool) -> None:
    """Add what the true candidates of a layer make false, if it leads on.

    Each literal is reached once, or (for cycles) once in each path.
    """
    for node in range(begin, end):
        candidate = walk.literal[node] >> 1
        first = links.n_weak[candidate, 1] if mode == X else 0
        for k in range(first, links.n_weak[candidate, 0]):
            other = links.weak[candidate, k]
            if not walk.useful[other]:
                continue
            reached = walk.seen[2 * other] == walk.size[1]
            if (reached and once) or not _leads_on(links, walk, mode, other):
                continue
            if reached and _is_behind(walk, node, 2 * other):
                continue
            _push(walk, 2 * other, node, links.weak_link[candidate, k])


@njit(cache=True)
def _leads_on(links: Links, walk: Walk, mode: int, candidate: int) -> bool:
    """Return whether a false candidate leads to a true one that was not reached yet, or back to the assumption."""
    source = walk.literal[0] >> 1
    for link in range(FIRST_STRONG[mode], LAST_STRONG[mode]):
        other = links.strong[candidate, link]
        if other >= 0 and (other == source or walk.seen[2 * other + 1] != walk.size[1]):
            return True
    return False


@njit(cache=True)
def _is_behind(walk: Walk, node: int, literal: int) -> bool:
    """Return whether the path to a node contains a literal."""
    while node >= 0:
        if walk.literal[node] == literal:
            return True
        node = walk.parent[node]
    return False


@njit(cache=True)
def _chain_to_false(grid: Grid, links: Links, walk: Walk, found: Found, mode: int, source: int, keep_all: bool) -> None:
    """Find the shortest chain by which a candidate, if true, is false."""
    _start(walk, 2 * source + 1)
    begin, end, length = 0, 1, 2
    while begin < end and _may_win(found, keep_all, CHAIN_BASE[mode], length, RANK[mode]):
        for node in range(begin, end):
            if _excludes(walk.literal[node] >> 1, source, mode):
                cause = link_of((walk.literal[node] >> 1) // 9, source // 9)
                _conclude_chain(grid, walk, found, mode, node, 2 * source, cause, keep_all)
                return
        _to_false(links, walk, mode, begin, end, True)
        begin, end = end, walk.size[0]
        for node in range(begin, end):
            candidate = walk.literal[node] >> 1
            for link in range(FIRST_STRONG[mode], LAST_STRONG[mode]):
                other = links.strong[candidate, link]
                if other >= 0 and walk.seen[2 * other + 1] != walk.size[1]:
                    _push(walk, 2 * other + 1, node, link)
        begin, end, length = end, walk.size[0], length + 2


@njit(cache=True)
def _excludes(candidate: int, other: int, mode: int) -> bool:
    """Return whether two different candidates cannot both be true."""
    if candidate == other:
        return False
    if candidate // 9 == other // 9:
        return bool(mode != X)
    return bool(candidate % 9 == other % 9 and link_of(candidate // 9, other // 9) > 0)


@njit(cache=True)
def _chain_to_true(grid: Grid, links: Links, walk: Walk, found: Found, mode: int, source: int, keep_all: bool) -> None:
    """Find the shortest chain by which a candidate, if false, is true."""
    _start(walk, 2 * source)
    begin, end, length = 0, 1, 2
    while begin < end and _may_win(found, keep_all, CHAIN_BASE[mode], length, RANK[mode]):
        for node in range(begin, end):
            candidate = walk.literal[node] >> 1
            for link in range(FIRST_STRONG[mode], LAST_STRONG[mode]):
                other = links.strong[candidate, link]
                if other == source:
                    _conclude_chain(grid, walk, found, mode, node, 2 * source + 1, link, keep_all)
                    return
                if other >= 0 and walk.seen[2 * other + 1] != walk.size[1]:
                    _push(walk, 2 * other + 1, node, link)
        begin, end = end, walk.size[0]
        _to_false(links, walk, mode, begin, end, True)
        begin, end, length = end, walk.size[0], length + 2


@njit(cache=True)
def _conclude_chain(
    grid: Grid,
    walk: Walk,
    found: Found,
    mode: int,
    node: int,
    literal: int,
    cause: int,
    keep_all: bool,
) -> None:
    candidate = literal >> 1
    mask = 1 << (candidate % 9)
    if literal & 1:
        mask = grid.cand[candidate // 9] & ~mask
    mark = mark_of(candidate // 9, mask)
    _record(walk, found, CHAIN_BASE[mode], RANK[mode], CHAIN, mark, node, literal, cause, keep_all)


@njit(cache=True)
def mark_of(cell: int, mask: int) -> int:
    """Return a number for what is eliminated in one cell; those of several cells are added up."""
    x = (cell * 512 + mask + 1) * 0x1E3779B97F4A7C15
    return (x ^ (x >> 29)) * 0x3F58476D1CE4E5B9


@njit(cache=True)
def _conclude_cycle(grid: Grid, walk: Walk, found: Found, mode: int, node: int, link: int, keep_all: bool) -> None:
    """Record a cycle if it eliminates something."""
    _mark_near(walk, node, 1)
    mark = 0
    for cell in range(81):
        mask = _eliminated_by_cycle(grid, walk, cell)
        if mask:
            mark += mark_of(cell, mask)
    _mark_near(walk, node, 0)
    if mark:
        source = walk.literal[0]
        _record(walk, found, CYCLE_BASE[mode], RANK[mode], CYCLE, mark, node, source, link, keep_all)


@njit(cache=True)
def _mark_near(walk: Walk, node: int, value: int) -> None:
    """Mark (1) what sees the nodes of a cycle, and its own cells (2 in both places); or remove the marks (0)."""
    last = node
    while node >= 0:
        literal = walk.literal[node]
        cell, digit = (literal >> 1) // 9, (literal >> 1) % 9
        for peer in PEERS[cell]:
            walk.near[peer * 9 + digit, 1 - (literal & 1)] = value
        node = walk.parent[node]
    node = last
    while node >= 0:
        cell = (walk.literal[node] >> 1) // 9
        for digit in range(9):
            walk.near[cell * 9 + digit, 0] = walk.near[cell * 9 + digit, 1] = 2 * value
        node = walk.parent[node]


@njit(cache=True)
def _eliminated_by_cycle(grid: Grid, walk: Walk, cell: int) -> int:
    mask = 0
    for digit in range(9):
        near = walk.near[cell * 9 + digit]
        if near[0] == 1 and near[1] == 1 and grid.cand[cell] >> digit & 1:
            mask |= 1 << digit
    return mask


@njit(cache=True)
def _record(
    walk: Walk,
    found: Found,
    base: float,
    rank: int,
    kind: int,
    mark: int,
    node: int,
    literal: int,
    cause: int,
    keep_all: bool,
) -> None:
    """Keep a chain or cycle if it is the best for its conclusion, or of all."""
    length, at = 1 if kind == CHAIN else 0, node
    while at >= 0:
        length, at = length + 1, walk.parent[at]
    rating = rating_of(base, length)
    record = place_for(found, keep_all, rating, length, rank, mark)
    if record < 0:
        return
    if not keep_all:
        found.size[STEPS] = 0
    if found.size[STEPS] + length + 1 >= MAX_STEPS:
        found.size[FULL] = 1
        return
    walk.size[2] += 1
    found.rating[record], found.length[record], found.rank[record] = rating, length, rank
    found.kind[record], found.mark[record], found.order[record] = kind, mark, walk.size[2]
    found.begin[record] = n = found.size[STEPS]
    found.path[n], found.cause[n] = literal, cause
    while node >= 0:
        n += 1
        found.path[n], found.cause[n] = walk.literal[node], walk.cause[node]
        node = walk.parent[node]
    found.end[record] = found.size[STEPS] = n + 1


@njit(cache=True)
def eliminated_by(grid: Grid, walk: Walk, found: Found, record: int, masks: Ints) -> None:
    """Write what a record eliminates in each cell (81 masks)."""
    put(masks, 0)
    begin, end = found.begin[record], found.end[record]
    literal = found.path[begin]
    if found.kind[record] == CHAIN:
        cell, digit = (literal >> 1) // 9, (literal >> 1) % 9
        masks[cell] = grid.cand[cell] & ~(1 << digit) if literal & 1 else 1 << digit
        return
    _start(walk, literal)  # the cycle as a path, to mark what sees it
    for k in range(begin + 1, end - 1):
        _push(walk, found.path[k], walk.size[0] - 1, 0)
    _mark_near(walk, walk.size[0] - 1, 1)
    for cell in range(81):
        masks[cell] = _eliminated_by_cycle(grid, walk, cell)
    _mark_near(walk, walk.size[0] - 1, 0)
