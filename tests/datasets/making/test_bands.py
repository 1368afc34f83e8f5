"""The kernel for 9×9 boards against the reference kernel: guesses, and whether there is another solution."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.bits import random_state
from sudoku_bench.datasets.making.bands import guesses_sum, make_workspace, other_solution
from sudoku_bench.datasets.making.generator import full_grid, strip
from sudoku_bench.datasets.making.tiers import NINE
from sudoku_bench.datasets.search import count_guesses, solve
from tests.datasets.rules import PRINTED, board


def arrays(puzzle: Puzzle) -> tuple[np.ndarray, np.ndarray]:
    return np.array(solve(puzzle, limit=1).solutions[0]), np.array(puzzle.cells) > 0


@pytest.mark.parametrize("name", ["000b", "001", "004"])
def test_the_two_kernels_count_the_same_guesses_on_average(name: str) -> None:
    puzzle = board(PRINTED[name][0])
    counts = count_guesses(puzzle, 1000, 1, 10**6)
    mean = guesses_sum(*arrays(puzzle), 1000, random_state(1), make_workspace()) / 1000
    assert abs(mean - counts.mean()) < 5 * counts.std() * (2 / 1000) ** 0.5


def test_the_two_kernels_agree_on_other_solutions() -> None:
    rng = random.Random(1)
    state, workspace, other = random_state(1), make_workspace(), np.zeros(81, dtype=np.int64)
    answers = []
    for _ in range(60):
        grid = full_grid(NINE, rng)
        cells = list(strip(grid, rng, clues=26).cells)
        for clue in rng.sample([c for c in range(81) if cells[c]], rng.randint(0, 3)):
            cells[clue] = 0
        given = np.array(cells) > 0
        answers.append(other_solution(np.array(grid.cells), given, state, workspace, other))
        assert answers[-1] == (len(solve(Puzzle(NINE, tuple(cells))).solutions) == 2)
        if answers[-1]:
            assert (other != np.array(grid.cells)).any()
            assert Puzzle(NINE, tuple(other.tolist())).clues == 81
            assert not list(Puzzle(NINE, tuple(other.tolist())).clashes())
            assert (other[given] == np.array(cells)[given]).all()
    assert {True, False} == set(answers)
