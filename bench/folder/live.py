"""Standings and remaining time of a run in progress."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from bench.folder.rows import Row

FIRST, LATER = range(2)  # kinds of rounds
START_S = 0.1  # a longer wait between two rows means that a worker was started
KNOWN_ROWS = 20  # rows of later rounds at which their pace weighs as much as that expected from first rounds


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


@dataclass
class Part:
    """The rows of one collection. Lists are for the first rounds of launches, and for later rounds.

    Attributes:
        planned, rows: number of rows planned, and of those whose duration is known.
        elapsed_s: duration of these rows, with what came before the next.
        unfinished_s: duration of timeouts in first rounds, which are not repeated in later ones.
    """

    planned: tuple[int, int]
    rows: list[int] = field(default_factory=lambda: [0, 0])
    elapsed_s: list[float] = field(default_factory=lambda: [0.0, 0.0])
    unfinished_s: float = 0.0

    def left_s(self, typical_s: float) -> float:
        """Return the expected duration of the remaining rows.

        Args:
            typical_s: duration of a row, for a collection that has none.
        """
        first, later = self.rows
        first_s = self.elapsed_s[FIRST] / first if first else typical_s
        expected_s = (self.elapsed_s[FIRST] - self.unfinished_s) / first if first else typical_s
        later_s = (self.elapsed_s[LATER] + KNOWN_ROWS * expected_s) / (later + KNOWN_ROWS)
        return max(0, self.planned[FIRST] - first) * first_s + max(0, self.planned[LATER] - later) * later_s


class Pace:
    """Estimates the remaining time from the pace so far.

    Attempts that time out in the first round of a launch are not repeated in later rounds, which are therefore faster
    and have a separate pace. So has each collection: a few puzzles of a hard one can take most of a run, and a random
    order may begin with them.

    Args:
        planned: rows in first and in later rounds, by collection.
    """

    def __init__(self, planned: Mapping[str, tuple[int, int]]) -> None:
        self._parts = {name: Part(rows) for name, rows in planned.items()}
        self._last: Row | None = None

    def add(self, row: Row) -> None:
        """Add the next row. The time from the beginning of the last one to that of this one is charged to that one."""
        if self._last:
            part = self._parts.setdefault(self._last.collection, Part((0, 0)))
            kind = FIRST if self._last.round == 1 else LATER
            gap_s = max(0.0, row.started_s - self._last.started_s)
            if self._last.wall_s is not None:  # a longer wait is the start of a worker, once per round
                gap_s = min(gap_s, self._last.wall_s * self._last.loops + START_S)
            part.rows[kind] += 1
            part.elapsed_s[kind] += gap_s
            part.unfinished_s += gap_s if kind == FIRST and self._last.status == "timeout" else 0.0
        self._last = row

    @property
    def left_s(self) -> float | None:
        """Estimated remaining seconds; None before there is a pace."""
        parts = self._parts.values()
        rows = sum(sum(part.rows) for part in parts)
        if not rows:
            return None
        typical_s = sum(sum(part.elapsed_s) for part in parts) / rows
        is_over = rows + 1 >= sum(sum(part.planned) for part in parts)
        return 0.0 if is_over else sum(part.left_s(typical_s) for part in parts)


class Live:
    """Counts of outcomes, standings of strategies and pace, updated row by row.

    Args:
        planned: rows of the run in the first rounds of launches and in later rounds, by collection.
    """

    def __init__(self, planned: Mapping[str, tuple[int, int]]) -> None:
        self.planned, self.rows = sum(first + later for first, later in planned.values()), 0
        self.statuses: Counter[str] = Counter()
        self.pace = Pace(planned)
        self._standings: dict[str, Standing] = {}

    def add(self, row: Row) -> None:
        """Add a row."""
        self.rows += 1
        self.statuses[row.status] += 1
        if not row.placebo and not row.decoy:
            self._standings.setdefault(row.strategy, Standing(row.strategy)).add(row)
        self.pace.add(row)

    def sorted(self) -> list[Standing]:
        """Return the standing of each strategy, sorted by median; those without a median last."""
        medians = {name: standing.median_s for name, standing in self._standings.items()}
        names = sorted(medians, key=lambda name: (math.isnan(medians[name]), medians[name], name))
        return [self._standings[name] for name in names]
