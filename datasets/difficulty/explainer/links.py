"""Links: candidates that exclude each other, or are the last two of a cell or of a unit's digit; and walks along them.

*Links* are an array of 729 × ``WIDTH`` integers, with a row for each candidate:

    links[candidate, k]                what is false if it is true: first in its cell, then in box, row and column
    links[candidate, BY + k]           by which link: 0 cell, 1 box, 2 row, 3 column
    links[candidate, N_IN_CELL]        number of these in its cell
    links[candidate, N_WEAK]           number of all of these
    links[candidate, STRONG + link]    what is true if it is false, by a link; -1 if nothing. A row or column that leads
                                       to the same candidate as the box counts as none.

A link leads from a true candidate to a false one, and from a false candidate to a true one. A *walk* is a breadth-first
search by such links. Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.difficulty.explainer.grid import (
    HOME,
    KINDS,
    N_CANDIDATES,
    N_LITERALS,
    UNITS,
    Grid,
    Ints,
    link_of,
    partner,
)
from sudoku_bench.datasets.kernels import njit

MAX_WEAK = 28  # 8 other digits of the cell, 20 peers
BY, N_IN_CELL, N_WEAK, STRONG = MAX_WEAK, 2 * MAX_WEAK, 2 * MAX_WEAK + 1, 2 * MAX_WEAK + 2
WIDTH = STRONG + 4

X, Y, XY = 0, 1, 2  # links by digits in units only; to false ones by both and to true ones by cells only; by both
CYCLE_BASE = (65, 65, 70)
CHAIN_BASE = (66, 66, 70)
RANK = (2, 3, 4)
MAX_NODES = N_CANDIDATES * (MAX_WEAK + 1) + 2
LITERAL, PARENT, CAUSE = 0, 1, 2  # columns of ``node``
USEFUL, NEAR_TRUE, NEAR_FALSE = 0, 1, 2  # columns of ``flag``
PLACES, SEES_FALSE, SEES_TRUE, OF_CYCLE = 0, 9, 18, 27  # rows of ``cells``
NODES, SEARCH, WALKED = 0, 1, 2  # places in ``size``

Links = NDArray[np.int16]


def new_links() -> Links:
    """Allocate links."""
    return np.zeros((N_CANDIDATES, WIDTH), dtype=np.int16)


@njit()
def find_links(grid: Grid, links: Links) -> None:
    """Find the links of all candidates of a position."""
    for candidate in range(N_CANDIDATES):
        if grid[candidate // 9] >> (candidate % 9) & 1:
            _find_weak(grid, links, candidate)
            for link in range(4):
                other = partner(grid, candidate // 9, candidate % 9, link)
                known = link > 1 and other == links[candidate, STRONG + 1]
                links[candidate, STRONG + link] = -1 if known else other


@njit()
def _find_weak(grid: Grid, links: Links, candidate: int) -> None:
    cell, digit, n = candidate // 9, candidate % 9, 0
    for other in range(9):
        if other != digit and grid[cell] >> other & 1:
            links[candidate, n], links[candidate, BY + n] = cell * 9 + other, 0
            n += 1
    links[candidate, N_IN_CELL] = n
    for link in range(1, 4):
        unit = HOME[cell, KINDS[link - 1]]
        for peer in UNITS[unit]:
            if grid[peer] >> digit & 1 and link_of(cell, peer) == link:
                links[candidate, n], links[candidate, BY + n] = peer * 9 + digit, link
                n += 1
    links[candidate, N_WEAK] = n


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
def start(walk: Walk, literal: int) -> None:
    walk.size[NODES] = 0
    walk.size[SEARCH] += 1
    push(walk, literal, -1, -1)


@njit()
def push(walk: Walk, literal: int, parent: int, cause: int) -> None:
    n = walk.size[NODES]
    walk.node[n, LITERAL], walk.node[n, PARENT], walk.node[n, CAUSE] = literal, parent, cause
    walk.seen[literal] = walk.size[SEARCH]
    walk.size[NODES] = n + 1
    walk.size[WALKED] += 1


@njit()
def is_seen(walk: Walk, literal: int) -> bool:
    return bool(walk.seen[literal] == walk.size[SEARCH])
