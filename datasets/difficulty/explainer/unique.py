"""Unique loops (4.5 and more): steps that are valid only for puzzles with one solution.

A *unique loop* is a closed walk over cells that contain the same two digits, with neighbours in a common unit; each
unit holds two of its cells, of even and odd number, or none. If these cells held nothing else, the two digits could be
exchanged along the loop; so one of its cells must hold something else. Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudoku_bench.datasets.difficulty.explainer.grid import (
    HOME,
    KINDS,
    OPEN,
    PLACE,
    POP,
    SEES,
    UNITS,
    Grid,
    Ints,
    any_of,
    put,
    spots,
)
from sudoku_bench.datasets.kernels import njit

MAX_LOOP = 18  # each of the nine rows holds two cells at most
MAX_SPARE = 2  # cells of a loop that may have several other digits


class Loops(NamedTuple):
    """A walk in search of loops, and the best step so far.

    Attributes:
        walk: for each cell of the walk: its number, the kind of unit (a place in ``KINDS``) and the place to try next,
            how many cells with other digits may follow, other digits so far, the kind of unit it was entered by.
        entered: for each unit, 1 if a cell of even number is in it, plus 2 if one of odd number is.
        masks: what the best step eliminates from each cell.
        trial: what another step would eliminate.
        best: rating in tenths and type of the best step (0: none).
    """

    walk: Ints
    entered: Ints
    masks: Ints
    trial: Ints
    best: Ints


@njit()
def unique_loop(grid: Grid, masks: Ints) -> int:
    """Find the easiest unique loop; return its rating in tenths, 0 if there is none.

    ``masks`` receives what it eliminates from each cell.
    """
    loops = Loops(
        np.zeros((MAX_LOOP + 1, 6), dtype=np.int64),
        np.zeros(27, dtype=np.int64),
        masks,
        np.zeros(81, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )
    for cell in range(81):
        if POP[grid[cell]] == 2:
            _walk_from(grid, loops, cell)
    return int(loops.best[0])


@njit()
def _walk_from(grid: Grid, loops: Loops, start: int) -> None:
    """Try all walks from a cell that has two candidates, depth first."""
    walk, pair = loops.walk, grid[start]
    depth = -1
    depth = _enter(loops, depth, start, MAX_SPARE, 0, -1)
    while depth >= 0:
        here = walk[depth]
        if here[1] == 3:
            _change_entered(loops, depth, here[0])
            depth -= 1
            continue
        if here[2] == 9 or here[1] == here[5]:
            here[1], here[2] = here[1] + 1, 0
            continue
        kind = here[1]
        cell = UNITS[HOME[here[0], KINDS[kind]], here[2]]
        here[2] += 1
        if cell == start and depth >= 3:
            if _is_closed(loops):
                _conclude(grid, loops, depth + 1, pair)
            continue
        mask = grid[cell]
        if mask & pair != pair or not _may_enter(loops, depth + 1, cell):
            continue
        extra = here[4] | (mask & ~pair)
        if POP[mask] == 2 or POP[extra] == 1 or here[3] > 0:
            spare = here[3] - 1 if POP[mask] > 2 else here[3]
            depth = _enter(loops, depth, cell, spare, extra, kind)


@njit()
def _enter(loops: Loops, depth: int, cell: int, spare: int, extra: int, kind: int) -> int:
    here = loops.walk[depth + 1]
    here[0], here[1], here[2], here[3], here[4], here[5] = cell, 0, 0, spare, extra, kind
    _change_entered(loops, depth + 1, cell)
    return depth + 1


@njit()
def _change_entered(loops: Loops, number: int, cell: int) -> None:
    for kind in range(3):
        loops.entered[HOME[cell, kind]] ^= 1 << (number & 1)


@njit()
def _may_enter(loops: Loops, number: int, cell: int) -> bool:
    """Return whether no unit of the cell has a cell of the same parity yet; no cell of the walk itself may return."""
    bit = 1 << (number & 1)
    for kind in range(3):
        if loops.entered[HOME[cell, kind]] & bit:
            return False
    known = False
    for k in range(number):
        known |= loops.walk[k, 0] == cell
    return not known


@njit()
def _is_closed(loops: Loops) -> bool:
    """Return whether each unit holds cells of both parities or none."""
    closed = True
    for unit in range(27):
        closed &= loops.entered[unit] == 0 or loops.entered[unit] == 3
    return closed


@njit()
def _conclude(grid: Grid, loops: Loops, n: int, pair: int) -> None:
    """Find what follows from a loop of ``n`` cells."""
    base = 50 if n >= 10 else 47 if n == 8 else 46 if n == 6 else 45
    n_extra, extra, first, second = 0, 0, -1, -1
    for k in range(n):
        cell = loops.walk[k, 0]
        if POP[grid[cell]] > 2:
            n_extra, extra = n_extra + 1, extra | (grid[cell] & ~pair)
            first, second = (cell, -1) if first < 0 else (first, cell)
    if n_extra == 1:
        put(loops.trial, 0)
        loops.trial[first] = pair
        _offer(loops, base, 1)
    elif n_extra >= 2 and POP[extra] == 1:
        _type_2(grid, loops, base, n, extra)
    elif n_extra == 2:
        for kind in KINDS:
            if HOME[first, kind] == HOME[second, kind]:
                _type_3_naked(grid, loops, base, extra, first, second, kind)
                _type_3_hidden(grid, loops, base, pair, extra, first, second, kind)
    if n_extra == 2:
        _type_4(grid, loops, base, pair, first, second)


@njit()
def _offer(loops: Loops, rating: int, kind: int) -> None:
    """Keep the step in ``trial`` if it eliminates something and is the easiest so far."""
    best = loops.best
    if not any_of(loops.trial) or (best[0] and (rating, kind) >= (best[0], best[1])):
        return
    best[0], best[1] = rating, kind
    for cell in range(81):
        loops.masks[cell] = loops.trial[cell]


@njit()
def _type_2(grid: Grid, loops: Loops, base: int, n: int, extra: int) -> None:
    """One other digit: it is in one of the cells that have it, so not in a cell that sees all of these."""
    for cell in range(81):
        loops.trial[cell] = grid[cell] & extra
        for k in range(n):
            other = loops.walk[k, 0]
            if POP[grid[other]] > 2 and not SEES[cell, other]:
                loops.trial[cell] = 0
    _offer(loops, base, 2)


@njit()
def _type_3_naked(grid: Grid, loops: Loops, base: int, extra: int, first: int, second: int, kind: int) -> None:
    """Two cells, together like one with their other digits: a naked set with further cells of their unit."""
    unit = HOME[first, kind]
    shared = grid[first] & grid[second] & extra
    own = 1 << PLACE[first, kind] | 1 << PLACE[second, kind]
    for others in range(1, 512):
        degree = POP[others] + 1
        if others & own or degree < POP[extra] or 2 * degree > grid[OPEN + unit] or degree > 7:
            continue
        union, fits = 0, True
        for place in range(9):
            if others >> place & 1:
                union |= grid[UNITS[unit, place]]
                fits &= POP[grid[UNITS[unit, place]]] > 1
        if not fits or POP[union | extra] != degree or POP[union | shared] != degree:
            continue
        put(loops.trial, 0)
        for place in range(9):
            if not (others | own) >> place & 1:
                loops.trial[UNITS[unit, place]] = grid[UNITS[unit, place]] & (union | extra)
        _offer(loops, base + degree - 1, 3)


@njit()
def _type_3_hidden(
    grid: Grid, loops: Loops, base: int, pair: int, extra: int, first: int, second: int, kind: int
) -> None:
    """Two cells, together like one with the loop's digits: a hidden set with further digits of their unit."""
    unit = HOME[first, kind]
    for others in range(512):
        degree = POP[others] + 2
        if others & (pair | extra) or 2 * degree >= grid[OPEN + unit] or degree > 7:
            continue
        digits, union, fits = others | pair, 0, True
        for digit in range(9):
            if digits >> digit & 1:
                places = spots(grid, unit, digit) & ~(1 << PLACE[second, kind])
                union |= places
                fits &= places != 0
        if not fits or POP[union] != degree:
            continue
        put(loops.trial, 0)
        for place in range(9):
            if union >> place & 1 and place != PLACE[first, kind]:
                loops.trial[UNITS[unit, place]] = grid[UNITS[unit, place]] & ~digits
        _offer(loops, base + degree - 2, 3)


@njit()
def _type_4(grid: Grid, loops: Loops, base: int, pair: int, first: int, second: int) -> None:
    """One of the two digits has no other places in a unit of both cells: the other digit is in neither of them."""
    for digit in range(9):
        if not pair >> digit & 1:
            continue
        for kind in KINDS:
            own = 1 << PLACE[first, kind] | 1 << PLACE[second, kind]
            if HOME[first, kind] == HOME[second, kind] and spots(grid, HOME[first, kind], digit) & ~own == 0:
                put(loops.trial, 0)
                loops.trial[first] = loops.trial[second] = pair & ~(1 << digit)
                _offer(loops, base, 4)
