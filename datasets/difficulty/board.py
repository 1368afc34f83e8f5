"""The compiled board for rating: the candidates of each cell and the places of each digit, updated incrementally.

A *round* finds all naked and hidden singles of the current state, then places all of them at once. Importing this
module imports numba. Boards up to 36×36 fit.

Why this kernel stands alone: the rating counts rounds of singles, applies single eliminations and looks up the places
of a digit in a unit. This board queues singles as they appear and keeps both candidates and places, so each of these
steps is cheap. ``datasets/search`` keeps candidates only and places singles in no defined rounds; with these
requirements its search would be slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.bits import ONE, ZERO, bit_index, lowest_bit
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.search import unit_tables
from sudoku_bench.datasets.shape import Shape

Masks = NDArray[np.uint64]
Cells = NDArray[np.int64]

NO_LIMIT = 2**62


class Board(NamedTuple):
    """A state of an N×N board. Digits are numbered from 0.

    Attributes:
        cand: candidates of each cell (N·N masks).
        spots: remaining places of each digit in each unit (3N × N masks).
        queue: singles that have appeared: cell · N + digit for a naked one, N³ + unit · N + digit for a hidden one.
        units: the cells of each unit (3N × N): rows, columns, boxes.
        peers: the cells that share a unit with each cell.
        homes: row, column and box of each cell (numbers of units), and its place in each of them (N·N × 6).
    """

    cand: Masks
    spots: Masks
    queue: Cells
    units: Cells
    peers: Cells
    homes: Cells


@lru_cache(maxsize=16)
def board_tables(shape: Shape) -> tuple[Cells, Cells, Cells]:
    """Return ``units``, ``peers`` and ``homes`` of a ``Board``."""
    homes = np.empty((shape.n_cells, 6), dtype=np.int64)
    for u, unit in enumerate(shape.units):
        for place, cell in enumerate(unit):
            homes[cell, u // shape.size], homes[cell, 3 + u // shape.size] = u, place
    return *unit_tables(shape), homes


def as_array(cells: Sequence[int]) -> Cells:
    """Convert cells to the array that the kernels expect."""
    return np.array(cells, dtype=np.int64)


@njit()
def empty_board(units: Cells, peers: Cells, homes: Cells) -> Board:
    """Return a board without clues."""
    n, size = homes.shape[0], units.shape[1]
    full = (ONE << np.uint64(size)) - ONE
    cand, spots = np.full(n, full, dtype=np.uint64), np.full((3 * size, size), full, dtype=np.uint64)
    return Board(cand, spots, np.empty(5 * n, dtype=np.int64), units, peers, homes)


@njit()
def copy_of(board: Board) -> Board:
    """Copy a board; the copy shares the queue and the tables."""
    return Board(board.cand.copy(), board.spots.copy(), board.queue, board.units, board.peers, board.homes)


@njit()
def count_open(board: Board) -> int:
    """Count the cells with more than one candidate."""
    count = 0
    for mask in board.cand:
        if mask & (mask - ONE):
            count += 1
    return count


@njit()
def place_clues(board: Board, cells: Cells) -> int:
    """Place the clues and nothing else; return the tail of the queue, -1 on a contradiction."""
    tail = 0
    for cell in range(cells.shape[0]):
        if cells[cell]:
            tail = place(board, cell, cells[cell] - 1, tail)
            if tail < 0:
                break
    return tail


@njit()
def place(board: Board, cell: int, digit: int, tail: int) -> int:
    """Place a digit and queue the singles that appear; return the new tail, -1 on a contradiction."""
    bit = ONE << np.uint64(digit)
    others = board.cand[cell] & ~bit
    if others == board.cand[cell]:
        return -1
    board.cand[cell] = bit
    for k in range(3):  # a digit that is already placed must not be queued
        board.spots[board.homes[cell, k], digit] = ONE << np.uint64(board.homes[cell, 3 + k])
    while others:
        other = lowest_bit(others)
        others ^= other
        tail = remove_place(board, cell, bit_index(other), tail)
        if tail < 0:
            return -1
    for k in range(board.peers.shape[1]):
        peer = board.peers[cell, k]
        if board.cand[peer] & bit:
            tail = remove_candidate(board, peer, digit, tail)
            if tail < 0:
                return -1
    return tail


@njit()
def remove_candidate(board: Board, cell: int, digit: int, tail: int) -> int:
    """Remove a candidate and queue the singles that appear; return the new tail, -1 on a contradiction."""
    left = board.cand[cell] & ~(ONE << np.uint64(digit))
    if left == board.cand[cell]:
        return tail
    board.cand[cell] = left
    if left == ZERO:
        return -1
    if left & (left - ONE) == ZERO:
        board.queue[tail] = cell * board.spots.shape[1] + bit_index(left)
        tail += 1
    return remove_place(board, cell, digit, tail)


@njit()
def remove_place(board: Board, cell: int, digit: int, tail: int) -> int:
    """Remove a place of a digit and queue new hidden singles; return the new tail, -1 on a contradiction."""
    size = board.spots.shape[1]
    for k in range(3):
        unit = board.homes[cell, k]
        places = board.spots[unit, digit]
        left = places & ~(ONE << np.uint64(board.homes[cell, 3 + k]))
        if left == places:
            continue
        board.spots[unit, digit] = left
        if left == ZERO:
            return -1
        if left & (left - ONE) == ZERO:
            board.queue[tail] = size * size * size + unit * size + digit
            tail += 1
    return tail


@njit()
def refuting_round(board: Board, tail: int, limit: int) -> int:
    """Run rounds of singles, starting with the queued ones, and return the round that finds a contradiction.

    Return 0 if no round up to ``limit`` finds one. A contradiction that one round causes counts as found in the next
    round. All queued singles must have appeared in the same state.
    """
    size, n = board.spots.shape[1], board.cand.shape[0]
    head, number = 0, 1
    while head < tail and number < limit:
        end = tail
        while head < end:
            cell, digit = divmod(board.queue[head], size)
            head += 1
            if cell >= n:
                unit = cell - n
                cell = board.units[unit, bit_index(board.spots[unit, digit])]
            tail = place(board, cell, digit, tail)
            if tail < 0:
                return number + 1
        number += 1
    return 0


@njit()
def propagate(board: Board, tail: int) -> bool:
    """Place all singles that follow from the queued ones; return False on a contradiction."""
    return tail >= 0 and refuting_round(board, tail, NO_LIMIT) == 0
