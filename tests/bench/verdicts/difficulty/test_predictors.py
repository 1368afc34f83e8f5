"""Rank correlations of times with measures of difficulty, and their intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from bench.verdicts.difficulty.predictors import interval, predictors
from tests.bench.figures.cases import case


def test_correlations_are_those_of_the_times_of_puzzles() -> None:
    run = case("usual")
    table = predictors(run, 9).set_index(["strategy", "measure"])
    both = run.per_puzzle.merge(run.puzzles, on=["collection", "puzzle"])
    for strategy, rows in both.groupby("strategy"):
        line = table.loc[(strategy, "guesses")]
        assert line["rho"] == pytest.approx(stats.spearmanr(rows["cpu_s"], rows["guesses"]).statistic)
        assert line["n_puzzles"] == 90
        assert line["rho_lo"] < line["rho"] < line["rho_hi"]


def test_unfinished_times_rank_last() -> None:
    """The first strategy does not finish hard puzzles; its times are then tied above all others."""
    run = case("some timeouts")
    assert np.isinf(run.per_puzzle["cpu_s"]).any()
    table = predictors(run, 9)
    assert table["rho"].notna().all()
    steep = table[(table["measure"] == "guesses") & (table["strategy"] == "family1:model3@engine")]
    assert float(steep["rho"].iloc[0]) > 0.5


def test_intervals_cover_the_true_correlation_about_as_often_as_they_say() -> None:
    """Of normal values with correlation r, the rank correlation is 6/π·asin(r/2) (Pearson 1907)."""
    rng = np.random.default_rng(4)
    r, n = 0.7, 60
    true, inside = 6 / math.pi * math.asin(r / 2), 0
    for _ in range(400):
        x = rng.standard_normal(n)
        y = r * x + math.sqrt(1 - r * r) * rng.standard_normal(n)
        low, high = interval(float(stats.spearmanr(x, y).statistic), n)
        inside += low <= true <= high
    assert 0.92 <= inside / 400 <= 0.985


def test_unknown_and_perfect_correlations() -> None:
    assert all(map(math.isnan, interval(math.nan, 50)))
    assert all(map(math.isnan, interval(0.5, 3)))
    assert interval(1.0, 50) == (1.0, 1.0)
