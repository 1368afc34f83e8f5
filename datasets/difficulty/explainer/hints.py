"""Conclusions from spread assumptions: contradictions, double, cell and unit forcing chains.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudoku_bench.datasets.difficulty.explainer.grid import (
    FIRST,
    HOME,
    KINDS,
    N_CANDIDATES,
    POP,
    UNITS,
    Grid,
    Ints,
    spots,
    wide,
)
from sudoku_bench.datasets.difficulty.explainer.store import (
    BEGIN,
    END,
    FALSE_END,
    LITERAL,
    TRUE_END,
    Store,
    count_ancestors,
    nested_length,
)
from sudoku_bench.datasets.kernels import njit

DOUBLE, CELL, UNIT, CONTRADICTION = 1, 5, 6, 7  # kinds; between equal lengths, the lower one comes first
LENGTH, KIND, ORIGIN, CONCLUSION, ORDER, N_ENDS, ENDS = range(7)  # columns of ``record``
MAX_ENDS = 9  # a chain for each candidate of a cell or place in a unit
BEST = 0  # the slot of the best hint, if only that one is kept


class Hints(NamedTuple):
    """Forcing chains with their conclusions, the best one or the best one for each elimination.

    Attributes:
        record: of each slot its length, the number of nodes in all chains (0: the slot is empty); its kind; its origin:
            the assumption that is refuted or tried both ways (a literal), the cell, or unit * 9 + digit; the literal
            that follows; in which order it was found; the number of its chains; the last node of each. If all hints are
            kept, the slot is cell * 512 + mask of the digits that the hint eliminates.
        used: the slots that are not empty.
        size: number of used slots; order of the last hint.
    """

    record: Ints
    used: Ints
    size: Ints


def new_hints() -> Hints:
    """Allocate room for hints; memory that is not used costs nothing."""
    return Hints(
        np.zeros((81 * 512, ENDS + MAX_ENDS), dtype=np.int64),
        np.zeros(81 * 512, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )


@njit()
def eliminated(grid: Grid, conclusion: int) -> int:
    """Return what a conclusion eliminates in its cell, as a mask of digits."""
    cell, digit = (conclusion >> 1) // 9, (conclusion >> 1) % 9
    return grid[cell] & ~(1 << digit) if conclusion & 1 else 1 << digit


@njit()
def find_hints(grid: Grid, store: Store, hints: Hints, dynamic: bool, nishio: bool, keep_all: bool) -> None:
    """Find the best conclusion, or (``keep_all``) the best one for each elimination.

    Contradictions and doubles need ``dynamic``; Nishio has contradictions only.
    """
    for k in range(hints.size[0]):
        hints.record[hints.used[k], LENGTH] = 0
    hints.size[0] = hints.size[1] = 0
    for candidate in range(N_CANDIDATES):
        cell, digit = candidate // 9, candidate % 9
        n = POP[grid[cell]]
        if n < 2 or (n == 2 and not dynamic):
            continue
        if grid[cell] >> digit & 1 and dynamic:
            _from_assumption(grid, store, hints, candidate, n > 2 and not nishio, keep_all)
        if grid[cell] >> digit & 1 and not nishio:
            _from_units(grid, store, hints, candidate, keep_all)
        if digit == 8 and not nishio:
            _from_cell(grid, store, hints, cell, keep_all)


@njit()
def _from_assumption(grid: Grid, store: Store, hints: Hints, candidate: int, doubles: bool, keep_all: bool) -> None:
    """Find contradictions of a candidate being true or false, then what is the same in both cases."""
    ends = np.empty(2, dtype=np.int64)
    yes, no = 2 * candidate + 1, 2 * candidate
    for literal in (yes, no):
        if store.source[literal, TRUE_END] >= 0:
            ends[0], ends[1] = store.source[literal, TRUE_END], store.source[literal, FALSE_END]
            _offer(grid, store, hints, wide(CONTRADICTION), literal, literal ^ 1, ends, keep_all)
    for value in (1, 0):
        for node in range(store.source[yes, BEGIN] if doubles else 0, store.source[yes, END] if doubles else 0):
            literal = wide(store.node[node, LITERAL])
            if literal & 1 == value and store.source[no, literal] >= 0:
                ends[0], ends[1] = node, store.source[no, literal]
                _offer(grid, store, hints, wide(DOUBLE), yes, literal, ends, keep_all)


@njit()
def _from_units(grid: Grid, store: Store, hints: Hints, candidate: int, keep_all: bool) -> None:
    """Find what follows from all places of a digit in a unit of which this candidate is the first one."""
    cell, digit = candidate // 9, candidate % 9
    sources = np.empty(MAX_ENDS, dtype=np.int64)
    for kind in KINDS:
        unit = HOME[cell, kind]
        places = spots(grid, unit, digit)
        if POP[places] < 2 or UNITS[unit, FIRST[places]] != cell:
            continue
        n = 0
        for place in range(9):
            if places >> place & 1:
                sources[n] = 2 * (UNITS[unit, place] * 9 + digit) + 1
                n += 1
        _in_common(grid, store, hints, wide(UNIT), unit * 9 + digit, sources[:n], keep_all)


@njit()
def _from_cell(grid: Grid, store: Store, hints: Hints, cell: int, keep_all: bool) -> None:
    """Find what follows from all candidates of a cell."""
    sources = np.empty(MAX_ENDS, dtype=np.int64)
    n = 0
    for digit in range(9):
        if grid[cell] >> digit & 1:
            sources[n] = 2 * (cell * 9 + digit) + 1
            n += 1
    _in_common(grid, store, hints, wide(CELL), cell, sources[:n], keep_all)


@njit()
def _in_common(grid: Grid, store: Store, hints: Hints, kind: int, origin: int, sources: Ints, keep_all: bool) -> None:
    """Find what is true, then what is false, under all of the sources."""
    n = sources.shape[0]
    ends = np.empty(n, dtype=np.int64)
    for value in (1, 0):
        for node in range(store.source[sources[0], BEGIN], store.source[sources[0], END]):
            literal = wide(store.node[node, LITERAL])
            if literal & 1 != value:
                continue
            ends[0], common = node, 1
            while common < n and store.source[sources[common], literal] >= 0:
                ends[common] = store.source[sources[common], literal]
                common += 1
            if common == n:
                _offer(grid, store, hints, kind, origin, literal, ends, keep_all)


@njit()
def _offer(
    grid: Grid, store: Store, hints: Hints, kind: int, origin: int, conclusion: int, ends: Ints, keep_all: bool
) -> None:
    """Keep a hint if it eliminates something and is the best one for that, or of all."""
    mask = eliminated(grid, conclusion)
    if mask == 0:
        return
    slot = (conclusion >> 1) // 9 * 512 + mask if keep_all else BEST
    rival = hints.record[slot]
    length = 0
    for end in ends:
        length += count_ancestors(store, end)
        if 0 < rival[LENGTH] < length:
            return
    length += nested_length(store, ends)
    if rival[LENGTH] and (length, kind) >= (rival[LENGTH], rival[KIND]):
        return
    if rival[LENGTH] == 0:
        hints.used[hints.size[0]] = slot
        hints.size[0] += 1
    hints.size[1] += 1
    rival[LENGTH], rival[KIND], rival[ORIGIN], rival[CONCLUSION] = length, kind, origin, conclusion
    rival[ORDER], rival[N_ENDS] = hints.size[1], ends.shape[0]
    for k in range(ends.shape[0]):
        rival[ENDS + k] = ends[k]


@njit()
def hints_in_order(hints: Hints) -> Ints:
    """Return the used slots, best hint first; hints found first come first among equals."""
    slots = hints.used[: hints.size[0]]
    keys = np.empty(slots.shape[0], dtype=np.int64)
    for k in range(slots.shape[0]):
        hint = hints.record[slots[k]]
        keys[k] = (hint[LENGTH] << 40) + (hint[KIND] << 36) + hint[ORDER]
    return slots[np.argsort(keys)]
