"""The explainer scale against ratings by the original program, and against a reference implementation."""

from __future__ import annotations

import math

import pytest

from datasets import Puzzle, Shape
from datasets.collections.catalogue import load
from datasets.difficulty.explainer import BEYOND, Explained, explain
from datasets.isomorphs import form, isomorph
from tests.datasets.difficulty.reference_ratings import reference_ratings
from tests.datasets.difficulty.slow_logic import Explainer, minimal
from tests.datasets.rules import PRINTED, board, full_grid

pytestmark = pytest.mark.slow

TOP = 4.4  # of the reference implementation
INVARIANT = 7.5  # up to here the rating does not depend on the presentation


def test_the_ratings_of_400_puzzles_are_those_of_the_original_program() -> None:
    """ER, EP and ED, from naked singles to chains of ER 9.4."""
    rated = reference_ratings()
    assert len(rated) == 400
    assert [puzzle.text for puzzle, expected in rated if explain(puzzle) != expected] == []


def agrees(explained: Explained, reference: tuple[float, float, float]) -> bool:
    """Whether ratings equal those of the reference, or are above its scale where it has none."""
    er, ep, ed = reference
    equal_er = explained.er == er if er <= TOP else explained.er > TOP
    equal_ep = explained.ep == ep if ep > 0 else explained.ep > TOP
    return equal_er and equal_ep and (explained.ed == ed if ed > 0 else explained.ed > TOP)


def test_generated_minimal_puzzles_are_rated_as_by_the_reference() -> None:
    """One puzzle of each rating that occurs, which covers almost the whole scale up to XYZ-wing."""
    puzzle_by_rating: dict[float, Puzzle] = {}
    for seed in range(250):
        puzzle, _ = minimal(Shape(3, 3), seed)
        puzzle_by_rating.setdefault(explain(puzzle, work=0).er, puzzle)
    assert len(puzzle_by_rating) > 10
    for puzzle in puzzle_by_rating.values():
        assert agrees(explain(puzzle), Explainer(puzzle).ratings()), puzzle.text


@pytest.mark.parametrize("tier", ["easy", "medium", "hard", "expert"])
def test_embedded_puzzles_are_rated_as_by_the_reference(tier: str) -> None:
    for item in load(tier).items[:12]:
        assert agrees(explain(item.puzzle), Explainer(item.puzzle).ratings()), item.name


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
    assert bounds[0].text("er") == bounds[0].text("ep") == f">{bounds[0].beyond:.1f}"
    puzzle = board(PRINTED["002"][0])
    assert explain(puzzle, work=0) == explain(puzzle)
    assert not math.isinf(explain(puzzle).er)


def test_other_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="9×9"):
        explain(board("." * 16))
