"""A report that nothing has changed is not made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.folder import reported
from bench.folder.store import MEASUREMENTS, Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with rows, a table, and a write-up of two files."""
    (tmp_path / "writeup").mkdir()
    for name in (MEASUREMENTS, "summary.csv", "writeup/macros.tex", "writeup/methods.tex"):
        (tmp_path / name).write_text(name)
    written = [tmp_path / "summary.csv", tmp_path / "writeup"]
    reported.remember(Store(tmp_path), reported.source(tmp_path, ["code"]), written, ["no figure drift: one round"], {})
    return tmp_path


def unchanged(folder: Path, *others: str) -> bool:
    return reported.unchanged(folder, reported.source(folder, others or ["code"])) is not None


def test_files_and_notes_are_those_of_the_report(folder: Path) -> None:
    assert reported.unchanged(folder, reported.source(folder, ["code"])) == (
        [folder / "summary.csv", folder / "writeup"],
        ["no figure drift: one round"],
    )


@pytest.mark.parametrize("name", [MEASUREMENTS, "summary.csv", "writeup/macros.tex", "manifest.json", "writeup/new"])
def test_another_content_is_a_change(folder: Path, name: str) -> None:
    assert unchanged(folder)
    with (folder / name).open("a") as file:
        file.write("more")
    assert not unchanged(folder)


@pytest.mark.parametrize("name", [MEASUREMENTS, "summary.csv", "writeup/methods.tex"])
def test_a_missing_file_is_a_change(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert not unchanged(folder)


def test_other_code_or_settings_are_a_change(folder: Path) -> None:
    assert not unchanged(folder, "code", "pdf")
    assert not unchanged(folder, "new code")


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"source": 1, "written": 2}'])
def test_a_damaged_record_is_a_change(folder: Path, damage: str) -> None:
    (folder / ".reported.json").write_text(damage)
    assert not unchanged(folder)


def test_figures_are_remembered_until_their_files_change(folder: Path) -> None:
    plots = [folder / f"plots/{name}.svg" for name in ("cactus", "drift")]
    for path in plots:
        Store(folder).write(path.relative_to(folder).as_posix(), b"<svg/>")
    drawn = {"plots/cactus.svg": "of these times", "plots/drift.svg": "of those"}
    reported.remember(Store(folder), "source", plots, [], drawn)
    assert reported.drawn(folder) == drawn
    plots[0].write_text("edited")
    plots[1].unlink()
    assert reported.drawn(folder) == {}


def test_a_report_of_an_earlier_version_remembers_no_figures(folder: Path) -> None:
    (folder / ".reported.json").write_text('{"source": "s", "written": [], "notes": [], "files": {}}')
    assert reported.drawn(folder) == {}
