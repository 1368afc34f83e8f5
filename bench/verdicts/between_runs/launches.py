"""One figure per launch, and confidence intervals of differences between launches.

The figure of a launch is the mean of the logarithms of its times. If a solve was not finished it is the median, with a
lower and an upper bound, because the time of the unfinished solve is censored at its limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from bench.folder.rows import FINISHED
from bench.verdicts.arrays import Floats
from bench.verdicts.times import Times

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Launches:
    """A figure per launch.

    Attributes:
        numbers: of the launches; least, most: lower and upper bound of each figure, equal if it is known.
    """

    numbers: tuple[int, ...]
    least: Floats
    most: Floats

    @property
    def count(self) -> int:
        """Number of launches."""
        return len(self.numbers)

    def minus(self, other: Launches) -> Launches:
        """Return these figures minus the other ones, for the launches that both have."""
        common = tuple(number for number in self.numbers if number in other.numbers)
        own_places = [self.numbers.index(number) for number in common]
        other_places = [other.numbers.index(number) for number in common]
        return Launches(
            common, self.least[own_places] - other.most[other_places], self.most[own_places] - other.least[other_places]
        )


@dataclass(frozen=True)
class Mean:
    """A mean difference with its standard error (NaN for fewer than two launches) and degrees of freedom."""

    value: float
    error: float
    freedom: float

    def end(self, side: int, tail: float = (1 - CONFIDENCE) / 2) -> float:
        """Return the confidence limit on that side (1 above, -1 below) with this tail probability."""
        return self.value + side * float(stats.t.isf(tail, self.freedom)) * self.error

    def p(self, null: float, side: int) -> float:
        """Return the one-sided p-value of the claim that the true value is on that side of ``null``."""
        if not math.isfinite(self.value) or math.isnan(self.error):
            return 1.0
        if self.error == 0:
            return 0.0 if side * (self.value - null) > 0 else 1.0
        return float(stats.t.sf(side * (self.value - null) / self.error, self.freedom))

    def widened(self, error: float, freedom: float) -> Mean:
        """Return the mean with another, independent error added (degrees of freedom after Satterthwaite 1946)."""
        if not error:
            return self
        total = self.error**2 + error**2
        own = self.error**4 / self.freedom if self.error else 0.0
        uncertain = own + error**4 / freedom
        return Mean(self.value, math.sqrt(total), total**2 / uncertain if uncertain > 0 else math.inf)


@dataclass(frozen=True)
class Estimate:
    """A log ratio of times, by its lower and upper bound."""

    least: Mean
    most: Mean

    @property
    def middle(self) -> float:
        """The log ratio if it is known; infinite if it has only one bound, 0 if it has none."""
        if math.isinf(self.least.value) and math.isinf(self.most.value):
            return 0.0
        return (self.least.value + self.most.value) / 2

    def widened(self, error: float, freedom: float) -> Estimate:
        """Return the estimate with another, independent error added."""
        return Estimate(self.least.widened(error, freedom), self.most.widened(error, freedom))

    def p_beyond(self, floor: float) -> float:
        """Return the two-sided p-value of the claim that the log ratio is outside ``-floor`` ... ``floor``."""
        return min(1.0, 2 * min(self.least.p(floor, 1), self.most.p(-floor, -1)))

    def p_within(self, floor: float) -> float:
        """Return the p-value of the claim that it is inside (two one-sided tests, Schuirmann 1987)."""
        return max(self.least.p(-floor, 1), self.most.p(floor, -1))

    def interval(self, tail: float) -> tuple[float | None, float | None]:
        """Return the interval of the ratio with this probability on each side; None where an end is unknown."""
        return _exp(self.least.end(-1, tail)), _exp(self.most.end(1, tail))

    def ratio(self) -> dict[str, float | None]:
        """Return the columns of the ratio and its interval; None where unknown or unbounded."""
        known = self.least.value == self.most.value
        return {
            "ratio": _exp(self.least.value) if known else None,
            "ratio_lo": _exp(self.least.end(-1)),
            "ratio_hi": _exp(self.most.end(1)),
        }


def _exp(value: float) -> float | None:
    return math.exp(value) if math.isfinite(value) else None


def estimates(launches: tuple[Launches, ...]) -> Estimate:
    """Return the estimate from differences of launches (one item), or from launches of the old and new run (two)."""
    if len(launches) == 1:
        [only] = launches
        return Estimate(_student(only.least), _student(only.most))
    old, new = launches
    return Estimate(_welch(old.most, new.least), _welch(old.least, new.most))


def _student(values: Floats) -> Mean:
    if len(values) == 0:
        return Mean(math.nan, math.nan, math.nan)
    value = float(values.mean())  # infinite if any value is
    if len(values) < 2 or not math.isfinite(value):
        return Mean(value, math.nan, math.nan)
    return Mean(value, float(values.std(ddof=1)) / math.sqrt(len(values)), len(values) - 1)


def _welch(old: Floats, new: Floats) -> Mean:
    """Return the difference of means, variances unequal (Welch 1947)."""
    before, after = _student(old), _student(new)
    change = Mean(after.value - before.value, after.error, after.freedom)
    if math.isnan(before.error):
        return Mean(change.value, math.nan, math.nan)
    return change.widened(before.error, before.freedom)


def difference(old: Times, new: Times, strategy: str) -> Launches:
    """Return the paired launches of two runs of the same forms: log time in the new run minus that in the old."""
    before, after = _solves(old, strategy), _solves(new, strategy)
    common = tuple(number for number in before if number in after)
    bounds = [(after[number][0] - before[number][1], after[number][1] - before[number][0]) for number in common]
    return _figures(common, bounds, use_mean=all(np.array_equal(least, most) for least, most in bounds))


def of_run(times: Times, strategy: str, use_mean: bool) -> Launches:
    """Return the launches of one run, their figures as means or as medians."""
    solves = _solves(times, strategy)
    return _figures(tuple(solves), list(solves.values()), use_mean)


def all_finished(times: Times, strategy: str) -> bool:
    """Return whether every solve of the strategy was finished."""
    return strategy in times.strategies and not times.censored[times.strategies.index(strategy)].any()


def finished(rows: pd.DataFrame) -> pd.Series[bool]:
    """Return whether the solve of each row was finished."""
    return rows["status"].isin(FINISHED)


def _solves(times: Times, strategy: str) -> dict[int, tuple[Floats, Floats]]:
    """Return lower and upper bounds of the log times of each complete launch, puzzles × repetitions."""
    if strategy not in times.strategies:
        return {}
    log_s, censored = (array[times.strategies.index(strategy)] for array in (times.log_s, times.censored))
    repetitions = {repetition for _, repetition in times.repetitions}
    result: dict[int, tuple[Floats, Floats]] = {}
    for launch in sorted({launch for launch, _ in times.repetitions}):
        of_launch = sorted(
            (repetition, place) for place, (number, repetition) in enumerate(times.repetitions) if number == launch
        )
        places = [place for _, place in of_launch]
        if len(places) == len(repetitions) and not np.isnan(log_s[:, places]).any():
            result[launch] = log_s[:, places], np.where(censored[:, places], np.inf, log_s[:, places])
    return result


def _figures(numbers: tuple[int, ...], bounds: list[tuple[Floats, Floats]], use_mean: bool) -> Launches:
    centre: Any = np.mean if use_mean else np.median
    least, most = (np.array([float(centre(pair[side])) for pair in bounds]) for side in (0, 1))
    return Launches(numbers, least, most)
