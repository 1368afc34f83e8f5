"""The data set: the same tables from every build, continued builds, lineages within splits, isomorphs left out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from datasets import InputError
from datasets.making.dataset import build as building
from datasets.making.dataset.build import build, read_rows
from datasets.making.dataset.rows import COLUMNS
from datasets.reading.reader import parse
from datasets.search import solve

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

NINES, OTHERS = 6, 3


def tables(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    progress = list(build(folder, NINES, OTHERS, jobs=1))
    assert progress == [(done, len(progress) - 1) for done in range(len(progress))]
    return folder


def test_a_build_that_was_stopped_is_continued_to_the_same_tables(built: Path, tmp_path: Path) -> None:
    chunks = sorted((built / "chunks").iterdir())
    (tmp_path / "chunks").mkdir()
    for path in chunks[1:]:
        (tmp_path / "chunks" / path.name).write_bytes(path.read_bytes())
    assert list(build(tmp_path, NINES, OTHERS, jobs=2)) == [(len(chunks) - 1, len(chunks)), (len(chunks),) * 2]
    assert tables(tmp_path) == tables(built)


def test_rows_hold_puzzles_with_their_solutions_and_measures(built: Path) -> None:
    rows = read_rows(built / building.PUZZLES)
    assert tuple(rows[0]) == COLUMNS
    assert len({row["id"] for row in rows}) == len(rows) == NINES + OTHERS
    for row in rows:
        puzzle = parse(row["puzzle"])
        assert solve(puzzle).solutions == (parse(row["solution"]).cells,)
        assert row["board"] == puzzle.shape.name
        assert int(row["clues"]) == puzzle.clues
        assert all(row[name] for name in ("guesses", "guesses_se", "conflicts", "conflicts_se", "split", "lineage"))
        assert bool(row["er"]) == (row["board"] == "9x9")
    splits = {(row["lineage"], row["split"]) for row in rows}
    assert len(splits) == len({lineage for lineage, _ in splits})


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        list(build(tmp_path / "file", 1, 1))


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_build_that_is_stopped_says_so(tmp_path: Path, by: signal.Signals) -> None:
    command = (sys.executable, "-m", "datasets.making.dataset.build", "--out", tmp_path, "--jobs", "2")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.glob("chunks/*.csv")):
            assert process.poll() is None
            time.sleep(0.1)
        os.kill(process.pid, by)
        _, errors = process.communicate()  # ends when no process has the pipe open
    assert process.returncode == 130
    assert errors.splitlines()[-1] == f"sudoku-bench: {tmp_path}: stopped; the same command continues"
    assert "Traceback" not in errors
