"""Chains and cycles of single links: X, Y and both (6.5 to 7.5 and more), by breadth-first search from each candidate.

A link leads from a true candidate to a false one of the same cell, or of the same digit in the same unit, and from a
false candidate to the other one of a cell or unit that has only two. A *cycle* returns to its assumption, so it holds
in both directions and eliminates what sees both ends of a link. A *chain* ends at the opposite of its assumption, which
is therefore refuted. Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.bits import ZERO
from datasets.difficulty.explainer import found as records
from datasets.difficulty.explainer.found import (
    CHAIN,
    CYCLE,
    FULL,
    LAST_ORDER,
    MAX_STEPS,
    STEPS,
    Found,
    clear_found,
    is_better,
    length_tenths,
    place_for,
)
from datasets.difficulty.explainer.grid import (
    AROUND,
    CELL,
    N_CANDIDATES,
    N_LITERALS,
    PEERS,
    POP,
    Grid,
    Ints,
    flag,
    link_of,
    put,
    wide,
)
from datasets.difficulty.explainer.links import BY, MAX_WEAK, N_IN_CELL, N_WEAK, STRONG, Links
from datasets.difficulty.explainer.reach import Reach, find_next, length_if_false, lengths_if_true
from datasets.kernels import njit

X, Y, XY = 0, 1, 2  # links by digits in units only; to false ones by both and to true ones by cells only; by both
CYCLE_BASE = (65, 65, 70)
CHAIN_BASE = (66, 66, 70)
RANK = (2, 3, 4)
FIRST_STRONG = (1, 0, 0)  # the links to true candidates of each mode
END_STRONG = (4, 1, 4)
SHORTEST = 4  # the least length of a chain or cycle
MAX_NODES = N_CANDIDATES * (MAX_WEAK + 1) + 2
LITERAL, PARENT, CAUSE = 0, 1, 2  # columns of ``node``
USEFUL, NEAR_TRUE, NEAR_FALSE = 0, 1, 2  # columns of ``flag``
OWN = 2  # mark of the cells of a cycle
PLACES, SEES_FALSE, SEES_TRUE, OF_CYCLE = 0, 9, 18, 27  # rows of ``cells``
NODES, SEARCH, WORK = 0, 1, 2  # places in ``size``


class Walk(NamedTuple):
    """Room for one breadth-first search.

    Attributes:
        node: literal, parent and link of each node, layer by layer; the parent of the first one is -1.
        seen: the search in which each literal was last reached.
        flag: of each candidate: whether it leads to a true one if it is false, in the current mode; whether it sees a
            true and a false candidate of a cycle.
        cells: sets of cells, two words each: the places of each digit; what sees a false candidate of a cycle with the
            digit; what sees a true one; the cells of the cycle.
        size: number of nodes; number of searches; nodes made since this was set to zero.
    """

    node: NDArray[np.int32]
    seen: Ints
    flag: NDArray[np.int8]
    cells: NDArray[np.uint64]
    size: Ints


def new_walk() -> Walk:
    """Allocate room for a search."""
    return Walk(
        np.zeros((MAX_NODES, 3), dtype=np.int32),
        np.zeros(N_LITERALS, dtype=np.int64),
        np.zeros((N_CANDIDATES, 3), dtype=np.int8),
        np.zeros((OF_CYCLE + 1, 2), dtype=np.uint64),
        np.zeros(3, dtype=np.int64),
    )


@njit()
def find_walks(grid: Grid, links: Links, walk: Walk, found: Found, keep_all: bool) -> None:
    """Find the best chain or cycle, or (``keep_all``) the best one for each conclusion."""
    clear_found(found)
    _find_places(grid, walk)
    for mode in (X, Y, XY):
        _mark_useful(grid, links, walk, mode)
        for source in range(N_CANDIDATES):
            cell, digit = source // 9, source % 9
            n = POP[grid[cell]]
            if n < 2 or (mode == Y and n > 2) or not grid[cell] >> digit & 1:
                continue
            if walk.flag[source, USEFUL]:  # strong links hold both ways, so a cycle also leaves its source by one
                _find_cycles(grid, links, walk, found, mode, source, keep_all)
            if mode != Y:
                _chain_to_false(grid, links, walk, found, mode, source, keep_all)
                _chain_to_true(grid, links, walk, found, mode, source, keep_all)


@njit()
def find_best_walk(grid: Grid, links: Links, walk: Walk, found: Found, reach: Reach) -> None:
    """Find the best chain or cycle as ``find_walks`` does, without the searches that cannot find a better one."""
    clear_found(found)
    _find_places(grid, walk)
    for mode in (X, Y, XY):
        if not _may_win(found, False, CYCLE_BASE[mode], SHORTEST, RANK[mode]):
            continue
        _mark_useful(grid, links, walk, mode)
        for candidate in range(N_CANDIDATES):
            reach.place[candidate] = 0 if walk.flag[candidate, USEFUL] else -1
        find_next(grid, links, reach, mode != X, FIRST_STRONG[mode], END_STRONG[mode])
        for source in range(N_CANDIDATES):
            n = POP[grid[source // 9]]
            if n < 2 or (mode == Y and n > 2) or not grid[source // 9] >> (source % 9) & 1:
                continue
            cycle, chain = lengths_if_true(links, reach, source, mode != X)
            if cycle and _may_win(found, False, CYCLE_BASE[mode], cycle, RANK[mode]):
                _find_cycles(grid, links, walk, found, mode, source, False)
            if mode == Y:
                continue
            if chain and _may_win(found, False, CHAIN_BASE[mode], chain, RANK[mode]):
                _chain_to_false(grid, links, walk, found, mode, source, False)
            chain = length_if_false(links, reach, source, FIRST_STRONG[mode], END_STRONG[mode])
            if chain and _may_win(found, False, CHAIN_BASE[mode], chain, RANK[mode]):
                _chain_to_true(grid, links, walk, found, mode, source, False)


@njit()
def _find_places(grid: Grid, walk: Walk) -> None:
    for digit in range(9):
        walk.cells[PLACES + digit, 0] = walk.cells[PLACES + digit, 1] = ZERO
        for cell in range(81):
            if grid[cell] >> digit & 1:
                walk.cells[PLACES + digit, 0] |= CELL[cell, 0]
                walk.cells[PLACES + digit, 1] |= CELL[cell, 1]


@njit()
def _mark_useful(grid: Grid, links: Links, walk: Walk, mode: int) -> None:
    for candidate in range(N_CANDIDATES):
        useful = False
        if grid[candidate // 9] >> (candidate % 9) & 1:
            for link in range(FIRST_STRONG[mode], END_STRONG[mode]):
                useful |= links[candidate, STRONG + link] >= 0
        walk.flag[candidate, USEFUL] = useful


@njit()
def _start(walk: Walk, literal: int) -> None:
    walk.size[NODES] = 0
    walk.size[SEARCH] += 1
    _push(walk, literal, -1, -1)


@njit()
def _push(walk: Walk, literal: int, parent: int, cause: int) -> None:
    n = walk.size[NODES]
    walk.node[n, LITERAL], walk.node[n, PARENT], walk.node[n, CAUSE] = literal, parent, cause
    walk.seen[literal] = walk.size[SEARCH]
    walk.size[NODES] = n + 1
    walk.size[WORK] += 1


@njit()
def _is_seen(walk: Walk, literal: int) -> bool:
    return bool(walk.seen[literal] == walk.size[SEARCH])


@njit()
def _may_win(found: Found, keep_all: bool, base: int, length: int, rank: int) -> bool:
    """Return whether a conclusion of this length could still be of use."""
    if keep_all or found.table[0] < 0:
        return True
    return is_better(base + length_tenths(length), length, rank, found.record[found.table[0]])


@njit()
def _find_cycles(grid: Grid, links: Links, walk: Walk, found: Found, mode: int, source: int, keep_all: bool) -> None:
    """Find the cycles through a candidate that is assumed to be true."""
    _start(walk, 2 * source + 1)
    begin, end, length = wide(0), wide(1), wide(2)
    while begin < end and _may_win(found, keep_all, CYCLE_BASE[mode], max(length, SHORTEST), RANK[mode]):
        _to_false(links, walk, mode, begin, end, flag(True))
        begin, end = end, walk.size[NODES]
        for node in range(begin, end):
            candidate = walk.node[node, LITERAL] >> 1
            for link in range(FIRST_STRONG[mode], END_STRONG[mode]):
                if links[candidate, STRONG + link] == source and length >= SHORTEST:
                    _conclude_cycle(grid, walk, found, mode, node, link, keep_all)
        _to_true(links, walk, mode, begin, end)
        begin, end, length = end, walk.size[NODES], length + 2


@njit()
def _to_true(links: Links, walk: Walk, mode: int, begin: int, end: int) -> None:
    """Add what the false candidates of a layer make true and what was not reached yet."""
    for node in range(begin, end):
        candidate = walk.node[node, LITERAL] >> 1
        for link in range(FIRST_STRONG[mode], END_STRONG[mode]):
            other = wide(links[candidate, STRONG + link])
            if other >= 0 and not _is_seen(walk, 2 * other + 1):
                _push(walk, 2 * other + 1, node, link)


@njit()
def _to_false(links: Links, walk: Walk, mode: int, begin: int, end: int, in_each_path: bool) -> None:
    """Add what the true candidates of a layer make false, if it leads on.

    Each literal is reached once, or (for cycles) once in each path.
    """
    for node in range(begin, end):
        candidate = walk.node[node, LITERAL] >> 1
        for k in range(links[candidate, N_IN_CELL] if mode == X else 0, links[candidate, N_WEAK]):
            other = wide(links[candidate, k])
            if not walk.flag[other, USEFUL]:
                continue
            is_seen = _is_seen(walk, 2 * other)
            if (is_seen and not in_each_path) or not _leads_on(links, walk, mode, other):
                continue
            if not is_seen or not _is_behind(walk, node, 2 * other):
                _push(walk, 2 * other, node, wide(links[candidate, BY + k]))


@njit()
def _leads_on(links: Links, walk: Walk, mode: int, candidate: int) -> bool:
    """Return whether a false candidate leads to a true one that was not reached yet, or back to the assumption."""
    source = walk.node[0, LITERAL] >> 1
    for link in range(FIRST_STRONG[mode], END_STRONG[mode]):
        other = wide(links[candidate, STRONG + link])
        if other >= 0 and (other == source or not _is_seen(walk, 2 * other + 1)):
            return True
    return False


@njit()
def _is_behind(walk: Walk, node: int, literal: int) -> bool:
    """Return whether the path to a node contains a literal."""
    while node >= 0 and walk.node[node, LITERAL] != literal:
        node = walk.node[node, PARENT]
    return node >= 0


@njit()
def _chain_to_false(grid: Grid, links: Links, walk: Walk, found: Found, mode: int, source: int, keep_all: bool) -> None:
    """Find the shortest chain by which a candidate, if true, is false."""
    _start(walk, 2 * source + 1)
    begin, end, length = wide(0), wide(1), wide(2)
    while begin < end and _may_win(found, keep_all, CHAIN_BASE[mode], length, RANK[mode]):
        for node in range(begin, end):
            candidate = walk.node[node, LITERAL] >> 1
            if _excludes(candidate, source, mode):
                link = link_of(candidate // 9, source // 9)
                _conclude_chain(grid, walk, found, mode, node, 2 * source, link, keep_all)
                return
        _to_false(links, walk, mode, begin, end, flag(False))
        begin, end = end, walk.size[NODES]
        _to_true(links, walk, mode, begin, end)
        begin, end, length = end, walk.size[NODES], length + 2


@njit()
def _excludes(candidate: int, other: int, mode: int) -> bool:
    """Return whether two different candidates cannot both be true."""
    if candidate == other:
        return False
    if candidate // 9 == other // 9:
        return bool(mode != X)
    return bool(candidate % 9 == other % 9 and link_of(candidate // 9, other // 9) > 0)


@njit()
def _chain_to_true(grid: Grid, links: Links, walk: Walk, found: Found, mode: int, source: int, keep_all: bool) -> None:
    """Find the shortest chain by which a candidate, if false, is true."""
    _start(walk, 2 * source)
    begin, end, length = wide(0), wide(1), wide(2)
    while begin < end and _may_win(found, keep_all, CHAIN_BASE[mode], length, RANK[mode]):
        for node in range(begin, end):
            candidate = walk.node[node, LITERAL] >> 1
            for link in range(FIRST_STRONG[mode], END_STRONG[mode]):
                if links[candidate, STRONG + link] == source:
                    _conclude_chain(grid, walk, found, mode, node, 2 * source + 1, link, keep_all)
                    return
        _to_true(links, walk, mode, begin, end)
        begin, end = end, walk.size[NODES]
        _to_false(links, walk, mode, begin, end, flag(False))
        begin, end, length = end, walk.size[NODES], length + 2


@njit()
def _conclude_chain(
    grid: Grid, walk: Walk, found: Found, mode: int, node: int, literal: int, cause: int, keep_all: bool
) -> None:
    cell, mask = (literal >> 1) // 9, 1 << ((literal >> 1) % 9)
    mark = mark_of(cell, grid[cell] & ~mask if literal & 1 else mask)
    _record(walk, found, CHAIN_BASE[mode], RANK[mode], wide(CHAIN), mark, node, literal, cause, keep_all)


@njit()
def mark_of(cell: int, mask: int) -> int:
    """Return a number for what is eliminated in one cell; those of several cells are added up."""
    x = (cell * 512 + mask + 1) * 0x1E3779B97F4A7C15
    return (x ^ (x >> 29)) * 0x3F58476D1CE4E5B9


@njit()
def _conclude_cycle(grid: Grid, walk: Walk, found: Found, mode: int, node: int, link: int, keep_all: bool) -> None:
    """Record a cycle if it eliminates something."""
    if not _eliminates(walk, node):
        return
    _mark_near(walk, node, flag(True))
    mark = wide(0)
    for cell in range(81):
        mask = _eliminated_by_cycle(grid, walk, cell)
        if mask:
            mark += mark_of(cell, mask)
    _mark_near(walk, node, flag(False))
    if mark:
        source = wide(walk.node[0, LITERAL])
        _record(walk, found, CYCLE_BASE[mode], RANK[mode], wide(CYCLE), mark, node, source, link, keep_all)


@njit()
def _eliminates(walk: Walk, last: int) -> bool:
    """Return whether a candidate outside the cells of a cycle sees a true and a false one of the cycle."""
    cells, eliminates = walk.cells, False
    for word in range(2):
        for row in range(SEES_FALSE, OF_CYCLE + 1):
            cells[row, word] = ZERO
        node = last
        while node >= 0:
            candidate = walk.node[node, LITERAL] >> 1
            row = candidate % 9 + (SEES_TRUE if walk.node[node, LITERAL] & 1 else SEES_FALSE)
            cells[row, word] |= AROUND[candidate // 9, word]
            cells[OF_CYCLE, word] |= CELL[candidate // 9, word]
            node = walk.node[node, PARENT]
        for digit in range(9):
            both = cells[SEES_FALSE + digit, word] & cells[SEES_TRUE + digit, word]
            eliminates |= both & cells[PLACES + digit, word] & ~cells[OF_CYCLE, word] != ZERO
    return eliminates


@njit()
def _mark_near(walk: Walk, last: int, value: bool) -> None:
    """Mark the candidates that see those of a cycle, and its own cells; or remove the marks."""
    node = last
    while node >= 0:
        literal = walk.node[node, LITERAL]
        for peer in PEERS[(literal >> 1) // 9]:
            walk.flag[peer * 9 + (literal >> 1) % 9, NEAR_TRUE if literal & 1 else NEAR_FALSE] = value
        node = walk.node[node, PARENT]
    node = last
    while node >= 0:
        cell = (walk.node[node, LITERAL] >> 1) // 9
        for candidate in range(9 * cell, 9 * cell + 9):
            walk.flag[candidate, NEAR_TRUE] = walk.flag[candidate, NEAR_FALSE] = OWN if value else 0
        node = walk.node[node, PARENT]


@njit()
def _eliminated_by_cycle(grid: Grid, walk: Walk, cell: int) -> int:
    mask = 0
    for digit in range(9):
        near = walk.flag[cell * 9 + digit]
        if near[NEAR_TRUE] == 1 and near[NEAR_FALSE] == 1 and grid[cell] >> digit & 1:
            mask |= 1 << digit
    return mask


@njit()
def _record(
    walk: Walk,
    found: Found,
    base: int,
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
        length, at = length + 1, wide(walk.node[at, PARENT])
    rating = base + length_tenths(length)
    number = place_for(found, keep_all, rating, length, rank, mark)
    if number < 0:
        return
    n = found.size[STEPS] if keep_all else 0
    record = found.record[number]
    record[records.RATING], record[records.LENGTH], record[records.RANK] = rating, length, rank
    record[records.KIND], record[records.MARK], record[records.ORDER] = kind, mark, found.size[LAST_ORDER]
    record[records.BEGIN] = record[records.END] = n
    found.size[LAST_ORDER] += 1
    if n + length + 1 >= MAX_STEPS:
        found.size[FULL] = 1
        return
    found.path[n, records.LITERAL], found.path[n, records.CAUSE] = literal, cause
    while node >= 0:
        n += 1
        found.path[n, records.LITERAL], found.path[n, records.CAUSE] = walk.node[node, LITERAL], walk.node[node, CAUSE]
        node = walk.node[node, PARENT]
    record[records.END] = found.size[STEPS] = n + 1


@njit()
def eliminated_by(grid: Grid, walk: Walk, found: Found, number: int, masks: Ints) -> None:
    """Write what a record eliminates in each cell (81 masks)."""
    put(masks, 0)
    begin, end = found.record[number, records.BEGIN], found.record[number, records.END]
    if found.record[number, records.KIND] == CHAIN:
        literal = found.path[begin, records.LITERAL]
        cell, mask = (literal >> 1) // 9, 1 << ((literal >> 1) % 9)
        masks[cell] = grid[cell] & ~mask if literal & 1 else mask
        return
    _start(walk, wide(found.path[begin + 1, records.LITERAL]))  # the cycle as a path, to mark what sees it
    for k in range(begin + 2, end):
        _push(walk, wide(found.path[k, records.LITERAL]), walk.size[NODES] - 1, 0)
    _mark_near(walk, walk.size[NODES] - 1, flag(True))
    for cell in range(81):
        masks[cell] = _eliminated_by_cycle(grid, walk, cell)
    _mark_near(walk, walk.size[NODES] - 1, flag(False))
