"""The control groups (cgroups) of this process: their limits, and how often they throttled it.

Both versions are read, also mixed. Limits of parent groups apply too, so each limit is searched from the group of this
process up to the highest visible group.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from bench.machine.system import ROOT, counters, text

UNLIMITED = "unlimited"
NO_LIMIT_BYTES = 1 << 62  # version 1 writes "no limit" as a number near 2**63


def folders(controller: str, root: Path = ROOT) -> list[Path]:
    """Return this process's group under a controller (``cpu``, ``memory``), then its parents; empty if none visible."""
    paths = _paths(root)
    mounts_v1 = (point for kind, point, options in _mounts(root) if kind == "cgroup" and controller in options)
    point = next(mounts_v1, None)
    point, path = (unified(root), paths.get("")) if point is None else (point, paths.get(controller))
    if point is None or path is None:
        return []
    top = root / point
    group = top / path.lstrip("/")
    if ".." in group.parts or not group.is_dir():  # inside a container the path may be that of the host
        group = top
    return [folder for folder in (group, *group.parents) if folder.is_relative_to(top) and folder.is_dir()]


def unified(root: Path = ROOT) -> str | None:
    """Return the mount point of version 2, without the leading slash; None if it is not mounted."""
    return next((point for kind, point, _ in _mounts(root) if kind == "cgroup2"), None)


def version(controller: str, root: Path = ROOT) -> int | None:
    """Return the version that manages a controller: 1 or 2; None if neither does."""
    if any(kind == "cgroup" and controller in options for kind, _, options in _mounts(root)):
        return 1
    groups = folders(controller, root)
    controllers = text(groups[0], "cgroup.controllers") if groups else None
    return 2 if controller in (controllers or "").split() else None


def cpu_quota_cores(root: Path = ROOT) -> float | str | None:
    """Return the tightest CPU quota in cores; "unlimited" without a quota, None if unknown."""
    readable, quotas = False, []
    for folder in folders("cpu", root):
        quota, _, period = (text(folder, "cpu.max") or "").partition(" ")
        quota = quota or text(folder, "cpu.cfs_quota_us") or ""
        period = period or text(folder, "cpu.cfs_period_us") or ""
        readable = readable or bool(quota)
        if quota.isdecimal() and period.isdecimal() and int(period):
            quotas.append(int(quota) / int(period))
    return min(quotas) if quotas else UNLIMITED if readable or version("cpu", root) else None


def memory_limit_mib(root: Path = ROOT) -> int | str | None:
    """Return the tightest memory limit in MiB; "unlimited" without a limit, None if unknown."""
    readable, limits = False, []
    for folder in folders("memory", root):
        written = text(folder, "memory.max") or text(folder, "memory.limit_in_bytes")
        readable = readable or written is not None
        if written and written.isdecimal() and int(written) < NO_LIMIT_BYTES:
            limits.append(int(written) >> 20)
    return min(limits) if limits else UNLIMITED if readable or version("memory", root) else None


def throttled(stat_folders: list[Path]) -> tuple[int, float] | None:
    """Return how often, and for how many seconds, the quotas of the ``cpu`` groups throttled them; None if unknown."""
    times, seconds, readable = 0, 0.0, False
    for folder in stat_folders:
        counts = counters(folder, "cpu.stat")
        if "nr_throttled" in counts:
            readable = True
            times += counts["nr_throttled"]
            seconds += counts.get("throttled_usec", 0) / 1e6 + counts.get("throttled_time", 0) / 1e9
    return (times, seconds) if readable else None


def memory_obstacle(root: Path = ROOT, pid: int | None = None) -> str | None:
    """Return why no child group with its own memory limit can be created; None if it can.

    This needs version 2, permission to create a group, and delegation of limits by the group of this process: it either
    delegates already, or this process may enable it and is alone in the group, since a group other than the root cannot
    both delegate limits and hold processes.
    """
    if version("memory", root) != 2:
        return "no memory control groups (version 2)"
    group = folders("memory", root)[0]
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


def _mounts(root: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the kind, mount point without the leading slash, and options of each mounted hierarchy."""
    for line in (text(root, "proc/self/mounts") or "").splitlines():
        _, point, kind, options, *_ = line.split(" ")
        if kind in ("cgroup", "cgroup2"):
            yield kind, point.lstrip("/"), options.split(",")


def _paths(root: Path) -> dict[str, str]:
    """Return the path of this process's group by controller; version 2 has the empty name."""
    paths = {}
    for line in (text(root, "proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            paths[controller] = path
    return paths
