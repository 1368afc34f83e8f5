"""Walks from easy 9×9 puzzles towards puzzles that locked candidates and look-ahead solve late, or not at all.

A step changes one or two clues as mining does (``datasets.making.mining``). Its score is the number of look-aheads that
are made before no further one leads to a contradiction, plus ``WEIGHT`` times the candidates that are then left in open
cells (none for most puzzles). A step to a lower score is accepted with a probability that falls as the walk goes on
(simulated annealing: Kirkpatrick, Gelatt & Vecchi 1983).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from datasets.bits import RandomState, popcount, random_below, random_state
from datasets.difficulty.board import Board, Cells, board_tables, copy_of, empty_board, place_clues, propagate
from datasets.difficulty.lookahead import NO_LIMIT_OF_TRIES, look_ahead
from datasets.difficulty.singles import eliminate_locked
from datasets.kernels import njit
from datasets.making.bands import Flags, Words, Workspace, make_workspace
from datasets.making.mining import NINE, change
from datasets.puzzle import Puzzle

WEIGHT = 5
FIRST_TEMPERATURE, LAST_TEMPERATURE = 0.3, 0.12  # of the logarithm of the score
UNIT = 1 << 31  # random fractions are multiples of 1 / UNIT


def residual(puzzle: Puzzle) -> int:
    """Return the candidates in open cells of a 9×9 puzzle that locked candidates and look-ahead leave."""
    board = empty_board(*board_tables(NINE))
    return int(remaining(np.array(puzzle.cells, dtype=np.int64), board, copy_of(board), np.zeros(1, dtype=np.int64)))


def climb(puzzle: Puzzle, solution: tuple[int, ...], seed: int, steps: int, every: int) -> list[Puzzle]:
    """Walk this many steps from a minimal puzzle; return where the walk is after each ``every`` steps."""
    grid = np.array(solution, dtype=np.int64)
    given = np.array(puzzle.cells, dtype=np.int64) > 0
    board = empty_board(*board_tables(NINE))
    stops = np.zeros((steps // every, NINE.n_cells), dtype=np.int64)
    _climb(grid, given, every, stops, random_state(seed), make_workspace(), board, copy_of(board))
    return [Puzzle(NINE, tuple(cells)) for cells in stops.tolist()]


@njit()
def _climb(
    grid: Words,
    given: Flags,
    every: int,
    stops: NDArray[np.int64],
    state: RandomState,
    workspace: Workspace,
    board: Board,
    trial: Board,
) -> None:
    other, to_grid, to_given = np.empty_like(grid), np.empty_like(grid), np.empty_like(given)
    steps = every * stops.shape[0]
    score, cooling = 0.0, LAST_TEMPERATURE / FIRST_TEMPERATURE
    tries = np.zeros(1, dtype=np.int64)
    for step in range(1, steps + 1):
        to_grid[:], to_given[:] = grid, given
        change(to_grid, to_given, state, workspace, other)
        left = remaining(to_grid * to_given, board, trial, tries)
        new = math.log(10.0 + tries[0] + WEIGHT * left)
        temperature = FIRST_TEMPERATURE * cooling ** (step / steps)
        if random_below(state, UNIT) < UNIT * math.exp(min(0.0, (new - score) / temperature)):
            grid[:], given[:] = to_grid, to_given
            score = new
        if step % every == 0:
            stops[step // every - 1] = grid * given


@njit()
def remaining(cells: Cells, board: Board, trial: Board, tries: Cells) -> int:
    """Count the candidates that locked candidates and look-ahead leave in open cells; look-aheads in ``tries[0]``."""
    board.cand[:] = (np.uint64(1) << np.uint64(board.units.shape[1])) - np.uint64(1)
    board.spots[:] = board.cand[0]
    tries[0] = 0
    consistent, before, now = propagate(board, place_clues(board, cells)), -1, 0
    while consistent and now != before:
        before = now
        consistent = propagate(board, eliminate_locked(board))
        if consistent:
            look_ahead(board, trial, tries, NO_LIMIT_OF_TRIES)
            now = _candidates(board)
    return now


@njit()
def _candidates(board: Board) -> int:
    total = 0
    for mask in board.cand:
        number = popcount(mask)
        if number > 1:
            total += number
    return total
