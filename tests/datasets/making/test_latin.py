"""Latin squares with holes and pencilmarks of our own: uniform, balanced, minimal."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.making.latin import latin_square, with_holes
from sudoku_bench.datasets.making.pencilmarks import minimal_pencilmarks
from sudoku_bench.datasets.search import solve
from tests.datasets.all_grids import FURTHER, latin_squares

RNG_DRAWS = 20


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


@pytest.mark.parametrize("layout", FURTHER)
def test_pencilmarks_have_one_solution_and_each_is_needed(layout: str) -> None:
    puzzle = minimal_pencilmarks(Shape.of_size(4, layout), random.Random(3))
    assert len(solve(puzzle).solutions) == 1
    masks = puzzle.board.candidates
    for cell, mask in enumerate(masks):
        for value in range(4):
            if not mask >> value & 1:
                more = (*masks[:cell], mask | 1 << value, *masks[cell + 1 :])
                assert len(solve(Puzzle.of_candidates(puzzle.shape, more)).solutions) == 2
