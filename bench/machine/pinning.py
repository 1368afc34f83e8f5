"""Pinning all workers to one core, the choice of that core, and locks of cores between processes.

A process that migrates between cores finds cold caches each time, and cores differ in speed, in virtual machines from
moment to moment: processes on different cores differ where strategies do not. A pinned process, however, must share
its core with any other process scheduled there, so the least busy core is chosen.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from sudoku_bench.bench.machine.system import CPU, ROOT, core_list, number, siblings, text, usable_cores, written_cores
from sudoku_bench.datasets.errors import InputError

LOCKS = "\0sudoku-bench/"  # what the names of locks begin with
OBSERVATION_S = 0.3  # long enough to recognise a busy core in ticks of 10 ms
BUSY_STEP = 0.1  # cores whose load differs by less than this share of the time count as equally idle


@dataclass(frozen=True)
class Pin:
    """The requested pinning: none, automatically chosen cores, or the given cores (one per job)."""

    on: bool = False
    cores: tuple[int, ...] = ()


def parse_pin(written: str) -> Pin:
    """Parse ``on``, ``off``, or cores such as ``2`` or ``2,4-6``.

    Raises:
        InputError: the text is none of these.
    """
    if written in ("on", "off"):
        return Pin(on=written == "on")
    cores = core_list(written)
    if not cores or len(set(cores)) < len(cores) or min(cores) < 0:
        raise InputError(f"--pin {written}: write on, off, or cores such as 2 or 2,4-6")
    return Pin(True, cores)


def cores_for(pin: Pin, jobs: int = 1, root: Path = ROOT, usable: tuple[int, ...] | None = None) -> tuple[int, ...]:
    """Return the core of each job; empty without pinning.

    Raises:
        InputError: this process may not use these cores, or has too few.
    """
    usable = usable_cores() if usable is None else usable
    if not pin.on:
        return ()
    unusable = tuple(core for core in pin.cores if core not in usable)
    if unusable:
        raise InputError(
            f"--pin: core {written_cores(unusable)} is not available here; choose from {written_cores(usable)}"
        )
    require_cores(pin, jobs, root, usable)
    cores = pin.cores or pin_choices(root, usable, busy_shares())
    return tuple(one_per_physical(cores, root)[:jobs])


def require_cores(pin: Pin, jobs: int, root: Path = ROOT, usable: tuple[int, ...] | None = None) -> None:
    """Refuse more simultaneous measurements than there are physical cores for them.

    Raises:
        InputError: there are fewer, among those that this process may use or that the pinning names.
    """
    usable = usable_cores() if usable is None else usable
    number = len(one_per_physical(pin.cores or usable, root))
    if number < jobs:
        cores = "1 physical core is" if number == 1 else f"{number} physical cores are"
        raise InputError(
            f"--jobs {jobs}: each measurement needs a physical core of its own, and {cores} available;"
            f" use --jobs {number} or fewer"
        )


def pin_choices(
    root: Path = ROOT, usable: tuple[int, ...] | None = None, busy: Mapping[int, float] | None = None
) -> tuple[int, ...]:
    """Return the usable cores, best first.

    One core of each physical core comes before any sibling. Isolated cores come first, then the fastest kind, then
    those that are least busy together with their siblings, then those that do not share a physical core with core 0,
    which serves most interrupts.

    Args:
        root: the folder that holds ``sys``.
        usable: the cores to choose from; by default those of this process.
        busy: the share of the time that each core was busy, by number.
    """
    usable = usable_cores() if usable is None else usable
    groups = {core: siblings(root, core) or (core,) for core in usable}
    isolated = core_list(text(root, f"{CPU}/isolated")) or ()  # which the kernel uses only for what is pinned to them

    def rank(core: int) -> tuple[float, ...]:
        load = max((busy or {}).get(member, 0.0) for member in groups[core])
        speed = number(root, f"{CPU}/cpu{core}/cpufreq/cpuinfo_max_freq") or 0
        return core not in isolated, -speed, load // BUSY_STEP, 0 in groups[core], -core

    ranked = sorted(usable, key=rank)
    order = {core: sum(other in groups[core] for other in ranked[:place]) for place, core in enumerate(ranked)}
    return tuple(sorted(ranked, key=lambda core: order[core]))


def one_per_physical(cores: Iterable[int], root: Path = ROOT) -> Sequence[int]:
    """Return the cores, without those that share a physical core with an earlier one."""
    kept: list[int] = []
    for core in cores:
        if not set(siblings(root, core) or ()) & set(kept):
            kept.append(core)
    return kept


def away_from(cores: tuple[int, ...], root: Path = ROOT, usable: tuple[int, ...] | None = None) -> tuple[int, ...]:
    """Return cores for the runner where it disturbs no pinned worker: other usable cores, if possible no siblings."""
    usable = usable_cores() if usable is None else usable
    neighbours = {member for core in cores for member in siblings(root, core) or (core,)}
    free = tuple(core for core in usable if core not in cores)
    return tuple(core for core in free if core not in neighbours) or free or usable


def busy_shares(seconds: float = OBSERVATION_S) -> dict[int, float]:
    """Return the share of the time that each core is busy, observed over some seconds; by number of the core."""
    online = core_list(text(ROOT, f"{CPU}/online")) or ()
    return {core: busy / 100 for core, busy in zip(online, psutil.cpu_percent(seconds, percpu=True), strict=False)}


def lock(name: str) -> socket.socket | None:
    """Lock a name until the result is closed; None if another process, or another lock of this one, holds it.

    It is a socket bound in the abstract namespace of Linux: it needs no file and no permission, and the kernel frees it
    when its process ends, however it ends. Containers with a network namespace of their own do not see each other's.
    """
    held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        held.bind(LOCKS + name)
    except OSError:
        held.close()
        return None
    return held


@dataclass(frozen=True)
class LockedCore:
    """A physical core that no other process measures on until ``held`` is closed; ``core`` is the one to pin to."""

    core: int
    held: socket.socket


def lock_core(pin: Pin, root: Path = ROOT, usable: tuple[int, ...] | None = None) -> LockedCore | None:
    """Lock a physical core with all its logical cores, so that the siblings stay idle; None without pinning.

    Raises:
        InputError: measurements run on all physical cores that may be used.
    """
    if not pin.on:
        return None
    allowed = [core for core in pin_choices(root, usable) if not pin.cores or core in pin.cores]
    cores = one_per_physical(allowed, root)
    for core in cores:
        if held := lock(f"core-{min(siblings(root, core) or (core,))}"):
            return LockedCore(core, held)
    raise InputError(
        f"every physical core that may be used here ({written_cores(tuple(cores))}) has a measurement already; start"
        " no more workers than physical cores, or use --pin off where measurements need not be alone on a core"
    )
