"""The explainer scale: ratings by the original program, those stored with the data set, and sound steps."""

from __future__ import annotations

import math

import pytest

from sudoku_bench.datasets import Shape
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.difficulty.explainer import BEYOND, Explained, explain
from sudoku_bench.datasets.difficulty.explainer.scale import NO_LIMIT, climb
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.search import solve
from tests.datasets.difficulty.reference_ratings import reference_ratings
from tests.datasets.rules import PRINTED, board, full_grid

INVARIANT = 7.5  # up to here the rating does not depend on the presentation


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.thorough)])
def test_the_ratings_of_400_puzzles_are_those_of_the_original_program(every: int) -> None:
    """ER, EP and ED, from naked singles to chains of ER 9.4; every tenth puzzle has nearly the whole range."""
    rated = reference_ratings()
    assert len(rated) == 400
    assert [puzzle.text for puzzle, expected in rated[::every] if explain(puzzle) != expected] == []


def test_no_step_contradicts_the_solution() -> None:
    techniques = set()
    for puzzle, _ in reference_ratings()[::10]:
        [solution] = solve(puzzle, limit=2).solutions
        for step in climb(puzzle, NO_LIMIT):
            techniques.add(step.technique)
            for cell, digit in (*step.eliminated, *([step.placed] if step.placed else [])):
                assert (digit == solution[cell]) == bool(step.placed), step
    assert len(techniques) >= 20


@pytest.mark.parametrize("tier", ["easy", "medium", "hard", "expert"])
def test_forms_of_a_puzzle_have_the_same_rating(tier: str) -> None:
    compared = 0
    for item in load(tier).items[:12]:
        if explain(item.puzzle).er <= INVARIANT:
            rated = {explain(form(item.puzzle, isomorph(1, item.puzzle, number))) for number in range(5)}
            assert len(rated) == 1, item.name
            compared += 1
    assert compared


@pytest.mark.parametrize(
    ("holes", "expected"),
    [
        ([40], Explained(1.0, 1.0, 1.0)),  # the last cell of a row
        ([], Explained(0.0, 0.0, 0.0)),
        ([0, 1], Explained(1.0, 1.0, 1.0)),  # each the last of its column
    ],
)
def test_nearly_full_grids(holes: list[int], expected: Explained) -> None:
    cells = "".join("." if c in holes else str(v) for c, v in enumerate(full_grid(Shape(3, 3), 1)))
    assert explain(board(cells)) == expected


def test_ratings_that_take_too_much_work_are_bounds() -> None:
    """More work raises the bound until the rating is known; all three ratings are bounds if nothing could be placed."""
    monster = board(PRINTED["001"][0])
    bounds = [explain(monster, work) for work in (0, 2_000, 100_000, 1_000_000)]
    assert all(bound.er == bound.ep == bound.ed == BEYOND for bound in bounds[:2])
    assert [bound.beyond for bound in bounds] == sorted(bound.beyond for bound in bounds)
    assert bounds[0].beyond < bounds[-1].beyond
    assert bounds[0].fields()["er"] == bounds[0].fields()["ep"] == f">{bounds[0].beyond:.1f}"
    puzzle = board(PRINTED["002"][0])
    assert explain(puzzle, work=0) == explain(puzzle)
    assert not math.isinf(explain(puzzle).er)


def test_other_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="9×9"):
        explain(board("." * 16))
