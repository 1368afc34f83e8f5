"""The one rule for pairs: a simultaneous interval for each pair of a report, and what it decides.

The interval has the level 95% over all pairs of the report together (Bonferroni: 5% divided by their number), so that
no choice among them, such as that of the best strategy, makes a false claim more likely. Two strategies differ if it
lies beyond 1, by more than the margin if it lies beyond the margin, and are equivalent if it lies within the margin.

An estimate covers many pairs of strategies at once: arrays with an element per pair. Ratios of times are logarithms.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_bench.bench.verdicts.arrays import Flags, Floats

ABOVE, BELOW = 1, -1
TOO_FEW, EQUIVALENT, A_FASTER, B_FASTER, INDISTINGUISHABLE = (
    "too_few",
    "equivalent",
    "a_faster",
    "b_faster",
    "indistinguishable",
)
ALPHA = 0.05  # family-wise error rate
LEAST_PUZZLES = 15  # independent ones
AS_ONE = "isomorphs, and puzzles of one lineage, count as one"
LEAST_REPETITIONS = 3  # fewer do not show how processes vary


class Estimate(Protocol):
    """An estimate of the log ratios of many pairs."""

    def end(self, tail: ArrayLike, side: int) -> Floats:
        """Return the one-sided confidence limit with this tail probability: upper for ``ABOVE``, lower for ``BELOW``.

        It is infinite where the data give no limit.
        """

    def p_beyond(self, side: int) -> Floats:
        """Return the one-sided p-value of the claim that the true log ratio is on that side of 0."""


def interval(estimate: Estimate, level: ArrayLike) -> tuple[Floats, Floats]:
    """Return lower and upper ends of the two-sided interval that misses the truth with this probability."""
    tail = np.asarray(level, dtype=np.float64) / 2
    return estimate.end(tail, BELOW), estimate.end(tail, ABOVE)


def p_different(estimate: Estimate) -> Floats:
    """Return the two-sided p-value of the hypothesis that the ratio is 1: the level at which the interval touches 1."""
    smaller: Floats = np.minimum(estimate.p_beyond(ABOVE), estimate.p_beyond(BELOW))
    return np.minimum(1.0, 2 * smaller)


def attainable(puzzles: ArrayLike) -> Floats:
    """Return the smallest p-value that a number of puzzles can give: that of the sign test if all of them agree.

    Tests that assume a distribution give smaller ones, which depend on its unobserved tails.
    """
    p: Floats = 2.0 ** (1 - np.asarray(puzzles, dtype=np.float64))
    return p


def decidable(puzzles: NDArray[np.integer[Any]], repetitions: NDArray[np.integer[Any]]) -> Flags:
    """Return which pairs have enough data for a verdict; they are the family.

    Args:
        puzzles: number of independent puzzles of each pair; repetitions: number of repetitions.
    """
    enough = (puzzles >= LEAST_PUZZLES) & (repetitions >= LEAST_REPETITIONS)
    return np.asarray(enough & (attainable(puzzles) * np.count_nonzero(enough) <= ALPHA))


def bonferroni(p: Floats) -> Floats:
    """Return the p-values of a family times their number; NaN is no member (Dunn 1961)."""
    corrected: Floats = np.minimum(1.0, p * np.count_nonzero(~np.isnan(p)))
    return corrected


def verdicts(low: Floats, high: Floats, log_margin: float) -> NDArray[np.object_]:
    """Return the verdict of each pair by its simultaneous interval; NaN where there are too few data."""
    return np.select(
        [np.isnan(low), high < 0, low > 0, (low >= -log_margin) & (high <= log_margin)],
        [TOO_FEW, A_FASTER, B_FASTER, EQUIVALENT],
        INDISTINGUISHABLE,
    ).astype(object)


def beyond_margin(low: Floats, high: Floats, log_margin: float) -> NDArray[np.object_]:
    """Return whether each pair differs by more than the margin: ``yes``, ``no`` (equivalence), or empty if open."""
    is_beyond, is_within = (low > log_margin) | (high < -log_margin), (low >= -log_margin) & (high <= log_margin)
    return np.select([is_beyond, is_within], ["yes", "no"], "").astype(object)
