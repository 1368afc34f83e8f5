"""What makes a machine noisy, and what to do about it: facts and trials in, findings out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.machine import control_groups, description, probes
from bench.machine.disturbance import LOAD, STEAL, Monitor
from bench.machine.probes import Spread, Steadiness
from bench.worker import clocks

OK, NOTE, WARN = "ok", "note", "warn"
LEVELS = (OK, NOTE, WARN)

LITTLE_LOAD_CORES = 0.1
STEADY, UNSTEADY = 0.02, 0.05  # ± of the times of one piece of work
LITTLE_WAITING = 0.01  # of the time
LITTLE_MEMORY_MIB = 1024
COARSE_S = 100e-6  # a clock that steps so far cannot time a solve of a millisecond
SLOW_CLOCK_S = 0.5e-6  # for a reading of the wall clock, which usually takes a tenth of that
SLOW_DISK_S = 0.01
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
    """One thing about the machine: how it is, what that means for measurements, and what mends it."""

    topic: str
    level: str
    fact: str
    consequence: str | None = None
    mend: str | None = None


@dataclass(frozen=True)
class Clock:
    """What a reading costs and how fine it is, in seconds."""

    cost_s: float
    step_s: float


@dataclass(frozen=True)
class Trial:
    """What was tried out. ``kinds`` is what disturbed the trial, as ``disturbance`` tells it.

    Attributes:
        memory_obstacle: why no control group with a memory limit can be made; None if it can.
        flush_s: for putting a line safely onto the disk; None if we may not write.
    """

    steadiness: Steadiness
    cpu_clock: Clock
    wall_clock: Clock
    overshoot: Spread
    kinds: dict[str, dict[str, Any]]
    busiest: tuple[tuple[str, float], ...]
    memory_obstacle: str | None
    peak_reset: bool
    subreaper: bool
    flush_s: float | None


def examine(seconds: float = 3.0, folder: Path | None = None) -> Trial:
    """Try out this machine; takes about a second longer than the work that is repeated."""
    monitor, others = Monitor(), probes.busiest()
    monitor.start()
    steadiness = probes.steadiness(seconds)
    busiest, (watched, _) = others(), monitor.finish()
    return Trial(
        steadiness=steadiness,
        cpu_clock=Clock(clocks.cost_s(clocks.cpu_s), probes.step_s(clocks.cpu_s)),
        wall_clock=Clock(clocks.cost_s(clocks.wall_s), probes.step_s(clocks.wall_s)),
        overshoot=probes.overshoot(),
        kinds=watched["kinds"],
        busiest=tuple(busiest),
        memory_obstacle=control_groups.memory_obstacle(),
        peak_reset=probes.peak_reset(),
        subreaper=probes.subreaper(),
        flush_s=probes.flush_s(folder or Path()),
    )


def findings(facts: dict[str, Any], trial: Trial) -> list[Finding]:
    """One finding for each topic."""
    return [_together(topic, list(judge(facts, trial))) for topic, judge in TOPICS.items()]


def title(facts: dict[str, Any]) -> str:
    """The machine in a line."""
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


def summary(found: list[Finding]) -> str:
    """What the findings come to."""
    warnings, notes = (sum(finding.level == level for finding in found) for level in (WARN, NOTE))
    counted = [f"{n} {word}{'s' * (n != 1)}" for n, word in ((warnings, "warning"), (notes, "note")) if n]
    if warnings:
        return f"{' and '.join(counted)}: this machine is noisy; mend what you can and look again"
    return f"{' and '.join(counted) or 'nothing to note'}, no warning: this machine is quiet enough to measure"


def _together(topic: str, said: list[tuple[str, ...]]) -> Finding:
    """All that is not well about a topic; what is, only if all is."""
    bad = [entry for entry in said if entry[0] != OK] or said
    description, consequences, mends = (
        "; ".join(dict.fromkeys(entry[place] for entry in bad if len(entry) > place)) or None for place in (1, 2, 3)
    )
    return Finding(topic, max((entry[0] for entry in bad), key=LEVELS.index), description or "", consequences, mends)


Said = Iterator[tuple[str, ...]]  # level, fact, then perhaps consequence and mend


def _load(facts: dict[str, Any], trial: Trial) -> Said:
    cores = trial.kinds[LOAD.name]["mean"]
    named = ", ".join(f"{name} {share:.1f}" for name, share in trial.busiest)
    if cores is None:
        load = "" if facts["load_1min"] is None else f" (load {facts['load_1min']})"
        yield NOTE, f"what other programs use is not told{load}", "see yourself that nothing else runs"
    elif cores < LITTLE_LOAD_CORES:
        yield OK, f"other programs use {cores:.2f} cores"
    else:
        yield (
            WARN if cores >= LOAD.threshold else NOTE,
            f"other programs use {cores:.1f} cores" + (f" ({named})" if named else ""),
            "solves share caches and wait",
            "close other programs, or measure when they are done (see them with: top)",
        )


def _cores(facts: dict[str, Any], trial: Trial) -> Said:
    usable, quota = (
        facts["cores_usable"] or facts["cores_logical"],
        facts["cgroup"]["cpu_quota_cores"],
    )
    if isinstance(quota, float):
        stopped = trial.kinds["throttling"]["total"]
        yield (
            WARN,
            f"a quota of {quota:g} cores" + (f", which stopped us {stopped:.0f} times just now" if stopped else ""),
            "once it is used up a solve stops for up to 0.1 s",
            "docker update --cpus N CONTAINER, or measure outside of the container",
        )
    if usable == 1:
        yield WARN, "a single core", "runner and solver take turns", "use a machine with two cores or more"
    shared = [group for group in facts["siblings"].values() if group and len(group) > 1]
    if shared:
        yield (
            NOTE,
            f"{len(shared)} of {usable} cores are halves of a physical core",
            "two programs on one slow each other",
            "sudoku-bench run --pin on; or: echo off | sudo tee /sys/devices/system/cpu/smt/control",
        )
    alone = (
        ", none shares a physical core"
        if facts["siblings"] and None not in facts["siblings"].values()
        else ""
    )
    yield OK, f"{usable or 'unknown'} cores{alone}, {'no quota' if quota else 'quotas are not told'}"


def _frequency(facts: dict[str, Any], trial: Trial) -> Said:
    told = facts["frequency"]
    if trial.kinds["heat"]["total"]:
        yield WARN, "the processor throttles itself because of heat", "all times grow", "cool the machine, let it rest"
    if facts["on_battery"]:
        yield WARN, "on battery", "the machine saves power, and speed with it", "plug in the power supply"
    if told["governor"] not in (None, "performance"):
        yield (
            NOTE,
            f"governor {told['governor']}",
            "the speed follows the work",
            "sudo cpupower frequency-set -g performance",
        )
    if told["boost"]:
        yield NOTE, "turbo is on", "the speed depends on heat and other cores", _without_turbo(told["driver"])
    if told["max_mhz"] and told["allowed_mhz"] and told["allowed_mhz"] < told["max_mhz"]:
        yield NOTE, f"limited to {told['allowed_mhz']} of {told['max_mhz']} MHz", "times are longer than they need be"
    if told["governor"] is None and told["max_mhz"] is None:
        yield NOTE, "governor and frequencies are not told", "a change of speed goes unnoticed"
    turbo = "not told" if told["boost"] is None else "off"
    highest = f"up to {told['max_mhz']} MHz" if told["max_mhz"] else "highest frequency not told"
    yield OK, f"governor {told['governor'] or 'not told'}, {highest}, turbo {turbo}"


def _without_turbo(driver: str | None) -> str:
    if (driver or "").startswith("intel"):
        return "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
    return "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"


def _host(facts: dict[str, Any], trial: Trial) -> Said:
    found, stolen = facts["virtualisation"], trial.kinds[STEAL.name]["mean"]
    inside = f", container ({found['container']})" if found["container"] else ""
    if stolen is not None and stolen >= STEAL.threshold:
        yield WARN, f"{stolen:.0%} of our time went to other machines of the host", "wall times grow", STEAL.mend
    elif found["virtual"]:
        kind = found["hypervisor"] or found["product"] or "of unknown kind"
        taken = "stolen time is not told" if stolen is None else f"{stolen:.1%} stolen"
        yield (
            NOTE,
            f"virtual machine ({kind}){inside}, {taken}",
            "neighbours go unseen",
            "compare within a run only; for absolute times take a machine of your own",
        )
    elif found["virtual"] is None:
        yield NOTE, f"whether this is a virtual machine is not told{inside}"
    yield OK, f"no virtual machine{inside}"


def _memory(facts: dict[str, Any], trial: Trial) -> Said:
    free, swapped = facts["memory_available_mib"], facts["swap_used_mib"]
    limit = facts["cgroup"]["memory_limit_mib"]
    if isinstance(limit, int):
        free = min(limit, free or limit)
    if trial.kinds["swapping"]["total"] or (free is not None and free < LITTLE_MEMORY_MIB):
        yield (
            WARN,
            "memory is short" + (f": {free} MiB can be had" if free is not None else ""),
            "solvers that need more wait for the disk, or are killed",
            "close what takes the memory (see it with: ps aux --sort -rss | head)",
        )
    if swapped:
        yield NOTE, f"{swapped} MiB are swapped out", "their first use waits for the disk", "sudo swapoff -a"
    swap = "no swap" if facts["swap_mib"] == 0 else "nothing swapped out" if swapped == 0 else "swap is not told"
    yield OK, f"{free / 1024:.1f} GiB free, {swap}" if free is not None else f"free memory is not told, {swap}"


def _python(facts: dict[str, Any], trial: Trial) -> Said:
    build, variables = facts["python_build"], facts["environment"]
    name = f"{facts['python_implementation']} {facts['python']}"
    slowing = [variable for variable in variables if variable.startswith(SLOWING)]
    altering = [variable for variable in variables if variable.startswith(ALTERING)]
    if build["debug"] or build["development_mode"]:
        yield WARN, f"{name} is made for debugging", "Python is several times slower", "use a usual Python"
    if slowing:
        yield WARN, f"{', '.join(slowing)} set", "Python does extra work", f"unset {' '.join(slowing)}"
    if altering:
        yield NOTE, f"{', '.join(altering)} set", "memory and libraries behave unusually", f"unset {' '.join(altering)}"
    if build["jit"] or not build["gil"]:
        yield NOTE, f"{name} with {'a JIT' if build['jit'] else 'free threads'}", "times are not those of usual builds"
    if build["profile_guided"] is False:
        yield (
            NOTE,
            f"{name} was built without profiles (PGO)",
            "strategies in Python run slower",
            "make setup PYTHON=/usr/bin/python3 (distributions build it with profiles)",
        )
    yield OK, f"{name}, no variable slows it"


def _spread(facts: dict[str, Any], trial: Trial) -> Said:
    cpu, wall, waited = trial.steadiness.cpu, trial.steadiness.wall, trial.steadiness.waited
    fact = f"same work: {cpu.median_s * 1e3:.1f} ms of CPU ±{cpu.relative:.1%}, wall ±{wall.relative:.1%}"
    fact += f", {waited:.0%} waiting" if waited >= LITTLE_WAITING else ""
    if cpu.relative > UNSTEADY:
        yield (
            WARN,
            fact,
            "single times mean little",
            "mend what is said above; else raise --repetitions and --launches",
        )
    elif cpu.relative > STEADY or wall.relative > UNSTEADY:
        yield NOTE, fact, "small differences need many puzzles"
    yield OK, fact


def _clocks(facts: dict[str, Any], trial: Trial) -> Said:
    cpu, wall, late = trial.cpu_clock, trial.wall_clock, trial.overshoot
    if cpu.step_s > COARSE_S:
        yield (
            WARN,
            f"the CPU clock steps by {cpu.step_s * 1e3:.1f} ms",
            "short solves cannot be timed; a limit of CPU time coarsens Linux's count",
            "ulimit -t unlimited (if refused: in a new shell)",
        )
    if wall.cost_s > SLOW_CLOCK_S:
        yield (
            NOTE,
            f"a reading of the wall clock costs {_us(wall.cost_s)} (source {facts['clock_source'] or 'not told'})",
            "samples have to be longer",
            "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource",
        )
    yield (
        OK,
        f"readings {_us(cpu.cost_s)} (CPU), {_us(wall.cost_s)} (wall), steps {_us(cpu.step_s)}, {_us(wall.step_s)},"
        f" timers {late.median_s * 1e3:.2f} ms late",
    )


def _limits(facts: dict[str, Any], trial: Trial) -> Said:
    if not trial.subreaper:
        yield WARN, "orphans cannot be caught (no subreaper)", "a solver's stray child may run on and disturb the rest"
    if not trial.peak_reset:
        yield WARN, "the peak of memory cannot be reset", "peak_rss_mib is that of the worker, not of the solve"
    if trial.memory_obstacle:
        entry = (NOTE, trial.memory_obstacle, "--memory uses RLIMIT_DATA and a look every 50 ms")
        mend = ("systemd-run --user --scope -p Delegate=yes sudoku-bench run ...",)
        yield entry + mend if facts["cgroup"]["memory_version"] == 2 else entry
    yield OK, "memory can be limited by a control group and its peak reset, orphans can be caught"


def _disk(facts: dict[str, Any], trial: Trial) -> Said:
    taken_s = trial.flush_s
    if taken_s is None:
        yield WARN, "this folder cannot be written to", "a run needs a place", "sudoku-bench run --out FOLDER"
    else:
        entry = (OK, f"a line is safe on the disk after {taken_s * 1e3:.1f} ms")
        slow = (NOTE, entry[1], "runs of short solves last longer, their times do not", "sudoku-bench run --out FOLDER")
        yield slow if taken_s > SLOW_DISK_S else entry


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.2g} µs"


TOPICS: dict[str, Callable[[dict[str, Any], Trial], Said]] = {
    "load": _load,
    "cores": _cores,
    "frequency": _frequency,
    "host": _host,
    "memory": _memory,
    "python": _python,
    "spread": _spread,
    "clocks": _clocks,
    "limits": _limits,
    "disk": _disk,
}


def look() -> tuple[dict[str, Any], Trial, list[Finding]]:
    """Facts, trial and findings of this machine."""
    facts = description.facts()
    trial = examine()
    return facts, trial, findings(facts, trial)
