"""The variance between processes: the part of a difference that all puzzles of a repetition share.

A process is about a percent faster or slower than another one of the same strategy, on all puzzles of its repetition.
More puzzles cannot separate this from a difference between strategies; only repetitions can, and there are few: five of
them leave a pair four degrees of freedom. Its own variance is therefore moderated by that of all strategies of the
block, which counts as ``PRIOR_FREEDOM`` degrees of freedom beside the pair's own (Smyth 2004, with a fixed prior):

    s² = (d0 · pooled + (R - 1) · own) / (d0 + R - 1),    d0 = min(2, (S - 2)(R - 1)),

for R repetitions of S strategies. More weight would find more, and make the intervals of a strategy whose processes
vary ten times as much as all others too narrow (``results/validation/rules.csv``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sudoku_bench.bench.verdicts.arrays import Flags, Floats

PRIOR_FREEDOM = 2.0


@dataclass(frozen=True)
class ProcessVariance:
    """Variance of mean log ratios due to processes.

    Attributes:
        variance: at least 0; freedom: its degrees of freedom, 0 where nothing is known and the variance is 0.
    """

    variance: Floats
    freedom: Floats

    def __getitem__(self, selected: Any) -> ProcessVariance:
        return ProcessVariance(self.variance[selected], self.freedom[selected])


def process_variance(log_s: Floats, finished: Flags, prior: float = PRIOR_FREEDOM) -> ProcessVariance:
    """Estimate the variance of each pair, ... × strategies × strategies; with one repetition it is not known.

    ``own`` is the variance over repetitions of the mean log ratio of the puzzles that both strategies always finished
    (two or more), divided by the number of repetitions. ``pooled`` is its mean over all pairs of the strategies that
    always finished every puzzle: twice the strategy × repetition mean square, divided by that number.

    Args:
        log_s: log times, ... × strategies × puzzles × repetitions.
        finished: ... × strategies × puzzles: finished in every repetition.
        prior: degrees of freedom that ``pooled`` counts for, as far as it has so many itself.
    """
    strategies, repetitions = log_s.shape[-3], log_s.shape[-1]
    own_freedom = repetitions - 1.0
    use = finished.astype(np.float64)
    puzzles = use @ _turned(use)
    deviations = np.where(finished[..., None], log_s, 0.0)
    deviations = deviations - deviations.mean(axis=-1, keepdims=True)
    sums = np.stack([deviations[..., i] @ _turned(use) for i in range(repetitions)])
    means = (sums - _turned(sums)) / np.maximum(puzzles, 1.0)
    own = (means**2).sum(axis=0) / max(own_freedom, 1.0) / repetitions
    complete = np.asarray(finished.all(axis=-1))
    in_pool = complete[..., :, None] & complete[..., None, :] & ~np.eye(strategies, dtype=np.bool_)
    number = in_pool.sum(axis=(-2, -1), keepdims=True)
    pooled = np.where(in_pool, own, 0.0).sum(axis=(-2, -1), keepdims=True) / np.maximum(number, 1)
    others = complete.sum(axis=-1)[..., None, None] - 2.0
    of_pool = np.minimum(prior, np.maximum(others, 0.0) * own_freedom)
    of_pair = np.where(puzzles >= 2, own_freedom, 0.0)
    freedom = of_pool + of_pair
    variance = (of_pool * pooled + of_pair * own) / np.maximum(freedom, 1.0)
    return ProcessVariance(variance, freedom)


def _turned(matrix: Floats) -> Floats:
    return np.swapaxes(matrix, -2, -1)
