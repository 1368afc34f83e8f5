"""Local medians, and lines through medians, of times that may be censored.

A median does not need the values beyond it: it is enough to know that they are longer (Powell 1986). All functions
count values above and below and invert the sign test, so they assume no distribution and need no resampling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.clusters import cluster_sums

NEAR = 0.75  # of n puzzles, a window contains the n ** NEAR nearest ones
MIN_NEAR = 15
MIN_PUZZLES = 15  # independent puzzles that a curve needs
MIN_EFFECTIVE = 5  # effective sample size of a window, at least; fewer than 4 cannot bound a median
WIDENINGS = 10
PLACES = 41  # at most
MIN_WINDOW = 0.1  # reach of a window, as a share of the whole range, at least
Z = float(stats.norm.ppf(0.975))


@dataclass(frozen=True)
class Windows:
    """Weights of the puzzles at each place of an axis.

    Attributes:
        places: positions on the axis, ascending.
        weights: places × puzzles, each row with sum 1.
        error: standard error at each place of a weighted share of signs whose true value is one half.
    """

    places: Floats
    weights: Floats
    error: Floats


def windows(x: Floats, places: Floats, clusters: Indices) -> Windows:
    """Return local linear weights (Fan 1992) with tricube kernels that reach the nearest puzzles (Cleveland 1979).

    The standard error assumes that all signs within a cluster are equal, the worst case.

    Args:
        x: positions of the puzzles.
        places: ascending.
        clusters: cluster number of each puzzle.
    """
    offsets = x[None, :] - places[:, None]
    near = min(len(x), max(MIN_NEAR, math.ceil(len(x) ** NEAR)))
    reach = np.partition(np.abs(offsets), near - 1, axis=1)[:, near - 1]
    reach = np.maximum(reach, MIN_WINDOW * float(np.ptp(x)))
    reach = np.where(reach > 0, reach * 1.001, 1.0)
    weights = _weights(offsets, reach)
    for _ in range(WIDENINGS):  # needed at the ends, and between distant puzzles
        few = (weights**2).sum(axis=1) > 1 / MIN_EFFECTIVE
        if not few.any():
            break
        reach = np.where(few, 1.25 * reach, reach)
        weights[few] = _weights(offsets[few], reach[few])
    by_cluster = cluster_sums(weights, clusters)
    return Windows(places, weights, np.sqrt((by_cluster**2).sum(axis=1)) / 2)


class AxisWindows:
    """The windows along an axis, computed once for each subset of puzzles.

    Attributes:
        x: positions of all puzzles.
        clusters: cluster number of each puzzle.
    """

    def __init__(self, x: Floats, clusters: Indices) -> None:
        self.x = x
        self.clusters = clusters
        self._cache: dict[bytes, Windows | None] = {}

    def over(self, selected: Flags) -> Windows | None:
        """Return windows over the range of the selected puzzles; None if they are too few or all at one position."""
        key = selected.tobytes()
        if key not in self._cache:
            x, clusters = self.x[selected], self.clusters[selected]
            enough = len(np.unique(clusters)) >= MIN_PUZZLES and np.ptp(x) > 0
            self._cache[key] = windows(x, _evenly_spread(x), clusters) if enough else None
        return self._cache[key]

    def known_range(self, y: Floats) -> KnownRange | None:
        """Return the range in which the median of y is known, of all puzzles; None if too few were measured.

        Args:
            y: a value per puzzle, NaN where unmeasured, infinite if censored.
        """
        measured = np.isfinite(self.x) & ~np.isnan(y)
        near = self.over(measured)
        if near is None:
            return None
        known = known_range(self.x[measured], y[measured], near)
        inside = np.zeros_like(measured)
        inside[measured] = known.inside
        return replace(known, inside=inside)


def _evenly_spread(x: Floats) -> Floats:
    """Return a subset of the values, as evenly spread as they allow: only at puzzles is anything known."""
    values = np.unique(x)
    even = np.linspace(values[0], values[-1], PLACES)
    after = np.clip(np.searchsorted(values, even), 1, len(values) - 1)
    return np.unique(np.where(even - values[after - 1] < values[after] - even, values[after - 1], values[after]))


def _weights(offsets: Floats, reach: Floats) -> Floats:
    """Return local linear weights, places × puzzles.

    Args:
        offsets: positions of puzzles relative to places, places × puzzles.
        reach: half-width of the window at each place.
    """
    kernel = np.clip(1 - np.abs(offsets / reach[:, None]) ** 3, 0, None) ** 3
    s0, s1, s2 = ((kernel * offsets**power).sum(axis=1, keepdims=True) for power in range(3))
    spread = s0 * s2 - s1**2
    level = spread <= 1e-3 * (s0 * reach[:, None]) ** 2  # all puzzles at one position: a local constant
    tilted: Floats = np.where(level, kernel / s0, kernel * (s2 - s1 * offsets) / np.where(level, 1.0, spread))
    return tilted


@dataclass(frozen=True)
class Band:
    """A median and its 95% interval at each place; NaN where the median is unknown, infinite where it is unbounded."""

    median: Floats
    lo: Floats
    hi: Floats


def local_median(y: Floats, near: Windows) -> Band:
    """Return the local median at each place, and the values that a pointwise sign test does not reject at 95%.

    Args:
        y: a value per puzzle; infinite if censored.
    """
    order = np.argsort(y, kind="stable")
    ranked = y[order]
    finite = ranked[np.isfinite(ranked)]
    if not len(finite):
        unknown = np.full(len(near.places), np.nan)
        return Band(unknown, unknown - math.inf, unknown + math.inf)
    weights = near.weights[:, order]
    share = np.cumsum(weights, axis=1)
    middle = np.maximum.accumulate(share - weights / 2, axis=1)
    share = np.maximum.accumulate(share, axis=1)
    far = np.where(np.isfinite(ranked), ranked, finite[-1] + 1e9)  # cannot interpolate towards infinity
    median = np.array([np.interp(0.5, row, far) for row in middle])
    margin = Z * near.error[:, None]
    return Band(
        np.where(median <= finite[-1], median, np.nan),
        _first(ranked, share > 0.5 - margin, margin[:, 0] >= 0.5, -math.inf),
        _first(ranked, share >= 0.5 + margin, margin[:, 0] >= 0.5, math.inf),
    )


def _first(ranked: Floats, holds: Flags, unbounded: Flags, bound: float) -> Floats:
    """Return for each place the first ranked value where the condition holds (infinity if none), or the bound."""
    first = np.where(holds.any(axis=1), ranked[holds.argmax(axis=1)], math.inf)
    return np.where(unbounded, bound, first)


def median_slope(x: Floats, y: Floats) -> float:
    """Return the slope of the median of y over x: the signs of the residuals are uncorrelated with x (Adichie 1967).

    It is found by bisection: the sum of x · sign(residual) decreases with the slope.

    Args:
        x: a value per puzzle, finite.
        y: a value per puzzle; infinite if censored, for fewer than half of the puzzles near any x.

    Returns:
        0 if x does not vary, or too much of y is censored for such a line to exist.
    """
    finite = np.isfinite(y)
    if len(x) < 2 or not np.ptp(x) or 2 * finite.sum() <= len(y):
        return 0.0
    high = 100 * (float(np.ptp(y[finite])) + 1e-9) / float(np.ptp(x))
    low, steep, centred = -high, high, x - x.mean()
    for _ in range(32):
        slope = (low + high) / 2
        residuals = y - slope * x
        too_low = np.sign(residuals - np.median(residuals)) @ centred > 0
        low, high = (slope, high) if too_low else (low, slope)
    return slope if abs(slope) < 0.99 * steep else 0.0


@dataclass(frozen=True)
class KnownRange:
    """The range of x in which a median is known, and its trend there.

    Attributes:
        inside: whether each puzzle is in the range.
        slope: of the line through the medians of these puzzles; 0 if there is none.
    """

    inside: Flags
    slope: float


def known_range(x: Floats, y: Floats, near: Windows) -> KnownRange:
    """Return the longest range of x in which the local median of y is finite.

    Puzzles are selected by x, never by y: selecting short times would bias the line (Powell 1986).
    """
    late = near.weights @ np.isinf(y) >= 0.5
    edges = np.flatnonzero(np.diff(late, prepend=True, append=True))
    runs = list(zip(edges[::2], edges[1::2], strict=True))  # ranges of places where the median is finite
    if not runs:
        return KnownRange(np.zeros(len(x), dtype=np.bool_), 0.0)
    first, end = max(runs, key=lambda run: int(run[1] - run[0]))
    low = near.places[first - 1] if first > 0 else -math.inf
    high = near.places[end] if end < len(near.places) else math.inf
    inside = (x > low) & (x < high)
    return KnownRange(inside, median_slope(x[inside], y[inside]))
