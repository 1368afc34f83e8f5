"""Backdoor size: the smallest number of cells whose values, once known, make singles suffice.

Backdoors: Williams, Gomes & Selman (2003). The search tries all sets of one cell, of two, of three and so on. A cell
whose value follows, by singles, from that of another one can be left out, for the other one does as well; of the rest
it tries no size of which there are more than ``MAX_SETS`` sets. That depends on the puzzle alone, not on how it is
presented, so the result is the same for all isomorphs. Importing this module imports numba.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.difficulty.board import (
    Board,
    Cells,
    as_array,
    copy_of,
    count_open,
    empty_board,
    give,
    put,
    settle,
    tables,
)
from datasets.puzzle import Puzzle
from datasets.search import ONE, ZERO

MAX_SETS = 50_000  # more than the sets of three cells of any 9×9 puzzle


@dataclass(frozen=True)
class Backdoor:
    """The backdoor size of a puzzle with one solution; where it is not ``exact``, the size is larger than this."""

    size: int
    exact: bool


def backdoor(puzzle: Puzzle, solution: tuple[int, ...]) -> Backdoor:
    """The backdoor size of a puzzle whose one solution is known.

    Raises:
        ValueError: the solution does not fit the clues.
    """
    cells, solved = as_array(puzzle.cells), as_array(solution)
    if ((cells != solved) & (cells != 0)).any():
        raise ValueError("the solution does not fit the clues")
    size, exact = _backdoor(cells, solved, *tables(puzzle.shape), MAX_SETS)
    return Backdoor(int(size), bool(exact))


@njit(cache=True)
def _backdoor(
    cells: Cells, solution: Cells, units: Cells, peers: Cells, homes: Cells, max_sets: int
) -> tuple[int, bool]:
    board = empty_board(units, peers, homes)
    settle(board, give(board, cells))
    unknown = np.nonzero(board.cand & (board.cand - ONE))[0]
    if unknown.shape[0] == 0:
        return 0, True
    follows = np.zeros((unknown.shape[0], cells.shape[0]), dtype=np.bool_)
    for i in range(unknown.shape[0]):
        known = copy_of(board)
        if _know(known, unknown[i], solution):
            return 1, True
        follows[i] = (known.cand & (known.cand - ONE)) == ZERO
    leaders = _leaders(follows, unknown)
    number = 2
    sets = leaders.shape[0] * (leaders.shape[0] - 1) // 2
    while sets <= max_sets:
        if _some_set(number, leaders, board, solution):
            return number, True
        sets = sets * (leaders.shape[0] - number) // (number + 1)
        number += 1
    return number - 1, False


@njit(cache=True)
def _know(board: Board, cell: int, solution: Cells) -> bool:
    """Place the solution's value of a cell and all singles that follow; whether the puzzle is solved."""
    settle(board, put(board, cell, solution[cell] - 1, 0))
    return count_open(board) == 0


@njit(cache=True)
def _leaders(follows: NDArray[np.bool_], cells: Cells) -> Cells:
    """The cells that follow from no other one, and the first of those that follow from each other."""
    kept = np.empty(cells.shape[0], dtype=np.int64)
    count = 0
    for i in range(cells.shape[0]):
        led = False
        for j in range(cells.shape[0]):
            if j != i and follows[j, cells[i]] and (j < i or not follows[i, cells[j]]):
                led = True
                break
        if not led:
            kept[count] = cells[i]
            count += 1
    return kept[:count]


@njit(cache=True)
def _some_set(number: int, leaders: Cells, board: Board, solution: Cells) -> bool:
    """Whether some set of that many of the cells makes singles suffice."""
    cand = np.empty((number + 1, *board.cand.shape), dtype=np.uint64)  # the states on the way
    spots = np.empty((number + 1, *board.spots.shape), dtype=np.uint64)
    cand[0], spots[0] = board.cand, board.spots
    following = np.zeros(number + 1, dtype=np.int64)  # the next cell to try at each depth
    depth = 0
    while depth >= 0:
        i = following[depth]
        if depth == number or i > leaders.shape[0] - (number - depth):
            depth -= 1
            continue
        following[depth] += 1
        mask = cand[depth, leaders[i]]
        if mask & (mask - ONE) == ZERO:  # known already: a smaller set would do as well
            continue
        depth += 1
        cand[depth], spots[depth] = cand[depth - 1], spots[depth - 1]
        following[depth] = i + 1
        state = Board(cand[depth], spots[depth], board.queue, board.units, board.peers, board.homes)
        if _know(state, leaders[i], solution):
            return True
    return False
