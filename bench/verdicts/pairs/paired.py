"""The paired ratio of two strategies' times on the same puzzles, with its confidence interval.

Times are compared by puzzle and repetition (a repetition in a launch, solved by separate processes) as differences of
logarithms. The model of a difference is the difference between the strategies, plus a random effect of the puzzle
(puzzles suit one strategy or the other), plus a random effect of the repetition (a process can be a percent faster or
slower than another of the same strategy), plus noise. More repetitions reduce the variance of the noise, more puzzles
that of the puzzle effect, and only more processes that of the repetition effect.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from sudoku_bench.bench.verdicts.arrays import Floats


@dataclass(frozen=True)
class Ratio:
    """A paired geometric mean ratio of times.

    Attributes:
        ratio: time of a / time of b; lo, hi: its confidence interval (None for a single value).
        p: two-sided, of the hypothesis that the ratio is 1.
        n_puzzles: number of puzzles.
    """

    ratio: float
    lo: float | None
    hi: float | None
    p: float | None
    n_puzzles: int


def compare(log_ratios: Floats, confidence: float = 0.95) -> Ratio:
    """Return the geometric mean ratio from a complete table of log ratios, puzzles × repetitions.

    The variance of the mean of a two-way table with random rows and columns is estimated from its mean squares
    (Cochran 1951; Searle, Casella & McCulloch 1992), and is at least the estimate from rows or columns alone; degrees
    of freedom after Satterthwaite (1946). With a single repetition it does not include the variance between processes.

    Raises:
        ValueError: the table is empty, or a value is not finite.
    """
    puzzles = len(log_ratios)
    if not log_ratios.size or not np.isfinite(log_ratios).all():
        raise ValueError("a ratio needs finished times of every puzzle in every repetition")
    mean = float(log_ratios.mean())
    variance, freedom = variance_of_mean(log_ratios)
    if variance is None:
        return Ratio(math.exp(mean), None, None, None, puzzles)
    if variance == 0:
        return Ratio(math.exp(mean), math.exp(mean), math.exp(mean), float(mean == 0), puzzles)
    error = math.sqrt(variance)
    half = float(stats.t.ppf((1 + confidence) / 2, freedom)) * error
    p = float(2 * stats.t.sf(abs(mean) / error, freedom))
    return Ratio(math.exp(mean), math.exp(mean - half), math.exp(mean + half), p, puzzles)


def variance_of_mean(table: Floats) -> tuple[float | None, float]:
    """Return the variance of the mean of a table with random rows and columns (None for a single value).

    Returns:
        the variance, and its degrees of freedom.
    """
    rows, columns = table.shape
    if rows < 2 and columns < 2:
        return None, 0.0
    if rows < 2 or columns < 2:
        values = table.ravel()
        return float(values.var(ddof=1)) / values.size, values.size - 1
    of_rows = columns * table.mean(axis=1).var(ddof=1)
    of_columns = rows * table.mean(axis=0).var(ddof=1)
    residual = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0, keepdims=True) + table.mean()
    rest = (residual**2).sum() / ((rows - 1) * (columns - 1))
    variance, freedom = variance_of_mean_squares(of_rows, of_columns, rest, rows, columns)
    return float(variance), float(freedom)


def variance_of_mean_squares(
    of_rows: Floats, of_columns: Floats, rest: Floats, rows: int, columns: int
) -> tuple[Floats, Floats]:
    """Return the variance of the mean of a table and its degrees of freedom, from mean squares; many tables at once."""
    combined = of_rows + of_columns - rest
    squares: Floats = np.maximum(combined, np.maximum(of_rows, of_columns))
    uncertain = of_rows**2 / (rows - 1) + of_columns**2 / (columns - 1) + rest**2 / ((rows - 1) * (columns - 1))
    satterthwaite = np.maximum(1.0, combined**2 / np.maximum(uncertain, 1e-300))
    freedom = np.select([squares == of_rows, squares == of_columns], [rows - 1.0, columns - 1.0], satterthwaite)
    return squares / (rows * columns), freedom
