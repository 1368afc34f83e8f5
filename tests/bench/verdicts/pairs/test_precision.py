"""How many repetitions a precision needs: found from the spread, whoever leads."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sudoku_bench.bench.run import experiment
from sudoku_bench.bench.verdicts.pairs import precision
from tests.bench.plan.test_plan import a_plan
from tests.bench.verdicts.simulated_runs import a_run

NAMES = ["test:a", "test:b", "test:c"]


def run_of(repetitions: int, process: float, taste: float = 0.0, lead: float = 0.0):
    rng = np.random.default_rng(repetitions)
    logs = taste * rng.standard_normal((3, 40, 1)) + process * rng.standard_normal((3, 1, 50))[:, :, :repetitions]
    logs = logs + lead * np.arange(3)[:, None, None] + 0.01 * rng.standard_normal(logs.shape)
    return a_run(1e-3 * np.exp(logs), NAMES, np.arange(40.0))


def test_the_repetitions_that_are_said_to_be_needed_are_enough() -> None:
    [needed] = precision.repetitions_for(run_of(5, process=0.02), math.log1p(0.02))
    assert 5 < needed < 50
    assert precision.half_widths(run_of(min(50, int(2 * needed)), process=0.02)).median() < math.log1p(0.02)


def test_the_leader_plays_no_part() -> None:
    for target in (0.01, 0.03):
        equal, far = (precision.repetitions_for(run_of(5, 0.02, lead=lead), target) for lead in (0.0, 1.0))
        assert equal == pytest.approx(far)


@pytest.mark.parametrize(("most", "taste", "further"), [(None, 0.0, 10), (7, 0.0, 7), (5, 0.0, 0), (None, 1.0, 0)])
def test_repetitions_go_on_within_the_budget_unless_only_puzzles_help(
    monkeypatch: pytest.MonkeyPatch, tmp_path, most: int | None, taste: float, further: int
) -> None:
    monkeypatch.setattr("sudoku_bench.bench.verdicts.run_files.read", lambda *_: run_of(5, 0.02, taste))
    plan = a_plan(strategies=3, puzzles=40, repetitions=5, until="2%")
    calibration = replace(plan.calibration, repetitions=5, most=most)
    planned = replace(plan, calibration=calibration)
    assert experiment.further_repetitions(planned, tmp_path) == further
