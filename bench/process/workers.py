"""The workers of a contestant, one at a time: kept prepared and warm, or a fresh one for each solve.

They remember which boards the strategy cannot solve.
"""

from __future__ import annotations

import contextlib
import math
import statistics
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Confinement, Worker
from sudoku_bench.bench.worker.clocks import RESOLUTION_S, wall_s
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import Task

# CPU time beyond the wall time that several cores must have spent: more than the accuracy of the clocks.
NOTICEABLE_S, NOTICEABLE_SHARE = 1e-3, 0.2
GROWN_MIB = 512  # since the first solve of a board, beyond which a process is replaced
NOT_WARMED_UP = "not warmed up ({})"

WarmUp = Mapping[Shape, Sequence[Puzzle]]


class Obstacle(NamedTuple):
    """Why a strategy solves nothing: the status and the reason of every row."""

    status: str
    reason: str


class WarmedUp(NamedTuple):
    """What the warm-up of a strategy on boards of a shape has shown.

    Attributes:
        cost_s: CPU seconds of a solve; infinite if it failed.
        parallel: whether the solves took more CPU time than one core has.
        note: why there was no warm-up; too_slow: because it took longer than the time limit of a solve.
    """

    cost_s: float = math.inf
    parallel: bool = False
    note: str | None = None
    too_slow: bool = False


@dataclass(frozen=True)
class WorkerSettings:
    """The strategy of workers, its task and its limits.

    Attributes:
        numbers: numbers the workers of the run.
        warm_up: forms that are never recorded, by shape.
    """

    info: StrategyInfo
    task: Task
    limit_s: float
    confined: Confinement
    numbers: Iterator[int]
    warm_up: WarmUp

    @property
    def obstacle(self) -> Obstacle | None:
        """What no worker can overcome: the strategy is unavailable, or does not support the task."""
        if not self.info.available:
            return Obstacle("unsupported", self.info.reason)
        if self.task.name not in self.info.tasks:
            return Obstacle("unsupported", f"does not offer the task {self.task.name}")
        return None

    def warm_up_request(self, form: Puzzle) -> SolveRequest:
        return SolveRequest([form], self.task, self.limit_s)


class Workers(ABC):
    """What warm and cold workers have in common."""

    def __init__(self, settings: WorkerSettings) -> None:
        self.info, self._settings = settings.info, settings
        self._warmed_up: dict[Shape, WarmedUp] = {}

    @property
    def alive(self) -> bool:
        """Is a worker kept?"""
        return False

    @abstractmethod
    def ready(self, shape: Shape) -> Obstacle | None:
        """Prepare for boards of a shape, and warm up."""

    @abstractmethod
    def solve(self, request: SolveRequest) -> Reply:
        """Return the reply to a request, with ``worker``, ``stream_position`` and ``prepare_cpu_s``.

        Raises:
            WorkerDied: the worker was killed or ended by itself.
        """

    def warmed_up(self, shape: Shape) -> WarmedUp:
        return self._warmed_up.get(shape, WarmedUp())

    def renew(self) -> None:
        """Continue with a fresh process."""
        if not self.info.persistent:
            self.close()

    @abstractmethod
    def close(self) -> None:
        """End the worker."""


class WarmWorkers(Workers):
    """Keeps its worker alive between solves; a fresh worker solves the warm-up forms first.

    Some packages never free what a solve needed. A worker that has grown by ``GROWN_MIB`` is replaced, because a long
    run would otherwise fill the memory of the machine.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        super().__init__(settings)
        self._worker: Worker | None = None
        self._solved = 0
        self._prepare_cpu_s: dict[Shape, float] = {}
        self._first_mib: dict[Shape, float] = {}  # peak memory of the worker's first solve of a board
        self._failed: dict[Shape, Obstacle] = {}

    @property
    def alive(self) -> bool:
        return self._worker is not None

    def ready(self, shape: Shape) -> Obstacle | None:
        obstacle = self._settings.obstacle or self._failed.get(shape)
        if obstacle or shape in self._prepare_cpu_s:
            return obstacle
        try:
            self._prepare(shape)
            self._warm_up(shape)
        except WorkerDied as death:
            # The time limit of a solve does not apply here.
            status = "error" if death.status == "timeout" else death.status
            self._failed[shape] = Obstacle(status, death.reason)
            self.close()
        return self._failed.get(shape)

    def solve(self, request: SolveRequest) -> Reply:
        worker = self._worker
        assert worker is not None
        try:
            reply = worker.solve(request)
        except WorkerDied:
            self.close()
            if worker.completed < len(request.run_in):
                return self._solve_without_run_in(request)
            raise
        position = self._solved + len(request.run_in)
        self._solved = position + len(request.forms)
        reason, warm_up = reply.get("reason"), self.warmed_up(request.shape).note
        notes = [reason, note_on_processes(reply), warm_up if warm_up != NOT_WARMED_UP.format(reason) else None]
        reply |= {"worker": worker.number, "stream_position": position, "reason": joined(notes)}
        reply["prepare_cpu_s"] = self._prepare_cpu_s[request.shape]
        if self._is_spent(reply, request.shape):
            self.close()
        return reply

    def _is_spent(self, reply: Reply, shape: Shape) -> bool:
        """Is the state of the worker unknown, or its memory needed?"""
        failed = reply["status"] in ("error", "memout")
        return failed or bool(reply.get("left")) or self._has_grown(shape, reply.get("peak_rss_mib"))

    def _solve_without_run_in(self, request: SolveRequest) -> Reply:
        """Solve with a fresh worker: the last one died of a form that is not part of the measurement."""
        if obstacle := self.ready(request.shape):
            raise WorkerDied(*obstacle)
        return self.solve(replace(request, run_in=()))

    def close(self) -> None:
        if self._worker:
            self._worker.close()
        self._worker = None
        self._prepare_cpu_s.clear()
        self._first_mib.clear()

    def _has_grown(self, shape: Shape, peak_mib: float | None) -> bool:
        if peak_mib is None or self.info.persistent:
            return False
        return peak_mib > self._first_mib.setdefault(shape, peak_mib) + GROWN_MIB

    def _prepare(self, shape: Shape) -> None:
        if self._worker is None:
            self._worker, self._solved = Worker(self.info, next(self._settings.numbers), self._settings.confined), 0
            _require_ok(self._worker.start())
        self._prepare_cpu_s[shape] = _require_ok(self._worker.prepare(shape))["prepare_cpu_s"]

    def _warm_up(self, shape: Shape) -> None:
        """Solve the warm-up forms. A worker that fails is replaced, and the new one starts without warm-up.

        After a timeout no later worker tries again: it would solve the same forms.
        """
        if self.warmed_up(shape).too_slow:
            return
        self._warmed_up[shape] = WarmedUp()
        replies = []
        try:
            for form in self._settings.warm_up[shape]:
                replies.append(_require_ok(self.solve(self._settings.warm_up_request(form))))
                if self._worker is None:
                    self._prepare(shape)
            cost_s = statistics.median(reply["cpu_s"] for reply in replies)
            cost_s = cost_s if cost_s >= RESOLUTION_S else math.inf  # no solve is as fast as that
            self._warmed_up[shape] = WarmedUp(cost_s, uses_several_cores(replies))
        except WorkerDied as death:
            note = NOT_WARMED_UP.format(death.reason)
            self._warmed_up[shape] = WarmedUp(note=note, too_slow=death.status == "timeout")
            self.close()
            self._prepare(shape)


class ColdWorkers(Workers):
    """A fresh interpreter for each solve, timed from before it starts to the complete answer.

    The runner measures wall time from before the spawn to the last byte of the answer. CPU time is what the system
    charged to the process over its whole life (wait4), including its exit. Compiled Python files and compile caches
    exist, as on a user's second start.
    """

    def ready(self, shape: Shape) -> Obstacle | None:
        """Return the obstacle, if any. The first solve of a shape is not recorded: it fills the caches."""
        obstacle = self._settings.obstacle
        if obstacle is None and shape not in self._warmed_up:
            self._warmed_up[shape] = WarmedUp()
            with contextlib.suppress(WorkerDied):
                reply = self.solve(self._settings.warm_up_request(self._settings.warm_up[shape][0]))
                self._warmed_up[shape] = WarmedUp(reply.get("cpu_s", math.inf), uses_several_cores([reply]))
        return obstacle

    def solve(self, request: SolveRequest) -> Reply:
        start_s = wall_s()
        worker = Worker(self.info, next(self._settings.numbers), self._settings.confined)
        try:
            reply = worker.solve_at_once(replace(request, how="cold"))
            end_s = wall_s()
            if reply["status"] == "ok":
                usage = worker.finish(request.limit_s)
                reply |= {"wall_s": end_s - start_s, "cpu_s": usage.ru_utime + usage.ru_stime}
        finally:
            worker.close()
        reason = note_on_processes(reply) or reply.get("reason")
        return reply | {"worker": worker.number, "stream_position": 0, "reason": reason}

    def close(self) -> None:
        """There is none: each ends with its solve."""


def note_on_processes(reply: Reply) -> str | None:
    return f"processes left running and killed: {reply['left']}" if reply.get("left") else None


def joined(notes: Sequence[str | None]) -> str | None:
    return "; ".join(note for note in notes if note) or None


def uses_several_cores(replies: Sequence[Reply]) -> bool:
    """Do the solves take noticeably more CPU time than wall time?"""
    timed = [reply for reply in replies if "cpu_s" in reply]
    cpu_s, wall_s = (sum(reply[clock] for reply in timed) for clock in ("cpu_s", "wall_s"))
    return bool(cpu_s - wall_s > max(NOTICEABLE_S, NOTICEABLE_SHARE * wall_s))


def _require_ok(reply: Reply) -> Reply:
    if reply["status"] != "ok":
        raise WorkerDied(reply["status"], reply["reason"])
    return reply
