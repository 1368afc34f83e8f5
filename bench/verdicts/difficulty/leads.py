"""Leads: whether one of two strategies is faster on the easiest puzzles, and the other one on the hardest.

The mean log ratio of a pair is tested on the third of the puzzles with the lowest difficulty and on the third with the
highest, in the same way as the ratios of ``pairs``: by puzzles, with the variance between processes, which all puzzles
share. Two strategies cross if both tests are significant in opposite directions (an intersection-union test: Berger
1982).

Most pairs do not cross, and a correction for all of them would leave little power. Only pairs whose estimated leads are
opposite are therefore tested, at a price: given the signs of the estimates, a one-sided p-value is at most one half, so
it is doubled (Ellis, Pecanka & Goeman 2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bench.verdicts.arrays import Flags, Floats, Indices
from bench.verdicts.difficulty.fields import Axis, Field
from bench.verdicts.lineages import cluster_means, cluster_sums
from bench.verdicts.pairs.censored import medians, puzzle_times
from bench.verdicts.pairs.decision import ABOVE, BELOW, LEAST_PUZZLES, LEAST_REPETITIONS, attainable
from bench.verdicts.pairs.means import means
from bench.verdicts.pairs.process_variance import ProcessVariance, process_variance, repetition_variances


@dataclass(frozen=True)
class Third:
    """The ratios of pairs of strategies on a part of the puzzles, mostly a third; arrays with an element per pair.

    Attributes:
        ratio: logarithm of time of a / time of b; NaN where unknown.
        is_bound: unfinished solves leave the ratio open; it is at least as far from 1 as ``ratio``.
        p_a, p_b: one-sided p-values of the claims that a, or b, is faster; 1 where there are too few puzzles.
        puzzles: number of independent puzzles.
    """

    ratio: Floats
    is_bound: Flags
    p_a: Floats
    p_b: Floats
    puzzles: Indices


@dataclass(frozen=True)
class Leads:
    """The leads of all pairs of strategies of a field along an axis.

    Attributes:
        a, b: numbers of the strategies of each pair.
        easy, hard: the ratios on the third of the puzzles with the lowest and with the highest difficulty.
    """

    a: Indices
    b: Indices
    easy: Third
    hard: Third

    @cached_property
    def a_first(self) -> Flags:
        """Whether a is the faster one on the easy puzzles, if the pair crosses."""
        a_first, b_first = self.one_sided
        return a_first <= b_first

    @cached_property
    def p(self) -> Floats:
        """p-value of the hypothesis that a pair does not cross, given that its leads are opposite; NaN if they are not.

        It is at least the smallest that so many puzzles can give.
        """
        p = 2 * np.minimum(*self.one_sided)
        least = attainable(np.minimum(self.easy.puzzles, self.hard.puzzles))
        return np.where(p < 1, np.maximum(p, least), np.nan)

    @property
    def one_sided(self) -> tuple[Floats, Floats]:
        """p-values of the claims that a is faster first and b later, and the reverse: both leads are required."""
        a_first: Floats = np.maximum(self.easy.p_a, self.hard.p_b)
        b_first: Floats = np.maximum(self.easy.p_b, self.hard.p_a)
        return a_first, b_first


def leads(field: Field, axis: Axis) -> Leads:
    """Return the leads of all pairs of strategies, on the puzzles that both were measured on."""
    x, log_s, censored = independent(field, axis)
    a, b = np.triu_indices(len(field.strategies), 1)
    easy, hard = _unknown(len(a)), _unknown(len(a))
    if log_s.shape[2] < LEAST_REPETITIONS or not can_decide(field, axis):
        return Leads(a, b, easy, hard)
    measured = np.isfinite(x) & np.isfinite(log_s).any(axis=2)
    processes = processes_of(log_s, censored, a, b)
    for pairs, selected in _groups(measured[a] & measured[b]):
        for third, inside in zip((easy, hard), thirds(x[selected]), strict=True):
            puzzles = np.flatnonzero(selected)[inside]
            third.puzzles[pairs] = len(puzzles)
            if len(puzzles) >= LEAST_PUZZLES:
                _test(third, pairs, log_s[:, puzzles], censored[:, puzzles], a[pairs], b[pairs], processes[pairs])
    return Leads(a, b, easy, hard)


def can_decide(field: Field, axis: Axis) -> bool:
    """Return whether there are enough independent puzzles in both thirds along an axis."""
    x, *_ = independent(field, axis)
    return all(np.count_nonzero(third) >= LEAST_PUZZLES for third in thirds(x[np.isfinite(x)]))


def thirds(x: Floats) -> tuple[Flags, Flags]:
    """Return which puzzles belong to the third with the lowest and to the third with the highest difficulty.

    Puzzles of the same difficulty stay together: the sizes are as close to a third as that allows. Without two
    different difficulties both are empty.
    """
    values, counts = np.unique(x, return_counts=True)
    if len(values) < 2:
        return np.zeros(len(x), dtype=np.bool_), np.zeros(len(x), dtype=np.bool_)
    low = values[np.abs(np.cumsum(counts) - len(x) / 3).argmin()]
    high = values[::-1][np.abs(np.cumsum(counts[::-1]) - len(x) / 3).argmin()]
    return x <= low, x >= high


def independent(field: Field, axis: Axis) -> tuple[Floats, Floats, Flags]:
    """Return positions, log times and censoring with one entry per cluster: its mean, censored if one puzzle is."""
    _, sizes = np.unique(field.clusters, return_counts=True)
    x = cluster_sums(field.at(axis), field.clusters) / sizes
    return x, *cluster_means(field.log_s, field.censored, field.clusters)


def processes_of(log_s: Floats, censored: Flags, a: Indices, b: Indices) -> ProcessVariance:
    """Return the variance between processes of each pair, from the puzzles that both always finished."""
    finished = np.asarray((np.isfinite(log_s) & ~censored).all(axis=2))
    return process_variance(repetition_variances(log_s, finished))[a, b]


def _groups(selected: Flags) -> Iterator[tuple[Indices, Flags]]:
    """Yield the numbers of the pairs that have the same puzzles, and these puzzles."""
    groups: dict[bytes, list[int]] = {}
    for number, row in enumerate(np.packbits(selected, axis=1)):
        groups.setdefault(row.tobytes(), []).append(number)
    for numbers in groups.values():
        yield np.array(numbers, dtype=np.intp), selected[numbers[0]]


def on_part(log_s: Floats, censored: Flags, a: Indices, b: Indices, processes: ProcessVariance) -> Third:
    """Return the ratios of pairs on the puzzles of one part of a field.

    Args:
        log_s, censored: strategies × puzzles of this part × repetitions.
        a, b: strategies of the pairs.
        processes: variance between processes, an element per pair.
    """
    part, pairs = _unknown(len(a)), np.arange(len(a))
    part.puzzles[pairs] = log_s.shape[1]
    _test(part, pairs, log_s, censored, a, b, processes)
    return part


def _unknown(pairs: int) -> Third:
    return Third(
        np.full(pairs, np.nan),
        np.zeros(pairs, dtype=np.bool_),
        np.ones(pairs),
        np.ones(pairs),
        np.zeros(pairs, dtype=np.intp),
    )


def _test(
    third: Third, pairs: Indices, log_s: Floats, censored: Flags, a: Indices, b: Indices, processes: ProcessVariance
) -> None:
    """Fill in the ratios and p-values of some pairs.

    An unfinished solve counts as long as its limit. This can only hide a lead over the strategy that did not finish, so
    the mean is valid for the claim that a strategy is faster if that strategy finished all solves. Otherwise the claim
    is tested by the median of the ratios within their bounds.

    Args:
        third: the table to fill in; pairs: numbers of the pairs in it.
        log_s, censored: strategies × puzzles of this third × repetitions.
        a, b: strategies of the pairs.
        processes: variance between processes, an element per pair.
    """
    known = np.isfinite(log_s)
    of_puzzles = np.where(known, log_s, 0.0).sum(axis=2) / np.maximum(known.sum(axis=2), 1)
    mean = means((of_puzzles[a] - of_puzzles[b])[:, :, None], processes)
    ratio, p_a, p_b = mean.mean.copy(), mean.p_beyond(0.0, BELOW), mean.p_beyond(0.0, ABOVE)
    unfinished = np.asarray(censored.any(axis=(1, 2)))
    third.is_bound[pairs] = unfinished[a] | unfinished[b]
    bounds = puzzle_times(log_s, censored)
    for claimed, p, side in ((a, p_a, BELOW), (b, p_b, ABOVE)):
        part = np.flatnonzero(unfinished[claimed])
        if part.size:
            estimate = medians(bounds[a[part]], bounds[b[part]], processes[part], log_s.shape[2])
            p[part] = estimate.p_beyond(0.0, side)
            nearer_one = estimate.centre[1 if side == BELOW else 0]
            leads_by_median = p[part] < 0.5
            ratio[part[leads_by_median]] = nearer_one[leads_by_median]
    third.ratio[pairs], third.p_a[pairs], third.p_b[pairs] = ratio, p_a, p_b
