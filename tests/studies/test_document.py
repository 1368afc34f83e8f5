"""Regions of documents, and tables in Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from studies.document import fill, marks, region, table
from sudoku_bench.datasets.errors import InputError


def test_a_region_is_replaced_and_the_rest_stays(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n{}\nold\n{}\nafter\n".format(*marks("x")), encoding="utf-8")
    for _ in range(2):
        fill(page, "x", "\nnew\n")
        assert page.read_text(encoding="utf-8") == "before\n{}\n\nnew\n\n{}\nafter\n".format(*marks("x"))
    assert region(page, "x") == "new"


def test_a_page_without_both_marks_in_order_is_an_error(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for text in ("nothing", "\n".join(reversed(marks("x"))), "\n".join(marks("y"))):
        page.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="add both where the text belongs"):
            fill(page, "x", "new")
        assert page.read_text(encoding="utf-8") == text


def test_a_table_has_a_line_for_each_row() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"
