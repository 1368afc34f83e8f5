"""Confidence intervals of medians and of shares over puzzles: they assume no shape of the distribution."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from bench.verdicts.arrays import Floats

TAIL = 0.025


def wilson(share: Floats, n: float) -> tuple[Floats, Floats]:
    """Return 95% score intervals of shares of n (Wilson 1927, "Probable inference, the law of succession")."""
    z = float(stats.norm.isf(TAIL))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.maximum(0.0, middle - half), np.minimum(1.0, middle + half)


def median_interval(times: Floats) -> tuple[float, float]:
    """Return the 95% interval of the median by the sign test: two order statistics, for any distribution.

    It covers the true median at least that often if values are independent. Both ends are infinite if there are too few
    values (fewer than six).

    Args:
        times: infinite where not finished.
    """
    ordered, n = np.sort(times), len(times)
    below = int(stats.binom.ppf(TAIL, n, 0.5))  # the smallest count whose lower tail reaches TAIL
    return (float(ordered[below - 1]), float(ordered[n - below])) if below else (-math.inf, math.inf)
