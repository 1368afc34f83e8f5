"""Standings and remaining time of a run in progress.

Adding a row takes a few microseconds, however many came before, so it can be done between two measurements.
"""

from __future__ import annotations

import bisect
import math
from collections import Counter
from dataclasses import dataclass, field

from bench.folder.rows import Row

LATER_ROWS = 100  # rows of later rounds at which their pace weighs as much as that expected from first rounds


@dataclass
class Standing:
    """The standing of a strategy so far, over all collections.

    Attributes:
        finished: CPU seconds of its solved measurements, in ascending order.
        limit_s: time limit of its last measurement.
    """

    strategy: str
    statuses: Counter[str] = field(default_factory=Counter)
    finished: list[float] = field(default_factory=list)
    limit_s: float = math.nan

    @property
    def measured(self) -> int:
        return self.statuses.total() - self.statuses["unsupported"]

    @property
    def median_s(self) -> float:
        """Median CPU seconds; infinite if it falls on an unfinished solve, NaN without measurements."""
        number = self.measured
        if not number:
            return math.nan
        below, above = (number - 1) // 2, number // 2
        return (self.finished[below] + self.finished[above]) / 2 if above < len(self.finished) else math.inf


class Pace:
    """Estimates the remaining time from the pace so far.

    Attempts that time out in the first round of a launch are not repeated in later rounds, which are therefore faster
    and have a separate pace.

    Args:
        planned: rows of the run; first: number of these in first rounds.
    """

    def __init__(self, planned: int, first: int) -> None:
        self._planned = {True: first, False: planned - first}
        self._rows = {True: 0, False: 0}
        self._elapsed_s = {True: 0.0, False: 0.0}
        self._unfinished_s = 0.0  # in first rounds
        self._last: tuple[bool, bool, float] | None = None

    def add(self, row: Row) -> None:
        """Add the next row; its duration ends when the row after it starts."""
        first, unfinished = row.round == 1, row.status == "timeout"
        started_s = row.started_s
        if self._last:
            duration_s = started_s - self._last[2]
            self._elapsed_s[self._last[0]] += duration_s
            self._unfinished_s += duration_s if self._last[0] and self._last[1] else 0.0
        self._rows[first] += 1
        self._last = first, unfinished, started_s

    @property
    def left_s(self) -> float | None:
        """Estimated remaining seconds; None before there is a pace."""
        rows, elapsed_s = self._rows, self._elapsed_s
        if rows[True] + rows[False] < 2:
            return None
        first_s = elapsed_s[True] / rows[True] if rows[True] else elapsed_s[False] / rows[False]
        expected_s = (elapsed_s[True] - self._unfinished_s) / rows[True] if rows[True] else first_s
        later_s = (elapsed_s[False] + LATER_ROWS * expected_s) / (rows[False] + LATER_ROWS)
        left = {kind: max(0, self._planned[kind] - rows[kind]) for kind in rows}
        return max(0.0, left[True] * first_s + left[False] * later_s)


class Live:
    """Standings and pace of a run, updated row by row.

    Args:
        planned: rows of the run; first: number of these in the first rounds of launches.
    """

    def __init__(self, planned: int, first: int) -> None:
        self.planned, self.rows = planned, 0
        self.statuses: Counter[str] = Counter()
        self.pace = Pace(planned, first)
        self._standings: dict[str, Standing] = {}

    def add(self, row: Row) -> None:
        """Add a row."""
        self.rows += 1
        status = row.status
        self.statuses[status] += 1
        self.pace.add(row)
        if row.placebo or row.decoy:
            return
        name = row.strategy
        standing = self._standings.get(name)
        if standing is None:
            standing = self._standings[name] = Standing(name)
        standing.statuses[status] += 1
        standing.limit_s = row.limit_s
        if row.status == "solved" and row.cpu_s is not None:
            bisect.insort(standing.finished, row.cpu_s)

    def standings(self) -> list[Standing]:
        """Return the standing of each strategy, sorted by median; those without a median last."""
        standings = self._standings.values()
        return sorted(standings, key=lambda each: (math.isnan(each.median_s), each.median_s, each.strategy))
