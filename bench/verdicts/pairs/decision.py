"""From estimates to verdicts: intervals, p-values, corrections for multiple testing, and one rule for all pairs.

An estimate covers many pairs of strategies at once: arrays with an element per pair. Ratios of times are logarithms.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bench.verdicts.arrays import Floats

ABOVE, BELOW = 1, -1
TOO_FEW, EQUIVALENT, A_FASTER, B_FASTER, INDISTINGUISHABLE = (
    "too_few",
    "equivalent",
    "a_faster",
    "b_faster",
    "indistinguishable",
)
ALPHA = 0.05  # family-wise error rate
LEAST_PUZZLES = 15


class Estimate(Protocol):
    """An estimate of the log ratios of many pairs."""

    def end(self, tail: ArrayLike, side: int) -> Floats:
        """Return the one-sided confidence limit with this tail probability: upper for ``ABOVE``, lower for ``BELOW``.

        It is infinite where the data give no limit.
        """

    def p_beyond(self, null: float, side: int) -> Floats:
        """Return the one-sided p-value of the claim that the true value is on that side of ``null``."""


def interval(estimate: Estimate, confidence: float) -> tuple[Floats, Floats]:
    """Return lower and upper ends of the two-sided interval."""
    tail = (1 - confidence) / 2
    return estimate.end(tail, BELOW), estimate.end(tail, ABOVE)


def p_different(estimate: Estimate) -> Floats:
    """Return the two-sided p-value of the hypothesis that the ratio is 1: the level at which the interval touches 1."""
    smaller: Floats = np.minimum(estimate.p_beyond(0.0, ABOVE), estimate.p_beyond(0.0, BELOW))
    return np.minimum(1.0, 2 * smaller)


def p_equivalent(estimate: Estimate, margin: float) -> Floats:
    """Return the p-value of the claim that the ratio is between ``exp(-margin)`` and ``exp(margin)``.

    Two one-sided tests (Schuirmann 1987): below 0.05 where the 90% interval is inside the margin.
    """
    larger: Floats = np.maximum(estimate.p_beyond(-margin, ABOVE), estimate.p_beyond(margin, BELOW))
    return larger


def attainable(puzzles: ArrayLike) -> Floats:
    """Return the smallest p-value that a number of puzzles can give: that of the sign test if all of them agree.

    Tests that assume a distribution give smaller ones, which depend on its unobserved tails.
    """
    p: Floats = 2.0 ** (1 - np.asarray(puzzles, dtype=np.float64))
    return p


def holm(p: Floats) -> Floats:
    """Return p-values of a family, adjusted by the step-down procedure of Holm (1979).

    The family-wise error of claims with an adjusted p-value below a level is at most that level. NaN counts as a member
    of the family that claims nothing.
    """
    order = np.argsort(p)  # NaN last
    steps = np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps * p[order]))
    return adjusted


def simultaneous(family: int) -> float:
    """Return the confidence of single intervals at which all of a family cover together with 95% (Bonferroni)."""
    return 1 - ALPHA / max(family, 1)


def verdicts(
    puzzles: NDArray[np.integer[Any]],
    p_holm: Floats,
    p_equivalent_holm: Floats,
    ends: tuple[Floats, Floats],
    floor: Floats,
) -> NDArray[np.object_]:
    """Return the verdict of each pair of a family.

    Args:
        puzzles: number of independent puzzles of each pair.
        ends: simultaneous interval of log(time of a / time of b), infinite where unbounded.
        floor: log of the smallest detectable ratio (0 where unknown).
    """
    family = len(puzzles)
    too_few = (puzzles < LEAST_PUZZLES) | (attainable(puzzles) * family > ALPHA) | np.isnan(p_holm)
    different = p_holm < ALPHA
    return np.select(
        [too_few, p_equivalent_holm < ALPHA, different & (ends[1] < -floor), different & (ends[0] > floor)],
        [TOO_FEW, EQUIVALENT, A_FASTER, B_FASTER],
        INDISTINGUISHABLE,
    ).astype(object)
