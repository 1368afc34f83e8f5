"""The processor: its model, cores, siblings, caches and frequencies, and virtualisation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sudoku_bench.bench.machine.system import CPU, ROOT, core_list, number, text

Cores = tuple[int, ...]


def model(root: Path = ROOT) -> str | None:
    """Return the processor's name. On ARM, the kernel reports only the numbers of implementer and part."""
    name = _cpuinfo(root, "model name") or _cpuinfo(root, "Model") or _cpuinfo(root, "cpu model")
    maker, part = _cpuinfo(root, "CPU implementer"), _cpuinfo(root, "CPU part")
    return name or (f"implementer {maker}, part {part}" if maker and part else None)


def isolated(root: Path = ROOT) -> Cores | None:
    """Return the isolated cores, which the kernel uses only for processes pinned to them."""
    cores = core_list(text(root, f"{CPU}/isolated"))
    return () if cores is None and (root / CPU / "isolated").exists() else cores


def frequency(root: Path, cores: Cores) -> dict[str, Any]:
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


def virtualisation(root: Path = ROOT) -> dict[str, Any]:
    """Return whether this is a virtual machine, with the product that its firmware names and the kind of container.

    ``virtual`` is False only if the processor reports flags without that of a hypervisor; ARM has no such flag.
    """
    named = (text(root, f"sys/class/dmi/id/{name}") for name in ("sys_vendor", "product_name"))
    flags = (_cpuinfo(root, "flags") or "").split()
    return {
        "virtual": True if "hypervisor" in flags or text(root, "sys/hypervisor/type") else False if flags else None,
        "product": " ".join(filter(None, named)) or None,
        "container": container(root),
    }


def container(root: Path = ROOT) -> str | None:
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
