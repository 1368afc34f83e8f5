"""The data set: the same files from every build, continued builds, lineages within splits, isomorphs left out."""

from __future__ import annotations

import csv
import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from datasets import InputError
from datasets.making.dataset import build as building
from datasets.making.dataset.build import build
from datasets.making.dataset.rows import COLUMNS
from datasets.reading.reader import load_file, parse
from datasets.search import solve

pytest.importorskip("pyarrow")
pytestmark = [pytest.mark.slow, pytest.mark.thorough]

NINES, OTHERS = 6, 3
PATIENCE_S = 120.0  # for processes that have nothing left to do


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    progress = list(build(folder, NINES, OTHERS, jobs=1))
    assert progress == [(done, len(progress) - 1) for done in range(len(progress))]
    return folder


def rows(folder: Path, name: str = building.NAME) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_two_builds_have_the_same_checksums(built: Path, tmp_path: Path) -> None:
    list(build(tmp_path, NINES, OTHERS, jobs=2))
    assert contents(tmp_path) == contents(built)


def test_the_checksums_are_those_of_the_files(built: Path) -> None:
    lines = [line.split("  ") for line in (built / "SHA256SUMS").read_text(encoding="utf-8").splitlines()]
    assert {name for _, name in lines} == contents(built).keys() - {"SHA256SUMS"}
    assert all(hashlib.sha256((built / name).read_bytes()).hexdigest() == due for due, name in lines)


def test_a_build_that_was_stopped_is_continued(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(built)
    (built / f"{building.NAME}.csv").unlink()
    monkeypatch.setattr(building, "chunk_rows", lambda *_: pytest.fail("made again"))
    assert len(list(build(built, NINES, OTHERS, jobs=1))) == 1
    assert contents(built) == before


def test_rows_hold_puzzles_with_their_solutions_and_measures(built: Path) -> None:
    table = rows(built)
    assert tuple(table[0]) == COLUMNS
    assert len({row["id"] for row in table}) == len(table) >= NINES
    for row in table:
        puzzle = parse(row["puzzle"])
        assert solve(puzzle).solutions == (parse(row["solution"]).cells,)
        assert row["board"] == puzzle.shape.name
        assert int(row["clues"]) == puzzle.clues
        assert all(row[name] for name in ("guesses", "guesses_se", "conflicts", "conflicts_se", "split", "lineage"))
        assert bool(row["er"]) == (row["board"] == "9x9")


def test_a_lineage_is_in_one_split_only(built: Path) -> None:
    splits = {(row["lineage"], row["split"]) for row in rows(built)}
    assert len(splits) == len({lineage for lineage, _ in splits})


def test_parquet_and_csv_hold_the_same(built: Path) -> None:
    texts = [[entry.puzzle for entry in load_file(built / f"{building.NAME}.{end}")] for end in ("csv", "parquet")]
    assert texts[0] == texts[1]
    ratings = [[entry.rating for entry in load_file(built / f"{building.NAME}.{end}")] for end in ("csv", "parquet")]
    assert ratings[0] == ratings[1]


def test_the_card_counts_the_puzzles(built: Path) -> None:
    text = (built / "README.md").read_text(encoding="utf-8")
    table = rows(built)
    assert f"\n{len(table)} puzzles, no two" in text
    for split in ("train", "validation", "test"):
        number = sum(row["split"] == split for row in table)
        assert (f"| {split} | {number} |" in text) == (number > 0)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        list(build(tmp_path / "file", 1, 1))


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_build_that_is_stopped_says_so_and_leaves_no_process(tmp_path: Path, by: signal.Signals) -> None:
    command = (sys.executable, "-m", "datasets.making.dataset", "--out", tmp_path, "--jobs", "2")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        while not list(tmp_path.glob("chunks/*.csv")):
            assert process.poll() is None
            time.sleep(0.1)
        os.kill(process.pid, by)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == f"sudoku-bench: {tmp_path}: stopped; the same command continues"
    assert "Traceback" not in errors
    deadline = time.monotonic() + PATIENCE_S
    while group_runs(process.pid):  # what ends with its input takes a moment
        assert time.monotonic() < deadline
        time.sleep(0.1)


def group_runs(pgid: int) -> bool:
    try:
        os.killpg(pgid, 0)
    except ProcessLookupError:
        return False
    return True
