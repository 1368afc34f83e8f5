"""Conclusions from spread assumptions: contradictions, double, cell and unit forcing chains.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.difficulty.explainer.grid import FIRST, HOME, KINDS, POP, UNITS, Grid, Ints, put
from datasets.difficulty.explainer.store import Store, count_ancestors, nested_length

DOUBLE, CELL, UNIT, CONTRADICTION = 1, 5, 6, 7  # kinds; between equal lengths, the lower one comes first
MAX_HINTS = 1 << 16
TABLE = 81 * 512


class Hints(NamedTuple):
    """Forcing chains with their conclusions.

    Attributes:
        length: number of literals in all its chains.
        kind: one of the kinds above.
        origin: the assumption that is refuted or that is tried both ways (a literal), the cell, or unit * 9 + digit.
        conclusion: literal that follows; of a contradiction, the opposite of the assumption.
        order: in which order they were found.
        nodes, n_nodes: last nodes of its chains.
        table: the hint of each elimination: cell * 512 + mask of digits; -1 if none.
        size: number of hints; order of the last one; whether one did not fit.
    """

    length: Ints
    kind: Ints
    origin: Ints
    conclusion: Ints
    order: Ints
    nodes: NDArray[np.int32]
    n_nodes: Ints
    table: NDArray[np.int32]
    size: Ints


def new_hints() -> Hints:
    """Allocate room for hints."""
    return Hints(
        *(np.zeros(MAX_HINTS, dtype=np.int64) for _ in range(5)),
        np.zeros((MAX_HINTS, 9), dtype=np.int32),
        np.zeros(MAX_HINTS, dtype=np.int64),
        np.zeros(TABLE, dtype=np.int32),
        np.zeros(3, dtype=np.int64),
    )


@njit(cache=True)
def eliminated(grid: Grid, conclusion: int) -> int:
    """Return what a conclusion eliminates in its cell, as a mask of digits."""
    cell, digit = (conclusion >> 1) // 9, (conclusion >> 1) % 9
    return grid.cand[cell] & ~(1 << digit) if conclusion & 1 else 1 << digit


@njit(cache=True)
def find_hints(grid: Grid, store: Store, hints: Hints, dynamic: bool, nishio: bool, keep_all: bool) -> None:
    """Find the best conclusion, or (``keep_all``) the best one for each elimination.

    Contradictions and doubles need ``dynamic``; Nishio has contradictions only.
    """
    hints.size[0] = hints.size[1] = 0
    put(hints.table, -1)
    for cell in range(81):
        n = POP[grid.cand[cell]]
        if n < 2 or (n == 2 and not dynamic):
            continue
        for digit in range(9):
            if grid.cand[cell] >> digit & 1:
                candidate = cell * 9 + digit
                if dynamic:
                    _contradictions(grid, store, hints, candidate, keep_all)
                if dynamic and n > 2 and not nishio:
                    _doubles(grid, store, hints, candidate, keep_all)
                if not nishio:
                    _by_units(grid, store, hints, cell, digit, keep_all)
        if not nishio:
            _by_cell(grid, store, hints, cell, keep_all)


@njit(cache=True)
def _contradictions(grid: Grid, store: Store, hints: Hints, candidate: int, keep_all: bool) -> None:
    for literal in (2 * candidate + 1, 2 * candidate):
        if store.absurd[literal, 0] >= 0:
            _offer(grid, store, hints, CONTRADICTION, literal, literal ^ 1, store.absurd[literal], 2, keep_all)


@njit(cache=True)
def _doubles(grid: Grid, store: Store, hints: Hints, candidate: int, keep_all: bool) -> None:
    """Find what is true, then what is false, whether the candidate is true or false."""
    nodes = np.empty(2, dtype=np.int32)
    source = 2 * candidate + 1
    for value in (1, 0):
        for node in range(store.begin[source], store.end[source]):
            literal = store.literal[node]
            if literal & 1 == value and store.where[source - 1, literal] >= 0:
                nodes[0], nodes[1] = node, store.where[source - 1, literal]
                _offer(grid, store, hints, DOUBLE, source, literal, nodes, 2, keep_all)


@njit(cache=True)
def _by_units(grid: Grid, store: Store, hints: Hints, cell: int, digit: int, keep_all: bool) -> None:
    """Find what follows from all places of a digit in a unit of which this cell is the first one."""
    sources = np.empty(9, dtype=np.int64)
    for kind in KINDS:
        unit = HOME[cell, kind]
        places = grid.spots[unit, digit]
        if POP[places] < 2 or UNITS[unit, FIRST[places]] != cell:
            continue
        n = 0
        for place in range(9):
            if places >> place & 1:
                sources[n] = 2 * (UNITS[unit, place] * 9 + digit) + 1
                n += 1
        _in_common(grid, store, hints, UNIT, unit * 9 + digit, sources, n, keep_all)


@njit(cache=True)
def _by_cell(grid: Grid, store: Store, hints: Hints, cell: int, keep_all: bool) -> None:
    """Find what follows from all candidates of a cell."""
    sources = np.empty(9, dtype=np.int64)
    n = 0
    for digit in range(9):
        if grid.cand[cell] >> digit & 1:
            sources[n] = 2 * (cell * 9 + digit) + 1
            n += 1
    _in_common(grid, store, hints, CELL, cell, sources, n, keep_all)


@njit(cache=True)
def _in_common(
    grid: Grid, store: Store, hints: Hints, kind: int, origin: int, sources: Ints, n: int, keep_all: bool
) -> None:
    """Find what is true, then what is false, under all of the sources."""
    nodes = np.empty(9, dtype=np.int32)
    for value in (1, 0):
        for node in range(store.begin[sources[0]], store.end[sources[0]]):
            literal = store.literal[node]
            if literal & 1 != value:
                continue
            nodes[0] = node
            common = 1
            while common < n and store.where[sources[common], literal] >= 0:
                nodes[common] = store.where[sources[common], literal]
                common += 1
            if common == n:
                _offer(grid, store, hints, kind, origin, literal, nodes, n, keep_all)


@njit(cache=True)
def _offer(
    grid: Grid,
    store: Store,
    hints: Hints,
    kind: int,
    origin: int,
    conclusion: int,
    nodes: NDArray[np.int32],
    n: int,
    keep_all: bool,
) -> None:
    """Keep a hint if it eliminates something and is the best one for that, or of all."""
    mask = eliminated(grid, conclusion)
    if mask == 0:
        return
    slot = (conclusion >> 1) // 9 * 512 + mask if keep_all else 0
    rival = hints.table[slot]
    length = 0
    for k in range(n):
        length += count_ancestors(store, nodes[k])
        if rival >= 0 and length > hints.length[rival]:
            return
    length += nested_length(store, nodes, n)
    if rival >= 0 and (length, kind) >= (hints.length[rival], hints.kind[rival]):
        return
    if rival < 0:
        rival = hints.size[0]
        if rival == MAX_HINTS:
            hints.size[2] = 1
            return
        hints.table[slot] = rival
        hints.size[0] += 1
    hints.size[1] += 1
    hints.length[rival], hints.kind[rival], hints.origin[rival] = length, kind, origin
    hints.conclusion[rival], hints.order[rival], hints.n_nodes[rival] = conclusion, hints.size[1], n
    for k in range(n):
        hints.nodes[rival, k] = nodes[k]


@njit(cache=True)
def hints_in_order(hints: Hints) -> Ints:
    """Return the hints, best first; those found first come first among equals."""
    n = hints.size[0]
    return np.argsort((hints.length[:n] << 40) + (hints.kind[:n] << 36) + hints.order[:n])
