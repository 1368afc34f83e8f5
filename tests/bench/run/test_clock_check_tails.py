"""A strategy is not accused because some isomorphs take a thousand times as long; it is for work beside its rows."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from sudoku_bench.bench.process.empty_request import EmptyRequest
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.run.clock_check import LONG_ROWS, ClockCheck
from sudoku_bench.bench.worker.stopwatch import RUN_IN_S
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST
from tests.bench.conftest import FOURS

EMPTY_S = 1e-4  # of a request
PUZZLES, ROWS, LAUNCHES = 20, 200, 10
FORM = [parse(FOURS[0])]
REQUESTS = {
    1: SolveRequest(FORM, FIRST, 10.0, run_in=FORM * 8),
    8: SolveRequest(FORM * 8, FIRST, 10.0, run_in=FORM * 8, phase_forms=FORM * 8),
}
TAILS: dict[str, Callable[[random.Random], float]] = {
    "narrow": lambda rng: rng.lognormvariate(0, 0.3),
    "wide": lambda rng: rng.lognormvariate(0, 2),
    "without-a-mean": lambda rng: rng.paretovariate(1),
    "rare": lambda rng: 1000.0 if rng.random() < 0.02 else 1.0,
}


def launch(seed: int, tail: str, loops: int, median_s: float, moved: float = 0.0) -> int | None:
    """Return how many rows of a launch pass before the strategy is accused; None if it never is.

    Args:
        median_s: CPU seconds of most solves of a typical puzzle.
        moved: the share of the time of a row that is reported as that of forms beside it.
    """
    rng, request, check = random.Random(seed), REQUESTS[loops], ClockCheck(EmptyRequest(EMPTY_S, 0.0))
    scales_s = [median_s * rng.lognormvariate(0, 1) for _ in range(PUZZLES)]
    for row in range(ROWS):
        own, phases = ([scales_s[row % PUZZLES] * TAILS[tail](rng) for _ in range(n)] for n in (loops, loops // 8 * 8))
        run_in = list[float]()
        while len(run_in) < len(request.run_in) and sum(run_in) < RUN_IN_S:
            run_in.append(scales_s[row % PUZZLES] * TAILS[tail](rng))
        aside_s, moved_s = sum(phases + run_in), moved * sum(own)
        reply = {"cpu_s": (sum(own) - moved_s) / loops, "aside_cpu_s": aside_s + moved_s, "run_in": len(run_in)}
        reply |= {"charged_s": sum(own) + aside_s + EMPTY_S, **({"search_cpu_s": 0.0} if phases else {})}
        if check.fault(request, reply):
            return row
    return None


@pytest.mark.parametrize("median_s", [5e-5, 3e-3])
@pytest.mark.parametrize("loops", REQUESTS)
@pytest.mark.parametrize("tail", TAILS)
def test_an_honest_strategy_is_not_accused(tail: str, loops: int, median_s: float) -> None:
    assert {launch(seed, tail, loops, median_s) for seed in range(LAUNCHES)} == {None}


@pytest.mark.parametrize(("median_s", "moved"), [(1e-3, 0.99), (3e-3, 0.9), (2e-2, 0.9)])
@pytest.mark.parametrize("loops", REQUESTS)
def test_a_strategy_whose_work_is_beside_its_rows_is_found(loops: int, median_s: float, moved: float) -> None:
    found = [launch(seed, "narrow", loops, median_s, moved) for seed in range(LAUNCHES)]
    assert all(row is not None and LONG_ROWS <= row < 5 * LONG_ROWS for row in found), found


@pytest.mark.parametrize("tail", TAILS)
def test_it_is_found_if_its_times_vary_widely(tail: str) -> None:
    assert None not in [launch(seed, tail, 1, 3e-3, moved=0.99) for seed in range(LAUNCHES)]
