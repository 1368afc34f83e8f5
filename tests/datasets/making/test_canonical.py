"""Canonical forms: one for each class of isomorphs, the first one in lexicographic order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.isomorphs import form, random_isomorph
from sudoku_bench.datasets.making.canonical import canonical, has_canonical
from sudoku_bench.datasets.search import solve
from tests.datasets.rules import PRINTED, Cells, board, empty, seeds

FEASIBLE = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4), Shape(3, 3), Shape(2, 5), Shape(3, 4), Shape(4, 3)]


def holes(shape: Shape, seed: int) -> Puzzle:
    """A random full grid with few, some or many empty cells, or none."""
    rng = random.Random(seed)
    grid = solve(empty(shape), limit=1, seed=seed).solutions[0]
    share = rng.choice([0.05, 0.2, 0.4, 0.8, 1.0])
    return Puzzle(shape, tuple(v if rng.random() < share else 0 for v in grid))


def arrangements(width: int, groups: int) -> Iterator[list[int]]:
    for order in permutations(range(groups)):
        for within in product(permutations(range(width)), repeat=groups):
            yield [group * width + k for group in order for k in within[group]]


def first_of_all(puzzle: Puzzle) -> Cells:
    """The least isomorph by trying every arrangement, with digits labelled in order of appearance."""
    shape, n = puzzle.shape, puzzle.shape.size
    boards = [[puzzle.cells[k : k + n] for k in range(0, n * n, n)]]
    if shape.box_rows == shape.box_cols:
        boards.append(list(zip(*boards[0], strict=True)))
    isomorphs = []
    columns = list(arrangements(shape.box_cols, n // shape.box_cols))
    for rows in arrangements(shape.box_rows, n // shape.box_rows):
        for cells, column in product(boards, columns):
            names = {0: 0}
            isomorphs.append(tuple(names.setdefault(cells[r][c], len(names)) for r in rows for c in column))
    return min(isomorphs)


@settings(max_examples=60)
@given(st.sampled_from([Shape(2, 2), Shape(1, 3), Shape(3, 1)]), seeds)
def test_it_is_the_first_of_all_isomorphs(shape: Shape, seed: int) -> None:
    puzzle = holes(shape, seed)
    assert canonical(puzzle).cells == first_of_all(puzzle)


@pytest.mark.parametrize(("shape", "seed"), [(Shape(2, 3), 1), (Shape(2, 3), 5), (Shape(3, 2), 2), (Shape(3, 2), 4)])
def test_it_is_the_first_of_all_isomorphs_with_wide_and_high_boxes(shape: Shape, seed: int) -> None:
    puzzle = holes(shape, seed)
    assert canonical(puzzle).cells == first_of_all(puzzle)


@given(st.sampled_from(FEASIBLE), seeds)
def test_isomorphs_have_the_same_canonical_form_which_is_one_of_them(shape: Shape, seed: int) -> None:
    puzzle = holes(shape, seed)
    least = canonical(puzzle)
    assert canonical(form(puzzle, random_isomorph(shape, random.Random(seed)))) == least
    assert canonical(least) == least
    assert least.cells <= puzzle.cells or max(puzzle.cells) == 0
    assert least.clues == puzzle.clues
    assert len(solve(least, limit=3).solutions) == len(solve(puzzle, limit=3).solutions)


@pytest.mark.parametrize("cells", [{}, {0: 1}, {0: 1, 33: 1}, {0: 1, 40: 2, 80: 3}])
@pytest.mark.parametrize("shape", [Shape(3, 3), Shape(2, 5), Shape(3, 4)])
def test_boards_with_few_clues_take_no_longer(shape: Shape, cells: dict[int, int]) -> None:
    """A naive search would try each of the many ways to exchange empty rows."""
    puzzle = Puzzle(shape, tuple(cells.get(cell, 0) for cell in range(shape.n_cells)))
    least = canonical(puzzle)
    assert least == canonical(form(puzzle, random_isomorph(shape, random.Random(1))))


def test_every_full_grid_of_the_small_board_is_one_of_two() -> None:
    """288 grids in two classes, of 96 and 192 (the orbits under 128 arrangements and 24 labellings of digits)."""
    forms = [canonical(Puzzle(Shape(2, 2), cells)) for cells in solve(empty(Shape(2, 2)), limit=300).solutions]
    assert sorted(forms.count(one) for one in set(forms)) == [96, 192]


def test_a_further_clue_gives_another_class() -> None:
    puzzle = board(PRINTED["001"][0])
    solution = solve(puzzle).solutions[0]
    others = {
        canonical(Puzzle(puzzle.shape, (*puzzle.cells[:cell], solution[cell], *puzzle.cells[cell + 1 :]))).text
        for cell in range(81)
        if not puzzle.cells[cell]
    }
    assert canonical(puzzle).text not in others
    assert len(others) == 60  # 21 clues; this puzzle has no symmetry


def test_a_digit_twice_in_a_row_or_column_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        canonical(Puzzle(Shape(2, 2), (1, 0, 1, *[0] * 13)))
    with pytest.raises(ValueError, match="twice"):
        canonical(Puzzle(Shape(2, 2), (1, 0, 0, 0) * 4))


def test_boards_that_are_too_large_are_refused() -> None:
    assert all(map(has_canonical, FEASIBLE))
    assert not has_canonical(Shape(4, 4))
    with pytest.raises(ValueError, match="16x16"):
        canonical(empty(Shape(4, 4)))
