"""Measures of difficulty as numbers, and their rank correlations."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from bench.verdicts.difficulty.measures import MEASURES, correlation, correlations, measures, usable


def puzzles(**columns: list[object]) -> pd.DataFrame:
    return pd.DataFrame(columns)


def test_what_is_beyond_a_scale_is_above_all_on_it() -> None:
    found = measures(
        puzzles(er=["2.0", ">4.4", None], te_rounds=[3, 2, 4], te_depth=[1, 2, 1], backdoor=["0", ">2", "1"])
    )
    assert list(found) == list(MEASURES)
    assert found["er"].tolist()[:2] == [2.0, math.inf]
    assert math.isnan(found["er"][2])
    assert found["te_rounds"].tolist() == [3, math.inf, 4]
    assert found["backdoor"].tolist() == [0, math.inf, 1]
    assert found["clues"].isna().all()


def test_only_measures_that_tell_puzzles_apart_are_told() -> None:
    numbers = measures(puzzles(clues=[*range(12)], guesses=[1.0] * 12, te_rounds=[*range(9), None, None, None]))
    assert usable(numbers) == ["clues"]


def test_ranks_alone_decide_and_ties_share_theirs() -> None:
    x = pd.Series(np.arange(12.0))
    assert correlation(x, np.exp(x)) == pytest.approx(1)
    assert correlation(x, -x) == pytest.approx(-1)
    # Two blocks of six ties each: 12 / sqrt(143 * 108 / 12 / 12 * 12 * 12) by hand.
    blocks = pd.Series([0.0] * 6 + [math.inf] * 6)
    assert correlation(x, blocks) == pytest.approx(108 / math.sqrt(143 * 108))


def test_what_cannot_be_told_is_nan() -> None:
    x = pd.Series(np.arange(12.0))
    assert math.isnan(correlation(x, pd.Series([1.0] * 12)))
    assert math.isnan(correlation(x, x.where(x > 3)))


def test_the_table_is_symmetric_with_ones() -> None:
    rng = np.random.default_rng(1)
    numbers = pd.DataFrame(rng.normal(size=(20, 3)), columns=list("abc"))
    found = correlations(numbers, "abc")
    assert np.array_equal(found, found.T)
    assert np.array_equal(np.diag(found), np.ones(3))
    assert found[0, 2] == pytest.approx(numbers["a"].rank().corr(numbers["c"].rank()))
