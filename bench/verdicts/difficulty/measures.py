"""Measures of difficulty as numbers, and the rank correlations between them."""

from __future__ import annotations

import math

import pandas as pd
from scipy import stats

MEASURES = (
    *("guesses", "conflicts", "lookahead", "te_rounds", "unsolved_singles", "unsolved_locked", "backdoor", "er"),
    "clues",
)
MIN_PUZZLES = 10  # that a correlation needs


def measures(puzzles: pd.DataFrame) -> pd.DataFrame:
    """Return the columns ``MEASURES`` as numbers, a row per puzzle; NaN where unknown.

    A value beyond the scale (such as ``>9.4``, or trial and error of two levels) is infinite: it ranks above all
    values on the scale, tied with all others beyond it.
    """
    numbers = pd.DataFrame(index=puzzles.index)
    for name in MEASURES:
        text = puzzles[name].astype(str) if name in puzzles else pd.Series("", puzzles.index)
        numbers[name] = pd.to_numeric(text.where(~text.str.startswith(">"), "inf"), errors="coerce")
    if "te_depth" in puzzles:
        numbers["te_rounds"] = numbers["te_rounds"].mask(puzzles["te_depth"] > 1, math.inf)
    return numbers


def usable(numbers: pd.DataFrame) -> list[str]:
    """Return the measures that are known for enough puzzles and vary."""
    return [name for name in MEASURES if numbers[name].count() >= MIN_PUZZLES and numbers[name].nunique() > 1]


def correlation(one: pd.Series[float], other: pd.Series[float]) -> float:
    """Return Spearman's ρ over the puzzles for which both are known (Spearman 1904); ties have mean ranks.

    NaN if there are too few such puzzles, or one of the two does not vary over them.
    """
    both_known = one.notna() & other.notna()
    if both_known.sum() < MIN_PUZZLES or one[both_known].nunique() < 2 or other[both_known].nunique() < 2:
        return math.nan
    return float(stats.spearmanr(one[both_known], other[both_known]).statistic)
