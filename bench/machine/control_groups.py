"""The control groups (cgroups, version 2) of this process: their limits, and how often they throttled it.

Limits of parent groups apply too, so each limit is searched from the group of this process up to the highest visible
group.
"""

from __future__ import annotations

import os
from pathlib import Path

from sudoku_bench.bench.machine.system import ROOT, counters, text

UNLIMITED = "unlimited"


def folders(root: Path = ROOT) -> list[Path]:
    """Return this process's group, then its parents; empty if none is visible."""
    point = unified(root)
    paths = [line[3:] for line in (text(root, "proc/self/cgroup") or "").splitlines() if line.startswith("0::")]
    if point is None or not paths:
        return []
    top = root / point
    group = top / paths[0].lstrip("/")
    if ".." in group.parts or not group.is_dir():  # inside a container the path may be that of the host
        group = top
    return [folder for folder in (group, *group.parents) if folder.is_relative_to(top) and folder.is_dir()]


def unified(root: Path = ROOT) -> str | None:
    """Return the mount point of version 2, without the leading slash; None if it is not mounted."""
    for line in (text(root, "proc/self/mounts") or "").splitlines():
        _, point, kind, *_ = line.split(" ")
        if kind == "cgroup2":
            return point.lstrip("/")
    return None


def has(controller: str, root: Path = ROOT) -> bool:
    """Is a controller (``cpu``, ``memory``) available to the group of this process?"""
    return any(controller in (text(group, "cgroup.controllers") or "").split() for group in folders(root)[:1])


def cpu_quota_cores(root: Path = ROOT) -> float | str | None:
    """Return the tightest CPU quota in cores; "unlimited" without a quota, None if unknown."""
    written = [(text(folder, "cpu.max") or "").split() for folder in folders(root)]
    quotas = [int(each[0]) / int(each[1]) for each in written if len(each) == 2 and each[0].isdecimal()]
    return min(quotas) if quotas else UNLIMITED if any(written) or has("cpu", root) else None


def memory_limit_mib(root: Path = ROOT) -> int | str | None:
    """Return the tightest memory limit in MiB; "unlimited" without a limit, None if unknown."""
    written = [text(folder, "memory.max") or "" for folder in folders(root)]
    limits = [int(each) >> 20 for each in written if each.isdecimal()]
    return min(limits) if limits else UNLIMITED if any(written) or has("memory", root) else None


def throttled(stat_folders: list[Path]) -> int | None:
    """Return how often the quotas of groups throttled them; None if unknown."""
    counts = [counters(folder, "cpu.stat") for folder in stat_folders]
    times = [each["nr_throttled"] for each in counts if "nr_throttled" in each]
    return sum(times) if times else None


def memory_obstacle(root: Path = ROOT, pid: int | None = None) -> str | None:
    """Return why no child group with its own memory limit can be created; None if it can.

    This needs version 2, permission to create a group, and delegation of limits by the group of this process: it either
    delegates already, or this process may enable it and is alone in the group, since a group other than the root cannot
    both delegate limits and hold processes.
    """
    if not has("memory", root):
        return "no memory control groups (version 2)"
    group = folders(root)[0]
    trial = group / f"sudoku-bench-{os.getpid()}"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return "no permission to create control groups"
    if "memory" in (text(group, "cgroup.subtree_control") or "").split():
        return None
    if not os.access(group / "cgroup.subtree_control", os.W_OK):
        return "no permission to delegate limits in the control group of this process"
    is_root = not (group / "cgroup.type").exists()
    others = set((text(group, "cgroup.procs") or "").split()) - {str(os.getpid() if pid is None else pid)}
    return "other processes share the control group of this process" if others and not is_root else None
