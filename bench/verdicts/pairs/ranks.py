"""Do the strategies differ at all, and which of them can ranks tell apart? Friedman's test and critical differences."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.comparable import CPU, blocks
from bench.verdicts.lineages import clusters_in
from bench.verdicts.pairs.censored import puzzle_times
from bench.verdicts.pairs.contests import Contest, of_lineages
from bench.verdicts.run_data import RunData

RANKS_COLUMNS = (
    "collection",
    "strategy",
    "mean_rank",  # 1 is the fastest; unfinished solves share the last ranks
    "groups",  # letters: strategies that share one cannot be told apart by ranks
    "critical_difference",  # of mean ranks
    "p_friedman",  # that all strategies are alike; empty for fewer than three
    "n_puzzles",  # those of one lineage counted once
)
ALPHA = 0.05

Floats = NDArray[np.float64]


def ranks(run: RunData) -> pd.DataFrame:
    """One row per strategy and collection, columns ``RANKS_COLUMNS``, the fastest first; by CPU time.

    Strategies are ranked on each puzzle by the medians of their replicates (Friedman 1937). Two of them differ where
    their mean ranks differ by the critical difference or more (Nemenyi 1963; Demšar 2006).
    """
    parts = []
    for block in blocks(run):
        names = block.times.strategies
        if block.clock != CPU or len(names) < 2 or not block.times.puzzles:
            continue
        everybody = np.arange(len(names))
        lineage = clusters_in(block.collection, block.times.puzzles, run.puzzles)
        seconds = puzzle_times(*of_lineages(Contest(block, everybody, everybody, lineage))).most
        mean, p = friedman(seconds)
        order = np.argsort(mean, kind="stable")
        apart = critical_difference(*seconds.shape)
        columns = {
            "collection": block.collection,
            "strategy": [names[i] for i in order],
            "mean_rank": mean[order],
            "groups": groups(mean[order], apart),
            "critical_difference": apart,
            "p_friedman": p,
            "n_puzzles": seconds.shape[1],
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(RANKS_COLUMNS))


def friedman(seconds: Floats) -> tuple[Floats, float]:
    """Mean rank of each strategy, and the p-value of the hypothesis that all are alike (NaN for fewer than three).

    Args:
        seconds: strategies × puzzles, or any increasing function of them; infinite where not finished.
    """
    mean: Floats = stats.rankdata(seconds, axis=0).mean(axis=1)
    if len(seconds) < 3:
        return mean, float("nan")
    if (seconds == seconds[0]).all():
        return mean, 1.0  # all tied on every puzzle: the statistic is 0 / 0
    # Ranks stand for the times: the test computes differences, and infinity less infinity is not a number.
    return mean, float(stats.friedmanchisquare(*stats.rankdata(seconds, axis=0)).pvalue)


def critical_difference(strategies: int, puzzles: int) -> float:
    """The smallest difference of mean ranks that stands out among all pairs (Nemenyi 1963), at 5%."""
    return _studentised_range(strategies) * math.sqrt(strategies * (strategies + 1) / (12 * puzzles))


def groups(mean_ranks: Floats, apart: float) -> list[str]:
    """Letters of each of some strategies, in order of their mean ranks: those that share a letter differ by less than
    ``apart``. Every largest such group has a letter; one that is in a group with nobody has its own."""
    letters = [""] * len(mean_ranks)
    reached, number = -1, 0
    for first, rank in enumerate(mean_ranks):
        last = int(np.searchsorted(mean_ranks, rank + apart, side="left")) - 1
        last = max(last, first)
        if last > reached:
            for place in range(first, last + 1):
                letters[place] += _letter(number)
            reached, number = last, number + 1
    return letters


def _letter(number: int) -> str:
    """a to z, then a1 to z1, ..."""
    rounds, place = divmod(number, 26)
    return chr(ord("a") + place) + (str(rounds) if rounds else "")


@cache
def _studentised_range(strategies: int) -> float:
    return float(stats.studentized_range.isf(ALPHA, strategies, np.inf))
