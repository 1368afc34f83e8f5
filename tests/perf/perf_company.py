"""Times of a strategy alone in a run and beside others, in turn, on the same forms: ``make perf``.

``cpu`` and ``wall`` are geometric means over puzzles of the time beside others in relation to the time alone, with 95%
intervals. Both should be 1: a strategy that is faster alone cannot be compared between runs.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections import defaultdict

import pytest
from scipy import stats

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.plan import plan
from sudoku_bench.bench.plan.plan import Calibration
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run.runner import Runner
from sudoku_bench.bench.worker import clocks

OTHERS = (
    *("propagation:bitmask", "exact-cover:dancing-links", "backtracking:fewest", "csp:alldifferent@backtracking"),
    *("seed:norvig", "seed:pyeda"),
)
FAST = ("bitboard:bands", *OTHERS[:3])  # those with a run-in
PUZZLES, TIMES = 40, 3
ORDER = (False, True, True, False)  # beside others?


def rows_of(strategy: str, others: tuple[str, ...]) -> list[Row]:
    """Measure a round; return the rows of one strategy."""
    suite = Suite(strategies=(strategy, *others), datasets=("medium",), limit=PUZZLES, repetitions=1, loops=1)
    prepared = dataclasses.replace(plan.make(suite), calibration=Calibration({"9x9": 1}, (), run_in={"9x9": FAST}))
    return [row for row in Runner(prepared, clocks.costs_s()).rows() if row.strategy == strategy]


def mean_ratio(alone: list[Row], beside: list[Row], clock: str) -> tuple[float, float, float]:
    """Return the geometric mean of ratios of puzzles with its interval: Student's t on logarithms (Gosset 1908)."""
    logs: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for place, rows in enumerate((alone, beside)):
        for row in rows:
            logs[row.puzzle][place].append(math.log(getattr(row, clock)))
    ratios = [statistics.mean(both[1]) - statistics.mean(both[0]) for both in logs.values()]
    assert len(ratios) == PUZZLES
    ends = stats.t.interval(0.95, PUZZLES - 1, statistics.mean(ratios), stats.sem(ratios))
    return math.exp(statistics.mean(ratios)), math.exp(ends[0]), math.exp(ends[1])


@pytest.mark.parametrize("strategy", ["bitboard:bands", "seed:pycosat"])
def test_a_strategy_alone_and_beside_others(benchmark, strategy: str) -> None:
    rows: dict[bool, list[Row]] = {True: [], False: []}

    def measure() -> None:
        for beside in ORDER * TIMES:
            rows[beside] += rows_of(strategy, OTHERS if beside else ())

    benchmark.pedantic(measure, rounds=1)
    for clock in ("cpu", "wall"):
        benchmark.extra_info[clock] = ratio = mean_ratio(rows[False], rows[True], f"{clock}_s")
        print(f"\n{strategy}: {clock} time beside others {ratio[0]:.3f} [{ratio[1]:.3f}, {ratio[2]:.3f}] of that alone")
