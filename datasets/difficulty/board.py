"""The compiled board for rating: candidates of each cell and places of each digit, kept up to date step by step.

``datasets.search`` is made for searching fast; here singles are queued as they appear, so that rounds can be counted
and small changes of a state cost little. A *round* finds all naked and hidden singles of the present state, then places
them all at once. Importing this module imports numba. Boards up to 36×36 fit, as in ``datasets.search``.

numba keeps compiled functions under ``__pycache__`` and looks only at the file of a function, not at what that calls:
after a change here or in ``datasets.search``, remove ``datasets/__pycache__``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.search import ONE, ZERO, _popcount, _tables
from datasets.shape import Shape

Masks = NDArray[np.uint64]
Cells = NDArray[np.int64]

NO_LIMIT = 2**62


class Board(NamedTuple):
    """A state of an N×N board. Digits count from 0.

    Attributes:
        cand: for each cell the digits left for it (N·N masks).
        spots: for each unit and digit the places left for it in that unit (3N × N masks).
        queue: singles that have appeared: cell · N + digit for a naked one, N³ + unit · N + digit for a hidden one.
        units: the cells of each unit (3N × N): rows, columns, boxes.
        peers: the cells that share a unit with each cell.
        homes: for each cell its row, column and box (numbers of units), and its place in each (N·N × 6).
    """

    cand: Masks
    spots: Masks
    queue: Cells
    units: Cells
    peers: Cells
    homes: Cells


@lru_cache(maxsize=16)
def tables(shape: Shape) -> tuple[Cells, Cells, Cells]:
    """``units``, ``peers`` and ``homes`` of a ``Board``."""
    homes = np.empty((shape.n_cells, 6), dtype=np.int64)
    for u, unit in enumerate(shape.units):
        for place, cell in enumerate(unit):
            homes[cell, u // shape.size], homes[cell, 3 + u // shape.size] = u, place
    return *_tables(shape), homes


def as_array(cells: Sequence[int]) -> Cells:
    """Cells as the kernels take them."""
    return np.array(cells, dtype=np.int64)


@njit(cache=True)
def number_of(bit: Any) -> int:
    """Which bit is set, from 0."""
    return int(_popcount(bit - ONE))


@njit(cache=True)
def lowest(mask: Any) -> Any:
    """The lowest bit that is set."""
    return mask & (~mask + ONE)


@njit(cache=True)
def empty_board(units: Cells, peers: Cells, homes: Cells) -> Board:
    """A board without clues."""
    n, size = homes.shape[0], units.shape[1]
    full = (ONE << np.uint64(size)) - ONE
    cand, spots = np.full(n, full, dtype=np.uint64), np.full((3 * size, size), full, dtype=np.uint64)
    return Board(cand, spots, np.empty(5 * n, dtype=np.int64), units, peers, homes)


@njit(cache=True)
def copy_of(board: Board) -> Board:
    """A board of its own, but for the queue."""
    return Board(board.cand.copy(), board.spots.copy(), board.queue, board.units, board.peers, board.homes)


@njit(cache=True)
def count_open(board: Board) -> int:
    """Cells with more than one candidate."""
    count = 0
    for mask in board.cand:
        if mask & (mask - ONE):
            count += 1
    return count


@njit(cache=True)
def give(board: Board, cells: Cells) -> int:
    """Place the clues and nothing else: the tail of the queue, -1 on a contradiction."""
    tail = 0
    for cell in range(cells.shape[0]):
        if cells[cell]:
            tail = put(board, cell, cells[cell] - 1, tail)
            if tail < 0:
                break
    return tail


@njit(cache=True)
def put(board: Board, cell: int, digit: int, tail: int) -> int:
    """Place a digit and queue the singles that appear; the new tail, -1 on a contradiction."""
    bit = ONE << np.uint64(digit)
    others = board.cand[cell] & ~bit
    if others == board.cand[cell]:
        return -1
    board.cand[cell] = bit
    for k in range(3):  # what is placed already shall not be queued
        board.spots[board.homes[cell, k], digit] = ONE << np.uint64(board.homes[cell, 3 + k])
    while others:
        other = lowest(others)
        others ^= other
        tail = vacate(board, cell, number_of(other), tail)
        if tail < 0:
            return -1
    for k in range(board.peers.shape[1]):
        peer = board.peers[cell, k]
        if board.cand[peer] & bit:
            tail = remove(board, peer, digit, tail)
            if tail < 0:
                return -1
    return tail


@njit(cache=True)
def remove(board: Board, cell: int, digit: int, tail: int) -> int:
    """Take a candidate away and queue the singles that appear; the new tail, -1 on a contradiction."""
    left = board.cand[cell] & ~(ONE << np.uint64(digit))
    if left == board.cand[cell]:
        return tail
    board.cand[cell] = left
    if left == ZERO:
        return -1
    if left & (left - ONE) == ZERO:
        board.queue[tail] = cell * board.spots.shape[1] + number_of(left)
        tail += 1
    return vacate(board, cell, digit, tail)


@njit(cache=True)
def vacate(board: Board, cell: int, digit: int, tail: int) -> int:
    """A cell is no place for a digit any more: queue the hidden singles; the new tail, -1 on a contradiction."""
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


@njit(cache=True)
def rounds(board: Board, tail: int, limit: int) -> int:
    """Rounds of singles, from those queued: the round that finds a contradiction, 0 if none up to round ``limit``.

    What the placing of a round breaks is found by the next one. All that is queued must have appeared in the same
    state.
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
                cell = board.units[unit, number_of(board.spots[unit, digit])]
            tail = put(board, cell, digit, tail)
            if tail < 0:
                return number + 1
        number += 1
    return 0


@njit(cache=True)
def settle(board: Board, tail: int) -> bool:
    """Place all singles that follow from those queued; False on a contradiction."""
    return tail >= 0 and rounds(board, tail, NO_LIMIT) == 0
