"""Spreads an assumption: everything that follows from it by links, first in, first out.

What a true literal makes false is followed up only after all true literals. Importing this module imports numba.
"""

from __future__ import annotations

from numba import njit

from datasets.difficulty.explainer.grid import HOME, KINDS, UNITS, Grid, partner, remove
from datasets.difficulty.explainer.links import Links
from datasets.difficulty.explainer.store import Store, add_loose, add_node, add_parent, next_false, next_true


@njit(cache=True)
def spread(grid: Grid, base: Grid, links: Links, store: Store, source: int, dynamic: bool, cells: bool) -> bool:
    """Follow up a source's nodes until none is left; return False on a contradiction, which ends the search.

    Args:
        grid: the position. ``dynamic``: candidates that are false are removed from it, so that later links may depend
            on several literals.
        base: the position before.
        links: links of ``base``.
        cells: whether links in cells count; without them all literals have one digit (Nishio).
    """
    while True:
        node = next_true(store, source)
        if node >= 0:
            if not _from_true(links, store, source, node, cells):
                return False
            continue
        node = next_false(store, source)
        if node < 0:
            return True
        consistent = _from_false(grid, base, store, source, node, cells)
        if dynamic:
            candidate = store.literal[node] >> 1
            remove(grid, candidate // 9, candidate % 9)
        if not consistent:
            return False


@njit(cache=True)
def _from_true(links: Links, store: Store, source: int, node: int, cells: bool) -> bool:
    candidate = store.literal[node] >> 1
    for k in range(0 if cells else links.n_weak[candidate, 1], links.n_weak[candidate, 0]):
        other = links.weak[candidate, k]
        opposite = store.where[source, 2 * other + 1]
        if opposite >= 0:
            loose = add_loose(store, 2 * other, links.weak_link[candidate, k], -1)
            add_parent(store, loose, node)
            store.absurd[source, 0], store.absurd[source, 1] = opposite, loose
            return False
        if store.where[source, 2 * other] < 0:
            add_parent(store, add_node(store, source, 2 * other, links.weak_link[candidate, k], -1), node)
    return True


@njit(cache=True)
def _from_false(grid: Grid, base: Grid, store: Store, source: int, node: int, cells: bool) -> bool:
    candidate = store.literal[node] >> 1
    cell, digit = candidate // 9, candidate % 9
    for link in range(0 if cells else 1, 4):
        other = partner(grid, cell, digit, link)
        if other < 0:
            continue
        opposite = store.where[source, 2 * other]
        if opposite < 0 and store.where[source, 2 * other + 1] >= 0:
            continue
        if opposite >= 0:
            new = add_loose(store, 2 * other + 1, link, -1)
            store.absurd[source, 0], store.absurd[source, 1] = new, opposite
        else:
            new = add_node(store, source, 2 * other + 1, link, -1)
        add_parent(store, new, node)
        _add_hidden_parents(grid, base, store, source, new, cell, digit, link)
        if opposite >= 0:
            return False
    return True


@njit(cache=True)
def _add_hidden_parents(
    grid: Grid, base: Grid, store: Store, source: int, node: int, cell: int, digit: int, link: int
) -> None:
    """Add the candidates of the cell, or places in the unit, that had to be removed before."""
    if link == 0:
        gone = base.cand[cell] & ~grid.cand[cell]
        for other in range(9):
            if gone >> other & 1:
                add_parent(store, node, store.where[source, 2 * (cell * 9 + other)])
        return
    unit = HOME[cell, KINDS[link - 1]]
    gone = base.spots[unit, digit] & ~grid.spots[unit, digit]
    for place in range(9):
        if gone >> place & 1:
            add_parent(store, node, store.where[source, 2 * (UNITS[unit, place] * 9 + digit)])
