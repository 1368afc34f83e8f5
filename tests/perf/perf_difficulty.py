"""Speed of the measures of difficulty on one core: ``make perf`` prints puzzles per CPU second as OPS.

Each round rates another puzzle of the embedded tier expert. No test depends on a time; expect at least 200 puzzles per
second each for guesses, trial and error, and the explainer scale.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.difficulty.backdoor import backdoor
from sudoku_bench.datasets.difficulty.explainer import explain
from sudoku_bench.datasets.difficulty.rating import guesses, rate
from sudoku_bench.datasets.difficulty.singles import unsolved
from sudoku_bench.datasets.difficulty.trial import trial
from sudoku_bench.datasets.search import solve

PUZZLES = [item.puzzle for item in catalogue.load("expert").items]
SOLUTIONS = {puzzle: solve(puzzle).solutions[0] for puzzle in PUZZLES}

pytestmark = pytest.mark.benchmark(group="difficulty: OPS = puzzles per CPU second", timer=time.process_time)


@pytest.fixture
def each(benchmark: Any) -> Callable[[Callable[[Puzzle], object]], None]:
    """Time a measure on each puzzle in turn."""

    def run(measure: Callable[[Puzzle], object]) -> None:
        measure(PUZZLES[0])  # compiles
        puzzles = iter(PUZZLES)
        benchmark.pedantic(measure, setup=lambda: ((next(puzzles),), {}), rounds=len(PUZZLES), iterations=1)

    return run


def test_guesses_with_30_orders(each) -> None:
    each(lambda puzzle: guesses(puzzle, 1))


def test_trial_and_error(each) -> None:
    each(lambda puzzle: trial(puzzle, SOLUTIONS[puzzle]))


def test_explainer_scale(each) -> None:
    each(explain)


def test_backdoor(each) -> None:
    each(lambda puzzle: backdoor(puzzle, SOLUTIONS[puzzle]))


def test_unsolved_cells(each) -> None:
    each(unsolved)


def test_all_measures(each) -> None:
    each(lambda puzzle: rate(puzzle, 1))
