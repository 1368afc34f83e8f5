"""Full grids from (nearly) the uniform distribution, for boards of every shape.

A *dive* fills an empty board: it branches on the first cell with the fewest candidates, takes one at random, and places
the singles that follow; a contradiction ends it. Only one sequence of choices leads to a grid, so the probability of a
grid is the inverse of the product of the numbers of candidates at the branches. That product estimates the number of
grids without bias (Knuth 1975), and is the weight by which dives are drawn again: an independence chain (Hastings 1970)
accepts a dive with the ratio of its weight to that of the present grid, so that uniform grids stay uniform.

The chain starts at a dive and takes ``STEPS`` further ones. Its distance from the uniform distribution (total
variation) is at most (1 - 1/M)^STEPS, where M is the largest weight relative to the mean weight (Mengersen & Tweedie
1996). docs/collections.md has estimates of M.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np

from sudoku_bench.datasets.bits import ONE, RandomState, bit_index, popcount, random_below, random_bit, random_state
from sudoku_bench.datasets.difficulty.board import Board, Cells, board_tables, empty_board, place, propagate
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

STEPS = 200
FAILED = -1.0
UNIT = 1 << 31  # random fractions are multiples of 1 / UNIT; random numbers of ``datasets/bits`` have 31 bits


def uniform_grids(shape: Shape, rng: random.Random, steps: int = STEPS) -> Iterator[Puzzle]:
    """Yield independent full grids without end, each by a chain of its own."""
    out = np.empty(shape.n_cells, dtype=np.int64)
    while True:
        _chain(*board_tables(shape), random_state(rng.getrandbits(63)), steps, out)
        yield Puzzle(shape, tuple(out.tolist()))


@njit()
def _chain(units: Cells, peers: Cells, homes: Cells, state: RandomState, steps: int, grid: Cells) -> None:
    """Run an independence chain of dives; write the last grid to ``grid``."""
    other, log_weight = np.empty_like(grid), FAILED
    while log_weight == FAILED:
        log_weight = _dive(units, peers, homes, state, grid)
    for _ in range(steps):
        other_weight = _dive(units, peers, homes, state, other)
        if other_weight != FAILED and random_below(state, UNIT) < UNIT * math.exp(min(0.0, other_weight - log_weight)):
            grid[:] = other
            log_weight = other_weight


@njit()
def _dive(units: Cells, peers: Cells, homes: Cells, state: RandomState, out: Cells) -> float:
    """Write a full grid to ``out`` and return the logarithm of its weight; ``FAILED`` on a contradiction."""
    board, log_weight = empty_board(units, peers, homes), 0.0
    while True:
        cell, number = _fewest(board)
        if cell < 0:
            break
        log_weight += math.log(number)
        if not propagate(board, place(board, cell, bit_index(random_bit(board.cand[cell], state)), 0)):
            return FAILED
    for cell in range(out.shape[0]):
        out[cell] = bit_index(board.cand[cell]) + 1
    return log_weight


@njit()
def _fewest(board: Board) -> tuple[int, int]:
    """Return the first open cell with the fewest candidates, and their number; -1 if no cell is open."""
    best, fewest = -1, board.units.shape[1] + 1
    for cell in range(board.cand.shape[0]):
        mask = board.cand[cell]
        if mask & (mask - ONE):
            number = popcount(mask)
            if number < fewest:
                best, fewest = cell, number
    return best, fewest
