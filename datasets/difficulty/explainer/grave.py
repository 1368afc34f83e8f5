"""Bivalue universal graves (BUG, 5.6 to 6.2): steps that are valid only for puzzles with one solution.

If all open cells had two candidates, and each digit two places or none in each unit, the candidates could be exchanged
everywhere. So one of the *surplus* candidates that stand in the way of this must be true. Importing this module imports
numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudoku_bench.datasets.difficulty.explainer.grid import (
    FIRST,
    HOME,
    KINDS,
    POP,
    SEES,
    UNITS,
    Flags,
    Grid,
    Ints,
    any_of,
    copy_grid,
    put,
    remove,
    spots,
    wide,
)
from sudoku_bench.datasets.kernels import njit


class Grave(NamedTuple):
    """The surplus of a position.

    Attributes:
        surplus: surplus candidates of each cell.
        near: cells that see all cells with surplus.
        cells: the cells with surplus, in the order in which they were found.
        size: number of them; mask of the digits of the surplus.
    """

    surplus: Ints
    near: Flags
    cells: Ints
    size: Ints


@njit()
def universal_grave(grid: Grid, rest: Grid, masks: Ints) -> int:
    """Find a bivalue universal grave; return its rating in tenths, 0 if there is none.

    ``rest`` is room for a grid. ``masks`` receives what is eliminated from each cell.
    """
    grave = Grave(
        np.zeros(81, dtype=np.int64),
        np.ones(81, dtype=np.bool_),
        np.zeros(81, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )
    copy_grid(grid, rest)
    if not _find_surplus(grid, rest, grave) or not _is_bivalue(grid, rest):
        return 0
    return _conclude(grid, grave, masks)


@njit()
def _find_surplus(grid: Grid, rest: Grid, grave: Grave) -> bool:
    """Find the surplus; return False if there is no grave of a known type.

    Where a digit has one place or more than two in a unit, and only one of these cells is *rich* (three candidates or
    more), it is surplus there. If only one digit is affected, it is surplus in all the rich cells.
    """
    digits = 0
    rich = np.zeros(81, dtype=np.bool_)
    for kind in KINDS:
        for unit in range(9 * kind, 9 * kind + 9):
            for digit in range(9):
                if POP[spots(grid, unit, digit)] in (0, 2):
                    continue
                digits |= 1 << digit
                n_rich, cell = _mark_rich(grid, unit, digit, rich)
                if n_rich == 0 or (n_rich == 1 and not _add_surplus(grave, rest, cell, digit, True)):
                    return False
    if POP[digits] == 1:
        for cell in range(81):
            if rich[cell] and grave.surplus[cell] == 0:
                _add_surplus(grave, rest, cell, FIRST[digits], False)
    return True


@njit()
def _mark_rich(grid: Grid, unit: int, digit: int, rich: Flags) -> tuple[int, int]:
    """Mark the rich cells among the places of a digit; return their number and the last one."""
    n, last = 0, -1
    for place in range(9):
        cell = UNITS[unit, place]
        if spots(grid, unit, digit) >> place & 1 and POP[grid[cell]] >= 3:
            rich[cell] = True
            n, last = n + 1, cell
    return n, last


@njit()
def _add_surplus(grave: Grave, rest: Grid, cell: int, digit: int, single: bool) -> bool:
    """Add a surplus candidate; return False if no cell sees all the surplus and it has several digits."""
    if grave.surplus[cell] == 0:
        grave.cells[grave.size[0]] = cell
        grave.size[0] += 1
    grave.surplus[cell] |= 1 << digit
    if single:
        grave.size[1] |= 1 << digit
    remove(rest, cell, digit)
    for other in range(81):
        grave.near[other] &= SEES[cell, other]
    return bool(grave.size[0] == 1 or POP[grave.size[1]] <= 1 or any_of(grave.near))


@njit()
def _is_bivalue(grid: Grid, rest: Grid) -> bool:
    """Return whether, without the surplus, cells have two candidates and digits two places or none in each unit."""
    for cell in range(81):
        if grid[cell] and POP[rest[cell]] != 2:
            return False
    for unit in range(27):
        for digit in range(9):
            if POP[spots(rest, unit, digit)] not in (0, 2):
                return False
    return True


@njit()
def _conclude(grid: Grid, grave: Grave, masks: Ints) -> int:
    n, digits = grave.size[0], grave.size[1]
    put(masks, 0)
    if n == 1:
        masks[grave.cells[0]] = grid[grave.cells[0]] & ~digits
        return 56
    if POP[digits] == 1 and _type_2(grid, grave, masks):
        return 57
    if n == 2 and (POP[digits] == 1 or any_of(grave.near)) and _type_4(grid, grave, masks):
        return 57
    degree = _type_3(grid, grave, masks) if POP[digits] != 1 and any_of(grave.near) else 0
    return 56 + degree if degree else 0


@njit()
def _type_2(grid: Grid, grave: Grave, masks: Ints) -> bool:
    """One digit: it is in one of the cells with surplus, so not in a cell that sees them all."""
    for cell in range(81):
        masks[cell] = grid[cell] & grave.size[1] if grave.near[cell] else 0
    return any_of(masks)


@njit()
def _type_4(grid: Grid, grave: Grave, masks: Ints) -> bool:
    """Two cells of a unit that share a digit: the one without surplus holds it, so the third digit is in neither."""
    a, b = grave.cells[0], grave.cells[1]
    shared = grid[a] & grid[b] & ~grave.size[1]
    if POP[shared] != 1 or not SEES[a, b]:
        return False
    put(masks, 0)
    for cell in (a, b):
        masks[cell] = grid[cell] & ~grave.surplus[cell] & ~shared
    return True


@njit()
def _type_3(grid: Grid, grave: Grave, masks: Ints) -> int:
    """The cells with surplus, like one with these digits: a naked set with further cells of their unit; return its
    size, 0 if there is none."""
    for degree in range(2, 7):
        for kind in KINDS:
            unit = HOME[grave.cells[0], kind]
            near, common = 0, True
            for k in range(grave.size[0]):
                common &= HOME[grave.cells[k], kind] == unit
            for place in range(9):
                near |= wide(grave.near[UNITS[unit, place]]) << place
            for others in range(512):
                fits = common and POP[others] == degree - 1 and others & ~near == 0
                if fits and _naked_set(grid, grave, unit, near, others, masks):
                    return degree
    return 0


@njit()
def _naked_set(grid: Grid, grave: Grave, unit: int, near: int, others: int, masks: Ints) -> bool:
    """Eliminate a naked set's digits from the rest of its unit; return whether it is one and eliminates something."""
    union, fits = 0, True
    for place in range(9):
        if others >> place & 1:
            union |= grid[UNITS[unit, place]]
            fits &= POP[grid[UNITS[unit, place]]] > 1
    if not fits or POP[union] != POP[others] + 1 or grave.size[1] & ~union:
        return False
    put(masks, 0)
    for place in range(9):
        if near & ~others & (1 << place):
            masks[UNITS[unit, place]] = grid[UNITS[unit, place]] & union
    return any_of(masks)
