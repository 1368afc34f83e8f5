"""Simulated ``/proc`` and ``/sys`` folders of machines with known properties."""

from __future__ import annotations

import os
from pathlib import Path

HZ = os.sysconf("SC_CLK_TCK")
CPU = "sys/devices/system/cpu"

Files = dict[str, object]


def write(root: Path, *files: Files) -> Path:
    """Write files below a root; None removes a file."""
    for name, contents in [item for some in files for item in some.items()]:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if contents is None:
            path.unlink()
        else:
            path.write_text(f"{contents}\n", encoding="utf-8")
    return root


def stat(*cores: tuple[float, float, float]) -> Files:
    """Return ``/proc/stat`` from busy, idle and stolen seconds of each core."""
    lines = [
        f"cpu{n} {round(busy * HZ / 2)} 0 {round(busy * HZ) - round(busy * HZ / 2)} {round(idle * HZ)} 0 0 0"
        f" {round(stolen * HZ)} 0 0"
        for n, (busy, idle, stolen) in enumerate(cores)
    ]
    return {"proc/stat": "\n".join(["cpu  1 2 3 4 5 6 7 8 9 10", *lines, "intr 12 0 0", "ctxt 3"])}


def process(pid: int, cpu_s: float, children: tuple[int, ...] = (), reaped_s: float = 0.0, threads: int = 1) -> Files:
    """Return the ``/proc`` files of one process; all children belong to its last thread."""
    ticks, reaped = round(cpu_s * HZ), round(reaped_s * HZ)
    numbers = f"S 1 1 1 0 -1 0 0 0 0 0 {ticks} 0 {reaped} 0 20 0 {threads} 0 100"
    tasks: Files = {f"proc/{pid}/task/{pid + n}/children": "" for n in range(threads)}
    tasks[f"proc/{pid}/task/{pid + threads - 1}/children"] = " ".join(map(str, children))
    return {f"proc/{pid}/stat": f"{pid} (a (strange) name) {numbers}"} | tasks


def mounts(*lines: str) -> Files:
    return {"proc/self/mounts": "\n".join(["proc /proc proc rw,nosuid 0 0", *lines])}


def topology(*groups: tuple[int, ...]) -> Files:
    """Return the topology files of groups of logical cores that share a physical core."""
    cores = [core for group in groups for core in group]
    files: Files = {f"{CPU}/online": ",".join(map(str, cores)), f"{CPU}/isolated": ""}
    for group in groups:
        for core in group:
            files[f"{CPU}/cpu{core}/topology/core_cpus_list"] = ",".join(map(str, group))
    return files


UNIFIED = "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nodev 0 0"


def intel(root: Path) -> Path:
    """A laptop with two cores of two threads each, on battery, its governor powersave, turbo on."""
    facts = {"scaling_driver": "intel_pstate", "scaling_governor": "powersave", "cpuinfo_max_freq": 4200000}
    frequency = {f"{CPU}/cpu{core}/cpufreq/{name}": fact for core in range(4) for name, fact in facts.items()}
    return write(
        root,
        topology((0, 2), (1, 3)),
        frequency,
        mounts(UNIFIED),
        stat((10, 90, 0), (20, 80, 0), (30, 70, 0), (40, 60, 0)),
        {
            "proc/cpuinfo": "processor\t: 0\nmodel name\t: Intel(R) Core(TM) i5-0000U CPU @ 2.40GHz\n"
            "flags\t\t: fpu vme ht",
            f"{CPU}/intel_pstate/no_turbo": 0,
            "proc/self/cgroup": "0::/user.slice/session.scope",
            "sys/fs/cgroup/user.slice/session.scope/cgroup.controllers": "cpu memory pids",
            "sys/fs/cgroup/user.slice/session.scope/cpu.max": "max 100000",
            "sys/fs/cgroup/user.slice/session.scope/memory.max": "max",
            "sys/class/dmi/id/sys_vendor": "LENOVO",
        },
    )


def virtual(root: Path) -> Path:
    """An AMD virtual machine that reports no frequencies."""
    return write(
        root,
        topology((0,), (1,)),
        stat((1, 9, 0), (2, 8, 0)),
        {
            "proc/cpuinfo": "model name\t: AMD EPYC\nflags\t\t: fpu hypervisor lahf_lm",
            "sys/class/dmi/id/sys_vendor": "QEMU",
            "sys/class/dmi/id/product_name": "Standard PC (i440FX + PIIX, 1996)",
        },
    )


def arm(root: Path) -> Path:
    """A board with four small and two big cores."""
    speeds = {f"{CPU}/cpu{core}/cpufreq/cpuinfo_max_freq": 1800000 if core < 4 else 2400000 for core in range(6)}
    return write(
        root,
        topology(*((core,) for core in range(6))),
        speeds,
        {
            "proc/cpuinfo": "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd08",
            f"{CPU}/cpufreq/boost": 1,
        },
    )


def container(root: Path) -> Path:
    """A container with a quota of 1.5 cores and 512 MiB, below a group with 256 MiB."""
    return write(
        root,
        mounts(UNIFIED),
        {
            "proc/self/cgroup": "0::/pod/box",
            ".dockerenv": "",
            "sys/fs/cgroup/cgroup.controllers": "cpuset cpu io memory pids",
            "sys/fs/cgroup/pod/memory.max": 256 << 20,
            "sys/fs/cgroup/pod/cpu.max": "200000 100000",
            "sys/fs/cgroup/pod/box/cgroup.controllers": "cpu memory",
            "sys/fs/cgroup/pod/box/memory.max": 512 << 20,
            "sys/fs/cgroup/pod/box/cpu.max": "150000 100000",
            "sys/fs/cgroup/pod/box/cpu.stat": "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 250000",
        },
    )
