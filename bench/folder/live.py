"""Standings and remaining time of a run in progress."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from dataclasses import dataclass, field

from bench.folder.rows import Row

RECENT = 0.1  # of a run, for its pace: later rounds are faster, because they do not repeat timeouts


@dataclass
class Standing:
    """The standing of a strategy so far, over all collections.

    Attributes:
        times_s: CPU seconds of its measurements, infinite for those that are not solved.
        limit_s: time limit of its last measurement.
    """

    strategy: str
    statuses: Counter[str] = field(default_factory=Counter)
    times_s: list[float] = field(default_factory=list)
    limit_s: float = math.nan

    def add(self, row: Row) -> None:
        self.statuses[row.status] += 1
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


class Live:
    """Counts of outcomes and standings of strategies, updated row by row.

    Args:
        planned: rows of the run.
    """

    def __init__(self, planned: int) -> None:
        self.planned, self.rows = planned, 0
        self.statuses: Counter[str] = Counter()
        self._latest_s = math.nan  # when the latest measurement began, in seconds since the run did
        self._pace_s = 0.0  # seconds between two rows
        self._standings: dict[str, Standing] = {}

    def add(self, row: Row) -> None:
        """Add a row."""
        self.rows += 1
        self.statuses[row.status] += 1
        if self.rows > 1:
            gap_s = max(0.0, row.started_s - self._latest_s)  # lanes finish in any order
            self._pace_s += (gap_s - self._pace_s) / min(self.rows - 1, max(1.0, RECENT * self.planned))
            self._latest_s += gap_s
        else:
            self._latest_s = row.started_s
        if not row.placebo and not row.decoy:
            self._standings.setdefault(row.strategy, Standing(row.strategy)).add(row)

    @property
    def left_s(self) -> float | None:
        """Estimated remaining seconds at the recent pace; None before there is one."""
        return max(0, self.planned - self.rows) * self._pace_s if self.rows > 1 else None

    def sorted(self) -> list[Standing]:
        """Return the standing of each strategy, sorted by median; those without a median last."""
        medians = {name: standing.median_s for name, standing in self._standings.items()}
        names = sorted(medians, key=lambda name: (math.isnan(medians[name]), medians[name], name))
        return [self._standings[name] for name in names]
