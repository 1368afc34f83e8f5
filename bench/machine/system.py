"""What Linux tells in ``/proc`` and ``/sys``, below a root that tests replace. None is what it does not tell."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/")
TICK_S = 1 / os.sysconf("SC_CLK_TCK")  # in which the kernel counts processor time
CPU = "sys/devices/system/cpu"


def text(root: Path, path: str) -> str | None:
    """The contents of a file without white space at its ends; None if it is empty or cannot be read."""
    contents = _contents(f"{root}/{path}")
    return contents.decode(errors="replace").strip("\0 \t\n") or None if contents else None


def _contents(path: str) -> bytes | None:
    """A whole file. Raw calls take a quarter of the time of a Path's, and a monitor has to be quick."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        parts = []
        while part := os.read(file, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    except OSError:  # a folder, or a file that only its writer may read
        return None
    finally:
        os.close(file)


def number(root: Path, path: str) -> int | None:
    """A file that holds one whole number."""
    try:
        return int(text(root, path) or "")
    except ValueError:
        return None


def counters(root: Path, path: str) -> dict[str, int]:
    """A file of lines ``name number``, such as ``/proc/vmstat``; other lines are passed over."""
    found = {}
    for line in (text(root, path) or "").splitlines():
        name, _, value = line.partition(" ")
        if value.isdecimal():
            found[name] = int(value)
    return found


def core_list(written: str | None) -> tuple[int, ...] | None:
    """Cores written as ``0-3,8``; None if it is not such a list."""
    if written is None:
        return None
    found: list[int] = []
    try:
        for part in written.split(","):
            first, _, last = part.partition("-")
            found += range(int(first), int(last or first) + 1)
    except ValueError:
        return None
    return tuple(found)


def written_cores(cores: tuple[int, ...]) -> str:
    """The inverse of ``core_list``."""
    runs: list[list[int]] = []
    for core in sorted(set(cores)):
        if runs and runs[-1][-1] == core - 1:
            runs[-1].append(core)
        else:
            runs.append([core])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def usable_cores() -> tuple[int, ...] | None:
    """The cores that this process may run on; None on systems without affinity masks."""
    return tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else None


def siblings(root: Path, core: int) -> tuple[int, ...] | None:
    """The logical cores, itself included, that share the physical core of ``core``."""
    return core_list(
        text(root, f"{CPU}/cpu{core}/topology/core_cpus_list")
        or text(root, f"{CPU}/cpu{core}/topology/thread_siblings_list")  # before Linux 5.3
    )


@dataclass(frozen=True)
class CoreTime:
    """What became of the time of one core since the system started, in seconds."""

    busy_s: float
    idle_s: float
    stolen_s: float  # the hypervisor ran somebody else


def core_times(root: Path) -> dict[int, CoreTime]:
    """Each online core's time, from ``/proc/stat``; empty where there is none. Counted in ticks (10 ms)."""
    found = {}
    for line in (text(root, "proc/stat") or "").splitlines():
        name, *fields = line.split()
        if name == "cpu":
            continue
        if not name.startswith("cpu"):
            break
        user, nice, system, idle, waiting, interrupts, soft, stolen, *_ = [int(f) for f in fields] + [0] * 8
        busy = user + nice + system + interrupts + soft  # the time of guests is part of user
        found[int(name[3:])] = CoreTime(busy * TICK_S, (idle + waiting) * TICK_S, stolen * TICK_S)
    return found


def tree_cpu_s(root: Path, pid: int) -> float | None:
    """CPU seconds of a process and its living descendants, with those that they have waited for.

    None if the process is gone, or the kernel does not tell children (CONFIG_PROC_CHILDREN). Counted in ticks (10 ms).
    """
    total, to_visit = 0.0, [pid]
    while to_visit:
        visited = to_visit.pop()
        fields = _stat(root, visited)
        children = _children(root, visited, int(fields[17])) if fields else None
        if fields and children is not None:
            total += sum(int(field) for field in fields[11:15]) * TICK_S
            to_visit += children
        elif visited == pid:
            return None
    return total


def _stat(root: Path, pid: int) -> list[str] | None:
    """The fields of ``/proc/PID/stat`` behind the name, which may hold anything."""
    line = text(root, f"proc/{pid}/stat")
    return line.rpartition(")")[2].split() if line else None


def _children(root: Path, pid: int, threads: int) -> list[int] | None:
    """The child processes that any thread of a process has started."""
    folder = f"{root}/proc/{pid}/task"
    try:
        tasks = [str(pid)] if threads == 1 else [task.name for task in os.scandir(folder)]
    except OSError:
        return None
    written = [_contents(f"{folder}/{task}/children") for task in tasks]
    return [int(child) for line in written if line for child in line.split()] if None not in written else None
