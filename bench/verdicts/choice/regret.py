"""Regret: what it costs to choose one strategy for all puzzles, where the best one for each puzzle cannot be known.

A choice looks better on the puzzles that it was made on than on others, so it is made on one half of the puzzles and
judged on the other, in both directions and for many divisions into halves (cross-fitting).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

PAR = 2  # limits that an unfinished solve costs, where none solves all
DIVISIONS = 20
RESAMPLES = 2000
SEED = 1
SAME = 1e-9  # relative; ratios that differ by less are the same

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Costs:
    """Seconds per solve: strategies × puzzles × replicates.

    Attributes:
        seconds: of an unfinished solve, its limit.
        extra: seconds to add per puzzle, a figure per strategy.
        clusters: a number for each puzzle, the same for those of one lineage.
    """

    strategies: tuple[str, ...]
    seconds: Array
    unfinished: Flags
    extra: Array
    clusters: NDArray[np.intp]

    def penalised(self, factor: float) -> Array:
        """With so many times the limit in the place of an unfinished solve, and all that is to be added."""
        return np.where(self.unfinished, factor * self.seconds, self.seconds) + self.extra[:, None, None]


@dataclass(frozen=True)
class Regret:
    """How much more the chosen strategy costs than the virtual best, as a share of the latter (0.1 is 10%).

    Attributes:
        lo, hi: 95% interval over puzzles; None where nothing varies that could give one, or the end is not known.
        at_least: a chosen strategy left a puzzle unsolved that its choice did not know of.
    """

    share: float
    lo: float | None
    hi: float | None
    at_least: bool


def regret(costs: Costs, seed: int = SEED) -> Regret:
    """Cross-fitted regret of choosing as ``choose`` does, over ``DIVISIONS`` divisions of the puzzles into halves.

    The virtual best takes the smallest mean of a puzzle's replicates, which is a little less than the smallest true
    mean: regret is rather over- than understated. The interval is a BCa bootstrap (Efron 1987) over puzzles (lineages);
    it holds the choices fixed.
    """
    exact: Flags = np.asarray(~costs.unfinished.any(axis=2))
    any_whole = bool(exact.all(axis=1).any())
    factor = 1 if any_whole else PAR
    seconds = costs.penalised(factor).mean(axis=2)
    reachable = np.where(exact, seconds, np.inf) if any_whole else seconds
    ideal = reachable.min(axis=0)
    paid = np.zeros(len(ideal))
    at_least = False
    for train, test in _halves(costs.clusters, seed):
        chosen = _chosen(costs, train)
        paid[test] += seconds[chosen, test] / DIVISIONS
        at_least = at_least or (any_whole and not bool(exact[chosen, test].all()))
    pair = by_cluster(np.stack([paid, ideal], axis=1), costs.clusters)
    share = _share(pair[:, 0], pair[:, 1])
    lo, hi = _interval(pair, seed)
    return Regret(float(share), lo, None if at_least else hi, at_least)


def by_cluster(values: Array, groups: NDArray[np.intp]) -> Array:
    """Sums over the puzzles of a cluster, scaled so that their mean is that of the values."""
    number = int(groups.max()) + 1
    sums = np.zeros((number, *values.shape[1:]))
    np.add.at(sums, groups, values)
    return sums * number / len(groups)


def _halves(groups: NDArray[np.intp], seed: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Puzzles to choose by and puzzles to judge by, both ways; a lineage is never divided."""
    rng = np.random.default_rng(seed)
    number = int(groups.max()) + 1
    for _ in range(DIVISIONS):
        first = np.zeros(number, dtype=np.bool_)
        first[rng.permutation(number)[: number // 2]] = True
        one, other = np.flatnonzero(first[groups]), np.flatnonzero(~first[groups])
        yield one, other
        yield other, one


def _chosen(costs: Costs, puzzles: NDArray[np.intp]) -> int:
    """The strategy that one would choose by these puzzles alone."""
    whole = ~costs.unfinished[:, puzzles].any(axis=(1, 2))
    means = costs.penalised(1 if whole.any() else PAR)[:, puzzles].mean(axis=(1, 2))
    return int(np.argmin(np.where(whole, means, np.inf) if whole.any() else means))


def _share(paid: Array, ideal: Array, axis: int = -1) -> Any:
    return paid.sum(axis=axis) / ideal.sum(axis=axis) - 1


def _interval(pair: Array, seed: int) -> tuple[float | None, float | None]:
    if len(pair) < 3 or np.ptp(pair[:, 0] / pair[:, 1]) < SAME:
        return None, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)  # the interval is then not a number
        found = stats.bootstrap(
            (pair[:, 0], pair[:, 1]),
            _share,
            paired=True,
            vectorized=True,
            n_resamples=RESAMPLES,
            method="BCa",
            random_state=np.random.default_rng(seed),
        ).confidence_interval
    low, high = float(found.low), float(found.high)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (None, None)
