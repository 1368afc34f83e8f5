"""Run folders that were edited or damaged: one line says what is wrong, or the numbers are those of the rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from studies import edited_runs
from studies.edited_runs import copy_part
from sudoku_bench.bench.commands import cli
from sudoku_bench.bench.figures import catalogue
from sudoku_bench.bench.folder import state
from sudoku_bench.bench.folder.store import ENCODINGS, MEASUREMENTS, PUZZLES
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.datasets.errors import InputError
from tests.conftest import TOP

REFERENCE = TOP / "results" / "reference"
PART = 90  # rows of the reference run in the folder that is edited
EDITS, RESUMED = 60, 3  # random edits of the tests


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small part of the reference run."""
    copy_part(REFERENCE, tmp_path / "run", PART)
    return tmp_path / "run"


def change(folder: Path, name: str, edit: Callable[[list[str]], None]) -> None:
    """Edit the lines of a file of the run."""
    lines = (folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
    edit(lines)
    (folder / name).write_text("".join(lines), encoding="utf-8")


def set_field(line: int, column: str, value: str) -> Callable[[list[str]], None]:
    def edit(lines: list[str]) -> None:
        names, fields = csv.reader([lines[0], lines[line - 1]])
        fields[names.index(column)] = value
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(fields)
        lines[line - 1] = text.getvalue()

    return edit


def fault(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        run_tables.load(folder)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{folder}/")


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        *((MEASUREMENTS, "cpu_s", value) for value in ("fast", "-1", "0", "nan")),
        *((MEASUREMENTS, "conflicts", "nan"), (MEASUREMENTS, "launch", "0"), (MEASUREMENTS, "status", "fine")),
        *((MEASUREMENTS, "limit_s", "inf"), (MEASUREMENTS, "strategy", ""), (PUZZLES, "puzzle", "")),
        *((PUZZLES, "guesses", "many"), (ENCODINGS, "clauses", "-5"), (ENCODINGS, "clauses", "")),
        (ENCODINGS, "encoding", ""),
    ],
)
def test_a_value_out_of_its_range_is_named(folder: Path, name: str, column: str, value: str) -> None:
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    line = next((number for number, text in enumerate(lines, start=1) if ",solved," in text), 2)
    change(folder, name, set_field(line, column, value))
    said = fault(folder)
    assert said.startswith(f"{name}:{line}: ")
    assert f"{column} is {repr(value) if value else ''}" in said


def test_a_row_that_stands_twice_is_named(folder: Path) -> None:
    change(folder, MEASUREMENTS, lambda lines: lines.append(lines[20]))
    message = f"measurements.csv:{PART + 2}: stands in line 21 already; remove one of the two"
    assert fault(folder) == message
    with pytest.raises(InputError, match="stands in line 21 already"):
        state.of_run(folder)


def test_a_puzzle_whose_row_is_missing_is_named(folder: Path) -> None:
    text = (folder / MEASUREMENTS).read_text(encoding="utf-8")
    name = text.splitlines()[5].split(",")[2]
    change(folder, PUZZLES, lambda lines: lines.remove(next(line for line in lines if f",{name}," in line)))
    assert f"the puzzle '{name}' is not in puzzles.csv; restore its row" in fault(folder)


@pytest.mark.parametrize(
    ("name", "column"), [(MEASUREMENTS, "launch"), (MEASUREMENTS, "placebo"), (PUZZLES, "grid"), (ENCODINGS, "shape")]
)
def test_a_column_that_is_missing_is_named(folder: Path, name: str, column: str) -> None:
    change(folder, name, lambda lines: lines.__setitem__(0, lines[0].replace(f"{column},", ",", 1)))
    with pytest.raises(InputError, match=rf"{name}: has no column {column}; it was not written by a run"):
        run_tables.load(folder)


def test_a_report_is_refused_before_anything_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(folder, ENCODINGS, set_field(2, "clauses", "inf"))
    before = sorted(folder.iterdir())
    assert cli.main(["report", str(folder)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert sorted(folder.iterdir()) == before


def test_random_edits_are_refused_or_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """``make faults`` tries many more."""
    monkeypatch.setattr(catalogue, "FIGURES", catalogue.FIGURES[:1])
    outcomes = edited_runs.edited(edited_runs.read, range(EDITS), seed=1)
    assert outcomes.keys() <= set(edited_runs.FINE)
    assert outcomes[edited_runs.REFUSED] > EDITS / 4  # most edits hit something
    assert outcomes[edited_runs.SAID] > EDITS / 20


def test_an_edited_run_is_resumed_or_refused() -> None:
    outcomes = edited_runs.edited(edited_runs.resumed, range(RESUMED), seed=1)
    assert outcomes.keys() <= set(edited_runs.FINE)
    assert outcomes.total() == RESUMED
