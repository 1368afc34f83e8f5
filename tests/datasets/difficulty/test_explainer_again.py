"""The stored ratings of the sample against the independent rater, which is exact up to 7.4."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.conftest import TOP
from tests.datasets.difficulty.slow_explainer.rater import steps_of
from tests.datasets.difficulty.slow_explainer.rows import Rating, Row, chosen, compared, rows
from tests.datasets.difficulty.slow_explainer.table import lines
from tests.datasets.rules import PRINTED, board

SAMPLE = TOP / "datasets" / "collections" / "data" / "sudoku-bench-sample.csv"
QUICK = 69  # larger ratings take a second or more each


def two_of_each_rating() -> list[Row]:
    by_rating = defaultdict(list)
    for row in rows(SAMPLE):
        if row.stored[0].is_known and row.stored[0].tenths <= QUICK:
            by_rating[row.stored[0].tenths].append(row)
    return [row for tenths in sorted(by_rating) for row in by_rating[tenths][:2]]


@pytest.mark.parametrize("row", two_of_each_rating(), ids=lambda row: row.puzzle)
def test_stored_ratings_agree_with_the_independent_rater(row: Row) -> None:
    assert compared(row).agreement == (True, True, True), compared(row)


@pytest.mark.thorough
def test_stored_ratings_of_300_puzzles_agree_with_the_independent_rater() -> None:
    assert [result for row in chosen(SAMPLE, 300, seed=1) if not all((result := compared(row)).agreement)] == []


def test_two_puzzles_of_each_rating_are_checked() -> None:
    ratings = [row.stored[0].tenths for row in two_of_each_rating()]
    assert {12, 15, 20, 26, 30, 34, 42, 45, 56, 66} <= set(ratings)
    assert 40 <= len(ratings) <= 60


@pytest.mark.parametrize("name", PRINTED)
def test_steps_of_printed_puzzles_never_contradict_the_solution(name: str) -> None:
    """Guards the rater itself: nothing that it places or eliminates is wrong."""
    puzzle, solution = PRINTED[name]
    digits = [int(digit) - 1 for digit in solution]
    for step in steps_of(board(puzzle).cells):
        assert step.placed is None or digits[step.placed[0]] == step.placed[1]
        assert not any(eliminated >> digits[cell] & 1 for cell, eliminated in step.eliminated.items())


def test_a_unique_rectangle_with_a_hidden_triplet_is_rated_by_its_two_other_cells() -> None:
    """3 and 9 in r4c1, r4c3, r7c1, r7c3; 3, 4 and 9 have no other places in box 4 than these and r5c3, r6c1."""
    puzzle = ".95.....7.3.....2......16......745..5..2...79..81..............2.13......5...9.34"
    step = next(step for step in steps_of(board(puzzle).cells) if step.technique == "unique loop type 3")
    assert (step.rating, step.eliminated) == (46, {9 * 4 + 2: 1 << 5, 9 * 5 + 0: 1 << 5 | 1 << 6})


@pytest.mark.parametrize(
    ("text", "tenths", "agrees"),
    [
        *(("4.2", 42, True), ("4.2", 44, False), ("4.2", None, False), ("7.5", None, True), ("11.8", None, True)),
        *(("7.5", 74, False), (">10.5", None, True), (">10.5", 66, False), (">4.4", 45, True), (">4.4", 44, False)),
    ],
)
def test_a_rating_beyond_the_scale_agrees_with_all_that_are_larger(text: str, tenths: int | None, agrees: bool) -> None:
    assert Rating.read(text).agrees(tenths) == agrees
    assert str(Rating.read(text)) == text


def test_the_table_lists_each_difference(tmp_path: Path) -> None:
    path, puzzle = tmp_path / "ratings.csv", PRINTED["000a"][0]
    path.write_text(f"puzzle,er,ep,ed\n{puzzle},1.2,1.2,1.2\n{puzzle},>7.5,1.2,1.2\n{'.' * 16},,,\n", encoding="utf-8")
    table = list(lines([compared(row) for row in chosen(path, None)]))
    assert table[2:] == [
        "| 1.0 to 1.4 | 1 | 1 of 1 | 1 of 1 | 1 of 1 |  |",
        "| 7.5 to 7.9 | 1 |  | 1 of 1 | 1 of 1 | 0 of 1 |",
        "| all | 2 | 1 of 1 | 2 of 2 | 2 of 2 | 0 of 1 |",
        f"{puzzle} ER >7.5 here 1.2",
    ]
