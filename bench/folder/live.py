"""Standings and remaining time of a run in progress."""

from __future__ import annotations

import math
import statistics
from collections import Counter, deque
from dataclasses import dataclass, field

from sudoku_bench.bench.folder.outcomes import DISQUALIFYING, kind
from sudoku_bench.bench.folder.rows import Brief, Row

RECENT = 0.1  # of an activity: its pace is that of the last one or two parts of this size
LEAST_PACE_S = 5.0  # before that, nothing is said about the time left


@dataclass
class Standing:
    """The standing of a strategy so far, over all collections.

    Attributes:
        times_s: CPU seconds of its measurements, infinite for those that are not solved.
        limit_s: time limit of its last measurement.
    """

    strategy: str
    statuses: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    times_s: list[float] = field(default_factory=list)
    limit_s: float = math.nan

    def add(self, row: Row | Brief) -> None:
        self.statuses[row.status] += 1
        self.kinds[kind(row.status, row.reason)] += 1
        self.limit_s = row.limit_s
        if row.status != "unsupported":
            self.times_s.append(row.cpu_s if row.status == "solved" and row.cpu_s is not None else math.inf)

    @property
    def measured(self) -> int:
        return len(self.times_s)

    @property
    def median_s(self) -> float:
        """Median CPU seconds; infinite if it falls on an unfinished solve, NaN without measurements."""
        self.times_s.sort()  # nearly sorted since the last time, which takes a fraction of sorting
        return statistics.median(self.times_s) if self.times_s else math.nan


class Pace:
    """How fast the last 10 to 20% of an activity went: later rounds of a run are faster, as they repeat no timeouts.

    A run and its status count the same rows, so they say the same.
    """

    def __init__(self) -> None:
        self._latest_s = -math.inf
        self._paced_s, self._paced = 0.0, 0  # of the units that the pace is measured from
        self._marks: deque[tuple[float, int]] = deque([(0.0, 0)], maxlen=2)  # earlier values of these
        self._begun: set[object] = set()

    def add(self, now_s: float, total: int, kind: object = None) -> None:
        """Count a unit of ``total``.

        Args:
            now_s: when it ended; or, of every unit, when it began.
            kind: for the first unit of each, something is started or compiled, so it says nothing about the others.
        """
        if kind in self._begun:
            self._paced_s, self._paced = self._paced_s + max(0.0, now_s - self._latest_s), self._paced + 1
            if self._paced - self._marks[-1][1] >= RECENT * total:
                self._marks.append((self._paced_s, self._paced))
        self._begun.add(kind)
        self._latest_s = max(self._latest_s, now_s)  # slots end in any order

    def left_s(self, units: int) -> float | None:
        """Estimated seconds for so many more units; None before ``LEAST_PACE_S`` seconds of pace."""
        if units <= 0:
            return 0.0
        since_s, since = self._marks[0]
        return units * (self._paced_s - since_s) / (self._paced - since) if self._paced_s >= LEAST_PACE_S else None


class Live:
    """Counts of outcomes and standings of strategies, updated row by row.

    Args:
        planned: rows of the run.
    """

    def __init__(self, planned: int) -> None:
        self.planned, self.rows = planned, 0
        self.statuses: Counter[str] = Counter()
        self.fault: Row | Brief | None = None  # the first that was wrong, or whose time was false
        self.kinds: Counter[str] = Counter()
        self._pace = Pace()
        self._standings: dict[str, Standing] = {}

    def add(self, row: Row | Brief) -> None:
        """Add a row."""
        self.rows += 1
        self.statuses[row.status] += 1
        self.kinds[kind(row.status, row.reason)] += 1
        if row.status in DISQUALIFYING and self.fault is None:
            self.fault = row
        self._pace.add(row.started_s, self.planned, row.place)
        if not row.placebo and not row.decoy:
            if row.strategy not in self._standings:
                self._standings[row.strategy] = Standing(row.strategy)
            self._standings[row.strategy].add(row)

    @property
    def left_s(self) -> float | None:
        """Estimated remaining seconds at the recent pace; None before there is one."""
        return self._pace.left_s(self.planned - self.rows)

    def sorted(self) -> list[Standing]:
        """Return the standing of each strategy, sorted by median; those without a median last."""
        medians = {name: standing.median_s for name, standing in self._standings.items()}
        names = sorted(medians, key=lambda name: (math.isnan(medians[name]), medians[name], name))
        return [self._standings[name] for name in names]
