"""Overhead of a cluster: ``make perf``. No test depends on a time.

The rows of the second round are timed from the last row of the first round, which starts workers and the processes of
strategies. (From its first row on, rows would seem too many: those of the first blocks arrive together.) CPU time by
kind of process says what keeps the cores busy.
"""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bench.folder.rows import Row
from bench.folder.store import Store
from bench.plan import plan
from bench.plan.plan import Calibration, Plan
from bench.plan.suite import Suite
from bench.run import forms
from bench.run.cluster.connection import Cluster
from bench.run.cluster.dask_engine import DaskEngine
from bench.run.past import Past
from bench.worker import process_tree
from datasets.collections import catalogue

pytest.importorskip("distributed")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
CLOCK_S = 2e-6

STORED = """
import json
from pathlib import Path
from datasets.puzzle import Puzzle
from datasets.search import solve
from solvers import Strategy, register

@register
class Stored(Strategy):
    name = "test:stored"

    def prepare(self, shape):
        pairs = json.loads(Path(__file__).with_name("answers.json").read_text())
        self.answers = {tuple(cells): solution for cells, solution in pairs}
        solve(Puzzle(shape, (0,) * shape.n_cells), 1)  # loads the search

    def search(self, puzzle, task):
        return [self.answers[puzzle.cells]] if puzzle.cells in self.answers else solve(puzzle, 1).solutions
"""

# A persistent strategy solves nothing beside its rows, and keeps its process from round to round.
KEPT = """
    persistent = True
"""
TIMED = (
    KEPT
    + """
    def encode(self, puzzle):
        import time
        WAIT  # before it knows the answer
        return puzzle
"""
)
BUSY = "end = time.thread_time() + 0.005\n        while time.thread_time() < end: pass"
ASLEEP_S = 0.25
SLEEPS_EACH = 40  # of each worker in a round, which then takes ten seconds
# Without the search, which would take each of many processes a second of CPU time to load.
OF_ANSWERS = STORED.partition("    def search")[0].splitlines()
ASLEEP = (
    "\n".join(line for line in OF_ANSWERS if "solve(" not in line and "datasets" not in line)
    + f"""
    persistent = True

    def search(self, puzzle, task):
        import time
        time.sleep({ASLEEP_S})
        return [self.answers[puzzle.cells]]
"""
)


def plan_of(folder: Path, strategy: str, source: str, puzzles: int, repetitions: int, pin: str = "on") -> Plan:
    """Return a plan of one strategy without placebos, on forms of the puzzles of a tier."""
    plugin = folder / "own.py"
    plugin.write_text(source, encoding="utf-8")
    items = catalogue.load("hard").items
    made = [forms.form_of(7, item.puzzle, n)[0].text for n in range(1, 2 + puzzles // len(items)) for item in items]
    path = folder / "many.txt"
    path.write_text("\n".join(made[:puzzles]) + "\n", encoding="utf-8")
    suite = Suite(strategies=(strategy,), datasets=(str(path),), repetitions=repetitions, loops=1, pin=pin)
    made = plan.make(suite, (str(plugin),))
    return dataclasses.replace(made, calibration=Calibration({"9x9": 1}, ()))


def with_answers(prepared: Plan, folder: Path) -> Plan:
    """Store the answers to all forms of a plan beside its plug-in."""
    answers = []
    for m in prepared.measurements(1):
        for number in (*forms.WARM_UP_FORMS, *prepared.forms(m), *prepared.forms(m, for_phases=True)):
            form, symmetry = forms.form_of(prepared.suite.seed, m.planned.puzzle, number)
            assert m.planned.reference.solution
            answers.append((form.cells, symmetry.apply(m.planned.reference.solution)))
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    return prepared


@dataclass(frozen=True)
class Rate:
    """Rows per second of a round, and the CPU seconds of a row by kind of process."""

    rows_per_s: float
    cpu_s: dict[str, float]

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {seconds * 1e6:,.0f}" for kind, seconds in self.cpu_s.items())
        cores = sum(self.cpu_s.values()) * self.rows_per_s
        return f"CPU time of a row in us: {kinds}; {cores:.2f} of {CORES} cores used"


def timed(benchmark: Any, prepared: Plan, workers: int, folder: Path) -> Rate:
    """Return the rate of the second round, after a first one that starts everything."""
    found: Rate = benchmark.pedantic(rate, (prepared, Cluster(workers=workers), folder / "run"), rounds=1)
    benchmark.extra_info |= {"rows_per_s": found.rows_per_s, "workers": workers, "cpu_s": found.cpu_s}
    return found


def rate(prepared: Plan, cluster: Cluster, folder: Path) -> Rate:
    """Return the rate of the second of two rounds."""
    engine = DaskEngine(prepared, CLOCK_S, Past(prepared), cluster, print)
    store, of_round, ends = Store.create(folder), prepared.size // 2, []
    for number, row in enumerate(rows_of(engine, store), 1):
        assert row.status in ("solved", "mistimed"), row  # a strategy that sleeps has no times
        if number % of_round == 0:
            assert row.round == number // of_round
            ends.append((time.perf_counter(), cpu_by_kind()))
    store.close()
    (begin_s, before), (end_s, after) = ends
    return Rate(of_round / (end_s - begin_s), {kind: (after[kind] - before[kind]) / of_round for kind in after})


def rows_of(engine: DaskEngine, store: Store) -> Iterator[Row]:
    for rows in engine.blocks():
        store.append(rows)
        yield from rows


def cpu_by_kind() -> dict[str, float]:
    """Return the CPU seconds so far of this process and its descendants, by kind."""
    seconds = defaultdict(float, {"command and scheduler": process_tree.own_cpu_s(os.getpid())})
    for pid in process_tree.descendants(os.getpid()):
        line = process_tree.contents(pid, "cmdline", 4096)
        kind = "measured" if b"bench.worker.server" in line else "Dask workers" if b"spawn_main" in line else "other"
        seconds[kind] += process_tree.own_cpu_s(pid)
    return seconds


def test_rows_of_a_strategy_with_stored_answers(benchmark: Any, tmp_path: Path) -> None:
    prepared = with_answers(plan_of(tmp_path, "test:stored", STORED + KEPT, 20_000, 2), tmp_path)
    found = timed(benchmark, prepared, CORES, tmp_path)
    print(f"\n{found.rows_per_s:.0f} rows per second through Dask on {CORES} cores; {found}")


def test_efficiency_of_solves_of_5_ms(benchmark: Any, tmp_path: Path) -> None:
    source = STORED + TIMED.replace("WAIT", BUSY)
    prepared = with_answers(plan_of(tmp_path, "test:stored", source, 4000, 2), tmp_path)
    found = timed(benchmark, prepared, CORES, tmp_path)
    print(f"\n{found.rows_per_s * 0.005 / CORES:.1%} of ideal on {CORES} cores for solves of 5 ms; {found}")


@pytest.mark.parametrize("workers", [1, 4, 16, 64])
def test_efficiency_for_strategies_that_sleep(benchmark: Any, tmp_path: Path, workers: int) -> None:
    """Workers that sleep cost no core, so one machine shows what the scheduler and the command cost."""
    prepared = plan_of(tmp_path, "test:stored", ASLEEP, SLEEPS_EACH * workers, 2, pin="off")
    with_answers(prepared, tmp_path)
    found = timed(benchmark, prepared, workers, tmp_path)
    share = found.rows_per_s * ASLEEP_S / workers
    print(f"\n{share:.0%} of ideal with {workers} workers for solves that sleep for {ASLEEP_S} s; {found}")
