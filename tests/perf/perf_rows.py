"""Overhead of a measurement: ``make perf``. No test depends on a time.

The rows of one round are timed from the first to the last, with workers started and forms generated beforehand; answers
are verified and rows written as in any run.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.folder.store import Store
from bench.plan import plan
from bench.plan.plan import Calibration, Plan
from bench.plan.suite import Suite
from bench.run import lane
from bench.run.runner import Runner
from bench.worker import clocks
from datasets.collections import catalogue

PUZZLES = 1000

STORED = """
import json
from pathlib import Path
from solvers import Strategy, register

@register
class Stored(Strategy):
    name = "test:stored"

    def prepare(self, shape):
        pairs = json.loads(Path(__file__).with_name("answers.json").read_text())
        self.answers = {tuple(cells): solution for cells, solution in pairs}

    def search(self, puzzle, task):
        return [self.answers[puzzle.cells]]
"""


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    """Write a collection with forms of the puzzles of a tier."""
    items = catalogue.load("hard").items
    forms = [lane.form_of(7, item.puzzle, n)[0].text for n in range(1, 1 + PUZZLES // len(items)) for item in items]
    path = tmp_path / "many.txt"
    path.write_text("\n".join(forms) + "\n", encoding="utf-8")
    return str(path)


def plan_of(strategy: str, puzzles: str, plugins: tuple[str, ...] = ()) -> Plan:
    """Return a plan of one round of one strategy without placebos, with its forms generated."""
    suite = Suite(strategies=(strategy,), datasets=(puzzles,), repetitions=1, loops=1)
    prepared = dataclasses.replace(plan.make(suite, plugins), calibration=Calibration({"9x9": 1}, ()))
    lane.form_of.cache_clear()
    for m in prepared.measurements(1):
        for number in (*prepared.forms(m), *prepared.forms(m, for_phases=True)):
            lane.form_of(suite.seed, m.subject.puzzle, number)
    return prepared


def rows(prepared: Plan, folder: Path) -> Iterator[tuple[float, float]]:
    """Yield the wall time of each row after the first, and the measured part."""
    store = Store.create(folder)
    before = 0.0
    for row in Runner(prepared, clocks.costs_s()).rows():
        store.append(row)
        assert row.status == "solved", row
        now = time.perf_counter()
        if before:
            yield now - before, (row.wall_s or 0.0) * row.loops
        before = time.perf_counter()
    store.close()


def test_rows_of_a_strategy_with_stored_answers(benchmark, puzzles: str, tmp_path: Path) -> None:
    plugin = tmp_path / "stored.py"
    plugin.write_text(STORED, encoding="utf-8")
    prepared = plan_of("test:stored", puzzles, (str(plugin),))
    answers = []
    for m in prepared.measurements(1):
        for number in (*lane.WARM_UP_FORMS, *prepared.forms(m), *prepared.forms(m, for_phases=True)):
            form, symmetry = lane.form_of(prepared.suite.seed, m.subject.puzzle, number)
            assert m.subject.reference.solution
            answers.append((form.cells, symmetry.apply(m.subject.reference.solution)))
    (tmp_path / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    times = benchmark.pedantic(lambda: list(rows(prepared, tmp_path / f"run{time.time_ns()}")), rounds=5)
    benchmark.extra_info["rows_per_s"] = len(times) / sum(wall for wall, _ in times)
    print(f"\n{benchmark.extra_info['rows_per_s']:.0f} rows per second")


def test_overhead_of_a_measurement(benchmark, puzzles: str, tmp_path: Path) -> None:
    prepared = plan_of("seed:pycosat", puzzles)
    times = benchmark.pedantic(lambda: list(rows(prepared, tmp_path / f"run{time.time_ns()}")), rounds=3)
    timed_s = sum(timed for _, timed in times)
    overhead_s = sum(wall for wall, _ in times) - timed_s
    benchmark.extra_info |= {"overhead_us": overhead_s / len(times) * 1e6, "overhead_share": overhead_s / timed_s}
    measured = f"{timed_s / len(times) * 1e3:.2f} ms measured"
    print(f"\n{overhead_s / len(times) * 1e6:.0f} µs per measurement in addition to {measured}")
