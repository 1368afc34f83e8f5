"""The estimates behind pairs: intervals and p-values that fit each other, order statistics, shared processes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.pairs.censored import Bounds, Medians, medians, puzzle_times
from bench.verdicts.pairs.decision import ABOVE, BELOW, Estimate, interval, p_different, p_equivalent
from bench.verdicts.pairs.means import means
from bench.verdicts.pairs.paired import compare
from bench.verdicts.pairs.process_variance import ProcessVariance, ReplicateVariances, pool, replicate_variances

Floats = NDArray[np.float64]
PAIRS = 300


def tables(seed: int, puzzles: int = 20, process: float = 0.02, mean: float = 0.1) -> Floats:
    """Log ratios, pairs × puzzles × replicates, skew."""
    rng = np.random.default_rng(seed)
    taste = 0.2 * (rng.exponential(size=(PAIRS, puzzles, 1)) - 1)
    noise = 0.05 * rng.standard_normal((PAIRS, puzzles, 5))
    return mean + taste + process * rng.standard_normal((PAIRS, 1, 5)) + noise


def no_variance(pairs: int) -> ProcessVariance:
    return ProcessVariance(np.zeros(pairs), np.ones(pairs))


def of_means(seed: int) -> Estimate:
    table = tables(seed)
    return means(table, pool(replicate_variances(table, np.ones(table.shape[:2], dtype=bool)), 2))


def of_medians(seed: int, limit: float = 0.3) -> Estimate:
    table = tables(seed)
    shared = pool(replicate_variances(table, np.ones(table.shape[:2], dtype=bool)), 2)
    slow = puzzle_times(np.minimum(table, limit), table > limit)
    fast = np.zeros(slow.least.shape)
    return medians(slow, Bounds(fast, fast), shared, 5)


@pytest.mark.parametrize("kind", [of_means, of_medians])
def test_a_p_value_is_below_a_level_where_the_interval_leaves_the_value_out(kind) -> None:
    found = kind(1)
    for level in (0.05, 0.001):
        low, high = interval(found, 1 - level)
        outside = (low > 0) | (high < 0)
        assert 0 < outside.sum() < PAIRS
        assert ((p_different(found) < level) == outside).all()


@pytest.mark.parametrize("kind", [of_means, of_medians])
def test_equivalence_is_where_the_interval_of_90_percent_lies_inside_the_margin(kind) -> None:
    found = kind(2)
    low, high = interval(found, 0.9)
    inside = (low > -0.18) & (high < 0.18)
    assert 0 < inside.sum() < PAIRS
    assert ((p_equivalent(found, 0.18) < 0.05) == inside).all()


@pytest.mark.parametrize("kind", [of_means, of_medians])
def test_surer_intervals_hold_the_less_sure_ones(kind) -> None:
    found = kind(3)
    ends = [interval(found, level) for level in (0.5, 0.9, 0.95, 0.999, 0.99999)]
    for (low, high), (lower, higher) in itertools.pairwise(ends):
        assert (lower <= low).all()
        assert (higher >= high).all()


def test_without_skewness_and_processes_the_interval_is_that_of_student() -> None:
    rng = np.random.default_rng(4)
    half = rng.standard_normal((5, 10, 1))
    table = np.concatenate([1 + half, 1 - half], axis=1)
    found = interval(means(table, no_variance(5)), 0.95)
    expected = stats.t.interval(0.95, 19, 1.0, stats.sem(table[:, :, 0], axis=1))
    assert np.allclose(found, expected)


def test_the_interval_reaches_further_on_the_side_of_the_long_tail_and_never_less_far_than_that_of_student() -> None:
    table = tables(5, process=0.0)
    mean = means(table, no_variance(PAIRS))
    low, high = interval(mean, 0.95)
    half = stats.t.isf(0.025, mean.freedom) * mean.error
    assert (mean.mean - low >= half * (1 - 1e-12)).all()
    assert (high - mean.mean >= half * (1 - 1e-12)).all()
    longer = (high - mean.mean) > (mean.mean - low)
    assert (longer == (mean.skewness > 0)).mean() > 0.99
    assert longer.mean() > 0.9


def test_a_pair_alone_has_the_error_of_the_paired_comparison() -> None:
    table = tables(6)
    mean = means(table, pool(replicate_variances(table, np.ones(table.shape[:2], dtype=bool)), 2))
    known = [compare(one) for one in table]
    assert np.exp(mean.mean) == pytest.approx([ratio.ratio for ratio in known])
    half = stats.t.isf(0.025, mean.freedom) * mean.error
    same = np.isclose(half, [np.log(ratio.hi / ratio.ratio) for ratio in known], rtol=1e-3)
    assert same.mean() > 0.9  # where replicates differ by more than puzzles do, ``compare`` takes them alone


def test_nothing_varies() -> None:
    table = np.full((3, 20, 5), 0.5)
    table[1] = 0.0
    found = means(table, pool(replicate_variances(table, np.ones((3, 20), dtype=bool)), 2))
    assert np.allclose(interval(found, 0.95), [[0.5, 0, 0.5]] * 2)
    assert list(p_different(found)) == pytest.approx([0, 1, 0], abs=1e-9)


@pytest.mark.parametrize("n", [15, 16, 40])
def test_ends_of_a_median_are_order_statistics_at_the_levels_of_the_sign_test(n: int) -> None:
    ordered = np.sort(np.random.default_rng(n).standard_normal((4, n)), axis=1)
    found = Medians(ordered, ordered, np.zeros(4), np.ones(4))
    for depth in range(1, n // 2):
        tail = stats.binom.cdf(depth - 1, n, 0.5)
        assert np.allclose(found.end(tail * (1 + 1e-12), BELOW), ordered[:, depth - 1])
        assert np.allclose(found.end(tail * (1 + 1e-12), ABOVE), ordered[:, n - depth])
    assert np.isneginf(found.end(0.5**n / 2, BELOW)).all()
    assert np.allclose(found.end(0.5, BELOW), np.median(ordered, axis=1))


def test_the_p_value_of_a_median_lies_between_those_of_the_sign_test_with_one_puzzle_more_and_less() -> None:
    rng = np.random.default_rng(8)
    ordered = np.sort(rng.standard_normal((200, 25)) + 0.3, axis=1)
    found = Medians(ordered, ordered, np.zeros(200), np.ones(200))
    below = (ordered < 0).sum(axis=1)
    p = found.p_beyond(0.0, ABOVE)
    assert (p <= np.minimum(0.5, stats.binom.cdf(below, 25, 0.5)) * (1 + 1e-6)).all()
    assert (p >= np.minimum(0.5, stats.binom.cdf(below - 1, 25, 0.5)) * (1 - 1e-6)).all()


def test_no_end_lies_between_values_that_puzzles_share() -> None:
    """With ties at 1 an interpolated end beside them would leave 1 out too often."""
    ordered = np.sort(np.concatenate([np.zeros((1, 8)), np.linspace(1, 2, 12)[None]], axis=1), axis=1)
    found = Medians(ordered, ordered, np.zeros(1), np.ones(1))
    ends = [float(found.end(tail, BELOW)[0]) for tail in np.geomspace(1e-5, 0.2, 50)]
    assert not any(0 < end < 1 for end in ends)


def test_the_time_of_a_puzzle_is_the_median_of_its_replicates_as_far_as_the_limit_lets_it_be_known() -> None:
    log_s = np.log([[[1.0, 2, 3, 9, 9], [1, 2, 9, 9, 9], [1, 2, 3, 4, 5]]])
    found = puzzle_times(log_s, log_s == np.log(9))
    assert np.exp(found.least[0]) == pytest.approx([3, 9, 3])
    assert np.exp(found.most[0]) == pytest.approx([3, np.inf, 3])
    even = puzzle_times(log_s[:, :, 1:], log_s[:, :, 1:] == np.log(9))
    assert np.exp(even.least[0]) == pytest.approx([np.sqrt(27), 9, np.sqrt(12)])
    assert np.isinf(even.most[0]).tolist() == [True, True, False]


def drawn_columns(process: float, pairs: int = 45, seed: int = 9, forms: float = 0.05) -> ReplicateVariances:
    rng = np.random.default_rng(seed)
    noise = forms * rng.standard_normal((pairs, 40, 3))
    return replicate_variances(process * rng.standard_normal((pairs, 1, 3)) + noise, np.ones((pairs, 40), dtype=bool))


def test_what_processes_vary_by_is_recovered_from_all_pairs_together() -> None:
    found = pool(drawn_columns(0.02), 10)
    assert np.median(found.variance) == pytest.approx(0.02**2 / 3, rel=0.35)
    nearly_nothing = pool(drawn_columns(0.0), 10)
    assert np.median(nearly_nothing.variance) < 0.1 * 0.02**2 / 3


def test_pairs_buried_in_noise_do_not_say_what_processes_vary_by() -> None:
    quiet, loud = drawn_columns(0.02, seed=10), drawn_columns(0.0, seed=11, forms=2.0)
    both = ReplicateVariances(
        np.concatenate([quiet.between, loud.between]),
        np.concatenate([quiet.within, loud.within]),
        np.concatenate([quiet.freedom, loud.freedom]),
        3,
    )
    assert np.median(pool(both, 14).variance) == pytest.approx(np.median(pool(quiet, 10).variance), rel=0.05)


def test_a_pair_whose_replicates_differ_far_more_than_the_others_is_believed() -> None:
    found = drawn_columns(0.01)
    found.between[7] *= 1000
    shared = pool(found, 10)
    assert shared.variance[7] == pytest.approx(found.between[7] - found.within[7])
    assert shared.variance[8] < shared.variance[7] / 10


def test_pairs_of_which_nothing_is_known_weigh_nothing_beside_noisy_ones() -> None:
    """A pair that never finished a puzzle twice has no variances; its zeros must not outweigh, nor overflow."""
    known = drawn_columns(0.02)
    noisy = ReplicateVariances(known.between * 1e6, known.within * 1e6, known.freedom, known.replicates)
    none = np.zeros(3)
    more = ReplicateVariances(
        np.append(noisy.between, none), np.append(noisy.within, none), np.append(noisy.freedom, none), 3
    )
    assert known.replicates == 3
    alone, together = pool(noisy, 10), pool(more, 10)
    assert together.variance[: len(known.within)] == pytest.approx(alone.variance)
    assert list(together.variance[-3:]) == [0.0] * 3


def test_with_one_replicate_nothing_is_known_of_processes() -> None:
    table = tables(12)[:, :, :1]
    found = pool(replicate_variances(table, np.ones(table.shape[:2], dtype=bool)), 10)
    assert (found.variance == 0).all()
    low, high = interval(means(table, found), 0.95)
    assert (low < high).all()


def test_processes_are_judged_by_puzzles_that_were_finished_in_every_replicate() -> None:
    table = tables(13)
    whole = np.ones(table.shape[:2], dtype=bool)
    whole[:, 15:] = False
    spoiled = table.copy()
    spoiled[:, 15:, 2:] = 99.0
    for one, other in zip(
        (lambda found: (found.between, found.within, found.freedom))(replicate_variances(spoiled, whole)),
        (lambda found: (found.between, found.within, found.freedom))(replicate_variances(table[:, :15], whole[:, :15])),
        strict=True,
    ):
        assert np.allclose(one, other)
