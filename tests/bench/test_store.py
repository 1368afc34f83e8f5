"""The run folder."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from bench.rows import COLUMNS, counter_fields, csv_values
from bench.store import Store, read_manifest
from datasets.errors import InputError


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "measurements.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_row_can_be_read_as_soon_as_it_is_appended(tmp_path: Path) -> None:
    manifest = {"suite": {}, "machine": {}, "planned_rows": 3, "started": "today"}
    store = Store.create(tmp_path / "new" / "run")
    store.write_manifest(manifest)
    for number in range(1, 4):
        store.append({"strategy": "a,b", "reason": 'says "no"', "cpu_s": number / 3, "launch": number})
        rows = rows_of(store.folder)
        assert len(rows) == number
        assert rows[-1]["strategy"] == "a,b"
        assert rows[-1]["reason"] == 'says "no"'
        assert float(rows[-1]["cpu_s"]) == pytest.approx(number / 3, rel=1e-8)
        assert rows[-1]["wall_s"] == ""
    assert read_manifest(store.folder) == manifest


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="is not empty; choose another --out"):
        Store.create(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        Store.create(tmp_path / "file" / "run")


def test_a_replaced_file_leaves_no_part_behind(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "run")
    store.write("plots/a.svg", b"old")
    store.write("plots/a.svg", b"new")
    assert [(p.name, p.read_bytes()) for p in (tmp_path / "run" / "plots").iterdir()] == [("a.svg", b"new")]


def test_a_field_without_a_column_is_refused() -> None:
    with pytest.raises(KeyError, match="cpu_ms"):
        csv_values({"cpu_ms": 1})


def test_counters_without_a_column_are_kept() -> None:
    fields = counter_fields({"conflicts": 3, "wing_moves": 4.0, "depth": 5})
    assert fields == {"conflicts": 3, "other_counters": "wing_moves=4; depth=5"}
    assert set(fields) < set(COLUMNS)


@pytest.mark.parametrize("name", ["missing", "file"])
def test_what_is_not_a_run_is_said_so(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is not a run"):
        read_manifest(tmp_path / name)


@pytest.mark.parametrize("text", ["{}", "[]", "5", "not json"])
def test_a_manifest_that_is_none_is_one_clear_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"manifest\.json: (is not|cannot be read)"):
        read_manifest(tmp_path)


def test_a_status_that_is_none_is_refused() -> None:
    with pytest.raises(KeyError, match="done"):
        csv_values({"status": "done"})
