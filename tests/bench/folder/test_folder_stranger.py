"""A run folder that a stranger filled: nothing outside changes, no program starts, and a terminal gets plain text."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from studies.edited_runs import copy_part
from sudoku_bench.bench.figures import catalogue
from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.folder.store import MANIFEST, MEASUREMENTS, PUZZLES, read_manifest
from sudoku_bench.bench.verdicts.run_files import read_table
from sudoku_bench.datasets.errors import InputError
from tests.conftest import TOP

NAME = "seed:pycosat"  # a strategy of the run
ROWS = 60


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A part of the reference run beside a file and a folder of the user."""
    monkeypatch.setattr(catalogue, "FIGURES", catalogue.FIGURES[:1])
    (tmp_path / "mine").mkdir()
    (tmp_path / "rc").write_text("mine", encoding="utf-8")
    copy_part(TOP / "results" / "reference", tmp_path / "run", ROWS)
    return tmp_path / "run"


def rewritten(folder: Path, name: str, edit: Callable[[dict[str, Any]], None] = lambda _: None) -> None:
    """Give a strategy another name everywhere, edit the manifest, and make checksums that fit."""
    for table, new in ((MANIFEST, json.dumps(name)[1:-1]), (MEASUREMENTS, name)):
        text = (folder / table).read_text(encoding="utf-8")
        (folder / table).write_text(text.replace(NAME, new), encoding="utf-8")
    manifest = read_manifest(folder)
    edit(manifest)
    (folder / MANIFEST).write_text(json.dumps(seal.sealed(folder, manifest)), encoding="utf-8")


def test_a_report_is_written_through_no_link(stranger: Path, command) -> None:
    mine, target = stranger.parent / "mine", stranger.parent / "rc"
    for name in ("summary.csv", "report.html.part", "pairs.csv.part", ".reported.json", "selection"):
        (stranger / name).symlink_to(target)
    (stranger / "plots").symlink_to(mine)
    code, _, err = command("report", stranger)
    assert code == 2
    assert err.startswith(
        f"sudoku-bench: {stranger / 'plots'}: is a link or a file, where a run has a folder of its own"
    )
    (stranger / "plots").unlink()
    assert command("report", stranger)[0] == 0
    assert (target.read_text(encoding="utf-8"), list(mine.iterdir())) == ("mine", [])
    assert not (stranger / "summary.csv").is_symlink()
    (stranger / "selection").unlink()
    (stranger / "selection").symlink_to(mine)
    assert command("report", stranger, "--figure", "cactus")[0] == 2
    assert list(mine.iterdir()) == []


@pytest.mark.parametrize(
    ("table", "column", "value", "fault"),
    [
        (PUZZLES, "puzzle", "other-001", "is not in puzzles.csv"),
        (PUZZLES, "board", "other-001", "board is 'other-001'"),
        (PUZZLES, "er", "inf", "er is 'inf'"),
        (PUZZLES, "guesses", "inf", "guesses is 'inf'"),
        (MEASUREMENTS, "repetition", "", "repetition is empty"),
        (MEASUREMENTS, "cpu_s", "inf", "cpu_s is 'inf'"),
    ],
)
def test_checksums_that_fit_hide_nothing_that_no_run_writes(
    stranger: Path, command, table: str, column: str, value: str, fault: str
) -> None:
    rows = pd.read_csv(stranger / table, dtype=str, keep_default_na=False)
    rows.loc[len(rows) - 1, column] = value
    rows.to_csv(stranger / table, index=False)
    rewritten(stranger, NAME)
    for arguments in (("report", stranger, "--quiet"), ("choose", stranger), ("compare", stranger)):
        code, _, err = command(*arguments)
        assert (code, len(err.splitlines())) == (2, 1)
        assert fault in err


def test_programs_of_a_run_are_not_started_unless_they_are_given_again(stranger: Path, command) -> None:
    def with_program(manifest: dict[str, Any]) -> None:
        manifest["suite"]["commands"] = [{"name": "their:program", "command": "touch it"}]

    rewritten(stranger, "their:program", with_program)
    rows = (stranger / MEASUREMENTS).read_text(encoding="utf-8").splitlines()
    lines = [rows[0], *(line for line in rows if "their:program" in line)]  # so that it is the best
    (stranger / MEASUREMENTS).write_text("\n".join([*lines, ""]), encoding="utf-8")
    asked = ("run", "--add-to", stranger, "-s", "seed:norvig", "--dry-run")
    code, out, err = command(*asked)
    assert (code, out) == (2, "")
    assert "if its program is to run, give it as well: --command 'their:program=touch it'" in err
    code, out, _ = command(*asked, "--command", "their:program=true")
    assert code == 0
    assert "their:program runs: true" in out


@pytest.mark.parametrize("name", ["a:\x1b]0;t\x07", "a:\u202eb"])
def test_letters_that_a_terminal_obeys_are_refused_or_escaped(stranger: Path, command, name: str) -> None:
    text = (stranger / MEASUREMENTS).read_text(encoding="utf-8")
    rewritten(stranger, name)
    for arguments in (("status",), ("report", "--quiet"), ("export", "--to", "csv-wide"), ("choose",)):
        code, out, err = command(arguments[0], stranger, *arguments[1:])
        assert (code, out) == (2, "")
        assert "which no run writes" in err
        assert err.rstrip("\n").isprintable()
    (stranger / MEASUREMENTS).write_text(text, encoding="utf-8")
    rewritten(stranger, NAME, lambda manifest: manifest["suite"].update(name=name))
    code, out, err = command("status", stranger)
    assert (code, err) == (0, "")
    assert out.replace("\n", "").isprintable()


@pytest.mark.parametrize(("grid", "holds"), [("@2d.YS", True), ("@SUM(1)", False), ("=1+1", False)])
def test_a_board_of_40_rows_may_begin_like_a_formula(tmp_path: Path, grid: str, holds: bool) -> None:
    path = tmp_path / "puzzles.csv"
    path.write_text(f"collection,puzzle,grid\nmine,mine-1,{grid}\n", encoding="utf-8")
    with contextlib.nullcontext() if holds else pytest.raises(InputError, match="is a formula"):
        assert list(read_table(path, ())["grid"]) == [grid]


def test_no_formula_gets_into_an_export(stranger: Path, command, tmp_path: Path) -> None:
    rewritten(stranger, "=HYPERLINK(1)")
    for kind, out in (("csv-wide", tmp_path / "out.csv"), ("xlsx", tmp_path / "out.xlsx")):
        code, _, err = command("export", stranger, "--to", kind, "--out", out)
        assert code == 2
        assert "strategy '=HYPERLINK(1)' is a formula" in err
        assert not out.exists()


def test_a_complete_run_that_lost_its_rows_is_completed(run, command, puzzles) -> None:
    asked = ("-s", "seed:norvig", "-d", puzzles("1.....3..4....2."), "--repetitions", 2, "--resume", "--figures", "off")
    folder = run(*asked).folder
    rows, manifest = ((folder / name).read_bytes() for name in (MEASUREMENTS, MANIFEST))
    again = ("run", "--out", folder, "--pin", "off", *asked)
    whole = identities(folder)
    outside = folder.parent / "outside.csv"
    outside.write_bytes(rows[: len(rows) // 2])
    for lose in (
        (folder / MEASUREMENTS).unlink,
        lambda: (folder / MEASUREMENTS).write_bytes(rows[: len(rows) // 2]),
        lambda: [(folder / MEASUREMENTS).unlink(), (folder / MEASUREMENTS).symlink_to(outside)],
        (folder / PUZZLES).unlink,
    ):
        (folder / MEASUREMENTS).unlink(missing_ok=True)
        (folder / MEASUREMENTS).write_bytes(rows)
        (folder / MANIFEST).write_bytes(manifest)
        lose()
        if (folder / PUZZLES).exists():
            assert "interrupted" in command("status", folder)[1]
        assert command(*again)[0] == 0
        assert identities(folder) == whole
        assert (folder / PUZZLES).exists()
        assert outside.read_bytes() == rows[: len(rows) // 2]
    (folder / MEASUREMENTS).write_bytes(rows.replace(b"seed:norvig", b"seed:other"))
    code, _, err = command(*again)
    assert code == 2
    assert "the run has no measurement of that strategy" in err
    (folder / MEASUREMENTS).write_bytes(rows)
    table = (folder / PUZZLES).read_bytes()
    (folder / PUZZLES).write_bytes(table + table.splitlines(keepends=True)[1])
    code, _, err = command(*again)
    assert code == 2
    assert "stands in line 2 already" in err


def identities(folder: Path) -> list[list[str]]:
    with (folder / MEASUREMENTS).open(encoding="utf-8", newline="") as file:
        return sorted(row[:9] for row in csv.reader(file))


def test_a_pipe_in_place_of_a_file_is_refused(stranger: Path, command) -> None:
    for name in (MANIFEST, MEASUREMENTS, PUZZLES):
        copy = stranger.parent / name
        shutil.copy(stranger / name, copy)
        (stranger / name).unlink()
        os.mkfifo(stranger / name)
        code, _, err = command("report", stranger)
        assert (code, len(err.splitlines())) == (2, 1)
        (stranger / name).unlink()
        shutil.copy(copy, stranger / name)
