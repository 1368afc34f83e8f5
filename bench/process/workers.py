"""The workers of an entry, one at a time: kept prepared and warm, or a fresh one for each solve.

They remember which boards the strategy cannot solve.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import Solved, SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Confinement, Worker
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.bench.worker.messages import Message
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import Task

GROWN_MIB = 512  # since the first solve of a board, beyond which a process is replaced
NO_LEAD_IN = "no lead-in ({})"
AGAIN = "solved again ({})"


class Obstacle(NamedTuple):
    """Why a strategy solves nothing: the status and the reason of every row."""

    status: str
    reason: str


@dataclass(frozen=True)
class WorkerSettings:
    """The strategy of workers, its task and its limits.

    Attributes:
        numbers: numbers the workers of the run.
        lead_in: returns the puzzles that lead in on boards of a shape, with their solutions.
    """

    info: StrategyInfo
    task: Task
    limit_s: float
    confined: Confinement
    numbers: Iterator[int]
    lead_in: Callable[[Shape], Sequence[Solved]]

    @property
    def obstacle(self) -> Obstacle | None:
        """What no worker can overcome: the strategy is unavailable, or does not support the task."""
        if not self.info.available:
            return Obstacle("unsupported", self.info.reason)
        if self.task.name not in self.info.tasks:
            return Obstacle("unsupported", f"does not offer the task {self.task.name}")
        return None


class Workers(ABC):
    """What warm and cold workers have in common."""

    def __init__(self, settings: WorkerSettings) -> None:
        self.info, self._settings = settings.info, settings

    @property
    def alive(self) -> bool:
        """Is a worker kept?"""
        return False

    @abstractmethod
    def ready(self, shape: Shape) -> Obstacle | None:
        """Prepare for boards of a shape."""

    def solve(self, request: SolveRequest) -> Reply:
        """Return the reply to a request; if the worker is killed, that of another: it may have been somebody else.

        Raises:
            WorkerDied: the worker was killed or ended by itself.
        """
        try:
            return self._solve(request)
        except WorkerDied as death:
            if not death.killed:
                raise
            reply = self._solve_again(request)
            return replace(reply, reason=joined([reply.reason, AGAIN.format(death.reason)]))

    @abstractmethod
    def _solve(self, request: SolveRequest) -> Reply: ...

    def _solve_again(self, request: SolveRequest) -> Reply:
        """Solve with a fresh worker."""
        if obstacle := self.ready(request.shape):
            raise WorkerDied(*obstacle)
        return self._solve(request)

    def renew(self) -> None:
        """Continue with a fresh process."""
        if not self.info.persistent:
            self.close()

    @abstractmethod
    def close(self) -> None:
        """End the worker."""


class WarmWorkers(Workers):
    """Keeps its worker alive between solves.

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
        self._no_lead_in: dict[Shape, str] = {}  # why there is none

    @property
    def alive(self) -> bool:
        return self._worker is not None

    def ready(self, shape: Shape) -> Obstacle | None:
        obstacle = self._settings.obstacle or self._failed.get(shape)
        if obstacle or shape in self._prepare_cpu_s:
            return obstacle
        for is_last in (False, True):
            try:
                self._prepare(shape)
                break
            except WorkerDied as death:
                self.close()
                if is_last or not death.killed:
                    # The time limit of a solve does not apply here.
                    status = "error" if death.status == "timeout" else death.status
                    self._failed[shape] = Obstacle(status, death.reason)
                    break
        return self._failed.get(shape)

    def _solve(self, request: SolveRequest) -> Reply:
        worker, shape = self._worker, request.shape
        assert worker is not None
        try:
            reply = worker.solve(replace(request, lead_in=shape not in self._no_lead_in))
        except WorkerDied as death:
            self.close()
            if worker.led_in:
                raise
            if death.status != "timeout":
                raise death.during("lead-in") from None
            self._no_lead_in[shape] = NO_LEAD_IN.format(death.reason)
            return self._solve_again(request)
        position = self._solved + reply.lead_in
        self._solved = position + len(request.forms)
        reason = joined([reply.reason, note_on_processes(reply), self._no_lead_in.get(shape)])
        reply = replace(
            reply,
            worker=worker.number,
            stream_position=position,
            reason=reason,
            prepare_cpu_s=self._prepare_cpu_s[shape],
        )
        if self._is_spent(reply, shape):
            self.close()
        return reply

    def _is_spent(self, reply: Reply, shape: Shape) -> bool:
        """Is the state of the worker unknown, or its memory needed?"""
        failed = reply.status in ("error", "memout", "wrong")
        return failed or reply.left > 0 or self._has_grown(shape, reply.peak_rss_mib)

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
        message = _require_ok(self._worker.prepare(shape, self._settings.lead_in(shape)))
        self._prepare_cpu_s[shape] = message["prepare_cpu_s"]


class ColdWorkers(Workers):
    """A fresh interpreter for each solve, timed from before it starts to the complete answer.

    The runner measures wall time from before the spawn to the last byte of the answer. CPU time is what the system
    charged to the process over its whole life (wait4), including its exit. Compiled Python files and compile caches
    exist, as on a user's second start.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        super().__init__(settings)
        self._started: set[Shape] = set()

    def ready(self, shape: Shape) -> Obstacle | None:
        """Return the obstacle, if any. The first solve of a shape is not recorded: it fills the caches."""
        obstacle = self._settings.obstacle
        if obstacle is None and shape not in self._started:
            self._started.add(shape)
            puzzle, _ = self._settings.lead_in(shape)[0]
            with contextlib.suppress(WorkerDied):
                self.solve(SolveRequest([puzzle], self._settings.task, self._settings.limit_s))
        return obstacle

    def _solve(self, request: SolveRequest) -> Reply:
        start_s = wall_s()
        worker = Worker(self.info, next(self._settings.numbers), self._settings.confined)
        try:
            reply = worker.solve_at_once(replace(request, how="cold"))
            end_s = wall_s()
            if reply.status == "ok":
                usage = worker.finish(request.limit_s)
                reply = replace(reply, wall_s=end_s - start_s, cpu_s=usage.ru_utime + usage.ru_stime)
        finally:
            worker.close()
        reason = note_on_processes(reply) or reply.reason
        return replace(reply, worker=worker.number, stream_position=0, reason=reason)

    def close(self) -> None:
        """There is none: each ends with its solve."""


def note_on_processes(reply: Reply) -> str | None:
    return f"processes left running and killed: {reply.left}" if reply.left else None


def joined(notes: Sequence[str | None]) -> str | None:
    return "; ".join(note for note in notes if note) or None


def _require_ok(message: Message) -> Message:
    if message["status"] != "ok":
        raise WorkerDied(message["status"], message["reason"])
    return message
