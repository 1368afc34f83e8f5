"""Cells that remain open after singles, and after singles with locked candidates.

Importing this module imports numba.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sudoku_bench.datasets.bits import bit_index, lowest_bit
from sudoku_bench.datasets.difficulty.board import (
    Board,
    Cells,
    as_array,
    board_tables,
    count_open,
    empty_board,
    place_clues,
    propagate,
    remove_candidate,
)
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle


@dataclass(frozen=True)
class Unsolved:
    """Cells that remain open after naked and hidden singles, and after these with locked candidates."""

    singles: int
    locked: int


def unsolved(puzzle: Puzzle) -> Unsolved | None:
    """Count the cells that singles leave open, without and with locked candidates; None on a contradiction.

    Locked candidates: if all places of a digit in one unit are also in a second unit, the digit is eliminated from the
    rest of the second unit.
    """
    singles, locked = _unsolved(as_array(puzzle.cells), *board_tables(puzzle.shape))
    return None if locked < 0 else Unsolved(int(singles), int(locked))


@njit(nogil=True)
def _unsolved(cells: Cells, units: Cells, peers: Cells, homes: Cells) -> tuple[int, int]:
    board = empty_board(units, peers, homes)
    if not propagate(board, place_clues(board, cells)):
        return -1, -1
    singles = count_open(board)
    before = -1
    while before != board.cand.sum():
        before = board.cand.sum()
        if not propagate(board, eliminate_locked(board)):
            return singles, -1
    return singles, count_open(board)


@njit()
def eliminate_locked(board: Board) -> int:
    """Eliminate by locked candidates, once through all units; return the tail of the queue, -1 on a contradiction."""
    tail = 0
    for unit in range(board.spots.shape[0]):
        for digit in range(board.spots.shape[1]):
            for kind in range(3):
                other = common_unit(board, unit, board.spots[unit, digit], kind)
                if other < 0 or other == unit:
                    continue
                for cell in board.units[other]:
                    if board.homes[cell, unit // board.spots.shape[1]] != unit:
                        tail = remove_candidate(board, cell, digit, tail)
                        if tail < 0:
                            return -1
    return tail


@njit()
def common_unit(board: Board, unit: int, places: Any, kind: int) -> int:
    """Return the unit of a kind (0 rows, 1 columns, 2 boxes) that contains all these places of a unit, else -1."""
    common = -1
    while places:
        bit = lowest_bit(places)
        places ^= bit
        other = board.homes[board.units[unit, bit_index(bit)], kind]
        if common >= 0 and other != common:
            return -1
        common = other
    return common
