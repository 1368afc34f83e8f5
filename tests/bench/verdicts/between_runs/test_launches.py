"""Figures of launches: estimates match SciPy, bounds match hand-computed values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sudoku_bench.bench.verdicts.between_runs.launches import (
    Launches,
    difference,
    estimates,
    of_run,
    p_beyond,
    ratio,
)
from sudoku_bench.bench.verdicts.times import times
from tests.bench.verdicts.simulated_runs import a_run


def known(values: object) -> Launches:
    figures = np.asarray(values, dtype=float)
    return Launches(tuple(range(1, len(figures) + 1)), np.stack([figures, figures]))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("null", [0.0, 0.05])
def test_differences_have_students_interval_and_p_value(seed: int, null: float) -> None:
    values = np.random.default_rng(seed).normal(0.05, 0.05, 5)
    result = estimates((known(values),))
    beyond = [
        stats.ttest_1samp(values, null, alternative="greater").pvalue,
        stats.ttest_1samp(values, -null, alternative="less").pvalue,
    ]
    assert p_beyond(result, null) == pytest.approx(min(1.0, 2 * min(beyond)))
    ends = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    columns = ratio(result)
    assert columns["ratio"] == pytest.approx(math.exp(values.mean()))
    assert columns["ratio_lo"] == pytest.approx(math.exp(ends.low))
    assert columns["ratio_hi"] == pytest.approx(math.exp(ends.high))


@pytest.mark.parametrize("seed", range(5))
def test_two_runs_have_welchs_interval_and_p_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    old, new = rng.normal(0.0, 0.01, 5), rng.normal(0.03, 0.05, 8)
    result = estimates((known(old), known(new)))
    test = stats.ttest_ind(new, old, equal_var=False)
    assert p_beyond(result, 0.0) == pytest.approx(test.pvalue)
    columns = ratio(result)
    assert columns["ratio_lo"] == pytest.approx(math.exp(test.confidence_interval(0.95).low))
    assert columns["ratio_hi"] == pytest.approx(math.exp(test.confidence_interval(0.95).high))


def test_subtraction_swaps_bounds() -> None:
    mine = Launches((1, 2, 3), np.array([[1.0, 2.0, 3.0], [1.5, 2.0, np.inf]]))
    theirs = Launches((2, 3, 4), np.array([[0.2, 0.4, 0.0], [0.6, 0.4, 0.0]]))
    result = mine.minus(theirs)
    assert result.numbers == (2, 3)
    np.testing.assert_allclose(result.bounds, [[2.0 - 0.6, 3.0 - 0.4], [2.0 - 0.2, np.inf]])


def test_a_launch_by_hand() -> None:
    """Three puzzles, two launches of one repetition; the limit is 10 s."""
    old = times(a_run(np.array([[[1.0, 2.0], [4.0, 4.0], [5.0, 11.0]]]), ["s:a"], np.ones(3), 10.0, 2).measurements)
    new = times(a_run(np.array([[[2.0, 2.0], [2.0, 8.0], [11.0, 11.0]]]), ["s:a"], np.ones(3), 10.0, 2).measurements)
    result = difference(old, new, "s:a")
    # Launch 1: 2, 1/2, at least 2. Launch 2: 1, 2, anything.
    np.testing.assert_allclose(np.exp(result.bounds), [[2.0, 1.0], [2.0, 2.0]])
    alone = of_run(new, "s:a", use_mean=False)
    np.testing.assert_allclose(np.exp(alone.bounds[0]), [2.0, 8.0])
    complete = times(a_run(np.array([[[1.0, 2.0], [4.0, 8.0]]]), ["s:a"], np.ones(2), 10.0, 2).measurements)
    np.testing.assert_allclose(np.exp(of_run(complete, "s:a", use_mean=True).bounds[0]), [2.0, 4.0])  # geometric means
