"""Checking answers: each kind of wrong answer has its message, and no wrong answer passes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.verify import answer_fault, solution_fault
from tests.datasets.rules import (
    Cells,
    any_cells,
    clue_set,
    empty,
    full_grid,
    is_solution,
    seeds,
    shapes,
    small_shapes,
)

FOUR = Shape(2, 2)
GRID = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
OTHER = (1, 2, 3, 4, 3, 4, 1, 2, 2, 3, 4, 1, 4, 1, 2, 3)
TWO = Puzzle(FOUR, (*GRID[:9], 0, 4, 0, 4, 0, 2, 0))  # has exactly these two solutions
ONE = Puzzle(FOUR, (*GRID[:9], 1, 4, 0, 4, 0, 2, 0))


def changed(cells: Cells, **values: int) -> Cells:
    """Replace some cells: ``r1c2=3``."""
    new = list(cells)
    for place, value in values.items():
        new[(int(place[1]) - 1) * 4 + int(place[3]) - 1] = value
    return tuple(new)


@pytest.mark.parametrize(
    ("puzzle", "answer", "number", "fault"),
    [
        (ONE, [GRID], 1, None),
        (TWO, [GRID, OTHER], 2, None),
        (TWO, [list(OTHER)], 1, None),
        (Puzzle(FOUR, (1, 1) + (0,) * 14), [], 0, None),
        (ONE, [GRID[:-1]], 1, "a solution has 15 cells, not 16"),
        (ONE, [()], 1, "a solution has 0 cells, not 16"),
        (ONE, [OTHER], 1, "a solution has 3 at r3c2, where the clue is 1"),
        (TWO, [GRID, list(GRID)], 2, "the same solution was returned twice"),
        (TWO, [GRID], 2, "1 solution returned, but the puzzle has more (2 expected)"),
        (ONE, [], 1, "0 solutions returned, but the puzzle has more (1 expected)"),
        (TWO, [GRID, OTHER], 1, "2 solutions returned, 1 expected"),
        (TWO, [GRID], 0, "1 solution returned, 0 expected"),
        (TWO, [GRID, changed(OTHER, r4c4=2)], 2, "row 4 of a solution does not contain each digit once"),
    ],
)
def test_the_fault_of_an_answer(puzzle: Puzzle, answer: list[Cells], number: int, fault: str | None) -> None:
    assert answer_fault(puzzle, answer, number) == fault


def test_a_bad_row_column_or_box_is_named() -> None:
    blank = empty(FOUR)
    swapped_in_column = changed(GRID, r1c1=3, r2c1=1)
    assert solution_fault(blank, swapped_in_column) == "row 1 of a solution does not contain each digit once"
    swapped_in_row = changed(GRID, r4c3=1, r4c4=2)
    assert solution_fault(blank, swapped_in_row) == "column 3 of a solution does not contain each digit once"
    latin_square = (1, 2, 3, 4, 2, 3, 4, 1, 3, 4, 1, 2, 4, 1, 2, 3)
    assert solution_fault(blank, latin_square) == "box 1 of a solution does not contain each digit once"


@given(shapes, seeds, st.data())
def test_any_single_changed_cell_is_caught(shape: Shape, seed: int, data: st.DataObject) -> None:
    puzzle, grid = empty(shape), list(full_grid(shape, seed))
    assert solution_fault(puzzle, grid) is None
    cell = data.draw(st.integers(0, shape.n_cells - 1))
    grid[cell] = data.draw(st.integers(-1, shape.size + 1).filter(lambda v: v != grid[cell]))
    assert solution_fault(puzzle, grid) is not None


@given(small_shapes, seeds, seeds)
def test_a_grid_passes_exactly_if_it_obeys_the_rules_and_the_clues(shape: Shape, seed: int, other: int) -> None:
    puzzle = clue_set(shape, seed)
    for grid in (full_grid(shape, seed), full_grid(shape, other), any_cells(shape, other)):
        assert (solution_fault(puzzle, grid) is None) == is_solution(puzzle, grid)
