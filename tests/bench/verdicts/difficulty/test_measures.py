"""Measures of difficulty as numbers, and their rank correlations."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from bench.verdicts.difficulty.measures import MEASURES, correlation, measures, usable


def puzzles(**columns: list[object]) -> pd.DataFrame:
    return pd.DataFrame(columns)


def test_values_beyond_a_scale_rank_above_all_on_it() -> None:
    result = measures(
        puzzles(er=["2.0", ">4.4", None], te_rounds=[3, 2, 4], te_depth=[1, 2, 1], backdoor=["0", ">2", "1"])
    )
    assert list(result) == list(MEASURES)
    assert result["er"].tolist()[:2] == [2.0, math.inf]
    assert math.isnan(result["er"][2])
    assert result["te_rounds"].tolist() == [3, math.inf, 4]
    assert result["backdoor"].tolist() == [0, math.inf, 1]
    assert result["clues"].isna().all()


def test_only_measures_that_vary_are_usable() -> None:
    numbers = measures(puzzles(clues=[*range(12)], guesses=[1.0] * 12, te_rounds=[*range(9), None, None, None]))
    assert usable(numbers) == ["clues"]


def test_correlations_use_ranks_with_mean_ranks_for_ties() -> None:
    x = pd.Series(np.arange(12.0))
    assert correlation(x, np.exp(x)) == pytest.approx(1)
    assert correlation(x, -x) == pytest.approx(-1)
    # Two blocks of six ties each: 12 / sqrt(143 * 108 / 12 / 12 * 12 * 12) by hand.
    blocks = pd.Series([0.0] * 6 + [math.inf] * 6)
    assert correlation(x, blocks) == pytest.approx(108 / math.sqrt(143 * 108))


def test_unknown_correlations_are_nan() -> None:
    x = pd.Series(np.arange(12.0))
    assert math.isnan(correlation(x, pd.Series([1.0] * 12)))
    assert math.isnan(correlation(x, x.where(x > 3)))
