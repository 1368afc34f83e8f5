"""A run says which of its files are not as it wrote them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studies.edited_runs import copy_part
from sudoku_bench.bench.figures import catalogue
from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.folder.store import MANIFEST, MEASUREMENTS, PUZZLES
from tests.conftest import TOP


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (MEASUREMENTS, PUZZLES):
        (tmp_path / name).write_text("a,b\n1,2\n", encoding="utf-8")
    write(tmp_path, seal.sealed(tmp_path, {"planned_rows": 1, "suite": {"seed": 1}}))
    return tmp_path


def write(folder: Path, manifest: dict[str, Any]) -> None:
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="utf-8")


def read(folder: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return manifest


def edited(folder: Path) -> list[str]:
    return seal.edited(folder, read(folder))


def test_files_as_they_were_written_are_not_edited(folder: Path) -> None:
    assert edited(folder) == []
    assert seal.edited(folder, {"planned_rows": 1}) == []  # a run of an earlier version has no checksums


@pytest.mark.parametrize("name", [MEASUREMENTS, PUZZLES])
def test_a_table_that_is_changed_or_gone_is_named(folder: Path, name: str) -> None:
    (folder / name).write_text("a,b\n1,3\n", encoding="utf-8")
    assert edited(folder) == [name]
    (folder / name).unlink()
    assert edited(folder) == [name]


def test_a_run_that_goes_on_keeps_the_names_of_edited_files(folder: Path) -> None:
    assert seal.opened(folder, read(folder)) == {"planned_rows": 1, "suite": {"seed": 1}}
    (folder / PUZZLES).write_text("a,b\n1,3\n", encoding="utf-8")
    opened = seal.opened(folder, read(folder))
    assert opened[seal.EDITED] == [PUZZLES]
    write(folder, seal.sealed(folder, opened))
    assert edited(folder) == [PUZZLES]


def test_every_command_that_shows_numbers_says_what_was_edited(
    command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "FIGURES", catalogue.FIGURES[:1])
    run, claims = tmp_path / "run", tmp_path / "claims.md"
    copy_part(TOP / "results" / "reference", run, rows=90)
    number = len((run / PUZZLES).read_text(encoding="utf-8").splitlines()) - 1
    claims.write_text(f"{number}<!-- puzzles -->\n", encoding="utf-8")
    reading = (
        *(("status", run), ("status", run, "--json"), ("compare", run), ("choose", run), ("report", run)),
        ("claims", claims, run),
        ("report", run, "--figure", catalogue.name(catalogue.FIGURES[0])),
        ("export", run, "--to", "csv-wide", "--out", tmp_path / "wide.csv"),
    )
    for arguments in reading:
        assert "Edited" not in "".join(command(*arguments)[1:]), arguments
    rows = run / MEASUREMENTS
    text = rows.read_text(encoding="utf-8")
    rows.write_text(text.replace(",solved,,1,", ",solved,,2,", 1), encoding="utf-8")
    assert rows.read_text(encoding="utf-8") != text
    for arguments in reading:
        said = "".join(command(*arguments)[1:])
        in_words = "Edited: measurements.csv is not as the run wrote it" in said
        assert in_words or ("--json" in arguments and json.loads(said)["edited"] == [MEASUREMENTS]), arguments
    assert "Edited: measurements.csv" in (run / "report.html").read_text(encoding="utf-8")
