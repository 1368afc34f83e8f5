"""The table of docs/collections.md agrees with its command."""

from __future__ import annotations

import pytest

from studies.collections import HEAD, listed, row
from sudoku_bench.datasets.collections.catalogue import load
from tests.conftest import TOP

PAGE = TOP / "docs" / "collections.md"
ROWS = {
    cells[0].strip(): [cell.strip() for cell in cells]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and len(cells := line.strip("| ").split(" | ")) == len(HEAD)
}


NOT_SHIPPED = "size16"


@pytest.mark.parametrize("name", [name for name in listed() if name != NOT_SHIPPED])
def test_the_page_agrees_with_the_command(name: str) -> None:
    assert ROWS[name] == row(load(name))
