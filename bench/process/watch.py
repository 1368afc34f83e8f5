"""The limits of a worker, and the watch that checks its process tree every 50 ms while it solves.

Killing the process is the only limit that works for every solver: C code ignores signals handled in Python.
Memory is that of resident pages and of files in memory that processes hold open: a file made by memfd_create(2), or in
a tmpfs such as ``/dev/shm``, takes memory even where no process has mapped it.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bench.worker import process_tree
from bench.worker.clocks import wall_s
from bench.worker.stopwatch import ANSWERED

MIB = 1 << 20
BLOCK_BYTES = 512  # of ``st_blocks``
IN_MEMORY = ("tmpfs", "ramfs")  # kinds of file systems
MEMORY_FILES = ("/memfd:", "/dev/shm/")
REMOVED = " (deleted)"  # at the end of the name of a file without one

File = tuple[int, int]  # device and inode


def tree_mib(pids: Iterable[int], limit_mib: int | None) -> float:
    """Return the memory of several processes in MiB.

    A sum of what each has resident and of the files that they hold is quick, but counts shared pages several times. It
    is returned if it is within the limit, or if there is none; else each page is counted once.
    """
    tree = list(pids)
    resident_mib = sum(map(process_tree.resident_mib, tree))
    if not limit_mib:
        return resident_mib
    files = held_files(tree)
    files_mib = sum(files.values()) / MIB
    if resident_mib + files_mib <= limit_mib or (len(tree) == 1 and not files):
        return resident_mib + files_mib
    return sum(proportional_mib(pid, files) for pid in tree) + files_mib


def held_files(pids: Iterable[int]) -> dict[File, int]:
    """Return the bytes of the files in memory that processes hold open: those that they made, as far as names tell."""
    held = {}
    for pid in pids:
        with contextlib.suppress(OSError), os.scandir(f"{process_tree.PROC}/{pid}/fd") as entries:
            for entry in entries:
                with contextlib.suppress(OSError):  # closed meanwhile
                    if is_in_memory(str(Path(entry.path).readlink())):
                        about = entry.stat()
                        held[about.st_dev, about.st_ino] = about.st_blocks * BLOCK_BYTES
    return held


def is_in_memory(target: str) -> bool:
    """Is this what a descriptor of a file in memory links to?"""
    return target.startswith(MEMORY_FILES) or (target.endswith(REMOVED) and target.startswith(memory_folders()))


@lru_cache(maxsize=1)
def memory_folders() -> tuple[str, ...]:
    """Return the folders of the file systems in memory, each with a slash at its end."""
    try:
        lines = Path(f"{process_tree.PROC}/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    mounts = [line.split(" ") for line in lines]
    return tuple(f"{folder.rstrip('/')}/" for _, folder, kind, *_ in mounts if kind in IN_MEMORY)


def proportional_mib(pid: int, apart: Iterable[File] = ()) -> float:
    """Return the proportional set size (PSS) of a process in MiB: each page divided by the number of its sharers.

    Args:
        apart: files that are counted elsewhere.
    """
    try:
        lines = Path(f"{process_tree.PROC}/{pid}/smaps").read_bytes().splitlines()
    except OSError:
        return process_tree.resident_mib(pid)
    return sum(kib for file, kib in mappings(lines) if file not in set(apart)) / 1024


def mappings(lines: Sequence[bytes]) -> Iterator[tuple[File, int]]:
    """Yield the file and the proportional size in KiB of each mapping in the lines of ``/proc/PID/smaps``."""
    file: File = (0, 0)
    for line in lines:
        name, *fields = line.split(None, 5)
        if name == b"Pss:":
            yield file, int(fields[0])
        elif b"-" in name and not name.endswith(b":"):  # addresses, permissions, offset, device, inode, path
            major, _, minor = fields[2].partition(b":")
            file = os.makedev(int(major, 16), int(minor, 16)), int(fields[3])


TICK_S = 0.05  # between two checks of CPU time and memory
KILL_SLACK_S = 0.1  # CPU seconds beyond the limit before the kill; the worker's clock decides about the status
WALL_FACTOR, WALL_SLACK_S = 2, 5.0  # the wall-clock guard: factor * CPU limit + slack
NEAR_LIMIT = 0.9  # of the memory limit: an abort above this share counts as out-of-memory


@dataclass(frozen=True)
class Limits:
    """Limits of one solve: CPU seconds and resident MiB of the process tree (None: no limit)."""

    cpu_s: float
    memory_mib: int | None = None

    @property
    def wall_s(self) -> float:
        """The wall-clock guard beside the CPU limit, for a solver that waits instead of computing."""
        return WALL_FACTOR * self.cpu_s + WALL_SLACK_S


class WorkerDied(Exception):
    """The worker was killed or ended by itself; ``status`` and ``reason`` go into the row.

    ``clock`` names the clock of the limit that was hit, ``cpu`` or ``wall``; ``limit_s`` is that limit.
    """

    def __init__(self, status: str, reason: str, clock: str = "cpu", limit_s: float | None = None) -> None:
        super().__init__(reason)
        self.status, self.reason, self.clock, self.limit_s = status, reason, clock, limit_s


class Watch:
    """CPU time and memory of a worker's tree during one request.

    Args:
        progress: changes when a form is completed; the time limit applies to each form.
        used_s: CPU seconds of the tree when the request was sent.
        transfer: limits once all forms are solved and answers are handed over (None: the same).
    """

    def __init__(
        self,
        pid: int,
        limits: Limits,
        doing: str,
        progress: mmap.mmap,
        used_s: float,
        transfer: Limits | None = None,
    ) -> None:
        self._pid, self._limits, self._doing, self._progress = pid, limits, doing, progress
        self._transfer = transfer
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
            self._done, self._cpu_start, self._wall_start = done, used_s, wall_s()
            if done == ANSWERED and self._transfer:
                self._doing, self._limits = "handing over the answer", self._transfer
        elif used_s - self._cpu_start > limits.cpu_s + KILL_SLACK_S:
            return out_of_time(self._doing, limits)
        elif wall_s() - self._wall_start > limits.wall_s:
            reason = f"{self._doing}: more than {limits.wall_s:g} s of wall time"
            return WorkerDied("timeout", reason, "wall", limits.wall_s)
        return None


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
    return WorkerDied("error", f"{doing}: ended by {name}")


def oom_kills() -> int:
    """Return how many processes the kernel has killed as out-of-memory since boot; 0 if it does not report it."""
    with contextlib.suppress(OSError, IndexError):
        return int(Path("/proc/vmstat").read_bytes().partition(b"\noom_kill ")[2].split()[0])
    return 0
