"""The ratio of two strategies' times if some solves are censored: a median, with bounds.

The ratio of a puzzle is that of its two times, each the median of its repetitions. A censored time bounds the ratio on
one side; two censored times give no bound. The median of the ratios is identified if it is the same for all values
within these bounds (Manski 2003); otherwise it has bounds itself. No value is imputed for a censored time, and no
puzzle is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from sudoku_bench.bench.verdicts import times
from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.pairs.decision import ABOVE
from sudoku_bench.bench.verdicts.pairs.process_variance import ProcessVariance

STEPS = 30  # bisections for a p-value


@dataclass(frozen=True)
class Bounds:
    """Lower and upper bounds of the log times of puzzles, equal where a time is known.

    Attributes:
        least, most: strategies (or pairs) × puzzles; ``most`` is infinite where the time is censored.
    """

    least: Floats
    most: Floats

    def __getitem__(self, selected: Indices) -> Bounds:
        return Bounds(self.least[selected], self.most[selected])


def puzzle_times(log_s: Floats, censored: Flags) -> Bounds:
    """Return bounds of the median over repetitions of each puzzle; NaN where nothing was measured.

    Args:
        log_s, censored: strategies × puzzles × repetitions (see ``Times``).
    """
    return Bounds(times.medians(log_s), times.medians(np.where(censored, np.inf, log_s)))


@dataclass(frozen=True)
class Medians:
    """Median log ratios of many pairs: an ``Estimate``.

    Ends of intervals are order statistics, the lower end of the lower bounds and the upper end of the upper bounds,
    interpolated after Hettmansperger & Sheather (1986). They assume no distribution; if no ratio's bounds include the
    true median, the interval has the same coverage as with all times known. All puzzles share the deviations of
    processes, so order statistics do not reflect them; the variance between processes is estimated from the puzzles
    finished in every repetition, and added to the squared distance of an end from the median, with degrees of freedom
    after Satterthwaite (1946). A p-value is the level at which the interval touches 0; without variance between
    processes it is that of a sign test.

    Attributes:
        least, most: pairs × puzzles, each row sorted: lower and upper bounds of the log ratios.
        processes: variance of the median between processes, an element per pair (0 where unknown); freedom: its degrees
            of freedom.
    """

    least: Floats
    most: Floats
    processes: Floats
    freedom: Floats

    @property
    def centre(self) -> tuple[Floats, Floats]:
        """Lower and upper bound of the sample median, an element per pair."""
        return _middle(self.least), _middle(self.most)

    def end(self, tail: ArrayLike, side: int) -> Floats:
        tails = np.broadcast_to(np.asarray(tail, dtype=np.float64), (len(self.least),))
        # The upper end is minus the lower end of the inverse ratios.
        return -self._lower(self._inverse, tails) if side == ABOVE else self._lower(self.least, tails)

    @cached_property
    def _inverse(self) -> Floats:
        return -self.most[:, ::-1]

    def p_beyond(self, side: int) -> Floats:
        """Return the p-value, at least ``2 ** -puzzles`` and at most 1/2."""
        pairs, puzzles = self.least.shape
        low, high = np.full(pairs, -puzzles * np.log(2.0)), np.full(pairs, np.log(0.5))
        for _ in range(STEPS):
            middle = (low + high) / 2
            # The log ratio is significantly above 0 if its lower end is.
            beyond = side * self.end(np.exp(middle), -side) > 0
            low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
        p: Floats = np.exp(high)
        return p

    def _lower(self, ordered: Floats, tails: Floats) -> Floats:
        ends = _order_statistic(ordered, tails)
        widened = np.flatnonzero((self.processes > 0) & np.isfinite(ends))
        if widened.size:
            middle, normal = _middle(ordered)[widened], stats.norm.isf(tails[widened])
            variance = ((middle - ends[widened]) / normal) ** 2 + self.processes[widened]
            freedom = variance**2 * self.freedom[widened] / self.processes[widened] ** 2
            student = stats.t.isf(tails[widened], np.maximum(1.0, freedom))
            ends[widened] = middle - np.sqrt(variance) * student
        return ends


def medians(a: Bounds, b: Bounds, processes: ProcessVariance, repetitions: int) -> Medians:
    """Return median log ratios of many pairs.

    Args:
        a, b: times of both strategies, pairs × puzzles.
        processes: variance of means of repetitions between processes. That of a median of three or more repetitions is
            larger, by up to π/2.
        repetitions: number of repetitions.
    """
    factor = math.pi / 2 if repetitions > 2 else 1.0
    least, most = np.sort(a.least - b.most, axis=1), np.sort(a.most - b.least, axis=1)
    return Medians(least, most, factor * processes.variance, processes.freedom)


def _order_statistic(ordered: Floats, tails: Floats) -> Floats:
    """Return the lower confidence limit of the median of each row, between two order statistics.

    Minus infinity where there are too few values for a limit.

    Args:
        ordered: rows × values, each row sorted.
        tails: tail probability of each row, at most 1/2.
    """
    rows, n = ordered.shape
    below = _binomial(n)
    depth = np.searchsorted(below, tails, side="right")
    inner = np.maximum(depth, 1)
    share = (tails - below[inner - 1]) / (below[inner] - below[inner - 1])
    weight = (n - inner) * share / (inner + (n - 2 * inner) * share)
    row = np.arange(rows)
    outer_value, inner_value = ordered[row, inner - 1], ordered[row, np.minimum(inner, n - 1)]
    # Tied values are not interpolated: the distribution has a jump there.
    tied = (inner > 1) & (outer_value == ordered[row, np.maximum(inner - 2, 0)])
    smooth = np.isfinite(outer_value) & (weight > 0) & ~tied
    with np.errstate(invalid="ignore"):
        between = np.where(smooth, outer_value + weight * (inner_value - outer_value), outer_value)
    return np.where(depth > 0, between, -np.inf)


@lru_cache
def _binomial(n: int) -> Floats:
    """Return the distribution function of the number of n values that lie below their median; not to be changed."""
    return np.asarray(stats.binom.cdf(np.arange(n + 1), n, 0.5))


def _middle(ordered: Floats) -> Floats:
    n = ordered.shape[1]
    middle: Floats = (ordered[:, (n - 1) // 2] + ordered[:, n // 2]) / 2
    return middle
