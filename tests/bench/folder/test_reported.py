"""A report that nothing has changed is not made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_bench.bench.folder import reported
from sudoku_bench.bench.folder.reported import Written
from sudoku_bench.bench.folder.store import MEASUREMENTS, Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with rows, a table, and a write-up of two files, reported."""
    (tmp_path / "writeup").mkdir()
    for name in (MEASUREMENTS, "summary.csv", "writeup/macros.tex", "writeup/methods.tex"):
        (tmp_path / name).write_text(name)
    assert is_made(tmp_path)
    return tmp_path


def is_made(folder: Path, *others: str) -> bool:
    """Report; return whether the report was made, not found unchanged."""
    report = Written([folder / "summary.csv", folder / "writeup"], ["no figure scaling: one size"])
    made: list[Written] = []
    written = reported.once(Store(folder), others or ["code"], lambda: made.append(report) or report)
    assert written == report
    return bool(made)


@pytest.mark.parametrize("name", [MEASUREMENTS, "summary.csv", "writeup/macros.tex", "manifest.json", "writeup/new"])
def test_another_content_is_a_change(folder: Path, name: str) -> None:
    assert not is_made(folder)
    with (folder / name).open("a") as file:
        file.write("more")
    assert is_made(folder)
    assert not is_made(folder)


@pytest.mark.parametrize("name", [MEASUREMENTS, "summary.csv", "writeup/methods.tex"])
def test_a_missing_file_is_a_change(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert is_made(folder)


@pytest.mark.parametrize("others", [("code", "pdf"), ("new code",)])
def test_other_code_or_settings_are_a_change(folder: Path, others: tuple[str, ...]) -> None:
    assert is_made(folder, *others)


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"source": 1, "written": 2}'])
def test_a_damaged_record_is_a_change(folder: Path, damage: str) -> None:
    (folder / ".reported.json").write_text(damage)
    assert is_made(folder)
