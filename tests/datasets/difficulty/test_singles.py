"""Cells that singles and locked candidates leave open, against the definition, for boards of several shapes."""

from __future__ import annotations

import pytest

from datasets import Shape
from datasets.difficulty.singles import Unsolved, unsolved
from datasets.isomorphs import form, isomorph
from tests.datasets.difficulty.slow_logic import SMALL_CASES, SMALL_SHAPES, minimal, printed, unsolved_cells
from tests.datasets.rules import PRINTED, board, clue_set


@pytest.mark.parametrize(("shape", "seed"), SMALL_CASES)
def test_small_boards_are_measured_as_defined(shape: Shape, seed: int) -> None:
    puzzle, _ = minimal(shape, seed)
    assert unsolved(puzzle) == Unsolved(*unsolved_cells(puzzle))


@pytest.mark.parametrize("name", PRINTED)
def test_printed_puzzles_are_measured_as_defined(name: str) -> None:
    puzzle, _ = printed(name)
    assert unsolved(puzzle) == Unsolved(*unsolved_cells(puzzle))


def test_a_puzzle_that_singles_solve_has_no_open_cells() -> None:
    assert unsolved(printed("000a")[0]) == Unsolved(0, 0)


def test_contradictory_clues_have_no_measure() -> None:
    assert unsolved(board("11" + "." * 14)) is None
    assert unsolved(board("123." + "...4" + "." * 8)) is None  # the last cell of row 1 has no candidate


@pytest.mark.parametrize("shape", [*SMALL_SHAPES, Shape(3, 3), Shape(3, 4)])
def test_puzzles_of_any_kind_are_measured(shape: Shape) -> None:
    for seed in range(20):
        puzzle = clue_set(shape, seed)
        open_cells = unsolved(puzzle)
        if open_cells is not None:
            assert 0 <= open_cells.locked <= open_cells.singles <= shape.n_cells - puzzle.clues


@pytest.mark.parametrize("shape", [Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 4)])
def test_forms_of_a_puzzle_have_the_same_measure(shape: Shape) -> None:
    for seed in range(3):
        puzzle, _ = minimal(shape, seed)
        for number in range(1, 5):
            assert unsolved(form(puzzle, isomorph(seed, puzzle, number))) == unsolved(puzzle)
