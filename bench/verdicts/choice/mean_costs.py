"""How much more one strategy costs than another in the mean, where a few puzzles may cost more than all others.

A mean of such costs is hard to know: most samples lack the rare puzzles that determine it, and then look precise. Two
tests therefore have to agree that a strategy costs more. One compares the means of the sample, which is right with
many puzzles. The other compares the means of the log-normal distributions that have the means and variances of the
logarithms, which counts on rare puzzles that the sample lacks (Cox's method: Land 1972, Zhou & Gao 1997).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from bench.verdicts.arrays import Floats
from bench.verdicts.pairs.paired import compare


@dataclass(frozen=True)
class Excess:
    """A ratio of two mean costs.

    Attributes:
        ratio: of the means of the sample.
        lo, hi: ends of an interval, each with the given error rate.
        p: one-sided, of the hypothesis that the true ratio is not above 1.
    """

    ratio: float
    lo: float
    hi: float
    p: float


def excess(cost: Floats, other: Floats, alpha: float) -> Excess:
    """Compare the mean cost of a strategy with that of another, paired by puzzle; ``lo`` > 1 exactly if p < ``alpha``.

    Args:
        cost, other: positive, puzzles (three or more) × replicates.
        alpha: error rate of each end of the interval.
    """
    ratio = cost.mean() / other.mean()
    # The logarithm of a ratio of means is approximately a mean of each puzzle's share of the one minus that of the
    # other (the delta method), which is closer to normal than a difference of costs.
    of_sample = compare(math.log(ratio) + cost / cost.mean() - other / other.mean(), 1 - 2 * alpha)
    of_logs = compare(_log_mean(cost) - _log_mean(other), 1 - 2 * alpha)
    assert of_sample.lo is not None
    assert of_sample.hi is not None
    assert of_logs.lo is not None
    assert of_logs.hi is not None
    difference, error, freedom = math.log(of_logs.ratio), _cox_error(cost, other), len(cost) - 1
    half = float(stats.t.isf(alpha, freedom)) * error
    p_cox = float(stats.t.sf(difference / error, freedom)) if error > 0 else float(difference <= 0)
    return Excess(
        float(ratio),
        min(of_sample.lo, of_logs.lo, math.exp(difference - half)),
        max(of_sample.hi, of_logs.hi, math.exp(difference + half)),
        max(_one_sided(of_sample.ratio, of_sample.p), _one_sided(of_logs.ratio, of_logs.p), p_cox),
    )


def log_spread(cost: Floats) -> float:
    """Return the standard deviation of the logarithms of costs over puzzles (puzzles × replicates)."""
    return float(np.log(cost.mean(axis=1)).std(ddof=1))


def error_of_mean(log_spread: float, puzzles: int) -> float:
    """Return the standard error of the logarithm of a log-normal mean (Cox's method: Zhou & Gao 1997)."""
    return math.sqrt((log_spread**2 + log_spread**4 / 2) / puzzles)


def _log_mean(cost: Floats) -> Floats:
    """Return a table whose mean is the logarithm of the mean of a log-normal distribution fitted to the costs.

    Its cells are the contributions of single costs, so their variation is that of the estimate, normal or not.
    """
    logs = np.log(cost)
    squares = (logs - logs.mean()) ** 2
    contributions: Floats = logs + squares * len(cost) / (len(cost) - 1) / 2
    return contributions


def _cox_error(cost: Floats, other: Floats) -> float:
    """Return the standard error of the difference of the logarithms of two log-normal means."""
    number = len(cost)
    (own, shared), (_, others) = np.cov(np.log(cost).mean(axis=1), np.log(other).mean(axis=1))
    of_means = (own + others - 2 * shared) / number
    of_variances = (own**2 + others**2 - 2 * shared**2) / (2 * (number - 1))
    return math.sqrt(max(0.0, of_means + of_variances))


def _one_sided(ratio: float, p: float | None) -> float:
    if p is None:
        return 1.0
    return p / 2 if ratio > 1 else 1 - p / 2
