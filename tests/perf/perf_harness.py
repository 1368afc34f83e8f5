"""Hot paths of the harness: ``make perf``. No test depends on a time."""

from __future__ import annotations

import gc
import mmap
import time
from collections.abc import Iterator

import pytest

from bench.plan import strategies
from bench.process.worker_process import Sample, Worker
from bench.worker.null_strategy import Null
from bench.worker.stopwatch import PROGRESS_BYTES, marked, timed
from datasets.collections import catalogue
from datasets.difficulty.rating import guesses
from datasets.isomorphs import form, isomorph
from datasets.puzzle import Puzzle
from datasets.reading.reader import parse
from datasets.search import solve
from datasets.verify import answer_fault
from solvers import registry
from solvers.sat.encodings import build
from solvers.strategy import FIRST

registry.load_builtin()
PUZZLE = catalogue.load("expert").items[0].puzzle
SOLUTION = solve(PUZZLE).solutions


@pytest.fixture
def worker() -> Iterator[Worker]:
    running = Worker(strategies.select(["sat:complete+pairwise@cadical195"])[0], number=1)
    running.start()
    running.prepare(PUZZLE.shape)
    yield running
    running.close()


def test_parse(benchmark) -> None:
    assert benchmark(parse, PUZZLE.text) == PUZZLE


def test_make_a_form(benchmark) -> None:
    benchmark(lambda: form(PUZZLE, isomorph(1, PUZZLE, 7)))


def test_verify(benchmark) -> None:
    assert benchmark(answer_fault, PUZZLE, SOLUTION, 1) is None


def test_kernel_proves_uniqueness(benchmark) -> None:
    assert len(benchmark(solve, PUZZLE, 2).solutions) == 1


def test_rate_with_30_orders(benchmark) -> None:
    assert benchmark(guesses, PUZZLE, 1).mean > 0


def test_encode_complete_pairwise(benchmark) -> None:
    assert len(benchmark(lambda: build("complete", PUZZLE.shape).clauses())) == 11988


@pytest.mark.benchmark(group="encode and load 9x9", timer=time.process_time)
@pytest.mark.parametrize(
    "name", ["seed:pysat", *(f"sat:complete+pairwise@{engine}" for engine in ("minisat22", "cadical195"))]
)
def test_encode_and_load(benchmark, name: str) -> None:
    """Cost per puzzle before the search: the code of the original document, and the same clauses in this project."""
    strategy = registry.get(name)()
    strategy.prepare(PUZZLE.shape)
    gc.collect()
    gc.freeze()

    def encode_and_load() -> None:
        strategy.load(strategy.encode(PUZZLE))

    benchmark.pedantic(encode_and_load, teardown=strategy.release, rounds=50, warmup_rounds=3)


def test_the_timed_loop_around_an_empty_solve(benchmark) -> None:
    """Cost of the stopwatch itself: a full grid is returned unchanged."""
    solved = Puzzle(PUZZLE.shape, SOLUTION[0])
    progress = mmap.mmap(-1, PROGRESS_BYTES)
    _, answers = benchmark(timed, Null(), [solved], FIRST, marked([]), progress)
    assert answers == [[list(SOLUTION[0])]]


def test_one_solve_through_a_worker(benchmark, worker: Worker) -> None:
    reply = benchmark(worker.solve, Sample([PUZZLE], FIRST, 10.0))
    assert reply["answers"] == [[list(SOLUTION[0])]]
