"""What every estimate of a ratio of times can be asked: its interval, and how little it fits a given ratio.

An estimate here is of many pairs of strategies at once: arrays with an element per pair. Ratios are logarithms.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating[Any]]

ABOVE, BELOW = 1, -1


class Estimate(Protocol):
    """Log ratios of many pairs, with what they may be off by."""

    def end(self, tail: ArrayLike, side: int) -> Array:
        """The end of an interval that misses the truth on that side with this probability: its upper end for
        ``ABOVE``, its lower end for ``BELOW``; infinite where nothing bounds it."""

    def p_beyond(self, null: float, side: int) -> Array:
        """One-sided p-value of the claim that the truth lies on that side of ``null``."""


def interval(found: Estimate, confidence: float) -> tuple[Array, Array]:
    """Lower and upper ends of the two-sided interval."""
    tail = (1 - confidence) / 2
    return found.end(tail, BELOW), found.end(tail, ABOVE)


def p_different(found: Estimate) -> Array:
    """Two-sided p-value of the hypothesis that the ratio is 1: the level whose interval just touches 1."""
    smaller: Array = np.minimum(found.p_beyond(0.0, ABOVE), found.p_beyond(0.0, BELOW))
    return np.minimum(1.0, 2 * smaller)


def p_equivalent(found: Estimate, margin: float) -> Array:
    """p-value of the claim that the ratio lies between ``exp(-margin)`` and ``exp(margin)``.

    Two one-sided tests (Schuirmann 1987): below 0.05 where the 90% interval lies inside the margin.
    """
    larger: Array = np.maximum(found.p_beyond(-margin, ABOVE), found.p_beyond(margin, BELOW))
    return larger
