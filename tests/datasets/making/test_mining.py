"""Mining: a walk depends on its seed and its steps only, and its best puzzle is minimal and hard."""

from __future__ import annotations

import pytest

from datasets import Puzzle
from datasets.difficulty.rating import guesses
from datasets.making.generator import redundant
from datasets.making.mining import NINE, Walk, advance, begin, follow
from datasets.search import solve


def run(walk: Walk, chunk: int = 100, objective=None) -> Walk:
    while not walk.ended:
        walk = advance(walk, objective, chunk)
    return walk


def clue_count(puzzle: Puzzle, seed: int, bound: float) -> float:
    return float(puzzle.clues)


def test_a_walk_ends_the_same_however_it_is_cut() -> None:
    uncut, cut = run(begin("guesses", 3, steps=150, climb=200), 1000), begin("guesses", 3, steps=150, climb=200)
    chunk = 0
    while not cut.ended:
        chunk += 7
        cut = advance(cut, None, chunk)
    assert cut == uncut
    assert run(begin("guesses", 4, steps=150, climb=200)) != uncut


def test_a_walk_with_another_objective_ends_the_same_however_it_is_cut() -> None:
    start = begin("clues", 1, steps=400, climb=300, floor=5)
    assert run(start, 1000, clue_count) == run(start, 33, clue_count)


def test_the_best_puzzle_is_minimal_and_harder_than_the_start() -> None:
    start = begin("guesses", 1, steps=400, climb=800)
    end = run(start)
    puzzle = Puzzle(NINE, end.best_cells)
    assert solve(puzzle).solutions == (end.best_solution,)
    assert redundant(puzzle) == []
    before, after = (guesses(Puzzle(NINE, cells), 5, 100).mean for cells in (start.cells, end.best_cells))
    assert before is not None
    assert after is not None
    assert after > 3 * before


def test_an_objective_is_followed_above_a_floor_of_guesses() -> None:
    start = begin("clues", 1, steps=1500, climb=3000, floor=10)
    end = run(start, objective=clue_count)
    puzzle = Puzzle(NINE, end.best_cells)
    assert 0 < end.climbed < 3000
    assert end.best == puzzle.clues >= Puzzle(NINE, start.cells).clues
    rated = guesses(puzzle, 5, 200)
    assert rated.mean is not None
    assert rated.standard_error is not None
    assert rated.mean > 10 - 5 * rated.standard_error
    with pytest.raises(ValueError, match="needs a function"):
        run(start)


def test_a_walk_that_follows_finds_another_puzzle_of_the_same_lineage() -> None:
    parent = run(begin("clues", 2, steps=200, climb=300, floor=3), objective=clue_count)
    first, second = (run(follow(parent, number, 400), objective=clue_count) for number in (1, 2))
    assert len({parent.best_cells, first.best_cells, second.best_cells}) == 3
    assert first.grid == parent.grid
    assert first.start == parent.best_cells
