"""What disturbed a run: counters of the system, read between measurements, and a line the first time that they tell.

The monitor looks at most once a second, and seldom enough to cost no more than a thousandth of the time. Each window
between two looks is judged on its own: a machine that was disturbed for ten seconds of an hour says so.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.machine import control_groups
from bench.machine.system import CPU, ROOT, core_times, counters, number, siblings, text, tree_cpu_s, usable_cores
from bench.worker import clocks

PERIOD_S = 1.0
COST_SHARE = 0.001  # of the time, at most, goes into looking
MANY_CORES = 16  # beyond, single cores are not asked for their temperature and frequency
PAGE_MIB = resource.getpagesize() / 2**20

Counts = dict[str, float | None]


@dataclass(frozen=True)
class Kind:
    """One kind of disturbance: what a window shows of it, from where on it matters, and what to say."""

    name: str
    label: str
    unit: str
    threshold: float
    windows: int  # in a row, before it is worth a line
    says: str  # {value} and {cores} are filled in
    mend: str


LOAD = Kind(
    "load",
    "other programs",
    "cores",
    0.25,
    3,
    "other programs keep {value:.1f} of {cores} cores busy: solves share caches and wait, wall times most",
    "close them, or measure when they are done",
)
STEAL = Kind(
    "steal",
    "other machines of the host",
    "share",
    0.02,
    3,
    "the hypervisor gives {value:.0%} of the time we ask for to other machines: wall times grow, caches go cold",
    "measure at a quieter hour or on a dedicated host, and trust CPU time",
)
THROTTLING = Kind(
    "throttling",
    "the CPU quota",
    "times",
    1,
    1,
    "a CPU quota stopped us {value:.0f} times: wall times jump by up to 0.1 s each time",
    "raise the container's quota (docker update --cpus N), or run fewer jobs",
)
HEAT = Kind(
    "heat",
    "heat",
    "times",
    1,
    1,
    "the processor throttled itself {value:.0f} times because of heat: all times grow",
    "cool the machine, switch turbo off, or let it rest",
)
FREQUENCY = Kind(
    "frequency",
    "a lower frequency",
    "share",
    0.15,
    3,
    "the processor runs {value:.0%} below the speed it has had in this run: all times grow",
    "set the governor to performance (sudo cpupower frequency-set -g performance), plug in the power supply",
)
SWAPPING = Kind(
    "swapping",
    "swapping",
    "MiB",
    1,
    1,
    "{value:.0f} MiB of memory were swapped: times hold waits for the disk",
    "close what takes the memory, or give workers less with --memory",
)
MEMORY = Kind(
    "memory",
    "lack of memory",
    "share",
    0.05,
    2,
    "programs wait {value:.0%} of the time for memory",
    "close what takes the memory, or give workers less with --memory",
)
SIBLING = Kind(
    "sibling",
    "a busy sibling core",
    "cores",
    0.1,
    3,
    "the other half of a measured core is busy {value:.0%} of the time: both halves run slower",
    "pin to another core (--pin CORE), or switch SMT off (echo off | sudo tee /sys/devices/system/cpu/smt/control)",
)
KINDS = (LOAD, STEAL, THROTTLING, HEAT, FREQUENCY, SWAPPING, MEMORY, SIBLING)
COUNTED = {kind.name for kind in KINDS if kind.unit in ("times", "MiB")}  # events, not a state


@dataclass
class Record:
    """What became of one kind. ``peak`` is the worst window, ``row`` how many disturbed windows followed each other."""

    known: bool = False
    total: float = 0.0
    seconds: float = 0.0
    disturbed_s: float = 0.0
    peak: float = 0.0
    row: int = 0
    line: str | None = None
    recent: list[float] = field(default_factory=list)


class Monitor:
    """Watches the machine during a run: ``start``, then ``sample`` whenever there is a moment, then ``finish``.

    Args:
        root: where ``proc`` and ``sys`` are looked for.
        usable: the cores that we may run on; by default those of this process.
        pinned: the cores that workers are pinned to, if they are.
        now_s: a clock that only goes forward, in seconds.
        pid: the process whose tree is ours.
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
        self._beside = {other for core in pinned for other in siblings(root, core) or () if other != core}
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
        """Take the first look; what happened before counts nowhere. ``ours_s`` as for ``sample``."""
        self._started_s = self._at_s = self._now_s()
        self._before = self._look(ours_s)
        self._fastest_mhz = self._before["mhz"] or 0.0
        self._plan_next()

    def sample(self, ours_s: float | None = None) -> list[str]:
        """Look again if it is time to; returns the lines to be shown, usually none.

        Args:
            ours_s: CPU seconds of our process and all it has started, from some fixed moment on, if the caller knows.
                Without it the tree is walked, which costs some 10 µs per process and thread of ours. Hand it over
                always or never.
        """
        return self._advance(ours_s, last=False) if self._now_s() >= self._due_s else []

    def finish(self, ours_s: float | None = None) -> tuple[dict[str, Any], list[str]]:
        """A last look: the facts for the manifest, and the lines to be shown, of which the last sums up."""
        lines = self._advance(ours_s, last=True)
        seconds = self._at_s - self._started_s
        summary = self._summary(seconds)
        load = (text(self._root, "proc/loadavg") or "").partition(" ")[0]
        return {
            "seconds": round(seconds, 3),
            "disturbed_s": round(self._disturbed_s, 3),
            "spans_s": self._spans_s,
            "load_1min_after": float(load) if load else None,
            "kinds": {kind.name: _described(kind, self._records[kind.name]) for kind in KINDS},
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
        after = self._look(ours_s)
        shown = _shown(self._before, after, seconds, self._fastest_mhz)
        self._fastest_mhz = max(self._fastest_mhz, after["mhz"] or 0.0)
        self._before = after
        lines, disturbed = [], False
        for kind in KINDS:
            value, record = shown[kind.name], self._records[kind.name]
            # a tick is 10 ms: what a moment shows of a state is mostly rounding
            if value is None or (seconds < PERIOD_S / 2 and kind.name not in COUNTED):
                continue
            disturbed |= _take(kind, record, value, seconds)
            if record.line is None and (record.row >= kind.windows or (last and _lasting(kind, record))):
                record.line = self._line(kind, record)
                lines.append(record.line)
        self._disturbed_s += seconds * disturbed
        if disturbed:
            self._remember(now_s - seconds, now_s)
        self._plan_next()
        return lines

    def _remember(self, first_s: float, last_s: float) -> None:
        """Enter a disturbed window into the spans; it goes on where the last one ended."""
        first_s, last_s = first_s - self._started_s, round(last_s - self._started_s, 3)
        if self._spans_s and first_s <= self._spans_s[-1][1] + 1e-3:
            self._spans_s[-1][1] = last_s
        else:
            self._spans_s.append([round(first_s, 3), last_s])

    def _line(self, kind: Kind, record: Record) -> str:
        recent = record.recent[-kind.windows :]
        said = kind.says.format(value=sum(recent) / len(recent), cores=len(self._usable))
        return f"note: {said}; {kind.mend}"

    def _summary(self, seconds: float) -> str:
        told = [
            f"{kind.label} {record.disturbed_s:.0f} s (at worst {_with_unit(record.peak, kind.unit)})"
            for kind, record in ((kind, self._records[kind.name]) for kind in KINDS)
            if record.disturbed_s > 0
        ]
        if told:
            return f"note: the machine was disturbed in {self._disturbed_s:.0f} of {seconds:.0f} s: {', '.join(told)}"
        unknown = [kind.name for kind in KINDS if not self._records[kind.name].known and kind is not SIBLING]
        rest = f"; not known here: {', '.join(unknown)}" if unknown else ""
        return f"no disturbance of the machine was seen in {seconds:.0f} s{rest}"

    def _look(self, ours_s: float | None) -> Counts:
        root, cores = self._root, core_times(self._root)
        ours = [cores[core] for core in self._usable if core in cores]
        beside = [cores[core].busy_s for core in self._beside if core in cores]
        memory = counters(root, "proc/vmstat")
        quota = control_groups.throttled(self._quotas)
        swapped = [memory[name] for name in ("pswpin", "pswpout") if name in memory]
        return {
            "busy_s": sum(core.busy_s for core in ours) if ours else None,
            "stolen_s": sum(core.stolen_s for core in ours) if ours else None,
            "sibling_s": max(beside) if beside else None,
            "ours_s": tree_cpu_s(root, self._pid) if ours_s is None else ours_s,
            "throttled": quota[0] if quota else None,
            "heat": self._heat(),
            "swapped_mib": sum(swapped) * PAGE_MIB if swapped else None,
            "memory_wait_s": _pressure_s(root, "memory"),
            "mhz": self._mhz(),
        }

    def _heat(self) -> float | None:
        counts = [number(self._root, f"{CPU}/cpu{c}/thermal_throttle/core_throttle_count") for c in self._watched]
        wholes = [number(self._root, f"{CPU}/cpu{c}/thermal_throttle/package_throttle_count") for c in self._usable[:1]]
        known = [count for count in counts + wholes if count is not None]
        return sum(known) if known else None

    def _mhz(self) -> float | None:
        """The fastest watched core's: it is, or has just been, the one that worked; resting cores are slow by right."""
        told = [number(self._root, f"{CPU}/cpu{core}/cpufreq/scaling_cur_freq") for core in self._watched]
        return max((khz / 1000 for khz in told if khz is not None), default=None)


def _shown(before: Counts, after: Counts, seconds: float, fastest_mhz: float) -> Counts:
    """What a window shows of each kind; None where a counter is not known, or went backwards."""

    def grown(name: str) -> float | None:
        old, new = before[name], after[name]
        return new - old if old is not None and new is not None and new >= old else None

    busy_s, stolen_s, ours_s, mhz = grown("busy_s"), grown("stolen_s"), grown("ours_s"), after["mhz"]
    waited_s, beside_s = grown("memory_wait_s"), grown("sibling_s")
    asked_s = None if busy_s is None or stolen_s is None else busy_s + stolen_s
    return {
        "load": None if busy_s is None or ours_s is None else max(0.0, busy_s - ours_s) / seconds,
        "steal": None if asked_s is None or stolen_s is None else stolen_s / max(asked_s, seconds),
        "throttling": grown("throttled"),
        "heat": grown("heat"),
        "frequency": None if mhz is None or not fastest_mhz else max(0.0, 1 - mhz / fastest_mhz),
        "swapping": grown("swapped_mib"),
        "memory": None if waited_s is None else waited_s / seconds,
        "sibling": None if beside_s is None else beside_s / seconds,
    }


def _take(kind: Kind, record: Record, value: float, seconds: float) -> bool:
    """Enter a window into the record of a kind; was it disturbed?"""
    disturbed = value >= kind.threshold
    record.known = True
    record.total += value if kind.name in COUNTED else value * seconds
    record.seconds += seconds
    record.disturbed_s += seconds * disturbed
    record.peak = max(record.peak, value)
    record.row = record.row + 1 if disturbed else 0
    record.recent = [*record.recent[-9:], value]
    return disturbed


def _lasting(kind: Kind, record: Record) -> bool:
    """Was it so on the whole? A run that ends before enough windows have followed each other is judged by its mean."""
    return kind.name not in COUNTED and record.seconds > 0 and record.total / record.seconds >= kind.threshold


def _described(kind: Kind, record: Record) -> dict[str, Any]:
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


def _pressure_s(root: Path, what: str) -> float | None:
    """Seconds in which at least one process waited for ``what`` (pressure stall information)."""
    for line in (text(root, f"proc/pressure/{what}") or "").splitlines():
        if line.startswith("some "):
            return int(line.rpartition("total=")[2]) / 1e6
    return None
