"""Keeping a worker on one core: which one.

A process that moves from core to core finds cold caches each time. But one that is pinned has to share its core with
whoever else comes there, and several threads of one strategy have to take turns; so pinning is a choice.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.machine import processor
from bench.machine.system import CPU, ROOT, core_list, core_times, number, siblings, usable_cores, written_cores
from datasets.errors import InputError

LOOK_S = 0.3  # long enough that a busy core stands out from a tick of 10 ms
BUSY_STEP = 0.1  # cores that differ by less than this share of their time are equally idle


@dataclass(frozen=True)
class Pin:
    """What was asked for: nothing, cores of our choice, or these (one per worker)."""

    on: bool = False
    cores: tuple[int, ...] = ()


def parse_pin(written: str) -> Pin:
    """Read ``on``, ``off``, or cores such as ``2`` or ``2,4-6``.

    Raises:
        InputError: it is none of these.
    """
    if written in ("on", "off"):
        return Pin(on=written == "on")
    cores = core_list(written)
    if not cores or len(set(cores)) < len(cores) or min(cores) < 0:
        raise InputError(f"--pin {written}: write on, off, or cores such as 2 or 2,4-6")
    return Pin(True, cores)


def cores_for(pin: Pin, workers: int = 1, root: Path = ROOT, usable: tuple[int, ...] | None = None) -> tuple[int, ...]:
    """The core of each worker that measures at the same time; empty if none is to be pinned.

    Raises:
        InputError: the system cannot pin, or has not so many cores for us.
    """
    if not pin.on:
        return ()
    usable = usable_cores() if usable is None else usable
    if usable is None:
        raise InputError("--pin: this system cannot keep a process on a core; use --pin off")
    alien = tuple(core for core in pin.cores if core not in usable)
    if alien:
        raise InputError(f"--pin: core {written_cores(alien)} is not ours to use; choose from {written_cores(usable)}")
    cores = pin.cores or pin_choices(root, usable, busy_shares(root))
    if len(cores) < workers:
        raise InputError(f"--pin: {workers} jobs need as many cores, and there are {len(cores)}; use fewer --jobs")
    return cores[:workers]


def pin_choices(
    root: Path = ROOT, usable: tuple[int, ...] | None = None, busy: Mapping[int, float] | None = None
) -> tuple[int, ...]:
    """The cores that we may use, best first.

    No two share a physical core until each physical core has been named. Before all, cores that the kernel keeps free;
    then the fastest kind; then those that, with their siblings, are least busy; away from core 0, which serves most
    interrupts.

    Args:
        root: where ``sys`` is looked for.
        usable: the cores to choose from; by default those of this process.
        busy: the share of its time that each core has been busy, by number.
    """
    usable = (usable_cores() or ()) if usable is None else usable
    groups = {core: siblings(root, core) or (core,) for core in usable}
    isolated = processor.isolated(root) or ()

    def rank(core: int) -> tuple[float, ...]:
        load = max((busy or {}).get(member, 0.0) for member in groups[core])
        speed = number(root, f"{CPU}/cpu{core}/cpufreq/cpuinfo_max_freq") or 0
        return core not in isolated, -speed, load // BUSY_STEP, 0 in groups[core], -core

    ranked = sorted(usable, key=rank)
    turns = {core: sum(other in groups[core] for other in ranked[:place]) for place, core in enumerate(ranked)}
    return tuple(sorted(ranked, key=lambda core: turns[core]))


def away_from(cores: tuple[int, ...], root: Path = ROOT, usable: tuple[int, ...] | None = None) -> tuple[int, ...]:
    """Where the runner may go so that it disturbs no pinned worker: our other cores, if possible no siblings."""
    usable = (usable_cores() or ()) if usable is None else usable
    close = {member for core in cores for member in siblings(root, core) or (core,)}
    free = tuple(core for core in usable if core not in cores)
    return tuple(core for core in free if core not in close) or free or usable


def busy_shares(root: Path = ROOT, look_s: float = LOOK_S) -> dict[int, float]:
    """Look twice: which share of the time between was each core busy?"""
    before = core_times(root)
    time.sleep(look_s)
    shares = {}
    for core, after in core_times(root).items():
        if core in before:
            busy = after.busy_s - before[core].busy_s
            passed = busy + after.idle_s - before[core].idle_s + after.stolen_s - before[core].stolen_s
            shares[core] = max(0.0, busy / passed) if passed > 0 else 0.0
    return shares
