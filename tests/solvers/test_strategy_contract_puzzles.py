"""The puzzles of the contract test have the properties in their names."""

from __future__ import annotations

import pytest

from sudoku_bench.datasets import search
from sudoku_bench.datasets.puzzle import Puzzle

SHAPES = ("4x4", "6x6", "6x6 (3x2 boxes)", "9x9", "16x16")
SOLUTIONS = {"easy": 1, "hard": 1, "full": 1, "two_solutions": 2}  # of others 0 or many


@pytest.fixture(params=SHAPES)
def kinds(request, puzzles):
    return puzzles[request.param]


def test_every_shape_is_tested(puzzles):
    assert tuple(puzzles) == SHAPES
    assert [puzzle.shape.name for kinds in puzzles.values() for puzzle in list(kinds.values())[:1]] == list(SHAPES)


def test_numbers_of_solutions(kinds):
    for kind, puzzle in kinds.items():
        n_solutions = len(search.solve(puzzle, limit=10).solutions)
        contradictory = kind.startswith("same_clue") or kind in ("cell_without_candidates", "deep_contradiction")
        assert n_solutions == SOLUTIONS.get(kind, 0 if contradictory else 10), kind


def test_contradictions_are_of_three_kinds(kinds):
    for kind, puzzle in kinds.items():
        clashes = list(puzzle.clashes())
        if kind.startswith("same_clue"):
            assert len(clashes) == 1, kind
            assert f" {kind.rpartition('_')[2]} " in clashes[0], kind
        else:
            assert clashes == [], kind
        if kind in ("cell_without_candidates", "deep_contradiction"):
            assert has_cell_without_candidates(puzzle) == (kind == "cell_without_candidates"), kind


def test_puzzles_that_should_need_search_need_it(kinds):
    for kind in {"two_solutions", "deep_contradiction"} & set(kinds):
        assert all(search.solve(kinds[kind], seed=seed).guesses for seed in range(10)), kind
    assert search.solve(kinds["easy"]).guesses == 0


def test_the_hard_9x9_puzzle_takes_guesses(puzzles):
    assert min(search.count_guesses(puzzles["9x9"]["hard"], orders=10, seed=0, max_guesses=1000)) > 1


def has_cell_without_candidates(puzzle: Puzzle) -> bool:
    seen = [{puzzle.cells[peer] for peer in peers} - {0} for peers in puzzle.shape.peers]
    return any(not clue and len(digits) == puzzle.shape.size for clue, digits in zip(puzzle.cells, seen, strict=True))
