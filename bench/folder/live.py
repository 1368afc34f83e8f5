"""Standings and remaining time of a run in progress.

Adding a row takes a few microseconds, however many came before, so it can be done between two measurements.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from typing import NamedTuple

from bench.folder.rows import Row

FIRST, LATER = range(2)  # kinds of rounds
KNOWN_ROWS = 20  # rows of later rounds at which their pace weighs as much as that expected from first rounds
RESTART_S = 0.1  # a longer wait before a row means that its worker was started again
SMOOTHED_SHARE = 0.02  # of the planned rows, over which the estimated end is averaged
SMOOTHED_ROWS = 10  # while there are few rows, it is averaged over this share of them: one in ten
SETTLED_SHARE = 0.1  # of the planned rows; from here on a row moves the estimated end by at most the next number
MOST_MOVE = 0.05  # of the remaining time


class Median:
    """The median of numbers so far: the smaller half of them in one heap, the others in a second."""

    def __init__(self) -> None:
        self._low: list[float] = []  # with opposite signs: its largest number comes first
        self._high: list[float] = []

    def add(self, number: float) -> None:
        if len(self._low) > len(self._high):
            heappush(self._high, -heappushpop(self._low, -number))
        else:
            heappush(self._low, -heappushpop(self._high, number))

    def extend(self, numbers: Iterable[float]) -> None:
        """Add many numbers, in a fraction of the time."""
        every = sorted([*(-number for number in self._low), *self._high, *numbers])
        half = (len(every) + 1) // 2
        self._low, self._high = [-number for number in reversed(every[:half])], every[half:]  # sorted lists are heaps

    @property
    def value(self) -> float:
        """NaN without numbers."""
        if not self._low:
            return math.nan
        return -self._low[0] if len(self._low) > len(self._high) else (self._high[0] - self._low[0]) / 2


@dataclass
class Standing:
    """The standing of a strategy so far, over all collections.

    Attributes:
        times: CPU seconds of its measurements, infinite for those that are not solved.
        limit_s: time limit of its last measurement.
    """

    strategy: str
    statuses: Counter[str] = field(default_factory=Counter)
    times: Median = field(default_factory=Median)
    limit_s: float = math.nan

    @property
    def measured(self) -> int:
        return self.statuses.total() - self.statuses["unsupported"]

    @property
    def median_s(self) -> float:
        """Median CPU seconds; infinite if it falls on an unfinished solve, NaN without measurements."""
        return self.times.value


@dataclass
class Part:
    """The rows of one collection. Pairs are for the first rounds of launches, and for later rounds.

    Attributes:
        planned, rows: number of rows planned, and of those whose duration is known.
        elapsed_s: duration of these rows, without starting workers.
        start_s: duration of starting workers, which happens once per round.
        unfinished_s: duration of timeouts in first rounds, and of starting workers again after them.
    """

    planned: tuple[int, int]
    rows: list[int] = field(default_factory=lambda: [0, 0])
    elapsed_s: list[float] = field(default_factory=lambda: [0.0, 0.0])
    start_s: list[float] = field(default_factory=lambda: [0.0, 0.0])
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
        starts_s = self.start_s[FIRST] * sum(self.planned) / max(1, self.planned[FIRST]) - sum(self.start_s)
        rows_s = max(0, self.planned[FIRST] - first) * first_s + max(0, self.planned[LATER] - later) * later_s
        return rows_s + max(0.0, starts_s) * (first + later < sum(self.planned))


class Pace:
    """Estimates the remaining time from the pace so far.

    Attempts that time out in the first round of a launch are not repeated in later rounds, which are therefore faster
    and have a separate pace. So has each collection: a few puzzles of a hard one can take most of a run, and a random
    order may begin with them. The estimated end is smoothed, so that single rows move it little. It is computed when it
    is asked for.

    Args:
        planned: rows in first and in later rounds, by collection (with an empty name: of all that have no entry).
    """

    def __init__(self, planned: Mapping[str, tuple[int, int]]) -> None:
        self._parts = {name: Part(rows) for name, rows in planned.items()}
        self._left_s: dict[str, float] = {}  # of each part
        self._planned = sum(first + later for first, later in planned.values())
        self._rows = self._smoothed = 0  # rows so far, and at the last estimate
        self._changed: set[str] = set()  # parts, since then
        self._now_s = self._end_s = 0.0
        self._last: Row | None = None
        self._round = (0, 0)
        self._started: set[tuple[str, str]] = set()  # strategies and collections of this round

    def add(self, row: Row) -> None:
        """Add the next row. The time between the end of a solve and the next row is charged to that one."""
        wait_s, name = 0.0, self._name(row)
        self._changed.add(name)
        if last := self._last:
            gap_s = row.started_s - self._now_s
            solve_s = gap_s if last.wall_s is None else min(gap_s, last.wall_s * last.loops)
            wait_s = gap_s - solve_s
            part = self._parts[self._name(last)]
            self._charge(part, last, solve_s, is_wasted=last.status == "timeout")
            part.rows[turn_of(last)] += 1
        part, turn = self._parts[name], turn_of(row)
        if (row.launch, row.round) != self._round:
            self._round, self._started = (row.launch, row.round), set()
        if (row.strategy, row.collection) in self._started:
            self._charge(part, row, wait_s, is_wasted=wait_s > RESTART_S)
        else:
            part.start_s[turn] += wait_s
            self._started.add((row.strategy, row.collection))
        self._rows, self._now_s, self._last = self._rows + 1, row.started_s, row

    @property
    def left_s(self) -> float | None:
        """Estimated remaining seconds; None before there is a pace."""
        if self._rows < 2:
            return None
        if self._rows > self._smoothed:
            self._smooth(self._rows - self._smoothed)
        return max(0.0, self._end_s - self._now_s) if self._rows < self._planned else 0.0

    def _name(self, row: Row) -> str:
        """Return the name of the part that a row belongs to."""
        if row.collection in self._parts:
            return row.collection
        self._parts.setdefault("", Part((0, 0)))
        return ""

    def _charge(self, part: Part, row: Row, duration_s: float, is_wasted: bool) -> None:
        turn = turn_of(row)
        part.elapsed_s[turn] += duration_s
        part.unfinished_s += duration_s if turn == FIRST and is_wasted else 0.0

    def _smooth(self, rows: int) -> None:
        """Move the estimated end toward that of the rows so far, as far as this number of new ones may move it."""
        without_rows = [name for name, part in self._parts.items() if not part.rows[FIRST]]
        typical_s = self._typical_s() if without_rows else 0.0
        for name in (*self._changed, *without_rows):
            self._left_s[name] = self._parts[name].left_s(typical_s)
        self._changed.clear()
        end_s = self._now_s + sum(self._left_s.values())
        weight = min(1.0, max(SMOOTHED_ROWS / self._rows, 1 / max(1.0, SMOOTHED_SHARE * self._planned)))
        move_s = (1 - (1 - weight) ** rows) * (end_s - self._end_s)
        if self._smoothed and self._rows > max(2, SETTLED_SHARE * self._planned):
            most_s = rows * MOST_MOVE * (max(self._end_s, end_s) - self._now_s)
            move_s = min(most_s, max(-most_s, move_s))
        self._end_s, self._smoothed = self._end_s + move_s, self._rows

    def _typical_s(self) -> float:
        """Return the mean duration of the rows of first rounds."""
        rows = sum(part.rows[FIRST] for part in self._parts.values())
        return sum(part.elapsed_s[FIRST] for part in self._parts.values()) / rows if rows else 0.0


def turn_of(row: Row) -> int:
    return FIRST if row.round == 1 else LATER


class Outcome(NamedTuple):
    """The columns of a row that standings depend on."""

    strategy: str
    status: str
    limit_s: float
    cpu_s: float | None
    decoy: str | None
    placebo: str | None


def _time_s(status: str, cpu_s: float | None) -> float:
    return math.inf if status != "solved" or cpu_s is None else cpu_s


class Standings:
    """Counts of outcomes and medians of strategies, updated row by row.

    Args:
        planned: rows of the run in the first rounds of launches and in later rounds, by collection.
    """

    def __init__(self, planned: Mapping[str, tuple[int, int]]) -> None:
        self.planned, self.rows = sum(first + later for first, later in planned.values()), 0
        self.statuses: Counter[str] = Counter()
        self._standings: dict[str, Standing] = {}

    def count(self, row: Row | Outcome) -> None:
        """Add the outcome of a row."""
        standing = self._counted(row, 1)
        if standing is not None:
            standing.times.add(_time_s(row.status, row.cpu_s))

    def count_alike(self, row: Outcome, times_s: Sequence[float | None]) -> None:
        """Add the outcomes of rows that differ from this one in ``cpu_s`` only."""
        standing = self._counted(row, len(times_s))
        if standing is not None:
            standing.times.extend(_time_s(row.status, cpu_s) for cpu_s in times_s)

    def _counted(self, row: Row | Outcome, number: int) -> Standing | None:
        """Count rows, and return the standing that their times belong to, if any."""
        self.rows += number
        status = row.status
        self.statuses[status] += number
        if row.placebo or row.decoy:
            return None
        name = row.strategy
        standing = self._standings.get(name)
        if standing is None:
            standing = self._standings[name] = Standing(name)
        standing.statuses[status] += number
        standing.limit_s = row.limit_s
        return standing if status != "unsupported" else None

    def sorted(self) -> list[Standing]:
        """Return the standing of each strategy, sorted by median; those without a median last."""
        standings = self._standings.values()
        return sorted(standings, key=lambda each: (math.isnan(each.median_s), each.median_s, each.strategy))


class Live(Standings):
    """Standings and pace of a run in progress, as ``Standings``."""

    def __init__(self, planned: Mapping[str, tuple[int, int]]) -> None:
        super().__init__(planned)
        self.pace = Pace(planned)

    def add(self, row: Row) -> None:
        """Add a row."""
        self.count(row)
        self.pace.add(row)
