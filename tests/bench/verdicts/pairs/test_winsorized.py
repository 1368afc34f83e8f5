"""Outlying measurements are limited; differences of strategies, puzzles, forms and processes stay."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bench.verdicts.pairs.winsorized import winsorized

SHAPE = STRATEGIES, PUZZLES, REPETITIONS = 4, 30, 5
SEEDS = st.integers(0, 2**32 - 1)
NONE = np.zeros(SHAPE, dtype=bool)


def noise(seed: int, shape: tuple[int, ...] = SHAPE) -> np.ndarray:
    return 0.05 * np.random.default_rng(seed).standard_normal(shape)


@given(SEEDS)
def test_effects_of_strategies_puzzles_forms_and_processes_change_nothing_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    effects = (
        3 * rng.standard_normal((STRATEGIES, PUZZLES, 1))  # a strategy on a puzzle
        + rng.standard_normal((1, PUZZLES, REPETITIONS))  # a form, and the moment of the machine
        + 0.2 * rng.standard_normal((STRATEGIES, 1, REPETITIONS))  # a process
    )
    log_s = noise(seed) + effects
    limited = winsorized(log_s, NONE)
    assert np.abs(limited - effects).max() < 0.3  # 6 standard deviations of the noise: no effect is limited
    assert np.abs((limited - log_s).mean(axis=1)).max() < 0.03  # the mean of a process stays what it is
    assert np.abs((limited - log_s).mean(axis=(1, 2))).max() < 0.01


@given(SEEDS)
def test_faster_is_the_mirror_image_of_slower(seed: int) -> None:
    np.testing.assert_allclose(winsorized(-noise(seed), NONE), -winsorized(noise(seed), NONE))


def test_a_burst_of_the_machine_counts_little() -> None:
    quiet, burst = noise(1), noise(1)
    burst[2, 7, 3] += 1.0
    plain, limited = (
        abs(table(burst) - table(quiet))[2].mean() for table in (np.asarray, lambda x: winsorized(x, NONE))
    )
    assert limited < 0.25 * plain


def test_three_repetitions_are_left_as_they_are() -> None:
    log_s = noise(4)[..., :3] * 100 ** np.random.default_rng(4).standard_normal((STRATEGIES, PUZZLES, 3))
    assert winsorized(log_s, NONE[..., :3]) is log_s


def test_puzzles_that_a_strategy_did_not_finish_are_left_as_they_are_for_it() -> None:
    log_s, censored = noise(5), NONE.copy()
    log_s[1, 4] += (0, 0, 5, 0, 0)
    log_s[2, 4] += (0, 0, 5, 0, 0)
    censored[1, 4, 0] = True
    limited = winsorized(log_s, censored)
    np.testing.assert_array_equal(limited[1, 4], log_s[1, 4])
    assert limited[2, 4, 2] < 1
    everything = np.ones(SHAPE, dtype=bool)
    assert winsorized(log_s, everything) is log_s
