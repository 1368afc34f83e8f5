"""What processes vary by: the part of a difference that all puzzles of a replicate share.

A process as a whole is a percent or so faster or slower than another of the same strategy, and all puzzles of a
replicate share it, so that no number of puzzles tells it from a difference between strategies. Only replicates do, and
there are few: from five of them a variance has four degrees of freedom, and by chance is often far too small. One pair
of strategies cannot mend that; many can, as all processes of a machine are thought to vary alike. Their estimates are
pooled, each weighted by how little noise it is buried in (as Smyth 2004 pools the variances of thousands of genes with
few replicates each). A pair whose own replicates differ by far more than the pool says is believed instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]
ROUNDS = 5  # of weighting by the last estimate
CHANCE = 0.01  # that a pair's own replicates are believed though the pool is right
TINY = 1e-300


@dataclass(frozen=True)
class Shared:
    """Variances of mean log ratios by what processes vary by, an element per pair.

    Attributes:
        variance: at least 0.
        doubt: half the variance of that estimate, for degrees of freedom after Satterthwaite (1946).
    """

    variance: Floats
    doubt: Floats

    def __getitem__(self, chosen: NDArray[Any]) -> Shared:
        return Shared(self.variance[chosen], self.doubt[chosen])


@dataclass(frozen=True)
class Columns:
    """What the replicates of each pair say.

    Attributes:
        by_columns: variance of the mean log ratio if puzzles did not vary: from the means of replicates.
        by_rest: the part of it that is noise within replicates.
        freedom: degrees of freedom of ``by_rest``; 0 where nothing can be known.
    """

    by_columns: Floats
    by_rest: Floats
    freedom: Floats
    replicates: int


def columns(log_ratios: Floats, whole: NDArray[np.bool_]) -> Columns:
    """From log ratios, pairs × puzzles × replicates, and the puzzles that were finished in every replicate."""
    pairs, _, replicates = log_ratios.shape
    n = whole.sum(axis=1)
    if replicates < 2:
        return Columns(np.zeros(pairs), np.zeros(pairs), np.zeros(pairs), replicates)
    safe = np.maximum(n, 2)
    rest = np.where(whole[:, :, None], log_ratios, 0.0)
    rest -= rest.mean(axis=2)[:, :, None]
    of_columns = rest.sum(axis=1) / safe[:, None]
    squares = np.einsum("pij,pij->p", rest, rest) - safe * (of_columns**2).sum(axis=1)
    freedom = (safe - 1.0) * (replicates - 1)
    by_columns = of_columns.var(axis=1, ddof=1) / replicates
    by_rest = np.maximum(squares, 0.0) / freedom / (safe * replicates)
    known = n >= 2
    return Columns(by_columns * known, by_rest * known, freedom * known, replicates)


def pooled(found: Columns, strategies: int) -> Shared:
    """The variances of pairs that ``strategies`` strategies make, along the last axis.

    Where nothing could be known the variance is 0: with one replicate the interval leaves out what processes vary by.
    """
    known = found.freedom > 0
    if not known.any():
        return Shared(np.zeros_like(found.by_columns), np.ones_like(found.by_columns))
    pool = np.zeros((*known.shape[:-1], 1))
    for _ in range(ROUNDS):
        weight = _weights(known, found.by_rest + pool)
        pool = np.maximum(0.0, (weight * (found.by_columns - found.by_rest)).sum(axis=-1, keepdims=True))
    # Of k strategies k - 1 differences are independent; those in little noise count.
    effective = 1 / np.maximum((weight**2).sum(axis=-1, keepdims=True), TINY)
    freedom = (found.replicates - 1) * np.maximum(1.0, (strategies - 1) * effective / known.shape[-1])
    noise = (weight * found.by_rest).sum(axis=-1, keepdims=True)
    variance, doubt = np.broadcast_arrays(pool, (pool + noise) ** 2 / freedom)
    own = np.maximum(0.0, found.by_columns - found.by_rest)
    own_doubt = found.by_columns**2 / (found.replicates - 1) + found.by_rest**2 / np.maximum(found.freedom, 1.0)
    far_more = found.by_columns > (pool + found.by_rest) * stats.f.isf(CHANCE, found.replicates - 1, freedom)
    far_more |= strategies < 3
    variance, doubt = np.where(far_more, own, variance), np.where(far_more, own_doubt, doubt)
    return Shared(np.where(known, variance, 0.0), np.where(known & (doubt > 0), doubt, 1.0))


def _weights(known: NDArray[np.bool_], noise: Floats) -> Floats:
    """Weights that add up to 1 along the last axis: one over what a variance in so much noise varies by."""
    noise = np.where(known, np.maximum(noise, TINY), np.inf)  # what is not known weighs nothing
    least = noise.min(axis=-1, keepdims=True)
    weight: Floats = (np.where(np.isfinite(least), least, TINY) / noise) ** 2
    total: Floats = weight.sum(axis=-1, keepdims=True)
    weight /= np.where(total > 0, total, 1.0)
    return weight
