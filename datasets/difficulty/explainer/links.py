"""Links between candidates: which exclude each other, and which are the last two of a cell or of a unit's digit.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.difficulty.explainer.grid import HOME, KINDS, N_CANDIDATES, POP, UNITS, Grid, link_of, partner

MAX_WEAK = 28  # 8 other digits of the cell, 20 peers


class Links(NamedTuple):
    """Links of each candidate of a position.

    Attributes:
        weak: candidates that are false if this one is true: those of its cell first, then of box, row and column.
        weak_link: the link of each: 0 cell, 1 box, 2 row, 3 column.
        n_weak: number of weak links, and of those in the cell (729 × 2).
        strong: the candidate that is true if this one is false, by each link; -1 if there is none (729 × 4). A row or
            column that leads to the same candidate as the box counts as none.
    """

    weak: NDArray[np.int16]
    weak_link: NDArray[np.int8]
    n_weak: NDArray[np.int16]
    strong: NDArray[np.int16]


def new_links() -> Links:
    """Allocate links."""
    return Links(
        np.zeros((N_CANDIDATES, MAX_WEAK), dtype=np.int16),
        np.zeros((N_CANDIDATES, MAX_WEAK), dtype=np.int8),
        np.zeros((N_CANDIDATES, 2), dtype=np.int16),
        np.zeros((N_CANDIDATES, 4), dtype=np.int16),
    )


@njit(cache=True)
def find_links(grid: Grid, links: Links) -> None:
    """Find the links of all candidates of a position."""
    for cell in range(81):
        for digit in range(9):
            if grid.cand[cell] >> digit & 1:
                _find_weak(grid, links, cell, digit)
                _find_strong(grid, links, cell, digit)


@njit(cache=True)
def _find_weak(grid: Grid, links: Links, cell: int, digit: int) -> None:
    candidate = cell * 9 + digit
    n = 0
    for other in range(9):
        if other != digit and grid.cand[cell] >> other & 1:
            links.weak[candidate, n] = cell * 9 + other
            links.weak_link[candidate, n] = 0
            n += 1
    links.n_weak[candidate, 1] = n
    for link in range(1, 4):
        unit = HOME[cell, KINDS[link - 1]]
        for peer in UNITS[unit]:
            if peer != cell and grid.cand[peer] >> digit & 1 and link_of(cell, peer) == link:
                links.weak[candidate, n] = peer * 9 + digit
                links.weak_link[candidate, n] = link
                n += 1
    links.n_weak[candidate, 0] = n


@njit(cache=True)
def _find_strong(grid: Grid, links: Links, cell: int, digit: int) -> None:
    strong = links.strong[cell * 9 + digit]
    strong[0] = -1
    if POP[grid.cand[cell]] == 2:
        strong[0] = partner(grid, cell, digit, 0)
    for link in range(1, 4):
        strong[link] = partner(grid, cell, digit, link)
        if link > 1 and strong[link] == strong[1]:
            strong[link] = -1
