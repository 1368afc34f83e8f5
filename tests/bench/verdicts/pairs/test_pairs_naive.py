"""Naive methods and their errors, compared with the method in use.

The naive methods are dropping timeouts, imputing the limit for them, counting repetitions as puzzles, averaging ratios,
and stopping when the interval first excludes 1.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.pairs.decision import p_different
from bench.verdicts.pairs.means import means
from bench.verdicts.pairs.pairs import pairs
from bench.verdicts.pairs.process_variance import process_variance, repetition_variances
from tests.bench.verdicts.simulated_runs import Spread, a_run, drawn

Floats = NDArray[np.float64]
PUZZLES, LIMIT = 200, 10.0


def hard_puzzles_differ() -> tuple[Floats, float]:
    """Return times of two strategies and the true median ratio.

    Only the slow strategy takes much longer on harder puzzles; it exceeds the limit on three in ten.
    """
    rng = np.random.default_rng(1)
    guesses = np.exp(rng.standard_normal(PUZZLES))
    curves = {"slow": lambda x: 5.0 * x**1.2, "fast": lambda x: 1.0 * x**0.1}
    seconds = drawn(curves, guesses, 5, rng, Spread(taste=0.1, form=0.05))
    by_puzzle = np.median(np.log(seconds), axis=2)
    return seconds, float(np.exp(np.median(by_puzzle[0] - by_puzzle[1])))


def t_interval(logs: Floats) -> tuple[float, float]:
    low, high = stats.t.interval(0.95, len(logs) - 1, logs.mean(), stats.sem(logs))
    return math.exp(low), math.exp(high)


def the_pair(seconds: Floats, limit: float = 1e9):
    [line] = pairs(a_run(seconds, ["slow", "fast"], np.ones(seconds.shape[1]), limit_s=limit)).to_dict("records")
    return line


def test_dropping_timeouts_makes_the_slow_one_look_faster() -> None:
    seconds, true = hard_puzzles_differ()
    finished = (seconds <= LIMIT).all(axis=(0, 2))
    assert 0.2 < 1 - finished.mean() < 0.4
    naive = np.median(seconds, axis=2)[:, finished]
    assert float(np.median(naive[0] / naive[1])) < 0.8 * true
    assert t_interval(np.log(naive[0] / naive[1]))[1] < true
    line = the_pair(seconds, LIMIT)
    assert line["n_puzzles"] == PUZZLES
    assert line["ratio"] == pytest.approx(true, rel=1e-6)  # no timeout reaches the median: it is known exactly
    assert line["ratio_lo"] < true < line["ratio_hi"]


def test_no_limit_is_imputed_where_timeouts_reach_the_median() -> None:
    """On six puzzles in ten the slow one exceeds the limit: the limit gives only a lower bound of the ratio."""
    seconds, true = hard_puzzles_differ()
    limit = float(np.quantile(seconds[0], 0.4))
    by_puzzle = np.median(np.minimum(seconds, limit), axis=2)
    naive = float(np.median(by_puzzle[0] / by_puzzle[1]))
    assert naive < 0.9 * true
    line = the_pair(seconds, limit)
    assert math.isnan(line["ratio"])
    assert math.isnan(line["ratio_hi"])
    assert line["ratio_lo"] < line["at_least"] <= true


def alike(benchmarks: int, puzzles: int, seed: int) -> Floats:
    """Return log ratios of two equally fast strategies: benchmarks × puzzles × repetitions."""
    rng = np.random.default_rng(seed)
    taste = 0.3 * rng.standard_normal((benchmarks, puzzles, 1))
    return taste + 0.1 * rng.standard_normal((benchmarks, puzzles, 5))


def p_values(log_ratios: Floats) -> Floats:
    """Return the p-value of each benchmark, without pooling over benchmarks."""
    two = np.stack([log_ratios, np.zeros_like(log_ratios)], axis=1)
    processes = process_variance(repetition_variances(two, np.ones(two.shape[:3], dtype=bool)))
    return p_different(means(log_ratios, processes[:, 0, 1]))


def test_counting_repetitions_as_puzzles_gives_false_differences() -> None:
    tables = alike(400, 30, seed=2)
    pooled_repetitions = stats.ttest_1samp(tables.reshape(400, -1), 0, axis=1).pvalue
    assert (pooled_repetitions < 0.05).mean() > 0.25
    assert (p_values(tables) < 0.05).mean() <= stats.binom.ppf(0.999, 400, 0.05) / 400


def test_averaging_ratios_makes_each_of_two_slower_than_the_other() -> None:
    rng = np.random.default_rng(4)
    taste = rng.standard_normal((2, 300, 1)) * 0.8
    seconds = np.exp(taste + 0.01 * rng.standard_normal((2, 300, 3)))
    seconds /= np.exp(np.log(seconds).mean(axis=(1, 2), keepdims=True))
    by_puzzle = np.exp(np.log(seconds).mean(axis=2))
    assert (by_puzzle[0] / by_puzzle[1]).mean() > 1.5
    assert (by_puzzle[1] / by_puzzle[0]).mean() > 1.5
    line = the_pair(seconds)
    assert line["ratio"] == pytest.approx(1, abs=1e-9)
    assert line["ratio_lo"] * line["ratio_hi"] == pytest.approx(1, rel=0.05)
