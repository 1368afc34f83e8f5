"""What the system charged to a worker for a request, read from outside the worker.

A worker reports its own times, and the code that it measures runs in the same process: it could change the clocks, work
when no clock runs, or have another process work for it. The kernel's accounts cannot be changed from there.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bench.worker import process_tree
from bench.worker.clocks import wall_s

NANOSECOND_S = 1e-9
FAULTS_OF_CHILDREN, USER_OF_CHILDREN, SYSTEM_OF_CHILDREN = 8, 13, 14  # in ``process_tree.stat_fields``


@dataclass(frozen=True)
class Charge:
    """What the system recorded between a request and its whole answer. Times in seconds.

    Attributes:
        cpu_s: CPU time of the worker, of the children that it waited for, and of the processes that it keeps.
        blocked_s: wall time in which neither these nor the runner computed or waited for a core; 0 if unknown.
        idle_cpu_s: CPU time of the worker between the answer before and this request; idle_s: wall time.
        children: other processes took part; the time of those that have ended is counted in ticks (10 ms).
    """

    cpu_s: float
    blocked_s: float
    idle_cpu_s: float
    idle_s: float
    children: bool


@dataclass(frozen=True)
class _Reading:
    """Totals at one moment, in seconds.

    Attributes:
        own_s, kept_s, ended_s: CPU time of the worker, of the processes that it keeps, of children that it waited for.
        faults: page faults of these children, of which every process has some.
        delay_s: time in which the worker waited for a core; runner_s: in which the runner computed or waited for one.
    """

    wall_s: float = 0.0
    own_s: float = 0.0
    kept_s: float = 0.0
    ended_s: float = 0.0
    faults: int = 0
    delay_s: float = 0.0
    runner_s: float = 0.0

    @property
    def cpu_s(self) -> float:
        return self.own_s + self.kept_s + self.ended_s


class Meter:
    """Reads the accounts of one worker. Use it in the thread that talks to the worker.

    Args:
        pid: the worker; it may have just been started.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._stat = _open(f"{process_tree.PROC}/{pid}/stat")
        self._delays = _open(f"{process_tree.PROC}/{pid}/schedstat")
        self._runner = _open(f"{process_tree.PROC}/thread-self/schedstat")
        self._end = _Reading(wall_s=wall_s())
        self._start = self._end

    def start(self, kept: Sequence[int] = ()) -> float:
        """Begin a request; return the CPU seconds of the worker, its ended children and the kept processes so far.

        Args:
            kept: processes that the worker started while it was prepared, such as a pool.
        """
        # The worker is idle, so the files about it are as they were: reading them again would cost 10 µs.
        self._start = self._reading(kept, self._end)
        return self._start.cpu_s

    def stop(self, kept: Sequence[int] = ()) -> Charge:
        """Return what was charged since ``start``. Reading it takes a few microseconds on the runner's core."""
        before, start, end = self._end, self._start, self._read(kept)
        self._end = end
        # A process that was kept and is gone has taken its time with it.
        cpu_s = end.own_s - start.own_s + end.ended_s - start.ended_s + max(0.0, end.kept_s - start.kept_s)
        blocked_s = 0.0
        if self._delays >= 0 and self._runner >= 0:
            excused_s = end.delay_s - start.delay_s + end.runner_s - start.runner_s
            blocked_s = max(0.0, end.wall_s - start.wall_s - cpu_s - excused_s)
        return Charge(
            cpu_s,
            blocked_s,
            idle_cpu_s=start.own_s - before.own_s,
            idle_s=start.wall_s - before.wall_s,
            children=bool(kept) or end.faults > start.faults,
        )

    def close(self) -> None:
        for fd in (self._stat, self._delays, self._runner):
            if fd >= 0:
                os.close(fd)
        self._stat = self._delays = self._runner = -1

    def _read(self, kept: Sequence[int]) -> _Reading:
        fields = _contents(self._stat).rpartition(b") ")[2].split()
        waits = _contents(self._delays).split()
        if not fields or not waits:  # the worker is gone, or the system has no such files
            return self._reading(kept, self._end)
        ended_s = (int(fields[USER_OF_CHILDREN]) + int(fields[SYSTEM_OF_CHILDREN])) * process_tree.TICK_S
        faults, delay_s = int(fields[FAULTS_OF_CHILDREN]), int(waits[1]) * NANOSECOND_S
        return self._reading(kept, _Reading(ended_s=ended_s, faults=faults, delay_s=delay_s))

    def _reading(self, kept: Sequence[int], ended: _Reading) -> _Reading:
        """Read the clocks; take the rest from another reading."""
        runner = _contents(self._runner).split()  # nanoseconds on a core, and waiting for one
        return replace(
            ended,
            wall_s=wall_s(),
            own_s=process_tree.own_cpu_s(self._pid),
            kept_s=sum(map(process_tree.cpu_s, kept)) if kept else 0.0,
            runner_s=sum(map(int, runner[:2])) * NANOSECOND_S,
        )


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
