"""Leads: whether one of two strategies is faster on the easiest puzzles, and the other one on the hardest.

The mean log ratio of a pair is tested on the third of the puzzles with the lowest difficulty and on the third with the
highest, in the same way as the ratios of ``pairs``: by puzzles, with the variance between processes, which all puzzles
of a third share. It is that of the third: a process can be faster than others on easy puzzles and slower on hard ones.
Two strategies cross if both tests are significant in opposite directions (an intersection-union test: Berger 1982).

Most pairs do not cross, and a correction for all of them would leave little power. Only pairs whose estimated leads are
opposite are therefore tested, at a price: given the signs of the estimates, a one-sided p-value is at most one half, so
it is doubled (Ellis, Pecanka & Goeman 2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.clusters import cluster_means, cluster_sums
from sudoku_bench.bench.verdicts.difficulty.fields import Axis, Field
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.pairs.censored import medians, puzzle_times
from sudoku_bench.bench.verdicts.pairs.decision import ABOVE, BELOW, LEAST_PUZZLES, LEAST_REPETITIONS, attainable
from sudoku_bench.bench.verdicts.pairs.means import means
from sudoku_bench.bench.verdicts.pairs.process_variance import ProcessVariance, process_variance


class Third(NamedTuple):
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


@dataclass(frozen=True)
class Paired:
    """All pairs of the strategies of a field along an axis, where each cluster of puzzles counts as one puzzle.

    Attributes:
        x: positions on the axis, the means of clusters.
        log_s, censored: strategies × puzzles × repetitions, means of clusters; censored if one of their puzzles is.
    """

    x: Floats
    log_s: Floats
    censored: Flags

    @classmethod
    def of(cls, field: Field, axis: Axis) -> Paired:
        return cls(_positions(field, axis), *cluster_means(field.log_s, field.censored, field.clusters))

    @cached_property
    def ab(self) -> tuple[Indices, Indices]:
        """Numbers of the two strategies of each pair."""
        a, b = np.triu_indices(len(self.log_s), 1)
        return a, b

    @property
    def measured(self) -> Flags:
        """Whether each strategy was measured on each puzzle whose position is known."""
        return np.isfinite(self.x) & np.isfinite(self.log_s).any(axis=2)

    @cached_property
    def finished(self) -> Flags:
        """Whether each strategy always finished each puzzle."""
        return np.asarray((np.isfinite(self.log_s) & ~self.censored).all(axis=2))

    def processes(self, puzzles: Indices) -> ProcessVariance:
        """Return the variance between processes of each pair on some puzzles, from those that both always finished.

        Where there are fewer than two of them, all puzzles of the field tell it.
        """
        parts = puzzles, np.arange(self.log_s.shape[1])
        here, all_over = (process_variance(self.log_s[:, part], self.finished[:, part])[self.ab] for part in parts)
        is_known = here.freedom >= self.log_s.shape[2] - 1
        return ProcessVariance(
            np.where(is_known, here.variance, all_over.variance), np.where(is_known, here.freedom, all_over.freedom)
        )

    def on(self, puzzles: Indices, pairs: Indices) -> Third:
        """Return the ratios of some pairs on some puzzles.

        An unfinished solve counts as long as its limit. This can only hide a lead over the strategy that did not
        finish, so the mean is valid for the claim that a strategy is faster if that strategy finished all solves.
        Otherwise the claim is tested by the median of the ratios within their bounds.
        """
        number = np.full(len(pairs), len(puzzles))
        if len(puzzles) < LEAST_PUZZLES:
            return _unknown(number)
        log_s, censored, processes = self.log_s[:, puzzles], self.censored[:, puzzles], self.processes(puzzles)[pairs]
        a, b = (strategies[pairs] for strategies in self.ab)
        known = np.isfinite(log_s)
        of_puzzles = np.where(known, log_s, 0.0).sum(axis=2) / np.maximum(known.sum(axis=2), 1)
        mean = means((of_puzzles[a] - of_puzzles[b])[:, :, None], processes)
        ratio, p_a, p_b = mean.mean.copy(), mean.p_beyond(BELOW), mean.p_beyond(ABOVE)
        unfinished = np.asarray(censored.any(axis=(1, 2)))
        bounds = puzzle_times(log_s, censored)
        for claimed, p, side in ((a, p_a, BELOW), (b, p_b, ABOVE)):
            part = np.flatnonzero(unfinished[claimed])
            if part.size:
                estimate = medians(bounds[a[part]], bounds[b[part]], processes[part], log_s.shape[2])
                p[part] = estimate.p_beyond(side)
                nearer_one = estimate.centre[1 if side == BELOW else 0]
                leads_by_median = p[part] < 0.5
                ratio[part[leads_by_median]] = nearer_one[leads_by_median]
        return Third(ratio, unfinished[a] | unfinished[b], p_a, p_b, number)


@once
def leads(field: Field, axis: Axis) -> Leads:
    """Return the leads of all pairs of strategies, on the puzzles that both were measured on."""
    paired = Paired.of(field, axis)
    a, b = paired.ab
    easy, hard = (_unknown(np.zeros(len(a), dtype=np.intp)) for _ in range(2))
    if paired.log_s.shape[2] >= LEAST_REPETITIONS and can_decide(field, axis):
        for pairs, selected in _groups(paired.measured[a] & paired.measured[b]):
            for third, inside in zip((easy, hard), thirds(paired.x[selected]), strict=True):
                of_pairs = paired.on(np.flatnonzero(selected)[inside], pairs)
                for column, values in zip(third, of_pairs, strict=True):
                    column[pairs] = values
    return Leads(a, b, easy, hard)


def _unknown(puzzles: Indices) -> Third:
    pairs = len(puzzles)
    return Third(np.full(pairs, np.nan), np.zeros(pairs, dtype=np.bool_), np.ones(pairs), np.ones(pairs), puzzles)


def can_decide(field: Field, axis: Axis) -> bool:
    """Return whether there are enough independent puzzles in both thirds along an axis."""
    x = _positions(field, axis)
    return all(np.count_nonzero(third) >= LEAST_PUZZLES for third in thirds(x[np.isfinite(x)]))


def _positions(field: Field, axis: Axis) -> Floats:
    """Return the mean position of each cluster of puzzles."""
    return cluster_sums(field.at(axis), field.clusters) / np.unique(field.clusters, return_counts=True)[1]


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


def _groups(selected: Flags) -> Iterator[tuple[Indices, Flags]]:
    """Yield the numbers of the pairs that have the same puzzles, and these puzzles."""
    groups: dict[bytes, list[int]] = {}
    for number, row in enumerate(np.packbits(selected, axis=1)):
        groups.setdefault(row.tobytes(), []).append(number)
    for numbers in groups.values():
        yield np.array(numbers, dtype=np.intp), selected[numbers[0]]
