"""The tables of the runs in the repository are those that their rows give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sudoku_bench.bench.commands.report_files import TABLES, six_digits, write_table
from sudoku_bench.bench.folder.store import MANIFEST, Store
from sudoku_bench.bench.verdicts import run_tables
from tests.conftest import TOP

KEPT = [line[2:] for line in (TOP / ".gitignore").read_text(encoding="utf-8").splitlines() if line.startswith("!/")]
RUNS = [TOP / folder for folder in KEPT if folder.endswith("/") and (TOP / folder / MANIFEST).exists()]


def test_there_is_a_committed_run() -> None:
    assert TOP / "results" / "reference" in RUNS


def test_the_last_bits_of_a_number_do_not_show() -> None:
    middle = 0.006063685  # its seventh digit is a 5
    assert len({six_digits(value) for value in (np.nextafter(middle, 0), middle, np.nextafter(middle, 1))}) == 1
    assert [six_digits(value) for value in (1234567.0, 0.5, np.inf, 1e-300)] == ["1.23457e+06", "0.5", "inf", "1e-300"]


@pytest.mark.parametrize("folder", RUNS, ids=lambda folder: folder.name)
def test_the_tables_of_a_committed_run_are_made_from_its_rows(folder: Path, tmp_path: Path) -> None:
    run = run_tables.load(folder)
    made = {table: write_table(Store(tmp_path), run, table).read_bytes() for table in TABLES}
    differing = [table for table, data in made.items() if data != (folder / f"{table}.csv").read_bytes()]
    assert not differing, f"sudoku-bench report {folder.relative_to(TOP)} makes other tables than are committed"
