"""The table of docs/collections.md agrees with the command that measures it."""

from __future__ import annotations

import pytest

from bench.studies.collection_table import HEAD, by_objective, row
from datasets.collections.catalogue import load
from tests.conftest import TOP

pytestmark = pytest.mark.slow

PAGE = TOP / "docs" / "collections.md"
ROWS = {
    cells[0].strip(): [cell.strip() for cell in cells]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and len(cells := line.strip("| ").split(" | ")) == len(HEAD)
}


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "expert", "size4", "size9", "multiple"])
def test_the_page_agrees_with_the_command(name: str) -> None:
    measured = row(load(name), conflicts=False)
    assert ROWS[name][: len(measured)] == measured


@pytest.mark.thorough
def test_the_page_agrees_with_the_command_on_each_part_of_hardest() -> None:
    for part in by_objective(load("hardest")):
        measured = row(part, conflicts=False)
        assert ROWS[part.name][: len(measured)] == measured
    assert by_objective(load("easy")) == []
