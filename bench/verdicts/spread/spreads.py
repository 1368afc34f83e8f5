"""How times spread over the puzzles of a collection: distributions and medians, with what they may be off by.

Puzzles are a sample, and their number is what intervals go by, whatever the shape of the distribution. Puzzles of one
lineage may all fall to the same side: n puzzles in clusters of sizes m are worth n² / Σ m² that stand alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts import lineages
from bench.verdicts.run_data import RunData
from bench.verdicts.summary import quantile

MEDIANS_COLUMNS = (
    "strategy",
    "collection",
    "n_puzzles",
    "finished",  # puzzles
    "limit_s",
    "median_s",  # CPU seconds per solve; empty where half of the puzzles were not finished
    "lo_s",  # at least, with 97.5%; empty where nothing bounds it
    "hi_s",  # at most, with 97.5%; empty where nothing bounds it
)
TAIL = 0.025

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Spread:
    """How the times of a strategy spread over the puzzles of a collection.

    Attributes:
        seconds: ascending, a place per different time of a finished puzzle.
        share: of the puzzles that were finished within that time; below 1 at the end where some were not finished.
        lo, hi: for each share, its 95% interval, for that place alone.
    """

    strategy: str
    collection: str
    n_puzzles: int
    seconds: Floats
    share: Floats
    lo: Floats
    hi: Floats


def spreads(run: RunData) -> list[Spread]:
    """The distributions of times per puzzle, collections in the order of the run, strategies by name.

    Times beyond the limit are known to be that, so that the share within any shorter time is a plain share of puzzles
    (the estimate of Kaplan & Meier 1958 is the same here).
    """
    found = []
    for strategy, collection, times, witnesses in _groups(run):
        places, numbers = np.unique(times[np.isfinite(times)], return_counts=True)
        share = np.cumsum(numbers) / len(times)
        found.append(Spread(strategy, collection, len(times), places, share, *wilson(share, witnesses)))
    return found


def medians(run: RunData) -> pd.DataFrame:
    """The median time of each strategy and collection, columns ``MEDIANS_COLUMNS``, in the order of ``spreads``.

    ``median_s`` is that of ``summary.csv``; its interval that of ``median_interval``.
    """
    limits = run.per_puzzle.groupby(["strategy", "collection"])["limit_s"].first()
    lines = []
    for strategy, collection, times, witnesses in _groups(run):
        low, high = median_interval(times, witnesses)
        line = {
            "strategy": strategy,
            "collection": collection,
            "n_puzzles": len(times),
            "finished": np.isfinite(times).sum(),
            "limit_s": limits[strategy, collection],
            "median_s": quantile(times, 0.5),
            "lo_s": low if low > 0 and math.isfinite(low) else math.nan,
            "hi_s": high if math.isfinite(high) else math.nan,
        }
        lines.append(line)
    return pd.DataFrame(lines, columns=list(MEDIANS_COLUMNS))


def _groups(run: RunData) -> Iterator[tuple[str, str, Floats, float]]:
    """Strategy, collection, times of its puzzles (infinite where not finished), and as how many puzzles they count."""
    parts = dict(list(run.per_puzzle.groupby(["collection", "strategy"])))
    worth: dict[tuple[str, ...], float] = {}
    for collection, strategy in sorted(parts, key=lambda key: (run.collections.index(key[0]), key[1])):
        own, place = parts[collection, strategy], str(collection)
        names = tuple(own["puzzle"])
        key = (place, *names)
        if key not in worth:  # most strategies have the same puzzles
            worth[key] = independent(lineages.clusters(run.puzzles, place, names))
        yield str(strategy), place, own["cpu_s"].to_numpy(dtype=np.float64), worth[key]


def independent(clusters: NDArray[np.intp]) -> float:
    """As how many independent puzzles these count, if all of one cluster fall to the same side (Kish 1965).

    Args:
        clusters: the number of each puzzle's cluster.
    """
    sizes = np.bincount(clusters)
    return float(len(clusters) ** 2 / (sizes.astype(np.float64) ** 2).sum())


def wilson(share: Floats, n: float) -> tuple[Floats, Floats]:
    """The 95% score intervals of shares of n (Wilson 1927, "Probable inference, the law of succession")."""
    z = float(stats.norm.isf(TAIL))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.maximum(0.0, middle - half), np.minimum(1.0, middle + half)


def median_interval(times: Floats, witnesses: float | None = None) -> tuple[float, float]:
    """The 95% interval of the median by the sign test: two of the values, whatever distribution they are from.

    It holds the true median at least that often where values are independent. Minus and plus infinity where the values
    are too few (fewer than six) to bound it.

    Args:
        times: infinite where not finished.
        witnesses: how many independent values they count as (``independent``); by default all of them.
    """
    ordered, n = np.sort(times), len(times)
    worth = n if witnesses is None else math.floor(witnesses + 1e-9)
    below = int(stats.binom.ppf(TAIL, worth, 0.5))  # the least number that is not too rare
    if not below:
        return -math.inf, math.inf
    place = (below - 1) * n // worth  # as far inside of all as it is of those that count
    return float(ordered[place]), float(ordered[n - 1 - place])
