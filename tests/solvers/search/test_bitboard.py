"""The fast solvers: embedded collections solved and proved unique, and the same answers as the search kernel's."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from sudoku_bench.datasets import Puzzle, Shape, search
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.search import bitboard, bitboard_lanes
from sudoku_bench.solvers.search.bitboard import Compiled
from sudoku_bench.solvers.strategy import FIRST, UNIQUE, Task, Unsupported
from tests.datasets.rules import PRINTED, all_solutions, board, clue_set, empty, is_solution, seeds, small_shapes, units

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


@both
def test_easy_puzzles_need_no_guess(name: str) -> None:
    for item in islice(catalogue.load("easy").items, 50):
        assert len(solved(name, item.puzzle, UNIQUE)) == 1
        assert solver(name).counters() == {"nodes": 1, "guesses": 0, "failures": 0, "backtracks": 0}


def test_bands_need_fewer_guesses_than_singles_do() -> None:
    """Locked candidates and the choice of the cell are worth a factor of two and more on hard puzzles."""
    puzzles = [item.puzzle for item in catalogue.load("hardest").items]
    singles = sum(search.solve(puzzle).guesses for puzzle in puzzles[:60])
    guesses = []
    for puzzle in puzzles:
        solved("bitboard:bands", puzzle, UNIQUE)
        guesses.append(solver("bitboard:bands").counters()["guesses"])
    assert 0 < sum(guesses[:60]) < singles / 2
    assert sum(guesses) / len(puzzles) < 115


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


@both
@pytest.mark.parametrize("clues", range(0, 16, 3))
def test_boards_with_few_clues_have_as_many_solutions_as_asked_for(name: str, clues: int) -> None:
    """A search for many solutions leaves the second side of a branch until it returns to it."""
    grid = board(PRINTED["001"][1])
    for seed in range(5):
        kept = set(random.Random(seed).sample(range(81), clues))
        cells = form(grid, isomorph(seed, grid, 1)).cells
        puzzle = Puzzle(NINE, tuple(digit if cell in kept else 0 for cell, digit in enumerate(cells)))
        for limit in (1, 2, 50):
            solutions = solved(name, puzzle, count(limit))
            assert len(set(solutions)) == len(solutions) == limit
            assert all(is_solution(puzzle, solution) for solution in solutions)


def test_these_puzzles_have_zero_one_and_many_solutions() -> None:
    numbers = [len(search.solve(some_clues(seed), 7).solutions) for seed in range(200)]
    assert min(numbers.count(0), numbers.count(1), sum(2 <= number < 7 for number in numbers), numbers.count(7)) > 5


@settings(max_examples=150)
@given(small_shapes, seeds)
def test_cells_agrees_with_brute_force(shape: Shape, seed: int) -> None:
    puzzle = clue_set(shape, seed)
    due = list(islice(all_solutions(puzzle), 300))
    solutions = solved("bitboard:cells", puzzle, count(300))
    assert len(solutions) == len(set(solutions)) == len(due)
    assert all(is_solution(puzzle, cells) for cells in solutions)


@both
def test_known_numbers_of_solutions_are_counted(name: str) -> None:
    for item in (*boards_for(name, "multiple"), *boards_for(name, "contradictory")):
        due = len(search.solve(item.puzzle, 200).solutions)
        assert due != 1
        assert len(set(solved(name, item.puzzle, count(200)))) == due, item.name


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


@pytest.mark.parametrize("size", [12, 16, 25])
def test_large_empty_boards_are_filled(size: int) -> None:
    puzzle = empty(Shape.of_size(size))
    solutions = solved("bitboard:cells", puzzle, count(20))
    assert len(set(solutions)) == 20
    assert all(is_solution(puzzle, cells) for cells in solutions)


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
def test_threads_answer_like_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bitboard, "BLOCK", 3)
    puzzles = [some_clues(seed) for seed in range(200)]
    strategy = solver(name)
    for task in (FIRST, count(10)):
        assert strategy.solve_many(puzzles, task, threads=4) == strategy.solve_many(puzzles, task)


@both
def test_counters_after_a_batch_are_those_of_its_last_puzzle(name: str) -> None:
    puzzles = [some_clues(seed) for seed in range(300)]
    strategy = solver(name)
    strategy.solve_many(puzzles, UNIQUE)
    after_batch = strategy.counters()
    solved(name, puzzles[-1], UNIQUE)
    assert strategy.counters() == after_batch


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


def test_cells_refuses_boards_that_are_too_large() -> None:
    with pytest.raises(Unsupported, match="up to 62x62"):
        registry.get("bitboard:cells")().prepare(Shape(7, 9))


# The vector


@njit
def _operators(rows: NDArray[np.int32]) -> None:
    a, b = bitboard_lanes.fetch(rows, 0), bitboard_lanes.fetch(rows, 1)
    bitboard_lanes.put(rows, 2, a & b)
    bitboard_lanes.put(rows, 3, a | b & 0xFF)
    bitboard_lanes.put(rows, 4, ~a ^ b)
    bitboard_lanes.put(rows, 5, a >> 3)
    bitboard_lanes.put(rows, 6, a << 5)
    bitboard_lanes.put(rows, 7, bitboard_lanes.next_band(a))
    bitboard_lanes.put(rows, 8, bitboard_lanes.last_band(bitboard_lanes.next_band(a)))
    bitboard_lanes.put(rows, 9, a - 0xFF)
    bitboard_lanes.put(rows, 10, bitboard_lanes.swap_halves(a))
    bitboard_lanes.put(rows, 11, bitboard_lanes.from_next_and_last_column(a))


def test_the_vector_agrees_with_32_words() -> None:
    rows = np.random.default_rng(1).integers(0, 2**31, (12, 32)).astype(np.int32)
    a, b = rows[0].astype(np.int64), rows[1].astype(np.int64)
    _operators(rows)
    due = [a & b, a | b & 0xFF, ~a ^ b, a >> 3, a << 5, a - 0xFF, a >> 16 | a << 16]
    for row, words in zip(rows[[2, 3, 4, 5, 6, 9, 10]], due, strict=True):
        assert (row == words.astype(np.int32)).all()
    for band in range(3):
        for digit in range(9):
            there = bitboard_lanes.lane_of(digit, (band + 1) % 3)
            assert rows[7, bitboard_lanes.lane_of(digit, band)] == rows[0, there]
    assert (rows[8] == rows[0]).all()
    for column in range(9):
        box = column // 3 * 3
        after, before = box + (column + 1) % 3, box + (column + 2) % 3
        assert (rows[11] >> column & 1 == rows[0] >> after & 1).all()
        assert (rows[11] >> 16 + column & 1 == rows[0] >> before & 1).all()


@njit
def _digits_and_cells(rows: NDArray[np.int32], places: NDArray[np.int64], cells: NDArray[np.uint8]) -> list[int]:
    board = bitboard_lanes.fetch(rows, 0)
    bitboard_lanes.add_empty(rows[1:], board)
    bitboard_lanes.put_digits(places, board)
    bitboard_lanes.put_cells(cells, board)
    return [bitboard_lanes.cells_equal(cells, start, digit) for start in (0, 27, 49) for digit in range(10)]


def test_the_vector_holds_the_digits_of_the_cells() -> None:
    cells = np.random.default_rng(2).integers(1, 10, 81)
    cells[:27] = np.where(cells[:27] == 9, 8, cells[:27])  # no 9 in the first band
    rows, places, read = np.zeros((2, 32), np.int32), np.zeros((2, 16), np.int64), np.zeros(83, np.uint8)
    for cell, digit in enumerate(cells.tolist()):
        rows[0, bitboard_lanes.lane_of(digit - 1, cell // 27)] |= 1 << cell % 27
    flags = iter(_digits_and_cells(rows, places, read[1:82]))
    assert read.tolist() == [0, *cells.tolist(), 0]
    assert (rows[1] == (rows[0] == 0)).all()
    assert rows[1, bitboard_lanes.lane_of(8, 0)] == 1
    for digit in range(9):
        here = [cell for cell in range(81) if cells[cell] == digit + 1]
        assert places[0, digit] == sum(1 << cell for cell in here if cell < 54)
        assert places[1, digit] == sum(1 << cell - 54 for cell in here if cell >= 54)
    for start in (0, 27, 49):
        for digit in range(10):
            assert next(flags) == sum(1 << k for k in range(32) if cells[start + k] == digit)
