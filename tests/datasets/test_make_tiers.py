"""The generator: the stored tiers can be made again, puzzle by puzzle."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from datasets.make_tiers import TIERS, change, climb, make_puzzle, random_grid, strip
from hypothesis import given, settings

from datasets import Puzzle, Shape, make_tiers
from datasets.collections import load
from datasets.search import solve

from .rules import all_solutions, is_solution, seeds, small_shapes

BY_NAME = {tier.name: tier for tier in TIERS}


def is_minimal(puzzle: Puzzle) -> bool:
    """One solution, and more without any one of the clues."""
    numbers = [len(solve(puzzle, limit=2).solutions)]
    for cell, value in enumerate(puzzle.cells):
        if value:
            without = (*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :])
            numbers.append(len(solve(Puzzle(puzzle.shape, without), limit=2).solutions))
    return numbers == [1] + [2] * puzzle.clues


@pytest.mark.parametrize(
    ("tier", "number"),
    [("easy", 1), ("easy", 20), ("medium", 2), ("medium", 20), ("hard", 1), ("hard", 20), ("expert", 2)],
)
def test_a_puzzle_made_again_alone_is_the_stored_one(tier: str, number: int) -> None:
    assert make_puzzle(BY_NAME[tier], number) == load(tier).items[number - 1].puzzle


@pytest.mark.parametrize("tier", ["easy", "medium", "hard", "expert"])
def test_stored_puzzles_have_one_solution_and_no_clue_too_many(tier: str) -> None:
    assert all(is_minimal(item.puzzle) for item in load(tier).items)


def test_the_command_writes_the_stored_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make_tiers, "FOLDER", tmp_path)
    monkeypatch.setattr(make_tiers, "NUMBER", 3)
    monkeypatch.setattr(sys, "argv", ["make_tiers", "easy", "medium"])
    make_tiers.main()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["easy.txt", "medium.txt"]
    for tier in ("easy", "medium"):
        stored = [item.puzzle.text for item in load(tier).first(3).items]
        assert (tmp_path / f"{tier}.txt").read_bytes() == "".join(f"{text}\n" for text in stored).encode()


@given(small_shapes, seeds)
def test_a_random_grid_obeys_the_rules(shape: Shape, seed: int) -> None:
    grid = random_grid(shape, random.Random(seed))
    assert is_solution(grid, grid.cells)


@given(small_shapes, seeds)
def test_a_stripped_grid_is_minimal_and_has_that_grid_as_its_solution(shape: Shape, seed: int) -> None:
    rng = random.Random(seed)
    grid = random_grid(shape, rng)
    puzzle = strip(grid, list(range(shape.n_cells)), rng)
    assert is_minimal(puzzle)
    assert list(all_solutions(puzzle)) == [grid.cells]


@settings(max_examples=20)
@given(seeds)
def test_a_climb_keeps_the_grid_and_stays_minimal(seed: int) -> None:
    rng = random.Random(seed)
    grid = random_grid(Shape(3, 3), rng)
    start = strip(grid, list(range(81)), rng)
    for puzzle in (change(grid, start, rng), climb(grid, start, 1000, rng, tries=5)):
        assert is_minimal(puzzle)
        assert solve(puzzle).solutions == (grid.cells,)


def test_a_climb_stops_where_it_is_hard_enough() -> None:
    rng = random.Random(1)
    grid = random_grid(Shape(3, 3), rng)
    start = strip(grid, list(range(81)), rng)
    assert climb(grid, start, 0, rng) == start
