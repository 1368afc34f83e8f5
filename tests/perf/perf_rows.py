"""Cost of a measurement beside what it measures: ``make perf``. No test depends on a time.

The rows of one round are timed from the first to the last, with workers started beforehand; forms are made, answers
verified, times checked, rows written and progress kept as in any run. The costs are the runner's CPU time, and wall
time without the solve: means over blocks of rows, and of these the median.
"""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from rich.console import Console

from sudoku_bench.bench.folder.store import Store
from sudoku_bench.bench.plan import plan
from sudoku_bench.bench.plan.plan import Calibration, Plan
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run import forms
from sudoku_bench.bench.run.runner import Runner
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.datasets.collections import catalogue

PUZZLES = 600
SEVEN = (
    *("bitboard:bands", "propagation:bitmask", "exact-cover:dancing-links", "backtracking:fewest"),
    *("seed:pycosat", "seed:norvig", "csp:alldifferent@backtracking"),
)
BLOCK = 128  # rows


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    """Write a collection with forms of the puzzles of a tier."""
    items = catalogue.load("hard").items
    made = [forms.form_of(7, item.puzzle, n)[0].text for n in range(1, 1 + PUZZLES // len(items)) for item in items]
    path = tmp_path / "many.txt"
    path.write_text("\n".join(made) + "\n", encoding="utf-8")
    return str(path)


class Cost(NamedTuple):
    """Seconds of one row: wall time, the runner's CPU time, and the measured wall time."""

    wall_s: float
    runner_s: float
    measured_s: float


def plan_of(strategies: tuple[str, ...], puzzles: str) -> Plan:
    """Return a plan of one round of some strategies without placebos."""
    suite = Suite(strategies=strategies, datasets=(puzzles,), repetitions=1)
    return dataclasses.replace(plan.make(suite), calibration=Calibration())


def costs(prepared: Plan, folder: Path) -> list[Cost]:
    """Measure the plan in a new folder; return the cost of each row after the first."""
    forms.form_of.cache_clear()
    store, found = Store.create(folder), []
    with Progress(Console(quiet=True)) as progress:
        progress.begin("measuring", prepared.size)
        before = (time.perf_counter(), time.process_time())
        for row in Runner(prepared).rows():
            store.append([row])
            progress.advance()
            assert row.status == "solved", row
            now = (time.perf_counter(), time.process_time())
            found.append(Cost(now[0] - before[0], now[1] - before[1], (row.wall_s or 0.0) * row.loops))
            before = now
    store.close()
    return found[1:]


@pytest.mark.parametrize("strategies", [("bitboard:bands",), ("seed:pycosat",), SEVEN], ids=["5 µs", "5 ms", "seven"])
def test_cost_of_a_measurement(benchmark, puzzles: str, tmp_path: Path, strategies: tuple[str, ...]) -> None:
    prepared = plan_of(strategies, puzzles)
    rows = benchmark.pedantic(lambda: costs(prepared, tmp_path / f"run{time.time_ns()}"), rounds=3)
    report(benchmark, rows)


def report(benchmark, rows: list[Cost]) -> None:
    blocks = blocks_of(rows, BLOCK)
    wall_s, runner_s, measured_s = np.median(blocks, axis=0)
    around_s = float(np.median(blocks[:, 0] - blocks[:, 2]))
    mean_s = float(np.mean([row.runner_s for row in rows]))
    benchmark.extra_info |= {"rows_per_s": 1 / wall_s, "runner_us": runner_s * 1e6, "around_us": around_s * 1e6}
    print(f"\n{1 / wall_s:,.0f} rows per second; {measured_s * 1e6:.1f} µs measured, {around_s * 1e6:.0f} µs beside it")
    print(
        f"{runner_s * 1e6:.0f} µs of the runner's CPU time (mean {mean_s * 1e6:.0f}), {runner_s / measured_s:.3f} of it"
    )


def blocks_of(rows: list[Cost], size: int) -> np.ndarray:
    """Return the mean cost of each block of rows; those of an incomplete last block are left out."""
    return np.array(rows[: len(rows) // size * size]).reshape(-1, size, len(Cost._fields)).mean(axis=1)
