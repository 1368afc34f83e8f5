"""Facts from ``/proc`` and ``/sys`` of Linux, below a root that tests replace. None means not reported."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/")
TICK_S = 1 / os.sysconf("SC_CLK_TCK")  # unit of CPU time in the kernel's counters
CPU = "sys/devices/system/cpu"
CORES = re.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?")
MOST_CORES = 1 << 16


def text(root: Path, path: str) -> str | None:
    """Return the contents of a file without surrounding white space; None if it is empty or cannot be read."""
    contents = _contents(f"{root}/{path}")
    return contents.decode(errors="replace").strip("\0 \t\n") or None if contents else None


def _contents(path: str) -> bytes | None:
    """Read a whole file. Raw calls take a quarter of the time of Path methods, which matters to the monitor."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        parts = []
        while part := os.read(file, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    except OSError:  # a folder, or no permission to read
        return None
    finally:
        os.close(file)


def number(root: Path, path: str) -> int | None:
    """Return the integer that a file holds; None if it holds none."""
    try:
        return int(text(root, path) or "")
    except ValueError:
        return None


def counters(root: Path, path: str) -> dict[str, int]:
    """Parse a file of lines ``name number``, such as ``/proc/vmstat``; other lines are skipped."""
    values = {}
    for line in (text(root, path) or "").splitlines():
        name, _, value = line.partition(" ")
        if value.isdecimal():
            values[name] = int(value)
    return values


def core_list(written: str | None) -> tuple[int, ...] | None:
    """Parse cores written as ``0-3,8``; None if the text is not such a list."""
    if written is None:
        return None
    cores: list[int] = []
    for part in written.split(","):
        if not (match := CORES.fullmatch(part)) or len(cores) > MOST_CORES:
            return None
        cores += range(int(match[1]), int(match[2] or match[1]) + 1)
    return tuple(cores)


def written_cores(cores: tuple[int, ...]) -> str:
    """Format cores as ``0-3,8``, the inverse of ``core_list``."""
    runs: list[list[int]] = []
    for core in sorted(set(cores)):
        if runs and runs[-1][-1] == core - 1:
            runs[-1].append(core)
        else:
            runs.append([core])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def usable_cores() -> tuple[int, ...]:
    """Return the cores that this process may use."""
    return tuple(sorted(os.sched_getaffinity(0)))


def siblings(root: Path, core: int) -> tuple[int, ...] | None:
    """Return the logical cores of the same physical core, including ``core``."""
    return core_list(
        text(root, f"{CPU}/cpu{core}/topology/core_cpus_list")
        or text(root, f"{CPU}/cpu{core}/topology/thread_siblings_list")  # before Linux 5.3
    )


@dataclass(frozen=True)
class CoreTime:
    """Time of one core since boot by use, in seconds."""

    busy_s: float
    stolen_s: float  # used by other virtual machines


def core_times(root: Path) -> dict[int, CoreTime]:
    """Return the times of each online core from ``/proc/stat``, in ticks of 10 ms; empty without that file."""
    times = {}
    for line in (text(root, "proc/stat") or "").splitlines():
        name, *fields = line.split()
        if name == "cpu":
            continue
        if not name.startswith("cpu"):
            break
        user, nice, system, _idle, _waiting, interrupts, soft, stolen, *_ = [int(f) for f in fields] + [0] * 8
        busy = user + nice + system + interrupts + soft  # user includes the time of guests
        times[int(name[3:])] = CoreTime(busy * TICK_S, stolen * TICK_S)
    return times


def company(root: Path, pid: int, thread: int) -> frozenset[int]:
    """Return the children of a process, and its threads except one."""
    threads = [int(task.name) for task in (root / f"proc/{pid}/task").iterdir()]
    return frozenset([*threads, *(_children(root, pid, len(threads)) or ())]) - {thread}


def tree_cpu_s(root: Path, pid: int, without: frozenset[int] = frozenset()) -> float | None:
    """Return the CPU seconds of a process and its living descendants, with the children they have waited for.

    None if the process is gone, or the kernel does not list children (CONFIG_PROC_CHILDREN). Counted in ticks (10 ms).

    Args:
        without: threads and children of the process that do not count.
    """
    apart = [fields for thread in without if (fields := _stat(root, f"{pid}/task/{thread}"))]
    total, to_visit = -sum(int(field) for fields in apart for field in fields[11:13]) * TICK_S, [pid]
    while to_visit:
        visited = to_visit.pop()
        fields = _stat(root, str(visited))
        children = _children(root, visited, int(fields[17])) if fields else None
        if fields and children is not None:
            total += sum(int(field) for field in fields[11:15]) * TICK_S
            to_visit += [child for child in children if child not in without]
        elif visited == pid:
            return None
    return total


def _stat(root: Path, process: str) -> list[str] | None:
    """Return the fields of ``/proc/PID/stat`` after the process name, which may contain any characters."""
    line = text(root, f"proc/{process}/stat")
    return line.rpartition(")")[2].split() if line else None


def _children(root: Path, pid: int, threads: int) -> list[int] | None:
    """Return the child processes started by any thread of a process."""
    folder = f"{root}/proc/{pid}/task"
    try:
        tasks = [str(pid)] if threads == 1 else [task.name for task in os.scandir(folder)]
    except OSError:
        return None
    written = [_contents(f"{folder}/{task}/children") for task in tasks]
    return [int(child) for line in written if line for child in line.split()] if None not in written else None
