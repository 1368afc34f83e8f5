"""Description of this machine and its software, for the manifest of a run.

Facts that the system does not report are None, never a guess.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil

from bench.machine import control_groups, processor
from bench.machine.system import ROOT, number, siblings, text, usable_cores

# Variables that change the speed of Python, memory allocation or libraries, or which solution is found first.
ENVIRONMENT = re.compile(
    r"PYTHON(HASHSEED|MALLOC|MALLOCSTATS|OPTIMIZE|DEVMODE|DEBUG|DONTWRITEBYTECODE|PYCACHEPREFIX|TRACEMALLOC|PATH|HOME"
    r"|PROFILEIMPORTTIME|PERFSUPPORT|NODEBUGRANGES|FAULTHANDLER|ASYNCIODEBUG|INSPECT|NOUSERSITE|_GIL|_JIT|_CPU_COUNT)"
    r"|LD_(PRELOAD|LIBRARY_PATH|BIND_NOW|AUDIT|DEBUG)|GLIBC_TUNABLES|(JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS"
    r"|(MALLOC|TCMALLOC|OMP|KMP|GOMP|OPENBLAS|GOTO|MKL|NUMBA|NUMEXPR|VECLIB|RAYON|COVERAGE|PYPY_GC)_\w+|PYTEST_XDIST_\w+"
)

CODE = (".py", ".js", ".css", ".html", ".bib")  # what the project consists of


def facts(root: Path = ROOT, usable: tuple[int, ...] | None = None) -> dict[str, Any]:
    """Return the processor, memory, system, limits, load and Python, ready for JSON.

    Args:
        root: the folder that holds ``proc`` and ``sys``.
        usable: the cores that may be used; by default those of this process.
    """
    usable = usable_cores() if usable is None else usable
    collected = (
        _processor(root, usable)
        | _memory(root)
        | _system(root)
        | {"python": platform.python_version(), "python_implementation": platform.python_implementation()}
        | {"python_build": python_build(), "environment": environment(os.environ)}
    )
    return _with_portable(collected) if root == ROOT else collected


def _processor(root: Path, usable: tuple[int, ...] | None) -> dict[str, Any]:
    online = processor.online(root)
    cores = usable or online or ()
    return {
        "cpu": processor.model(root),
        "cores_physical": processor.physical(root, online or ()),
        "cores_logical": online and len(online),
        "cores_usable": usable and len(usable),
        "siblings": {str(core): siblings(root, core) for core in cores},
        "frequency": processor.frequency(root, cores),
        "on_battery": _on_battery(root),
    }


def _memory(root: Path) -> dict[str, Any]:
    mib = {name.rstrip(":"): kib >> 10 for name, kib in _meminfo(root).items()}
    swap, free = mib.get("SwapTotal"), mib.get("SwapFree")
    return {
        "memory_mib": mib.get("MemTotal"),
        "memory_available_mib": mib.get("MemAvailable"),
        "swap_mib": swap,
        "swap_used_mib": None if swap is None or free is None else swap - free,
    }


def _meminfo(root: Path) -> dict[str, int]:
    lines = re.findall(r"^(\w+): +(\d+) kB$", text(root, "proc/meminfo") or "", flags=re.MULTILINE)
    return {name: int(kib) for name, kib in lines}


def _system(root: Path) -> dict[str, Any]:
    load = (text(root, "proc/loadavg") or "").partition(" ")[0]
    name = re.search(r'^PRETTY_NAME="?(.*?)"?$', text(root, "etc/os-release") or "", flags=re.MULTILINE)
    return {
        "system": platform.system(),
        "distribution": name and name[1],
        "kernel": text(root, "proc/sys/kernel/osrelease"),
        "architecture": platform.machine(),
        "virtualisation": processor.virtualisation(root),
        "cgroup": {
            "cpu_quota_cores": control_groups.cpu_quota_cores(root),
            "memory_limit_mib": control_groups.memory_limit_mib(root),
        },
        "load_1min": float(load) if load else None,
        "clock_source": text(root, "sys/devices/system/clocksource/clocksource0/current_clocksource"),
    }


def _on_battery(root: Path) -> bool | None:
    """Does the machine run on battery? Laptops are slower then. None if no power supply is reported."""
    try:
        supplies = [path.name for path in (root / "sys/class/power_supply").iterdir()]
    except OSError:
        return None
    mains = [number(root, f"sys/class/power_supply/{name}/online") for name in supplies]
    states = [text(root, f"sys/class/power_supply/{name}/status") for name in supplies]
    return "Discharging" in states if any(states) else False if 1 in mains else None


def _with_portable(collected: dict[str, Any]) -> dict[str, Any]:
    """Fill in facts from psutil and Python on systems without ``/proc`` and ``/sys`` (macOS)."""
    memory, swap = psutil.virtual_memory(), psutil.swap_memory()
    portable = {
        "cpu": platform.processor() or None,
        "cores_physical": psutil.cpu_count(logical=False),
        "cores_logical": psutil.cpu_count(),
        "memory_mib": memory.total >> 20,
        "memory_available_mib": memory.available >> 20,
        "swap_mib": swap.total >> 20,
        "swap_used_mib": swap.used >> 20,
        "kernel": platform.release(),
        "load_1min": psutil.getloadavg()[0],
    }
    return {key: portable.get(key) if value is None else value for key, value in collected.items()}


def python_build() -> dict[str, Any]:
    """Return the build settings of this Python that affect its speed; None where unknown."""
    arguments, flags = sysconfig.get_config_var("CONFIG_ARGS"), sysconfig.get_config_var("PY_CFLAGS")
    levels = re.findall(r"-O(\w+)", flags or "")
    gil = getattr(sys, "_is_gil_enabled", None)  # before 3.13 there is always one
    return {
        "compiler": platform.python_compiler(),
        "optimisation": f"-O{levels[-1]}" if levels else None,
        "profile_guided": None if arguments is None else "--enable-optimizations" in arguments,
        "link_time": None if arguments is None else "--with-lto" in arguments,
        "jit": jit(arguments, os.environ),
        "gil": bool(gil()) if gil else True,
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "debug": hasattr(sys, "gettotalrefcount"),
        "optimize_flag": sys.flags.optimize,
        "development_mode": sys.flags.dev_mode,
    }


def jit(arguments: str | None, variables: Mapping[str, str]) -> bool | None:
    """Does this Python use a JIT compiler? Before 3.14, its build options and PYTHON_JIT decide."""
    module = getattr(sys, "_jit", None)
    if module:
        return bool(module.is_enabled())
    if arguments is None:
        return None
    option = re.search(r"--enable-experimental-jit(?:=([\w-]+))?", arguments)
    default = {"yes": True, "yes-off": False}.get(option[1] or "yes") if option else None
    return False if default is None else {"0": False, "1": True}.get(variables.get("PYTHON_JIT", ""), default)


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are set and affect times or answers; the home folder is written ``~``."""
    home = variables.get("HOME") or "~"
    selected = {name: value for name, value in sorted(variables.items()) if ENVIRONMENT.fullmatch(name)}
    return {name: value.replace(home, "~") if len(home) > 1 else value for name, value in selected.items()}


def versions(distributions: Iterable[str]) -> dict[str, str | None]:
    """Return the installed versions; None for distributions that are not installed."""
    installed: dict[str, str | None] = {}
    for distribution in sorted(set(distributions)):
        try:
            installed[distribution] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            installed[distribution] = None
    return installed


def code_hash(packages: Iterable[ModuleType], distributions: Iterable[str]) -> str:
    """Return a hash of the files of packages of the project, of Python's version, and of installed distributions."""
    code = hashlib.sha256(json.dumps([platform.python_version(), versions(distributions)]).encode())
    for package in packages:
        files = (path for path in Path(str(package.__file__)).parent.rglob("*") if path.suffix in CODE)
        for path in sorted(files):
            code.update(path.read_bytes())
    return code.hexdigest()[:16]


def git_state() -> dict[str, Any]:
    """Return the checkout's commit and whether files other than results differ from it; None outside a checkout."""
    top = Path(__file__).resolve().parents[2]
    if not (top / ".git").exists():
        return {"commit": None, "dirty": None}
    try:
        commit = _git(top, "rev-parse", "HEAD")
        return {"commit": commit, "dirty": bool(_git(top, "status", "--porcelain", "--", ".", ":!results"))}
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}


def _git(folder: Path, *arguments: str) -> str:
    process = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=10)
    return process.stdout.strip()
