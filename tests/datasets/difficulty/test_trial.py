"""The trial-and-error rating against its definition, for boards of several shapes."""

from __future__ import annotations

import numpy as np
import pytest

from datasets import Shape
from datasets.difficulty.board import board_tables
from datasets.difficulty.trial import Trial, trial, trial_kernel
from datasets.isomorphs import form, isomorph
from tests.datasets.difficulty.slow_logic import SMALL_CASES, minimal, printed, trial_and_error
from tests.datasets.rules import PRINTED

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("shape", "seed"), SMALL_CASES)
def test_small_boards_are_rated_as_defined(shape: Shape, seed: int) -> None:
    puzzle, solution = minimal(shape, seed)
    rating = trial(puzzle, solution)
    assert (rating.rounds, rating.depth) == trial_and_error(puzzle)


@pytest.mark.parametrize("name", PRINTED)
def test_printed_puzzles_are_rated_as_defined(name: str) -> None:
    puzzle, solution = printed(name)
    rating = trial(puzzle, solution)
    assert (rating.rounds, rating.depth) == trial_and_error(puzzle)


def test_singles_alone_need_no_trial() -> None:
    puzzle, solution = printed("000a")
    assert trial(puzzle, solution) == Trial(0, 1)


def test_the_solution_avoids_trials_and_changes_nothing() -> None:
    for name in PRINTED:
        puzzle, solution = printed(name)
        no_solution = np.zeros(81, dtype=np.int64)
        rounds, depth = trial_kernel(np.array(puzzle.cells), no_solution, *board_tables(puzzle.shape))
        assert Trial(int(rounds), int(depth)) == trial(puzzle, solution)


def test_the_solution_of_another_puzzle_is_refused() -> None:
    puzzle, _ = printed("000a")
    with pytest.raises(ValueError, match="does not fit the clues"):
        trial(puzzle, printed("000b")[1])


@pytest.mark.parametrize("shape", [Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 4)])
def test_forms_of_a_puzzle_have_the_same_rating(shape: Shape) -> None:
    for seed in range(3):
        puzzle, solution = minimal(shape, seed)
        for number in range(1, 5):
            symmetry = isomorph(seed, puzzle, number)
            assert trial(form(puzzle, symmetry), symmetry.apply(solution)) == trial(puzzle, solution)
