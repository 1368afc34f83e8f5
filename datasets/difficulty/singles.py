"""How far singles lead: the cells that are still open after them, and after locked candidates too.

Importing this module imports numba.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numba import njit

from datasets.difficulty.board import (
    Board,
    Cells,
    as_array,
    count_open,
    empty_board,
    give,
    lowest,
    number_of,
    remove,
    settle,
    tables,
)
from datasets.puzzle import Puzzle


@dataclass(frozen=True)
class Unsolved:
    """Cells still open after naked and hidden singles, and after these with locked candidates."""

    singles: int
    locked: int


def unsolved(puzzle: Puzzle) -> Unsolved | None:
    """How far singles lead, with and without locked candidates; None if they come upon a contradiction.

    Locked candidates: where all places of a digit in one unit lie in another one too, it leaves the rest of that.
    """
    singles, locked = _unsolved(as_array(puzzle.cells), *tables(puzzle.shape))
    return None if locked < 0 else Unsolved(int(singles), int(locked))


@njit(cache=True)
def _unsolved(cells: Cells, units: Cells, peers: Cells, homes: Cells) -> tuple[int, int]:
    board = empty_board(units, peers, homes)
    if not settle(board, give(board, cells)):
        return -1, -1
    singles = count_open(board)
    before = -1
    while before != board.cand.sum():
        before = board.cand.sum()
        if not settle(board, _lock(board)):
            return singles, -1
    return singles, count_open(board)


@njit(cache=True)
def _lock(board: Board) -> int:
    """Eliminate by locked candidates, once through all units: the tail of the queue, -1 on a contradiction."""
    tail = 0
    for unit in range(board.spots.shape[0]):
        for digit in range(board.spots.shape[1]):
            for kind in range(3):
                other = common_unit(board, unit, board.spots[unit, digit], kind)
                if other < 0 or other == unit:
                    continue
                for cell in board.units[other]:
                    if board.homes[cell, unit // board.spots.shape[1]] != unit:
                        tail = remove(board, cell, digit, tail)
                        if tail < 0:
                            return -1
    return tail


@njit(cache=True)
def common_unit(board: Board, unit: int, places: Any, kind: int) -> int:
    """The unit of a kind (0 rows, 1 columns, 2 boxes) in which all these places of a unit lie, else -1."""
    common = -1
    while places:
        bit = lowest(places)
        places ^= bit
        other = board.homes[board.units[unit, number_of(bit)], kind]
        if common >= 0 and other != common:
            return -1
        common = other
    return common
