"""The fast solvers: embedded collections solved and proved unique, and the same answers as the search kernel's."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sudoku_bench.datasets import Puzzle, Shape, search
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.search import bitboard
from sudoku_bench.solvers.search.bitboard import Compiled
from sudoku_bench.solvers.strategy import FIRST, UNIQUE, Task, Unsupported
from tests.datasets.rules import PRINTED, board, empty, is_solution, seeds, units

NINE = Shape(3, 3)
NAMES = ("bitboard:bands", "bitboard:cells")
both = pytest.mark.parametrize("name", NAMES)


def solver(name: str, shape: Shape = NINE) -> Compiled:
    return prepared(name, shape)


@cache
def prepared(name: str, shape: Shape) -> Compiled:
    registry.load_builtin()
    strategy = registry.get(name)()
    assert isinstance(strategy, Compiled)
    strategy.prepare(shape)
    return strategy


def solved(name: str, puzzle: Puzzle, task: Task) -> list[tuple[int, ...]]:
    strategy = solver(name, puzzle.shape)
    return [tuple(cells) for cells in strategy.decode(strategy.search(strategy.load(strategy.encode(puzzle)), task))]


def boards_for(name: str, collection: str) -> list[catalogue.Item]:
    """The puzzles of a collection of several shapes that a strategy can do."""
    return [i for i in catalogue.load(collection).items if name == "bitboard:cells" or i.puzzle.shape == NINE]


def count(limit: int) -> Task:
    return Task("count", limit)


def forms(puzzles: Sequence[Puzzle], seed: int) -> list[Puzzle]:
    return [form(puzzle, isomorph(seed, puzzle, 1)) for puzzle in puzzles]


def faulty(puzzles: Sequence[Puzzle], answers: Sequence[Sequence[Sequence[int]]]) -> NDArray[np.int64]:
    """The places of the puzzles that are not answered with one grid that obeys the rules and has the clues."""
    one = np.array([len(answer) == 1 for answer in answers])
    grids = np.array([list(answer[0]) if answer else [0] * 81 for answer in answers])
    clues = np.array([puzzle.cells for puzzle in puzzles])
    fits = ((clues == 0) | (clues == grids)).all(axis=1)
    for unit in units(NINE):
        fits &= (np.sort(grids[:, unit], axis=1) == np.arange(1, 10)).all(axis=1)
    return np.flatnonzero(~(one & fits))


# Embedded collections


@pytest.mark.parametrize("collection", ["easy", "medium", "hard", "expert", "hardest", "minimal", "classics"])
@both
def test_every_puzzle_of_the_embedded_tiers_has_one_solution(name: str, collection: str) -> None:
    puzzles = [item.puzzle for item in catalogue.load(collection).items]
    puzzles += forms(puzzles, 1)
    assert faulty(puzzles, solver(name).solve_many(puzzles, UNIQUE)).size == 0


# The same answers as others give


def some_clues(seed: int) -> Puzzle:
    """Some cells of a random form of a printed solution; at times with one changed, so that there may be none."""
    rng = random.Random(seed)
    grid = board(rng.choice(list(PRINTED.values()))[1])
    cells = list(form(grid, isomorph(seed, grid, 1)).cells)
    for cell in rng.sample(range(81), 81 - rng.randint(20, 40)):
        cells[cell] = 0
    if rng.random() < 0.3:
        cells[rng.randrange(81)] = rng.randint(1, 9)
    return Puzzle(NINE, tuple(cells))


@both
@settings(max_examples=300)
@given(seed=seeds, limit=st.sampled_from([1, 2, 7, 100]))
def test_as_many_solutions_are_found_as_the_search_kernel_finds(name: str, seed: int, limit: int) -> None:
    puzzle = some_clues(seed)
    due = search.solve(puzzle, limit).solutions
    solutions = solved(name, puzzle, count(limit))
    assert len(solutions) == len(set(solutions)) == len(due)
    assert all(is_solution(puzzle, cells) for cells in solutions)
    if len(due) < limit:
        assert set(solutions) == set(due)


def test_a_long_search_that_finds_solutions_goes_on() -> None:
    strategy = solver("bitboard:bands")
    assert len(solved("bitboard:bands", empty(NINE), Task("count", 3000))) == 3000
    assert strategy.counters()["guesses"] < 2.3 * 3000  # two sides of each branch, and the way to the first solution


# Printed by Norvig as a puzzle without a solution that takes hours: 1, 5 and 6 are confined to two cells of column 5.
IMPOSSIBLE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."


@both
def test_puzzles_that_are_hard_to_refute_take_no_explosion_of_guesses(name: str) -> None:
    puzzles = [board(IMPOSSIBLE), *(item.puzzle for item in boards_for(name, "refutation"))]
    for puzzle in [*puzzles, *(other for seed in range(1, 9) for other in forms(puzzles, seed))]:
        assert solved(name, puzzle, UNIQUE) == []
        assert solver(name).counters()["guesses"] < 30_000


@pytest.mark.parametrize(("collection", "number"), [("size12", 20), ("size16", 10), ("size25", 6)])
def test_large_boards_have_their_known_solutions(collection: str, number: int) -> None:
    for item in catalogue.load(collection).items[:number]:
        due = search.solve(item.puzzle, 1, max_guesses=200_000).solutions
        [solution] = solved("bitboard:cells", item.puzzle, UNIQUE)
        assert is_solution(item.puzzle, solution)
        assert due in ((), (solution,))


# Batches and limits


@both
def test_a_batch_is_answered_like_single_puzzles(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzles = [some_clues(seed) for seed in range(100)]
    for task in (FIRST, UNIQUE, count(10)):
        due = [solved(name, puzzle, task) for puzzle in puzzles]
        for rows in (8192, 70, 1):  # one call, several with a rest, one for each
            monkeypatch.setattr(bitboard, "ROWS", rows)
            answers = solver(name).solve_many(puzzles, task)
            assert [[tuple(cells) for cells in answer] for answer in answers] == due
    assert solver(name).solve_many([], UNIQUE) == []


@both
def test_an_answer_does_not_change_when_the_next_puzzle_is_solved(name: str) -> None:
    first, second = (board(PRINTED[key][0]) for key in ("001", "002"))
    strategy = solver(name)
    answer = strategy.decode(strategy.search(strategy.encode(first), UNIQUE))
    before = [bytes(cells) for cells in answer]
    strategy.decode(strategy.search(strategy.encode(second), UNIQUE))
    assert answer == before


def test_bands_refuses_other_boards() -> None:
    for shape in (Shape(2, 2), Shape(1, 9), Shape(4, 4)):
        with pytest.raises(Unsupported, match="9x9 boards only"):
            registry.get("bitboard:bands")().prepare(shape)


# The vector
