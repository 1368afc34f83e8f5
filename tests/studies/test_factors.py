"""Effects of factors: exact where nothing is random, intervals that cover known effects, censored times."""

from __future__ import annotations

import numpy as np
import pytest

from studies.factors import TooManyUnfinishedError, coverage, drawn, effects, fit, shares


def additive(a, b, puzzles: int = 6, repetitions: int = 2):
    """Log times that are sums of levels and puzzles."""
    of_puzzles = np.linspace(0, 1, puzzles)[None, None, :, None]
    log_s = np.array(a)[:, None, None, None] + np.array(b)[None, :, None, None] + of_puzzles
    return np.repeat(log_s, repetitions, axis=3)


def test_effects_of_sums_are_exact() -> None:
    log_s = additive([0.0, 0.2], [-0.5, 0.0, 0.5])
    found = {e.levels: e.ratio for e in effects(log_s, np.zeros(log_s.shape, dtype=bool))}
    assert found[0, None] == pytest.approx(np.exp(-0.1))
    assert found[None, 2] == pytest.approx(np.exp(0.5))
    assert all(found[a, b] == pytest.approx(1) for a in range(2) for b in range(3))
    total = 0.01 + 0.5 / 3
    assert shares(log_s) == pytest.approx({(0,): 0.01 / total, (1,): 0.5 / 3 / total, (0, 1): 0})
    log_s[0, 0] += 0.6  # a combination is what the levels leave
    found = {e.levels: e.ratio for e in effects(log_s, np.zeros(log_s.shape, dtype=bool))}
    assert [found[0, 0], found[0, 1]] == pytest.approx([np.exp(0.2), np.exp(-0.1)])


def test_bounds_are_replaced_by_what_lies_beyond_them() -> None:
    rng = np.random.default_rng(1)
    values = rng.standard_normal((4, 50)) * 0.3 + rng.standard_normal((1, 50)) + np.array([[0.0], [0], [0], [1.0]])
    limit = 1.8
    fitted, _ = fit(np.minimum(values, limit), values > limit)
    cut = np.minimum(values, limit)
    assert (values > limit).sum() > 10
    assert abs(fitted[3].mean() - values[3].mean()) < abs(cut[3].mean() - values[3].mean())


def test_intervals_cover_known_effects() -> None:
    """A few draws of one cell; the study counts all of them."""
    [found] = coverage(np.random.default_rng(5), 12, puzzles=20, replicates=3, process=0.05, unfinished=0.05)
    assert min(found.values()) > 0.85


def test_no_interval_is_longer_than_those_of_all_other_levels_together() -> None:
    """Their effects add up to nothing; degrees of freedom of their own made one twenty times as long as two others."""
    for number in range(20):
        rng, shape = np.random.default_rng(number), (4, 3, 18, 3)
        log_s = rng.standard_normal((1, 1, 18, 1)) + 0.006 * rng.standard_normal((4, 3, 18, 1))
        log_s = log_s + 0.01 * rng.standard_normal((4, 3, 1, 3)) + 0.01 * rng.standard_normal(shape)
        engines = [e for e in effects(log_s, np.zeros(shape, dtype=bool)) if e.levels[0] is None]
        lengths = np.array([np.log(e.hi / e.lo) for e in engines])
        assert (lengths <= (lengths.sum() - lengths) * (1 + 1e-9)).all()


def test_a_strategy_that_solves_too_little_has_no_effect() -> None:
    _, log_s, censored = drawn(np.random.default_rng(3), puzzles=15, replicates=3, process=0.05, unfinished=0.1)
    censored[0, 0, :10] = True
    with pytest.raises(TooManyUnfinishedError):
        effects(log_s, censored)
