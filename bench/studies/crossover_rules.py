"""Rules that decide which pairs of strategies cross: the one in use, and those that were tried and rejected.

A rule returns a p-value per pair of a field, corrected for the pairs that it tests; NaN for the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy import stats

from bench.verdicts.arrays import Floats
from bench.verdicts.difficulty.fields import GUESSES, Field
from bench.verdicts.difficulty.leads import independent, leads, processes_of, thirds
from bench.verdicts.pairs.decision import holm
from bench.verdicts.times import medians


def used(field: Field) -> Floats:
    """The rule of the project: means, tested for pairs whose estimated leads are opposite."""
    return holm(leads(field, GUESSES).p)


def all_pairs(field: Field) -> Floats:
    """The same tests, corrected for all pairs."""
    return holm(np.minimum(1, 2 * np.minimum(*leads(field, GUESSES).one_sided)))


def by_signed_ranks(field: Field) -> Floats:
    """Wilcoxon's (1945) test of the medians of puzzles in place of the mean."""
    return _tested(field, signed_ranks)


def by_signs(field: Field) -> Floats:
    """The sign test of the medians of puzzles."""
    return _tested(field, signs)


def without_processes(field: Field) -> Floats:
    """Wilcoxon's test without the variance between processes."""
    return _tested(field, signed_ranks, with_processes=False)


def by_line(field: Field) -> Floats:
    """A straight line through the medians of puzzles: is it below 0 in the middle of one third, above in the other?"""
    x, least, most, error, freedom = _puzzle_ratios(field)
    ratios = np.where(np.isfinite(least), least, np.where(np.isfinite(most), most, 0.0))
    design = np.column_stack([np.ones_like(x), x])
    inverse = np.linalg.inv(design.T @ design)
    coefficients = ratios @ design @ inverse
    variance = ((ratios - coefficients @ design.T) ** 2).sum(axis=1) / (len(x) - 2)
    p = []
    for third in thirds(x):
        at = np.array([1.0, np.median(x[third])])
        by_puzzles = variance * (at @ inverse @ at)
        total = by_puzzles + error**2
        satterthwaite = total**2 / (by_puzzles**2 / (len(x) - 2) + error**4 / freedom)
        p += [_student(side * (coefficients @ at) / np.sqrt(total), satterthwaite) for side in (1, -1)]
    return holm(_opposite(*p))


def _student(studentised: Floats, freedom: Floats) -> Floats:
    return np.asarray(stats.t.cdf(studentised, freedom), dtype=np.float64)


Test = Callable[[Floats], Floats]


def _tested(field: Field, test: Test, with_processes: bool = True) -> Floats:
    """Return the corrected p-values of both leads by a one-sided test of ratios (pairs × ... × puzzles) below 0.

    The test is averaged over the deviations of the processes that are compatible with their estimated variance.
    """
    x, least, most, error, freedom = _puzzle_ratios(field)
    quantiles = (np.arange(40) + 0.5) / 40 if with_processes else np.array([0.5])
    shifts = stats.t.ppf(quantiles, freedom[:, None]) * error[:, None]
    p = [test(side[:, None, third] - shifts[:, :, None]).mean(axis=1) for third in thirds(x) for side in (most, -least)]
    return holm(_opposite(*p))


def _opposite(easy_a: Floats, easy_b: Floats, hard_a: Floats, hard_b: Floats) -> Floats:
    """Return the p-values of crossovers from those of the four leads; NaN where estimated leads are not opposite."""
    p = 2 * np.minimum(np.maximum(easy_a, hard_b), np.maximum(easy_b, hard_a))
    return np.where(p < 1, p, np.nan)


def _puzzle_ratios(field: Field) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Return positions, bounds of the log ratios of puzzles (pairs × puzzles), and the error due to processes.

    The last two are its standard deviation and degrees of freedom.
    """
    x, log_s, censored = independent(field, GUESSES)
    least, most = medians(log_s), medians(np.where(censored, np.inf, log_s))
    a, b = np.triu_indices(len(log_s), 1)
    processes = processes_of(log_s, censored, a, b)
    # The variance of a median of three or more is larger by up to π/2.
    error = np.sqrt(processes.variance * np.pi / 2)
    freedom = np.divide(
        processes.variance**2, processes.half_variance, out=np.ones(len(a)), where=processes.half_variance > 0
    )
    return x, least[a] - most[b], most[a] - least[b], error, np.maximum(1.0, freedom)


def signs(ratios: Floats) -> Floats:
    """Return the one-sided p-value of the sign test that ratios are below 0, along the last axis."""
    positive = (ratios > 0).sum(axis=-1)
    return np.asarray(stats.binom.cdf(positive, ratios.shape[-1], 0.5), dtype=np.float64)


def signed_ranks(ratios: Floats) -> Floats:
    """Return the one-sided p-value of Wilcoxon's signed rank test that ratios are below 0, along the last axis."""
    ranks = np.abs(ratios).argsort(axis=-1).argsort(axis=-1) + 1
    p: Floats = _signed_rank_distribution(ratios.shape[-1])[(ranks * (ratios > 0)).sum(axis=-1)]
    return p


@cache
def _signed_rank_distribution(puzzles: int) -> Floats:
    """Return the distribution function of the sum of the positive ranks under the null hypothesis."""
    density = np.zeros(puzzles * (puzzles + 1) // 2 + 1)
    density[0] = 1.0
    for rank in range(1, puzzles + 1):
        shifted = density.copy()
        shifted[rank:] += density[:-rank]
        density = shifted / 2
    return np.asarray(np.cumsum(density), dtype=np.float64)


RULES: dict[str, Callable[[Field], Floats]] = {
    "used": used,
    "all_pairs": all_pairs,
    "signed_ranks": by_signed_ranks,
    "signs": by_signs,
    "without_processes": without_processes,
    "line": by_line,
}
