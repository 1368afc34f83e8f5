"""What a request costs without a solve."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.process.worker_process import Confinement, Worker
from sudoku_bench.bench.run import clock_check
from sudoku_bench.bench.run.clock_check import account_of
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.strategy import FIRST


def test_a_request_costs_the_more_the_more_boards_it_has() -> None:
    empty = clock_check.measured(Confinement())
    assert empty is not None
    assert 0 < empty.cpu_s(0) < empty.cpu_s(10**6)


def test_pencilmarks_cost_what_their_candidates_cost() -> None:
    empty = clock_check.measured(Confinement())
    assert empty is not None
    shape, rng = Shape(4, 4), random.Random(1)
    puzzles = [Puzzle.of_candidates(shape, rng.choices(range(1, 1 << 16), k=256)) for _ in range(12)]
    request = SolveRequest(puzzles, FIRST, 10.0, "empty")
    worker = Worker(StrategyInfo("(empty)", ()), 0, Confinement())
    try:
        reply = min((worker.solve(request) for _ in range(15)), key=lambda reply: reply.charged_s)
    finally:
        worker.close()
    assert account_of(request, replace(reply, busy_cpu_s=0.0), empty).missing_s < reply.charged_s / 2


def test_without_a_worker_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert clock_check.measured(Confinement()) is None
