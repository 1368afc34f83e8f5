"""Links between candidates: which exclude each other, and which are the last two of a cell or of a unit's digit.

*Links* are an array of 729 × ``WIDTH`` integers, with a row for each candidate:

    links[candidate, k]                what is false if it is true: first in its cell, then in box, row and column
    links[candidate, BY + k]           by which link: 0 cell, 1 box, 2 row, 3 column
    links[candidate, N_IN_CELL]        number of these in its cell
    links[candidate, N_WEAK]           number of all of these
    links[candidate, STRONG + link]    what is true if it is false, by a link; -1 if nothing. A row or column that leads
                                       to the same candidate as the box counts as none.

Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.difficulty.explainer.grid import HOME, KINDS, N_CANDIDATES, UNITS, Grid, link_of, partner
from sudoku_bench.datasets.kernels import njit

MAX_WEAK = 28  # 8 other digits of the cell, 20 peers
BY, N_IN_CELL, N_WEAK, STRONG = MAX_WEAK, 2 * MAX_WEAK, 2 * MAX_WEAK + 1, 2 * MAX_WEAK + 2
WIDTH = STRONG + 4

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
