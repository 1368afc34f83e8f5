"""What the system charged to a worker for a request, read from outside the worker.

A worker reports its own times, and the code that it measures runs in the same process: it could change the clocks, work
when no clock runs, or have another process work for it. The kernel's accounts cannot be changed from there.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Sequence
from typing import NamedTuple

from bench.worker import process_tree
from bench.worker.clocks import thread_cpu_s, wall_s

NANOSECOND_S = 1e-9
HANDLING_S = 1e-4  # of a request and its answer, beside the solve
NOTICEABLE_S = 1e-3  # of CPU time, or of wall time in which a worker is blocked
FAULTS_OF_CHILDREN, USER_OF_CHILDREN, SYSTEM_OF_CHILDREN = 8, 13, 14  # in ``process_tree.stat_fields``
STOLEN = 8  # in the first line of ``/proc/stat``


_numbers = itertools.count(1)


class Charge(NamedTuple):
    """What the system recorded between a request and its whole answer. Times in seconds.

    Requests that are sent together share what was recorded: each has what its answer accounts for, and its part of the
    rest.

    Attributes:
        number: of this request, and of those that were sent together with it; no other has it, of no worker.
        cpu_s: CPU time of the worker, of the children that it waited for, and of the processes that it keeps.
        blocked_s: wall time in which neither these nor the runner computed or waited for a core, and that other
            virtual machines on the host do not explain; 0 if unknown.
        idle_cpu_s: CPU time of the worker between the answer before and this request; idle_s: wall time.
        children: other processes or threads took part, as far as that matters, and how long they waited for a core is
            not known; the time of processes that have ended is counted in ticks (10 ms).
    """

    number: int
    cpu_s: float
    blocked_s: float
    idle_cpu_s: float
    idle_s: float
    children: bool


class _Clocks(NamedTuple):
    """Totals at one moment, in seconds.

    Attributes:
        own_s, kept_s, runner_s: CPU time of the worker, of the processes that it keeps, and of this thread.
    """

    wall_s: float
    own_s: float
    kept_s: float
    runner_s: float


class _Thread(NamedTuple):
    """How long a thread has been on a core, and has waited for one."""

    computed_s: float = 0.0
    delayed_s: float = 0.0


class _Children(NamedTuple):
    """CPU time of the children that the worker has waited for, and page faults, of which every process has some."""

    cpu_s: float
    faults: int


class Meter:
    """Reads the accounts of one worker. Use it in the thread that talks to the worker.

    A request costs the runner a few readings of clocks, while the worker is idle. The files with the accounts of
    threads are read only if time is missing, or the worker was blocked, and then cover all requests since.

    Args:
        pid: the worker; it may have just been started.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._stat = _open(f"{process_tree.PROC}/{pid}/stat")
        self._worker = _open(f"{process_tree.PROC}/{pid}/schedstat")
        self._runner = _open(f"{process_tree.PROC}/thread-self/schedstat")
        self._machine = _open(f"{process_tree.PROC}/stat")
        self._explained_s = self._stolen_s()  # of the stolen time: what came before, and what explained a wait
        self._start = self._end = self._clocks(())
        self._number = next(_numbers)
        self._children = _Children(0.0, 0)
        self._main = self._this = _Thread()  # at the last reading of the accounts of threads, as is the next
        self._read_own_s = self._idle_cpu_s = 0.0  # CPU time of the worker; between requests, since that reading

    def start(self, kept: Sequence[int] = ()) -> float:
        """Begin a request; return the CPU seconds of the worker, its ended children and the kept processes so far.

        Args:
            kept: processes that the worker started while it was prepared, such as a pool.
        """
        self._start = self._clocks(kept)
        self._number = next(_numbers)
        self._idle_cpu_s += self._start.own_s - self._end.own_s
        return self._start.own_s + self._start.kept_s + self._children.cpu_s

    def stop(self, kept: Sequence[int] = (), accounted_s: float = 0.0, left: bool = False) -> Charge:
        """Return what was charged since ``start``.

        Args:
            accounted_s: CPU seconds that the worker accounts for. Other threads are looked for only if more is missing
                than ``NOTICEABLE_S``.
            left: the worker says that a solve left processes behind, so it is worth looking for them.
        """
        before, start = self._end, self._start
        self._end = end = self._clocks(kept)
        # A process that was kept and is gone has taken its time with it.
        own_s, children = end.own_s - start.own_s, bool(kept)
        cpu_s = own_s + max(0.0, end.kept_s - start.kept_s)
        blocked_s = max(0.0, end.wall_s - start.wall_s - cpu_s - (end.runner_s - start.runner_s))
        if own_s - accounted_s > NOTICEABLE_S or blocked_s > NOTICEABLE_S:
            others_s, delayed_s = self._threads(end.own_s)
            children = children or others_s > NOTICEABLE_S
            blocked_s = max(0.0, blocked_s - delayed_s)
        if blocked_s > NOTICEABLE_S or left:  # children may have worked meanwhile
            ended_s, has_ended = self._ended_children()
            children = children or has_ended or (left and bool(process_tree.children(self._pid)))
            cpu_s, blocked_s = cpu_s + ended_s, max(0.0, blocked_s - ended_s)
        if blocked_s > NOTICEABLE_S:
            blocked_s = self._unexplained(blocked_s)
        known = self._worker >= 0 and self._runner >= 0
        idle_cpu_s, idle_s = start.own_s - before.own_s, start.wall_s - before.wall_s
        return Charge(self._number, cpu_s, blocked_s if known else 0.0, idle_cpu_s, idle_s, children)

    def close(self) -> None:
        for fd in (self._stat, self._worker, self._runner, self._machine):
            if fd >= 0:
                os.close(fd)
        self._stat = self._worker = self._runner = self._machine = -1

    def _clocks(self, kept: Sequence[int]) -> _Clocks:
        kept_s = sum(map(process_tree.cpu_s, kept)) if kept else 0.0
        return _Clocks(wall_s(), process_tree.own_cpu_s(self._pid), kept_s, thread_cpu_s())

    def _threads(self, own_s: float) -> tuple[float, float]:
        """Return how long other threads of the worker computed in requests, and how long its main thread and this
        thread waited for a core, since this was asked last.

        Args:
            own_s: CPU time of the worker.
        """
        main, this = _thread(self._worker, self._main), _thread(self._runner, self._this)
        in_requests_s = own_s - self._read_own_s - self._idle_cpu_s
        others_s = in_requests_s - (main.computed_s - self._main.computed_s)
        delayed_s = main.delayed_s - self._main.delayed_s + this.delayed_s - self._this.delayed_s
        self._main, self._this, self._read_own_s, self._idle_cpu_s = main, this, own_s, 0.0
        return others_s, delayed_s

    def _ended_children(self) -> tuple[float, bool]:
        """Return the CPU seconds of children that have ended since this was asked last, and whether there were any."""
        fields, before = _contents(self._stat).rpartition(b") ")[2].split(), self._children
        if fields:
            ticks = int(fields[USER_OF_CHILDREN]) + int(fields[SYSTEM_OF_CHILDREN])
            self._children = _Children(ticks * process_tree.TICK_S, int(fields[FAULTS_OF_CHILDREN]))
        return self._children.cpu_s - before.cpu_s, self._children.faults > before.faults

    def _unexplained(self, blocked_s: float) -> float:
        """Return how much of a wait is longer than the time that other virtual machines took from this one.

        That is counted in ticks and for all cores together, so what no wait has needed yet explains a later one.
        """
        explained_s = min(blocked_s, max(0.0, self._stolen_s() - self._explained_s))
        self._explained_s += explained_s
        return blocked_s - explained_s

    def _stolen_s(self) -> float:
        fields = _contents(self._machine).split(None, STOLEN + 1)
        return int(fields[STOLEN]) * process_tree.TICK_S if len(fields) > STOLEN else 0.0


def shared(charge: Charge, accounted_s: Sequence[float], reported_s: Sequence[float]) -> list[Charge]:
    """Return the part of each answer in what was charged for all.

    Args:
        accounted_s: CPU seconds that the worker accounts for in each; missing time is shared in proportion.
        reported_s: wall seconds that it reports, to which time in which it was blocked is in proportion.
    """
    missing_s = charge.cpu_s - sum(accounted_s)
    parts = zip(accounted_s, proportions(accounted_s), proportions(reported_s), strict=True)
    return [
        charge._replace(cpu_s=each_s + missing * missing_s, blocked_s=blocked * charge.blocked_s)
        for each_s, missing, blocked in parts
    ]


def proportions(times_s: Sequence[float]) -> list[float]:
    """Return the share of each time in all, when handling a request takes as long for each."""
    total_s = sum(times_s) + HANDLING_S * len(times_s)
    return [(each_s + HANDLING_S) / total_s for each_s in times_s]


def _thread(fd: int, otherwise: _Thread) -> _Thread:
    fields = _contents(fd).split()  # nanoseconds
    return _Thread(*(int(field) * NANOSECOND_S for field in fields[:2])) if fields else otherwise


def can_see_waiting() -> bool:
    """Does the system report how long a process waits for a core?"""
    return os.access(f"{process_tree.PROC}/thread-self/schedstat", os.R_OK)


def _open(path: str) -> int:
    with contextlib.suppress(OSError):  # kept open: opening costs more than reading
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return -1


def _contents(fd: int) -> bytes:
    if fd >= 0:
        with contextlib.suppress(OSError):  # the process is gone
            return os.pread(fd, 2048, 0)
    return b""
