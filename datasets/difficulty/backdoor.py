"""Backdoor size: the smallest number of cells whose values let singles solve the puzzle.

Backdoors: Williams, Gomes & Selman (2003). The search tries all sets of one cell, of two cells, of three and so on. It
leaves out a cell whose value follows, by singles, from the value of another cell, because the other cell is at least as
useful. It stops at the first size with more than ``MAX_SETS`` sets of the remaining cells. This number depends on the
puzzle alone, not on its presentation, so the result is the same for all isomorphs. Importing this module imports numba.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.bits import ONE, ZERO
from sudoku_bench.datasets.difficulty.board import (
    Board,
    Cells,
    as_array,
    board_tables,
    copy_of,
    count_open,
    empty_board,
    place,
    place_clues,
    propagate,
)
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle

MAX_SETS = 50_000  # more than the sets of three cells of any 9×9 puzzle


@dataclass(frozen=True)
class Backdoor:
    """The backdoor size of a puzzle with one solution; if it is not ``exact``, the true size is larger."""

    size: int
    exact: bool


def backdoor(puzzle: Puzzle, solution: tuple[int, ...]) -> Backdoor:
    """Return the backdoor size of a puzzle, given its only solution.

    Raises:
        ValueError: the solution does not fit the clues.
    """
    cells, solved = as_array(puzzle.cells), as_array(solution)
    if ((cells != solved) & (cells != 0)).any():
        raise ValueError("the solution does not fit the clues")
    size, exact = _backdoor(cells, solved, *board_tables(puzzle.shape), MAX_SETS)
    return Backdoor(int(size), bool(exact))


@njit(nogil=True)
def _backdoor(
    cells: Cells, solution: Cells, units: Cells, peers: Cells, homes: Cells, max_sets: int
) -> tuple[int, bool]:
    board = empty_board(units, peers, homes)
    propagate(board, place_clues(board, cells))
    open_cells = np.nonzero(board.cand & (board.cand - ONE))[0]
    if open_cells.shape[0] == 0:
        return 0, True
    follows = np.zeros((open_cells.shape[0], cells.shape[0]), dtype=np.bool_)
    for i in range(open_cells.shape[0]):
        trial = copy_of(board)
        if _place_value(trial, open_cells[i], solution):
            return 1, True
        follows[i] = (trial.cand & (trial.cand - ONE)) == ZERO
    leaders = _leaders(follows, open_cells)
    number = 2
    sets = leaders.shape[0] * (leaders.shape[0] - 1) // 2
    while sets <= max_sets:
        if _some_set(number, leaders, board, solution):
            return number, True
        sets = sets * (leaders.shape[0] - number) // (number + 1)
        number += 1
    return number - 1, False


@njit()
def _place_value(board: Board, cell: int, solution: Cells) -> bool:
    """Place the solution's value of a cell and all singles that follow; return whether that solves the puzzle."""
    propagate(board, place(board, cell, solution[cell] - 1, 0))
    return count_open(board) == 0


@njit()
def _leaders(follows: NDArray[np.bool_], cells: Cells) -> Cells:
    """Return the cells that follow from no other cell, and the first of those that follow from each other."""
    leaders = np.empty(cells.shape[0], dtype=np.int64)
    count = 0
    for i in range(cells.shape[0]):
        is_led = False
        for j in range(cells.shape[0]):
            if j != i and follows[j, cells[i]] and (j < i or not follows[i, cells[j]]):
                is_led = True
                break
        if not is_led:
            leaders[count] = cells[i]
            count += 1
    return leaders[:count]


@njit()
def _some_set(number: int, leaders: Cells, board: Board, solution: Cells) -> bool:
    """Return whether the values of some set of ``number`` of these cells let singles solve the puzzle."""
    cand = np.empty((number + 1, *board.cand.shape), dtype=np.uint64)  # the state at each depth
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
        if mask & (mask - ONE) == ZERO:  # already decided: a smaller set would suffice
            continue
        depth += 1
        cand[depth], spots[depth] = cand[depth - 1], spots[depth - 1]
        following[depth] = i + 1
        state = Board(cand[depth], spots[depth], board.queue, board.units, board.peers, board.homes)
        if _place_value(state, leaders[i], solution):
            return True
    return False
