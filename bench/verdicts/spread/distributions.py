"""Medians of times over the puzzles of a collection, and shares of these, with confidence intervals.

The puzzles are a sample; intervals depend on their number and on no shape of the distribution. Puzzles of one lineage
may all fall on the same side: the effective sample size of n puzzles in clusters of sizes m is n² / Σ m².
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from bench.verdicts import lineages
from bench.verdicts.arrays import Floats, Indices
from bench.verdicts.run_data import RunData
from bench.verdicts.summary import quantile

MEDIANS_COLUMNS = (
    "strategy",
    "collection",
    "n_puzzles",
    "finished",  # puzzles
    "limit_s",
    "median_s",  # CPU seconds per solve; empty where half of the puzzles were not finished
    "lo_s",  # lower bound at 97.5%; empty if unbounded
    "hi_s",  # upper bound at 97.5%; empty if unbounded
)
TAIL = 0.025


def medians(run: RunData) -> pd.DataFrame:
    """Return the median time of each strategy and collection, columns ``MEDIANS_COLUMNS``.

    Collections are in the order of the run, strategies by name. ``median_s`` is the one of ``summary.csv``; see
    ``median_interval`` for its interval.
    """
    groups = dict(list(run.per_puzzle.groupby(["collection", "strategy"])))
    effective_sizes: dict[tuple[str, ...], float] = {}
    rows = []
    for collection, strategy in sorted(groups, key=lambda key: (run.collections.index(key[0]), key[1])):
        group = groups[collection, strategy]
        times, key = group["cpu_s"].to_numpy(dtype=np.float64), (str(collection), *group["puzzle"])
        if key not in effective_sizes:  # most strategies have the same puzzles
            effective_sizes[key] = effective_size(lineages.clusters_in(key[0], key[1:], run.puzzles))
        low, high = median_interval(times, effective_sizes[key])
        row = {
            "strategy": strategy,
            "collection": collection,
            "n_puzzles": len(times),
            "finished": np.isfinite(times).sum(),
            "limit_s": group["limit_s"].iloc[0],
            "median_s": quantile(times, 0.5),
            "lo_s": low if low > 0 and math.isfinite(low) else math.nan,
            "hi_s": high if math.isfinite(high) else math.nan,
        }
        rows.append(row)
    return pd.DataFrame(rows, columns=list(MEDIANS_COLUMNS))


def effective_size(clusters: Indices) -> float:
    """Return the effective sample size if all puzzles of a cluster fall on the same side (Kish 1965).

    Args:
        clusters: cluster number of each puzzle.
    """
    sizes = np.bincount(clusters)
    return float(len(clusters) ** 2 / (sizes.astype(np.float64) ** 2).sum())


def wilson(share: Floats, n: float) -> tuple[Floats, Floats]:
    """Return 95% score intervals of shares of n (Wilson 1927, "Probable inference, the law of succession")."""
    z = float(stats.norm.isf(TAIL))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.maximum(0.0, middle - half), np.minimum(1.0, middle + half)


def median_interval(times: Floats, n_effective: float | None = None) -> tuple[float, float]:
    """Return the 95% interval of the median by the sign test: two order statistics, for any distribution.

    It covers the true median at least that often if values are independent. Both ends are infinite if there are too few
    values (fewer than six).

    Args:
        times: infinite where not finished.
        n_effective: effective sample size (``effective_size``); by default the number of times.
    """
    ordered, n = np.sort(times), len(times)
    size = n if n_effective is None else math.floor(n_effective + 1e-9)
    below = int(stats.binom.ppf(TAIL, size, 0.5))  # the smallest count whose lower tail reaches TAIL
    if not below:
        return -math.inf, math.inf
    place = (below - 1) * n // size  # the same relative depth among all n values
    return float(ordered[place]), float(ordered[n - 1 - place])
