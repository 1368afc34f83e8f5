"""Kill the runner, a worker, or both at any moment: at most the measurement in flight is lost, and nothing is left."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from bench import analysis, proctree

from .conftest import FOURS, Trace

KILLS = 32
KEY = ["strategy", "collection", "puzzle", "isomorph", "launch", "repetition"]

# Each process leaves a child in a session of its own, which nothing ties to it but the environment. Four strategies, so
# that there is a pilot.
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
            self.search(Empty(shape), type("Task", (), {"limit": 1}))

    class Empty:
        def __init__(self, shape):
            self.shape, self.cells = shape, (0,) * shape.n_cells

    for letter in "abcd":
        register(type("Parent", (Parent,), {"name": f"test:{letter}"}))
"""


# What a start without its report costs is a third of what it costs with it.
QUIET = "import sys; from bench.commands import report; report.main = lambda folder: 0; from bench import cli;"
QUIET += "sys.exit(cli.main(sys.argv[1:]))"

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(plugin, puzzles, tmp_path) -> Start:
    """Start the run, or resume it."""
    asked = ["run", "-s", "test:*", "--plugin", plugin(SOURCE), "-d", puzzles(*FOURS[:3]), "--repetitions", "2"]
    asked += ["--launches", "2", "--out", tmp_path / "out", "--resume"]

    def call(reporting: bool = False) -> subprocess.Popen[bytes]:
        how = ["-m", "bench"] if reporting else ["-c", QUIET]
        return subprocess.Popen([sys.executable, *how, *asked], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    return call


def whole(path: Path) -> bytes:
    """The rows that are finished."""
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def workers(runner: int) -> list[int]:
    return [pid for pid in proctree.descendants(runner) if b"bench.worker" in command_line(pid)]


def command_line(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def wait_for(process: subprocess.Popen[bytes], rows: Path, count: int, seconds: float) -> None:
    """Until there are so many finished rows, and then so long; or until the process has ended."""
    while process.poll() is None and whole(rows).count(b"\n") < count:
        time.sleep(0.001)
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)


def test_a_run_killed_again_and_again_is_completed_by_resuming(start: Start, tmp_path, trace: Trace) -> None:
    rng = random.Random(20)
    rows = tmp_path / "out" / "measurements.csv"
    before: bytes = b""
    moments: list[int] = []  # finished rows at each kill of the runner

    def attempt(victim: str, more: int, seconds: float, reporting: bool = False) -> int:
        nonlocal before
        process = start(reporting)
        wait_for(process, rows, whole(rows).count(b"\n") + more, seconds)
        if victim in ("worker", "both"):
            for pid in workers(process.pid):
                kill(pid)
        if victim == "worker":  # the run goes on; the runner's turn is later
            wait_for(process, rows, whole(rows).count(b"\n") + more, seconds)
        if victim and process.poll() is None:
            kill(process.pid)
            moments.append(whole(rows).count(b"\n"))
        _, said = process.communicate()
        assert b"Traceback" not in said, said.decode()
        assert process.returncode in (0, -signal.SIGKILL), said.decode()
        assert trace.gone(), [command_line(pid) for pid in trace.alive()]
        now = whole(rows)
        assert now.startswith(before), "a finished row was lost or changed"
        before = now
        return process.returncode

    for _ in range(8):  # before the first measurement: start, references, pilot, rating
        attempt("runner", 0, rng.uniform(0, 2.5))
    while len(moments) < KILLS - 3:
        victim = rng.choice(("runner", "runner", "worker", "both"))
        if attempt(victim, rng.randint(1, 4), rng.uniform(0, 0.05)) == 0:
            break  # complete before its turn came
    assert sum(count > 0 for count in moments) >= 15
    assert attempt("", 0, 0) == 0
    check_complete(tmp_path / "out")
    while len(moments) < KILLS:
        attempt("runner", 0, rng.uniform(0.3, 3), reporting=True)
    assert attempt("", 0, 0, reporting=True) == 0
    check_complete(tmp_path / "out")
    assert (tmp_path / "out" / "summary.csv").exists()
    assert not list((tmp_path / "out").rglob("*.part"))


def check_complete(folder: Path) -> None:
    run = analysis.load(folder)
    table: pd.DataFrame = run.measurements
    assert run.manifest["complete"] is True
    assert len(table) == run.manifest["planned_rows"]
    assert not table.duplicated(KEY).any()
    own = table[table["placebo"].isna()]
    assert len(own.groupby(["strategy", "puzzle", "launch", "repetition"])) == len(own) == 4 * 3 * 2 * 2
    assert run.manifest["rows_by_status"] == dict(table["status"].value_counts())
