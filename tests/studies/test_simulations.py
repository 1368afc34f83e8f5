"""Drift and choice, on a subset of the studies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from studies import simulations
from studies.simulations import CHOICE, choice, drift_claims

NO_CHANGE = {"drift": 0.06, "margin": 0.05, "change": 0.0, "hidden": False}


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize("strategies", [1, 4])
def test_drift_is_no_change(strategies: int) -> None:
    [default] = drift_claims(rng(), 60, strategies=strategies, **NO_CHANGE)
    assert default["false"] * 60 <= stats.binom.ppf(0.995, 60, simulations.MOST_FALSE)
    assert math.isnan(default["found"])
    for hidden in (False, True) if strategies > 1 else ():
        changed = NO_CHANGE | {"drift": 0.02, "change": 0.2, "hidden": hidden}
        [row] = drift_claims(rng(), 60, strategies=strategies, **changed)
        assert row["false"] <= 0.1 < 0.9 < row["found"]


def test_the_cheapest_strategy_is_kept_and_a_dearer_one_left_out_where_costs_spread_little() -> None:
    table = CHOICE.results(draws=150, every=23)
    table = table[~table["tails"]]
    assert (table["kept"] * 150 >= stats.binom.ppf(0.002, 150, 0.94)).all()
    models = {"skew": False, "last": False, "strategies": 6, "tails": False}
    [narrow] = choice(rng(), 150, puzzles=60, spread=0.5, **models)
    [wide] = choice(rng(), 150, puzzles=15, spread=2.0, **models)
    assert wide["excluded"] < 0.5 < 0.95 < narrow["excluded"]


@pytest.mark.parametrize("skew", [False, True])
def test_all_strategies_have_the_same_true_mean(skew: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr(simulations, "is_slower", lambda costs, place: bool(drawn.append((costs, place))))
    choice(rng(), 1, puzzles=400_000, spread=0.8, strategies=3, skew=skew, last=False, tails=False)
    for (costs, place), factor in zip(drawn, (0.999, 1.5), strict=True):
        expected = np.where(np.arange(3) == place, factor, 1.0)
        np.testing.assert_allclose(costs.mean(axis=(1, 2)), expected, rtol=0.03)


def test_a_tail_in_the_sample_is_named_or_the_cheapest_is_kept() -> None:
    [row] = choice(rng(), 60, puzzles=40, spread=0.3, strategies=2, skew=False, last=True, tails=True)
    assert 0 < row["with_tail"] < 60
    assert row["kept_with_tail"] >= simulations.KEPT * row["with_tail"]
    assert row["kept"] < 0.9  # what is not in the sample cannot be known
    assert row["named"] >= 0.9 * row["with_tail"]
