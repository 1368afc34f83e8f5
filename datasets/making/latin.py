"""Latin squares from the uniform distribution, and quasigroups with holes.

The chain of Jacobson & Matthews (1996) walks over the incidence cube of a square: one for each row, column and value
that meet, else zero. A move adds and subtracts ones at the corners of a box in the cube. That may leave an *improper*
cube with a single -1, from which the walk goes on. Squares are uniformly distributed if the walk stops after a fixed
number of *proper* ones; "so many moves, then the first proper square" prefers squares beside many improper cubes.
Here ``n³`` proper squares follow the cyclic one; that this mixes is not proven.

Holes are balanced (Kautz et al. 2001), so that rows and columns have equally many, up to one; or random. Importing this
module imports numba.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.bits import RandomState, random_below, random_state
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.layouts import LATIN
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape


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


def with_random_holes(square: Puzzle, holes: int, rng: random.Random) -> Puzzle:
    """Return a Latin square with this many empty cells, each set of cells with the same probability."""
    cells = list(square.cells)
    for cell in rng.sample(range(len(cells)), holes):
        cells[cell] = 0
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
    for place in range(line.shape[0]):
        if line[place] == 1:
            if skipped == 0:
                return place
            skipped -= 1
    return -1
