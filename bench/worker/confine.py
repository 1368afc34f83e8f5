"""Limits that a worker sets on itself before it runs a strategy, pinning, and its peak memory."""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import resource
import struct
from collections.abc import Sequence
from pathlib import Path

CLEAR_REFS, STATUS = "/proc/self/clear_refs", "/proc/self/status"
SECCOMP = "/proc/sys/kernel/seccomp/actions_avail"
RESET_PEAK = b"5"
# By machine: its number in audit messages, and those of the system calls prlimit64, seccomp and keyctl.
CALLS = {"x86_64": (0xC000003E, 302, 317, 250), "aarch64": (0xC00000B7, 261, 277, 219)}
JOIN_SESSION_KEY_RING = 1
LOAD, EQUAL, RETURN, ALLOW, REFUSE = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050001  # of a filter (seccomp(2))
NO_NEW_PRIVS, SET_FILTER, SPECULATE = 38, 1, 4  # without the last, older kernels would slow the process down


def limit_data(mib: int | None) -> None:
    """Limit the data segment (never the address space, which includes memory that is only reserved)."""
    if mib:
        resource.setrlimit(resource.RLIMIT_DATA, (mib << 20, mib << 20))


def spare_limits() -> bool:
    """Let this process and its children change no limits but their own: those of the runner are not theirs.

    Returns:
        False if the system does not support it.
    """
    if not can_spare_limits():
        return False
    machine, prlimit, seccomp, _ = CALLS[os.uname().machine]
    filters = [
        *((LOAD, 0, 0, 4), (EQUAL, 0, 8, machine), (LOAD, 0, 0, 0), (EQUAL, 0, 6, prlimit)),  # allowed: other calls,
        *((LOAD, 0, 0, 16), (EQUAL, 4, 0, 0)),  # of this process
        *((LOAD, 0, 0, 32), (EQUAL, 0, 3, 0), (LOAD, 0, 0, 36), (EQUAL, 0, 1, 0)),  # without new limits
        *((RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in filters))
    program = struct.pack("@HP", len(filters), ctypes.addressof(code))
    libc = ctypes.CDLL(None)
    libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
    return bool(libc.syscall(seccomp, SET_FILTER, SPECULATE, program) == 0)


def can_spare_limits() -> bool:
    return os.uname().machine in CALLS and Path(SECCOMP).exists()


def leave_key_ring() -> None:
    """Begin an empty key ring: what a process puts into that of the user's session outlives it (keyctl(2))."""
    if os.uname().machine in CALLS:
        ctypes.CDLL(None).syscall(CALLS[os.uname().machine][3], JOIN_SESSION_KEY_RING, None)


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
