"""The table of docs/collections.md agrees with its command."""

from __future__ import annotations

import pytest

from bench.studies import collections
from bench.studies.collections import HEAD, row, with_parts
from datasets.collections.catalogue import load
from tests.conftest import TOP

PAGE = TOP / "docs" / "collections.md"
ROWS = {
    cells[0].strip(): [cell.strip() for cell in cells]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and len(cells := line.strip("| ").split(" | ")) == len(HEAD)
}
EMBEDDED = ("easy", "medium", "hard", "expert", "size4", "size9", "multiple")


@pytest.mark.slow
@pytest.mark.parametrize("name", [*EMBEDDED, pytest.param("hardest", marks=pytest.mark.thorough)])
def test_the_page_agrees_with_the_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "conflict_cells", lambda _: [])  # they take hours
    for part in with_parts(load(name)):
        measured = row(part)
        assert ROWS[part.name][: len(measured)] == measured
