"""Fixtures for runs through the command line, with plug-ins and puzzle files."""

from __future__ import annotations

import math
import os
import secrets
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from sudoku_bench.bench.commands import cli, report, report_files
from sudoku_bench.bench.figures import catalogue
from sudoku_bench.bench.folder.store import Store
from sudoku_bench.bench.plan import kept
from sudoku_bench.bench.run import probe
from sudoku_bench.bench.say import progress
from sudoku_bench.bench.say.output import plain_console
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.worker import process_tree

# 4×4 puzzles with one solution each. The first alone has 9 empty cells; those that lead strategies in have more.
FOURS = ("13..4.3..4....24", ".24....234......", "..42....1....2.1", "1......4.2..4..2", ".31.2.....43....")


@pytest.fixture(scope="session")
def kept_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results")


@pytest.fixture(autouse=True)
def no_results_of_the_user(kept_results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests neither use nor add to what the user's runs have kept; they share what they keep themselves."""
    monkeypatch.setattr(kept, "folder", lambda: kept_results)


@dataclass
class Result:
    code: int
    out: str
    err: str
    folder: Path

    @property
    def rows(self) -> pd.DataFrame:
        """The measurements of strategies."""
        rows = self.all_rows
        return rows[rows["placebo"].isna()].reset_index(drop=True)

    @property
    def all_rows(self) -> pd.DataFrame:
        return run_tables.load(self.folder).measurements

    def statuses(self) -> list[str]:
        return list(self.rows["status"])


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """Run ``sudoku-bench`` in this process; return exit code, standard output and standard error.

    Standard error has no lines of progress, which depend on the speed of the machine.
    """
    monkeypatch.setattr(progress, "SECONDS_WORTH_A_LINE", math.inf)
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", math.inf)

    def call(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        try:
            code = cli.main([str(argument) for argument in arguments])
        except SystemExit as leave:  # --help
            code = int(leave.code or 0)
        return code, *capfd.readouterr()

    return call


@pytest.fixture
def run(
    command: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """``sudoku-bench run`` into a new folder, with the first figure only.

    Workers are not pinned, so that tests at the same time do not choose the same core.
    """
    monkeypatch.setattr(catalogue, "FIGURES", catalogue.FIGURES[:1])
    number = 0

    def call(*arguments: object) -> Result:
        nonlocal number
        number += 1
        folder = tmp_path / f"run{number}"
        return Result(*command("run", "--out", folder, "--pin", "off", *arguments), folder)

    return call


def write_report(folder: Path, look: report_files.Look | None = None) -> None:
    """Write the files of a report, also where ``measure`` replaces the report of a command."""
    run, quiet = run_tables.load(folder), progress.Progress(plain_console(quiet=True), quiet=True)
    report_files.write(Store(folder), run, look or report_files.Look(), quiet)


@pytest.fixture
def measure_all(run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Like ``run``, without a report, for tests that only need rows."""
    monkeypatch.setattr(report, "report", lambda *_, **__: 0)
    return run


@pytest.fixture
def measure(measure_all: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Like ``measure_all``, without placebos, which take twice the time of the strategies, for most tests."""
    monkeypatch.setattr(probe, "placebo_strategies", lambda *_: ())
    return measure_all


# What ``measure`` does, in a process of its own: ``python -c MEASURE run ...``.
MEASURE = """
import sys
from sudoku_bench.bench.commands import cli
from sudoku_bench.bench.commands import report
from sudoku_bench.bench.run import probe

report.report = lambda *_, **__: 0
probe.placebo_strategies = lambda *_: ()
sys.exit(cli.main(sys.argv[1:]))
"""


@dataclass(frozen=True)
class Trace:
    """A word in the environment or arguments of the processes of a test, by which they can be found."""

    word: str

    def alive(self) -> list[int]:
        """Return the other processes that carry it and still run."""
        return [pid for pid in process_tree.parents() if pid != os.getpid() and self._is_carried_by(pid)]

    def gone(self, patience_s: float = 10.0) -> bool:
        """Do all of them end within that time?"""
        deadline = time.monotonic() + patience_s
        while (alive := self.alive()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return not alive

    def _is_carried_by(self, pid: int) -> bool:
        try:
            texts = [Path(f"/proc/{pid}/{name}").read_bytes() for name in ("environ", "cmdline")]
        except OSError:
            return False
        return not process_tree.is_zombie(pid) and any(self.word.encode() in text for text in texts)


@pytest.fixture
def trace(monkeypatch: pytest.MonkeyPatch) -> Iterator[Trace]:
    """Set ``TRACE`` in the environment, inherited by all processes of the test; kill those left at the end."""
    mark = Trace(f"trace-{secrets.token_hex(8)}")
    monkeypatch.setenv("TRACE", mark.word)
    yield mark
    for pid in mark.alive():
        os.kill(pid, 9)


@pytest.fixture
def puzzles(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of puzzles."""

    def write(*lines: str, name: str = "own.txt") -> Path:
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


BACKTRACKER = '''
import os, sys, time, zlib
from sudoku_bench import GaveUp, Strategy, Unsupported, register


def solutions(shape, cells):
    """Yield all solutions, trying digits cell by cell: slow but obviously correct."""
    if 0 not in cells:
        yield cells
        return
    cell = cells.index(0)
    for digit in range(1, shape.size + 1):
        if all(cells[peer] != digit for peer in shape.peers[cell]):
            yield from solutions(shape, cells[:cell] + (digit,) + cells[cell + 1 :])


def burn(seconds):
    """Compute: a strategy that only waits has no times."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


class Backtracker(Strategy):
    def search(self, puzzle, task):
        valid = all(
            not v or all(puzzle.cells[p] != v for p in puzzle.shape.peers[c]) for c, v in enumerate(puzzle.cells)
        )
        answer = []
        for cells in solutions(puzzle.shape, puzzle.cells) if valid else ():
            answer.append(cells)
            if len(answer) == task.limit:
                break
        return answer
'''


DETACHED = """
    import ctypes

    def keep_alive():
        '''A process that ends as soon as it has started another one in a session of its own.'''
        while os.fork() == 0:
            os.setsid()
        os._exit(0)

    def detached(work):
        '''A child that the runner adopts instead of the worker.'''
        ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)
        if os.fork() == 0:
            if os.fork() == 0:
                os.setsid()
                work()
            os._exit(0)
        os.wait()
        time.sleep(0.1)
"""


SLOW = """
    @register
    class Slow(Backtracker):
        name = "test:slow"

        def search(self, puzzle, task):
            burn(0.2)
            return super().search(puzzle, task)
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Callable[..., Path]:
    """Write a plug-in file: a correct strategy ``Backtracker`` (not registered) and the code of the test."""

    def write(source: str, name: str = "plugin.py") -> Path:
        path = tmp_path / name
        path.write_text(BACKTRACKER + textwrap.dedent(source), encoding="utf-8")
        return path

    return write
