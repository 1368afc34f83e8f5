"""Which differences between reported and charged times are false times, and which are not."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.worker_process import Confinement, Worker
from sudoku_bench.bench.run.clock_check import (
    EMPTY_REQUESTS,
    ROW_S,
    ROWS,
    ClockCheck,
    EmptyRequest,
    account_of,
    measured,
)
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import FIRST
from tests.bench.conftest import FOURS

REQUEST = SolveRequest([parse(FOURS[0])], FIRST, 10.0)
EMPTY_S = 2e-4
ALLOWED_S = EMPTY_REQUESTS * EMPTY_S  # in each row


def reply(busy_s: float, missing_s: float = 0.0, **others: bool) -> Reply:
    """A reply: so much more was charged than was reported."""
    return Reply("ok", busy_cpu_s=busy_s, charged_s=busy_s + EMPTY_S + missing_s, **others)


def faults(replies: list[Reply], scan_s: float = 0.0) -> list[str | None]:
    check = ClockCheck(EmptyRequest(EMPTY_S, 0.0, scan_s=scan_s))
    return [check.fault(REQUEST, each) for each in replies]


@given(st.lists(st.tuples(st.floats(1e-6, 1.0), st.floats(-1.0, ALLOWED_S)), min_size=1, max_size=50))
def test_what_lacks_no_more_than_reading_and_writing_is_no_fault(rows: list[tuple[float, float]]) -> None:
    assert set(faults([reply(busy_s, missing_s) for busy_s, missing_s in rows])) == {None}


def test_a_launch_is_mistimed_once_a_few_rows_lack_much() -> None:
    found = faults([reply(4e-6, 0.017)] * 2 * ROWS)
    assert found[:ROWS] == [None] * ROWS
    assert found[-1] is not None
    assert re.fullmatch(r"in this launch: [\d.]+ ms reported, [\d.]+ ms charged by the system", found[-1])
    assert faults([reply(4e-6, 0.017)] * 2 * ROWS + [reply(4e-6)] * 10)[-1] == found[-1]  # for the rest of the launch


def test_noise_of_the_system_in_a_few_rows_is_no_fault() -> None:
    """It may charge a process for taking memory from it and giving it back."""
    assert set(faults([reply(1e-3), reply(1e-3, 0.9), *[reply(1e-3)] * 100] * 4)) == {None}


def test_a_row_alone_is_mistimed_if_it_lacks_more_than_the_system_takes() -> None:
    assert faults([reply(1e-3, ROW_S + 0.002)]) == ["1 ms reported, 1e+03 ms charged by the system"]
    assert faults([reply(2.0, ROW_S + 1.9)]) == [None]


def test_a_worker_with_children_may_scan_all_processes() -> None:
    assert set(faults([reply(1e-3, 3 * 2e-3, has_kept=True)] * 50, scan_s=2e-3)) == {None}
    assert faults([reply(1e-3, 3 * 2e-3)] * 50, scan_s=2e-3)[-1] is not None


TAILS: dict[str, Callable[[random.Random], float]] = {
    "wide": lambda rng: rng.lognormvariate(0, 2),
    "without-a-mean": lambda rng: rng.paretovariate(1),
    "rare": lambda rng: 1000.0 if rng.random() < 0.02 else 1.0,
}


@pytest.mark.parametrize("median_s", [5e-5, 3e-3])
@pytest.mark.parametrize("tail", TAILS)
def test_however_widely_solves_differ_only_what_is_not_reported_is_found(tail: str, median_s: float) -> None:
    rng = random.Random(1)
    costs_s = [2e-3 + median_s * TAILS[tail](rng) for _ in range(1000)]
    assert set(faults([reply(cost_s) for cost_s in costs_s])) == {None}
    assert faults([reply(0.2 * cost_s, 0.8 * cost_s + 2e-3) for cost_s in costs_s])[-1] is not None


def test_a_request_costs_the_more_the_more_it_holds() -> None:
    """Pencilmarks cost what their candidates cost."""
    empty = measured(Confinement())
    assert empty is not None
    assert 0 < empty.cpu_s(0) < empty.cpu_s(10**6)
    shape, rng = Shape(4, 4), random.Random(1)
    puzzles = [Puzzle.of_candidates(shape, rng.choices(range(1, 1 << 16), k=256)) for _ in range(12)]
    request = SolveRequest(puzzles, FIRST, 10.0, "empty")
    worker = Worker(StrategyInfo("(empty)", ()), 0, Confinement())
    try:
        reply = min((worker.solve(request) for _ in range(15)), key=lambda reply: reply.charged_s)
    finally:
        worker.close()
    assert account_of(request, replace(reply, busy_cpu_s=0.0), empty).missing_s < reply.charged_s / 2
