"""Probes of what measurements depend on: steadiness of the machine, and the programs that keep it busy."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import psutil

from sudoku_bench.bench.worker import clocks

PIECE_S = 0.01  # duration of one piece of work, about that of a measurement
NAMED_FROM_CORES = 0.1


@dataclass(frozen=True)
class Spread:
    """Times of identical pieces of work.

    Attributes:
        median_s: median, in seconds.
        relative: half the distance between the 10% and 90% quantiles, as a share of the median.
    """

    median_s: float
    relative: float

    @classmethod
    def of(cls, times_s: Sequence[float]) -> Spread:
        low, median, high = map(float, np.quantile(times_s, (0.1, 0.5, 0.9)))
        return cls(median, (high - low) / 2 / median if median else 0.0)


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
    steps = 1000
    while min(_piece(steps).cpu_s for _ in range(5)) < PIECE_S / 2:  # the first pieces may be slow
        steps *= 2
    _repeat(steps, seconds / 10)
    pieces = _repeat(steps, seconds * 9 / 10)
    cpu, wall = [piece.cpu_s for piece in pieces], [piece.wall_s for piece in pieces]
    return Steadiness(Spread.of(cpu), Spread.of(wall), max(0.0, 1 - sum(cpu) / sum(wall)))


class Piece(NamedTuple):
    """The time of a piece of work by both clocks."""

    cpu_s: float
    wall_s: float


def _repeat(steps: int, seconds: float) -> list[Piece]:
    """Return the times of as many pieces as fit, at least three."""
    end = clocks.wall_s() + seconds
    pieces: list[Piece] = []
    while clocks.wall_s() < end or len(pieces) < 3:
        pieces.append(_piece(steps))
    return pieces


def _piece(steps: int) -> Piece:
    wall, cpu = clocks.wall_s(), clocks.cpu_s()
    total = 0
    for number in range(steps):
        total += number & 7
    return Piece(clocks.cpu_s() - cpu, clocks.wall_s() - wall)


def busiest(number: int = 3) -> list[tuple[str, float]]:
    """Return the names and CPU use, in cores, of the other processes that used most since the last call."""
    used: dict[str, float] = defaultdict(float)
    for process in psutil.process_iter(("name", "cpu_percent")):  # it keeps what a process had used at the last call
        if process.pid != os.getpid():
            used[str(process.info["name"])] += (process.info["cpu_percent"] or 0.0) / 100
    most = sorted(used.items(), key=lambda item: -item[1])[:number]
    return [(name, cores) for name, cores in most if cores >= NAMED_FROM_CORES]
