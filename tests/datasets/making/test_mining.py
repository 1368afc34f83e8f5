"""Mining: a walk depends on its seed and its steps only, and what it finds is minimal and hard."""

from __future__ import annotations

import random

import numpy as np
import pytest

from datasets import Puzzle
from datasets.difficulty.rating import guesses
from datasets.making.bands import guesses_sum, make_workspace, other_solution
from datasets.making.generator import full_grid, redundant, strip
from datasets.making.mining import NINE, Walk, advance, begin, dumps, follow, loads
from datasets.search import count_guesses, solve
from tests.datasets.rules import PRINTED, board


def run(walk: Walk, chunk: int = 100, objective=None) -> Walk:
    while not walk.ended:
        walk = advance(walk, objective, chunk)
    return walk


def clue_count(puzzle: Puzzle, seed: int, bound: float) -> float:
    return float(puzzle.clues)


def arrays(puzzle: Puzzle) -> tuple[np.ndarray, np.ndarray]:
    return np.array(solve(puzzle, limit=1).solutions[0]), np.array(puzzle.cells) > 0


@pytest.mark.parametrize("name", ["000b", "001", "004"])
def test_the_two_kernels_count_the_same_guesses_on_average(name: str) -> None:
    puzzle = board(PRINTED[name][0])
    counts = count_guesses(puzzle, 1000, 1, 10**6)
    mean = guesses_sum(*arrays(puzzle), 1000, np.array([1], dtype=np.uint64), make_workspace()) / 1000
    assert abs(mean - counts.mean()) < 5 * counts.std() * (2 / 1000) ** 0.5


def test_the_two_kernels_agree_on_other_solutions() -> None:
    rng = random.Random(1)
    state, room, other = np.array([1], dtype=np.uint64), make_workspace(), np.zeros(81, dtype=np.int64)
    answers = []
    for _ in range(60):
        grid = full_grid(NINE, rng)
        cells = list(strip(grid, rng, clues=26).cells)
        for clue in rng.sample([c for c in range(81) if cells[c]], rng.randint(0, 3)):
            cells[clue] = 0
        given = np.array(cells) > 0
        answers.append(other_solution(np.array(grid.cells), given, state, room, other))
        assert answers[-1] == (len(solve(Puzzle(NINE, tuple(cells))).solutions) == 2)
        if answers[-1]:
            assert (other != np.array(grid.cells)).any()
            assert Puzzle(NINE, tuple(other.tolist())).clues == 81
            assert not list(Puzzle(NINE, tuple(other.tolist())).clashes())
            assert (other[given] == np.array(cells)[given]).all()
    assert {True, False} == set(answers)


def test_a_walk_ends_the_same_however_it_is_cut() -> None:
    whole, cut = run(begin("guesses", 3, steps=150, climb=200), 1000), begin("guesses", 3, steps=150, climb=200)
    chunk = 0
    while not cut.ended:
        chunk += 7
        cut = loads(dumps(advance(cut, None, chunk)))
    assert cut == whole
    assert run(begin("guesses", 4, steps=150, climb=200)) != whole


def test_other_objectives_too_end_the_same_however_they_are_cut() -> None:
    start = begin("clues", 1, steps=400, climb=300, floor=5)
    assert run(start, 1000, clue_count) == run(start, 33, clue_count)


def test_what_is_found_is_minimal_and_harder_than_the_start() -> None:
    start = begin("guesses", 1, steps=400, climb=800)
    end = run(start)
    puzzle = Puzzle(NINE, end.best_cells)
    assert solve(puzzle).solutions == (end.best_solution,)
    assert redundant(puzzle) == []
    before, after = (guesses(Puzzle(NINE, cells), 5, 100).mean for cells in (start.cells, end.best_cells))
    assert before is not None
    assert after is not None
    assert after > 3 * before


def test_an_objective_is_pursued_above_a_floor_of_guesses() -> None:
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


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", '{"seed": 1}'])
def test_a_text_that_holds_no_walk_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no walk|Expecting"):
        loads(text)
