"""Components of variance, and the log ratios that they are estimated from."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sudoku_bench.bench.verdicts.spread.variance import components, log_ratios
from sudoku_bench.bench.verdicts.times import times
from tests.bench.verdicts.simulated_runs import a_run

PUZZLES, REPETITIONS = 60, 12


def test_by_hand() -> None:
    result = components(np.array([[0.0, 2.0], [4.0, 8.0]]))
    # Means of rows 1 and 6, of columns 2 and 5, of all 3.5; the rest is ±0.5.
    assert result.single == pytest.approx(1.0)
    assert result.puzzle == pytest.approx((2 * 12.5 - 1) / 2)
    assert result.repetition == pytest.approx((2 * 4.5 - 1) / 2)


def test_unfinished_puzzles_and_interrupted_repetitions_are_left_out() -> None:
    rng = np.random.default_rng(1)
    logs = 0.5 * rng.standard_normal((PUZZLES, 1)) + 0.1 * rng.standard_normal((PUZZLES, REPETITIONS))
    limit_s = math.exp(float(np.sort(logs.max(axis=1))[-4]))
    seconds = np.stack([np.exp(logs), np.full_like(logs, limit_s / 2)])
    rows = a_run(seconds, ["a", "b"], np.ones(PUZZLES), limit_s).measurements
    last, few = rows["repetition"] == REPETITIONS, rows["puzzle"].isin(["own-0000", "own-0001"])
    table, unfinished = log_ratios(times(rows[~last | few]), "a", "b", np.arange(PUZZLES))
    assert unfinished == 3
    assert table.shape == (PUZZLES - 3, REPETITIONS - 1)
    kept = np.exp(logs[:, :-1]).max(axis=1) <= limit_s
    assert table == pytest.approx(logs[kept, :-1] - math.log(limit_s / 2))
