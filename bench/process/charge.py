"""What the kernel charged to a worker for a request, read from outside the worker.

A worker reports its own times, and the code that it measures runs in the same process: it could change the clocks, or
work when no clock runs. The kernel's accounts cannot be changed from there.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

from sudoku_bench.bench.worker import process_tree

USER_OF_CHILDREN, SYSTEM_OF_CHILDREN = 13, 14  # in ``process_tree.stat_fields``


class Meter:
    """Reads the accounts of one worker and of the processes that it keeps.

    Args:
        pid: the worker; it may have just been started.

    Attributes:
        kept: processes that the worker started while it was prepared, such as a pool.
    """

    def __init__(self, pid: int) -> None:
        self._pid, self.kept = pid, list[int]()
        self._stat = -1
        with contextlib.suppress(OSError):  # kept open: opening costs more than reading
            self._stat = os.open(f"{process_tree.PROC}/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        self._charged_s = self._kept_s = 0.0  # of the worker at the last answer; of kept processes at the last request

    def start(self) -> float:
        """Begin a request; return the CPU seconds so far of all processes that count."""
        self._kept_s = cpu_of(self.kept)
        return self._charged_s + self._kept_s

    def stop(self) -> float:
        """Return the CPU seconds since the answer before; of kept processes, only those since ``start``.

        What the worker computes while it waits for a request is charged to the next one.
        """
        before_s, self._charged_s = self._charged_s, process_tree.own_cpu_s(self._pid) + self._ended_children_s()
        return self._charged_s - before_s + max(0.0, cpu_of(self.kept) - self._kept_s)  # a process may have ended

    def close(self) -> None:
        if self._stat >= 0:
            os.close(self._stat)
        self._stat = -1

    def _ended_children_s(self) -> float:
        """Return the CPU seconds of the children that the worker has waited for, which are counted in ticks."""
        if self._stat < 0:
            return 0.0
        try:
            fields = os.pread(self._stat, 2048, 0).rpartition(b") ")[2].split()
        except OSError:  # the process is gone
            return 0.0
        return (int(fields[USER_OF_CHILDREN]) + int(fields[SYSTEM_OF_CHILDREN])) * process_tree.TICK_S


def cpu_of(pids: Sequence[int]) -> float:
    return sum(map(process_tree.cpu_s, pids)) if pids else 0.0
