"""Full grids: valid, nearly uniform, reproducible; Latin squares with balanced holes."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import islice

import numpy as np
import pytest

from sudoku_bench.datasets import Shape
from sudoku_bench.datasets.bits import random_state
from sudoku_bench.datasets.difficulty.board import board_tables
from sudoku_bench.datasets.making.generator import full_grids
from sudoku_bench.datasets.making.grids import FAILED, _dive, latin_square, uniform_grids, with_holes
from sudoku_bench.datasets.verify import solution_fault
from tests.datasets.all_grids import latin_squares
from tests.datasets.rules import empty

FOUR = Shape(2, 2)
RNG_DRAWS = 20
# Felgenhauer & Jarvis (2006) for 9×9; the small ones can be enumerated.
NUMBERS = {FOUR: 288, Shape(1, 4): 576, Shape(2, 3): 28_200_960, Shape(3, 3): 6670903752021072936960}


@pytest.mark.parametrize("shape", NUMBERS)
def test_the_mean_weight_of_dives_estimates_the_number_of_grids(shape: Shape) -> None:
    state, grid = random_state(random.Random(1).getrandbits(63)), np.empty(shape.n_cells, dtype=np.int64)
    logarithms = [_dive(*board_tables(shape), state, grid) for _ in range(20_000)]
    weights = np.array([0.0 if weight == FAILED else math.exp(weight) for weight in logarithms])
    error = weights.std() / np.sqrt(len(weights))
    assert abs(weights.mean() - NUMBERS[shape]) < 4 * error
    assert error < 0.02 * NUMBERS[shape]


def chi_square(steps: int, each: int = 15) -> float:
    grids = Counter(grid.cells for grid in islice(uniform_grids(FOUR, random.Random(5), steps), 288 * each))
    return sum((number - each) ** 2 / each for number in grids.values()) + each * (288 - len(grids))


def test_the_grids_of_the_small_board_are_uniform_after_some_steps_of_the_chain() -> None:
    """χ² has 287 degrees of freedom, so it lies within 287 ± 96 (four standard deviations) if they are uniform."""
    assert 191 < chi_square(20) < 383
    assert chi_square(0) > 500  # the test would see what a search alone does


@pytest.mark.parametrize("shape", [FOUR, Shape(2, 3), Shape(3, 3), Shape(4, 4)])
def test_grids_are_valid_and_depend_on_the_seed_only(shape: Shape) -> None:
    grids = list(islice(full_grids(shape, "7"), 3))
    assert [solution_fault(empty(shape), grid.cells) for grid in grids] == [None] * 3
    assert grids == list(islice(full_grids(shape, "7"), 3))
    assert len(set(grids)) == 3


def test_latin_squares_of_order_4_are_equally_likely() -> None:
    rng = random.Random(1)
    drawn = Counter(latin_square(4, rng).cells for _ in range(576 * RNG_DRAWS))
    assert drawn.keys() == set(latin_squares())
    chi_squared = sum((number - RNG_DRAWS) ** 2 / RNG_DRAWS for number in drawn.values())
    assert 450 < chi_squared < 715  # 575 degrees of freedom: about the central 99.98%


@pytest.mark.parametrize("holes", [1, 30, 41, 331, 899])
def test_holes_are_balanced(holes: int) -> None:
    rng = random.Random(2)
    square = latin_square(30, rng)
    assert not any(square.clashes())
    puzzle = with_holes(square, holes, rng)
    assert puzzle.cells.count(0) == holes
    assert all(cell in (0, value) for cell, value in zip(puzzle.cells, square.cells, strict=True))
    for lines in (puzzle.shape.rows, puzzle.shape.columns):
        numbers = [sum(not puzzle.cells[cell] for cell in line) for line in lines]
        assert max(numbers) - min(numbers) <= 1
