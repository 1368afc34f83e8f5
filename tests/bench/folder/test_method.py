"""A run records the constants of its method, and reports use those instead of today's."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.commands.report_files import Look
from sudoku_bench.bench.folder import method
from sudoku_bench.bench.folder.method import Method
from sudoku_bench.bench.folder.store import MANIFEST, read_manifest
from sudoku_bench.bench.run import experiment
from sudoku_bench.bench.verdicts import run_tables
from tests.bench.conftest import FOURS, write_report

LIMIT_S = 4.0
CHANGED = {"lead_in_s": 0.007, "placebo_puzzles": 9, "wall_factor": 3}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("method")


@pytest.fixture
def folder(measure_all: Callable[..., Any], puzzles: Callable[..., Path], place: Path, tmp_path: Path) -> Path:
    """A copy of the folder of a run without a report."""
    if not (place / "run").exists():
        result = measure_all("-s", "seed:norvig", "-d", puzzles(*FOURS * 2), "--timeout", LIMIT_S, "--repetitions", 1)
        assert result.code == 0, result.err
        shutil.copytree(result.folder, place / "run")
    return Path(shutil.copytree(place / "run", tmp_path / "copy"))


def report_files(folder: Path) -> dict[str, bytes]:
    """Write the report of a run; return the contents of its files by name."""
    write_report(folder, Look(formats=("svg",), writeup=True))
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def sentences_of(files: dict[str, bytes]) -> str:
    return " ".join(files["writeup/methods.md"].decode().split())


def test_a_run_records_its_method(folder: Path) -> None:
    recorded = read_manifest(folder)[method.KEY]
    assert recorded == dataclasses.asdict(experiment.method_of_this_version())
    assert Method(**recorded) == run_tables.load(folder).method


def test_a_report_states_the_recorded_constants_not_those_of_this_version(folder: Path) -> None:
    manifest = read_manifest(folder)
    text = sentences_of(report_files(folder))
    assert all(words in text for words in ("for 2 ms of CPU time", "13 s of wall time"))
    manifest[method.KEY] |= CHANGED
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    text = sentences_of(report_files(folder))
    assert all(words in text for words in ("for 7 ms of CPU time", "17 s of wall time"))
    assert "for 2 ms of CPU time" not in text
