"""The table of docs/collections.md says what the command behind it measures."""

from __future__ import annotations

import pytest

from bench.studies.collection_table import HEAD, by_objective, row
from datasets.collections.catalogue import load
from datasets.difficulty.conflicts import mean_conflicts, objective
from tests.conftest import TOP

PAGE = TOP / "docs" / "collections.md"
LINES = {
    cells[0].strip(): [cell.strip() for cell in cells]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and len(cells := line.strip("| ").split(" | ")) == len(HEAD)
}


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "expert", "size4", "size9", "multiple"])
def test_the_page_says_what_the_command_measures(name: str) -> None:
    measured = row(load(name), conflicts=False)
    assert LINES[name][: len(measured)] == measured


def test_the_page_says_what_the_command_measures_of_each_part_of_hardest() -> None:
    for part in by_objective(load("hardest")):
        measured = row(part, conflicts=False)
        assert LINES[part.name][: len(measured)] == measured
    assert by_objective(load("easy")) == []


def test_conflicts_are_the_same_again_and_none_where_singles_suffice() -> None:
    easy, expert = load("easy").items[0].puzzle, load("expert").items[0].puzzle
    assert mean_conflicts(easy, 1, forms=4) == 0
    assert mean_conflicts(expert, 1, forms=4) == mean_conflicts(expert, 1, forms=4) > 0
    assert mean_conflicts(expert, 2, forms=4) != mean_conflicts(expert, 1, forms=4)
    assert objective(expert, 1, bound=10_000.0) == 0
    assert objective(expert, 1, bound=0.0) == mean_conflicts(expert, 2)
