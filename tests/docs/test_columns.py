"""docs/columns.md documents every column of every table exactly once, and no other columns."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from sudoku_bench.bench.commands import report_files
from sudoku_bench.bench.folder import state
from sudoku_bench.bench.folder.reported import Written
from sudoku_bench.bench.folder.rows import COLUMNS
from sudoku_bench.bench.run.side_tables import ENCODING_COLUMNS, PUZZLE_COLUMNS
from sudoku_bench.bench.say import json_report
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.verdicts.between_runs import comparison, repeated, versions
from sudoku_bench.bench.verdicts.choice import choose
from tests.conftest import TOP


def documented(table: str) -> Counter[str]:
    """Count the columns that a section of the page documents at the beginning of the items of its list."""
    page = (TOP / "docs" / "columns.md").read_text(encoding="utf-8")
    [section] = re.findall(rf"^## {table}(?:\.csv)?\n(.*?)(?=^## |\Z)", page, flags=re.MULTILINE | re.DOTALL)
    items = re.findall(r"^- (.*?)(?=:\s|\n(?!  ))", section, flags=re.MULTILINE | re.DOTALL)
    return Counter(re.findall(r"`(\w+)`", " ".join(items)))


COLUMNS_BY_SECTION = {  # of files that a run writes, and of the JSON of commands
    "measurements": COLUMNS,
    "puzzles": PUZZLE_COLUMNS,
    "encodings": ENCODING_COLUMNS,
    "compare, two runs": comparison.COMPARED_COLUMNS,
    "compare, two versions": versions.VERSION_COLUMNS,
    "repeated": repeated.REPEATED_COLUMNS,
    "choose": choose.CHOICE_COLUMNS,
}


def test_every_column_and_key_is_documented_once(small_reference: Path) -> None:
    run = run_tables.load(small_reference)
    tables = {table: getattr(run, table).columns for table in report_files.TABLES}
    keys = {
        "run and report, as JSON": json_report.of_run(TOP, run, Written((), ())),
        "status, as JSON": state.of_run(small_reference).document,
    }
    for section, names in (tables | COLUMNS_BY_SECTION | keys).items():
        assert documented(section) == Counter(list(names)), section


def test_every_section_of_a_table_has_its_table() -> None:
    page = (TOP / "docs" / "columns.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"^## (\w+)\.csv$", page, flags=re.MULTILINE))
    assert sections == {*report_files.TABLES, "repeated", "measurements", "puzzles", "encodings"}
