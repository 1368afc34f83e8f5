"""Walks towards puzzles that locked candidates and look-ahead solve late, or not at all."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from datasets import Shape
from datasets.collections.catalogue import load
from datasets.difficulty.lookahead import look_aheads
from datasets.isomorphs import form, random_isomorph
from datasets.making.climb import climb, residual
from datasets.making.generator import full_grids, redundant, strip
from datasets.search import solve

pytestmark = pytest.mark.thorough

MINED = {item.name: item.puzzle for item in load("hardest").items}


def test_most_puzzles_are_solved_and_few_mined_ones_are_not() -> None:
    assert {residual(item.puzzle) for item in load("expert").items[:50]} == {0}
    left = {name for name, puzzle in MINED.items() if residual(puzzle)}
    assert left == {"hardest-003", "hardest-033", "hardest-129"}


def test_what_is_left_is_the_same_for_all_isomorphs() -> None:
    rng, puzzle = random.Random(1), MINED["hardest-033"]
    assert len({residual(form(puzzle, random_isomorph(puzzle.shape, rng))) for _ in range(5)}) == 1


def test_a_walk_stays_among_minimal_puzzles_and_gets_harder() -> None:
    grid = next(islice(full_grids(Shape(3, 3), "climb"), 1))
    first = strip(grid, random.Random(1))
    stops = climb(first, grid.cells, 1, 1500, 300)
    assert len(stops) == 5
    for puzzle in stops:
        assert len(solve(puzzle).solutions) == 1
        assert redundant(puzzle) == []
    tries = [look_aheads(puzzle, 1, 4).mean or 0 for puzzle in (first, *stops)]
    assert max(tries) > tries[0]
    assert stops == climb(first, grid.cells, 1, 1500, 300)
    assert stops != climb(first, grid.cells, 2, 1500, 300)
