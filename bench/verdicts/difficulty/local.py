"""Medians near a place, and lines through medians, for times of which some are only known to be long.

A median needs no number for a time beyond it: that it is longer is enough (Powell 1986). Everything here counts values
above and below and inverts the sign test, so that no shape of distribution is assumed and no resampling is needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

Floats = NDArray[np.float64]

NEAR = 0.75  # of n puzzles, the n ** NEAR nearest ones speak for a place
MIN_NEAR = 15
MIN_PUZZLES = 15  # fewer tell nothing about a curve
MIN_EFFECTIVE = 5  # equal witnesses that a window should be worth at least; fewer than 4 bound no median
WIDENINGS = 10
PLACES = 41  # at most
MIN_WINDOW = 0.1  # of the whole range, at least
Z = float(stats.norm.ppf(0.975))


@dataclass(frozen=True)
class Windows:
    """How much each puzzle says about each of some places.

    Attributes:
        at: the places, ascending.
        weights: places × puzzles, each row with sum 1.
        error: standard error of a weighted share of signs whose true value is one half, for each place.
        roughness: how far apart the places are in independent steps (``simultaneous``).
    """

    at: Floats
    weights: Floats
    error: Floats
    roughness: float


def windows(x: Floats, at: Floats, clusters: NDArray[np.intp]) -> Windows:
    """Local linear weights (Fan 1992) with tricube kernels that reach as far as the nearest puzzles (Cleveland 1979).

    Within a cluster all signs are taken to be the same, which is the worst that can be.

    Args:
        x: where the puzzles are.
        at: the places, ascending.
        clusters: the number of each puzzle's cluster.
    """
    offsets = x[None, :] - at[:, None]
    near = min(len(x), max(MIN_NEAR, math.ceil(len(x) ** NEAR)))
    reach = np.partition(np.abs(offsets), near - 1, axis=1)[:, near - 1]
    reach = np.maximum(reach, MIN_WINDOW * float(np.ptp(x)))
    reach = np.where(reach > 0, reach * 1.001, 1.0)
    weights = _weights(offsets, reach)
    for _ in range(WIDENINGS):  # at the ends, and between puzzles that lie far apart
        few = (weights**2).sum(axis=1) > 1 / MIN_EFFECTIVE
        if not few.any():
            break
        reach = np.where(few, 1.25 * reach, reach)
        weights[few] = _weights(offsets[few], reach[few])
    lumped = _by_cluster(weights, clusters)
    length = np.sqrt((lumped**2).sum(axis=1))
    steps = np.diff(lumped / length[:, None], axis=0)
    return Windows(at, weights, length / 2, float(np.sqrt((steps**2).sum(axis=1)).sum()))


class Lookout:
    """The windows of an axis, made once for each set of puzzles."""

    def __init__(self, x: Floats, clusters: NDArray[np.intp]) -> None:
        self.x = x
        self.clusters = clusters
        self._made: dict[bytes, Windows | None] = {}

    def over(self, chosen: NDArray[np.bool_]) -> Windows | None:
        """Windows at puzzles spread evenly over the range of those chosen; None if they are too few or all alike."""
        key = chosen.tobytes()
        if key not in self._made:
            x, clusters = self.x[chosen], self.clusters[chosen]
            enough = len(np.unique(clusters)) >= MIN_PUZZLES and np.ptp(x) > 0
            self._made[key] = windows(x, _spread(x), clusters) if enough else None
        return self._made[key]


def _spread(x: Floats) -> Floats:
    """Some of the values, as evenly spread as they are: between two that lie far apart nothing is known."""
    known = np.unique(x)
    even = np.linspace(known[0], known[-1], PLACES)
    after = np.clip(np.searchsorted(known, even), 1, len(known) - 1)
    return np.unique(np.where(even - known[after - 1] < known[after] - even, known[after - 1], known[after]))


def _by_cluster(values: Floats, clusters: NDArray[np.intp]) -> Floats:
    """Sums over the puzzles of each cluster, along the last axis."""
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    if len(starts) == len(clusters):
        return values
    sums: Floats = np.add.reduceat(values[..., order], starts, axis=-1)
    return sums


def simultaneous(z: float, roughness: float) -> float:
    """How often chance alone takes some place's |z| beyond this: the volume of a tube (Sun & Loader 1994)."""
    if not math.isfinite(z):
        return 1.0 if z < 0 else 0.0
    return min(1.0, float(2 * stats.norm.sf(z)) + roughness / math.pi * math.exp(-(max(z, 0.0) ** 2) / 2))


def critical(roughness: float, level: float) -> float:
    """The z that chance alone passes somewhere with this probability."""
    return float(optimize.brentq(lambda z: simultaneous(z, roughness) - level, 0.5, 40.0))


def _weights(offsets: Floats, reach: Floats) -> Floats:
    """Local linear weights: places × puzzles, given how far these are from those, and how far each window reaches."""
    kernel = np.clip(1 - np.abs(offsets / reach[:, None]) ** 3, 0, None) ** 3
    s0, s1, s2 = ((kernel * offsets**power).sum(axis=1, keepdims=True) for power in range(3))
    spread = s0 * s2 - s1**2
    level = spread <= 1e-3 * (s0 * reach[:, None]) ** 2  # all in one place: nothing to tilt by
    tilted: Floats = np.where(level, kernel / s0, kernel * (s2 - s1 * offsets) / np.where(level, 1.0, spread))
    return tilted


@dataclass(frozen=True)
class Band:
    """A median at each of some places; NaN where it is not known, and infinite bounds where nothing bounds it."""

    median: Floats
    lo: Floats
    hi: Floats


def local_median(y: Floats, near: Windows) -> Band:
    """The local median of values, and the values that the sign test does not reject there, at 95% for each place.

    Args:
        y: of each puzzle; infinite where it is longer than can be known.
    """
    order = np.argsort(y, kind="stable")
    ranked = y[order]
    finite = ranked[np.isfinite(ranked)]
    if not len(finite):
        nothing = np.full(len(near.at), np.nan)
        return Band(nothing, nothing - math.inf, nothing + math.inf)
    weights = near.weights[:, order]
    share = np.cumsum(weights, axis=1)
    middle = np.maximum.accumulate(share - weights / 2, axis=1)
    share = np.maximum.accumulate(share, axis=1)
    far = np.where(np.isfinite(ranked), ranked, finite[-1] + 1e9)  # between a number and infinity there is none
    median = np.array([np.interp(0.5, row, far) for row in middle])
    margin = Z * near.error[:, None]
    return Band(
        np.where(median <= finite[-1], median, np.nan),
        _first(ranked, share > 0.5 - margin, margin[:, 0] >= 0.5, -math.inf),
        _first(ranked, share >= 0.5 + margin, margin[:, 0] >= 0.5, math.inf),
    )


def _first(ranked: Floats, holds: NDArray[np.bool_], unbounded: NDArray[np.bool_], bound: float) -> Floats:
    """The first of the ranked values where it holds, for each place; infinite where it never does."""
    found = np.where(holds.any(axis=1), ranked[holds.argmax(axis=1)], math.inf)
    return np.where(unbounded, bound, found)


@dataclass(frozen=True)
class Slope:
    """The slope of a line through medians and its 95% interval, infinite where nothing bounds it."""

    slope: float
    lo: float
    hi: float


def median_line(x: Floats, y: Floats, clusters: NDArray[np.intp]) -> Slope | None:
    """The slope of the median of y along x: the line about which signs are uncorrelated with x (Adichie 1967).

    Its interval is that of slopes which the sign test of this correlation does not reject (Koenker 1994), with the
    centre of x where residuals are densest, lest spreads that change with x make it too narrow.

    Args:
        x: of each puzzle, known everywhere.
        y: of each puzzle; infinite where it is longer than can be known, for fewer than half near any x.

    Returns:
        None if x does not vary, or so much of y is infinite that no line has signs like that.
    """
    finite = np.isfinite(y)
    if len(x) < 2 or not np.ptp(x) or 2 * finite.sum() <= len(y):
        return None
    steep = 100 * (float(np.ptp(y[finite])) + 1e-9) / float(np.ptp(x))
    [slope] = _solve(x, y, np.zeros(1), steep)
    if not math.isfinite(slope):
        return None
    weights = x - _centre(x, y - slope * x)
    reach = Z * float(np.sqrt((_by_cluster(weights, clusters) ** 2).sum()))
    lo, hi = _solve(x, y, np.array([reach, -reach]), steep)
    return Slope(float(slope), float(lo), float(hi))


@dataclass(frozen=True)
class Stretch:
    """Where a median is known, and how it rises there.

    Attributes:
        known: of each puzzle, whether it lies where fewer than half of its like are infinite.
        line: through the medians of these puzzles; None where there is none.
    """

    known: NDArray[np.bool_]
    line: Slope | None

    @property
    def tilt(self) -> float:
        return 0.0 if self.line is None else self.line.slope


def stretch(x: Floats, y: Floats, clusters: NDArray[np.intp], near: Windows) -> Stretch:
    """The longest range of x in which the local median of y is finite.

    Puzzles are chosen by x alone, never by y, so that no choice of the short times bends the line (Powell 1986).
    """
    late = near.weights @ np.isinf(y) >= 0.5
    edges = np.flatnonzero(np.diff(late, prepend=True, append=True))
    runs = list(zip(edges[::2], edges[1::2], strict=True))  # of places where the median is finite
    if not runs:
        return Stretch(np.zeros(len(x), dtype=np.bool_), None)
    first, end = max(runs, key=lambda run: int(run[1] - run[0]))
    low = near.at[first - 1] if first > 0 else -math.inf
    high = near.at[end] if end < len(near.at) else math.inf
    known = (x > low) & (x < high)
    return Stretch(known, median_line(x[known], y[known], clusters[known]))


def _solve(x: Floats, y: Floats, wanted: Floats, steep: float) -> Floats:
    """The slopes at which the sum of x · sign of residuals is what is wanted; it falls as the slope grows."""
    centred = x - x.mean()
    middle = [(len(x) - 1) // 2, len(x) // 2]

    def missing(slopes: Floats) -> Floats:
        residuals = y - slopes[:, None] * x
        ranked = np.partition(residuals, middle, axis=1)[:, middle]
        found: Floats = np.sign(residuals - ranked.mean(axis=1, keepdims=True)) @ centred - wanted
        return found

    low, high = np.full(len(wanted), -steep), np.full(len(wanted), steep)
    below, above = missing(low) <= 0, missing(high) >= 0
    for _ in range(32):
        slopes = (low + high) / 2
        rising = missing(slopes) > 0
        low, high = np.where(rising, slopes, low), np.where(rising, high, slopes)
    return np.where(below, -math.inf, np.where(above, math.inf, (low + high) / 2))


def _centre(x: Floats, residuals: Floats) -> float:
    """Mean of x among the quarter of the residuals that lies nearest to their median."""
    away = np.abs(residuals - np.median(residuals))
    return float(x[away <= np.quantile(away, 0.25, method="higher")].mean())
