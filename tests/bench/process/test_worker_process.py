"""A worker that cannot be started leaks nothing and becomes an error in one line."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.process import orphans, worker_process
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Worker
from sudoku_bench.bench.worker import process_tree
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import Task
from tests.bench.conftest import FOURS

SIXTEEN = "." * 256
REASON = "start: the worker process could not be started: "


def missing_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")


def too_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: Any, **__: Any) -> None:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(orphans, "start", start)


def too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, pipes = os.pipe, iter(range(2))

    def limited_pipe() -> tuple[int, int]:
        if next(pipes):
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return pipe()

    monkeypatch.setattr(worker_process.os, "pipe", limited_pipe)


FAULTS = {
    "missing program": (missing_program, errno.ENOENT),
    "too many processes": (too_many_processes, errno.EAGAIN),
    "too many files": (too_many_files, errno.EMFILE),
}


def resources() -> tuple[list[str], int, list[int]]:
    """Open descriptors, mappings of deleted files and child processes of this process."""
    descriptors = sorted(path.name for path in Path("/proc/self/fd").iterdir())
    mappings = Path("/proc/self/maps").read_text(encoding="utf-8").count("(deleted)")
    return descriptors, mappings, process_tree.children(os.getpid())


@pytest.mark.parametrize("fault", FAULTS)
def test_a_worker_that_cannot_be_started_leaks_nothing(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    [info] = strategies.select(["seed:norvig"])
    break_start, code = FAULTS[fault]
    before = resources()
    with monkeypatch.context() as patch:
        break_start(patch)
        with pytest.raises(WorkerDied) as caught:
            Worker(info, number=1)
    assert (caught.value.status, caught.value.reason) == ("error", REASON + os.strerror(code))
    assert resources() == before
    worker = Worker(info, number=1)
    assert resources() != before
    worker.close()
    assert resources() == before


@pytest.mark.parametrize("mode", ["warm", "cold"])
def test_a_run_records_workers_that_cannot_be_started_as_errors(
    mode: str, measure: Callable[..., Any], puzzles: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    too_many_processes(monkeypatch)
    result = measure("-s", "seed:norvig", "-d", puzzles(*FOURS[:2]), "--mode", mode, "--repetitions", 2)
    assert result.code == 0, result.err
    rows = result.rows
    assert len(rows) == 4
    assert set(rows["status"]) == {"error"}
    assert set(rows["reason"]) == {REASON + os.strerror(errno.EAGAIN)}
    assert rows["worker"].isna().all()


def test_a_short_solve_may_have_a_long_answer(plugin: Callable[..., str]) -> None:
    """It is one line, of more than a mebibyte."""
    file = plugin("""
        from sudoku_bench import Strategy, register

        @register
        class Many(Strategy):
            name = "test:many"
            tasks = ("count",)

            def search(self, puzzle, task):
                return [puzzle.cells] * task.limit
    """)
    [info], puzzle, task = strategies.select(["test:many"], [str(file)]), parse(SIXTEEN), Task("count", 3000)
    worker = Worker(info, number=1)
    try:
        worker.start()
        worker.prepare(puzzle.shape)
        reply = worker.solve(SolveRequest([puzzle], task, 60.0))
    finally:
        worker.close()
    assert reply.answers == [[puzzle.cell_bytes] * 3000]
