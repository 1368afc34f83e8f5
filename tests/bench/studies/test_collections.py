"""The tables of docs/collections.md: the first agrees with its command, the other is computed from conflicts."""

from __future__ import annotations

import pandas as pd
import pytest

from bench.studies import collections
from bench.studies.collections import HEAD, MISSING, conflicts_of, row, with_parts
from bench.verdicts.run_data import RunData
from datasets.collections.catalogue import load
from tests.conftest import TOP

PAGE = TOP / "docs" / "collections.md"
ROWS = {
    cells[0].strip(): [cell.strip() for cell in cells]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and len(cells := line.strip("| ").split(" | ")) == len(HEAD)
}
EMBEDDED = ("easy", "medium", "hard", "expert", "size4", "size9", "multiple")
CONFLICTS = {"ours": (20.0, 30.0, 40.0), "none": (0.0, 0.0, 0.0), "theirs": (60.0, 60.0, 60.0)}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*EMBEDDED, pytest.param("hardest", marks=pytest.mark.thorough)])
def test_the_page_agrees_with_the_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "conflict_cells", lambda _: [])  # they take hours
    for part in with_parts(load(name)):
        measured = row(part)
        assert ROWS[part.name][: len(measured)] == measured


def cells_of(*collections: str) -> list[str]:
    """The row of a strategy on three puzzles of each collection; forms of a puzzle differ, and means are given."""
    puzzles = [(name, f"p{number}") for name in collections for number in range(3)]
    rows = [
        {"strategy": "sat:x", "collection": name, "puzzle": puzzle, "status": "solved", "placebo": None, "conflicts": c}
        for name, puzzle in puzzles
        for c in (CONFLICTS[name][int(puzzle[1])] + by for by in (-1.0, 1.0))
    ]
    text = conflicts_of(RunData({}, pd.DataFrame(rows), pd.DataFrame(puzzles, columns=["collection", "puzzle"])))
    return text.splitlines()[2].strip("| ").split(" | ")


def test_the_first_collection_is_compared_with_the_last() -> None:
    assert cells_of("ours", "none", "theirs") == ["sat:x", "30.0", "0.0", "60.0", "50% [33%, 67%]"]
    assert cells_of("ours", "none")[-1] == MISSING  # a share of nothing
