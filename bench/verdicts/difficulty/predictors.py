"""Which measure of difficulty predicts which strategy: the rank correlation of each strategy's times with each measure.

Intervals use Fisher's transformation with the variance for ranks of Bonett & Wright 2000, "Sample size requirements for
estimating Pearson, Kendall and Spearman correlations", and count puzzles of one lineage as one.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from bench.verdicts.difficulty.measures import MIN_PUZZLES, correlation, measures, usable
from bench.verdicts.lineages import clusters
from bench.verdicts.run_data import RunData
from bench.verdicts.spread.distributions import effective_size

PREDICTOR_COLUMNS = (
    "strategy",
    "measure",
    "n_puzzles",  # with a time and a value
    "rho",  # Spearman's; empty if there are too few puzzles
    "rho_lo",
    "rho_hi",  # its 95% interval
)


def predictors(run: RunData, size: int) -> pd.DataFrame:
    """Return a row per strategy and measure, columns ``PREDICTOR_COLUMNS``, on boards of one size.

    A time is the median of a puzzle; unfinished ones rank above all others, tied. Measures that are known for too few
    of the puzzles, or do not vary, are left out.

    Args:
        size: rows of the board.
    """
    puzzles = run.puzzles[run.puzzles["grid"].str.len() == size * size].reset_index(drop=True)
    numbers = measures(puzzles)
    names = usable(numbers)
    keyed = numbers[names].assign(collection=puzzles["collection"], puzzle=puzzles["puzzle"], cluster=clusters(puzzles))
    rows = []
    for strategy, times in run.per_puzzle[run.per_puzzle["size"] == size].groupby("strategy", sort=True):
        both = times[["collection", "puzzle", "cpu_s"]].merge(keyed, on=["collection", "puzzle"])
        for name in names:
            known = both[both[name].notna()]
            rho = correlation(known["cpu_s"], known[name]) if len(known) >= MIN_PUZZLES else math.nan
            low, high = interval(rho, effective_size(known["cluster"].to_numpy()) if len(known) else 0.0)
            rows.append((str(strategy), name, len(known), rho, low, high))
    return pd.DataFrame(rows, columns=list(PREDICTOR_COLUMNS))


def interval(rho: float, n: float) -> tuple[float, float]:
    """Return the 95% interval of a rank correlation over n independent puzzles; NaN where it is unknown."""
    if math.isnan(rho) or n <= 3:
        return math.nan, math.nan
    if abs(rho) >= 1:
        return rho, rho
    half = float(stats.norm.isf(0.025)) * math.sqrt((1 + rho * rho / 2) / (n - 3))
    return float(np.tanh(math.atanh(rho) - half)), float(np.tanh(math.atanh(rho) + half))
