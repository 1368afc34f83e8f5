"""Parts: the rows of a long run, the same as if all of them stood in one file, also after a crash."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bench.folder import parts, tables
from bench.folder.rows import Row, csv_values
from bench.folder.store import MEASUREMENTS, PUZZLES, Store, finished_rows
from bench.verdicts import large_runs
from datasets.errors import InputError
from tests.bench.folder.a_row import a_row

pytest.importorskip("pyarrow")


def some_rows(number: int) -> list[Row]:
    """Return rows with all kinds of fields, known and unknown."""
    rows = []
    for place in range(number):
        row = a_row(
            strategy=f"test:{'ab'[place % 2]}",
            puzzle=f"own-{place // 2}",
            position=place + 1,
            started_s=place / 7,
            cpu_s=float(f"{math.pi * 10.0 ** -(place % 9):.9g}"),
            wall_s=0.25,
            solutions=1,
            worker=10**12 + place,
            host="host-ä",
        )
        failed = replace(row, status="error", reason='a "quoted", reason', cpu_s=None, wall_s=None, solutions=None)
        rows.append(failed if place % 5 == 3 else row)
    return [replace(row, started_s=float(f"{row.started_s:.9g}")) for row in rows]


def written(folder: Path, rows: list[Row]) -> None:
    store = Store.resume(folder)
    for row in rows:
        store.append(row)
    store.close()


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART_BYTES", 2000)


def test_the_rows_of_parts_and_file_are_those_that_were_written(small_parts, tmp_path: Path) -> None:
    rows = some_rows(101)
    written(tmp_path, rows)
    assert len(parts.paths(tmp_path)) > 3
    assert {path.suffix for path in parts.paths(tmp_path)} == {parts.PARQUET}
    assert (tmp_path / MEASUREMENTS).stat().st_size < 3000
    assert list(finished_rows(tmp_path)) == rows
    for path in parts.paths(tmp_path):  # a puzzle lies in one part only
        of_part = list(parts.parquet_batches(path))
        assert sum(batch.num_rows for batch in of_part) % 2 == 0


def test_a_run_goes_on_after_its_parts(small_parts, tmp_path: Path) -> None:
    rows = some_rows(90)
    written(tmp_path, rows[:50])
    before = {path: path.read_bytes() for path in parts.paths(tmp_path)}
    written(tmp_path, rows[50:])
    assert list(finished_rows(tmp_path)) == rows
    for path, data in before.items():
        assert path.read_bytes() == data


@pytest.mark.parametrize("crash", ["moved", "converting", "converted"])
def test_a_crash_at_any_moment_of_a_conversion_loses_and_doubles_no_row(tmp_path: Path, crash: str) -> None:
    rows = some_rows(30)
    written(tmp_path, rows)
    folder = tmp_path / parts.FOLDER
    folder.mkdir()
    csv = folder / "00001.csv"
    (tmp_path / MEASUREMENTS).rename(csv)
    if crash == "converting":
        (folder / "00001.parquet.part").write_bytes(b"PAR1")
    if crash == "converted":
        data = csv.read_bytes()
        parts.convert(csv)
        csv.write_bytes(data)
    assert list(finished_rows(tmp_path)) == rows
    written(tmp_path, [replace(rows[0], puzzle="last")])
    assert list(finished_rows(tmp_path)) == [*rows, replace(rows[0], puzzle="last")]
    assert [path.name for path in parts.paths(tmp_path)] == ["00001.parquet"]
    assert not csv.exists()


@pytest.mark.parametrize("into", ["a part", "the file"])
def test_a_row_that_stands_twice_is_one_line(small_parts, tmp_path: Path, into: str) -> None:
    written(tmp_path, some_rows(60))
    first, *_, last = parts.paths(tmp_path)
    if into == "a part":
        copy = first.with_name(f"{int(last.stem) + 1:05d}.parquet")
        copy.write_bytes(first.read_bytes())
        expected = f"{copy}: row 1 repeats row 1 of {first}; restore the files"
    else:
        path = tmp_path / MEASUREMENTS
        number = path.read_text(encoding="utf-8").count("\n")
        with path.open("a", encoding="utf-8", newline="") as file:
            file.write(",".join(csv_values(some_rows(2)[1])) + "\n" + "incomplete,line")
        expected = f"{path}: row {number} repeats row 2 of {first}; restore the files"
    with pytest.raises(InputError, match=f"^{re.escape(expected)}"):
        list(finished_rows(tmp_path))
    (tmp_path / PUZZLES).write_text("collection,puzzle\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"^{re.escape(expected)}"):
        tables.check_run(tmp_path / MEASUREMENTS, tmp_path / PUZZLES)


def test_a_damaged_part_is_one_line(small_parts, tmp_path: Path) -> None:
    written(tmp_path, some_rows(60))
    part = parts.paths(tmp_path)[1]
    part.write_bytes(part.read_bytes()[:-20])
    with pytest.raises(InputError, match=rf"^{re.escape(str(part))}: cannot be read: .*; restore it"):
        list(finished_rows(tmp_path))
    with pytest.raises(InputError, match=rf"^{re.escape(str(part))}: cannot be read: .*; restore it"):
        large_runs.measurements(tmp_path, tmp_path / MEASUREMENTS)


def test_without_the_package_all_rows_stay_in_one_file(
    small_parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "can_archive", lambda: False)
    rows = some_rows(60)
    written(tmp_path, rows)
    assert parts.paths(tmp_path) == []
    assert list(finished_rows(tmp_path)) == rows
