"""The outcome of a measurement from the times that a worker reports."""

from __future__ import annotations

import pytest

from sudoku_bench.bench.plan.plan import Calibration, Plan
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run.judge import outcome_of
from sudoku_bench.bench.worker.clocks import RESOLUTION_S
from sudoku_bench.datasets.isomorphs import isomorph
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers.strategy import FIRST

FULL = parse("1234341221434321")
PLAN = Plan(Suite(), FIRST, (), (), (), Calibration({"4x4": 1}, ()))
REFERENCE = Reference(1, FULL.cells, 2)
REPLY = {"status": "ok", "answers": [[FULL.cell_bytes]], "counters": {}}


@pytest.mark.parametrize(("cpu_s", "wall_s"), [(0.0, 1e-6), (-1e-7, 1e-6), (1e-6, 0.0), (RESOLUTION_S / 2, 1e-6)])
def test_a_time_below_the_resolution_of_the_clocks_is_refused_with_a_reason(cpu_s: float, wall_s: float) -> None:
    reply = REPLY | {"cpu_s": cpu_s, "wall_s": wall_s}
    outcome = outcome_of(PLAN, REFERENCE, [(FULL, isomorph(1, FULL, 0))], 1, reply)
    assert outcome.keys() == {"status", "reason"}
    assert outcome["status"] == "unsupported"
    assert outcome["reason"] == "too short to time; measure more forms at once with --loops"


def test_a_short_time_above_it_is_kept() -> None:
    reply = REPLY | {"cpu_s": 1e-6, "wall_s": 2e-6}
    outcome = outcome_of(PLAN, REFERENCE, [(FULL, isomorph(1, FULL, 0))], 1, reply)
    assert (outcome["status"], outcome["cpu_s"], outcome["wall_s"]) == ("solved", 1e-6, 2e-6)
