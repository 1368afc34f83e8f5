"""Chains and cycles of single links: X, Y and both (6.5 to 7.5 and more), by breadth-first search from each candidate.

A *cycle* returns to its assumption, so it holds in both directions and eliminates what sees both ends of a link. A
*chain* ends at the opposite of its assumption, which is therefore refuted. Importing this module imports numba.
"""

from __future__ import annotations

from sudoku_bench.datasets.bits import ZERO
from sudoku_bench.datasets.difficulty.explainer.conclusions import conclude_chain, conclude_cycle
from sudoku_bench.datasets.difficulty.explainer.found import Found, clear_found, is_better, length_tenths
from sudoku_bench.datasets.difficulty.explainer.grid import CELL, N_CANDIDATES, POP, Grid, flag, link_of, wide
from sudoku_bench.datasets.difficulty.explainer.links import (
    BY,
    CHAIN_BASE,
    CYCLE_BASE,
    LITERAL,
    N_IN_CELL,
    N_WEAK,
    NODES,
    PARENT,
    PLACES,
    RANK,
    STRONG,
    USEFUL,
    XY,
    Links,
    Walk,
    X,
    Y,
    is_seen,
    push,
    start,
)
from sudoku_bench.datasets.kernels import njit

FIRST_STRONG = (1, 0, 0)  # the links to true candidates of each mode
END_STRONG = (4, 1, 4)
SHORTEST = 4  # the least length of a chain or cycle


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
def _may_win(found: Found, keep_all: bool, base: int, length: int, rank: int) -> bool:
    """Return whether a conclusion of this length could still be of use."""
    if keep_all or found.table[0] < 0:
        return True
    return is_better(base + length_tenths(length), length, rank, found.record[found.table[0]])


@njit()
def _find_cycles(grid: Grid, links: Links, walk: Walk, found: Found, mode: int, source: int, keep_all: bool) -> None:
    """Find the cycles through a candidate that is assumed to be true."""
    start(walk, 2 * source + 1)
    begin, end, length = wide(0), wide(1), wide(2)
    while begin < end and _may_win(found, keep_all, CYCLE_BASE[mode], max(length, SHORTEST), RANK[mode]):
        _to_false(links, walk, mode, begin, end, flag(True))
        begin, end = end, walk.size[NODES]
        for node in range(begin, end):
            candidate = walk.node[node, LITERAL] >> 1
            for link in range(FIRST_STRONG[mode], END_STRONG[mode]):
                if links[candidate, STRONG + link] == source and length >= SHORTEST:
                    conclude_cycle(grid, walk, found, mode, node, link, keep_all)
        _to_true(links, walk, mode, begin, end)
        begin, end, length = end, walk.size[NODES], length + 2


@njit()
def _to_true(links: Links, walk: Walk, mode: int, begin: int, end: int) -> None:
    """Add what the false candidates of a layer make true and what was not reached yet."""
    for node in range(begin, end):
        candidate = walk.node[node, LITERAL] >> 1
        for link in range(FIRST_STRONG[mode], END_STRONG[mode]):
            other = wide(links[candidate, STRONG + link])
            if other >= 0 and not is_seen(walk, 2 * other + 1):
                push(walk, 2 * other + 1, node, link)


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
            seen = is_seen(walk, 2 * other)
            if (seen and not in_each_path) or not _leads_on(links, walk, mode, other):
                continue
            if not seen or not _is_behind(walk, node, 2 * other):
                push(walk, 2 * other, node, wide(links[candidate, BY + k]))


@njit()
def _leads_on(links: Links, walk: Walk, mode: int, candidate: int) -> bool:
    """Return whether a false candidate leads to a true one that was not reached yet, or back to the assumption."""
    source = walk.node[0, LITERAL] >> 1
    for link in range(FIRST_STRONG[mode], END_STRONG[mode]):
        other = wide(links[candidate, STRONG + link])
        if other >= 0 and (other == source or not is_seen(walk, 2 * other + 1)):
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
    start(walk, 2 * source + 1)
    begin, end, length = wide(0), wide(1), wide(2)
    while begin < end and _may_win(found, keep_all, CHAIN_BASE[mode], length, RANK[mode]):
        for node in range(begin, end):
            candidate = walk.node[node, LITERAL] >> 1
            if _excludes(candidate, source, mode):
                link = link_of(candidate // 9, source // 9)
                conclude_chain(grid, walk, found, mode, node, 2 * source, link, keep_all)
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
    start(walk, 2 * source)
    begin, end, length = wide(0), wide(1), wide(2)
    while begin < end and _may_win(found, keep_all, CHAIN_BASE[mode], length, RANK[mode]):
        for node in range(begin, end):
            candidate = walk.node[node, LITERAL] >> 1
            for link in range(FIRST_STRONG[mode], END_STRONG[mode]):
                if links[candidate, STRONG + link] == source:
                    conclude_chain(grid, walk, found, mode, node, 2 * source + 1, link, keep_all)
                    return
        _to_true(links, walk, mode, begin, end)
        begin, end = end, walk.size[NODES]
        _to_false(links, walk, mode, begin, end, flag(False))
        begin, end, length = end, walk.size[NODES], length + 2
