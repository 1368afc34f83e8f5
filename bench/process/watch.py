"""The limits of a worker, and the watch that checks its process tree every 50 ms while it solves.

Killing the process is the only limit that works for every solver: C code ignores signals handled in Python.
"""

from __future__ import annotations

import contextlib
import mmap
import signal
from dataclasses import dataclass, replace
from pathlib import Path

from sudoku_bench.bench.process.memory import tree_mib
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.worker import process_tree
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.bench.worker.stopwatch import ANSWERED, LEADING_IN

TICK_S = 0.05  # between two checks of CPU time and memory
KILL_SLACK_S = 0.1  # CPU seconds beyond the limit before the kill; the worker's clock decides about the status
WALL_FACTOR, WALL_SLACK_S = 2, 5.0  # the wall-clock guard of a solve that computes: factor * CPU limit + slack
IDLE_SHARE = 0.1  # of the wall time: what computes for less of it waits, and may not wait longer than the CPU limit
LEAST_IDLE_S = 1.0  # a busy machine may take that long to let a process compute
OF_OTHERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)  # signals that people send
NEAR_LIMIT = 0.9  # of the memory limit: an abort above this share counts as out-of-memory


@dataclass(frozen=True)
class Limits:
    """Limits of one solve: CPU seconds and resident MiB of the process tree (None: no limit).

    Attributes:
        idle_s: wall seconds of a solve that waits instead of computing (None: as many as CPU seconds).
    """

    cpu_s: float
    memory_mib: int | None = None
    idle_s: float | None = None

    def wall_s(self, waits: bool) -> float:
        """Return the limit of wall seconds, for a solve that waits or for one that computes."""
        if waits:
            return self.idle_s or max(LEAST_IDLE_S, self.cpu_s)
        return WALL_FACTOR * self.cpu_s + WALL_SLACK_S


class WorkerDied(Exception):
    """The worker was killed or ended by itself; ``status`` and ``reason`` go into the row.

    ``clock`` names the clock of the limit that was hit, ``cpu`` or ``wall``; ``limit_s`` is that limit. ``killed``: by
    a signal that people send.
    """

    def __init__(
        self, status: str, reason: str, clock: str = "cpu", limit_s: float | None = None, killed: bool = False
    ) -> None:
        super().__init__(reason)
        self.status, self.reason, self.clock, self.limit_s, self.killed = status, reason, clock, limit_s, killed

    def during(self, part: str) -> WorkerDied:
        """Return the same with the part of the measurement in its reason."""
        return WorkerDied(self.status, f"{part}: {self.reason}", self.clock, self.limit_s, self.killed)


class Watch:
    """CPU time and memory of a worker's tree during one request.

    Args:
        progress: changes when a form is completed; the time limit applies to each form.
        used_s: CPU seconds of the tree when the request was sent.
        request: a solve request: the answers that are handed over once all forms are solved have a limit of their own.
    """

    def __init__(
        self,
        pid: int,
        limits: Limits,
        doing: str,
        progress: mmap.mmap,
        used_s: float,
        request: SolveRequest | None = None,
    ) -> None:
        self._pid, self._limits, self._doing, self._progress = pid, limits, doing, progress
        self._request = request
        self._done = bytes(len(progress))
        self._cpu_start, self._wall_start = used_s, wall_s()
        self.peak_mib = 0.0

    def look(self) -> WorkerDied | None:
        """Check the limits; return the reason to kill the worker now, or None."""
        tree = [self._pid, *process_tree.descendants(self._pid)]
        used_s, limits = sum(map(process_tree.cpu_s, tree)), self._limits
        self.peak_mib = max(self.peak_mib, tree_mib(tree, limits.memory_mib))
        if limits.memory_mib and self.peak_mib > limits.memory_mib:
            return WorkerDied("memout", f"{self._doing}: more than {limits.memory_mib} MiB of memory")
        done = self._progress[:]
        if done != self._done:  # the next form began within the last tick
            self._begin(done, used_s)
            return None
        computed_s, passed_s = used_s - self._cpu_start, wall_s() - self._wall_start
        if computed_s > limits.cpu_s + KILL_SLACK_S:
            return out_of_time(self._doing, limits)
        if passed_s > (limit_s := limits.wall_s(computed_s < IDLE_SHARE * passed_s)):
            return WorkerDied("timeout", f"{self._doing}: more than {limit_s:g} s of wall time", "wall", limit_s)
        return None

    def _begin(self, done: bytes, used_s: float) -> None:
        """Take note of a form that begins, or of the answers that are handed over."""
        self._done, self._cpu_start, self._wall_start = done, used_s, wall_s()
        if self._request is None:
            return
        if done == ANSWERED:
            self._doing, limit_s = "handing over the answer", self._request.transfer_limit_s
        elif int.from_bytes(done, "little") >= LEADING_IN:
            limit_s = self._request.limit_s  # its puzzles are solved one by one, also before a batch
        else:
            limit_s = self._request.solve_limit_s
        self._limits = replace(self._limits, cpu_s=limit_s)


def out_of_time(doing: str, limits: Limits) -> WorkerDied:
    return WorkerDied("timeout", f"{doing}: more than {limits.cpu_s:g} s of CPU time", "cpu", limits.cpu_s)


def ended_with(code: int, doing: str, peak_mib: float, near_limit: bool, out_of_memory: bool) -> WorkerDied:
    """Return the error for a worker that ended by itself.

    Args:
        code: its exit code, or a signal with the opposite sign.
        near_limit: its memory was; out_of_memory: the kernel has killed processes meanwhile.
    """
    if code >= 0:
        return WorkerDied("error", f"{doing}: the process exited with code {code}")
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if near_limit or (code == -signal.SIGKILL and out_of_memory):
        return WorkerDied("memout", f"{doing}: ended by {name} at {peak_mib:.0f} MiB or more")
    return WorkerDied("error", f"{doing}: ended by {name}", killed=-code in OF_OTHERS)


def oom_kills() -> int:
    """Return how many processes the kernel has killed as out-of-memory since boot; 0 if it does not report it."""
    with contextlib.suppress(OSError, IndexError):
        return int(Path("/proc/vmstat").read_bytes().partition(b"\noom_kill ")[2].split()[0])
    return 0
