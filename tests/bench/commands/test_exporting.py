"""Exports, read back by the library or with the rules of the tool that they are for."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from sudoku_bench.bench.verdicts import run_tables


@pytest.fixture(scope="module")
def run(small_reference: Path):
    return run_tables.load(small_reference)


@pytest.fixture
def exported(command, small_reference: Path, tmp_path: Path):
    def write(kind: str, name: str, *more: str) -> Path:
        out = tmp_path / name
        code, text, err = command("export", small_reference, "--to", kind, "--out", out, *more)
        assert (code, text) == (0, f"{out}\n"), err
        return out

    return write


def test_parquet_has_every_measurement(run, exported) -> None:
    pytest.importorskip("pyarrow")
    frame = pd.read_parquet(exported("parquet", "rows.parquet", "--controls"), engine="pyarrow")
    assert list(frame.columns) == list(run.measurements.columns)
    pd.testing.assert_series_equal(frame["cpu_s"], run.measurements["cpu_s"])
    assert list(frame["strategy"]) == list(run.measurements["strategy"])
    alone = pd.read_parquet(exported("parquet", "alone.parquet"), engine="pyarrow")
    assert set(alone["strategy"]) == set(run.summary["strategy"])


def test_a_workbook_has_a_sheet_per_table(run, exported) -> None:
    pytest.importorskip("openpyxl")
    book = pd.read_excel(exported("xlsx", "run.xlsx"), sheet_name=None, engine="openpyxl")
    assert list(book) == ["summary", "pairs", "puzzles", "measurements"]
    assert len(book["measurements"]) == run.measurements["placebo"].isna().sum()
    assert book["summary"]["median_s"].to_list() == pytest.approx(run.summary["median_s"].to_list(), nan_ok=True)


def test_the_wide_table_has_the_median_of_each_puzzle(run, exported) -> None:
    frame = pd.read_csv(exported("csv-wide", "wide.csv"))
    names = sorted(set(run.per_puzzle["strategy"]))
    assert sorted(frame.columns[2:]) == names
    assert len(frame) == run.per_puzzle.groupby(["collection", "puzzle"]).ngroups
    line = run.per_puzzle.iloc[0]
    cell = frame.set_index(["collection", "puzzle"]).loc[(line["collection"], line["puzzle"]), line["strategy"]]
    assert cell == pytest.approx(line["cpu_s"], rel=1e-5)


def test_a_missing_package_is_one_line(
    command, small_reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    code, _, err = command("export", small_reference, "--to", "parquet", "--out", tmp_path / "x.parquet")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "needs the package pyarrow; pip install 'sudoku-bench[export]'" in err


def test_nothing_is_written_into_the_run(command, small_reference: Path) -> None:
    code, _, err = command("export", small_reference, "--to", "csv-wide", "--out", small_reference / "wide.csv")
    assert code == 2
    assert "lies in the run folder" in err
