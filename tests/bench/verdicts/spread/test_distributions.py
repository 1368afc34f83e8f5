"""Intervals of medians."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bench.verdicts.spread.distributions import median_interval


@pytest.mark.parametrize(
    ("n", "place"),  # of the lower end: Conover 1999, table A3, binomial with p = 1/2
    [(6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4), (20, 6), (25, 8), (30, 10)],
)
def test_the_interval_of_a_median_is_that_of_the_sign_test(n: int, place: int) -> None:
    times = np.random.default_rng(n).permutation(np.arange(1.0, n + 1))
    assert median_interval(times) == (place, n + 1 - place)


def test_too_few_values_give_no_interval() -> None:
    assert median_interval(np.arange(1.0, 6)) == (-math.inf, math.inf)


def test_unfinished_values_rank_above_all_others() -> None:
    times = np.array([1.0, 2, 3, 4, 5, 6, 7, math.inf, math.inf, math.inf])
    assert median_interval(times) == (2.0, math.inf)
