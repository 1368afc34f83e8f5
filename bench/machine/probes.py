"""Trying out what a measurement stands on: how steady the machine is, how fine the clocks, which limits can be set.

Each probe leaves everything as it was.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from bench.machine.system import ROOT, text
from bench.worker import clocks

PIECE_S = 0.01  # a piece of work, about as long as a sample of solves
SLEEP_S = 0.001
WORTH_A_NAME = 0.1  # cores
PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER = 36, 37
MIB = 1 << 20


@dataclass(frozen=True)
class Spread:
    """How times of the same piece of work lie, in seconds.

    Attributes:
        number: of pieces.
        median_s: the middle one.
        low_s: a tenth of them took less.
        high_s: a tenth of them took more.
        worst_s: the longest.
    """

    number: int
    median_s: float
    low_s: float
    high_s: float
    worst_s: float

    @classmethod
    def of(cls, times_s: list[float]) -> Spread:
        low, middle, high = np.quantile(times_s, (0.1, 0.5, 0.9))
        return cls(len(times_s), float(middle), float(low), float(high), max(times_s))

    @property
    def relative(self) -> float:
        """Half the distance between the tenths, as a share of the median: "times are within ± so much"."""
        return (self.high_s - self.low_s) / 2 / self.median_s if self.median_s else 0.0


@dataclass(frozen=True)
class Steadiness:
    """The same work again and again, by both clocks, and the share of the time in which we did not run."""

    cpu: Spread
    wall: Spread
    waited: float


def steadiness(seconds: float = 3.0) -> Steadiness:
    """Repeat a fixed piece of plain Python for so many seconds.

    The first tenth only warms up.
    """
    turns = 1000
    while min(_piece(turns)[0] for _ in range(5)) < PIECE_S / 2:  # the first ones may be slow
        turns *= 2
    _repeat(turns, seconds / 10)
    pieces = _repeat(turns, seconds * 9 / 10)
    cpu, wall = [cpu for cpu, _ in pieces], [wall for _, wall in pieces]
    return Steadiness(Spread.of(cpu), Spread.of(wall), max(0.0, 1 - sum(cpu) / sum(wall)))


def _repeat(turns: int, seconds: float) -> list[tuple[float, float]]:
    """CPU and wall seconds of as many pieces as fit, at least three."""
    end = clocks.wall_s() + seconds
    pieces: list[tuple[float, float]] = []
    while clocks.wall_s() < end or len(pieces) < 3:
        pieces.append(_piece(turns))
    return pieces


def _piece(turns: int) -> tuple[float, float]:
    wall, cpu = clocks.wall_s(), clocks.cpu_s()
    total = 0
    for number in range(turns):
        total += number & 7
    return clocks.cpu_s() - cpu, clocks.wall_s() - wall


def step_s(clock: Callable[[], float], rounds: int = 50) -> float:
    """The smallest step that a clock is seen to make, in seconds: its resolution, or what a reading costs."""
    steps = []
    for _ in range(rounds):
        before = now = clock()
        while now == before:
            now = clock()
        steps.append(now - before)
    return min(steps)


def overshoot(sleeps: int = 100) -> Spread:
    """How much longer than a millisecond a sleep of a millisecond lasts: how late a guard or a timer comes."""
    late = []
    for _ in range(sleeps):
        before = clocks.wall_s()
        time.sleep(SLEEP_S)
        late.append(clocks.wall_s() - before - SLEEP_S)
    return Spread.of(late)


def flush_s(folder: Path, times: int = 10) -> float | None:
    """What it takes to put a line safely onto a folder's disk: median seconds; None if we may not write there."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            taken = []
            for _ in range(times):
                before = clocks.wall_s()
                file.write(b"x" * 200)
                file.flush()
                os.fsync(file.fileno())
                taken.append(clocks.wall_s() - before)
    except OSError:
        return None
    return statistics.median(taken)


def subreaper() -> bool:
    """Can we become the parent of orphans among our descendants, so that none escapes (Linux)?"""
    try:
        prctl = ctypes.CDLL(None).prctl
    except (AttributeError, OSError):
        return False
    before = ctypes.c_int()
    if prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(before), 0, 0, 0):
        return False
    possible: bool = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    prctl(PR_SET_CHILD_SUBREAPER, before.value, 0, 0, 0)
    return possible


def peak_reset() -> bool:
    """Does writing to ``/proc/self/clear_refs`` forget the peak of resident memory, so that each solve has its own?"""
    block = bytearray(64 * MIB)
    block[::4096] = b"x" * len(block[::4096])
    before = _peak_kib()
    del block
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return False
    after = _peak_kib()
    return before is not None and after is not None and after < before - 32 * 1024


def _peak_kib() -> int | None:
    for line in (text(ROOT, "proc/self/status") or "").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return None


def busiest(number: int = 3) -> Callable[[], list[tuple[str, float]]]:
    """Start to watch all processes but ours; the function returned ends it.

    It gives the names and the cores' worth of CPU time of those that used most since the start.
    """
    before, started = _others(), clocks.wall_s()

    def end() -> list[tuple[str, float]]:
        passed = max(clocks.wall_s() - started, 1e-3)
        used: dict[str, float] = {}
        for pid, (name, cpu_s) in _others().items():
            used[name] = used.get(name, 0.0) + (cpu_s - before.get(pid, (name, 0.0))[1]) / passed
        worth_a_name = [(name, cores) for name, cores in used.items() if cores >= WORTH_A_NAME]
        return sorted(worth_a_name, key=lambda item: -item[1])[:number]

    return end


def _others() -> dict[int, tuple[str, float]]:
    """Name and CPU seconds of every process that is not ours, as far as we may see."""
    found = {}
    for process in psutil.process_iter(("pid", "name", "cpu_times")):
        times = process.info["cpu_times"]
        if times and process.pid != os.getpid():
            found[process.pid] = (str(process.info["name"]), float(times.user + times.system))
    return found
