"""A breadth-first search from a candidate by single links: X, Y and both. Importing this module imports numba.

A link leads from a true candidate to a false one of the same cell, or of the same digit in the same unit, and from a
false candidate to the other one of a cell or unit that has only two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.difficulty.explainer.grid import N_CANDIDATES, N_LITERALS, Ints
from sudoku_bench.datasets.difficulty.explainer.links import MAX_WEAK
from sudoku_bench.datasets.kernels import njit

X, Y, XY = 0, 1, 2  # links by digits in units only; to false ones by both and to true ones by cells only; by both
CYCLE_BASE = (65, 65, 70)
CHAIN_BASE = (66, 66, 70)
RANK = (2, 3, 4)
MAX_NODES = N_CANDIDATES * (MAX_WEAK + 1) + 2
LITERAL, PARENT, CAUSE = 0, 1, 2  # columns of ``node``
USEFUL, NEAR_TRUE, NEAR_FALSE = 0, 1, 2  # columns of ``flag``
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
    walk.size[WORK] += 1


@njit()
def is_seen(walk: Walk, literal: int) -> bool:
    return bool(walk.seen[literal] == walk.size[SEARCH])
