"""The cost of search: the time per conflict, guess, node or backtrack.

The model of a puzzle's search time is ``start + rate · count``. Both parameters are fitted to logarithms of times, so
that an easy puzzle weighs as much as a hard one. The interval uses the sandwich estimate of the variance, which assumes
neither equal variances nor a correct model (Huber 1967, White 1980), clustered by lineage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import optimize, stats

from bench.folder.rows import FINISHED
from bench.verdicts.arrays import Floats, Indices
from bench.verdicts.difficulty.local import MIN_PUZZLES
from bench.verdicts.lineages import clusters
from bench.verdicts.run_data import KEY, RunData, in_order

COUNTERS = ("conflicts", "guesses", "nodes", "backtracks")  # in order of preference: the first that a strategy reports
EFFORT_COLUMNS = ("strategy", "collection", "puzzle", "size", "n", "counter", "count", "search_s")
CERTAIN = math.log(2)  # a rate is reported if this log factor to either side covers its interval


def effort(run: RunData) -> pd.DataFrame:
    """Return a row per strategy, collection and puzzle, from comparable rows of strategies that report a counter.

    Columns ``EFFORT_COLUMNS``: ``size``, rows of the board; ``n``, finished measurements; ``counter``, one of
    ``COUNTERS``; ``count`` and ``search_s``, means over the finished measurements. A linear relation holds between
    means even if phases were timed on other forms than those that were counted. Strategies are sorted by name, puzzles
    in the order of the run. Unfinished solves are left out.
    """
    rows = run.measurements.loc[run.comparable.index, [*KEY, "status", "search_cpu_s", *COUNTERS]]
    rows = rows[rows["status"].isin(FINISHED) & (rows["search_cpu_s"] > 0)]
    reported = rows.groupby("strategy")[list(COUNTERS)].count() > 0
    chosen = reported.idxmax(axis=1)[reported.any(axis=1)] if len(reported) else pd.Series(dtype=object)
    counter = rows["strategy"].map(chosen)
    count = pd.Series(np.nan, rows.index)
    for name in COUNTERS:
        count = count.mask(counter == name, rows[name])
    rows = rows.assign(counter=counter, count=count, search_s=rows["search_cpu_s"], n=1).dropna(subset=["count"])
    how = {"counter": "first", "n": "sum", "count": "mean", "search_s": "mean"}
    table = rows.groupby(KEY, sort=False).agg(how).reset_index()
    return in_order(run, table)[list(EFFORT_COLUMNS)]


@dataclass(frozen=True)
class Rate:
    """Search time as ``start_s + rate_s · count``, with the 95% interval of the rate.

    Attributes:
        start_s: seconds of a search with count 0.
        rate_s, lo_s, hi_s: seconds per conflict, guess or node.
    """

    start_s: float
    rate_s: float
    lo_s: float
    hi_s: float


def rate(counts: Floats, seconds: Floats, cluster: Indices) -> Rate | None:
    """Fit the rate; return None if there are too few puzzles, all counts are equal, or the rate is too uncertain.

    Args:
        counts: count of each puzzle, at least 0.
        seconds: search time of each puzzle, positive.
        cluster: cluster number of each puzzle (``bench.verdicts.lineages``).
    """
    groups = len(np.unique(cluster))
    if groups < MIN_PUZZLES or not np.ptp(counts):
        return None
    y, top = np.log(seconds), float(counts.max())
    floor = math.log(float(seconds.min())) - 5  # lower parameters make no difference
    begin = max(floor, float(np.median(y[counts <= np.median(counts)])))
    slope = math.log(max(float(np.median(seconds[counts >= 0.5 * top])), float(seconds.min())) / top)
    slope = max(slope, floor - math.log(top))

    def residuals(at: Floats) -> Floats:
        return np.asarray(np.log(math.exp(at[0]) + math.exp(at[1]) * counts) - y)

    def slopes(at: Floats) -> Floats:
        parts = np.stack([np.full(len(counts), math.exp(at[0])), math.exp(at[1]) * counts], axis=1)
        return np.asarray(parts / parts.sum(axis=1, keepdims=True))

    bounds = ([floor - 1, floor - 1 - math.log(top)], np.inf)
    fit = optimize.least_squares(residuals, [begin, slope], jac=slopes, bounds=bounds)
    start, per = fit.x
    jacobian = slopes(fit.x)
    scores = pd.DataFrame(jacobian * fit.fun[:, None]).groupby(cluster).sum().to_numpy()
    bread = np.linalg.pinv(jacobian.T @ jacobian)
    spread = (bread @ scores.T @ scores @ bread)[1, 1] * groups / (groups - 2)
    half_width = float(stats.t.ppf(0.975, groups - 2)) * math.sqrt(spread)
    if not fit.success or not 0 < half_width < CERTAIN:
        return None
    return Rate(*(math.exp(value) for value in (start, per, per - half_width, per + half_width)))


def rates(table: pd.DataFrame, puzzles: pd.DataFrame) -> dict[str, Rate]:
    """Return the rate of each strategy that has one, from rows of ``effort`` for boards of one size."""
    names = puzzles["collection"].astype(str) + "\n" + puzzles["puzzle"].astype(str)
    numbers = clusters(puzzles, merge_copies=True)
    cluster = pd.Series(numbers, index=pd.Index(names)).groupby(level=0).first()
    result = {}
    for strategy, rows in table.groupby("strategy", sort=False):
        keys = rows["collection"].astype(str) + "\n" + rows["puzzle"].astype(str)
        counts, seconds = rows["count"].to_numpy(float), rows["search_s"].to_numpy(float)
        fit = rate(counts, seconds, keys.map(cluster).to_numpy(np.intp))
        if fit:
            result[str(strategy)] = fit
    return result
