"""One figure per launch, and confidence intervals of differences between launches.

The figure of a launch is the mean of the logarithms of its times. If a solve was not finished it is the median, with a
lower and an upper bound, because the time of the unfinished solve is censored at its limit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.times import Times

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Launches:
    """A figure per launch.

    Attributes:
        numbers: of the launches.
        bounds: lower and upper bound of each figure, equal if it is known: 2 × launches.
    """

    numbers: tuple[int, ...]
    bounds: Floats

    def of(self, numbers: Sequence[int]) -> Floats:
        """Return the bounds of the launches with these numbers."""
        return self.bounds[:, [self.numbers.index(number) for number in numbers]]

    def minus(self, other: Launches) -> Launches:
        """Return these figures minus the other ones, for the launches that both have."""
        common = tuple(number for number in self.numbers if number in other.numbers)
        return Launches(common, self.of(common) - other.of(common)[::-1])


@dataclass(frozen=True)
class Estimate:
    """A log ratio of times.

    Attributes (of its lower and of its upper bound, which are equal if it is known):
        value: mean over launches; error: its standard error (NaN for fewer than two launches).
        freedom: degrees of freedom.
    """

    value: Floats
    error: Floats
    freedom: Floats

    @property
    def middle(self) -> float:
        """The log ratio if it is known; infinite if it has only one bound, 0 if it has none."""
        return 0.0 if np.isinf(self.value).all() else float(self.value.sum()) / 2

    def widened(self, error: Any, freedom: Any) -> Estimate:
        """Return the estimate with another, independent error added (degrees of freedom after Satterthwaite 1946)."""
        if not np.any(error):
            return self
        total = self.error**2 + np.square(error)
        with np.errstate(divide="ignore", invalid="ignore"):
            uncertain = np.nan_to_num(self.error**4 / self.freedom) + np.nan_to_num(error**4 / freedom)
            return Estimate(self.value, np.sqrt(total), np.where(uncertain > 0, total**2 / uncertain, np.inf))

    def p(self, null: float, side: int) -> float:
        """Return the one-sided p-value of the claim that the log ratio is on that side of ``null``."""
        value, error, freedom = (float(pair[0 if side > 0 else 1]) for pair in (self.value, self.error, self.freedom))
        if not math.isfinite(value) or math.isnan(error):
            return 1.0
        if error == 0:
            return 0.0 if side * (value - null) > 0 else 1.0
        return float(stats.t.sf(side * (value - null) / error, freedom))


def p_beyond(estimate: Estimate, floor: float) -> float:
    """Return the two-sided p-value of the claim that the log ratio is outside ``-floor`` ... ``floor``."""
    return min(1.0, 2 * min(estimate.p(floor, 1), estimate.p(-floor, -1)))


def interval(estimate: Estimate, tail: float = (1 - CONFIDENCE) / 2) -> tuple[float | None, float | None]:
    """Return the interval of the ratio; None where an end is unknown.

    Args:
        tail: probability on each side.
    """
    half = stats.t.isf(tail, estimate.freedom) * estimate.error
    return _exp(float(estimate.value[0] - half[0])), _exp(float(estimate.value[1] + half[1]))


def ratio(estimate: Estimate) -> dict[str, float | None]:
    """Return the columns of the ratio and its interval; None where unknown or unbounded."""
    low, high = interval(estimate)
    value = estimate.value
    return {"ratio": _exp(value[0]) if value[0] == value[1] else None, "ratio_lo": low, "ratio_hi": high}


def _exp(value: float) -> float | None:
    return math.exp(value) if math.isfinite(value) else None


def estimates(launches: tuple[Launches, ...]) -> Estimate:
    """Return the estimate from differences of launches (one item), or from launches of the old and new run (two).

    Variances of the two runs are not taken as equal (Welch 1947).
    """
    after = _student(launches[-1].bounds)
    if len(launches) == 1:
        return after
    before = _student(launches[0].bounds[::-1])
    return Estimate(after.value - before.value, after.error, after.freedom).widened(before.error, before.freedom)


def _student(bounds: Floats) -> Estimate:
    number = bounds.shape[1]
    value = bounds.mean(axis=1) if number else np.full(2, np.nan)  # infinite if any value is
    error, known = np.full(2, np.nan), np.isfinite(value)
    if number > 1:
        error[known] = bounds[known].std(axis=1, ddof=1) / math.sqrt(number)
    return Estimate(value, error, np.where(np.isnan(error), np.nan, number - 1.0))


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
    return Launches(numbers, np.array([[float(centre(pair[side])) for pair in bounds] for side in (0, 1)]))
