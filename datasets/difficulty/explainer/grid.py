"""Candidates of a 9×9 board as plain integers, the units and the numbering that the explainer's harder steps share.

Cells are numbered 0 .. 80 row by row, digits 0 .. 8. A *candidate* is ``cell * 9 + digit``. A *literal* is
``candidate * 2``, plus 1 if the candidate is assumed to be true ("on") and not false ("off"). Importing this module
imports numba.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.difficulty.board import Board, board_tables
from datasets.shape import Shape

SHAPE = Shape(3, 3)
UNITS, PEERS, _homes = board_tables(SHAPE)  # rows 0-8, columns 9-17, boxes 18-26
HOME = np.ascontiguousarray(_homes[:, :3])  # row, column and box of each cell
PLACE = np.ascontiguousarray(_homes[:, 3:])  # and its place in each of them
ROW, COLUMN, BOX = 0, 1, 2
KINDS = (BOX, ROW, COLUMN)  # the order in which the original looks at units
N_CANDIDATES = 729
N_LITERALS = 2 * N_CANDIDATES

POP = np.array([mask.bit_count() for mask in range(512)])  # number of bits of a 9-bit mask
FIRST = np.array([max((mask & -mask).bit_length() - 1, 0) for mask in range(512)])  # its lowest bit
SEES = np.zeros((81, 81), dtype=np.bool_)
for _cell in range(81):
    SEES[_cell, PEERS[_cell]] = True

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Grid(NamedTuple):
    """Candidates of a position.

    Attributes:
        cand: candidates of each cell (81 masks of digits); none for a filled cell.
        spots: places of each digit in each unit (27 × 9 masks of places).
        open_cells: number of open cells of each unit. Assumptions do not change it.
        placed: number of cells that are filled with each digit. Assumptions do not change it.
    """

    cand: Ints
    spots: Ints
    open_cells: Ints
    placed: Ints


def new_grid() -> Grid:
    """Allocate a grid."""
    return Grid(
        np.zeros(81, dtype=np.int64),
        np.zeros((27, 9), dtype=np.int64),
        np.zeros(27, dtype=np.int64),
        np.zeros(9, dtype=np.int64),
    )


@njit(cache=True)
def put(array: Any, value: int) -> None:
    """Set all items of an array with one axis; unlike an assignment to a slice, this compiles in no time."""
    for k in range(array.shape[0]):
        array[k] = value


@njit(cache=True)
def any_of(array: Any) -> bool:
    """Return whether an item of an array with one axis is not zero."""
    found = False
    for k in range(array.shape[0]):
        found |= array[k] != 0
    return found


@njit(cache=True)
def read_board(board: Board, grid: Grid) -> None:
    """Copy the position of a board in which filled cells have no candidates."""
    for cell in range(81):
        grid.cand[cell] = np.int64(board.cand[cell])
    for unit in range(27):
        grid.open_cells[unit] = 0
        for digit in range(9):
            grid.spots[unit, digit] = np.int64(board.spots[unit, digit])
        for cell in UNITS[unit]:
            if grid.cand[cell]:
                grid.open_cells[unit] += 1
    for digit in range(9):
        grid.placed[digit] = 0
        for row in range(9):
            if grid.spots[row, digit] == 0:
                grid.placed[digit] += 1


@njit(cache=True)
def copy_grid(source: Grid, target: Grid) -> None:
    """Copy a position."""
    restore(source, target)
    for unit in range(27):
        target.open_cells[unit] = source.open_cells[unit]
    for digit in range(9):
        target.placed[digit] = source.placed[digit]


@njit(cache=True)
def restore(source: Grid, target: Grid) -> None:
    """Copy the candidates of a position."""
    for cell in range(81):
        target.cand[cell] = source.cand[cell]
    for unit in range(27):
        for digit in range(9):
            target.spots[unit, digit] = source.spots[unit, digit]


@njit(cache=True)
def remove(grid: Grid, cell: int, digit: int) -> None:
    """Remove a candidate."""
    grid.cand[cell] &= ~(1 << digit)
    for kind in range(3):
        grid.spots[HOME[cell, kind], digit] &= ~(1 << PLACE[cell, kind])


@njit(cache=True)
def partner(grid: Grid, cell: int, digit: int, link: int) -> int:
    """Return the candidate that must be true if this one is false, by one link; -1 if there is none.

    Link 0 is the cell: it has one other candidate. Links 1, 2 and 3 are box, row and column: each has one other place
    for the digit.
    """
    if link == 0:
        if POP[grid.cand[cell]] != 2:
            return -1
        return cell * 9 + FIRST[grid.cand[cell] & ~(1 << digit)]
    kind = KINDS[link - 1]
    unit = HOME[cell, kind]
    places = grid.spots[unit, digit]
    if POP[places] != 2:
        return -1
    return UNITS[unit, FIRST[places & ~(1 << PLACE[cell, kind])]] * 9 + digit


@njit(cache=True)
def link_of(cell: int, other: int) -> int:
    """Return the first link between two candidates that exclude each other: 0 cell, 1 box, 2 row, 3 column."""
    if cell == other:
        return 0
    for link in range(1, 4):
        kind = KINDS[link - 1]
        if HOME[cell, kind] == HOME[other, kind]:
            return link
    return -1
