"""A 9×9 position as one array of integers, and the numbering that the explainer's harder steps share.

Cells are numbered 0 .. 80 row by row, digits 0 .. 8, units 0 .. 26: rows, columns, boxes. A *candidate* is
``cell * 9 + digit``. A *literal* is ``candidate * 2``, plus 1 if the candidate is taken to be true and not false.

A *grid* is an array of ``GRID_SIZE`` integers (a single array, because compiled functions take time to build for each
array that they are given):

    grid[cell]                        candidates of a cell, as a mask of digits; 0 for a filled cell
    grid[SPOTS + 9 * unit + digit]    places of a digit in a unit, as a mask
    grid[OPEN + unit]                 number of open cells of a unit; assumptions do not change it
    grid[PLACED + digit]              number of cells filled with a digit; assumptions do not change it

Importing this module imports numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.difficulty.board import board_tables
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.steps.board import Board

SHAPE = Shape(3, 3)
UNITS, PEERS, _homes = board_tables(SHAPE)
HOME = np.ascontiguousarray(_homes[:, :3])  # row, column and box of each cell
PLACE = np.ascontiguousarray(_homes[:, 3:])  # and its place in each of them
ROW, COLUMN, BOX = 0, 1, 2
KINDS = (BOX, ROW, COLUMN)  # the order in which units are looked at
N_CANDIDATES = 729
N_LITERALS = 2 * N_CANDIDATES
SPOTS, OPEN, PLACED, GRID_SIZE = 81, 324, 351, 360

POP = np.array([mask.bit_count() for mask in range(512)])  # number of bits of a 9-bit mask
FIRST = np.array([max((mask & -mask).bit_length() - 1, 0) for mask in range(512)])  # its lowest bit
SEES = np.zeros((81, 81), dtype=np.bool_)
for _cell in range(81):
    SEES[_cell, PEERS[_cell]] = True

CELL = np.array([[1 << cell & 2**64 - 1, 1 << cell >> 64] for cell in range(81)], dtype=np.uint64)  # a set of one cell
AROUND = np.array([np.bitwise_or.reduce(CELL[peers]) for peers in PEERS])  # the cells that each cell sees

Ints = NDArray[np.int64]
Grid = Ints


def new_grid() -> Grid:
    """Allocate a grid."""
    return np.zeros(GRID_SIZE, dtype=np.int64)


@njit()
def wide(number: Any) -> int:
    """Return a number as a 64-bit integer; a function is compiled again for each width of its arguments."""
    return int(np.int64(number))


@njit()
def flag(value: bool) -> bool:
    """Return a constant as a flag; a function, and all that it calls, is compiled again for each constant argument."""
    return bool(value)


@njit()
def put(array: Any, value: int) -> None:
    """Set all items of an array with one axis; unlike an assignment to a slice, this compiles in no time."""
    for k in range(array.shape[0]):
        array[k] = value


@njit()
def any_of(array: Any) -> bool:
    """Return whether an item of an array with one axis is not zero."""
    k = 0
    while k < array.shape[0] and not array[k]:
        k += 1
    return bool(k < array.shape[0])


def read_board(board: Board, grid: Grid) -> None:
    """Copy the position of a board."""
    grid[:SPOTS] = board.candidates
    grid[SPOTS:OPEN] = [places for unit in board.spots for places in unit]
    grid[OPEN:PLACED] = [sum(board.candidates[cell] > 0 for cell in cells) for cells in board.units]
    grid[PLACED:] = [board.values.count(value) for value in range(1, 10)]


@njit()
def copy_grid(source: Grid, target: Grid) -> None:
    """Copy a position."""
    for k in range(GRID_SIZE):
        target[k] = source[k]


@njit()
def spots(grid: Grid, unit: int, digit: int) -> int:
    """Return the places of a digit in a unit, as a mask."""
    return grid[SPOTS + 9 * unit + digit]  # type: ignore[no-any-return]


@njit()
def remove(grid: Grid, cell: int, digit: int) -> None:
    """Remove a candidate."""
    grid[cell] &= ~(1 << digit)
    for kind in range(3):
        grid[SPOTS + 9 * HOME[cell, kind] + digit] &= ~(1 << PLACE[cell, kind])


@njit()
def partner(grid: Grid, cell: int, digit: int, link: int) -> int:
    """Return the candidate that must be true if this one is false, by one link; -1 if there is none.

    Link 0 is the cell: it has one other candidate. Links 1, 2 and 3 are box, row and column: each has one other place
    for the digit.
    """
    if link == 0:
        others = grid[cell] & ~(1 << digit)
        return cell * 9 + FIRST[others] if POP[others] == 1 else -1
    kind = KINDS[link - 1]
    unit = HOME[cell, kind]
    others = spots(grid, unit, digit) & ~(1 << PLACE[cell, kind])
    return UNITS[unit, FIRST[others]] * 9 + digit if POP[others] == 1 else -1


@njit()
def link_of(cell: int, other: int) -> int:
    """Return the first link between two cells with exclusive candidates: 0 cell, 1 box, 2 row, 3 column; else -1."""
    if cell == other:
        return 0
    for link in range(1, 4):
        if HOME[cell, KINDS[link - 1]] == HOME[other, KINDS[link - 1]]:
            return link
    return -1
