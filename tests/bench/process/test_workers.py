"""A worker whose strategy never frees what it used is replaced before it fills the memory of the machine."""

from __future__ import annotations

import itertools

import pytest

from sudoku_bench.bench.process import workers
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.worker_process import Confinement
from sudoku_bench.bench.process.workers import WarmWorkers, WorkerSettings
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.search import solve
from sudoku_bench.solvers.strategy import FIRST
from tests.bench.conftest import FOURS

LEAK_MIB, GROWN_MIB, SOLVES = 32, 80, 12
PUZZLE = parse(FOURS[0])
LEAD_IN = [(PUZZLE, bytes(solve(PUZZLE).solutions[0]))]
LEAKS = f"""
    @register
    class Leaks(Backtracker):
        name = "test:leaks"
        kept = []

        def search(self, puzzle, task):
            self.kept.append(bytearray(os.urandom(1 << 20)) * {LEAK_MIB})
            return super().search(puzzle, task)
"""


def numbers(info: StrategyInfo) -> list[int]:
    """Return the number of the worker of each of some solves in succession."""
    shape = PUZZLE.shape
    one = WarmWorkers(WorkerSettings(info, FIRST, 10.0, Confinement(), itertools.count(1), lambda _: LEAD_IN))
    used = []
    try:
        for _ in range(SOLVES):
            assert one.ready(shape) is None
            reply = one.solve(SolveRequest([PUZZLE], FIRST, 10.0))
            assert reply.status == "ok"
            used.append(reply.worker)
    finally:
        one.close()
    return used


KILLED = """
    @register
    class Killed(Backtracker):
        name = "test:killed"

        def search(self, puzzle, task):
            if not os.path.exists({flag!r}):
                open({flag!r}, "w").close()
                os.kill(os.getpid(), 9)
            return super().search(puzzle, task)
"""


def test_a_solve_whose_worker_was_killed_once_is_tried_again(plugin, tmp_path) -> None:
    file = plugin(KILLED.format(flag=str(tmp_path / "flag")))
    assert set(numbers(StrategyInfo("test:killed", ("first",), plugin=str(file)))) == {2}


def test_a_worker_that_grows_is_replaced(plugin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GROWN_MIB", GROWN_MIB)
    of_worker = [
        len(list(solves))
        for _, solves in itertools.groupby(numbers(StrategyInfo("test:leaks", ("first",), plugin=str(plugin(LEAKS)))))
    ]
    assert sum(of_worker) == SOLVES
    assert 2 <= max(of_worker) <= 1 + GROWN_MIB // LEAK_MIB


def test_a_persistent_strategy_keeps_its_worker(plugin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "GROWN_MIB", GROWN_MIB)
    info = StrategyInfo("test:leaks", ("first",), persistent=True, plugin=str(plugin(LEAKS)))
    assert numbers(info) == [1] * SOLVES
