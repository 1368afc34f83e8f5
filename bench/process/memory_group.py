"""Control groups (version 2): of one worker and all processes it starts, whose memory it limits, and of a whole run.

The limit counts what one per process misses: shared memory, files in memory, children. Where no group can be created,
``bench/worker/confine.limit_data`` and ``bench/process/watch`` enforce it instead.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from sudoku_bench.bench.machine import control_groups
from sudoku_bench.bench.machine.system import counters
from sudoku_bench.bench.worker.clocks import wall_s

CONTROL, PROCESSES, EVENTS = "cgroup.subtree_control", "cgroup.procs", "memory.events"
PATIENCE_S = 5.0  # for a killed group to be empty


class MemoryGroup:
    """A folder of the control group file system; ``close`` removes it and kills the processes left in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def make(cls, mib: int, parent: Path | None) -> MemoryGroup | None:
        """Create a group below a parent that delegates memory limits; None if there is no parent or creation fails."""
        if parent is None:
            return None
        folder = Path(beginning(parent) + secrets.token_hex(4))
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
        """Add a process; processes it starts from now on belong to the group too."""
        (self._folder / PROCESSES).write_text(str(pid), encoding="ascii")

    def killed(self) -> int:
        """Return how many of its processes the kernel has killed because of the limit."""
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


def beginning(place: Path | None) -> str:
    """Return what the paths of the groups of this process begin with; empty if there is no place for groups."""
    return f"{place}/sudoku-bench-{os.getpid()}-" if place else ""


@contextlib.contextmanager
def joined(place: Path | None) -> Iterator[None]:
    """Move this process into a new group in that place, where one can be made: what it starts can be killed with it."""
    if place is None:
        yield
        return
    before, folder = control_groups.folders()[0], Path(beginning(place) + secrets.token_hex(4))
    try:
        with contextlib.suppress(OSError):  # no permission
            folder.mkdir()
            MemoryGroup(folder).add(os.getpid())
        yield
    finally:
        with contextlib.suppress(OSError):
            MemoryGroup(before).add(os.getpid())
            folder.rmdir()


def place() -> Path | None:
    """Return the group in which those of this process are made; None if there are none of version 2."""
    return parent() or next(iter(control_groups.folders()), None)


@lru_cache(maxsize=1)
def parent() -> Path | None:
    """Return the group of this process, set up to delegate memory limits; None if that is impossible.

    Only the root group may delegate limits while it holds processes; otherwise this process moves into a child group.
    """
    if control_groups.memory_obstacle() is not None:
        return None
    group = control_groups.folders()[0]
    runner = group / f"sudoku-bench-runner-{os.getpid()}"
    try:
        if "memory" not in (group / CONTROL).read_text(encoding="ascii").split():
            if (group / "cgroup.type").exists():
                runner.mkdir()
                (runner / PROCESSES).write_text(str(os.getpid()), encoding="ascii")
            (group / CONTROL).write_text("+memory", encoding="ascii")
    except OSError:
        with contextlib.suppress(OSError):
            MemoryGroup(group).add(os.getpid())
            runner.rmdir()
        return None
    return group
