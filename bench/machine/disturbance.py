"""Disturbances of a run: system counters are read between measurements, with one warning per kind of disturbance.

The monitor samples at most once a second, and rarely enough to use at most a thousandth of the time. A window between
two samples is disturbed by a kind if its value there reaches the threshold. Ten disturbed seconds within an hour are
reported; a warning takes several disturbed windows in a row.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from resource import getpagesize
from typing import Any, NamedTuple

from sudoku_bench.bench.machine import control_groups
from sudoku_bench.bench.machine.system import (
    CPU,
    ROOT,
    company,
    core_times,
    counters,
    number,
    siblings,
    tree_cpu_s,
    usable_cores,
)
from sudoku_bench.bench.worker import clocks

PERIOD_S = 1.0
COST_SHARE = 0.001  # largest share of the time spent on sampling
MANY_CORES = 16  # with more cores, the temperature of each core is not read
PAGE_MIB = getpagesize() / 2**20

Counts = dict[str, float | None]


class Kind(NamedTuple):
    """One kind of disturbance: its unit, its threshold, and the warning about it."""

    name: str
    label: str
    unit: str
    threshold: float
    windows: int  # consecutive windows above the threshold before the warning
    fact: str  # with {value} and {cores}
    consequence: str
    remedy: str

    @property
    def is_event(self) -> bool:
        """Are its values numbers of events or amounts, which add up? The others are states."""
        return self.unit in ("times", "MiB")

    def fact_of(self, value: float, cores: int) -> str:
        """Return the fact about a value on so many cores."""
        return self.fact.format(value=value, cores=f"{cores} core{'' if cores == 1 else 's'}")


KINDS = LOAD, STEAL, THROTTLING, HEAT, SWAPPING, SIBLING = (
    Kind(
        *("load", "other programs", "cores", 0.25, 3),
        "other programs keep {value:.1f} of {cores} busy",
        "solves compete for cores and caches, wall times grow",
        "close them, or measure after they finish",
    ),
    Kind(
        *("steal", "other virtual machines", "share", 0.02, 3),
        "the hypervisor gives {value:.0%} of the requested CPU time to other machines",
        "wall times grow, caches go cold",
        "measure at a quieter time or on a dedicated host, and rely on CPU time",
    ),
    Kind(
        *("throttling", "the CPU quota", "times", 1, 1),
        "a CPU quota paused the solves {value:.0f} times",
        "each pause adds up to 0.1 s to a wall time",
        "raise the container's quota (docker update --cpus N), or run fewer jobs",
    ),
    Kind(
        *("heat", "heat", "times", 1, 1),
        "the processor throttled itself {value:.0f} times because of heat",
        "all times grow",
        "cool the machine, disable turbo, or let it rest",
    ),
    Kind(
        *("swapping", "swapping", "MiB", 1, 1),
        "{value:.0f} MiB of memory were swapped",
        "times include waiting for the disk",
        "close programs that use much memory, or lower the limit of the workers with --memory",
    ),
    Kind(
        *("sibling", "a busy sibling core", "cores", 0.1, 3),
        "the sibling of a measured core is busy {value:.0%} of the time",
        "both run slower",
        "pin to another core (--pin CORE), or disable SMT (echo off | sudo tee /sys/devices/system/cpu/smt/control)",
    ),
)
LABELS = {kind.name: kind.label for kind in KINDS}


def lasted(manifest: Mapping[str, Any]) -> tuple[float, float]:
    """Return for how long the machine disturbed a run and for how long it was watched, in seconds, by all runners."""
    looks = manifest.get("disturbance") or ()
    return sum(look["disturbed_s"] for look in looks), sum(look["seconds"] for look in looks)


def words(manifest: Mapping[str, Any]) -> str:
    """Return for how long the machine disturbed a run, and by what; empty if for less than half a second.

    Nothing else is called a disturbance. Times of several kinds may overlap.
    """
    disturbed_s, watched_s = lasted(manifest)
    if disturbed_s < 0.5:
        return ""
    causes: Counter[str] = Counter()
    for look in manifest["disturbance"]:
        causes.update({name: kind.get("disturbed_s") or 0.0 for name, kind in look["kinds"].items()})
    shown = [f"{LABELS.get(name, name)} {seconds:,.0f} s" for name, seconds in causes.most_common() if seconds >= 0.5]
    return f"The machine disturbed {disturbed_s:,.0f} of {watched_s:,.0f} s of this run: {', '.join(shown)}"


@dataclass
class Record:
    """What was seen of one kind: ``worst`` is the largest value of a window, ``streak`` counts disturbed windows."""

    total: float = 0.0
    seconds: float = 0.0
    disturbed_s: float = 0.0
    worst: float = 0.0
    streak: int = 0
    warning: str | None = None

    def add(self, kind: Kind, value: float, seconds: float) -> bool:
        """Add a window; return whether it was disturbed."""
        disturbed = value >= kind.threshold
        self.total += value if kind.is_event else value * seconds
        self.seconds += seconds
        self.disturbed_s += seconds * disturbed
        self.worst = max(self.worst, value)
        self.streak = self.streak + 1 if disturbed else 0
        return disturbed

    def facts(self, kind: Kind) -> dict[str, Any]:
        """Return for the manifest: the sum of events or the mean of a state, None where the kind is unknown here."""
        if not self.seconds:
            return {"unit": kind.unit, "amount": None, "worst": None, "disturbed_s": None}
        amount = self.total if kind.is_event else self.total / self.seconds
        rounded = {"amount": round(amount, 4), "worst": round(self.worst, 4), "disturbed_s": round(self.disturbed_s, 3)}
        return {"unit": kind.unit, **rounded}


class Monitor:
    """Monitors the machine during a run: call ``start``, then ``sample`` between measurements, then ``finish``.

    Args:
        root: the folder that holds ``proc`` and ``sys``.
        usable: the cores that may be used; by default those of this process.
        pinned: the cores that workers are pinned to, if any.
        now_s: a monotonic clock, in seconds.
        pid: the root of the process tree that does not count as a disturbance; by default this process, without the
            other threads and children that it has at the start: those of a notebook.
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
        here = threading.get_native_id()
        self._others = company(root, self._pid, here) if pid is None else frozenset[int]()
        self._usable = usable_cores() if usable is None else usable
        self._sibling_cores = {other for core in pinned for other in siblings(root, core) or () if other != core}
        watched = pinned or self._usable
        self._watched = watched if len(watched) <= MANY_CORES else ()
        self._quotas = control_groups.folders(root)
        self._records = {kind: Record() for kind in KINDS}
        self._before: Counts = {}
        self._started_s = self._at_s = self._due_s = 0.0
        self._disturbed_s = 0.0

    def start(self) -> None:
        """Take the first sample; earlier events are ignored."""
        self._started_s = self._at_s = self._now_s()
        self._before = self._read()
        self._plan_next()

    def sample(self) -> list[str]:
        """Take the next sample if it is due; return the warnings to print, usually none."""
        return self._advance() if self._now_s() >= self._due_s else []

    def finish(self) -> tuple[dict[str, Any], list[str]]:
        """Take the last sample; return the facts for the manifest and the lines to print, the last a summary."""
        lines, facts = self._advance(), self.facts()
        return facts, [*lines, facts["summary"]]

    def facts(self) -> dict[str, Any]:
        """Return what has been seen so far, for the manifest."""
        seconds = self._at_s - self._started_s
        facts = {
            "seconds": round(seconds, 3),
            "disturbed_s": round(self._disturbed_s, 3),
            "kinds": {kind.name: record.facts(kind) for kind, record in self._records.items()},
            "warnings": [record.warning for record in self._records.values() if record.warning],
        }
        return facts | {"summary": words({"disturbance": [facts]}) or self._calm(seconds)}

    def _plan_next(self) -> None:
        cost_s = self._now_s() - self._at_s
        self._due_s = self._at_s + max(PERIOD_S, cost_s / COST_SHARE)

    def _advance(self) -> list[str]:
        now_s = self._now_s()
        seconds = now_s - self._at_s
        if seconds <= 0:
            return []
        self._at_s, before, self._before = now_s, self._before, self._read()
        values = _window_values(before, self._before, seconds)
        warnings, disturbed = [], False
        for kind, record in self._records.items():
            value = values[kind.name]
            # counters advance in ticks of 10 ms, so a short window mostly shows rounding
            if value is None or (seconds < PERIOD_S / 2 and not kind.is_event):
                continue
            disturbed |= record.add(kind, value, seconds)
            if record.warning is None and record.streak >= kind.windows:
                record.warning = f"note: {kind.fact_of(value, len(self._usable))}: {kind.consequence}; {kind.remedy}"
                warnings.append(record.warning)
        self._disturbed_s += seconds * disturbed
        self._plan_next()
        return warnings

    def _calm(self, seconds: float) -> str:
        unknown = [k.name for k, record in self._records.items() if not record.seconds and k is not SIBLING]
        rest = f"; not available here: {', '.join(unknown)}" if unknown else ""
        return f"no disturbance of the machine in {seconds:.0f} s{rest}"

    def _read(self) -> Counts:
        root, times = self._root, core_times(self._root)
        usable = [times[core] for core in self._usable if core in times]
        memory = counters(root, "proc/vmstat")
        swapped = [memory[name] for name in ("pswpin", "pswpout") if name in memory]
        return {
            "busy_s": sum(core.busy_s for core in usable) if usable else None,
            "stolen_s": sum(core.stolen_s for core in usable) if usable else None,
            "sibling": max((times[core].busy_s for core in self._sibling_cores if core in times), default=None),
            "ours_s": tree_cpu_s(root, self._pid, self._others),
            "throttling": control_groups.throttled(self._quotas),
            "heat": self._heat(),
            "swapping": sum(swapped) * PAGE_MIB if swapped else None,
        }

    def _heat(self) -> float | None:
        paths = [f"{CPU}/cpu{core}/thermal_throttle/core_throttle_count" for core in self._watched]
        paths += [f"{CPU}/cpu{core}/thermal_throttle/package_throttle_count" for core in self._usable[:1]]
        readable = [count for path in paths if (count := number(self._root, path)) is not None]
        return sum(readable) if readable else None


def _window_values(before: Counts, after: Counts, seconds: float) -> Counts:
    """Return the value of each kind in a window; None if a counter is unknown or decreased."""

    def increase(name: str) -> float | None:
        old, new = before[name], after[name]
        return new - old if old is not None and new is not None and new >= old else None

    busy_s, stolen_s, ours_s, sibling_s = map(increase, ("busy_s", "stolen_s", "ours_s", SIBLING.name))
    requested_s = None if busy_s is None or stolen_s is None else busy_s + stolen_s
    return {
        "load": None if busy_s is None or ours_s is None else max(0.0, busy_s - ours_s) / seconds,
        "steal": None if requested_s is None or stolen_s is None else stolen_s / max(requested_s, seconds),
        SIBLING.name: None if sibling_s is None else sibling_s / seconds,
        **{name: increase(name) for name in (THROTTLING.name, HEAT.name, SWAPPING.name)},
    }
