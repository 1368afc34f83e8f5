"""Measures of difficulty against each other: numbers that rise with it, and how alike they rank puzzles."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

MEASURES = ("guesses", "te_rounds", "unsolved_singles", "unsolved_locked", "backdoor", "er", "clues")
MIN_PUZZLES = 10  # with fewer a correlation says nothing


def measures(puzzles: pd.DataFrame) -> pd.DataFrame:
    """The columns ``MEASURES`` as numbers, a row per puzzle; NaN where one is not known.

    What is beyond a scale (``>4.4``, or trial and error of two levels) is infinite: above all on the scale, and the
    same as any other beyond it.
    """
    numbers = pd.DataFrame(index=puzzles.index)
    for name in MEASURES:
        text = puzzles[name].astype(str) if name in puzzles else pd.Series("", puzzles.index)
        numbers[name] = pd.to_numeric(text.where(~text.str.startswith(">"), "inf"), errors="coerce")
    if "te_depth" in puzzles:
        numbers["te_rounds"] = numbers["te_rounds"].mask(puzzles["te_depth"] > 1, math.inf)
    return numbers


def told(numbers: pd.DataFrame) -> list[str]:
    """The measures that are known of enough puzzles and tell them apart."""
    return [name for name in MEASURES if numbers[name].count() >= MIN_PUZZLES and numbers[name].nunique() > 1]


def correlation(one: pd.Series[float], other: pd.Series[float]) -> float:
    """Spearman's ρ over the puzzles for which both are known (Spearman 1904); ties have mean ranks.

    NaN where those puzzles are too few, or one of the two does not vary over them.
    """
    known = one.notna() & other.notna()
    if known.sum() < MIN_PUZZLES or one[known].nunique() < 2 or other[known].nunique() < 2:
        return math.nan
    return float(stats.spearmanr(one[known], other[known]).statistic)


def correlations(numbers: pd.DataFrame, names: Sequence[str]) -> NDArray[np.float64]:
    """The correlation of each two measures."""
    found = np.eye(len(names))
    for i, one in enumerate(names):
        for j, other in enumerate(names[:i]):
            found[i, j] = found[j, i] = correlation(numbers[one], numbers[other])
    return found
