"""The variance between processes: that of the pair, moderated by that of all strategies."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_bench.bench.verdicts.pairs.process_variance import ProcessVariance, process_variance

Floats = NDArray[np.float64]
REPETITIONS = 3


def drawn(deviations: list[float], runs: int = 200, forms: float = 0.001) -> Floats:
    """Log times of copies: runs × strategies × puzzles × repetitions."""
    rng = np.random.default_rng(9)
    process = np.array(deviations)[:, None, None] * rng.standard_normal((runs, len(deviations), 1, REPETITIONS))
    return process + forms * rng.standard_normal((runs, len(deviations), 40, REPETITIONS))


def estimated(log_s: Floats, prior: float = 2.0) -> ProcessVariance:
    return process_variance(log_s, np.ones(log_s.shape[:-1], dtype=bool), prior)


def test_it_is_the_weighted_mean_of_the_pairs_own_variance_and_the_mean_square_of_all() -> None:
    """By hand, with the strategy × repetition mean square of the analysis of variance."""
    log_s = drawn([0.01, 0.02, 0.03, 0.04], runs=1)[0]
    means = log_s.mean(axis=1)
    rest = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    pooled = 2 * (rest**2).sum() / (3 * (REPETITIONS - 1)) / REPETITIONS
    own = (means[0] - means[2]).var(ddof=1) / REPETITIONS
    result = estimated(log_s)
    assert result.variance[0, 2] == result.variance[2, 0] == pytest.approx((2 * pooled + 2 * own) / 4)
    assert (result.freedom[0, 2], estimated(log_s, prior=0.0).freedom[0, 2]) == (4, 2)
    assert estimated(log_s, prior=0.0).variance[0, 2] == pytest.approx(own)


def test_two_strategies_have_nothing_to_pool() -> None:
    log_s = drawn([0.02, 0.02])
    own = (log_s[:, 0] - log_s[:, 1]).mean(axis=1).var(axis=1, ddof=1) / REPETITIONS
    assert estimated(log_s).variance[:, 0, 1] == pytest.approx(own)
    assert (estimated(log_s).freedom[:, 0, 1] == REPETITIONS - 1).all()


def test_only_puzzles_that_both_strategies_always_finished_count() -> None:
    log_s = drawn([0.01, 0.02, 0.03, 0.02], runs=1)[0]
    finished = np.ones(log_s.shape[:2], dtype=bool)
    finished[1, 15:] = False
    spoiled = log_s.copy()
    spoiled[1, 15:, 2:] = 99.0
    result = process_variance(spoiled, finished, prior=0.0)
    assert result.variance[0, 1] == pytest.approx(estimated(log_s[:, :15], prior=0.0).variance[0, 1])
    # What did not always finish is not pooled.
    pooled = process_variance(spoiled, finished)
    others = [0, 2, 3]
    assert pooled.variance[np.ix_(others, others)] == pytest.approx(estimated(log_s[others]).variance)


def test_a_pair_without_puzzles_in_common_has_the_pooled_variance() -> None:
    log_s = drawn([0.02] * 5, runs=1)[0]
    finished = np.ones(log_s.shape[:2], dtype=bool)
    finished[4, 1:] = False
    result = process_variance(log_s, finished)
    assert result.freedom[0, 4] == 2
    assert result.variance[0, 4] == result.variance[1, 4] > 0
    alone = process_variance(log_s[[0, 4]], finished[[0, 4]])
    assert (alone.variance[0, 1], alone.freedom[0, 1]) == (0, 0)


def test_one_repetition_or_no_variation_gives_no_variance() -> None:
    assert (estimated(drawn([0.02] * 3)[..., :1]).variance == 0).all()
    assert (estimated(np.ones((2, 3, 20, 5))).variance == 0).all()
