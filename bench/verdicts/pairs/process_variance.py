"""The variance between processes: the part of a difference that all puzzles of a replicate share.

A process is about a percent faster or slower than another one of the same strategy, on all puzzles of its replicate.
More puzzles cannot separate this from a difference between strategies; only replicates can, and there are few: with
five of them a variance has four degrees of freedom, and its estimate is often far too small by chance. The estimates of
all pairs are therefore pooled, assuming that all processes on a machine vary alike. The weights are larger for pairs
with less noise (as Smyth 2004 pools the variances of thousands of genes with few replicates each). A pair whose
replicates vary significantly more than the pool keeps its separate estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.arrays import Flags, Floats

ROUNDS = 5  # of reweighting by the last estimate
ALPHA = 0.01  # level of the test that a pair's replicates vary more than the pool
TINY = 1e-300


@dataclass(frozen=True)
class ProcessVariance:
    """Variance of mean log ratios due to processes, an element per pair.

    Attributes:
        variance: at least 0.
        half_variance: half the variance of that estimate, for degrees of freedom after Satterthwaite (1946).
    """

    variance: Floats
    half_variance: Floats

    def __getitem__(self, selected: NDArray[Any]) -> ProcessVariance:
        return ProcessVariance(self.variance[selected], self.half_variance[selected])


@dataclass(frozen=True)
class ReplicateVariances:
    """Variance of the mean log ratio of each pair, between and within replicates.

    Attributes:
        between: estimated from the means of replicates, noise included; variation between puzzles is left out.
        within: the part of it that is noise within replicates.
        freedom: degrees of freedom of ``within``; 0 where the data give no estimate.
        replicates: number of replicates.
    """

    between: Floats
    within: Floats
    freedom: Floats
    replicates: int


def replicate_variances(log_ratios: Floats, finished: Flags) -> ReplicateVariances:
    """Estimate the variances between and within replicates.

    Args:
        log_ratios: pairs × puzzles × replicates.
        finished: pairs × puzzles: both strategies finished the puzzle in every replicate.
    """
    pairs, _, replicates = log_ratios.shape
    n = finished.sum(axis=1)
    if replicates < 2:
        return ReplicateVariances(np.zeros(pairs), np.zeros(pairs), np.zeros(pairs), replicates)
    safe_n = np.maximum(n, 2)
    residuals = np.where(finished[:, :, None], log_ratios, 0.0)
    residuals -= residuals.mean(axis=2)[:, :, None]
    means = residuals.sum(axis=1) / safe_n[:, None]
    squares = np.einsum("pij,pij->p", residuals, residuals) - safe_n * (means**2).sum(axis=1)
    freedom = (safe_n - 1.0) * (replicates - 1)
    between = means.var(axis=1, ddof=1) / replicates
    within = np.maximum(squares, 0.0) / freedom / (safe_n * replicates)
    known = n >= 2
    return ReplicateVariances(between * known, within * known, freedom * known, replicates)


def pool(pairs: ReplicateVariances, strategies: int) -> ProcessVariance:
    """Return the process variance of each pair, pooled along the last axis.

    Where there is no estimate the variance is 0: with one replicate an interval does not include process variance.

    Args:
        pairs: all pairs of some strategies.
        strategies: number of these strategies.
    """
    known = pairs.freedom > 0
    if not known.any():
        return ProcessVariance(np.zeros_like(pairs.between), np.ones_like(pairs.between))
    pooled = np.zeros((*known.shape[:-1], 1))
    for _ in range(ROUNDS):
        weight = _weights(known, pairs.within + pooled)
        pooled = np.maximum(0.0, (weight * (pairs.between - pairs.within)).sum(axis=-1, keepdims=True))
    # Of k strategies k - 1 differences are independent; the effective number of pairs depends on their weights.
    effective = 1 / np.maximum((weight**2).sum(axis=-1, keepdims=True), TINY)
    freedom = (pairs.replicates - 1) * np.maximum(1.0, (strategies - 1) * effective / known.shape[-1])
    noise = (weight * pairs.within).sum(axis=-1, keepdims=True)
    variance, half_variance = np.broadcast_arrays(pooled, (pooled + noise) ** 2 / freedom)
    separate = np.maximum(0.0, pairs.between - pairs.within)
    separate_half = pairs.between**2 / (pairs.replicates - 1) + pairs.within**2 / np.maximum(pairs.freedom, 1.0)
    use_separate = pairs.between > (pooled + pairs.within) * stats.f.isf(ALPHA, pairs.replicates - 1, freedom)
    use_separate |= strategies < 3
    variance = np.where(use_separate, separate, variance)
    half_variance = np.where(use_separate, separate_half, half_variance)
    return ProcessVariance(np.where(known, variance, 0.0), np.where(known & (half_variance > 0), half_variance, 1.0))


def _weights(known: Flags, noise: Floats) -> Floats:
    """Return weights with sum 1 along the last axis, inversely proportional to the squared noise variance."""
    noise = np.where(known, np.maximum(noise, TINY), np.inf)  # unknown values get weight 0
    least = noise.min(axis=-1, keepdims=True)
    weight: Floats = (np.where(np.isfinite(least), least, TINY) / noise) ** 2
    total: Floats = weight.sum(axis=-1, keepdims=True)
    weight /= np.where(total > 0, total, 1.0)
    return weight
