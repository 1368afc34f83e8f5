"""The work of a strategy on random isomorphs of a puzzle, as an objective for mining."""

from __future__ import annotations

from bench.process.solve_request import SolveRequest
from bench.process.strategy_info import StrategyInfo
from bench.process.watch import WorkerDied
from bench.process.worker_process import Worker
from datasets.errors import InputError
from datasets.isomorphs import form, isomorph
from datasets.puzzle import Puzzle
from solvers.strategy import Task

COUNTERS = ("conflicts", "guesses", "nodes", "backtracks")  # in order of preference: the first that a strategy reports
FORMS = 12
FIRST_FORMS = 4  # forms that decide whether a puzzle is far below the bound
FAR_BELOW = 0.6  # share of the bound
LIMIT_S = 10.0  # CPU seconds of one solve; a puzzle beyond it is no candidate
CPU_US = "CPU µs"


class StrategyWork:
    """Mean work of a strategy that solves a puzzle: the first counter that it reports, else CPU microseconds.

    It is a ``datasets.making.mining.Objective`` and runs the strategy in a worker process, as a run does. Use it in a
    ``with`` statement, which ends the worker.

    Attributes:
        unit: what is counted: one of ``COUNTERS``, or ``CPU_US``; empty before the first solve. CPU time differs from
            machine to machine and from time to time, and so do puzzles that are mined for it.
    """

    def __init__(self, info: StrategyInfo) -> None:
        if not info.available:
            raise InputError(f"--mine {info.name}: {info.reason}")
        if "first" not in info.tasks:
            raise InputError(f"--mine {info.name}: does not offer the task first")
        self.unit = ""
        self._info = info
        self._worker: Worker | None = None

    def __enter__(self) -> StrategyWork:
        return self

    def __exit__(self, *_: object) -> None:
        if self._worker:
            self._worker.close()

    def __call__(self, puzzle: Puzzle, seed: int, bound: float) -> float:
        """Return the mean work over ``FORMS`` isomorphs; 0 if it is far below the bound, or a solve is not finished.

        Raises:
            InputError: the strategy fails in another way.
        """
        first = self._mean(puzzle, seed, FIRST_FORMS)
        return self._mean(puzzle, seed + 1, FORMS) if first and first >= FAR_BELOW * bound else 0.0

    def _mean(self, puzzle: Puzzle, seed: int, forms: int) -> float:
        total = 0.0
        for number in range(1, forms + 1):
            work = self._work(form(puzzle, isomorph(seed, puzzle, number)))
            if work is None:
                return 0.0
            total += work
        return total / forms

    def _work(self, puzzle: Puzzle) -> float | None:
        """Solve one form; return its work, None if it was not finished within the limits."""
        try:
            worker = self._prepared(puzzle)
            reply = worker.solve(SolveRequest([puzzle], Task.parse("first"), LIMIT_S))
        except WorkerDied as death:
            self._worker = None
            if death.status in ("timeout", "memout"):
                return None
            raise InputError(f"--mine {self._info.name}: {death.status}: {death.reason}") from None
        if reply["status"] == "gave_up":
            return None
        if reply["status"] != "ok":
            raise InputError(f"--mine {self._info.name}: {reply['status']}: {reply['reason']}")
        counters = reply.get("counters", {})
        self.unit = self.unit or next((name for name in COUNTERS if name in counters), CPU_US)
        return float(1e6 * reply["cpu_s"] if self.unit == CPU_US else counters[self.unit])

    def _prepared(self, puzzle: Puzzle) -> Worker:
        """Return a worker that is prepared for the board, started if there is none yet."""
        if self._worker is None:
            self._worker = Worker(self._info, number=1)
            for reply in (self._worker.start(), self._worker.prepare(puzzle.shape)):
                if reply["status"] != "ok":
                    raise InputError(f"--mine {self._info.name}: {reply['status']}: {reply['reason']}")
        return self._worker
