"""Ranks of strategies: Friedman's test that all are alike, and critical differences of mean ranks."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pandas as pd
from scipy import stats

from bench.verdicts.arrays import Floats
from bench.verdicts.comparable import CPU, blocks
from bench.verdicts.lineages import clusters_in
from bench.verdicts.pairs.censored import puzzle_times
from bench.verdicts.pairs.pair_estimates import PairBlock, cluster_means
from bench.verdicts.run_data import RunData

RANKS_COLUMNS = (
    "collection",
    "strategy",
    "mean_rank",  # 1 is the fastest; unfinished solves share the last ranks
    "groups",  # letters: mean ranks of strategies that share one do not differ significantly
    "critical_difference",  # of mean ranks
    "p_friedman",  # null hypothesis: all strategies are alike; empty for fewer than three
    "n_puzzles",  # each lineage counts once
)
ALPHA = 0.05


def ranks(run: RunData) -> pd.DataFrame:
    """Return one row per strategy and collection, columns ``RANKS_COLUMNS``, the fastest first; by CPU time.

    Strategies are ranked on each puzzle by the medians of their replicates (Friedman 1937). Two of them differ where
    their mean ranks differ by the critical difference or more (Nemenyi 1963; Demšar 2006).
    """
    parts = []
    for block in blocks(run):
        names = block.times.strategies
        if block.clock != CPU or len(names) < 2 or not block.times.puzzles:
            continue
        indices = np.arange(len(names))
        cluster = clusters_in(block.collection, block.times.puzzles, run.puzzles)
        seconds = puzzle_times(*cluster_means(PairBlock(block, indices, indices, cluster))).most
        mean, p = friedman(seconds)
        order = np.argsort(mean, kind="stable")
        difference = critical_difference(*seconds.shape)
        columns = {
            "collection": block.collection,
            "strategy": [names[i] for i in order],
            "mean_rank": mean[order],
            "groups": groups(mean[order], difference),
            "critical_difference": difference,
            "p_friedman": p,
            "n_puzzles": seconds.shape[1],
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(RANKS_COLUMNS))


def friedman(seconds: Floats) -> tuple[Floats, float]:
    """Return the mean rank of each strategy, and the p-value of Friedman's test (NaN for fewer than three strategies).

    Args:
        seconds: strategies × puzzles, or any increasing function of them; infinite where not finished.
    """
    mean: Floats = stats.rankdata(seconds, axis=0).mean(axis=1)
    if len(seconds) < 3:
        return mean, float("nan")
    if (seconds == seconds[0]).all():
        return mean, 1.0  # all tied on every puzzle: the statistic is 0 / 0
    # Ranks replace the times: the test computes differences, and infinity minus infinity is NaN.
    return mean, float(stats.friedmanchisquare(*stats.rankdata(seconds, axis=0)).pvalue)


def critical_difference(strategies: int, puzzles: int) -> float:
    """Return the smallest significant difference of mean ranks over all pairs (Nemenyi 1963), at 5%."""
    return _studentised_range(strategies) * math.sqrt(strategies * (strategies + 1) / (12 * puzzles))


def groups(mean_ranks: Floats, critical: float) -> list[str]:
    """Return the letters of each strategy: strategies that share a letter differ by less than the critical difference.

    Every maximal group has a letter; a strategy that differs from all others is a group of one.

    Args:
        mean_ranks: ascending.
        critical: critical difference.
    """
    letters = [""] * len(mean_ranks)
    reached, number = -1, 0
    for first, rank in enumerate(mean_ranks):
        last = int(np.searchsorted(mean_ranks, rank + critical, side="left")) - 1
        last = max(last, first)
        if last > reached:
            for place in range(first, last + 1):
                letters[place] += _letter(number)
            reached, number = last, number + 1
    return letters


def _letter(number: int) -> str:
    """Return a to z, then a1 to z1, ..."""
    rounds, place = divmod(number, 26)
    return chr(ord("a") + place) + (str(rounds) if rounds else "")


@cache
def _studentised_range(strategies: int) -> float:
    return float(stats.studentized_range.isf(ALPHA, strategies, np.inf))
