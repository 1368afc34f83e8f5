"""What a run says while it measures: which strategy has the lowest mean time on each collection so far.

It has no interval, so it is no verdict. Rows are not kept, only sums.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice

from sudoku_bench.bench.folder.rows import FINISHED, Row
from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.datasets.naming import listed

FIRST_S = 10.0  # wall time until the first answers; until later ones at least twice that of those before
LEAST_PUZZLES = 3  # of a collection
MOST_LINES = 3


@dataclass
class Sums:
    """What all strategies have solved of a collection.

    Attributes:
        log_s: by strategy, the sum of the logarithms of CPU seconds; infinite if one is not known.
        unfinished: strategies that did not finish a solve, which counts as its limit.
    """

    log_s: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    solves: int = 0
    puzzles: set[str] = field(default_factory=set)
    unfinished: set[str] = field(default_factory=set)

    def add(self, rows: Collection[Row]) -> None:
        """Add the rows of all strategies for the same forms of a puzzle."""
        self.solves += 1
        for row in rows:
            self.puzzles.add(row.puzzle)
            self.log_s[row.strategy] += log_cpu_s(row)
            if row.status not in FINISHED:
                self.unfinished.add(row.strategy)


def log_cpu_s(row: Row) -> float:
    """Return the logarithm of CPU seconds, of the limit if the solve was not finished; infinite if not known."""
    seconds, is_known = row.limit_s, row.limit_clock == "cpu" and row.status != "unsupported"
    if row.status in FINISHED:
        seconds, is_known = row.cpu_s or 0.0, True
    return math.log(seconds) if is_known and seconds > 0 else math.inf


class SoFar:
    """The answers of a run so far."""

    def __init__(self, plan: Plan) -> None:
        self._names = {info.name for info in plan.strategies}
        self._puzzles = {  # as in the report: with several solutions, times depend on the one found
            (planned.collection, planned.name)
            for planned in plan.puzzles
            if not planned.decoy and (plan.task.limit > 1 or planned.reference.solutions == 1)
        }
        self._sums = {planned.collection: Sums() for planned in plan.puzzles}
        self._begun: dict[tuple[str, str, int, int], dict[str, Row]] = {}  # not all strategies have a row yet
        self._next_s = FIRST_S

    def add(self, row: Row) -> None:
        """Take note of a row; they may come in any order."""
        if row.status in ("wrong", "mistimed"):
            self._names.discard(row.strategy)
            self._begun.clear()  # some wait for its row, some have it
        if row.strategy in self._names and (row.collection, row.puzzle) in self._puzzles:
            key = (row.collection, row.puzzle, row.launch, row.repetition)
            rows = self._begun.setdefault(key, {})
            rows[row.strategy] = row
            if len(rows) == len(self._names):
                self._sums[row.collection].add(self._begun.pop(key).values())

    def due(self, elapsed_s: float) -> Iterator[str]:
        """Yield the answers as a few lines if it is time for them, in seconds since measuring began."""
        if elapsed_s >= self._next_s:
            self._next_s = 2 * elapsed_s
            yield from islice(self.lines(), MOST_LINES)

    def lines(self) -> Iterator[str]:
        """Yield a line for each strategy that is the fastest somewhere and the next one there, with their ratio.

        It is the geometric mean over the solves of both, at least that if the next one did not finish all of them.
        """
        answers: dict[tuple[str, str, str], dict[str, float]] = {}
        for collection, sums in self._sums.items():
            ranked = sorted((log_s, name) for name, log_s in sums.log_s.items() if name in self._names)
            if len(ranked) < 2 or len(sums.puzzles) < LEAST_PUZZLES:
                continue
            (fastest_log_s, fastest), (next_log_s, following) = ranked[:2]
            if fastest not in sums.unfinished and next_log_s < math.inf:
                bound = "at least " if following in sums.unfinished else ""
                ratio = math.exp((next_log_s - fastest_log_s) / sums.solves)
                answers.setdefault((fastest, following, bound), {})[collection] = ratio
        for (fastest, following, bound), ratios in answers.items():
            puzzles = sum(len(self._sums[collection].puzzles) for collection in ratios)
            texts = dict.fromkeys(multiple(ratio) for ratio in (min(ratios.values()), max(ratios.values())))
            relation = f"{bound}{' to '.join(texts)} times as fast as"
            if relation == "1.0 times as fast as":
                relation = "closely followed by"
            yield (
                f"lowest mean time so far on {listed(ratios)}: {fastest}, {relation} {following}"
                f" ({counted(puzzles, 'puzzle')})"
            )


def multiple(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 9.95 else f"{ratio:.1f}"
