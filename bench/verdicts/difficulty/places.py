"""Places: at which difficulty one strategy overtakes another, given that it does (``leads``).

Two strategies cross where the median of their paired log ratios changes its sign. Comparing them on the same puzzles is
far more precise than comparing two curves with separate bands. A censored time bounds a ratio on one side. A puzzle
whose bound does not show which strategy was faster counts against either lead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import stats

from sudoku_bench.bench.verdicts.arrays import Floats, Indices
from sudoku_bench.bench.verdicts.difficulty.fields import Axis, Field
from sudoku_bench.bench.verdicts.difficulty.leads import thirds
from sudoku_bench.bench.verdicts.difficulty.local import AxisWindows, Windows, Z


@dataclass(frozen=True)
class StrategyPair:
    """Two strategies on the puzzles that both were measured on.

    Attributes:
        x: positions of the puzzles.
        lo, hi: bounds of log(time of a / time of b).
        slope: trend of the log ratio over x, removed before smoothing.
        clusters: cluster number of each puzzle.
        near: windows over x.
    """

    x: Floats
    lo: Floats
    hi: Floats
    slope: float
    clusters: Indices
    near: Windows

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """Least and largest local share of puzzles on which a is faster, at each place."""
        level = -self.slope * self.near.places[:, None]
        faster = (self.hi - self.slope * self.x)[None, :] < level
        unknown = ((self.lo - self.slope * self.x)[None, :] <= level) & ~faster
        certain = np.einsum("ij,ij->i", self.near.weights, faster)
        if not unknown.any():
            return certain, certain
        weights = self.near.weights * unknown
        return certain + np.minimum(weights, 0).sum(axis=1), certain + np.maximum(weights, 0).sum(axis=1)

    def trend(self) -> float:
        """Return z of the rank correlation between x and the ratio (Spearman 1904), with a clustered standard error.

        Ratios that a timeout bounds on one side rank largest or smallest; those of two timeouts are left out.
        """
        ranked = np.isfinite(self.lo) | np.isfinite(self.hi)
        ratio = np.where(np.isfinite(self.lo), self.hi, self.lo)[ranked]  # infinite if one was not finished
        x, ratio = (stats.rankdata(values) - (ranked.sum() + 1) / 2 for values in (self.x[ranked], ratio))
        parts = pd.Series(x * ratio).groupby(self.clusters[ranked]).sum().to_numpy()
        error = float(np.sqrt((parts**2).sum()))
        return float(parts.sum()) / error if error > 0 else 0.0


class FieldAxis:
    """A field along one axis: the source of its pairs of strategies."""

    def __init__(self, field: Field, axis: Axis) -> None:
        self.field = field
        self.axis = axis
        self.windows = AxisWindows(field.at(axis), field.clusters)
        self.measured = np.isfinite(self.windows.x) & ~np.isnan(field.lo)
        self._slopes: dict[int, float] = {}

    def pair(self, a: int, b: int) -> StrategyPair | None:
        """Return two strategies by their numbers; None if both were measured on too few puzzles."""
        selected = self.measured[a] & self.measured[b]
        near = self.windows.over(selected)
        if near is None:
            return None
        lo_a, hi_a, lo_b, hi_b = (
            times[strategy, selected] for strategy in (a, b) for times in (self.field.lo, self.field.hi)
        )
        slope = self._slope(a) - self._slope(b)
        x, clusters = self.windows.x[selected], self.field.clusters[selected]
        return StrategyPair(x, lo_a - hi_b, hi_a - lo_b, slope, clusters, near)

    @cached_property
    def ranks(self) -> tuple[Floats, Floats]:
        """Ranks of the strategies by median time on the easiest and on the hardest third; 1 is the fastest."""
        known = np.isfinite(self.windows.x)
        times = np.where(np.isnan(self.field.hi), np.inf, self.field.hi)[:, known]
        easy, hard = (
            stats.rankdata(np.median(times[:, third], axis=1), method="min") for third in thirds(self.windows.x[known])
        )
        return easy, hard

    def _slope(self, strategy: int) -> float:
        if strategy not in self._slopes:
            known = self.windows.known_range(self.field.hi[strategy])
            self._slopes[strategy] = 0.0 if known is None else known.slope
        return self._slopes[strategy]


@dataclass(frozen=True)
class Place:
    """A change of sign and its 95% interval, on the scale of the axis."""

    at: float
    lo: float
    hi: float


def place(pair: StrategyPair) -> Place:
    """Return where the lead passes from a, which is faster on easy puzzles, to b.

    The interval contains the places around it that the pointwise sign test does not decide at 95%: it covers the place
    where the median ratio is 1 with 95%. On a side where no place is decided it extends to the last puzzle.
    """
    least, largest = pair.shares
    a_decided, b_decided = ((excess / pair.near.error) - Z for excess in (least - 0.5, 0.5 - largest))
    places, lead = pair.near.places, (least + largest) / 2 - 0.5
    # The cumulative sum of the lead is largest at its last change of sign.
    turn = int(np.cumsum(lead)[:-1].argmax())
    lo = _last_decided(places[: turn + 2], a_decided[: turn + 2])
    back = len(places) - turn
    hi = -_last_decided(-places[::-1][:back], b_decided[::-1][:back])
    return Place(min(max(_zero(places, lead, turn), lo), hi), lo, hi)


def _zero(places: Floats, values: Floats, before: int) -> float:
    """Return the zero of the line through a place and the next one."""
    value, following = values[before], values[before + 1]
    step = places[before + 1] - places[before]
    return float(places[before] + step * value / (value - following)) if value > following else float(places[before])


def _last_decided(places: Floats, values: Floats) -> float:
    """Return where the values fall to 0 after their last positive place; the first place if none is positive.

    Args:
        places, values: up to the place behind the change of sign.
    """
    positive = np.flatnonzero(values[:-1] > 0)
    if not positive.size:
        return float(places[0])
    last = int(positive[-1])
    return _zero(places, values, last) if values[last + 1] <= 0 else float(places[last])
