"""The run folder."""

from __future__ import annotations

import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sudoku_bench.bench.commands import report
from sudoku_bench.bench.figures import catalogue
from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.folder.rows import ADDED, Row
from sudoku_bench.bench.folder.store import Store, read_manifest, whole_rows
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.datasets.errors import InputError
from tests.bench.conftest import FOURS, Result
from tests.bench.folder.a_row import a_row


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "measurements.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_folder_that_cannot_be_created_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        Store.create(tmp_path / "file" / "run")


def test_a_replaced_file_leaves_no_partial_file(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "run")
    store.write("plots/a.svg", b"old")
    store.write("plots/a.svg", b"new")
    assert [(p.name, p.read_bytes()) for p in (tmp_path / "run" / "plots").iterdir()] == [("a.svg", b"new")]


@pytest.mark.parametrize("field", ["reason", "other_counters"])
def test_any_text_of_a_strategy_is_one_line_of_the_file(tmp_path: Path, field: str) -> None:
    store = Store.create(tmp_path / "run")
    for words in ("a\nb\rc\x85d\u2028e", "\udcff\x00\x1b[1m", "x" * 10**6, 'a,"b', "  "):
        store.append([a_row(**{field: words})])
    rows = rows_of(store.folder)
    assert len(rows) == 5 == (store.folder / "measurements.csv").read_bytes().count(b"\n") - 1
    assert [row[field][:9] for row in rows] == ["a b c d e", "\\udcff\\x0", "x" * 9, 'a,"b', ""]
    assert all(len(row[field]) <= 1000 for row in rows)


def test_rows_of_an_earlier_version_are_read_but_not_continued(tmp_path: Path) -> None:
    """They lack the columns of lead-ins."""
    store = Store.create(tmp_path / "run")
    store.append([a_row(puzzle="own-1", wall_s=0.1, cpu_s=0.1)])
    store.close()
    path = tmp_path / "run" / "measurements.csv"
    with path.open(newline="", encoding="utf-8") as file:
        [header, values] = csv.reader(file)
    kept = [place for place, column in enumerate(header) if column not in ADDED]
    assert len(kept) == len(header) - 2
    lines = [",".join(cells[place] for place in kept) for cells in (header, values)]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    [(_, row)] = whole_rows(tmp_path / "run", Row)
    assert (row.puzzle, row.lead_in, row.clock_cost_s) == ("own-1", None, None)
    store = Store.resume(tmp_path / "run")
    with pytest.raises(InputError, match="other columns than this version writes"):
        store.append([a_row(puzzle="own-2")])
    store.close()


PLAIN = """
    @register
    class Plain(Backtracker):
        name = "test:plain"
"""


SETTINGS = ("--repetitions", "1", "--loops", "1", "--pin", "off")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the run, its plug-in and its puzzles: one for all tests, because the plan names their paths."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def again(command, plugin, puzzles, place: Path) -> Callable[..., Result]:
    """Repeat the same run in one folder with ``--resume``."""
    for file in (plugin(PLAIN), puzzles(*FOURS[:2])):
        shutil.copy(file, place)

    def call(*arguments: object, folder: Path = place / "out") -> Result:
        plan = ("-s", "test:*", "--plugin", place / "plugin.py", "-d", place / "own.txt", *SETTINGS)
        return Result(*command("run", *plan, "--out", folder, "--resume", *arguments), folder)

    return call


@pytest.fixture
def made(again, place: Path, monkeypatch) -> Result:
    """The complete run, without a report: measured once, then copied."""
    monkeypatch.setattr(report, "report", lambda *_, **__: 0)
    out, whole = place / "out", place / "whole"
    shutil.rmtree(out, ignore_errors=True)
    if not whole.exists():
        result = again()
        assert result.code == 0, result.err
        out.rename(whole)
    shutil.copytree(whole, out)
    return Result(0, "", "", out)


def test_an_incomplete_last_line_is_not_a_row(made: Result) -> None:
    path = made.folder / "measurements.csv"
    data = path.read_bytes()
    rows = list(whole_rows(made.folder, Row))
    last = data.rfind(b"\n", 0, -1) + 1
    for cut in range(last, len(data)):
        path.write_bytes(data[:cut])
        assert list(whole_rows(made.folder, Row)) == rows[:-1]
        assert len(run_tables.load(made.folder).measurements) == len(rows) - 1
        Store.resume(made.folder).close()
        assert path.read_bytes() == data[:last]


@pytest.mark.parametrize(
    "part", [0.0, 0.3, 1.0]
)  # within the header, within the second row, before the end of the last line
def test_a_run_with_an_incomplete_row_is_completed_and_keeps_its_rows(made: Result, again, part: float) -> None:
    path = made.folder / "measurements.csv"
    data = path.read_bytes()
    keys = {(row.attempt, row.repetition) for _, row in whole_rows(made.folder, Row)}
    manifest = json.loads((made.folder / "manifest.json").read_text(encoding="utf-8"))
    assert seal.KEY in manifest
    assert seal.edited(made.folder, manifest) == []
    cut = data[: max(10, int(part * (len(data) - 1)))]
    path.write_bytes(cut)
    (made.folder / "manifest.json").write_text(json.dumps(manifest | {"complete": False}), encoding="utf-8")
    assert again().code == 0
    kept = cut[: cut.rfind(b"\n") + 1]
    assert path.read_bytes().startswith(kept)
    rows = list(whole_rows(made.folder, Row))
    assert len(rows) == len(keys) == manifest["planned_rows"]
    assert {(row.attempt, row.repetition) for _, row in rows} == keys
    completed = read_manifest(made.folder)
    assert completed["complete"] is True
    assert seal.edited(made.folder, completed) == ["manifest.json", "measurements.csv"]  # by this test


def files_of(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_resuming_a_complete_run_does_nothing(again, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(catalogue, "FIGURES", catalogue.FIGURES[:1])
    folder = again(folder=tmp_path / "out").folder
    before = files_of(folder)
    assert folder / "report.html" in before
    assert again(folder=folder).code == 0
    assert files_of(folder) == before


@pytest.mark.parametrize("leftovers", [[], [".lock", "manifest.json.part"]])
def test_resuming_a_run_without_a_manifest_starts_it(made: Result, again, tmp_path, leftovers: list[str]) -> None:
    """An empty folder, or a run killed before it wrote its manifest."""
    folder = tmp_path / "begun"
    folder.mkdir()
    for name in leftovers:
        (folder / name).write_text("{", encoding="utf-8")
    result = again(folder=folder)
    assert result.code == 0, result.err
    assert len(result.all_rows) == len(made.all_rows)


def change_plugin(folder: Path) -> None:
    path = folder / "plugin.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n# better\n", encoding="utf-8")


CHANGES = {
    "timeout": (("--timeout", 3), None, "timeout_s: 10.0 in the run, 3.0 now"),
    "strategies": (("-s", "seed:norvig"), None, "strategies"),
    "puzzles": ((), lambda folder: (folder / "own.txt").write_text(FOURS[2] + "\n", encoding="utf-8"), "collections"),
    "plug-in": ((), change_plugin, "strategies"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_plan_is_refused_in_one_line(made: Result, again, place: Path, change: str) -> None:
    arguments, edit, words = CHANGES[change]
    before = files_of(made.folder)
    if edit:
        edit(place)
    result = again(*arguments)
    assert result.code == 2
    refusal = result.err.splitlines()[-1]
    assert f"{made.folder}: holds a run of another plan" in refusal
    assert words in refusal
    assert "Traceback" not in result.err
    assert files_of(made.folder) == before


def limited(folder: Path, place: Path, size: int) -> subprocess.CompletedProcess[str]:
    """Run on a disk with a limit on the size of files."""
    command = [sys.executable, "-m", "sudoku_bench", "run", "-s", "test:*", "--plugin", place / "plugin.py", "-d"]
    command += [place / "own.txt", *SETTINGS, "--out", folder, "--resume"]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # cut off, compiled files would fail everything after it
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY)),
    )


@pytest.mark.thorough
def test_a_full_disk_ends_with_one_line_and_a_run_that_can_be_read_and_resumed(
    made: Result, again, place: Path, tmp_path: Path
) -> None:
    """A limit on the size of a file fails like a full disk: the first bytes of a row are written, the rest is not."""
    manifest_bytes = (made.folder / "manifest.json").stat().st_size
    room = manifest_bytes + 1000
    (place / "own.txt").write_text("\n".join(FOURS * 5), encoding="utf-8")
    folder = tmp_path / "full"
    rows = folder / "measurements.csv"
    for size, refused in ((manifest_bytes - 1000, "manifest.json"), (room, "measurements.csv")):
        done = limited(folder, place, size)
        assert done.returncode == 2, done.stderr
        assert done.stderr.splitlines()[-1] == f"sudoku-bench: {folder / refused}: File too large"
        assert "Traceback" not in done.stderr
    finished = rows.read_bytes()
    assert room - 1000 < len(finished) <= room
    assert finished.endswith(b"\n")
    assert read_manifest(folder)["complete"] is False
    assert len(run_tables.load(folder).measurements) == finished.count(b"\n") - 1
    result = again(folder=folder)
    assert result.code == 0, result.err
    assert rows.read_bytes().startswith(finished)
    manifest = read_manifest(folder)
    assert manifest["complete"] is True
    assert len(result.all_rows) == manifest["planned_rows"] > 25


HOLDER = """
import subprocess, sys, time
from pathlib import Path
from sudoku_bench.bench.folder.store import Store

store = Store.create(Path(sys.argv[1]))
child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL, close_fds=False, start_new_session=True)
print(child.pid, flush=True)
time.sleep(600)
"""


def test_two_runners_are_refused_and_the_lock_of_a_dead_one_is_free(made: Result, again, tmp_path) -> None:
    """Even while a process started by the dead runner is still alive."""
    folder = tmp_path / "held"
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, folder], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    child = int(holder.stdout.readline())
    try:
        for arguments in ((), ("--jobs", 2)):
            result = again(*arguments, folder=folder)
            assert result.code == 2
            refusal = f"sudoku-bench: {folder}: another run is writing there; wait for it, or choose another --out\n"
            assert result.err.endswith(refusal)
        holder.kill()
        holder.wait(timeout=60)
        os.kill(child, 0)
        assert again(folder=folder).code == 0
    finally:
        os.kill(child, signal.SIGKILL)
        holder.kill()
        holder.wait(timeout=60)
        holder.stdout.close()
