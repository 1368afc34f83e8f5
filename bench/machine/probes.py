"""Probes of what measurements depend on: steadiness of the machine, resolution of clocks, available limits.

Each probe restores the state it changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import psutil

from bench.worker import clocks

PIECE_S = 0.01  # duration of one piece of work, about that of a sample of solves
SLEEP_S = 0.001
NAMED_FROM_CORES = 0.1
PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER = 36, 37
MIB = 1 << 20


@dataclass(frozen=True)
class Spread:
    """Distribution of the times of identical pieces of work, in seconds.

    Attributes:
        number: number of pieces.
        median_s: median.
        low_s: 10% quantile.
        high_s: 90% quantile.
        worst_s: maximum.
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
        """Half the distance between the 10% and 90% quantiles, as a share of the median."""
        return (self.high_s - self.low_s) / 2 / self.median_s if self.median_s else 0.0


@dataclass(frozen=True)
class Steadiness:
    """Spread of repeated identical work by both clocks, and the share of the time in which it did not run."""

    cpu: Spread
    wall: Spread
    waited: float


def steadiness(seconds: float = 3.0) -> Steadiness:
    """Repeat a fixed piece of plain Python for a number of seconds.

    The first tenth of the time is a warm-up.
    """
    turns = 1000
    while min(_piece(turns)[0] for _ in range(5)) < PIECE_S / 2:  # the first pieces may be slow
        turns *= 2
    _repeat(turns, seconds / 10)
    pieces = _repeat(turns, seconds * 9 / 10)
    cpu, wall = [cpu for cpu, _ in pieces], [wall for _, wall in pieces]
    return Steadiness(Spread.of(cpu), Spread.of(wall), max(0.0, 1 - sum(cpu) / sum(wall)))


def _repeat(turns: int, seconds: float) -> list[tuple[float, float]]:
    """Return the CPU and wall seconds of as many pieces as fit, at least three."""
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
    """Return the smallest observed step of a clock in seconds: its resolution, or the cost of a reading."""
    steps = []
    for _ in range(rounds):
        before = now = clock()
        while now == before:
            now = clock()
        steps.append(now - before)
    return min(steps)


def busiest(number: int = 3) -> Callable[[], list[tuple[str, float]]]:
    """Start to watch all other processes; the returned function ends the watch.

    It returns the names and CPU use, in cores, of the processes that used most since the start.
    """
    before, started = _others(), clocks.wall_s()

    def end() -> list[tuple[str, float]]:
        elapsed = max(clocks.wall_s() - started, 1e-3)
        used: dict[str, float] = {}
        for pid, (name, cpu_s) in _others().items():
            used[name] = used.get(name, 0.0) + (cpu_s - before.get(pid, (name, 0.0))[1]) / elapsed
        named = [(name, cores) for name, cores in used.items() if cores >= NAMED_FROM_CORES]
        return sorted(named, key=lambda item: -item[1])[:number]

    return end


def _others() -> dict[int, tuple[str, float]]:
    """Return the name and CPU seconds of every other visible process."""
    processes = {}
    for process in psutil.process_iter(("pid", "name", "cpu_times")):
        times = process.info["cpu_times"]
        if times and process.pid != os.getpid():
            processes[process.pid] = (str(process.info["name"]), float(times.user + times.system))
    return processes
