"""The explainer ratings of the data set's sample, rated again by a program of its own."""

from __future__ import annotations

import pytest

from datasets.collections.catalogue import DATA
from datasets.making.dataset.build import SAMPLE
from tests.datasets.difficulty.slow_explainer.rows import Row, chosen, compared

PATH = DATA / f"{SAMPLE}.csv"


def differences(rows: list[Row]) -> list[tuple[str, tuple[int | None, ...]]]:
    return [(row.puzzle, result.rated) for row in rows if not all((result := compared(row)).agreement)]


def test_another_program_gives_the_same_ratings() -> None:
    rows = chosen(PATH, 40)
    assert len(rows) == 40
    assert differences(rows) == []


@pytest.mark.thorough
def test_another_program_gives_the_same_ratings_to_a_thousand_puzzles() -> None:
    assert differences(chosen(PATH, 1000, seed=1)) == []
