"""The explainer scale against ratings by the original program, and against a reference implementation."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

from datasets import Puzzle, Shape
from datasets.collections.catalogue import load
from datasets.difficulty.explainer import BEYOND, Explained, explain
from datasets.isomorphs import form, isomorph
from datasets.reading.reader import parse
from tests.datasets.difficulty.slow_logic import Explainer, minimal
from tests.datasets.rules import PRINTED, board, full_grid

pytestmark = pytest.mark.slow

TOP = 4.4  # of the reference, and of the ratings in explainer_upto44.csv
INVARIANT = 7.5  # up to here the rating does not depend on the presentation
SHARE_EXACT = 0.99
SLOW = 10.3  # beyond, a rating takes seconds
SAMPLE = 8  # one rating in so many


def ratings(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_every_rating_up_to_xyz_wing_is_exact(shared_data: Path) -> None:
    """ER, EP and ED equal those of the original program on 400 puzzles rated up to XYZ-wing.

    A puzzle that needs more has an ER of 20 there, and an EP or ED of 0 if nothing could be done.
    """
    rows = ratings(shared_data / "explainer_upto44.csv")
    assert len(rows) == 400
    for row in rows:
        explained = explain(parse(row["puzzle"]))
        for name, rating in (("ER", explained.er), ("EP", explained.ep), ("ED", explained.ed)):
            if 0 < float(row[name]) <= TOP:
                assert rating == float(row[name]), row
            else:
                assert rating > TOP, row


def test_ratings_of_the_whole_scale_are_those_of_the_original(shared_data: Path) -> None:
    """ER, EP and ED equal published ratings of puzzles up to 10.3, a sample of each half step."""
    rows = [row for row in ratings(shared_data / "explainer_full.csv") if float(row["ER"]) <= SLOW]
    rows = sorted(rows, key=lambda row: float(row["ER"]))[::SAMPLE]
    assert len(rows) > 100
    published = [tuple(float(row[name]) for name in ("ER", "EP", "ED")) for row in rows]
    own = [(r.er, r.ep, r.ed) for r in (explain(parse(row["puzzle"])) for row in rows)]
    differing = [pair for pair in zip(published, own, strict=True) if pair[0] != pair[1]]
    assert len(differing) <= (1 - SHARE_EXACT) * len(rows), differing


def test_ratings_by_the_original_program(shared_data: Path) -> None:
    """Ratings with its full set of techniques equal those here where it rates up to 9.4 and used no other technique."""
    rows = [row for row in ratings(shared_data / "explainer_ratings.csv") if 0 < float(row["ER_SE121"] or 0) <= 9.4]
    assert len(rows) > 20
    differing = [row for row in rows if explain(parse(row["puzzle"])).er != float(row["ER_SE121"])]
    assert len(differing) <= (1 - SHARE_EXACT) * len(rows), differing


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
