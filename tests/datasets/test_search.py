"""The search kernel against published counts, printed solutions and a brute-force search."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.search import count_guesses, solve
from tests.datasets.rules import (
    PRINTED,
    all_solutions,
    board,
    clue_set,
    empty,
    is_solution,
    seeds,
    small_shapes,
)

FOUR = empty(Shape(2, 2))


@pytest.mark.parametrize(
    ("puzzle", "number"),
    [
        pytest.param(FOUR, 288, id="4x4"),
        pytest.param(board("123456" + "." * 30), 28_200_960 // 720, id="6x6 with its first row"),
        pytest.param(empty(Shape(1, 3)), 12, id="Latin squares of order 3"),
        pytest.param(empty(Shape(1, 4)), 576, id="Latin squares of order 4"),
        pytest.param(empty(Shape(5, 1)), 161_280, id="Latin squares of order 5"),
    ],
)
def test_empty_boards_have_as_many_solutions_as_published(puzzle: Puzzle, number: int) -> None:
    result = solve(puzzle, limit=number + 1)
    assert len(result.solutions) == number
    assert result.complete


def test_a_limit_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        solve(FOUR, limit=0)


@settings(max_examples=200)
@given(small_shapes, seeds, seeds)
def test_all_solutions_are_those_that_brute_force_finds(shape: Shape, clues: int, seed: int) -> None:
    puzzle = clue_set(shape, clues)
    expected = list(islice(all_solutions(puzzle), 300))
    result = solve(puzzle, limit=300, seed=seed)
    assert len(result.solutions) == len(expected)
    assert len(set(result.solutions)) == len(expected)
    assert all(is_solution(puzzle, cells) for cells in result.solutions)
    if len(expected) < 300:
        assert set(result.solutions) == set(expected)


@pytest.mark.parametrize("size", [16, 25])
@pytest.mark.parametrize("seed", range(3))
def test_the_first_solution_of_a_large_empty_board_obeys_the_rules(size: int, seed: int) -> None:
    puzzle = empty(Shape.of_size(size))
    (cells,) = solve(puzzle, limit=1, seed=seed, max_guesses=1_000_000).solutions
    assert is_solution(puzzle, cells)


# Guesses


def test_a_search_that_needs_exactly_its_maximum_of_guesses_does_not_give_up() -> None:
    puzzle = board(PRINTED["001"][0])
    needed = solve(puzzle, seed=3).guesses
    assert needed > 1
    assert solve(puzzle, seed=3, max_guesses=needed).complete
    assert not solve(puzzle, seed=3, max_guesses=needed - 1).complete


def test_a_puzzle_that_singles_solve_needs_no_guesses() -> None:
    result = solve(board(PRINTED["000a"][0]), limit=2, max_guesses=0)
    assert (result.guesses, result.complete, len(result.solutions)) == (0, True, 1)
    assert set(count_guesses(board(PRINTED["000a"][0]), 10, 1, 0)) == {0}


def test_counts_are_minus_one_from_the_first_order_that_gives_up() -> None:
    puzzle = board(PRINTED["001"][0])
    counts = count_guesses(puzzle, 50, 1, 2**62).tolist()
    limit = sorted(counts)[25]
    first = next(i for i, count in enumerate(counts) if count > limit)
    assert count_guesses(puzzle, 50, 1, limit).tolist() == counts[:first] + [-1] * (50 - first)


# Seeds


def test_other_seeds_find_other_solutions_first() -> None:
    assert len({solve(FOUR, limit=1, seed=seed).solutions for seed in range(5000)}) == 288
    assert len({solve(empty(Shape(3, 3)), limit=1, seed=seed).solutions for seed in range(100)}) == 100


def test_searches_are_the_same_on_every_machine_and_python() -> None:
    assert count_guesses(board(PRINTED["001"][0]), 8, 2026, 2**62).tolist() == [304, 150, 131, 78, 98, 230, 113, 19]
    (grid,) = solve(empty(Shape(3, 3)), limit=1, seed=2026).solutions
    assert grid[:27] == (9, 4, 8, 3, 1, 6, 2, 7, 5, 6, 3, 2, 5, 4, 7, 1, 8, 9, 5, 1, 7, 9, 2, 8, 6, 4, 3)


# Collections
