"""Puzzles: text, borders, clashes."""

from __future__ import annotations

import pytest
from hypothesis import given

from sudoku_bench.datasets import Puzzle, Shape
from tests.datasets.rules import PRINTED, any_cells, board, seeds, shapes, units

NINE = Shape(3, 3)
TEXT, SOLVED = PRINTED["000a"]

# As document 000 prints it.
GRID = """\
173|529|864
694|138|752
285|476|319
---+---+---
567|294|138
428|713|596
319|865|427
---+---+---
951|647|283
846|352|971
732|981|645"""


def with_clues(shape: Shape, clues: dict[tuple[int, int], int]) -> Puzzle:
    """A puzzle with these clues at (row, column), from 1."""
    cells = [0] * shape.n_cells
    for (row, column), digit in clues.items():
        cells[(row - 1) * shape.size + column - 1] = digit
    return Puzzle(shape, tuple(cells))


def test_a_bordered_grid_looks_as_the_source_prints_it() -> None:
    assert board(SOLVED).bordered == GRID


@given(shapes, seeds)
def test_a_bordered_grid_without_its_borders_is_the_text(shape: Shape, seed: int) -> None:
    puzzle = Puzzle(shape, any_cells(shape, seed))
    assert puzzle.bordered.translate(str.maketrans("", "", "|+-\n")) == puzzle.text
    assert len({len(line) for line in puzzle.bordered.splitlines()}) == 1


@pytest.mark.parametrize("number", [0, 1, 80, 82, 729])
def test_another_number_of_cells_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"9x9 board has 81 cells, not {number}"):
        Puzzle(NINE, (0,) * number)


@pytest.mark.parametrize("value", [-1, 10, 255, 256])
def test_a_cell_is_empty_or_a_digit_of_the_board(value: int) -> None:
    with pytest.raises(ValueError, match="1 to 9"):
        Puzzle(NINE, (0,) * 80 + (value,))


@given(shapes, seeds)
def test_cells_are_the_same_from_a_tuple_and_from_bytes(shape: Shape, seed: int) -> None:
    cells = tuple(any_cells(shape, seed))
    puzzles = [Puzzle(shape, cells), Puzzle(shape, list(cells)), Puzzle(shape, bytes(cells))]
    assert len(set(puzzles)) == 1
    for puzzle in puzzles:
        assert puzzle.cells == cells
        assert puzzle.cell_bytes == bytes(cells)
        assert puzzle.clues == sum(value > 0 for value in cells)


def test_the_largest_boards_are_those_whose_digits_fit_into_a_byte() -> None:
    largest = Shape(2, 127)
    assert Puzzle(largest, (254,) * largest.n_cells).clues == 254**2
    with pytest.raises(ValueError, match="the largest has 254 rows"):
        Puzzle(Shape(16, 16), (0,) * 256**2)


@pytest.mark.parametrize(
    ("clues", "expected"),
    [
        ({(2, 1): 7, (2, 9): 7}, "7 occurs 2 times in row 2 (r2c1 and r2c9)"),
        ({(1, 4): 3, (9, 4): 3}, "3 occurs 2 times in column 4 (r1c4 and r9c4)"),
        ({(4, 7): 5, (6, 9): 5}, "5 occurs 2 times in box 6 (r4c7 and r6c9)"),
        ({(1, 1): 1, (1, 5): 1, (1, 9): 1}, "1 occurs 3 times in row 1 (r1c1 and r1c5 and r1c9)"),
    ],
)
def test_a_clash_names_digit_unit_and_cells(clues: dict[tuple[int, int], int], expected: str) -> None:
    assert list(with_clues(NINE, clues).clashes()) == [expected]


@given(shapes, seeds)
def test_there_are_as_many_clashes_as_digits_repeated_in_a_unit(shape: Shape, seed: int) -> None:
    puzzle = Puzzle(shape, any_cells(shape, seed))
    unit_values = [[puzzle.cells[c] for c in unit] for unit in units(shape)]
    repeated = sum(values.count(v) > 1 for values in unit_values for v in range(1, shape.size + 1))
    assert len(list(puzzle.clashes())) == repeated
