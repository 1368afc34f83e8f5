"""Hot paths of the harness itself: ``make perf``. Nothing here passes or fails on a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench import strategies
from bench.process import Sample, Worker
from datasets import collections
from datasets.difficulty import guesses
from datasets.isomorphs import form, isomorph
from datasets.reader import parse
from datasets.search import solve
from datasets.verify import answer_fault
from solvers.encodings import build
from solvers.strategy import FIRST

PUZZLE = collections.load("expert").items[0].puzzle
SOLUTION = solve(PUZZLE).solutions


@pytest.fixture
def worker() -> Iterator[Worker]:
    found = Worker(strategies.select(["sat:complete+pairwise@cadical195"])[0], number=1)
    found.start()
    found.prepare(PUZZLE.shape)
    yield found
    found.close()


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


def test_one_solve_through_a_worker(benchmark, worker: Worker) -> None:
    reply = benchmark(worker.solve, Sample([PUZZLE], FIRST, 10.0))
    assert reply["answers"] == [[list(SOLUTION[0])]]
