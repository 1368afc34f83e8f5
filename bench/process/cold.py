"""Cold solves: a fresh interpreter for each, from before it is started to the complete answer.

Wall time is the runner's, from before the spawn to the last byte of the answer; CPU time is what the system says the
process used from beginning to end (wait4), its ending included. With mode ``cold`` compiled Python files and compile
caches are there, as on a user's second start; with ``cold-first`` compile caches are empty.
"""

from __future__ import annotations

import math
import tempfile
from dataclasses import replace
from typing import Any

from bench.process.seat import Duty
from bench.process.watch import WorkerDied
from bench.process.worker_process import Confinement, Sample, Worker
from bench.worker.clocks import wall_s
from datasets.shape import Shape

CACHES = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")  # folders of compile caches


class ColdSeat:
    """Starts a worker for each solve.

    Args:
        empty_caches: give each worker new, empty folders for its compile caches.
    """

    def __init__(self, duty: Duty, empty_caches: bool = False) -> None:
        self.info = duty.info
        self._duty, self._empty_caches = duty, empty_caches
        self._costs_s: dict[Shape, float] = {}

    def ready(self, shape: Shape) -> tuple[str, str] | None:
        """The first solve of a shape is not timed: it fills the caches."""
        obstacle = self._duty.obstacle
        if obstacle is None and shape not in self._costs_s:
            try:
                reply = self.solve(self._duty.sample_of(self._duty.warm_up[shape][0]))
                self._costs_s[shape] = reply.get("cpu_s", math.inf)
            except WorkerDied:
                self._costs_s[shape] = math.inf
        return obstacle

    def cost_s(self, shape: Shape) -> float:
        return self._costs_s.get(shape, math.inf)

    def solve(self, sample: Sample) -> dict[str, Any]:
        if not self._empty_caches:
            return self._solve(sample, self._duty.confined)
        with tempfile.TemporaryDirectory(prefix="sudoku-bench-") as folder:
            return self._solve(sample, replace(self._duty.confined, environ=dict.fromkeys(CACHES, folder)))

    def renew(self) -> None:
        pass

    def close(self) -> None:
        pass

    def _solve(self, sample: Sample, confined: Confinement) -> dict[str, Any]:
        start_s = wall_s()
        worker = Worker(self.info, next(self._duty.numbers), confined)
        try:
            reply = worker.solve_at_once(replace(sample, how="cold"))
            end_s = wall_s()
            left = reply.get("left")
            if reply["status"] == "ok":
                usage = worker.finish(sample.limit_s)
                reply |= {"wall_s": end_s - start_s, "cpu_s": usage.ru_utime + usage.ru_stime}
        finally:
            worker.close()
        note = f"left {left} running: ended" if left else reply.get("reason")
        return reply | {"worker": worker.number, "stream_position": 0, "reason": note}
