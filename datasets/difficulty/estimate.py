"""Means of work counts with their standard errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error; None if they are not known."""

    mean: float | None = None
    standard_error: float | None = None

    def fields(self, name: str) -> dict[str, str]:
        """Format both as the columns ``name`` and ``name_se``; empty if not known."""
        values = {name: self.mean, f"{name}_se": self.standard_error}
        return {column: "" if value is None else f"{value:.6g}" for column, value in values.items()}


UNKNOWN = Estimate()


def estimate(counts: Sequence[int]) -> Estimate:
    """Return the mean of at least two counts and its standard error; unknown if one of them is negative (given up)."""
    if min(counts) < 0:
        return UNKNOWN
    return Estimate(fmean(counts), stdev(counts) / math.sqrt(len(counts)))
