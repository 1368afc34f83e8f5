"""Killing the runner, a worker or both at any time loses at most one measurement and leaves no process."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import pytest

from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.worker import process_tree
from tests.bench.conftest import FOURS, MEASURE, Trace

pytestmark = pytest.mark.thorough

KILLS = int(os.environ.get("SUDOKU_BENCH_KILLS", "6"))  # `make faults` asks for 100
REPETITIONS = max(2, KILLS // 4)  # rows enough that the run is not complete before most of the kills
KEY = ["strategy", "collection", "puzzle", "isomorph", "launch", "repetition"]

# Each process leaves a child in a session of its own, which nothing ties to it but the environment.
SOURCE = """
    class Parent(Backtracker):
        def search(self, puzzle, task):
            if not hasattr(self, "child"):
                self.child = os.fork()
                if self.child == 0:
                    os.setsid()
                    time.sleep(600)
                    os._exit(0)
            time.sleep(0.004)
            return super().search(puzzle, task)

        def prepare(self, shape):
            with open(os.environ["PREPARED"], "a") as stream:
                stream.write("x")
            self.search(Empty(shape), type("Task", (), {"limit": 1}))

    class Empty:
        def __init__(self, shape):
            self.shape, self.cells = shape, (0,) * shape.n_cells

    for letter in "abcd":
        register(type("Parent", (Parent,), {"name": f"test:{letter}"}))
"""


# ``sudoku-bench`` without placebos, with the first figure only.
DRAWS = "from sudoku_bench.bench.figures import catalogue\ncatalogue.FIGURES = catalogue.FIGURES[:1]"
ONE_FIGURE = MEASURE.replace("report.report = lambda *_, **__: 0", DRAWS)

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(plugin, puzzles, tmp_path, monkeypatch) -> Start:
    """Start the run, or resume it."""
    monkeypatch.setenv("PREPARED", str(tmp_path / "prepared"))
    asked = ["run", "-s", "test:*", "--plugin", plugin(SOURCE), "-d", puzzles(*FOURS[:3])]
    asked += ["--repetitions", str(REPETITIONS)]
    asked += ["--launches", "2", "--pin", "off", "--out", tmp_path / "out", "--resume"]

    def call(reporting: bool = False) -> subprocess.Popen[bytes]:
        how = ["-c", ONE_FIGURE if reporting else MEASURE]
        return subprocess.Popen([sys.executable, *how, *asked], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    return call


def whole(path: Path) -> bytes:
    """Return the finished rows."""
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def workers(runner: int) -> list[int]:
    server = b"sudoku_bench.bench.worker.server"
    return [pid for pid in process_tree.descendants(runner) if server in process_tree.contents(pid, "cmdline", 999)]


@dataclass
class Attempts:
    """Starts of the run; each is killed unless it completes first."""

    start: Start
    folder: Path
    trace: Trace
    rows: bytes = b""  # finished rows
    kills: list[int] = field(default_factory=list)  # number of rows at each kill of the runner

    def go(self, victim: str, more: int, seconds: float, reporting: bool = False, prepared: bool = False) -> int:
        """The exit code of a start that is killed so many seconds after so many more rows (or, ``prepared``, after
        a strategy was prepared), the victim being the ``runner``, a ``worker`` before it, ``both``, or nobody.
        """
        (self.folder.parent / "prepared").unlink(missing_ok=True)
        process = self.start(reporting)
        while prepared and process.poll() is None and not (self.folder.parent / "prepared").exists():
            time.sleep(0.005)
        self.wait(process, more, seconds)
        if victim in ("worker", "both"):
            for pid in workers(process.pid):
                kill(pid)
        if victim == "worker":  # the run continues; the runner is killed later
            self.wait(process, more, seconds)
        if victim and process.poll() is None:
            kill(process.pid)
            self.kills.append(whole(self.folder / "measurements.csv").count(b"\n"))
        self.check(process)
        return process.returncode

    def wait(self, process: subprocess.Popen[bytes], more: int, seconds: float) -> None:
        """Wait for more finished rows and then some seconds, or until the process has ended."""
        path = self.folder / "measurements.csv"
        count = whole(path).count(b"\n") + more
        while process.poll() is None and whole(path).count(b"\n") < count:
            time.sleep(0.005)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)

    def check(self, process: subprocess.Popen[bytes]) -> None:
        _, errors = process.communicate()
        assert b"Traceback" not in errors, errors.decode()
        assert process.returncode in (0, -signal.SIGKILL), errors.decode()
        assert self.trace.gone(), [process_tree.contents(pid, "cmdline", 999) for pid in self.trace.alive()]
        now = whole(self.folder / "measurements.csv")
        assert now.startswith(self.rows), "a finished row was lost or changed"
        self.rows = now


def test_a_run_killed_repeatedly_is_completed_by_resuming(start: Start, tmp_path, trace: Trace) -> None:
    rng = random.Random(20)
    folder = tmp_path / "out"
    attempts = Attempts(start, folder, trace)
    for _ in range(KILLS // 6):  # during start and references
        attempts.go("runner", 0, rng.uniform(0, 2))
    for _ in range(KILLS // 6):  # during the probe and rating
        attempts.go("runner", 0, rng.uniform(0.1, 0.3), prepared=True)
    while len(attempts.kills) < KILLS - 1:
        victim = ("worker", "both", "runner")[len(attempts.kills) % 3]
        if attempts.go(victim, rng.randint(1, 4), rng.uniform(0, 0.05)) == 0:
            break  # completed before the kill
    assert sum(count > 0 for count in attempts.kills) >= KILLS // 2 - 1
    assert attempts.go("", 0, 0) == 0
    check_complete(folder)
    while len(attempts.kills) < KILLS:
        attempts.go("runner", 0, rng.uniform(0.3, 3), reporting=True)
    assert attempts.go("", 0, 0, reporting=True) == 0
    check_complete(folder)
    assert (folder / "summary.csv").exists()
    assert not list(folder.rglob("*.part"))


def check_complete(folder: Path) -> None:
    run = run_tables.load(folder)
    table: pd.DataFrame = run.measurements
    assert run.manifest["complete"] is True
    assert not table.duplicated(KEY).any()
    assert len(table) == run.manifest["planned_rows"] == 4 * 3 * 2 * REPETITIONS  # strategies, puzzles, launches
    assert run.manifest["rows_by_status"] == dict(table["status"].value_counts())
