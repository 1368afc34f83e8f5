"""Sources of measurement noise on a machine and their remedies: facts and trials in, findings out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from bench.machine import control_groups, description, probes
from bench.machine.disturbance import LOAD, STEAL, Monitor
from bench.machine.probes import Steadiness
from bench.worker import clocks, confine

OK, NOTE, WARN = "ok", "note", "warn"
LEVELS = (OK, NOTE, WARN)

LITTLE_LOAD_CORES = 0.1
STEADY, UNSTEADY = 0.02, 0.05  # ± of the times of identical work
LITTLE_WAITING = 0.01  # of the time
LITTLE_MEMORY_MIB = 1024
COARSE_S = 100e-6  # a clock with coarser steps cannot time a solve of a millisecond
SLOW_CLOCK_S = 0.5e-6  # for one reading of the wall clock, ten times the usual cost
SLOWING = ("PYTHONDEVMODE", "PYTHONTRACEMALLOC", "PYTHONPROFILEIMPORTTIME", "PYTHONDEBUG", "COVERAGE_", "LD_AUDIT")
ALTERING = (
    "LD_PRELOAD",
    "PYTHONMALLOC",
    "MALLOC_",
    "GLIBC_TUNABLES",
    "_JAVA_OPTIONS",
    "JAVA_TOOL",
    "NUMBA_",
    "PYTHON_",
)


@dataclass(frozen=True)
class Finding:
    """The verdict on one topic: the fact, its consequence for measurements, and the remedy (``mend``)."""

    topic: str
    level: str
    fact: str
    consequence: str | None = None
    mend: str | None = None


@dataclass(frozen=True)
class Clock:
    """Cost of one reading and smallest step of a clock, in seconds."""

    cost_s: float
    step_s: float


@dataclass(frozen=True)
class Trial:
    """Results of the probes. ``kinds`` holds the disturbances during the trial, as ``disturbance`` describes them.

    Attributes:
        memory_obstacle: why no control group with a memory limit can be created; None if it can.
    """

    steadiness: Steadiness
    cpu_clock: Clock
    wall_clock: Clock
    kinds: dict[str, dict[str, Any]]
    busiest: tuple[tuple[str, float], ...]
    memory_obstacle: str | None
    peak_reset: bool


def examine(seconds: float = 3.0) -> Trial:
    """Probe this machine; takes about a second longer than the repeated work."""
    monitor, others = Monitor(), probes.busiest()
    monitor.start()
    steadiness = probes.steadiness(seconds)
    busiest, (disturbances, _) = others(), monitor.finish()
    return Trial(
        steadiness=steadiness,
        cpu_clock=Clock(clocks.cost_s(clocks.cpu_s), probes.step_s(clocks.cpu_s)),
        wall_clock=Clock(clocks.cost_s(clocks.wall_s), probes.step_s(clocks.wall_s)),
        kinds=disturbances["kinds"],
        busiest=tuple(busiest),
        memory_obstacle=control_groups.memory_obstacle(),
        peak_reset=confine.can_reset_peak(),
    )


def findings(facts: dict[str, Any], trial: Trial) -> list[Finding]:
    """Return one finding per topic."""
    return [_merge(topic, list(judge(facts, trial))) for topic, judge in TOPICS.items()]


def title(facts: dict[str, Any]) -> str:
    """Describe the machine in one line."""
    memory = facts["memory_mib"]
    parts = (
        facts["cpu"] or facts["architecture"],
        f"{facts['cores_logical']} cores" if facts["cores_logical"] else None,
        f"{memory / 1024:.0f} GiB" if memory else None,
        facts["distribution"] or facts["system"],
        f"kernel {facts['kernel']}" if facts["kernel"] else None,
        f"{facts['python_implementation']} {facts['python']}",
    )
    return ", ".join(part for part in parts if part)


def summary(results: list[Finding]) -> str:
    """Sum up the findings in one line."""
    warnings, notes = (sum(finding.level == level for finding in results) for level in (WARN, NOTE))
    counted = [f"{n} {word}{'s' * (n != 1)}" for n, word in ((warnings, "warning"), (notes, "note")) if n]
    if warnings:
        return f"{' and '.join(counted)}: this machine is noisy; fix what you can and run doctor again"
    return f"{' and '.join(counted) or 'nothing to note'}, no warning: this machine is quiet enough to measure"


class Entry(NamedTuple):
    """One observation on a topic."""

    level: str
    fact: str
    consequence: str | None = None
    mend: str | None = None


def _merge(topic: str, entries: list[Entry]) -> Finding:
    """Combine the entries about a topic; those of level ``ok`` count only if there are no others."""
    entries = [entry for entry in entries if entry.level != OK] or entries
    _, *texts = ("; ".join(dict.fromkeys(filter(None, column))) or None for column in zip(*entries, strict=True))
    fact, consequence, mend = texts
    return Finding(topic, max((entry.level for entry in entries), key=LEVELS.index), fact or "", consequence, mend)


Entries = Iterator[Entry]


def _load(facts: dict[str, Any], trial: Trial) -> Entries:
    cores = trial.kinds[LOAD.name]["amount"]
    named = ", ".join(f"{name} {share:.1f}" for name, share in trial.busiest)
    if cores is None:
        load = "" if facts["load_1min"] is None else f" (load {facts['load_1min']})"
        yield Entry(NOTE, f"CPU use of other programs is unknown{load}", "make sure that nothing else runs")
    elif cores < LITTLE_LOAD_CORES:
        yield Entry(OK, f"other programs use {cores:.2f} cores")
    else:
        yield Entry(
            WARN if cores >= LOAD.threshold else NOTE,
            f"other programs use {cores:.1f} cores" + (f" ({named})" if named else ""),
            "solves compete for cores and caches",
            "close other programs, or measure after they finish (list them with: top)",
        )


def _cores(facts: dict[str, Any], trial: Trial) -> Entries:
    usable, quota = facts["cores_usable"] or facts["cores_logical"], facts["cgroup"]["cpu_quota_cores"]
    if isinstance(quota, float):
        paused = trial.kinds["throttling"]["amount"]
        yield Entry(
            WARN,
            f"CPU quota of {quota:g} cores" + (f", which paused this trial {paused:.0f} times" if paused else ""),
            "when it is exhausted, a solve pauses for up to 0.1 s",
            "docker update --cpus N CONTAINER, or measure outside the container",
        )
    if usable == 1:
        yield Entry(WARN, "a single core", "runner and solver take turns", "use a machine with at least two cores")
    shared = [group for group in facts["siblings"].values() if group and len(group) > 1]
    if shared:
        yield Entry(
            NOTE,
            f"{len(shared)} of {usable} cores are SMT siblings of another core",
            "programs on the same physical core slow each other down",
            "sudoku-bench run --pin on; or: echo off | sudo tee /sys/devices/system/cpu/smt/control",
        )
    alone = ", none shares a physical core" if facts["siblings"] and None not in facts["siblings"].values() else ""
    yield Entry(OK, f"{usable or 'unknown'} cores{alone}, {'no CPU quota' if quota else 'CPU quota unknown'}")


def _frequency(facts: dict[str, Any], trial: Trial) -> Entries:
    frequency = facts["frequency"]
    if trial.kinds["heat"]["amount"]:
        yield Entry(
            WARN,
            "the processor throttles itself because of heat",
            "all times grow",
            "cool the machine or let it rest",
        )
    if facts["on_battery"]:
        yield Entry(WARN, "on battery", "the machine reduces its speed to save power", "connect the power supply")
    if frequency["governor"] not in (None, "performance"):
        yield Entry(
            NOTE,
            f"governor {frequency['governor']}",
            "the frequency varies with the load",
            "sudo cpupower frequency-set -g performance",
        )
    if frequency["boost"]:
        yield Entry(
            NOTE, "turbo is on", "the frequency depends on heat and other cores", _without_turbo(frequency["driver"])
        )
    if frequency["max_mhz"] and frequency["allowed_mhz"] and frequency["allowed_mhz"] < frequency["max_mhz"]:
        yield Entry(
            NOTE,
            f"limited to {frequency['allowed_mhz']} of {frequency['max_mhz']} MHz",
            "times are longer than necessary",
        )
    if frequency["governor"] is None and frequency["max_mhz"] is None:
        yield Entry(NOTE, "governor and frequencies are unknown", "a change of frequency goes unnoticed")
    turbo = "unknown" if frequency["boost"] is None else "off"
    highest = f"up to {frequency['max_mhz']} MHz" if frequency["max_mhz"] else "highest frequency unknown"
    yield Entry(OK, f"governor {frequency['governor'] or 'unknown'}, {highest}, turbo {turbo}")


def _without_turbo(driver: str | None) -> str:
    if (driver or "").startswith("intel"):
        return "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
    return "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"


def _host(facts: dict[str, Any], trial: Trial) -> Entries:
    host, stolen = facts["virtualisation"], trial.kinds[STEAL.name]["amount"]
    inside = f", container ({host['container']})" if host["container"] else ""
    if stolen is not None and stolen >= STEAL.threshold:
        yield Entry(
            WARN, f"{stolen:.0%} of the CPU time went to other virtual machines", "wall times grow", STEAL.remedy
        )
    elif host["virtual"]:
        kind = host["product"] or "unknown hypervisor"
        steal = "stolen time unknown" if stolen is None else f"{stolen:.1%} stolen"
        yield Entry(
            NOTE,
            f"virtual machine ({kind}){inside}, {steal}",
            "load from other virtual machines is invisible",
            "compare only within a run; for absolute times use a dedicated machine",
        )
    elif host["virtual"] is None:
        yield Entry(NOTE, f"virtualisation unknown{inside}")
    yield Entry(OK, f"no virtual machine{inside}")


def _memory(facts: dict[str, Any], trial: Trial) -> Entries:
    free, swapped = facts["memory_available_mib"], facts["swap_used_mib"]
    limit = facts["cgroup"]["memory_limit_mib"]
    if isinstance(limit, int):
        free = min(limit, free or limit)
    if trial.kinds["swapping"]["amount"] or (free is not None and free < LITTLE_MEMORY_MIB):
        yield Entry(
            WARN,
            "memory is short" + (f": {free} MiB available" if free is not None else ""),
            "solvers that need more wait for the disk or are killed",
            "close programs that use much memory (list them with: ps aux --sort -rss | head)",
        )
    if swapped:
        yield Entry(NOTE, f"{swapped} MiB are swapped out", "their next use waits for the disk", "sudo swapoff -a")
    swap = "no swap" if facts["swap_mib"] == 0 else "nothing swapped out" if swapped == 0 else "swap unknown"
    yield Entry(OK, f"{free / 1024:.1f} GiB free, {swap}" if free is not None else f"free memory unknown, {swap}")


def _python(facts: dict[str, Any], trial: Trial) -> Entries:
    build, variables = facts["python_build"], facts["environment"]
    name = f"{facts['python_implementation']} {facts['python']}"
    slowing = [variable for variable in variables if variable.startswith(SLOWING)]
    altering = [variable for variable in variables if variable.startswith(ALTERING)]
    if build["debug"] or build["development_mode"]:
        yield Entry(
            WARN,
            f"{name} is a debug build or in development mode",
            "Python is several times slower",
            "use a release build",
        )
    if slowing:
        yield Entry(WARN, f"{', '.join(slowing)} set", "Python does extra work", f"unset {' '.join(slowing)}")
    if altering:
        yield Entry(
            NOTE,
            f"{', '.join(altering)} set",
            "memory allocation and libraries behave differently",
            f"unset {' '.join(altering)}",
        )
    if build["jit"] or not build["gil"]:
        yield Entry(
            NOTE,
            f"{name} with {'a JIT' if build['jit'] else 'free threads'}",
            "times differ from those of standard builds",
        )
    if build["profile_guided"] is False:
        yield Entry(
            NOTE,
            f"{name} was built without profile-guided optimisation (PGO)",
            "strategies in Python run slower",
            "make setup PYTHON=/usr/bin/python3 (distributions build it with PGO)",
        )
    yield Entry(OK, f"{name}, no environment variable slows it")


def _spread(facts: dict[str, Any], trial: Trial) -> Entries:
    cpu, wall, waited = trial.steadiness.cpu, trial.steadiness.wall, trial.steadiness.waited
    fact = f"identical work: {cpu.median_s * 1e3:.1f} ms of CPU ±{cpu.relative:.1%}, wall ±{wall.relative:.1%}"
    fact += f", {waited:.0%} waiting" if waited >= LITTLE_WAITING else ""
    if cpu.relative > UNSTEADY:
        yield Entry(
            WARN,
            fact,
            "single times are unreliable",
            "apply the remedies above; otherwise raise --repetitions and --launches",
        )
    elif cpu.relative > STEADY or wall.relative > UNSTEADY:
        yield Entry(NOTE, fact, "small differences need many puzzles")
    yield Entry(OK, fact)


def _clocks(facts: dict[str, Any], trial: Trial) -> Entries:
    cpu, wall = trial.cpu_clock, trial.wall_clock
    if cpu.step_s > COARSE_S:
        yield Entry(
            WARN,
            f"the CPU clock advances in steps of {cpu.step_s * 1e3:.1f} ms",
            "short solves cannot be timed; on Linux a CPU time limit coarsens the clock",
            "ulimit -t unlimited (if refused, in a new shell)",
        )
    if wall.cost_s > SLOW_CLOCK_S:
        yield Entry(
            NOTE,
            f"a reading of the wall clock costs {_us(wall.cost_s)} (source {facts['clock_source'] or 'unknown'})",
            "samples must be longer",
            "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource",
        )
    yield Entry(
        OK,
        f"a reading costs {_us(cpu.cost_s)} (CPU) and {_us(wall.cost_s)} (wall), steps {_us(cpu.step_s)} and"
        f" {_us(wall.step_s)}",
    )


def _limits(facts: dict[str, Any], trial: Trial) -> Entries:
    if not trial.peak_reset:
        yield Entry(WARN, "the peak memory cannot be reset", "peak_rss_mib is the peak of the worker, not of the solve")
    if trial.memory_obstacle:
        mend = "systemd-run --user --scope -p Delegate=yes sudoku-bench run ..."
        effect = "--memory uses RLIMIT_DATA and a check every 50 ms"
        yield Entry(NOTE, trial.memory_obstacle, effect, mend if facts["cgroup"]["memory_limit_mib"] else None)
    yield Entry(OK, "control groups can limit memory, the peak memory can be reset")


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.2g} µs"


TOPICS: dict[str, Callable[[dict[str, Any], Trial], Entries]] = {
    "load": _load,
    "cores": _cores,
    "frequency": _frequency,
    "host": _host,
    "memory": _memory,
    "python": _python,
    "spread": _spread,
    "clocks": _clocks,
    "limits": _limits,
}


def look() -> tuple[dict[str, Any], Trial, list[Finding]]:
    """Return the facts, trial and findings of this machine."""
    facts = description.facts()
    trial = examine()
    return facts, trial, findings(facts, trial)
