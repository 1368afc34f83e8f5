"""What can be said of a run while it goes on: how each strategy stands, and the time that is left.

A row costs a few microseconds, whatever came before it, so that it can be told between two measurements.
"""

from __future__ import annotations

import bisect
import math
from collections import Counter
from dataclasses import dataclass, field

from bench.folder.rows import Row

LATER_ROWS = 100  # of later rounds, until their pace counts as much as what the first rounds let expect


@dataclass
class Standing:
    """How a strategy stands so far, over all collections.

    Attributes:
        finished: CPU seconds of its solved measurements, in ascending order.
        limit_s: of its last measurement.
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
        """Of CPU seconds; infinite where it falls on a solve that was not finished, NaN without any."""
        number = self.measured
        if not number:
            return math.nan
        below, above = (number - 1) // 2, number // 2
        return (self.finished[below] + self.finished[above]) / 2 if above < len(self.finished) else math.inf


class Pace:
    """The time that is left, by the pace so far.

    What times out in the first round of a launch is not tried again in its later ones: these are faster, so they are
    told apart.

    Args:
        planned: rows of the run; first: how many of these are of first rounds.
    """

    def __init__(self, planned: int, first: int) -> None:
        self._planned = {True: first, False: planned - first}
        self._rows = {True: 0, False: 0}
        self._spent_s = {True: 0.0, False: 0.0}
        self._unfinished_s = 0.0  # in first rounds
        self._last: tuple[bool, bool, float] | None = None

    def add(self, row: Row) -> None:
        """A row is there, the next one after those before it; it took until the next one starts."""
        first, unfinished = row.round == 1, row.status == "timeout"
        started_s = row.started_s
        if self._last:
            took_s = started_s - self._last[2]
            self._spent_s[self._last[0]] += took_s
            self._unfinished_s += took_s if self._last[0] and self._last[1] else 0.0
        self._rows[first] += 1
        self._last = first, unfinished, started_s

    @property
    def left_s(self) -> float | None:
        """None before there is a pace."""
        rows, spent_s = self._rows, self._spent_s
        if rows[True] + rows[False] < 2:
            return None
        first_s = spent_s[True] / rows[True] if rows[True] else spent_s[False] / rows[False]
        expected_s = (spent_s[True] - self._unfinished_s) / rows[True] if rows[True] else first_s
        later_s = (spent_s[False] + LATER_ROWS * expected_s) / (rows[False] + LATER_ROWS)
        left = {kind: max(0, self._planned[kind] - rows[kind]) for kind in rows}
        return max(0.0, left[True] * first_s + left[False] * later_s)


class Live:
    """The standings and the pace of a run, row by row.

    Args:
        planned: rows of the run; first: how many of these are of the first rounds of launches.
    """

    def __init__(self, planned: int, first: int) -> None:
        self.planned, self.rows = planned, 0
        self.statuses: Counter[str] = Counter()
        self.pace = Pace(planned, first)
        self._standings: dict[str, Standing] = {}

    def add(self, row: Row) -> None:
        """Take in one more row."""
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
        """Of each strategy, by its median; those without one last."""
        found = self._standings.values()
        return sorted(found, key=lambda own: (math.isnan(own.median_s), own.median_s, own.strategy))
