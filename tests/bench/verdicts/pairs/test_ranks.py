"""Ranks, Friedman's test and critical differences, by hand and by published figures."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from bench.verdicts.pairs.ranks import RANKS_COLUMNS, critical_difference, friedman, groups, ranks
from tests.bench.verdicts.simulated_runs import a_run, drawn


@pytest.mark.parametrize(
    ("strategies", "quantile"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (8, 3.031), (9, 3.102), (10, 3.164)],
)
def test_critical_differences_match_the_published_table(strategies: int, quantile: float) -> None:
    """Demšar 2006, table 5(a)."""
    expected = quantile * math.sqrt(strategies * (strategies + 1) / (6 * 14))
    assert critical_difference(strategies, 14) == pytest.approx(expected, rel=1e-3)


def test_ranks_by_hand_with_unfinished_solves_last_and_tied() -> None:
    seconds = np.array([[1.0, 1, 2], [2, 1, math.inf], [3, math.inf, math.inf]])
    mean, p = friedman(seconds)
    assert list(mean) == pytest.approx([(1 + 1.5 + 1) / 3, (2 + 1.5 + 2.5) / 3, (3 + 3 + 2.5) / 3])
    assert p == pytest.approx(stats.friedmanchisquare([1, 1.5, 1], [2, 1.5, 2.5], [3, 3, 2.5]).pvalue)


def test_two_strategies_have_ranks_but_no_test_and_equal_ones_do_not_differ() -> None:
    mean, p = friedman(np.array([[1.0, 2], [2, 1]]))
    assert list(mean) == [1.5, 1.5]
    assert math.isnan(p)
    assert friedman(np.ones((3, 20)))[1] == 1.0


@pytest.mark.parametrize(
    ("means", "critical", "letters"),
    [
        ([1.0, 2.0, 3.0], 0.5, ["a", "b", "c"]),
        ([1.0, 1.4, 3.0], 0.5, ["a", "a", "b"]),
        ([1.0, 1.4, 1.8, 3.0], 0.5, ["a", "ab", "b", "c"]),
        ([1.0, 1.4, 1.8, 2.2], 0.9, ["a", "ab", "ab", "b"]),
        ([1.0, 2.0], 1.0, ["a", "b"]),
        ([2.0, 2.0, 2.0], 0.1, ["a", "a", "a"]),
    ],
)
def test_strategies_that_share_a_letter_differ_by_less_than_the_critical_difference(means, critical, letters) -> None:
    assert groups(np.array(means), critical) == letters


def test_the_table_lists_the_fastest_first_and_leaves_out_wrong_strategies() -> None:
    rng = np.random.default_rng(1)
    curves = {name: (lambda x, ratio=ratio: ratio * x) for name, ratio in {"slow": 9, "fast": 1, "same": 1.0}.items()}
    seconds = drawn(curves, np.ones(30), 3, rng)
    run = a_run(seconds, list(curves), np.ones(30), limit_s=20.0)
    table = ranks(run)
    assert tuple(table.columns) == RANKS_COLUMNS
    assert table["strategy"].iloc[2] == "slow"
    assert table["groups"].to_list() == ["a", "a", "b"]
    assert (table["p_friedman"] < 0.001).all()
    assert table["mean_rank"].sum() == pytest.approx(6)
    rows = run.measurements
    with_fault = dataclasses.replace(
        run, measurements=rows.assign(status=rows["status"].mask(rows.index == 0, "wrong"))
    )
    assert set(ranks(with_fault)["strategy"]) == {"fast", "same"}
