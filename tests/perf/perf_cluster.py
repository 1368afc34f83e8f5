"""Overhead of a cluster: ``make perf``. No test depends on a time.

Rows are timed from the first to the last, with workers and the processes of strategies started beforehand by a round
that does not count.
"""

from __future__ import annotations

import dataclasses
import json
import os
import time
from pathlib import Path

import pytest

from bench.folder.store import Store
from bench.plan import plan
from bench.plan.plan import Calibration, Plan
from bench.plan.suite import Suite
from bench.run import lane
from bench.run.cluster.connection import Cluster
from bench.run.cluster.dask_engine import DaskEngine
from bench.run.past import Past
from bench.run.runner import Runner
from datasets.collections import catalogue
from tests.perf.perf_rows import STORED

pytest.importorskip("distributed")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
CLOCK_S = 2e-6

BUSY = """
import time
from bench.worker.null_strategy import Answer
from solvers import Strategy, register

@register
class Busy(Strategy):
    name = "test:{name}"

    def search(self, puzzle, task):
        {work}
        return []
"""


def plan_of(folder: Path, strategy: str, source: str, puzzles: int, repetitions: int, pin: str = "on") -> Plan:
    """Return a plan of one strategy without placebos, on forms of the puzzles of a tier."""
    plugin = folder / "own.py"
    plugin.write_text(source, encoding="utf-8")
    items = catalogue.load("hard").items
    forms = [lane.form_of(7, item.puzzle, n)[0].text for n in range(1, 2 + puzzles // len(items)) for item in items]
    path = folder / "many.txt"
    path.write_text("\n".join(forms[:puzzles]) + "\n", encoding="utf-8")
    suite = Suite(strategies=(strategy,), datasets=(str(path),), repetitions=repetitions, loops=1, pin=pin)
    made = plan.make(suite, (str(plugin),))
    return dataclasses.replace(made, calibration=Calibration({"9x9": 1}, ()))


def rate(engine: DaskEngine, folder: Path, first_round: int) -> float:
    """Return rows per second from the first row of the second round on."""
    store, number, start, last = Store.create(folder), 0, 0.0, 0.0
    for row in engine.rows():
        store.append(row)
        if row.round > 1:
            number += 1
            last = time.perf_counter()
            start = start or last
    store.close()
    assert number == first_round
    return (number - 1) / (last - start)


def engine_of(prepared: Plan, cluster: Cluster) -> DaskEngine:
    return DaskEngine(prepared, CLOCK_S, Past(prepared), cluster, print)


def test_rows_of_a_strategy_with_stored_answers(tmp_path: Path) -> None:
    puzzles = 10_000
    prepared = plan_of(tmp_path, "test:stored", STORED, puzzles, 2)
    answers = []
    for m in prepared.measurements(1):
        for number in (*lane.WARM_UP_FORMS, *prepared.forms(m), *prepared.forms(m, for_phases=True)):
            form, symmetry = lane.form_of(prepared.suite.seed, m.subject.puzzle, number)
            assert m.subject.reference.solution
            answers.append((form.cells, symmetry.apply(m.subject.reference.solution)))
    (tmp_path / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    found = rate(engine_of(prepared, Cluster(workers=CORES)), tmp_path / "run", puzzles)
    print(f"\n{found:.0f} rows per second through Dask on {CORES} cores")
