"""Full grids from (nearly) the uniform distribution, and Latin squares with holes.

A *dive* fills an empty board: it branches on the first cell with the fewest candidates, takes one at random, and places
the singles that follow; a contradiction ends it. Only one sequence of choices leads to a grid, so the probability of a
grid is the inverse of the product of the numbers of candidates at the branches. That product estimates the number of
grids without bias (Knuth 1975), and is the weight by which dives are drawn again: an independence chain (Hastings 1970)
accepts a dive with the ratio of its weight to that of the present grid, so that uniform grids stay uniform.

The chain starts at a dive and takes ``STEPS`` further ones. Its distance from the uniform distribution (total
variation) is at most (1 - 1/M)^STEPS, where M is the largest weight relative to the mean weight (Mengersen & Tweedie
1996): 1.3 for 4×4, 2.8 for 6×6, and for 9×9 at least 112 (in 300,000 dives), which leaves 17%.

*Latin squares*: the chain of Jacobson & Matthews (1996) walks over the incidence cube of a square: one for each row,
column and value that meet, else zero. A move adds and subtracts ones at the corners of a box in the cube. That may
leave an *improper* cube with a single -1, from which the walk goes on. Squares are uniformly distributed if the walk
stops after a fixed number of *proper* ones; "so many moves, then the first proper square" prefers squares beside many
improper cubes. Here ``n³`` proper squares follow the cyclic one; that this mixes is not proven.

Holes are balanced (Kautz et al. 2001), so that rows and columns have equally many, up to one; or random. Importing this
module imports numba.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.bits import ONE, RandomState, bit_index, popcount, random_below, random_bit, random_state
from sudoku_bench.datasets.difficulty.board import Board, Cells, board_tables, empty_board, place, propagate
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.layouts import LATIN
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


def latin_square(size: int, rng: random.Random) -> Puzzle:
    """Return a random Latin square."""
    values = _walk(size, size**3, random_state(rng.getrandbits(63)))
    return Puzzle(Shape.of_size(size, LATIN), values.ravel().tolist())


def with_holes(square: Puzzle, holes: int, rng: random.Random) -> Puzzle:
    """Return a Latin square with this many empty cells, as many in each row and column as in others, or one more."""
    n, cells = square.shape.size, list(square.cells)
    while holes:
        count = min(n, holes)
        for cell in _transversal([cell for cell, value in enumerate(cells) if value], n, count, rng):
            cells[cell] = 0
        holes -= count
    return Puzzle(square.shape, cells)


def _transversal(filled: list[int], n: int, count: int, rng: random.Random) -> list[int]:
    """Return random filled cells, no two in a row or column; begin again whenever none is left to choose."""
    while True:
        chosen, rows, columns = list[int](), set[int](), set[int]()
        rng.shuffle(filled)
        for cell in filled:
            if len(chosen) < count and cell // n not in rows and cell % n not in columns:
                chosen.append(cell)
                rows.add(cell // n)
                columns.add(cell % n)
        if len(chosen) == count:
            return chosen


@njit()
def _walk(n: int, proper_squares: int, state: RandomState) -> NDArray[np.int64]:
    """Return the values 1 .. n after a walk from the cyclic square."""
    cube = np.zeros((n, n, n), dtype=np.int8)
    for r in range(n):
        for c in range(n):
            cube[r, c, (r + c) % n] = 1
    r, c, s, left, is_proper = 0, 0, 0, proper_squares, True
    while left:
        if is_proper:
            r, c, s = random_below(state, n), random_below(state, n), random_below(state, n)
            if cube[r, c, s]:
                continue
        r2 = _one(cube[:, c, s], is_proper, state)
        c2 = _one(cube[r, :, s], is_proper, state)
        s2 = _one(cube[r, c, :], is_proper, state)
        cube[r, c, s] += 1
        cube[r, c2, s2] += 1
        cube[r2, c, s2] += 1
        cube[r2, c2, s] += 1
        cube[r2, c, s] -= 1
        cube[r, c2, s] -= 1
        cube[r, c, s2] -= 1
        cube[r2, c2, s2] -= 1
        is_proper = cube[r2, c2, s2] == 0
        if is_proper:
            left -= 1
        r, c, s = r2, c2, s2
    values = np.empty((n, n), dtype=np.int64)
    for r in range(n):
        for c in range(n):
            values[r, c] = _one(cube[r, c, :], True, state) + 1
    return values


@njit()
def _one(line: Any, is_proper: bool, state: RandomState) -> int:
    """Return the place of the only one on a line of the cube; of an improper cube a random one of the two."""
    skipped = 0 if is_proper else random_below(state, 2)
    for k in range(line.shape[0]):
        if line[k] == 1:
            if skipped == 0:
                return k
            skipped -= 1
    return -1
