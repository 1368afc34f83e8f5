"""Parquet files: tables with the columns of CSV files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.datasets import InputError
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.reading.reader import BadLine, load_file, read_file
from sudoku_bench.datasets.search import solve

NINES = [item.puzzle for item in load("easy").items[:5]]
TEXTS = [puzzle.text for puzzle in NINES]


def saved(folder: Path, **columns: list[Any]) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(columns), folder / "mine.parquet")
    return folder / "mine.parquet"


def test_columns_are_those_of_a_table(tmp_path: Path) -> None:
    solutions = ["".join(map(str, solve(puzzle).solutions[0])) for puzzle in NINES]
    path = saved(tmp_path, name=list("abcde"), puzzle=TEXTS, solution=solutions, rating=[1.5, 2.0, 7.2, None, 3.0])
    entries = load_file(path)
    assert [(entry.puzzle, entry.line, entry.name) for entry in entries] == list(
        zip(NINES, range(1, 6), "abcde", strict=True)
    )
    assert [entry.rating for entry in entries[1:4]] == [("rating", 2.0), ("rating", 7.2), None]
    assert entries[0].solution == solve(NINES[0]).solutions[0]


def test_lists_of_numbers_are_boards(tmp_path: Path) -> None:
    entries = load_file(saved(tmp_path, board=[list(puzzle.cells) for puzzle in NINES]))
    assert [entry.puzzle for entry in entries] == NINES


def test_a_bad_record_is_a_fault_of_its_own(tmp_path: Path) -> None:
    items = list(read_file(saved(tmp_path, puzzle=[*TEXTS, None, "12"])))
    assert [item.line for item in items if isinstance(item, BadLine)] == [6, 7]


def test_a_stream_is_read_through_a_temporary_file(tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "mine.parquet.gz"
    path.write_bytes(gzip.compress(saved(tmp_path, puzzle=TEXTS).read_bytes()))
    assert [entry.puzzle for entry in load_file(path)] == NINES


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, puzzle=TEXTS)
    whole = path.read_bytes()
    for damaged in (whole[:200], whole.replace(b"puzzle", b"\xffuzzle")):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="is damaged or cut short"):
            load_file(path)


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.parquet").write_bytes(b"PAR1" + b"\0" * 100)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"needs pyarrow; pip install 'sudoku-bench\[export\]'"):
        load_file(tmp_path / "mine.parquet")
