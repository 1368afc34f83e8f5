"""Ratios of mean costs: intervals agree with p-values, wide spreads do not fake precision, effects are found."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sudoku_bench.bench.verdicts.choice.mean_costs import error_of_mean, excess, log_spread
from tests.bench.verdicts.simulated_runs import Floats

ALPHA = 0.0125  # of the best of five


def costs(rng: np.random.Generator, slope: float, difficulty: Floats, taste: float = 0.2) -> Floats:
    """Log-normal costs with a true mean of 1, puzzles × repetitions."""
    puzzles = len(difficulty)
    logs = slope * difficulty + taste * rng.standard_normal(puzzles) - (slope**2 + taste**2) / 2
    return np.exp(logs[:, None] + 0.01 * rng.standard_normal((puzzles, 3)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("factor", [0.8, 1.0, 1.3, 3.0])
def test_the_interval_is_above_one_exactly_if_the_test_rejects(seed: int, factor: float) -> None:
    rng = np.random.default_rng(seed)
    difficulty = rng.standard_normal(20)
    cost, other = factor * costs(rng, 1.2, difficulty), costs(rng, 0.8, difficulty)
    result = excess(cost, other, ALPHA)
    assert (result.lo > 1) == (result.p < ALPHA)
    assert result.lo < result.ratio < result.hi
    assert result.ratio == pytest.approx(cost.mean() / other.mean())
    back = excess(other, cost, ALPHA)
    assert (back.lo, back.hi) == pytest.approx((1 / result.hi, 1 / result.lo), rel=0.15)


def test_a_wide_spread_does_not_fake_precision() -> None:
    """Means are equal, but most samples lack the puzzles on which the steeper strategy is expensive."""
    missed = plain = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        difficulty = rng.standard_normal(20)
        flat, steep = costs(rng, 0.8, difficulty), costs(rng, 2.0, difficulty)
        missed += excess(flat, steep, 0.05).p < 0.05
        shares = (flat / flat.mean() - steep / steep.mean()).mean(axis=1)
        t = math.log(flat.mean() / steep.mean()) / (shares.std(ddof=1) / math.sqrt(20))
        plain += stats.t.sf(t, 19) < 0.05
    assert missed <= stats.binom.ppf(0.995, 120, 0.05)
    assert plain > 24


def test_the_error_of_a_log_normal_mean_is_that_of_many_samples() -> None:
    rng = np.random.default_rng(3)
    logs = 0.7 * rng.standard_normal((4000, 200))
    estimates = logs.mean(axis=1) + logs.var(axis=1, ddof=1) / 2
    assert error_of_mean(0.7, 200) == pytest.approx(estimates.std(), rel=0.05)
    assert log_spread(np.exp(logs[:1].T)) == pytest.approx(0.7, rel=0.15)
