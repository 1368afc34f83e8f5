"""Where a run was measured, in words: the hosts of a cluster, and several jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from sudoku_bench.bench.say.phrases import counted

UNLIKE = "UNLIKE HOSTS"


def host_lines(manifest: Mapping[str, Any]) -> list[str]:
    """Return a sentence on the hosts of a run on a cluster, and whether they are alike."""
    machines = [host["machine"] for host in manifest.get("hosts", {}).values()]
    if len(machines) < 2:
        return []
    kinds = Counter(kind(machine) for machine in machines)
    if len(kinds) == 1:
        return [f"Measured on {len(machines)} hosts, each with {next(iter(kinds))}"]
    named = ", ".join(f"{number} with {name}" for name, number in kinds.most_common())
    return [
        f"{UNLIKE}: measured on {len(machines)} hosts of {len(kinds)} kinds ({named}); strategies are compared on the"
        " same host each time, but medians mix the speeds of hosts"
    ]


def unlike_hosts(manifest: Mapping[str, Any]) -> list[str]:
    """Return that sentence if the hosts are not alike."""
    return [line for line in host_lines(manifest) if line.startswith(UNLIKE)]


def kind(machine: Mapping[str, Any]) -> str:
    """Return what makes hosts alike: processor, cores and memory (to the GiB)."""
    cores, memory = machine.get("cores_physical"), machine.get("memory_mib")
    parts = [machine.get("cpu") or "an unknown processor", cores and counted(cores, "core")]
    return ", ".join(filter(None, (*parts, memory and f"{round(memory / 1024)} GiB")))


def jobs_lines(manifest: Mapping[str, Any]) -> list[str]:
    """Return a sentence on what several jobs do to times, if there were several."""
    jobs = manifest["suite"].get("jobs") or 1
    if jobs == 1:
        return []
    return [f"Measured {jobs} at a time: cores share caches, memory and power, so times are longer than with one job"]
