"""Spreads an assumption: everything that follows from it by links, first in, first out.

What a false literal makes true is followed up before any further false literal. Importing this module imports numba.
"""

from __future__ import annotations

from sudoku_bench.datasets.difficulty.explainer.grid import HOME, KINDS, UNITS, Grid, partner, remove, spots, wide
from sudoku_bench.datasets.difficulty.explainer.links import BY, N_IN_CELL, N_WEAK, Links
from sudoku_bench.datasets.difficulty.explainer.store import (
    FALSE,
    FALSE_END,
    LITERAL,
    TRUE,
    TRUE_END,
    Store,
    add_loose,
    add_node,
    add_parent,
    next_node,
)
from sudoku_bench.datasets.kernels import njit


@njit()
def spread(grid: Grid, base: Grid, links: Links, store: Store, source: int, dynamic: bool, cells: bool) -> bool:
    """Follow up a source's nodes until none is left; return False on a contradiction, which ends the search.

    Args:
        grid: the position. ``dynamic``: candidates that are false are removed from it, so that later links may depend
            on several literals.
        base: the position before.
        links: links of ``base``.
        cells: whether links in cells count; without them all literals have one digit (Nishio).
    """
    consistent, node = True, 0
    while consistent and node >= 0:
        node = next_node(store, source, TRUE)
        if node >= 0:
            consistent = _from_true(links, store, source, node, cells)
            continue
        node = next_node(store, source, FALSE)
        if node >= 0:
            candidate = store.node[node, LITERAL] >> 1
            consistent = _from_false(grid, base, store, source, node, cells)
            if dynamic:
                remove(grid, candidate // 9, candidate % 9)
    return consistent


@njit()
def _from_true(links: Links, store: Store, source: int, node: int, cells: bool) -> bool:
    """Add what a true literal makes false; return False if one of these is true."""
    candidate = store.node[node, LITERAL] >> 1
    for k in range(0 if cells else links[candidate, N_IN_CELL], links[candidate, N_WEAK]):
        literal, link = 2 * links[candidate, k], wide(links[candidate, BY + k])
        if store.source[source, literal + 1] >= 0:
            new = add_loose(store, literal, link, -1)
            add_parent(store, new, node)
            store.source[source, TRUE_END] = store.source[source, literal + 1]
            store.source[source, FALSE_END] = new
            return False
        if store.source[source, literal] < 0:
            new = add_node(store, source, literal, link, -1)
            add_parent(store, new, node)
    return True


@njit()
def _from_false(grid: Grid, base: Grid, store: Store, source: int, node: int, cells: bool) -> bool:
    """Add what a false literal makes true; return False if one of these is false."""
    candidate = store.node[node, LITERAL] >> 1
    for link in range(0 if cells else 1, 4):
        other = partner(grid, candidate // 9, candidate % 9, link)
        if other < 0:
            continue
        if store.source[source, 2 * other] >= 0:
            new = add_loose(store, 2 * other + 1, link, -1)
            add_parent(store, new, node)
            _add_removed(grid, base, store, source, new, candidate, link)
            store.source[source, TRUE_END] = new
            store.source[source, FALSE_END] = store.source[source, 2 * other]
            return False
        if store.source[source, 2 * other + 1] < 0:
            new = add_node(store, source, 2 * other + 1, link, -1)
            add_parent(store, new, node)
            _add_removed(grid, base, store, source, new, candidate, link)
    return True


@njit()
def _add_removed(grid: Grid, base: Grid, store: Store, source: int, node: int, candidate: int, link: int) -> None:
    """Add what had to be removed from the cell or unit before as parents of a node that follows by a link."""
    cell, digit = candidate // 9, candidate % 9
    unit = HOME[cell, KINDS[link - 1]] if link else 0
    gone = spots(base, unit, digit) & ~spots(grid, unit, digit) if link else base[cell] & ~grid[cell]
    for k in range(9):
        if gone >> k & 1:
            removed = UNITS[unit, k] * 9 + digit if link else cell * 9 + k
            add_parent(store, node, wide(store.source[source, 2 * removed]))
