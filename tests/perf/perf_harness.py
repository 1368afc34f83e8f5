"""Hot paths of the harness: ``make perf``. No test depends on a time."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

import pytest

from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.plan.lead_in import lead_ins
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.worker_process import Worker
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.search import solve
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import FIRST

registry.load_builtin()
PUZZLE = catalogue.load("expert").items[0].puzzle
SOLUTION = solve(PUZZLE).solutions
FORMS = 297


@pytest.fixture
def worker() -> Iterator[Worker]:
    running = Worker(strategies.select(["sat:complete+pairwise@cadical195"])[0], number=1)
    running.start()
    running.prepare(PUZZLE.shape)
    yield running
    running.close()


def test_one_solve_through_a_worker(benchmark, worker: Worker) -> None:
    reply = benchmark(worker.solve, SolveRequest([PUZZLE], FIRST, 10.0))
    assert reply.answers == [[bytes(SOLUTION[0])]]


@pytest.mark.parametrize("name", ["null:answer", "seed:norvig", "bitboard:bands"])
def test_what_short_solves_read(benchmark, name: str) -> None:
    """Reported CPU time of a solve in four kinds of requests; the null strategy shows what is the instrument's own.

    Before each request, another worker uses the core, as in a run.
    """
    is_null = name == strategies.FLOOR.name
    forms = [form(PUZZLE, isomorph(1, PUZZLE, number)) for number in range(1, 1 + FORMS)]
    if is_null:
        forms = [Puzzle(each.shape, solve(each).solutions[0]) for each in forms]
    others = [forms[start : start + 9] for start in range(0, FORMS, 9)]
    kinds = {
        "a form": [SolveRequest(part[:1], FIRST, 10.0) for part in others],
        "a form after a lead-in": [SolveRequest(part[:1], FIRST, 10.0, lead_in=True) for part in others],
        f"{FORMS} forms": [SolveRequest(forms, FIRST, 10.0)] * 5,
        f"a batch of {FORMS}": [SolveRequest(forms, FIRST, 10.0, how="batch")] * 5,
    }
    measured, busy = (
        Worker(info, number=1)
        for info in (
            strategies.FLOOR if is_null else strategies.select([name])[0],
            strategies.select(["sat:complete+pairwise@cadical195"])[0],
        )
    )
    lead_in = lead_ins([PUZZLE.shape])[PUZZLE.shape]
    if is_null:
        lead_in = tuple((Puzzle(PUZZLE.shape, cells), cells) for _, cells in lead_in)
    for each in (measured, busy):
        each.start()
        each.prepare(PUZZLE.shape, lead_in)
    benchmark.pedantic(lambda: None, rounds=1)
    for kind, requests in kinds.items():
        times = []
        for request in requests:
            busy.solve(SolveRequest([PUZZLE], FIRST, 10.0))
            times.append(measured.solve(request).cpu_s)
        benchmark.extra_info[kind] = statistics.median(times)
        print(f"\n{name}: {kind}: {statistics.median(times) * 1e6:.2f} µs")
    for each in (measured, busy):
        each.close()
