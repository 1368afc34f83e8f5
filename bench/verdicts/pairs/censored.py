"""How much longer does one strategy take than another, where some solves were not finished? A median, with bounds.

The ratio of a puzzle is that of its two times, each the median of its replicates. A time beyond the limit makes of the
ratio a range: from the limit over the other's time upwards, downwards to the one's time over the limit, or, if neither
finished, anything. The median of the ratios is then known as far as it is the same wherever in their ranges the ratios
lie (Manski 2003); otherwise it is a range itself. No time is put in the place of one that was not measured, and no
puzzle is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from bench.verdicts.pairs.estimate import ABOVE, Array
from bench.verdicts.pairs.process_noise import Shared

STEPS = 30  # bisections of a p-value


@dataclass(frozen=True)
class Bounds:
    """Log times of puzzles: what they are at least and at most, the same where a time is known.

    Attributes:
        least, most: float64, strategies (or pairs) × puzzles; ``most`` is infinite where the solve was not finished.
    """

    least: NDArray[np.float64]
    most: NDArray[np.float64]


def puzzle_times(log_s: NDArray[np.float64], censored: NDArray[np.bool_]) -> Bounds:
    """The median of the replicates of each puzzle (strategies × puzzles × replicates), an unfinished one being longer
    than its limit."""
    return Bounds(np.median(log_s, axis=2), np.median(np.where(censored, np.inf, log_s), axis=2))


@dataclass(frozen=True)
class Medians:
    """Median log ratios of many pairs: an ``Estimate``.

    Ends of intervals are order statistics, the lower one of the ratios at their least, the upper one at their most,
    interpolated after Hettmansperger & Sheather (1986): no distribution is assumed, and where the ranges of ratios do
    not reach across the true median, the interval holds it as often as if every time were known. What processes vary
    by is shared by all puzzles, so that their order says nothing of it; it is estimated from the puzzles that were
    finished in every replicate, and added to the square of the distance from the median, with degrees of freedom after
    Satterthwaite (1946). A p-value is the level at which the interval touches the value asked: where processes do not
    differ, that of a sign test.

    Attributes:
        least, most: float64, pairs × puzzles, each row sorted: the log ratios at their least, and at their most.
        shared: variance of the median by what processes vary by, an element per pair (0 where it cannot be known).
        doubt: half the variance of the estimate of ``shared``.
    """

    least: Array
    most: Array
    shared: Array
    doubt: Array

    @property
    def centre(self) -> tuple[Array, Array]:
        """The sample median at its least and at its most, an element per pair."""
        return _middle(self.least), _middle(self.most)

    def end(self, tail: ArrayLike, side: int) -> Array:
        tails = np.broadcast_to(np.asarray(tail, dtype=np.float64), (len(self.least),))
        # An upper end is minus the lower end of the ratios turned round.
        return -self._lower(-self.most[:, ::-1], tails) if side == ABOVE else self._lower(self.least, tails)

    def p_beyond(self, null: float, side: int) -> Array:
        """At least 2 to the power of minus the number of puzzles, at most 1/2."""
        pairs, puzzles = self.least.shape
        low, high = np.full(pairs, -puzzles * np.log(2.0)), np.full(pairs, np.log(0.5))
        for _ in range(STEPS):
            middle = (low + high) / 2
            # A ratio lies above a value if even the lower end does.
            beyond = side * (self.end(np.exp(middle), -side) - null) > 0
            low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
        p: Array = np.exp(high)
        return p

    def _lower(self, ordered: Array, tails: Array) -> Array:
        found = _order_statistic(ordered, tails)
        wider = np.flatnonzero((self.shared > 0) & np.isfinite(found))
        if wider.size:
            middle, normal = _middle(ordered[wider]), stats.norm.isf(tails[wider])
            variance = ((middle - found[wider]) / normal) ** 2 + self.shared[wider]
            student = stats.t.isf(tails[wider], np.maximum(1.0, variance**2 / self.doubt[wider]))
            found[wider] = middle - np.sqrt(variance) * student
        return found


def medians(a: Bounds, b: Bounds, shared: Shared, replicates: int) -> Medians:
    """Median log ratios of many pairs.

    Args:
        a, b: the times of both, pairs × puzzles.
        shared: what means of replicates vary by with processes. A median of three or more varies more, by up to π/2.
    """
    wider = math.pi / 2 if replicates > 2 else 1.0
    least, most = np.sort(a.least - b.most, axis=1), np.sort(a.most - b.least, axis=1)
    return Medians(least, most, wider * shared.variance, wider**2 * shared.doubt)


def _order_statistic(ordered: Array, tails: Array) -> Array:
    """The lower end of an interval of the median: a value between two order statistics, minus infinity where fewer
    values than there are could not give one. Rows × values, sorted; a tail of at most 1/2 per row."""
    rows, n = ordered.shape
    below = stats.binom.cdf(np.arange(n + 1), n, 0.5)
    depth = np.searchsorted(below, tails, side="right")
    inner = np.maximum(depth, 1)
    share = (tails - below[inner - 1]) / (below[inner] - below[inner - 1])
    weight = (n - inner) * share / (inner + (n - 2 * inner) * share)
    row = np.arange(rows)
    outer_value, inner_value = ordered[row, inner - 1], ordered[row, np.minimum(inner, n - 1)]
    # Between values that several puzzles share there is nothing to interpolate: the distribution jumps there.
    shared = (inner > 1) & (outer_value == ordered[row, np.maximum(inner - 2, 0)])
    smooth = np.isfinite(outer_value) & (weight > 0) & ~shared
    with np.errstate(invalid="ignore"):
        between = np.where(smooth, outer_value + weight * (inner_value - outer_value), outer_value)
    return np.where(depth > 0, between, -np.inf)


def _middle(ordered: Array) -> Array:
    n = ordered.shape[1]
    middle: Array = (ordered[:, (n - 1) // 2] + ordered[:, n // 2]) / 2
    return middle
