"""Sources of measurement noise on a machine and their remedies: facts and trials in, findings out."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import psutil

from sudoku_bench.bench.machine import control_groups, description, sandbox
from sudoku_bench.bench.machine.disturbance import KINDS, LOAD, Monitor
from sudoku_bench.bench.worker import clocks

OK, NOTE, WARN = "ok", "note", "warn"
LEVELS = (OK, NOTE, WARN)

LITTLE_LOAD_CORES = 0.1  # of all other programs, and of one that is named
STEADY, UNSTEADY = 0.02, 0.05  # ± of the times of identical work
PIECE_S, MOST_NAMED = 0.01, 3  # CPU seconds of a piece of work, about those of a measurement; programs
LITTLE_MEMORY_MIB = 1024
SLOWING = ("PYTHONDEVMODE", "PYTHONTRACEMALLOC", "PYTHONPROFILEIMPORTTIME", "PYTHONDEBUG", "COVERAGE_", "LD_AUDIT")
ALTERING = ("PYTHONMALLOC", "MALLOC_", "GLIBC_TUNABLES", "_JAVA_OPTIONS", "JAVA_TOOL", "NUMBA_", "PYTHON_")
UNKNOWN = "unknown"
OF_TOPIC = {"load": "load", "cores": "throttling", "frequency": "heat", "host": "steal", "memory": "swapping"}


class Finding(NamedTuple):
    """An observation, or all of a topic: the fact, its consequence for measurements, and the remedy (``mend``)."""

    level: str
    fact: str
    consequence: str | None = None
    mend: str | None = None
    topic: str = ""


@dataclass(frozen=True)
class Trial:
    """What was tried. ``kinds`` holds the disturbances during the trial, as ``disturbance`` describes them.

    Attributes:
        piece_s: median CPU seconds of identical pieces of work; spread: half the distance between their 10% and 90%
            quantiles, as a share of it.
        busiest: names of other programs that used most, and how many cores.
        memory_obstacle: why no control group with a memory limit can be created; None if it can.
        sandbox_obstacle: why ``--sandbox`` cannot be used; empty if it can.
    """

    piece_s: float
    spread: float
    kinds: dict[str, dict[str, Any]]
    busiest: tuple[tuple[str, float], ...]
    memory_obstacle: str | None
    sandbox_obstacle: str


def examine(seconds: float = 3.0) -> Trial:
    """Work for so many seconds, and see how steadily and what else the machine does; a second more in all."""
    monitor = Monitor()
    monitor.start()
    busiest()
    steps = 1000
    while min(_piece_s(steps) for _ in range(5)) < PIECE_S / 2:  # the first pieces may be slow
        steps *= 2
    end_s, times_s = clocks.wall_s() + seconds, list[float]()
    while clocks.wall_s() < end_s or len(times_s) < 3:
        times_s.append(_piece_s(steps))
    low, median, high = map(float, np.quantile(times_s, (0.1, 0.5, 0.9)))
    kinds = monitor.finish()[0]["kinds"]
    spread = (high - low) / 2 / median if median else 0.0
    return Trial(median, spread, kinds, busiest(), control_groups.memory_obstacle(), sandbox.obstacle())


def _piece_s(steps: int) -> float:
    """Return the CPU seconds of a piece of plain Python."""
    start_s, total = clocks.cpu_s(), 0
    for number in range(steps):
        total += number & 7
    return clocks.cpu_s() - start_s


def busiest() -> tuple[tuple[str, float], ...]:
    """Return the names and CPU use, in cores, of the other programs that used most since the last call."""
    used: dict[str, float] = defaultdict(float)
    for process in psutil.process_iter(("name", "cpu_percent")):  # it keeps what a process had used at the last call
        if process.pid != os.getpid():
            used[str(process.info["name"])] += (process.info["cpu_percent"] or 0.0) / 100
    most = sorted(used.items(), key=lambda item: -item[1])[:MOST_NAMED]
    return tuple((name, cores) for name, cores in most if cores >= LITTLE_LOAD_CORES)


def findings(facts: dict[str, Any], trial: Trial) -> list[Finding]:
    """Return one finding per topic."""
    return [
        _merge(topic, [*_disturbances(topic, facts, trial), *judge(facts, trial)]) for topic, judge in TOPICS.items()
    ]


def title(facts: dict[str, Any]) -> str:
    """Describe the machine in one line."""
    parts = (
        facts["cpu"] or facts["architecture"],
        f"{facts['cores_logical']} cores",
        f"{facts['memory_mib'] / 1024:.0f} GiB",
        facts["distribution"] or facts["system"],
        f"kernel {facts['kernel']}",
        f"{facts['python_implementation']} {facts['python']}",
    )
    return ", ".join(parts)


def summary(results: list[Finding]) -> str:
    """Sum up the findings in one line."""
    warnings, notes = (sum(finding.level == level for finding in results) for level in (WARN, NOTE))
    counted = [f"{n} {word}{'s' * (n != 1)}" for n, word in ((warnings, "warning"), (notes, "note")) if n]
    if warnings:
        return f"{' and '.join(counted)}: this machine is noisy; fix what you can and run doctor again"
    return f"{' and '.join(counted) or 'nothing to note'}, no warning: this machine is quiet enough to measure"


def _merge(topic: str, findings: list[Finding]) -> Finding:
    """Combine the findings about a topic; those of level ``ok`` count only if there are no others."""
    findings = [finding for finding in findings if finding.level != OK] or findings
    levels, *texts = zip(*(finding[:4] for finding in findings), strict=True)
    fact, consequence, mend = ("; ".join(dict.fromkeys(filter(None, column))) or None for column in texts)
    return Finding(max(levels, key=LEVELS.index), fact or "", consequence, mend, topic)


Findings = Iterator[Finding]


def _disturbances(topic: str, facts: dict[str, Any], trial: Trial) -> Findings:
    """Yield what the monitor saw during the trial and a run would warn of."""
    for kind in KINDS:
        amount = trial.kinds[kind.name]["amount"]
        if kind.name == OF_TOPIC.get(topic) and amount is not None and amount >= kind.threshold:
            fact = kind.fact_of(amount, facts["cores_usable"]) + (_named(trial) if kind is LOAD else "")
            yield Finding(WARN, fact, kind.consequence, kind.remedy)


def _named(trial: Trial) -> str:
    names = ", ".join(f"{name} {share:.1f}" for name, share in trial.busiest)
    return f" ({names})" if names else ""


def _state(fact: str) -> Finding:
    """Return the state of a topic without disturbance: it is fine as far as it is known."""
    return Finding(NOTE, fact, "what is unknown may disturb unnoticed") if UNKNOWN in fact else Finding(OK, fact)


def _load(facts: dict[str, Any], trial: Trial) -> Findings:
    cores = trial.kinds[LOAD.name]["amount"]
    if cores is not None and LITTLE_LOAD_CORES <= cores < LOAD.threshold:
        yield Finding(NOTE, f"other programs use {cores:.1f} cores{_named(trial)}", LOAD.consequence, LOAD.remedy)
    amount = UNKNOWN if cores is None else f"{cores:.2f}"
    yield _state(f"cores that other programs use: {amount} (load {facts['load_1min']})")


def _cores(facts: dict[str, Any], trial: Trial) -> Findings:
    usable, quota = facts["cores_usable"], facts["cgroup"]["cpu_quota_cores"]
    if isinstance(quota, float):
        mend = "docker update --cpus N CONTAINER, or measure outside the container"
        yield Finding(WARN, f"CPU quota of {quota:g} cores", "a solve that exhausts it pauses for up to 0.1 s", mend)
    if usable == 1:
        yield Finding(WARN, "a single core", "runner and solver take turns", "use a machine with at least two cores")
    shared = [group for group in facts["siblings"].values() if group and len(group) > 1]
    if shared:
        fact = f"{len(shared)} of {usable} cores are SMT siblings of another core"
        mend = "sudoku-bench run --pin on; or: echo off | sudo tee /sys/devices/system/cpu/smt/control"
        yield Finding(NOTE, fact, "programs on the same physical core slow each other down", mend)
    yield _state(f"{usable} core{'' if usable == 1 else 's'}, {'no CPU quota' if quota else 'CPU quota unknown'}")


def _frequency(facts: dict[str, Any], trial: Trial) -> Findings:
    frequency = {key: UNKNOWN if value is None else value for key, value in facts["frequency"].items()}
    if facts["on_battery"]:
        yield Finding(WARN, "on battery", "the machine reduces its speed to save power", "connect the power supply")
    if frequency["governor"] not in (UNKNOWN, "performance"):
        mend = "sudo cpupower frequency-set -g performance"
        yield Finding(NOTE, f"governor {frequency['governor']}", "the frequency varies with the load", mend)
    if frequency["boost"] is True:
        mend = _without_turbo(frequency["driver"])
        yield Finding(NOTE, "turbo is on", "the frequency depends on heat and other cores", mend)
    turbo = "off" if frequency["boost"] is False else UNKNOWN
    yield _state(f"governor {frequency['governor']}, up to {frequency['max_mhz']} MHz, turbo {turbo}")


def _without_turbo(driver: str) -> str:
    if driver.startswith("intel"):
        return "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
    return "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"


def _host(facts: dict[str, Any], trial: Trial) -> Findings:
    host, stolen = facts["virtualisation"], trial.kinds["steal"]["amount"]
    inside = f", container ({host['container']})" if host["container"] else ""
    if host["virtual"]:
        share = UNKNOWN if stolen is None else f"{stolen:.1%}"
        fact = f"virtual machine ({host['product'] or 'unknown hypervisor'}){inside}, stolen time: {share}"
        mend = "compare only within a run; for absolute times use a dedicated machine"
        yield Finding(NOTE, fact, "load from other virtual machines is invisible", mend)
    else:
        yield _state(f"{'virtualisation unknown' if host['virtual'] is None else 'no virtual machine'}{inside}")


def _memory(facts: dict[str, Any], trial: Trial) -> Findings:
    swapped, limit = facts["swap_used_mib"], facts["cgroup"]["memory_limit_mib"]
    free = min(facts["memory_available_mib"], limit if isinstance(limit, int) else math.inf)
    if free < LITTLE_MEMORY_MIB:
        mend = "close programs that use much memory (list them with: ps aux --sort -rss | head)"
        effect = "solvers that need more wait for the disk or are killed"
        yield Finding(WARN, f"memory is short: {free} MiB available", effect, mend)
    if swapped:
        yield Finding(NOTE, f"{swapped} MiB are swapped out", "their next use waits for the disk", "sudo swapoff -a")
    yield Finding(OK, f"{free / 1024:.1f} GiB free, {'nothing swapped out' if facts['swap_mib'] else 'no swap'}")


def _python(facts: dict[str, Any], trial: Trial) -> Findings:
    build, variables = facts["python_build"], facts["environment"]
    name = f"{facts['python_implementation']} {facts['python']}"
    if build["debug"] or build["development_mode"]:
        fact = f"{name} is a debug build or in development mode"
        yield Finding(WARN, fact, "Python is several times slower", "use a release build")
    if slowing := " ".join(variable for variable in variables if variable.startswith(SLOWING)):
        yield Finding(WARN, f"{slowing} set", "Python does extra work", f"unset {slowing}")
    if replacing := " ".join(description.clock_replacements(variables)):
        yield Finding(WARN, f"{replacing} set", "a preloaded library can replace the clock", f"unset {replacing}")
    if altering := " ".join(variable for variable in variables if variable.startswith(ALTERING)):
        consequence = "memory allocation and libraries behave differently"
        yield Finding(NOTE, f"{altering} set", consequence, f"unset {altering}")
    if build["profile_guided"] is False:
        fact = f"{name} was built without profile-guided optimisation (PGO)"
        mend = "make setup PYTHON=/usr/bin/python3 (distributions build it with PGO)"
        yield Finding(NOTE, fact, "strategies in Python run slower", mend)
    yield Finding(OK, f"{name}, no environment variable slows it")


def _spread(facts: dict[str, Any], trial: Trial) -> Findings:
    fact = f"identical work: {trial.piece_s * 1e3:.1f} ms of CPU ±{trial.spread:.1%}"
    if trial.spread > UNSTEADY:
        mend = "apply the remedies above; otherwise raise --repetitions and --launches"
        yield Finding(WARN, fact, "single times are unreliable", mend)
    elif trial.spread > STEADY:
        yield Finding(NOTE, fact, "small differences need many puzzles")
    yield Finding(OK, fact)


def _limits(facts: dict[str, Any], trial: Trial) -> Findings:
    if trial.memory_obstacle:
        mend = "systemd-run --user --scope -p Delegate=yes sudoku-bench run ..."
        effect = "--memory uses RLIMIT_DATA and a check every 50 ms"
        yield Finding(NOTE, trial.memory_obstacle, effect, mend if facts["cgroup"]["memory_limit_mib"] else None)
    if trial.sandbox_obstacle:
        yield Finding(NOTE, f"no sandbox: {trial.sandbox_obstacle}", "--sandbox is refused")
    yield Finding(OK, "control groups can limit memory, and bubblewrap makes a sandbox")


TOPICS: dict[str, Callable[[dict[str, Any], Trial], Findings]] = {
    "load": _load,
    "cores": _cores,
    "frequency": _frequency,
    "host": _host,
    "memory": _memory,
    "python": _python,
    "spread": _spread,
    "limits": _limits,
}


def look() -> tuple[dict[str, Any], Trial, list[Finding]]:
    """Return the facts, trial and findings of this machine."""
    facts = description.facts()
    trial = examine()
    return facts, trial, findings(facts, trial)
