"""The control groups (cgroups) this process lives in: what they allow, and how often they stopped it.

Both versions are read, also mixed. A limit of any group above ours holds for us too, so each is looked for from our
group up to the highest that we can see.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from bench.machine.system import ROOT, counters, text

UNLIMITED = "unlimited"
NO_LIMIT_BYTES = 1 << 62  # version 1 writes "no limit" as a number near 2**63


def folders(controller: str, root: Path = ROOT) -> list[Path]:
    """Our group under a controller (``cpu``, ``memory``), then those above it; empty where we see no hierarchy."""
    paths = _paths(root)
    old = (point for kind, point, options in _mounts(root) if kind == "cgroup" and controller in options)
    point = next(old, None)
    point, path = (unified(root), paths.get("")) if point is None else (point, paths.get(controller))
    if point is None or path is None:
        return []
    top = root / point
    own = top / path.lstrip("/")
    if ".." in own.parts or not own.is_dir():  # inside a container the path may be that of the host
        own = top
    return [folder for folder in (own, *own.parents) if folder.is_relative_to(top) and folder.is_dir()]


def unified(root: Path = ROOT) -> str | None:
    """Where version 2 is mounted, without the leading slash; None if it is not."""
    return next((point for kind, point, _ in _mounts(root) if kind == "cgroup2"), None)


def version(controller: str, root: Path = ROOT) -> int | None:
    """Which version rules a controller: 1 or 2; None if neither does."""
    if any(kind == "cgroup" and controller in options for kind, _, options in _mounts(root)):
        return 1
    own = folders(controller, root)
    listed = text(own[0], "cgroup.controllers") if own else None
    return 2 if controller in (listed or "").split() else None


def cpu_quota_cores(root: Path = ROOT) -> float | str | None:
    """How many cores' worth of time the tightest quota grants; "unlimited" without one."""
    told, quotas = False, []
    for folder in folders("cpu", root):
        quota, _, period = (text(folder, "cpu.max") or "").partition(" ")
        quota = quota or text(folder, "cpu.cfs_quota_us") or ""
        period = period or text(folder, "cpu.cfs_period_us") or ""
        told = told or bool(quota)
        if quota.isdecimal() and period.isdecimal() and int(period):
            quotas.append(int(quota) / int(period))
    return min(quotas) if quotas else UNLIMITED if told or version("cpu", root) else None


def memory_limit_mib(root: Path = ROOT) -> int | str | None:
    """The tightest limit of memory; "unlimited" without one."""
    told, limits = False, []
    for folder in folders("memory", root):
        written = text(folder, "memory.max") or text(folder, "memory.limit_in_bytes")
        told = told or written is not None
        if written and written.isdecimal() and int(written) < NO_LIMIT_BYTES:
            limits.append(int(written) >> 20)
    return min(limits) if limits else UNLIMITED if told or version("memory", root) else None


def throttled(stat_folders: list[Path]) -> tuple[int, float] | None:
    """How often, and for how many seconds, the groups of the controller ``cpu`` were held back by their quotas."""
    times, seconds, told = 0, 0.0, False
    for folder in stat_folders:
        found = counters(folder, "cpu.stat")
        if "nr_throttled" in found:
            told = True
            times += found["nr_throttled"]
            seconds += found.get("throttled_usec", 0) / 1e6 + found.get("throttled_time", 0) / 1e9
    return (times, seconds) if told else None


def memory_obstacle(root: Path = ROOT, pid: int | None = None) -> str | None:
    """Why no group with a memory limit of its own can be made below ours; None if it can.

    Version 2 is needed, the right to make a group, and that our group hands on limits: either it does already, or we
    may say so and nobody else lives in it, for below the topmost one a group that hands on limits holds no processes.
    """
    if version("memory", root) != 2:
        return "no memory control groups (version 2)"
    own = folders("memory", root)[0]
    trial = own / f"sudoku-bench-{os.getpid()}"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return "we may not make control groups"
    if "memory" in (text(own, "cgroup.subtree_control") or "").split():
        return None
    if not os.access(own / "cgroup.subtree_control", os.W_OK):
        return "our control group may not hand on limits"
    topmost = not (own / "cgroup.type").exists()
    living = set((text(own, "cgroup.procs") or "").split()) - {str(os.getpid() if pid is None else pid)}
    return "other processes live in our control group" if living and not topmost else None


def _mounts(root: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Kind, place without the leading slash, and options of each mounted hierarchy."""
    for line in (text(root, "proc/self/mounts") or "").splitlines():
        _, point, kind, options, *_ = line.split(" ")
        if kind in ("cgroup", "cgroup2"):
            yield kind, point.lstrip("/"), options.split(",")


def _paths(root: Path) -> dict[str, str]:
    """Our group's path by controller; that of version 2 stands under the empty name."""
    found = {}
    for line in (text(root, "proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            found[controller] = path
    return found
