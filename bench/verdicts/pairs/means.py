"""The ratio of two strategies' times if every solve was finished: a geometric mean, for many pairs at once.

The estimate is the mean of the log ratios of puzzles. Its variance is that of the puzzle means divided by their number,
plus that between processes (``process_variance``); degrees of freedom follow Satterthwaite (1946). Log ratios of
puzzles are often skewed; Student's interval is then too short on the side of the long tail. An end is therefore the
more distant of two: one by Student's t, one by the transformation of t by Hall (1992), which removes the skewness.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.pairs.process_variance import ProcessVariance


@dataclass(frozen=True)
class Means:
    """Mean log ratios of many pairs: an ``Estimate``.

    Hall's transformation alone would rely too much on a skewness estimated from few puzzles. A p-value is the level at
    which the interval touches 0.

    Attributes (arrays, an element per pair):
        mean: of the log ratios; error: its standard error.
        freedom: degrees of freedom of the error (Satterthwaite 1946); skewness: of the mean.
    """

    mean: Floats
    error: Floats
    freedom: Floats
    skewness: Floats

    def end(self, tail: ArrayLike, side: int) -> Floats:
        plain = np.asarray(stats.t.isf(np.asarray(tail, dtype=np.float64), self.freedom))
        # The upper end corresponds to the lower tail of the studentised mean.
        skewed = _hall_inverse(-side * plain, self.skewness)
        end: Floats = self.mean + side * self.error * np.maximum(plain, -side * skewed)
        return end

    def p_beyond(self, side: int) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            studentised = self.mean / self.error
        # Without variation the mean is exact, also if it is 0.
        studentised = np.where(self.mean == 0, 0.0, studentised)
        skewness = np.where(np.isfinite(studentised), self.skewness, 0.0)
        transformed = _hall(np.nan_to_num(studentised, posinf=0.0, neginf=0.0), skewness)
        transformed = np.where(np.isfinite(studentised), transformed, studentised)
        return np.asarray(stats.t.sf(np.minimum(side * studentised, side * transformed), self.freedom))


def means(log_ratios: Floats, processes: ProcessVariance) -> Means:
    """Return mean log ratios of complete tables.

    Args:
        log_ratios: pairs × puzzles (two or more) × repetitions, all finite.
        processes: variance between processes, an element per pair.
    """
    _, puzzles, _ = log_ratios.shape
    of_puzzles = log_ratios.mean(axis=2)
    mean = of_puzzles.mean(axis=1)
    by_puzzles = of_puzzles.var(axis=1, ddof=1) / puzzles
    variance = by_puzzles + processes.variance
    error = np.sqrt(variance)
    uncertain = by_puzzles**2 / (puzzles - 1) + processes.variance**2 / np.maximum(processes.freedom, 1.0)
    freedom = np.full_like(mean, puzzles - 1.0)
    np.divide(variance**2, uncertain, out=freedom, where=uncertain > 0)
    skewness = np.zeros_like(mean)
    third = ((of_puzzles - mean[:, None]) ** 3).mean(axis=1)
    np.divide(third / puzzles**2, error**3, out=skewness, where=error > 0)
    return Means(mean, error, np.maximum(1.0, freedom), skewness)


def _hall(studentised: Floats, skewness: Floats) -> Floats:
    """Return Hall's (1992) transformation of a studentised mean, which removes most of its skewness."""
    cubic: Floats = studentised + skewness * studentised**2 / 3 + skewness**2 * studentised**3 / 27 + skewness / 6
    return cubic


def _hall_inverse(transformed: Floats, skewness: Floats) -> Floats:
    """Return the studentised mean whose transformation this is."""
    symmetric = np.abs(skewness) < 1e-8
    safe = np.where(symmetric, 1.0, skewness)
    root = np.cbrt(1 + safe * (transformed - safe / 6))
    return np.where(symmetric, transformed, 3 / safe * (root - 1))
