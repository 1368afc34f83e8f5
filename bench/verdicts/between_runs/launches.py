"""Launches as figures, and what a difference of launches may be off by.

A figure is a mean of logarithms of times over the solves of a launch, or, where a solve was not finished, a median, at
its least and at its most: the unfinished solve took longer than its limit, and how much longer is not known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.times import Times

CONFIDENCE = 0.95

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Launches:
    """A figure per launch.

    Attributes:
        numbers: of the launches; least, most: the figure at its least and at its most, the same where it is known.
    """

    numbers: tuple[int, ...]
    least: Array
    most: Array

    @property
    def number(self) -> int:
        return len(self.numbers)

    def less(self, other: Launches, share: float) -> Launches:
        """These figures less a share of the others', in the launches that both have."""
        both = tuple(number for number in self.numbers if number in other.numbers)
        mine = [self.numbers.index(number) for number in both]
        theirs = [other.numbers.index(number) for number in both]
        return Launches(
            both, self.least[mine] - share * other.most[theirs], self.most[mine] - share * other.least[theirs]
        )


@dataclass(frozen=True)
class Mean:
    """A mean difference with its standard error (NaN for fewer than two launches) and degrees of freedom."""

    value: float
    error: float
    freedom: float

    def end(self, side: int) -> float:
        """The end of the 95% interval on that side (1 above, -1 below)."""
        return self.value + side * float(stats.t.ppf((1 + CONFIDENCE) / 2, self.freedom)) * self.error

    def p(self, null: float, side: int) -> float:
        """One-sided p-value of the claim that the truth lies on that side of ``null``."""
        if not math.isfinite(self.value) or math.isnan(self.error):
            return 1.0
        if self.error == 0:
            return 0.0 if side * (self.value - null) > 0 else 1.0
        return float(stats.t.sf(side * (self.value - null) / self.error, self.freedom))


@dataclass(frozen=True)
class Estimate:
    """A log ratio of times, at its least and at its most."""

    least: Mean
    most: Mean

    @property
    def middle(self) -> float:
        """The log ratio where it is known; infinite where it has one bound only, 0 where it has none."""
        if math.isinf(self.least.value) and math.isinf(self.most.value):
            return 0.0
        return (self.least.value + self.most.value) / 2

    def p_beyond(self, floor: float) -> float:
        """Two-sided, of a log ratio outside ``-floor`` ... ``floor``."""
        return min(1.0, 2 * min(self.least.p(floor, 1), self.most.p(-floor, -1)))

    def p_within(self, floor: float) -> float:
        """Of a log ratio inside (two one-sided tests, Schuirmann 1987)."""
        return max(self.least.p(-floor, 1), self.most.p(floor, -1))

    def ratio(self) -> dict[str, float | None]:
        """As columns: the ratio where it is known, and the ends of its interval where there are any."""
        known = self.least.value == self.most.value
        return {
            "ratio": _exp(self.least.value) if known else None,
            "ratio_lo": _exp(self.least.end(-1)),
            "ratio_hi": _exp(self.most.end(1)),
        }


def _exp(value: float) -> float | None:
    return math.exp(value) if math.isfinite(value) else None


def estimates(launches: tuple[Launches, ...]) -> Estimate:
    """From the differences of launches, or from the launches of the old run and of the new one."""
    if len(launches) == 1:
        [only] = launches
        return Estimate(_student(only.least), _student(only.most))
    old, new = launches
    return Estimate(_welch(old.most, new.least), _welch(old.least, new.most))


def _student(values: Array) -> Mean:
    if len(values) == 0:
        return Mean(math.nan, math.nan, math.nan)
    value = float(values.mean())  # infinite if one is
    if len(values) < 2 or not math.isfinite(value):
        return Mean(value, math.nan, math.nan)
    return Mean(value, float(values.std(ddof=1)) / math.sqrt(len(values)), len(values) - 1)


def _welch(old: Array, new: Array) -> Mean:
    """Difference of means with unequal variances (Welch 1947), degrees of freedom after Satterthwaite (1946)."""
    before, after = _student(old), _student(new)
    value = after.value - before.value
    variances = before.error**2, after.error**2
    total = sum(variances)
    if not math.isfinite(value) or not total > 0:
        return Mean(value, math.sqrt(total), before.freedom + after.freedom)
    freedom = total**2 / (variances[0] ** 2 / before.freedom + variances[1] ** 2 / after.freedom)
    return Mean(value, math.sqrt(total), freedom)


def difference(old: Times, new: Times, strategy: str) -> Launches:
    """The launches that both have, of the same forms: log time in the new run less that in the old, solve by solve."""
    before, after = _solves(old, strategy), _solves(new, strategy)
    both = tuple(number for number in before if number in after)
    cells = [(after[number][0] - before[number][1], after[number][1] - before[number][0]) for number in both]
    return _figures(both, cells, all(np.array_equal(least, most) for least, most in cells))


def own(times: Times, strategy: str, exact: bool) -> Launches:
    """The launches of one run. If not ``exact`` they are medians, to be subtracted from other medians."""
    solves = _solves(times, strategy)
    return _figures(tuple(solves), list(solves.values()), exact)


def is_whole(times: Times, strategy: str) -> bool:
    """Was every solve of the strategy finished?"""
    return strategy in times.strategies and not times.censored[times.strategies.index(strategy)].any()


def finished(rows: pd.DataFrame) -> pd.Series[bool]:
    return rows["status"] == "solved"


def _solves(times: Times, strategy: str) -> dict[int, tuple[Array, Array]]:
    """Log times of each launch, puzzles × repetitions, at their least and at their most; whole launches only."""
    if strategy not in times.strategies:
        return {}
    log_s, censored = (array[times.strategies.index(strategy)] for array in (times.log_s, times.censored))
    repetitions = {repetition for _, repetition in times.replicates}
    found: dict[int, tuple[Array, Array]] = {}
    for launch in sorted({launch for launch, _ in times.replicates}):
        own_replicates = sorted(
            (repetition, place) for place, (number, repetition) in enumerate(times.replicates) if number == launch
        )
        places = [place for _, place in own_replicates]
        if len(places) == len(repetitions) and not np.isnan(log_s[:, places]).any():
            found[launch] = log_s[:, places], np.where(censored[:, places], np.inf, log_s[:, places])
    return found


def _figures(numbers: tuple[int, ...], cells: list[tuple[Array, Array]], exact: bool) -> Launches:
    centre: Any = np.mean if exact else np.median
    least, most = (np.array([float(centre(pair[side])) for pair in cells]) for side in (0, 1))
    return Launches(numbers, least, most)
