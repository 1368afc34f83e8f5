"""The set of the best holds the truly cheapest strategy, on a subset of the study."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bench.studies import recommend_coverage
from bench.studies.recommend_coverage import Cell, cells, coverage, drawn
from tests.conftest import TOP

DRAWS = 150


@pytest.mark.parametrize("number", range(0, 160, 23))
def test_the_cheapest_strategy_is_kept(number: int) -> None:
    cell = list(cells())[number]
    share = coverage(cell, number, DRAWS)
    assert share["kept"] * DRAWS >= stats.binom.ppf(0.002, DRAWS, 0.94)


def test_a_dearer_strategy_is_left_out_where_costs_spread_little() -> None:
    assert coverage(Cell(60, 0.5, 5, False, False), 0, DRAWS)["excluded"] > 0.95
    assert coverage(Cell(15, 2.0, 5, False, False), 0, DRAWS)["excluded"] < 0.5


@pytest.mark.parametrize("skew", [False, True])
def test_all_strategies_have_the_same_true_mean(skew: bool) -> None:
    costs = drawn(Cell(400_000, 0.8, 3, skew, False), np.random.default_rng(0))
    np.testing.assert_allclose(costs.mean(axis=(1, 2)), 1.0, rtol=0.03)


def test_the_committed_study_is_complete_and_its_table_stands_in_the_methodology() -> None:
    table = pd.read_csv(TOP / "results" / "validation" / "recommend.csv")
    factors = list(Cell.__annotations__)
    pd.testing.assert_frame_equal(table[factors], pd.DataFrame(list(cells()))[factors])
    assert (table["kept"] >= recommend_coverage.ACCEPTED).all()
    page = (TOP / "docs" / "methodology.md").read_text(encoding="utf-8")
    assert recommend_coverage.markdown(table) in page
