"""A run-in before a measurement: untimed, short, and without effect on the answers."""

from __future__ import annotations

import itertools
import math
import mmap
import time
from collections.abc import Iterator

import pytest

from sudoku_bench import Strategy
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.worker_process import Confinement
from sudoku_bench.bench.process.workers import WarmWorkers, WorkerSettings
from sudoku_bench.bench.worker import stopwatch
from sudoku_bench.bench.worker.stopwatch import PROGRESS_BYTES, clock_cost, nothing, solve, timed, timed_after_run_in
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST, GaveUp, Task
from tests.bench.conftest import FOURS

PUZZLES = [parse(text) for text in FOURS]


class Burner(Strategy):
    """Burns the same CPU time for each puzzle, and remembers them."""

    name = "test:burner"

    def __init__(self, seconds: float) -> None:
        self.seconds, self.seen = seconds, list[Puzzle]()

    def search(self, puzzle: Puzzle, task: Task) -> list[tuple[int, ...]]:
        self.seen.append(puzzle)
        end = time.process_time() + self.seconds
        while time.process_time() < end:
            pass
        return [puzzle.cells]


@pytest.fixture
def progress() -> Iterator[mmap.mmap]:
    with mmap.mmap(-1, PROGRESS_BYTES) as shared:
        yield shared


def test_run_in_forms_are_solved_first_and_have_no_answers(progress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "RUN_IN_S", 60.0)  # no machine is too slow
    strategy = Burner(0.0)
    reply, answers = timed_after_run_in(strategy, PUZZLES[:2], FIRST, solve, progress, PUZZLES[2:])
    assert strategy.seen == PUZZLES[2:] + PUZZLES[:2]
    assert answers == [[list(puzzle.cells)] for puzzle in PUZZLES[:2]]
    assert reply["run_in"] == 3


def test_a_run_in_of_slow_solves_ends_early(progress) -> None:
    strategy = Burner(2 * stopwatch.RUN_IN_S)
    reply, _ = timed_after_run_in(strategy, PUZZLES[:1], FIRST, solve, progress, PUZZLES[1:])
    assert strategy.seen == [PUZZLES[1], PUZZLES[0]]
    assert reply["run_in"] == 1
    assert reply["cpu_s"] > stopwatch.RUN_IN_S  # of one form, not of both
    assert reply["cpu_s"] + reply["clock_cost_s"] < 4 * stopwatch.RUN_IN_S


@pytest.mark.parametrize("error", [GaveUp("no"), ValueError("no"), MemoryError()])
def test_a_failure_in_the_run_in_is_not_one_of_the_measurement(progress, error: Exception) -> None:
    class Moody(Burner):
        released = 0

        def search(self, puzzle: Puzzle, task: Task) -> list[tuple[int, ...]]:
            solutions = super().search(puzzle, task)
            if puzzle == PUZZLES[1]:
                raise error
            return solutions

        def release(self) -> None:
            self.released += 1

    strategy = Moody(0.005)
    reply, answers = timed_after_run_in(strategy, PUZZLES[:1], FIRST, solve, progress, PUZZLES[1:])
    assert (reply["run_in"], strategy.released) == (0, 2)
    assert reply["failed_cpu_s"] >= 0.005 > reply["aside_cpu_s"]
    assert answers == [[list(PUZZLES[0].cells)]]


def test_without_a_run_in_nothing_is_subtracted(progress) -> None:
    reply, _ = timed_after_run_in(Burner(0.0), PUZZLES[:1], FIRST, solve, progress, [])
    assert not reply.keys() & {"run_in", "clock_cost_s"}


def test_the_cost_of_the_clocks_is_that_of_a_measurement_without_solves(progress) -> None:
    strategy = Burner(0.0)
    cost = clock_cost(strategy, PUZZLES, FIRST, progress, 0)
    assert strategy.seen == []
    assert cost["cpu_s"] > 0
    times = [timed(strategy, PUZZLES, FIRST, nothing, progress)[0]["cpu_s"] for _ in range(200)]
    assert min(times) <= cost["cpu_s"] <= max(*times, 1e-3)


DIES = """
    @register
    class Dies(Backtracker):
        name = "test:dies"

        def search(self, puzzle, task):
            if puzzle.cells.count(0) == 11:
                os._exit(3)
            return super().search(puzzle, task)
"""


def test_a_worker_that_dies_in_the_run_in_is_replaced_and_the_form_solved(plugin) -> None:
    fatal, harmless = PUZZLES[1], PUZZLES[0]
    assert fatal.cells.count(0) == 11 != harmless.cells.count(0)
    info = StrategyInfo("test:dies", ("first",), plugin=str(plugin(DIES)))
    settings = WorkerSettings(info, FIRST, 10.0, Confinement(), itertools.count(1), {harmless.shape: [harmless] * 3})
    workers = WarmWorkers(settings)
    try:
        assert workers.ready(harmless.shape) is None
        before = workers.solve(SolveRequest([harmless], FIRST, 10.0, run_in=[harmless]))
        assert (before["status"], before["run_in"], before["stream_position"]) == ("ok", 1, 4)
        after = workers.solve(SolveRequest([harmless], FIRST, 10.0, run_in=[fatal]))
        assert after["status"] == "ok"
        assert "run_in" not in after
        assert after["worker"] == before["worker"] + 1
    finally:
        workers.close()


SLOW = """
    @register
    class Slow(Backtracker):
        name = "test:slow"

        def search(self, puzzle, task):
            with open(os.environ["DIARY"], "a", encoding="ascii") as diary:
                diary.write("x")
            while True:
                pass
"""


def test_a_strategy_too_slow_to_be_warmed_up_is_tried_once(plugin, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("DIARY", str(tmp_path / "diary"))
    info = StrategyInfo("test:slow", ("first",), plugin=str(plugin(SLOW)))
    puzzle = PUZZLES[0]
    settings = WorkerSettings(info, FIRST, 0.2, Confinement(), itertools.count(1), {puzzle.shape: [puzzle] * 3})
    workers = WarmWorkers(settings)
    try:
        for _ in range(3):
            assert workers.ready(puzzle.shape) is None
            assert math.isinf(workers.warmed_up(puzzle.shape).cost_s)
            workers.renew()
    finally:
        workers.close()
    assert (tmp_path / "diary").read_text(encoding="ascii") == "x"
