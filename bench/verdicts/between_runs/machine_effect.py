"""What the machine did between two runs, as strategies that did not change show it.

Between runs, hours apart, a machine becomes a few percent faster or slower: for all strategies, and a little more for
some of them than for others. The median change of unchanged strategies, the anchors, is attributed to the machine; one
anchor that did change after all hardly moves it. What the machine did to single strategies is not seen in them, but
their disagreement tells how large it is. An interval includes both errors.

One or two anchors are no majority: if one of them did change, every other strategy would seem to have changed the
other way. What they show is therefore believed only where the times as measured show it, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.between_runs.launches import Estimate, Launches, estimates

# Standard deviations of log times between runs; docs/methodology/verdicts.md tells where they come from.
DRIFT = 0.04  # of all strategies of a machine together
DRIFT_APART = 0.013  # of a strategy against the others, before its anchors have shown how much they disagree
# The same between machines, as results/reference/repeated.csv has them: two hosts, twelve hours apart.
ELSEWHERE, ELSEWHERE_APART = 0.45, 0.076
PRIOR_FREEDOM = 4  # degrees of freedom that DRIFT_APART counts for beside the disagreement of anchors
MAJORITY = 3  # anchors that are needed if one of them may have changed: their median is then still that of the machine
MEDIAN_VARIANCE = math.pi / 2  # of a median of normal values, times that of their mean
MAD_SCALE = 1.4826  # standard deviation of normal values / their median absolute deviation
MAD_EFFICIENCY = 0.37


@dataclass(frozen=True)
class MachineEffect:
    """The effect of the machine on one strategy in one collection.

    Attributes:
        number: of anchors.
        launches: median of the anchors, to be subtracted; empty without anchors.
        shift: their log ratio, new run / old run; 0 without anchors.
        drift: standard deviation of the effect that remains, of a log ratio; freedom: its degrees of freedom.
        is_doubted: the anchors may have changed, so that times as measured must show the same.
        alone: as ``drift``, of times as measured.
    """

    number: int
    launches: tuple[Launches, ...]
    shift: float
    drift: float
    freedom: float
    is_doubted: bool = False
    alone: float = DRIFT

    def corrected(self, launches: tuple[Launches, ...]) -> tuple[Estimate, ...]:
        """Return the log ratio of a strategy without the effect of the machine, with the error of both.

        If the anchors are doubted, a second estimate has the log ratio as measured, with the error of a machine.
        """
        own = estimates(subtracted(launches, self.launches)).widened(self.drift, self.freedom)
        return (own, *(no_anchors(self.alone).corrected(launches) if self.is_doubted else ()))


AS_MEASURED = MachineEffect(0, (), 0.0, 0.0, math.inf)


def no_anchors(drift: float = DRIFT) -> MachineEffect:
    """Return the effect of a machine of which only the standard deviation is known."""
    return MachineEffect(0, (), 0.0, drift, math.inf)


def subtracted(launches: tuple[Launches, ...], machine: tuple[Launches, ...]) -> tuple[Launches, ...]:
    """Return a strategy's launches minus the effect of the machine in the same launches."""
    if not machine:
        return launches
    return tuple(own.minus(effect) for own, effect in zip(launches, machine, strict=True))


def machine_effect(
    anchors: Sequence[tuple[Launches, ...]], least: float = MAJORITY, elsewhere: bool = False
) -> MachineEffect:
    """Estimate the effect of the machine from the launches of each anchor; fewer than ``least`` are doubted.

    The variance of drift apart is a mean of ``DRIFT_APART`` squared and of the disagreement of the anchors less its
    sampling error, weighted by degrees of freedom (as Smyth 2004 moderates variances with few repetitions).

    Args:
        elsewhere: the runs were made on machines that differ.
    """
    number, (whole, apart) = len(anchors), (ELSEWHERE, ELSEWHERE_APART) if elsewhere else (DRIFT, DRIFT_APART)
    if not number:
        return no_anchors(whole)
    launches = _median(anchors)
    middles = [estimates(anchor).middle for anchor in anchors]
    shift = estimates(launches).middle
    own = [estimates(subtracted(anchor, launches)) for anchor in anchors]
    seen, seen_freedom = 0.0, 0.0
    if number > 1 and np.isfinite(middles).all():
        sampling = float(np.nanmean([estimate.error[0] ** 2 for estimate in own]))
        spread, seen_freedom = _spread(np.array([estimate.middle for estimate in own]))
        seen = max(0.0, spread**2 - sampling)
    freedom = PRIOR_FREEDOM + seen_freedom
    variance = (PRIOR_FREEDOM * apart**2 + seen_freedom * seen) / freedom
    of_anchors = (MEDIAN_VARIANCE if number > 2 else 1.0) / number
    drift = math.sqrt(variance * (1 + of_anchors))
    return MachineEffect(number, launches, shift, drift, freedom, number < least, whole)


def _spread(values: Floats) -> tuple[float, float]:
    """Return a standard deviation that a minority of wild values hardly moves, and its degrees of freedom.

    The correction for small samples is about that of Croux & Rousseeuw (1992). Of two values, both count.
    """
    number = len(values)
    if number == 2:
        return float(values.std(ddof=1)), 1.0
    deviation = float(np.median(np.abs(values - np.median(values))))
    return MAD_SCALE * deviation * number / (number - 0.8), MAD_EFFICIENCY * (number - 1)


def _median(anchors: Sequence[tuple[Launches, ...]]) -> tuple[Launches, ...]:
    """Return the median of the anchors in each launch of a difference (one item), or of the old and the new run (two).

    The times of anchors differ by factors; their centres are therefore subtracted, where runs are not paired.
    """
    centres = [0.0] * len(anchors) if len(anchors[0]) == 1 else [_centre(anchor) for anchor in anchors]
    return tuple(_of_launches(part, centres) for part in zip(*anchors, strict=True))


def _centre(anchor: tuple[Launches, ...]) -> float:
    return float(np.mean([launches.bounds[0, np.isfinite(launches.bounds[0])].mean() for launches in anchor]))


def _of_launches(part: Sequence[Launches], centres: Sequence[float]) -> Launches:
    common = tuple(number for number in part[0].numbers if all(number in launches.numbers for launches in part))
    levelled = [launches.of(common) - centre for launches, centre in zip(part, centres, strict=True)]
    return Launches(common, np.median(levelled, axis=0))
