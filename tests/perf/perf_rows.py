"""Cost of a measurement beside what it measures: ``make perf``. No test depends on a time.

The rows of one round are timed from the first to the last, with workers started beforehand; forms are made, answers
verified, times checked, rows written and progress kept as in any run.
"""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import pytest

from sudoku_bench.bench.folder.store import Store
from sudoku_bench.bench.plan import plan
from sudoku_bench.bench.plan.plan import Calibration, Plan
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run import forms
from sudoku_bench.bench.run.runner import Runner
from sudoku_bench.datasets.collections import catalogue

PUZZLES = 600
SEVEN = (
    *("bitboard:bands", "propagation:bitmask", "exact-cover:dancing-links", "backtracking:fewest"),
    *("seed:pycosat", "seed:norvig", "csp:alldifferent@backtracking"),
)


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    """Write a collection with forms of the puzzles of a tier."""
    items = catalogue.load("hard").items
    made = [forms.form_of(7, item.puzzle, n)[0].text for n in range(1, 1 + PUZZLES // len(items)) for item in items]
    path = tmp_path / "many.txt"
    path.write_text("\n".join(made) + "\n", encoding="utf-8")
    return str(path)


def plan_of(strategies: tuple[str, ...], puzzles: str) -> Plan:
    """Return a plan of one round of some strategies without placebos."""
    suite = Suite(strategies=strategies, datasets=(puzzles,), repetitions=1)
    return dataclasses.replace(plan.make(suite), calibration=Calibration())


@pytest.mark.parametrize("strategies", [("bitboard:bands",), ("seed:pycosat",), SEVEN], ids=["5 µs", "5 ms", "seven"])
def test_cost_of_a_measurement(benchmark, puzzles: str, tmp_path: Path, strategies: tuple[str, ...]) -> None:
    prepared, store = plan_of(strategies, puzzles), Store.create(tmp_path / "run")
    rows = Runner(prepared).rows()
    store.append([next(rows)])  # workers have started
    measured_s, wall_s, runner_s, number = 0.0, -time.perf_counter(), -time.process_time(), 0
    for row in rows:
        store.append([row])
        assert row.status == "solved", row
        measured_s, number = measured_s + (row.wall_s or 0.0) * row.loops, number + 1
    wall_s, runner_s = wall_s + time.perf_counter(), runner_s + time.process_time()
    store.close()
    benchmark.pedantic(lambda: None, rounds=1)
    around_us, runner_us = (1e6 * total_s / number for total_s in (wall_s - measured_s, runner_s))
    benchmark.extra_info |= {"rows_per_s": number / wall_s, "runner_us": runner_us, "around_us": around_us}
    print(f"\n{number / wall_s:,.0f} rows per second; {1e6 * measured_s / number:.1f} µs of the solve and")
    print(f"{around_us:.0f} µs beside it, {runner_us:.0f} µs of the runner's CPU time")
