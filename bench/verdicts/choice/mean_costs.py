"""How much more one strategy costs than another in the mean, where a few puzzles may cost more than all others.

A mean of such costs is hard to know: most samples lack the rare puzzles that determine it, and then look precise. Two
tests therefore have to agree that a strategy costs more. One compares the means of the sample, which is right with
many puzzles. The other compares the means of the log-normal distributions that have the means and variances of the
logarithms, which counts on rare puzzles that the sample lacks (generalised p-values: Krishnamoorthy & Mathew 2003).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.pairs.decision import LEAST_REPETITIONS
from sudoku_bench.bench.verdicts.pairs.paired import compare

DRAWS = 10_000
SEED = 1
# A tail: so few of the puzzles (at least one) make up so much of the cost. Of log-normal costs that vary by a factor of
# e over 20 puzzles or more, at most a tenth of samples look like that (simulated).
TAIL_PUZZLES, TAIL_SHARE = 0.02, 1 / 3


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
        cost, other: positive, puzzles (three or more) × repetitions.
        alpha: error rate of each end of the interval.
    """
    ratio = float(cost.mean() / other.mean())
    # The logarithm of a ratio of means is approximately a mean of each puzzle's share of the one minus that of the
    # other (the delta method), which is closer to normal than a difference of costs.
    sample = compare(math.log(ratio) + cost / cost.mean() - other / other.mean(), 1 - 2 * alpha)
    assert sample.lo is not None
    assert sample.hi is not None
    assert sample.p is not None
    p = sample.p / 2 if ratio > 1 else 1 - sample.p / 2
    possible = _log_normal_ratios(np.log(cost), np.log(other))
    p_log_normal = (int((possible <= 0).sum()) + 1) / (DRAWS + 1)
    place = max(0, math.ceil(alpha * (DRAWS + 1)) - 2)  # above 0 exactly if the p-value is below alpha
    ends = np.exp(np.partition(possible, (place, DRAWS - 1 - place))[[place, DRAWS - 1 - place]])
    return Excess(ratio, min(sample.lo, float(ends[0])), max(sample.hi, float(ends[1])), max(p, p_log_normal))


def is_dearer(cost: Floats, other: Floats, result: Excess, alpha: float) -> bool:
    """Return whether the data show that a strategy costs more than another: what may be claimed.

    Too few repetitions show nothing. Where a few puzzles make up much of the cost of one of the two, a mean is no
    ground for a claim, and the strategy has to cost more on every puzzle.

    Args:
        result: of ``excess`` for these costs.
    """
    if cost.shape[1] < LEAST_REPETITIONS or result.p >= alpha:
        return False
    return not (tail(cost) or tail(other)) or bool((cost.mean(axis=1) > other.mean(axis=1)).all())


@dataclass(frozen=True)
class Tail:
    """A few puzzles that make up much of the cost of a strategy.

    Attributes:
        puzzles: how many; share: of the cost.
    """

    puzzles: int
    share: float


def tail(cost: Floats) -> Tail | None:
    """Return the tail of costs (puzzles × repetitions), None if no few puzzles make up much of the cost."""
    costs = np.sort(cost.mean(axis=1))[::-1]
    shares = costs[: max(1, int(TAIL_PUZZLES * len(costs)))].cumsum() / costs.sum()
    if shares[-1] <= TAIL_SHARE:
        return None
    number = int((shares <= TAIL_SHARE).sum()) + 1
    return Tail(number, float(shares[number - 1]))


def log_spread(cost: Floats) -> float:
    """Return the standard deviation of the logarithms of costs over puzzles (puzzles × repetitions)."""
    return float(np.log(cost.mean(axis=1)).std(ddof=1))


def error_of_mean(log_spread: float, puzzles: int) -> float:
    """Return the standard error of the logarithm of a log-normal mean (Cox's method: Zhou & Gao 1997)."""
    return math.sqrt((log_spread**2 + log_spread**4 / 2) / puzzles)


def _log_normal_ratios(logs: Floats, others: Floats) -> Floats:
    """Draw log ratios of two log-normal means, given paired logarithms of costs (puzzles × repetitions).

    The distribution of covariance matrices and means is the one for which a generalised p-value of a single log-normal
    mean is exact: a sample's covariance has a Wishart distribution about the true one.
    """
    puzzles = len(logs)
    (own, shared), (_, of_others) = np.cov(logs.mean(axis=1), others.mean(axis=1)) * (puzzles - 1)
    drawn = _deviates(puzzles)
    # Rows of a factor of each drawn covariance matrix: the Cholesky factor of the sample's, times the inverse of that
    # of a Wishart matrix (Bartlett 1933).
    root = math.sqrt(own)
    below = shared / root if root else 0.0
    rest = math.sqrt(max(0.0, of_others - below**2))
    ratio = drawn.below / (drawn.top * drawn.bottom)
    own_row = root / drawn.top, -root * ratio
    others_row = below / drawn.top, rest / drawn.bottom - below * ratio
    error = (own_row[0] - others_row[0]) * drawn.normal[0] + (own_row[1] - others_row[1]) * drawn.normal[1]
    # Forms and noise vary within puzzles, and count for a mean as well.
    within = [float(table.var(axis=1).mean()) for table in (logs, others)]
    variances = own_row[0] ** 2 + own_row[1] ** 2 - others_row[0] ** 2 - others_row[1] ** 2 + within[0] - within[1]
    log_ratios: Floats = logs.mean() - others.mean() + error / math.sqrt(puzzles) + variances / 2
    return log_ratios


class _Deviates(NamedTuple):
    """A Bartlett factor (its diagonal, and the element below it) and two normal deviates."""

    top: Floats
    bottom: Floats
    below: Floats
    normal: Floats


@lru_cache(maxsize=1)
def _deviates(puzzles: int) -> _Deviates:
    """Draw deviates by a fixed seed."""
    rng = np.random.default_rng(SEED)
    top, bottom = (np.sqrt(rng.chisquare(puzzles - freedom, DRAWS)) for freedom in (1, 2))
    return _Deviates(top, bottom, rng.standard_normal(DRAWS), rng.standard_normal((2, DRAWS)))
