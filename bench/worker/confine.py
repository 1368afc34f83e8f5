"""Limits that a worker sets on itself before it runs a strategy, pinning, and its peak memory."""

from __future__ import annotations

import contextlib
import math
import os
import resource
from collections.abc import Sequence

CLEAR_REFS, STATUS = "/proc/self/clear_refs", "/proc/self/status"
RESET_PEAK = b"5"


def limit_data(mib: int | None) -> None:
    """Limit the data segment (never the address space, which includes memory that is only reserved)."""
    if mib:
        resource.setrlimit(resource.RLIMIT_DATA, (mib << 20, mib << 20))


def pin(cores: Sequence[int] | None) -> None:
    """Pin this process to these cores (Linux)."""
    if cores:
        os.sched_setaffinity(0, cores)


def can_reset_peak() -> bool:
    """Can the peak memory be reset? If not, the reported peak is that of the process so far."""
    return os.access(CLEAR_REFS, os.W_OK)


def forget_peak() -> float:
    """Reset the peak that children of this process inherit; return the new peak in MiB, infinite if unknown."""
    peak = PeakMemory()
    try:
        peak.reset()
        mib = peak.read_mib()
    finally:
        peak.close()
    return math.inf if mib is None else mib


class PeakMemory:
    """Peak resident memory of this process since the last ``reset``: VmHWM, reset through ``clear_refs``.

    ``ru_maxrss`` does not work: it cannot be reset, and a child inherits it from its parent.
    """

    def __init__(self) -> None:
        self._clear = self._status = -1
        with contextlib.suppress(OSError):  # kept open: opening costs more than reading
            self._status = os.open(STATUS, os.O_RDONLY | os.O_CLOEXEC)
            self._clear = os.open(CLEAR_REFS, os.O_WRONLY | os.O_CLOEXEC)

    def close(self) -> None:
        for fd in (self._clear, self._status):
            if fd >= 0:
                os.close(fd)
        self._clear = self._status = -1

    def reset(self) -> None:
        if self._clear >= 0:
            with contextlib.suppress(OSError):
                os.pwrite(self._clear, RESET_PEAK, 0)

    def read_mib(self) -> float | None:
        """Return the peak in MiB; None if the system does not report it."""
        if self._status < 0:
            return None
        with contextlib.suppress(OSError, IndexError):
            return int(os.pread(self._status, 4096, 0).partition(b"VmHWM:")[2].split(None, 1)[0]) / 1024
        return None
