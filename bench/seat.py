"""The seat of a strategy in a launch: it keeps a worker standing, prepared and warm, and knows what cannot work."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from bench.process import Worker, WorkerDied
from bench.strategies import StrategyInfo
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.strategy import Task

Reply = dict[str, Any]


class Seat:
    """One strategy in one launch.

    Args:
        numbers: counts the workers of the run.
        warm_up: forms that are never timed, by shape; each fresh worker solves them first.

    Attributes:
        prepare_cpu_s: what preparing a shape cost the present worker.
        warm_cpu_s: CPU seconds of the last warm-up solve of a shape; infinite where it did not succeed.
    """

    def __init__(
        self,
        info: StrategyInfo,
        task: Task,
        limit_s: float,
        memory_mib: int | None,
        gc: str,
        numbers: Iterator[int],
        warm_up: dict[Shape, Sequence[Puzzle]],
    ) -> None:
        self.info = info
        self.prepare_cpu_s: dict[Shape, float] = {}
        self.warm_cpu_s: dict[Shape, float] = {}
        self._task, self._limit_s, self._memory_mib, self._gc = task, limit_s, memory_mib, gc
        self._numbers, self._warm_up_forms = numbers, warm_up
        self._worker: Worker | None = None
        self._hopeless: dict[Shape, tuple[str, str]] = {}

    @property
    def worker_number(self) -> int | None:
        return self._worker.number if self._worker else None

    def obstacle(self, shape: Shape) -> tuple[str, str] | None:
        """Status and reason of every row if the strategy cannot do the task on that shape, else None.

        Sees to it that a worker is ready, if it can be.
        """
        if not self.info.available:
            return "unsupported", self.info.reason
        if self._task.name not in self.info.tasks:
            return "unsupported", f"does not offer the task {self._task.name}"
        if shape not in self._hopeless and shape not in self.prepare_cpu_s:
            try:
                self._prepare(shape)
                self._warm_up(shape)
            except WorkerDied as death:
                # Out of time here is not out of time at solving.
                status = "error" if death.status == "timeout" else death.status
                self._hopeless[shape] = status, death.reason
                self.close()
        return self._hopeless.get(shape)

    def solve(self, forms: Sequence[Puzzle], phases: bool) -> Reply:
        """The worker's reply; a worker that failed is replaced before the next solve.

        Raises:
            WorkerDied: it had to be killed, or ended by itself.
        """
        assert self._worker is not None
        try:
            reply = self._worker.solve(forms, self._task, phases, self._limit_s)
        except WorkerDied:
            self.close()
            raise
        if reply["status"] in ("error", "memout"):
            self.close()  # its state is anybody's guess
        return reply

    def close(self) -> None:
        if self._worker:
            self._worker.close()
        self._worker = None
        self.prepare_cpu_s.clear()

    def _prepare(self, shape: Shape) -> None:
        if self._worker is None:
            self._worker = Worker(self.info, next(self._numbers), self._memory_mib, self._gc)
            _must(self._worker.start())
        self.prepare_cpu_s[shape] = _must(self._worker.prepare(shape))["prepare_cpu_s"]

    def _warm_up(self, shape: Shape) -> None:
        """Solve what is never timed. A worker that fails at it is replaced, and the new one goes on cold."""
        try:
            for puzzle in self._warm_up_forms[shape]:
                self.warm_cpu_s[shape] = _must(self.solve([puzzle], phases=False))["cpu_s"]
        except WorkerDied:
            self.warm_cpu_s[shape] = math.inf
            self.close()
            self._prepare(shape)


def _must(reply: Reply) -> Reply:
    if reply["status"] != "ok":
        raise WorkerDied(reply["status"], reply["reason"])
    return reply
