"""What the machine did between two runs, as strategies that did not change show it.

Between runs, hours apart, a machine becomes a few percent faster or slower: for all strategies, and a little more for
some of them than for others. The median change of at least ``MAJORITY`` unchanged strategies is attributed to the
machine; one that did change after all hardly moves it. An interval includes the error of that median and what the
machine does to a single strategy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_bench.bench.verdicts.between_runs.launches import Estimate, Launches, estimates

# Standard deviations of log times between runs, as 50 pairs of runs show them (``make study STUDY=compare``): of all
# strategies of a machine together, and of one against the others.
DRIFT, DRIFT_APART = 0.04, 0.013
# The same between machines, as results/reference/repeated.csv had them: two hosts, twelve hours apart.
ELSEWHERE, ELSEWHERE_APART = 0.45, 0.076
MAJORITY = 3  # unchanged strategies that are needed: if one of them did change, their median is that of the machine
MEDIAN_VARIANCE = math.pi / 2  # of a median of normal values, times that of their mean


@dataclass(frozen=True)
class MachineEffect:
    """The effect of the machine on one strategy in one collection.

    Attributes:
        number: of unchanged strategies; 0 if there are too few.
        launches: their median, to be subtracted; empty without them.
        shift: their log ratio, new run / old run; 0 without them.
        drift: standard deviation of the effect that remains, of a log ratio.
    """

    number: int
    launches: tuple[Launches, ...]
    shift: float
    drift: float

    def corrected(self, launches: tuple[Launches, ...]) -> Estimate:
        """Return the log ratio of a strategy without the effect of the machine, with the error of both."""
        return estimates(subtracted(launches, self.launches)).widened(self.drift, math.inf)


def subtracted(launches: tuple[Launches, ...], machine: tuple[Launches, ...]) -> tuple[Launches, ...]:
    """Return a strategy's launches minus the effect of the machine in the same launches."""
    if not machine:
        return launches
    return tuple(own.minus(effect) for own, effect in zip(launches, machine, strict=True))


def machine_effect(unchanged: Sequence[tuple[Launches, ...]], elsewhere: bool = False) -> MachineEffect:
    """Estimate the effect of the machine from the launches of each unchanged strategy.

    Args:
        elsewhere: the runs were made on machines that differ.
    """
    number, (whole, apart) = len(unchanged), (ELSEWHERE, ELSEWHERE_APART) if elsewhere else (DRIFT, DRIFT_APART)
    if number < MAJORITY:
        return MachineEffect(0, (), 0.0, whole)
    launches = _median(unchanged)
    drift = apart * math.sqrt(1 + MEDIAN_VARIANCE / number)
    return MachineEffect(number, launches, estimates(launches).middle, drift)


def _median(unchanged: Sequence[tuple[Launches, ...]]) -> tuple[Launches, ...]:
    """Return their median in each launch of a difference (one item), or of the old and the new run (two).

    Times of strategies differ by factors; their centres are therefore subtracted, where runs are not paired.
    """
    centres = [0.0] * len(unchanged) if len(unchanged[0]) == 1 else [_centre(each) for each in unchanged]
    return tuple(_of_launches(part, centres) for part in zip(*unchanged, strict=True))


def _centre(one: tuple[Launches, ...]) -> float:
    return float(np.mean([launches.bounds[0, np.isfinite(launches.bounds[0])].mean() for launches in one]))


def _of_launches(part: Sequence[Launches], centres: Sequence[float]) -> Launches:
    common = tuple(number for number in part[0].numbers if all(number in launches.numbers for launches in part))
    levelled = [launches.of(common) - centre for launches, centre in zip(part, centres, strict=True)]
    return Launches(common, np.median(levelled, axis=0))
