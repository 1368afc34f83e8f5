"""The puzzles of the contract test have the properties in their names."""

from __future__ import annotations

import pytest

from sudoku_bench.datasets import search

SHAPES = ("4x4", "6x6", "6x6 (3x2 boxes)", "9x9", "16x16")
SOLUTIONS = {"easy": 1, "hard": 1, "full": 1, "two_solutions": 2}  # of others 0 or many


@pytest.fixture(params=SHAPES)
def kinds(request, puzzles):
    return puzzles[request.param]


def test_numbers_of_solutions(kinds):
    for kind, puzzle in kinds.items():
        n_solutions = len(search.solve(puzzle, limit=10).solutions)
        contradictory = kind.startswith("same_clue") or kind in ("cell_without_candidates", "deep_contradiction")
        assert n_solutions == SOLUTIONS.get(kind, 0 if contradictory else 10), kind


def test_puzzles_that_should_need_search_need_it(kinds):
    for kind in {"two_solutions", "deep_contradiction"} & set(kinds):
        assert all(search.solve(kinds[kind], seed=seed).guesses for seed in range(10)), kind
    assert search.solve(kinds["easy"]).guesses == 0
