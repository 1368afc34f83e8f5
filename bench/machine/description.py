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

from sudoku_bench.bench.machine import control_groups
from sudoku_bench.bench.machine.system import CPU, ROOT, number, siblings, text, usable_cores

# Variables that change the speed of Python, memory allocation or libraries, or which solution is found first.
ENVIRONMENT = re.compile(
    r"PYTHON(HASHSEED|MALLOC|MALLOCSTATS|OPTIMIZE|DEVMODE|DEBUG|DONTWRITEBYTECODE|PYCACHEPREFIX|TRACEMALLOC|PATH|HOME"
    r"|PROFILEIMPORTTIME|PERFSUPPORT|NODEBUGRANGES|FAULTHANDLER|ASYNCIODEBUG|INSPECT|NOUSERSITE|_GIL|_JIT|_CPU_COUNT)"
    r"|FAKETIME\w*|LD_(PRELOAD|LIBRARY_PATH|BIND_NOW|AUDIT|DEBUG)|GLIBC_TUNABLES|(JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS"
    r"|(MALLOC|TCMALLOC|OMP|KMP|GOMP|OPENBLAS|GOTO|MKL|NUMBA|NUMEXPR|VECLIB|RAYON|COVERAGE|PYPY_GC)_\w+|PYTEST_XDIST_\w+"
)

JOB = {  # variables of Slurm
    "id": "SLURM_JOB_ID",
    "array_id": "SLURM_ARRAY_JOB_ID",
    "array_task": "SLURM_ARRAY_TASK_ID",
    "partition": "SLURM_JOB_PARTITION",
    "nodes": "SLURM_JOB_NODELIST",
    "cores": "SLURM_CPUS_ON_NODE",
}
CODE = (".py", ".js", ".css", ".html", ".bib")  # what the project consists of


def facts(root: Path = ROOT, usable: tuple[int, ...] | None = None) -> dict[str, Any]:
    """Return the processor, memory, system, limits, load and Python, ready for JSON.

    Args:
        root: the folder that holds ``proc`` and ``sys``.
        usable: the cores that may be used; by default those of this process.
    """
    cores = usable_cores() if usable is None else usable
    memory, swap, battery = psutil.virtual_memory(), psutil.swap_memory(), psutil.sensors_battery()
    return {
        "cpu": processor(root) or platform.processor() or None,
        "cores_physical": psutil.cpu_count(logical=False),
        "cores_logical": psutil.cpu_count(),
        "cores_usable": len(cores),
        "siblings": {str(core): siblings(root, core) for core in cores},
        "frequency": frequency(root, cores),
        "on_battery": battery and battery.power_plugged is False,
        "memory_mib": memory.total >> 20,
        "memory_available_mib": memory.available >> 20,
        "swap_mib": swap.total >> 20,
        "swap_used_mib": swap.used >> 20,
        "system": platform.system(),
        "distribution": _distribution(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "virtualisation": virtualisation(root),
        "cgroup": {
            "cpu_quota_cores": control_groups.cpu_quota_cores(root),
            "memory_limit_mib": control_groups.memory_limit_mib(root),
        },
        "load_1min": round(psutil.getloadavg()[0], 2),
        "python": platform.python_version(),
        "python_implementation": platform.python_implementation(),
        "python_build": python_build(),
        "environment": environment(os.environ),
        "job": job(os.environ, psutil.cpu_count() or 0),
    }


def job(variables: Mapping[str, str], cores: int) -> dict[str, str] | None:
    """Return what Slurm says of the job that this process is part of, and whether others may use its node; else None.

    Args:
        cores: logical cores of the node; a job that has all of them shares it with no other.
    """
    facts = {name: variables[variable] for name, variable in JOB.items() if variable in variables}
    if facts:
        facts["node_is"] = "exclusive" if facts.get("cores") == str(cores) else "shared"
    return facts or None


def _distribution() -> str | None:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME")
    except OSError:  # a system without os-release
        return None


def processor(root: Path) -> str | None:
    """Return the processor's name. On ARM, the kernel reports only the numbers of implementer and part."""
    name = _cpuinfo(root, "model name") or _cpuinfo(root, "Model") or _cpuinfo(root, "cpu model")
    maker, part = _cpuinfo(root, "CPU implementer"), _cpuinfo(root, "CPU part")
    return name or (f"implementer {maker}, part {part}" if maker and part else None)


def frequency(root: Path, cores: tuple[int, ...]) -> dict[str, Any]:
    """Return governor, the highest possible MHz, and whether turbo is on."""
    highest_khz = (number(root, f"{CPU}/cpu{core}/cpufreq/cpuinfo_max_freq") for core in cores)
    governors = {text(root, f"{CPU}/cpu{core}/cpufreq/scaling_governor") for core in cores} - {None}
    no_turbo, boost = number(root, f"{CPU}/intel_pstate/no_turbo"), number(root, f"{CPU}/cpufreq/boost")
    return {
        "driver": text(root, f"{CPU}/cpu{cores[0]}/cpufreq/scaling_driver") if cores else None,
        "governor": ", ".join(sorted(g for g in governors if g)) or None,
        "max_mhz": max((khz // 1000 for khz in highest_khz if khz is not None), default=None),
        "boost": no_turbo == 0 if no_turbo is not None else boost == 1 if boost is not None else None,
    }


def virtualisation(root: Path) -> dict[str, Any]:
    """Return whether this is a virtual machine, with the product that its firmware names and the kind of container.

    ``virtual`` is False only if the processor reports flags without that of a hypervisor; ARM has no such flag.
    """
    named = (text(root, f"sys/class/dmi/id/{name}") for name in ("sys_vendor", "product_name"))
    flags = (_cpuinfo(root, "flags") or "").split()
    return {
        "virtual": True if "hypervisor" in flags or text(root, "sys/hypervisor/type") else False if flags else None,
        "product": " ".join(filter(None, named)) or None,
        "container": _container(root),
    }


def _container(root: Path) -> str | None:
    """Return the kind of container; None if there is no sign of one."""
    name = text(root, "run/systemd/container")
    if name:
        return name
    if (root / ".dockerenv").exists():
        return "docker"
    if (root / "run/.containerenv").exists():
        return "podman"
    groups = text(root, "proc/1/cgroup") or ""
    return next((kind for kind in ("kubepods", "docker", "lxc") if f"/{kind}" in groups), None)


def _cpuinfo(root: Path, name: str) -> str | None:
    """Return the first value of a field of ``/proc/cpuinfo``."""
    match = re.search(rf"^{name}\s*: *(.*)$", text(root, "proc/cpuinfo") or "", flags=re.MULTILINE)
    return (match[1].strip() or None) if match else None


def python_build() -> dict[str, Any]:
    """Return the build settings of this Python that affect its speed; None where unknown."""
    arguments, flags = sysconfig.get_config_var("CONFIG_ARGS"), sysconfig.get_config_var("PY_CFLAGS")
    levels = re.findall(r"-O(\w+)", flags or "")
    gil = getattr(sys, "_is_gil_enabled", None)  # before 3.13 there is always one
    compiles = getattr(sys, "_jit", None)  # before 3.14, a Python built with one does not say whether it is on
    return {
        "compiler": platform.python_compiler(),
        "optimisation": f"-O{levels[-1]}" if levels else None,
        "profile_guided": None if arguments is None else "--enable-optimizations" in arguments,
        "link_time": None if arguments is None else "--with-lto" in arguments,
        "jit": compiles.is_enabled() if compiles else None if "experimental-jit" in (arguments or "") else False,
        "gil": bool(gil()) if gil else True,
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "debug": hasattr(sys, "gettotalrefcount"),
        "optimize_flag": sys.flags.optimize,
        "development_mode": sys.flags.dev_mode,
    }


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are set and affect times or answers; the home folder is written ``~``."""
    home = variables.get("HOME") or "~"
    selected = {name: value for name, value in sorted(variables.items()) if ENVIRONMENT.fullmatch(name)}
    return {name: value.replace(home, "~") if len(home) > 1 else value for name, value in selected.items()}


def clock_replacements(variables: Iterable[str]) -> list[str]:
    """Return which of these variables load code that can replace the clock of a process (libfaketime does)."""
    return [name for name in variables if name == "LD_PRELOAD" or name.startswith("FAKETIME")]


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
    folders = [Path(str(package.__file__)).parent for package in packages]
    facts = [_digest(folders), platform.python_version(), versions(distributions)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def own_code() -> str:
    """Return a digest of the files of the project."""
    return _digest([Path(__file__).resolve().parents[2] / name for name in ("bench", "datasets", "solvers")])


def _digest(folders: Iterable[Path]) -> str:
    code = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in CODE):
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
