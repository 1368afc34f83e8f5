"""Regret: the cost of choosing one strategy for all puzzles, compared with the best strategy for each puzzle.

A choice looks better on the puzzles that it is based on than on others. It is therefore made on one half of the puzzles
and evaluated on the other, in both directions and for many divisions into halves (cross-fitting).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

from bench.verdicts.arrays import Flags, Floats, Indices

PAR = 2  # cost of an unfinished solve in limits, if no strategy solves all puzzles
DIVISIONS = 20
RESAMPLES = 2000
SEED = 1
SAME = 1e-9  # ratios that differ by less are equal


@dataclass(frozen=True)
class Costs:
    """Seconds per solve: strategies × puzzles × repetitions.

    Attributes:
        seconds: an unfinished solve has its limit.
        extra: seconds to add per puzzle, one value per strategy.
        clusters: cluster number of each puzzle (``bench.verdicts.lineages``).
    """

    strategies: tuple[str, ...]
    seconds: Floats
    unfinished: Flags
    extra: Floats
    clusters: Indices

    @property
    def solves_all(self) -> Flags:
        """Whether each strategy finished every solve."""
        return np.asarray(~self.unfinished.any(axis=(1, 2)))

    @property
    def eligible(self) -> Flags:
        """The strategies to choose from: those that finished every solve; if there are none, all."""
        return self.solves_all if self.solves_all.any() else np.ones_like(self.solves_all)

    @property
    def penalised(self) -> Floats:
        """The costs with extra seconds; if no strategy finished every solve, an unfinished one costs ``PAR`` limits."""
        factor = 1 if self.solves_all.any() else PAR
        return np.where(self.unfinished, factor * self.seconds, self.seconds) + self.extra[:, None, None]

    def on(self, puzzles: Indices) -> Costs:
        """Return the costs of some puzzles, by their numbers."""
        seconds, unfinished = self.seconds[:, puzzles], self.unfinished[:, puzzles]
        return replace(self, seconds=seconds, unfinished=unfinished, clusters=self.clusters[puzzles])


@dataclass(frozen=True)
class Regret:
    """The additional cost of the chosen strategy over the virtual best, as a share of the latter (0.1 is 10%).

    Attributes:
        lo, hi: 95% interval over puzzles; None without variation, or if the end is unknown.
        at_least: a chosen strategy left a puzzle of the other half unsolved, so the share is a lower bound.
    """

    share: float
    lo: float | None
    hi: float | None
    at_least: bool


def regret(costs: Costs, seed: int = SEED) -> Regret:
    """Return the cross-fitted regret of the choice that ``choose`` makes, over ``DIVISIONS`` divisions into halves.

    The virtual best takes the smallest mean over a puzzle's repetitions, which is slightly less than the smallest true
    mean, so regret is over- rather than underestimated. The interval is a BCa bootstrap (Efron 1987) over puzzles
    (lineages) with fixed choices.
    """
    finished: Flags = np.asarray(~costs.unfinished.any(axis=2))
    some_solves_all = bool(costs.solves_all.any())
    seconds = costs.penalised.mean(axis=2)
    attainable = np.where(finished, seconds, np.inf) if some_solves_all else seconds
    ideal = attainable.min(axis=0)
    paid = np.zeros(len(ideal))
    at_least = False
    for train, test in _halves(costs.clusters, seed):
        part = costs.on(train)
        chosen = int(np.argmin(np.where(part.eligible, part.penalised.mean(axis=(1, 2)), np.inf)))
        paid[test] += seconds[chosen, test] / DIVISIONS
        at_least = at_least or (some_solves_all and not bool(finished[chosen, test].all()))
    pair = by_cluster(np.stack([paid, ideal], axis=1), costs.clusters)
    share = _share(pair[:, 0], pair[:, 1])
    lo, hi = _interval(pair, seed)
    return Regret(float(share), lo, None if at_least else hi, at_least)


def by_cluster(values: Floats, clusters: Indices) -> Floats:
    """Return sums over the puzzles of each cluster, scaled so that their mean is that of the values."""
    number = int(clusters.max()) + 1
    sums = np.zeros((number, *values.shape[1:]))
    np.add.at(sums, clusters, values)
    return sums * number / len(clusters)


def _halves(clusters: Indices, seed: int) -> Iterator[tuple[Indices, Indices]]:
    """Yield puzzles to choose by and puzzles to evaluate on, in both directions; clusters are not divided."""
    rng = np.random.default_rng(seed)
    number = int(clusters.max()) + 1
    for _ in range(DIVISIONS):
        is_drawn = np.zeros(number, dtype=np.bool_)
        is_drawn[rng.permutation(number)[: number // 2]] = True
        drawn, rest = np.flatnonzero(is_drawn[clusters]), np.flatnonzero(~is_drawn[clusters])
        yield drawn, rest
        yield rest, drawn


def _share(paid: Floats, ideal: Floats, axis: int = -1) -> Any:
    return paid.sum(axis=axis) / ideal.sum(axis=axis) - 1


def _interval(pair: Floats, seed: int) -> tuple[float | None, float | None]:
    if len(pair) < 3 or np.ptp(pair[:, 0] / pair[:, 1]) < SAME:
        return None, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)  # the interval is then NaN
        interval = stats.bootstrap(
            (pair[:, 0], pair[:, 1]),
            _share,
            paired=True,
            vectorized=True,
            n_resamples=RESAMPLES,
            method="BCa",
            random_state=np.random.default_rng(seed),
        ).confidence_interval
    low, high = float(interval.low), float(interval.high)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (None, None)
