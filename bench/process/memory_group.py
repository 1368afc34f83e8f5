"""A control group (version 2) with a memory limit for one worker and all that it starts.

It counts what no process's own limit does: shared memory, files kept in memory, children. Where none can be made,
``bench.worker.confine.limit_data`` and ``bench.process.watch`` have to do.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from functools import lru_cache
from pathlib import Path

from bench.machine import control_groups
from bench.machine.system import counters
from bench.worker.clocks import wall_s

CONTROL, PROCESSES, EVENTS = "cgroup.subtree_control", "cgroup.procs", "memory.events"
PATIENCE_S = 5.0  # for a killed group to be empty


class MemoryGroup:
    """A folder of the control group file system; ``close`` removes it with all who are left in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def make(cls, mib: int, parent: Path | None) -> MemoryGroup | None:
        """A new group below a parent that hands on limits; None if there is no such parent, or it cannot be made."""
        if parent is None:
            return None
        folder = parent / f"sudoku-bench-{os.getpid()}-{secrets.token_hex(4)}"
        group = cls(folder)
        try:
            folder.mkdir()
            (folder / "memory.max").write_text(str(mib << 20), encoding="ascii")
            with contextlib.suppress(OSError):  # a kernel without swap accounting
                (folder / "memory.swap.max").write_text("0", encoding="ascii")
        except OSError:
            group.close()
            return None
        return group

    def add(self, pid: int) -> None:
        """Put a process in; what it starts from now on is in the group too."""
        (self._folder / PROCESSES).write_text(str(pid), encoding="ascii")

    def killed(self) -> int:
        """How many of its processes the kernel has killed because of the limit."""
        return counters(self._folder, EVENTS).get("oom_kill", 0)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            (self._folder / "cgroup.kill").write_text("1", encoding="ascii")
        deadline = wall_s() + PATIENCE_S
        while self._folder.is_dir() and wall_s() < deadline:
            with contextlib.suppress(OSError):
                self._folder.rmdir()
                return
            time.sleep(0.005)


@lru_cache(maxsize=1)
def parent() -> Path | None:
    """Our own group, made to hand on memory limits; None where that cannot be.

    Only the topmost group may do so while processes live in it, so elsewhere this process moves into a group below.
    """
    if control_groups.memory_obstacle() is not None:
        return None
    own = control_groups.folders("memory")[0]
    try:
        if "memory" not in (own / CONTROL).read_text(encoding="ascii").split():
            if (own / "cgroup.type").exists():
                runner = own / f"sudoku-bench-runner-{os.getpid()}"
                runner.mkdir()
                (runner / PROCESSES).write_text(str(os.getpid()), encoding="ascii")
            (own / CONTROL).write_text("+memory", encoding="ascii")
    except OSError:
        return None
    return own
