"""Facts about this machine and this software that a reader of the numbers will ask for."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil


def facts() -> dict[str, Any]:
    """Processor, cores, memory, system, load and Python; None where the system does not tell."""
    frequency = psutil.cpu_freq()
    return {
        "cpu": cpu_model(),
        "cores_physical": psutil.cpu_count(logical=False),
        "cores_logical": psutil.cpu_count(),
        "cores_usable": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "cpu_mhz": round(frequency.current) if frequency else None,
        "memory_mib": psutil.virtual_memory().total >> 20,
        "system": platform.system(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "load_1min": psutil.getloadavg()[0],
        "python": platform.python_version(),
        "python_implementation": platform.python_implementation(),
    }


def cpu_model() -> str | None:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or None


def versions(distributions: Iterable[str]) -> dict[str, str | None]:
    """Installed versions; None for what is not installed."""
    found: dict[str, str | None] = {}
    for distribution in sorted(set(distributions)):
        try:
            found[distribution] = version(distribution)
        except PackageNotFoundError:
            found[distribution] = None
    return found


def git_state() -> dict[str, Any]:
    """Commit of the project's checkout and whether files differ from it; None outside a checkout."""
    here = Path(__file__).resolve().parent.parent
    if not (here / ".git").exists():
        return {"commit": None, "dirty": None}
    try:
        commit = _git(here, "rev-parse", "HEAD")
        return {"commit": commit, "dirty": bool(_git(here, "status", "--porcelain"))}
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=10)
    return done.stdout.strip()
