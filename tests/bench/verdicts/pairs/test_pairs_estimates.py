"""Estimates of pairs: consistent intervals and p-values, order statistics, the variance between processes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from sudoku_bench.bench.verdicts.pairs.censored import Bounds, Medians, medians, puzzle_times
from sudoku_bench.bench.verdicts.pairs.decision import ABOVE, BELOW, Estimate, interval, p_different
from sudoku_bench.bench.verdicts.pairs.means import means
from sudoku_bench.bench.verdicts.pairs.process_variance import ProcessVariance, process_variance

Floats = NDArray[np.float64]
PAIRS = 300


def tables(seed: int, puzzles: int = 20, process: float = 0.02, mean: float = 0.1) -> Floats:
    """Log ratios, pairs × puzzles × repetitions, skew."""
    rng = np.random.default_rng(seed)
    taste = 0.2 * (rng.exponential(size=(PAIRS, puzzles, 1)) - 1)
    noise = 0.05 * rng.standard_normal((PAIRS, puzzles, 5))
    return mean + taste + process * rng.standard_normal((PAIRS, 1, 5)) + noise


def no_variance(pairs: int) -> ProcessVariance:
    return ProcessVariance(np.zeros(pairs), np.zeros(pairs))


def pairs_alone(table: Floats) -> ProcessVariance:
    """The process variance of pairs, each in a run of its own."""
    two = np.stack([table, np.zeros_like(table)], axis=1)
    return process_variance(two, np.ones(two.shape[:3], dtype=bool))[:, 0, 1]


def of_means(seed: int) -> Estimate:
    table = tables(seed)
    return means(table, pairs_alone(table))


def of_medians(seed: int, limit: float = 0.3) -> Estimate:
    table = tables(seed)
    processes = pairs_alone(table)
    slow = puzzle_times(np.minimum(table, limit), table > limit)
    fast = np.zeros(slow.least.shape)
    return medians(slow, Bounds(fast, fast), processes, 5)


@pytest.mark.parametrize("kind", [of_means, of_medians])
def test_a_p_value_is_below_a_level_if_the_interval_excludes_the_value(kind) -> None:
    result = kind(1)
    for level in (0.05, 0.001):
        low, high = interval(result, level)
        outside = (low > 0) | (high < 0)
        assert 0 < outside.sum() < PAIRS
        assert ((p_different(result) < level) == outside).all()


def test_without_skewness_and_processes_the_interval_is_that_of_student() -> None:
    rng = np.random.default_rng(4)
    half = rng.standard_normal((5, 10, 1))
    table = np.concatenate([1 + half, 1 - half], axis=1)
    result = interval(means(table, no_variance(5)), 0.05)
    expected = stats.t.interval(0.95, 19, 1.0, stats.sem(table[:, :, 0], axis=1))
    assert np.allclose(result, expected)


def test_the_interval_is_longer_on_the_side_of_the_long_tail_and_contains_students() -> None:
    table = tables(5, process=0.0)
    mean = means(table, no_variance(PAIRS))
    low, high = interval(mean, 0.05)
    half = stats.t.isf(0.025, mean.freedom) * mean.error
    assert (mean.mean - low >= half * (1 - 1e-12)).all()
    assert (high - mean.mean >= half * (1 - 1e-12)).all()
    longer = (high - mean.mean) > (mean.mean - low)
    assert (longer == (mean.skewness > 0)).mean() > 0.99
    assert longer.mean() > 0.9


@pytest.mark.parametrize("n", [15, 16, 40])
def test_ends_of_a_median_are_order_statistics_at_the_levels_of_the_sign_test(n: int) -> None:
    ordered = np.sort(np.random.default_rng(n).standard_normal((4, n)), axis=1)
    result = Medians(ordered, ordered, np.zeros(4), np.ones(4))
    for depth in range(1, n // 2):
        tail = stats.binom.cdf(depth - 1, n, 0.5)
        assert np.allclose(result.end(tail * (1 + 1e-12), BELOW), ordered[:, depth - 1])
        assert np.allclose(result.end(tail * (1 + 1e-12), ABOVE), ordered[:, n - depth])
    assert np.isneginf(result.end(0.5**n / 2, BELOW)).all()
    assert np.allclose(result.end(0.5, BELOW), np.median(ordered, axis=1))


def test_the_time_of_a_puzzle_is_the_median_of_its_repetitions_with_bounds_beyond_the_limit() -> None:
    log_s = np.log([[[1.0, 2, 3, 9, 9], [1, 2, 9, 9, 9], [1, 2, 3, 4, 5]]])
    result = puzzle_times(log_s, log_s == np.log(9))
    assert np.exp(result.least[0]) == pytest.approx([3, 9, 3])
    assert np.exp(result.most[0]) == pytest.approx([3, np.inf, 3])
    even = puzzle_times(log_s[:, :, 1:], log_s[:, :, 1:] == np.log(9))
    assert np.exp(even.least[0]) == pytest.approx([np.sqrt(27), 9, np.sqrt(12)])
    assert np.isinf(even.most[0]).tolist() == [True, True, False]
