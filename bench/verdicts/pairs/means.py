"""How much longer does one strategy take than another, where every solve was finished? A mean, for many pairs at once.

The mean of the log ratios of puzzles, the geometric mean of the ratios. What puzzles vary by is estimated from the
puzzles of a pair, what processes vary by from all pairs (``process``). Puzzles that suit one strategy very much and the
other never as much are the rule, and Student's interval then ends too early on the side of the long tail: so an end is
the further one of two, that by Student's t and that by Hall's transformation of t, which undoes the skewness.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bench.verdicts.pairs.estimate import Array
from bench.verdicts.pairs.process_noise import Floats, Shared


@dataclass(frozen=True)
class Means:
    """Mean log ratios of many pairs: an ``Estimate``.

    Hall's transformation alone would trust the skewness of few puzzles too far. A p-value is the level at which the
    interval touches the value asked.

    Attributes (arrays, an element per pair):
        mean: of the log ratios; error: its standard error.
        freedom: degrees of freedom of the error (Satterthwaite 1946); skewness: of the mean.
    """

    mean: Array
    error: Array
    freedom: Array
    skewness: Array

    def end(self, tail: ArrayLike, side: int) -> Array:
        plain = np.asarray(stats.t.isf(np.asarray(tail, dtype=np.float64), self.freedom))
        # An upper end comes from the lower tail of the studentised mean.
        skewed = _hall_inverse(-side * plain, self.skewness)
        end: Array = self.mean + side * self.error * np.maximum(plain, -side * skewed)
        return end

    def p_beyond(self, null: float, side: int) -> Array:
        distance = self.mean - null
        with np.errstate(divide="ignore", invalid="ignore"):
            studentised = distance / self.error
        # Where nothing varies the mean is the truth, also where it is the value asked.
        studentised = np.where(distance == 0, 0.0, studentised)
        skewness = np.where(np.isfinite(studentised), self.skewness, 0.0)
        transformed = _hall(np.nan_to_num(studentised, posinf=0.0, neginf=0.0), skewness)
        transformed = np.where(np.isfinite(studentised), transformed, studentised)
        return np.asarray(stats.t.sf(np.minimum(side * studentised, side * transformed), self.freedom))


def means(log_ratios: Floats, shared: Shared) -> Means:
    """Mean log ratios of complete tables, pairs × puzzles (two or more) × replicates, all finite."""
    _, puzzles, _ = log_ratios.shape
    of_puzzles = log_ratios.mean(axis=2)
    mean = of_puzzles.mean(axis=1)
    by_puzzles = of_puzzles.var(axis=1, ddof=1) / puzzles
    variance = by_puzzles + shared.variance
    error = np.sqrt(variance)
    uncertain = by_puzzles**2 / (puzzles - 1) + np.where(shared.variance > 0, shared.doubt, 0.0)
    freedom = np.full_like(mean, puzzles - 1.0)
    np.divide(variance**2, uncertain, out=freedom, where=uncertain > 0)
    skewness = np.zeros_like(mean)
    third = ((of_puzzles - mean[:, None]) ** 3).mean(axis=1)
    np.divide(third / puzzles**2, error**3, out=skewness, where=error > 0)
    return Means(mean, error, np.maximum(1.0, freedom), skewness)


def _hall(studentised: Array, skewness: Array) -> Array:
    """Hall's (1992) transformation of a studentised mean, nearly free of the skewness of that mean."""
    cubic: Array = studentised + skewness * studentised**2 / 3 + skewness**2 * studentised**3 / 27 + skewness / 6
    return cubic


def _hall_inverse(transformed: Array, skewness: Array) -> Array:
    """The studentised mean that is transformed to this."""
    straight = np.abs(skewness) < 1e-8
    safe = np.where(straight, 1.0, skewness)
    root = np.cbrt(1 + safe * (transformed - safe / 6))
    return np.where(straight, transformed, 3 / safe * (root - 1))
