"""The variance between processes: additive, per strategy, shrunk; what it is for known truths."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_bench.bench.verdicts.pairs.means import means
from sudoku_bench.bench.verdicts.pairs.process_variance import (
    ProcessVariance,
    over_collections,
    process_variance,
    repetition_variances,
)

Floats = NDArray[np.float64]
REPETITIONS = 3


def drawn(deviations: list[float], seed: int = 9, forms: float = 0.05, runs: int = 200) -> Floats:
    """Log times of copies: runs × strategies × puzzles × repetitions."""
    rng = np.random.default_rng(seed)
    process = np.array(deviations)[:, None, None] * rng.standard_normal((runs, len(deviations), 1, REPETITIONS))
    return process + forms * rng.standard_normal((runs, len(deviations), 40, REPETITIONS))


def estimated(log_s: Floats) -> ProcessVariance:
    return process_variance(repetition_variances(log_s, np.ones(log_s.shape[:-1], dtype=bool)))


def test_variances_are_those_of_the_mean_ratios_of_each_pair() -> None:
    """By hand: the variance between repetitions of the mean ratio of a pair, and the part of it that is noise."""
    log_s = drawn([0.01, 0.02, 0.03], runs=1)[0]
    measured = repetition_variances(log_s, np.ones(log_s.shape[:2], dtype=bool))
    ratios = log_s[0] - log_s[2]
    assert measured.between[0, 2] == pytest.approx(ratios.mean(axis=0).var(ddof=1) / REPETITIONS)
    rest = ratios - ratios.mean(axis=1, keepdims=True) - ratios.mean(axis=0) + ratios.mean()
    noise = (rest**2).sum() / (39 * (REPETITIONS - 1)) / (40 * REPETITIONS)
    assert measured.within[0, 2] == measured.within[2, 0] == pytest.approx(noise)


def test_only_puzzles_that_both_strategies_always_finished_count() -> None:
    log_s = drawn([0.01, 0.02, 0.03], runs=1)[0]
    finished = np.ones(log_s.shape[:2], dtype=bool)
    finished[1, 15:] = False
    spoiled = log_s.copy()
    spoiled[1, 15:, 2:] = 99.0
    measured = repetition_variances(spoiled, finished)
    alone, others = (
        repetition_variances(log_s[:2, :15], finished[:2, :15]),
        repetition_variances(log_s, finished | True),
    )
    for key in ("between", "within"):
        assert getattr(measured, key)[0, 1] == pytest.approx(getattr(alone, key)[0, 1])
        assert getattr(measured, key)[0, 2] == pytest.approx(getattr(others, key)[0, 2])


def test_the_variance_of_a_pair_is_the_sum_of_those_of_its_strategies() -> None:
    deviations = [0.01] * 8 + [0.03] * 2
    variance = np.median(estimated(drawn(deviations, forms=0.01)).variance, axis=0)
    tame, mixed, wild = variance[0, 1], variance[0, 9], variance[8, 9]
    assert tame == pytest.approx(2 * 0.01**2 / REPETITIONS, rel=0.4)
    assert mixed == pytest.approx((0.01**2 + 0.03**2) / REPETITIONS, rel=0.4)
    assert wild == pytest.approx(2 * 0.03**2 / REPETITIONS, rel=0.4)


def test_other_collections_make_an_estimate_more_certain_but_do_not_replace_it() -> None:
    names = [tuple("abcdef")] * 5
    ratios, wild = [], []
    for seed in range(40):
        parts = [
            repetition_variances(log_s, np.ones(log_s.shape[:2], dtype=bool))
            for log_s in drawn([0.01] * 6, seed, forms=0.001, runs=5)
        ]
        parts[4].between[0, 1:] *= 100
        parts[4].between[1:, 0] *= 100
        alone, together = process_variance(parts[0]), over_collections(names, parts)
        one, several = (float(part.half_variance[1, 2] / part.variance[1, 2] ** 2) for part in (alone, together[0]))
        ratios.append(several / one)
        wild.append(together[4].variance[0, 1] / together[0].variance[0, 1])
    assert np.median(ratios) < 0.95
    assert np.median(wild) > 3


def test_collections_whose_variance_is_small_by_chance_count_no_more_than_others() -> None:
    names, variances = [("a", "b")] * 5, []
    for seed in range(150):
        parts = [
            repetition_variances(log_s, np.ones(log_s.shape[:2], dtype=bool))
            for log_s in drawn([0.01, 0.01], seed, forms=0.001, runs=5)
        ]
        variances.append(np.mean([part.variance[0, 1] for part in over_collections(names, parts)]))
    assert np.mean(variances) == pytest.approx(2 * 0.01**2 / REPETITIONS, rel=0.08)


def test_one_repetition_gives_no_process_variance() -> None:
    table = drawn([0.02, 0.02], runs=30)[:, :, :, :1]
    result = estimated(table)
    assert (result.variance == 0).all()
    error = means(table[:, 0] - table[:, 1], result[:, 0, 1]).error
    assert (error > 0).all()


def test_two_strategies_have_the_estimate_of_their_own_pair() -> None:
    log_s = drawn([0.02, 0.02])
    measured = repetition_variances(log_s, np.ones(log_s.shape[:-1], dtype=bool))
    excess = np.maximum(0.0, measured.between - measured.within)[:, 0, 1]
    assert estimated(log_s).variance[:, 0, 1] == pytest.approx(excess)


def test_collections_may_have_different_strategies() -> None:
    first, second = (drawn([0.01] * size, seed, runs=1)[0] for seed, size in ((1, 4), (2, 3)))
    parts = [repetition_variances(log_s, np.ones(log_s.shape[:2], dtype=bool)) for log_s in (first, second)]
    result = over_collections([tuple("abcd"), tuple("eca")], parts)
    turned = over_collections(
        [tuple("abcd"), tuple("ace")],
        [parts[0], repetition_variances(second[::-1], np.ones((3, 40), dtype=bool))],
    )
    assert [part.variance.shape for part in result] == [(4, 4), (3, 3)]
    assert result[1].variance[::-1, ::-1] == pytest.approx(turned[1].variance)


def test_strategies_without_an_estimate_have_none_and_do_not_disturb_the_others() -> None:
    log_s = drawn([0.02] * 6, runs=1)[0] * 1000
    finished = np.ones(log_s.shape[:2], dtype=bool)
    finished[5, 1:] = False
    result = process_variance(repetition_variances(log_s, finished))
    alone = process_variance(repetition_variances(log_s[:5], finished[:5]))
    assert (result.variance[5] == 0).all()
    assert result.variance[:5, :5] == pytest.approx(alone.variance)


def test_times_without_variation_have_none() -> None:
    result = estimated(np.ones((2, 3, 20, 5)))
    assert (result.variance == 0).all()
    assert np.isfinite(result.half_variance).all()
