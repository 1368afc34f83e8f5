"""Runs on real Dask processes, started as a user would: a scheduler and workers that talk over loopback TCP."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest

from sudoku_bench.bench.run.cluster.connection import RESOURCE
from sudoku_bench.bench.verdicts import run_tables
from tests.bench.conftest import FOURS, MEASURE

pytest.importorskip("distributed")
pytestmark = pytest.mark.thorough

KEY = ["strategy", "collection", "puzzle", "isomorph", "launch", "repetition"]
SAME = [*KEY, "loops", "status", "round", "position", "placebo"]
PATIENCE_S = 120.0

SOURCE = """
    class Placed(Backtracker):
        def search(self, puzzle, task):
            burn(float(os.environ.get("BURN_S", "0.02")))
            return super().search(puzzle, task)

    for letter in "ab":
        register(type("Placed", (Placed,), {"name": f"test:{letter}"}))
"""


class Dask:
    """A scheduler and workers, each in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._number, self._processes = folder, 0, list[subprocess.Popen[bytes]]()
        self.address, self.workers = "", list[subprocess.Popen[bytes]]()

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        self._number += 1
        file = self._folder / f"scheduler{self._number}.json"
        process = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        deadline = time.monotonic() + PATIENCE_S
        while not self._address(file):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        self.address = self._address(file)
        return process

    def add_worker(self, *options: object, environ: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        offered = options or ("--resources", f"{RESOURCE}=1")
        scratch = ("--local-directory", self._folder)
        process = self._start(
            "worker", self.address, "--nthreads", 1, "--no-nanny", *scratch, *offered, environ=environ
        )
        self.workers.append(process)
        return process

    def end(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()

    def _start(self, what: str, *arguments: object, environ: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard", *map(str, arguments)]
        self._processes.append(
            subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **(environ or {})}
            )
        )
        return self._processes[-1]

    @staticmethod
    def _address(file: Path) -> str:
        with contextlib.suppress(OSError, ValueError, KeyError):
            return str(json.loads(file.read_text(encoding="utf-8"))["address"])
        return ""


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    dask = Dask(tmp_path)
    dask.start_scheduler()
    yield dask
    dask.end()


@pytest.fixture
def settings(plugin, puzzles) -> list[object]:
    file = puzzles(*FOURS * 3)
    return ["-s", "test:*", "--plugin", plugin(SOURCE), "-d", file, "--repetitions", 2, "--pin", "off"]


@pytest.fixture(scope="module")
def known() -> dict[str, pd.DataFrame]:
    """The rows of the local engine, once they have been measured."""
    return {}


@pytest.fixture
def local(known, measure, settings) -> pd.DataFrame:
    """The rows of the same run by the local engine."""
    if not known:
        known["rows"] = measure(*settings).all_rows
    return known["rows"]


Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(settings, tmp_path: Path) -> Start:
    """Start a run into ``out``, or resume it."""

    def call(dask: Dask | None) -> subprocess.Popen[str]:
        where = ["--scheduler", dask.address] if dask else ["--jobs", min(2, os.cpu_count() or 1)]
        asked = ["run", *settings, "--engine", "dask", *where, "--out", tmp_path / "out", "--resume"]
        command = [sys.executable, "-c", MEASURE, *map(str, asked)]
        # Where the tests run in the background of a script, Ctrl-C is ignored, and what they start would ignore it too.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        signal.signal(signal.SIGINT, before)
        return process

    return call


def wait_for_rows(process: subprocess.Popen[str], path: Path, number: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not path.exists() or path.read_bytes().count(b"\n") <= number:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def sorted_rows(rows: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    return rows[columns].sort_values(KEY).reset_index(drop=True)


def check_complete(folder: Path, local: pd.DataFrame) -> run_tables.Run:
    """The rows of a run on a cluster are those of a local run, each once."""
    run = run_tables.load(folder)
    assert run.manifest["complete"] is True
    assert not run.measurements.duplicated(KEY).any()
    pd.testing.assert_frame_equal(sorted_rows(run.measurements, SAME), sorted_rows(local, SAME))
    hosts = run.measurements.groupby(["puzzle", "launch", "repetition"])["host"].nunique()
    assert set(hosts) == {1}
    return run


def test_a_killed_worker_and_one_that_joins_late_cost_no_row(dask, start, local, tmp_path) -> None:
    for _ in range(2):
        dask.add_worker()
    process = start(dask)
    wait_for_rows(process, tmp_path / "out" / "measurements.csv", 10)
    dask.add_worker()
    dask.workers[0].kill()
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    run = check_complete(tmp_path / "out", local)
    hosts = run.manifest["hosts"]
    assert set(hosts) == set(run.measurements["host"])
    assert all(host["machine"]["cpu"] and host["versions"]["distributed"] for host in hosts.values())


def test_without_a_scheduler_a_run_ends_in_one_line_and_is_resumed_on_another(dask, start, local, tmp_path) -> None:
    folder = tmp_path / "out"
    dask.add_worker()
    process = start(dask)
    wait_for_rows(process, folder / "measurements.csv", 10)
    dask._processes[0].kill()
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2, errors
    last = errors.strip().splitlines()[-1]
    assert f"{dask.address}: the scheduler is gone; finished rows are in {folder}" in last
    assert "--resume" in last
    assert "Traceback" not in errors
    dask.start_scheduler()
    dask.add_worker()
    process = start(dask)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors
    check_complete(folder, local)


def test_a_worker_with_other_software_does_not_take_part(dask, start, local, tmp_path) -> None:
    """It offers a measurement first, so that blocks reach it; another worker measures them."""
    other = tmp_path / "sitecustomize.py"
    other.write_text("import platform\nplatform.python_version = lambda: '3.11.0'\n", encoding="utf-8")
    dask.add_worker(environ={"PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"})
    dask.add_worker()
    process = start(dask)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors
    assert "does not take part: " in errors
    assert ": Python is 3.11.0 there and " in errors
    check_complete(tmp_path / "out", local)


def test_a_cluster_of_this_machine_is_interrupted_and_resumed(start, local, trace, tmp_path, monkeypatch) -> None:
    folder = tmp_path / "out"
    monkeypatch.setenv("BURN_S", "0.5")  # so that the run is not over before it is interrupted
    process = start(None)
    wait_for_rows(process, folder / "measurements.csv", 10)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C: to the command and all workers
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, errors
    assert f"interrupted; finished rows are in {folder}" in " ".join(errors.split())
    assert "Traceback" not in errors
    assert trace.gone()
    monkeypatch.delenv("BURN_S")
    process = start(None)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors
    check_complete(folder, local)
    assert trace.gone()
