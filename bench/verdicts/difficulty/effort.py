"""What search costs: the time per conflict, guess or node, and whatever else a strategy counts.

Search time is taken for ``start + rate · count`` of a puzzle. The two are fitted to logarithms of times, so that an
easy puzzle weighs as much as a hard one; the interval is of the sandwich estimate, which asks neither for errors of
equal spread nor for a line that is the truth (Huber 1967, White 1980), and takes puzzles of one lineage together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize, stats

from bench.verdicts.difficulty.fields import clusters
from bench.verdicts.difficulty.local import MIN_PUZZLES
from bench.verdicts.run_data import KEY, RunData, in_order

Floats = NDArray[np.float64]

COUNTERS = ("conflicts", "guesses", "nodes", "backtracks")  # the first that a strategy has: what its search learns from
EFFORT_COLUMNS = ("strategy", "collection", "puzzle", "size", "n", "counter", "count", "search_s")
CERTAIN = math.log(2)  # a rate is told where its interval reaches no further than by this factor to either side


def effort(run: RunData) -> pd.DataFrame:
    """A row per strategy, collection and puzzle of what may be compared and counts something.

    Columns ``EFFORT_COLUMNS``: ``size``, rows of the board; ``n``, finished measurements; ``counter``, what is counted,
    out of ``COUNTERS``; ``count`` and ``search_s``, means over the finished measurements: means of both keep
    a line between them, also where phases were clocked on other forms than those that were counted. Strategies by
    name, puzzles in the order of the run. Unfinished solves are not counted by anybody.
    """
    rows = run.measurements.loc[run.comparable.index, [*KEY, "status", "search_cpu_s", *COUNTERS]]
    rows = rows[(rows["status"] == "solved") & (rows["search_cpu_s"] > 0)]
    known = rows.groupby("strategy")[list(COUNTERS)].count() > 0
    chosen = known.idxmax(axis=1)[known.any(axis=1)] if len(known) else pd.Series(dtype=object)
    counter = rows["strategy"].map(chosen)
    count = pd.Series(np.nan, rows.index)
    for name in COUNTERS:
        count = count.mask(counter == name, rows[name])
    rows = rows.assign(counter=counter, count=count, search_s=rows["search_cpu_s"], n=1).dropna(subset=["count"])
    how = {"counter": "first", "n": "sum", "count": "mean", "search_s": "mean"}
    found = rows.groupby(KEY, sort=False).agg(how).reset_index()
    return in_order(run, found)[list(EFFORT_COLUMNS)]


@dataclass(frozen=True)
class Rate:
    """Search time as ``start_s + rate_s · count``, with the 95% interval of the rate.

    Attributes:
        start_s: seconds of a search that counts nothing.
        rate_s, lo_s, hi_s: seconds per conflict, guess or node.
    """

    start_s: float
    rate_s: float
    lo_s: float
    hi_s: float


def rate(counts: Floats, seconds: Floats, lineages: NDArray[np.intp]) -> Rate | None:
    """The fit of puzzles; None where they are too few, count the same, or leave the rate uncertain.

    Args:
        counts: of each puzzle, not negative.
        seconds: positive.
        lineages: of each puzzle the number of its cluster (``bench.verdicts.difficulty.fields.clusters``).
    """
    groups = len(np.unique(lineages))
    if groups < MIN_PUZZLES or not np.ptp(counts):
        return None
    y, top = np.log(seconds), float(counts.max())
    floor = math.log(float(seconds.min())) - 5  # less than that is nothing
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
    scores = pd.DataFrame(jacobian * fit.fun[:, None]).groupby(lineages).sum().to_numpy()
    bread = np.linalg.pinv(jacobian.T @ jacobian)
    spread = (bread @ scores.T @ scores @ bread)[1, 1] * groups / (groups - 2)
    reach = float(stats.t.ppf(0.975, groups - 2)) * math.sqrt(spread)
    if not fit.success or not 0 < reach < CERTAIN:
        return None
    return Rate(*(math.exp(value) for value in (start, per, per - reach, per + reach)))


def rates(table: pd.DataFrame, puzzles: pd.DataFrame) -> dict[str, Rate]:
    """The rate of each strategy that has one, from the rows of ``effort`` of boards of one size."""
    names = puzzles["collection"].astype(str) + "\n" + puzzles["puzzle"].astype(str)
    lineage = pd.Series(clusters(puzzles), index=pd.Index(names)).groupby(level=0).first()
    found = {}
    for strategy, own in table.groupby("strategy", sort=False):
        where = own["collection"].astype(str) + "\n" + own["puzzle"].astype(str)
        fit = rate(own["count"].to_numpy(float), own["search_s"].to_numpy(float), where.map(lineage).to_numpy(np.intp))
        if fit:
            found[str(strategy)] = fit
    return found
