"""Disturbances of a run: system counters are read between measurements, with one warning per kind of disturbance.

The monitor samples at most once a second, and rarely enough to use at most a thousandth of the time. Each window
between two samples is judged separately, so ten disturbed seconds within an hour are reported.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from resource import getpagesize
from typing import Any

from bench.machine import control_groups
from bench.machine.system import CPU, ROOT, core_times, counters, number, siblings, text, tree_cpu_s, usable_cores
from bench.worker import clocks

PERIOD_S = 1.0
COST_SHARE = 0.001  # largest share of the time spent on sampling
MANY_CORES = 16  # with more cores, temperature and frequency per core are not read
PAGE_MIB = getpagesize() / 2**20

Counts = dict[str, float | None]


@dataclass(frozen=True)
class Kind:
    """One kind of disturbance: its unit, its threshold, and the warning about it."""

    name: str
    label: str
    unit: str
    threshold: float
    windows: int  # consecutive windows above the threshold before the warning
    message: str  # with {value} and {cores}
    remedy: str


LOAD = Kind(
    "load",
    "other programs",
    "cores",
    0.25,
    3,
    "other programs keep {value:.1f} of {cores} cores busy: solves compete for cores and caches, wall times grow",
    "close them, or measure after they finish",
)
STEAL = Kind(
    "steal",
    "other virtual machines",
    "share",
    0.02,
    3,
    "the hypervisor gives {value:.0%} of the requested CPU time to other machines: wall times grow, caches go cold",
    "measure at a quieter time or on a dedicated host, and rely on CPU time",
)
THROTTLING = Kind(
    "throttling",
    "the CPU quota",
    "times",
    1,
    1,
    "a CPU quota paused this run {value:.0f} times: each pause adds up to 0.1 s to a wall time",
    "raise the container's quota (docker update --cpus N), or run fewer jobs",
)
HEAT = Kind(
    "heat",
    "heat",
    "times",
    1,
    1,
    "the processor throttled itself {value:.0f} times because of heat: all times grow",
    "cool the machine, disable turbo, or let it rest",
)
FREQUENCY = Kind(
    "frequency",
    "a lower frequency",
    "share",
    0.15,
    3,
    "the processor runs {value:.0%} below its highest frequency in this run: all times grow",
    "set the governor to performance (sudo cpupower frequency-set -g performance), connect the power supply",
)
SWAPPING = Kind(
    "swapping",
    "swapping",
    "MiB",
    1,
    1,
    "{value:.0f} MiB of memory were swapped: times include waiting for the disk",
    "close programs that use much memory, or lower the limit of the workers with --memory",
)
MEMORY = Kind(
    "memory",
    "lack of memory",
    "share",
    0.05,
    2,
    "processes waited for memory {value:.0%} of the time",
    "close programs that use much memory, or lower the limit of the workers with --memory",
)
SIBLING = Kind(
    "sibling",
    "a busy sibling core",
    "cores",
    0.1,
    3,
    "the sibling of a measured core is busy {value:.0%} of the time: both run slower",
    "pin to another core (--pin CORE), or disable SMT (echo off | sudo tee /sys/devices/system/cpu/smt/control)",
)
KINDS = (LOAD, STEAL, THROTTLING, HEAT, FREQUENCY, SWAPPING, MEMORY, SIBLING)
COUNTED = {kind.name for kind in KINDS if kind.unit in ("times", "MiB")}  # events, not a state


@dataclass
class Record:
    """Measurements of one kind. ``peak`` is the worst window, ``streak`` counts consecutive disturbed windows."""

    known: bool = False
    total: float = 0.0
    seconds: float = 0.0
    disturbed_s: float = 0.0
    peak: float = 0.0
    streak: int = 0
    line: str | None = None
    recent: list[float] = field(default_factory=list)


class Monitor:
    """Monitors the machine during a run: call ``start``, then ``sample`` between measurements, then ``finish``.

    Args:
        root: the folder that holds ``proc`` and ``sys``.
        usable: the cores that may be used; by default those of this process.
        pinned: the cores that workers are pinned to, if any.
        now_s: a monotonic clock, in seconds.
        pid: the root of the process tree that does not count as a disturbance.
    """

    def __init__(
        self,
        root: Path = ROOT,
        usable: tuple[int, ...] | None = None,
        pinned: tuple[int, ...] = (),
        now_s: Callable[[], float] = clocks.wall_s,
        pid: int | None = None,
    ) -> None:
        self._root, self._now_s, self._pid = root, now_s, os.getpid() if pid is None else pid
        usable = usable_cores() if usable is None else usable
        self._usable = tuple(core_times(root)) if usable is None else usable
        self._sibling_cores = {other for core in pinned for other in siblings(root, core) or () if other != core}
        watched = pinned or self._usable
        self._watched = watched if len(watched) <= MANY_CORES else ()
        self._quotas = control_groups.folders("cpu", root)
        self._records = {kind.name: Record() for kind in KINDS}
        self._fastest_mhz = 0.0
        self._before: Counts = {}
        self._started_s = self._at_s = self._due_s = 0.0
        self._disturbed_s = 0.0
        self._spans_s: list[list[float]] = []

    def start(self, ours_s: float | None = None) -> None:
        """Take the first sample; earlier events are ignored. ``ours_s`` as for ``sample``."""
        self._started_s = self._at_s = self._now_s()
        self._before = self._read(ours_s)
        self._fastest_mhz = self._before["mhz"] or 0.0
        self._plan_next()

    def sample(self, ours_s: float | None = None) -> list[str]:
        """Take the next sample if it is due; return the warnings to print, usually none.

        Args:
            ours_s: CPU seconds of the process tree since some fixed moment, if the caller knows. Without it the tree is
                walked, which costs about 10 µs per process and thread. Pass it always or never.
        """
        return self._advance(ours_s, last=False) if self._now_s() >= self._due_s else []

    def finish(self, ours_s: float | None = None) -> tuple[dict[str, Any], list[str]]:
        """Take the last sample; return the facts for the manifest and the lines to print, the last a summary."""
        lines = self._advance(ours_s, last=True)
        seconds = self._at_s - self._started_s
        summary = self._summary(seconds)
        load = (text(self._root, "proc/loadavg") or "").partition(" ")[0]
        return {
            "seconds": round(seconds, 3),
            "disturbed_s": round(self._disturbed_s, 3),
            "spans_s": self._spans_s,
            "load_1min_after": float(load) if load else None,
            "kinds": {kind.name: _kind_facts(kind, self._records[kind.name]) for kind in KINDS},
            "warnings": [record.line for record in self._records.values() if record.line],
            "summary": summary,
        }, [*lines, summary]

    def _plan_next(self) -> None:
        cost_s = self._now_s() - self._at_s
        self._due_s = self._at_s + max(PERIOD_S, cost_s / COST_SHARE)

    def _advance(self, ours_s: float | None, last: bool) -> list[str]:
        now_s = self._now_s()
        seconds = now_s - self._at_s
        if seconds <= 0:
            return []
        self._at_s = now_s
        after = self._read(ours_s)
        values = _window_values(self._before, after, seconds, self._fastest_mhz)
        self._fastest_mhz = max(self._fastest_mhz, after["mhz"] or 0.0)
        self._before = after
        lines, disturbed = [], False
        for kind in KINDS:
            value, record = values[kind.name], self._records[kind.name]
            # counters advance in ticks of 10 ms, so a short window mostly shows rounding
            if value is None or (seconds < PERIOD_S / 2 and kind.name not in COUNTED):
                continue
            disturbed |= _record_window(kind, record, value, seconds)
            lasting = record.streak >= kind.windows or (last and _disturbed_on_average(kind, record))
            if record.line is None and lasting:
                record.line = self._line(kind, record)
                lines.append(record.line)
        self._disturbed_s += seconds * disturbed
        if disturbed:
            self._add_span(now_s - seconds, now_s)
        self._plan_next()
        return lines

    def _add_span(self, first_s: float, last_s: float) -> None:
        """Add a disturbed window to the spans; extend the last span if the window follows it directly."""
        first_s, last_s = first_s - self._started_s, round(last_s - self._started_s, 3)
        if self._spans_s and first_s <= self._spans_s[-1][1] + 1e-3:
            self._spans_s[-1][1] = last_s
        else:
            self._spans_s.append([round(first_s, 3), last_s])

    def _line(self, kind: Kind, record: Record) -> str:
        recent = record.recent[-kind.windows :]
        message = kind.message.format(value=sum(recent) / len(recent), cores=len(self._usable))
        return f"note: {message}; {kind.remedy}"

    def _summary(self, seconds: float) -> str:
        disturbances = [
            f"{kind.label} {record.disturbed_s:.0f} s (at worst {_with_unit(record.peak, kind.unit)})"
            for kind, record in ((kind, self._records[kind.name]) for kind in KINDS)
            if record.disturbed_s > 0
        ]
        if disturbances:
            causes = ", ".join(disturbances)
            return f"note: the machine was disturbed for {self._disturbed_s:.0f} of {seconds:.0f} s: {causes}"
        unknown = [kind.name for kind in KINDS if not self._records[kind.name].known and kind is not SIBLING]
        rest = f"; not available here: {', '.join(unknown)}" if unknown else ""
        return f"no disturbance of the machine in {seconds:.0f} s{rest}"

    def _read(self, ours_s: float | None) -> Counts:
        root, times = self._root, core_times(self._root)
        usable = [times[core] for core in self._usable if core in times]
        siblings_s = [times[core].busy_s for core in self._sibling_cores if core in times]
        memory = counters(root, "proc/vmstat")
        quota = control_groups.throttled(self._quotas)
        swapped = [memory[name] for name in ("pswpin", "pswpout") if name in memory]
        return {
            "busy_s": sum(core.busy_s for core in usable) if usable else None,
            "stolen_s": sum(core.stolen_s for core in usable) if usable else None,
            "sibling_s": max(siblings_s) if siblings_s else None,
            "ours_s": tree_cpu_s(root, self._pid) if ours_s is None else ours_s,
            "throttled": quota[0] if quota else None,
            "heat": self._heat(),
            "swapped_mib": sum(swapped) * PAGE_MIB if swapped else None,
            "memory_wait_s": _pressure_s(root, "memory"),
            "mhz": self._mhz(),
        }

    def _heat(self) -> float | None:
        paths = [f"{CPU}/cpu{core}/thermal_throttle/core_throttle_count" for core in self._watched]
        paths += [f"{CPU}/cpu{core}/thermal_throttle/package_throttle_count" for core in self._usable[:1]]
        readable = [count for path in paths if (count := number(self._root, path)) is not None]
        return sum(readable) if readable else None

    def _mhz(self) -> float | None:
        """Return the frequency of the fastest watched core, which is or was just busy; idle cores may run slower."""
        frequencies = [number(self._root, f"{CPU}/cpu{core}/cpufreq/scaling_cur_freq") for core in self._watched]
        return max((khz / 1000 for khz in frequencies if khz is not None), default=None)


def _window_values(before: Counts, after: Counts, seconds: float, fastest_mhz: float) -> Counts:
    """Return the value of each kind in a window; None if a counter is unknown or decreased."""

    def increase(name: str) -> float | None:
        old, new = before[name], after[name]
        return new - old if old is not None and new is not None and new >= old else None

    busy_s, stolen_s, ours_s, mhz = increase("busy_s"), increase("stolen_s"), increase("ours_s"), after["mhz"]
    waited_s, sibling_s = increase("memory_wait_s"), increase("sibling_s")
    requested_s = None if busy_s is None or stolen_s is None else busy_s + stolen_s
    return {
        "load": None if busy_s is None or ours_s is None else max(0.0, busy_s - ours_s) / seconds,
        "steal": None if requested_s is None or stolen_s is None else stolen_s / max(requested_s, seconds),
        "throttling": increase("throttled"),
        "heat": increase("heat"),
        "frequency": None if mhz is None or not fastest_mhz else max(0.0, 1 - mhz / fastest_mhz),
        "swapping": increase("swapped_mib"),
        "memory": None if waited_s is None else waited_s / seconds,
        "sibling": None if sibling_s is None else sibling_s / seconds,
    }


def _record_window(kind: Kind, record: Record, value: float, seconds: float) -> bool:
    """Add a window to the record of a kind; return whether it was disturbed."""
    disturbed = value >= kind.threshold
    record.known = True
    record.total += value if kind.name in COUNTED else value * seconds
    record.seconds += seconds
    record.disturbed_s += seconds * disturbed
    record.peak = max(record.peak, value)
    record.streak = record.streak + 1 if disturbed else 0
    record.recent = [*record.recent[-9:], value]
    return disturbed


def _disturbed_on_average(kind: Kind, record: Record) -> bool:
    """Is the mean over the run above the threshold? Used for runs too short for enough consecutive windows."""
    return kind.name not in COUNTED and record.seconds > 0 and record.total / record.seconds >= kind.threshold


def _kind_facts(kind: Kind, record: Record) -> dict[str, Any]:
    if not record.known:
        return {"unit": kind.unit, "mean": None, "total": None, "worst": None, "disturbed_s": None}
    counted = kind.name in COUNTED
    return {
        "unit": kind.unit,
        "mean": None if counted else round(record.total / record.seconds, 4),
        "total": round(record.total, 3) if counted else None,
        "worst": round(record.peak, 4),
        "disturbed_s": round(record.disturbed_s, 3),
    }


def _with_unit(value: float, unit: str) -> str:
    return f"{value:.0%}" if unit == "share" else f"{value:.1f} {unit}" if unit == "cores" else f"{value:.0f} {unit}"


def _pressure_s(root: Path, resource: str) -> float | None:
    """Return the seconds in which at least one process waited for a resource (pressure stall information)."""
    for line in (text(root, f"proc/pressure/{resource}") or "").splitlines():
        if line.startswith("some "):
            return int(line.rpartition("total=")[2]) / 1e6
    return None
