"""``rate``, all measures of a puzzle: which are reported for which kind of puzzle, and the same for all forms.

``test_rating_guesses.py`` tests the mean number of guesses itself.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.difficulty.explainer import BEYOND, Explained
from sudoku_bench.datasets.difficulty.rating import COLUMNS, rate
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.search import solve
from tests.datasets.rules import PRINTED, any_cells, board, clue_set, empty, is_solution, seeds, shapes, small_shapes

INVARIANT = 7.5  # up to here explainer ratings are the same for all forms
LOGICAL = {"te_rounds", "te_depth", "er", "ep", "ed"}  # need exactly one solution


@pytest.fixture(autouse=True, scope="module")
def two_forms() -> Iterator[None]:
    """Count conflicts on two forms only, which saves time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sudoku_bench.datasets.difficulty.rating.FORMS", 2)
        yield


def reported(rating: dict[str, str]) -> set[str]:
    """The columns that are not empty."""
    return {column for column, text in rating.items() if text}


def test_a_puzzle_with_one_solution_has_every_measure() -> None:
    for item in load("medium").items[:3]:
        rating = rate(item.puzzle, seed=1)
        assert reported(rating) == set(COLUMNS)
        assert list(rating) == list(COLUMNS)
        assert rating["clues"] == str(item.puzzle.clues)


def test_the_text_of_a_rating() -> None:
    easy = rate(board(PRINTED["000a"][0]), seed=1)
    assert (easy["clues"], easy["guesses"], easy["guesses_se"]) == ("33", "0", "0")
    assert (easy["te_rounds"], easy["te_depth"], easy["unsolved_singles"], easy["er"]) == ("0", "1", "0", "1.2")
    monster = rate(board(PRINTED["001"][0]), seed=1)
    assert monster["te_depth"] == "2"
    assert float(monster["er"].removeprefix(">")) > 9
    assert float(monster["guesses"]) > 50


def test_ratings_that_are_not_known_are_bounds() -> None:
    """All three if nothing could be placed; 0.0 is only for puzzles without a step."""
    assert Explained(BEYOND, BEYOND, 6.6, 9.4).fields() == {"er": ">9.4", "ep": ">9.4", "ed": "6.6"}
    assert Explained(10.5, 0.0, 0.0).fields() == {"er": "10.5", "ep": "0.0", "ed": "0.0"}


def test_other_sizes_have_all_but_the_explainer_scale() -> None:
    puzzle = board("1.....3..4....2.")
    assert set(COLUMNS) - reported(rate(puzzle, seed=1)) == {"er", "ep", "ed"}


def test_several_solutions_leave_the_logical_measures_empty() -> None:
    for puzzle in (empty(Shape(3, 3)), empty(Shape(2, 2)), empty(Shape(4, 4))):
        assert set(COLUMNS) - reported(rate(puzzle, seed=1)) == LOGICAL


@pytest.mark.parametrize("text", ["11" + "." * 79, "12345678." + "." * 8 + "9" + "." * 63])
def test_no_solution_leaves_all_but_the_clues_empty(text: str) -> None:
    assert reported(rate(board(text), seed=1)) == {"clues"}


def test_a_given_number_of_solutions_replaces_the_search() -> None:
    puzzle, solution = (board(text) for text in PRINTED["000c"])
    assert rate(puzzle, seed=1, solutions=1, solution=solution.cells) == rate(puzzle, seed=1)
    assert reported(rate(puzzle, seed=1, solutions=2)) == set(COLUMNS) - LOGICAL
    assert reported(rate(puzzle, seed=1, solutions=0)) == {"clues"}


def test_a_search_that_gives_up_leaves_fields_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_bench.datasets.difficulty.rating.MAX_GUESSES_UNIQUE", 3)
    rating = rate(board(PRINTED["004"][0]), seed=1)
    assert reported(rating) <= set(COLUMNS) - LOGICAL


@given(shapes, seeds)
@settings(max_examples=40)
def test_any_puzzle_gets_a_rating(shape: Shape, seed: int) -> None:
    """For any clues, rating terminates, and the result agrees with the number of solutions."""
    puzzle = clue_set(shape, seed) if seed % 4 else Puzzle(shape, any_cells(shape, seed))
    rating = rate(puzzle, seed=1, orders=2)
    result = solve(puzzle, limit=2, max_guesses=10_000)
    if not result.complete:
        return
    if not result.solutions:
        assert reported(rating) == {"clues"}
        return
    assert is_solution(puzzle, result.solutions[0])
    assert bool(rating["te_rounds"]) == (len(result.solutions) == 1)
    assert bool(rating["er"]) == (len(result.solutions) == 1 and shape == Shape(3, 3))
    if rating["te_rounds"]:
        solved = {rating[column] == "0" for column in ("unsolved_singles", "guesses")}
        assert len(solved) == 1  # both agree on whether singles solve the puzzle
        assert rating["te_rounds"] == "0" or solved == {False}


@given(small_shapes, seeds, st.integers(1, 1000))
@settings(max_examples=40)
def test_forms_of_small_puzzles_have_the_same_rating(shape: Shape, seed: int, number: int) -> None:
    puzzle = clue_set(shape, seed)
    assert logical_fields(form(puzzle, isomorph(seed, puzzle, number))) == logical_fields(puzzle)


def logical_fields(puzzle: Puzzle) -> dict[str, str]:
    """The measures that all isomorphs share: without random error, explainer ratings only up to 7.5."""
    rating = rate(puzzle, seed=1, orders=2)
    varying = ("guesses", "conflicts")
    if rating["er"] and float(rating["er"].lstrip(">")) > INVARIANT:
        varying += ("er", "ep", "ed")
    return {column: text for column, text in rating.items() if not column.startswith(varying)}


def test_the_package_is_imported_without_the_compiler() -> None:
    modules = "sys, sudoku_bench.datasets.difficulty.rating, sudoku_bench.bench.commands.cli"
    code = f"import {modules}; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
