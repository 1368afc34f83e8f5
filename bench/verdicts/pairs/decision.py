"""From estimates to verdicts: intervals, p-values, corrections for multiple testing, and one rule for all pairs.

An estimate covers many pairs of strategies at once: arrays with an element per pair. Ratios of times are logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices

ABOVE, BELOW = 1, -1
TOO_FEW, EQUIVALENT, A_FASTER, B_FASTER, INDISTINGUISHABLE = (
    "too_few",
    "equivalent",
    "a_faster",
    "b_faster",
    "indistinguishable",
)
ALPHA = 0.05  # family-wise error rate
LEAST_PUZZLES = 15  # independent ones
AS_ONE = "isomorphs, and puzzles of one lineage, count as one"
LEAST_REPETITIONS = 3  # fewer do not show how processes vary


class Estimate(Protocol):
    """An estimate of the log ratios of many pairs."""

    def end(self, tail: ArrayLike, side: int) -> Floats:
        """Return the one-sided confidence limit with this tail probability: upper for ``ABOVE``, lower for ``BELOW``.

        It is infinite where the data give no limit.
        """

    def p_beyond(self, null: float, side: int) -> Floats:
        """Return the one-sided p-value of the claim that the true value is on that side of ``null``."""


def interval(estimate: Estimate, level: ArrayLike) -> tuple[Floats, Floats]:
    """Return lower and upper ends of the two-sided interval that misses the truth with this probability."""
    tail = np.asarray(level, dtype=np.float64) / 2
    return estimate.end(tail, BELOW), estimate.end(tail, ABOVE)


def p_different(estimate: Estimate) -> Floats:
    """Return the two-sided p-value of the hypothesis that the ratio is 1: the level at which the interval touches 1."""
    smaller: Floats = np.minimum(estimate.p_beyond(0.0, ABOVE), estimate.p_beyond(0.0, BELOW))
    return np.minimum(1.0, 2 * smaller)


def p_beyond_margin(estimate: Estimate, margin: float) -> Floats:
    """Return the p-value of the hypothesis that the ratio is between ``exp(-margin)`` and ``exp(margin)``.

    The probability of an estimate this far out if the truth is at the nearer end (McCarthy & Smyth 2009). Without a
    margin it is ``p_different``.
    """
    above, below = (estimate.p_beyond(margin, side) + estimate.p_beyond(-margin, side) for side in (ABOVE, BELOW))
    return np.minimum(1.0, np.minimum(above, below))


def p_equivalent(estimate: Estimate, margin: float) -> Floats:
    """Return the p-value of the hypothesis that the ratio is not between ``exp(-margin)`` and ``exp(margin)``.

    Two one-sided tests (Schuirmann 1987): below 0.05 where the 90% interval is inside the margin.
    """
    larger: Floats = np.maximum(estimate.p_beyond(-margin, ABOVE), estimate.p_beyond(margin, BELOW))
    return larger


def attainable(puzzles: ArrayLike) -> Floats:
    """Return the smallest p-value that a number of puzzles can give: that of the sign test if all of them agree.

    Tests that assume a distribution give smaller ones, which depend on its unobserved tails.
    """
    p: Floats = 2.0 ** (1 - np.asarray(puzzles, dtype=np.float64))
    return p


@dataclass(frozen=True)
class Transitive:
    """Hypotheses that two strategies are equal: if a = b and b = c are true, so is a = c (Shaffer 1986).

    Attributes:
        group: number of the group of each hypothesis; a group has a hypothesis for every two of its strategies. -1 for
            a hypothesis that implies nothing about others.
        a, b: numbers of the strategies.
    """

    group: Indices
    a: Indices
    b: Indices

    def most_true(self, possible: Indices) -> int:
        """Return an upper bound of the number of hypotheses that are true together, if only these can be.

        Equal strategies form cliques of possible hypotheses. A strategy in a clique of n others has n partners with as
        many partners each, so n is at most its core number.
        """
        group = self.group[possible]
        total = int(np.count_nonzero(group < 0))
        for number in np.unique(group[group >= 0]):
            of_group = possible[group == number]
            total += min(len(of_group), int(_core_numbers(self.a[of_group], self.b[of_group]).sum()) // 2)
        return total


def _core_numbers(a: Indices, b: Indices) -> Indices:
    """Return the core number of each node of a graph (Seidman 1983): peel off the node with the fewest neighbours."""
    nodes, ends = np.unique(np.concatenate([a, b]), return_inverse=True)
    linked = np.zeros((len(nodes), len(nodes)), dtype=np.bool_)
    linked[ends[: len(a)], ends[len(a) :]] = True
    linked |= linked.T
    cores, degrees, most = np.zeros(len(nodes), dtype=np.intp), linked.sum(axis=1), 0
    for _ in nodes:
        node = int(degrees.argmin())
        most = max(most, int(degrees[node]))
        cores[node] = most
        degrees = degrees - linked[node]
        degrees[node] = 2 * len(nodes)
    return cores


def step_down(p: Floats, transitive: Transitive | None = None) -> tuple[Floats, Floats]:
    """Test a family of hypotheses by the step-down procedure of Holm (1979).

    The smallest p-value is multiplied by the size of the family, the next one by one less, and so on; the first product
    that is not significant ends the procedure. The family-wise error of claims with an adjusted p-value below
    ``ALPHA`` is at most ``ALPHA``. With ``transitive``, a step that would end the procedure multiplies only by the
    number of hypotheses that can still be true together (Shaffer 1986).

    Args:
        p: p-values of the family; NaN for a hypothesis that is not tested, which is not a member of the family.

    Returns:
        The adjusted p-values, and the multiplier of the step that decided each hypothesis: its own step if it is
        rejected at level ``ALPHA``, otherwise the step that ended the procedure.
    """
    members = int(np.count_nonzero(~np.isnan(p)))
    order = np.argsort(p)[:members]  # NaN last
    steps = np.arange(members, 0, -1, dtype=np.float64)
    failing = np.flatnonzero(steps * p[order] >= ALPHA)
    last = int(failing[0]) if failing.size else members
    while transitive is not None and last < members:
        steps[last:] = np.minimum(steps[last:], transitive.most_true(order[last:]))
        if steps[last] * p[order[last]] >= ALPHA:
            break
        last += 1
    deciding = np.where(np.arange(members) < last, steps, steps[min(last, members - 1)] if members else 1.0)
    adjusted, multiplier = np.full(len(p), np.nan), np.ones(len(p))
    adjusted[order], multiplier[order] = np.minimum(1.0, np.maximum.accumulate(steps * p[order])), deciding
    return adjusted, multiplier


def step_down_best(p: Floats, block: Indices, rivals: Indices) -> tuple[Floats, Floats]:
    """Test which strategies are slower than the best of their collection, where the best was chosen by the same data.

    A strategy is compared with the one that looks best. Chosen by the data, that may be any of its rivals, so its
    p-value counts as often as it has rivals (Bonferroni): then no choice of the best makes a false claim more likely.
    Strategies are corrected step by step over all collections (Holm 1979). The hypotheses of a step are that certain
    strategies share the lowest time of their collection; one of each collection does, and is never rejected. It counts
    in every step, so that equal strategies get a false claim in at most ``ALPHA`` of reports. (The sets of Hsu 1984
    need not count rivals in both directions, but claim no more than that a strategy is not *better* than all others.)

    Args:
        p: one-sided p-values of the claims, NaN where there are too few data.
        block: number of the collection and clock of each strategy.
        rivals: number of the other strategies there.

    Returns:
        as ``step_down``; the multiplier includes the rivals.
    """
    members = np.flatnonzero(~np.isnan(p))
    order = members[np.argsort(p[members] * rivals[members], kind="stable")]
    bests = len(np.unique(block[members]))
    factors = (np.arange(len(order), 0, -1) + bests) * rivals[order]
    products = np.maximum.accumulate(factors * p[order])
    failing = np.flatnonzero(products >= ALPHA)
    last = int(failing[0]) if failing.size else len(order)
    deciding = np.where(
        np.arange(len(order)) < last, factors, (len(order) - min(last, len(order) - 1) + bests) * rivals[order]
    )
    adjusted, multiplier = np.full(len(p), np.nan), np.ones(len(p))
    adjusted[order], multiplier[order] = np.minimum(1.0, products), deciding
    return adjusted, multiplier


def holm(p: Floats) -> Floats:
    """Return the p-values of a family, adjusted by ``step_down``."""
    return step_down(p)[0]


def decidable(puzzles: NDArray[np.integer[Any]], repetitions: NDArray[np.integer[Any]], rivals: ArrayLike = 1) -> Flags:
    """Return which pairs have enough data for a verdict; they are the family.

    Args:
        puzzles: number of independent puzzles of each pair; repetitions: number of repetitions.
        rivals: factor of its p-value for the choice of the best.
    """
    enough = (puzzles >= LEAST_PUZZLES) & (repetitions >= LEAST_REPETITIONS)
    least_p = attainable(puzzles) * np.count_nonzero(enough) * np.asarray(rivals)
    return np.asarray(enough & (least_p <= ALPHA))


def verdicts(p_holm: Floats, p_equivalent_holm: Floats, ends: tuple[Floats, Floats]) -> NDArray[np.object_]:
    """Return the verdict of each pair of a family.

    Args:
        p_holm: NaN where there are too few data.
        ends: deciding interval of log(time of a / time of b), infinite where unbounded.
    """
    different = p_holm < ALPHA
    return np.select(
        [np.isnan(p_holm), different & (ends[1] < 0), different & (ends[0] > 0), p_equivalent_holm < ALPHA],
        [TOO_FEW, A_FASTER, B_FASTER, EQUIVALENT],
        INDISTINGUISHABLE,
    ).astype(object)


def beyond_margin(p_margin_holm: Floats, p_equivalent_holm: Floats) -> NDArray[np.object_]:
    """Return whether each pair differs by more than the margin: ``yes``, ``no`` (equivalence), or empty if open."""
    return np.select([p_margin_holm < ALPHA, p_equivalent_holm < ALPHA], ["yes", "no"], "").astype(object)
