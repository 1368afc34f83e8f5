"""From estimates to verdicts: one table, in a fixed order, for all pairs of a report together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]

TOO_FEW, EQUIVALENT, A_FASTER, B_FASTER, INDISTINGUISHABLE = (
    "too_few",
    "equivalent",
    "a_faster",
    "b_faster",
    "indistinguishable",
)
ALPHA = 0.05  # share of reports of no difference with a claim of one, at most
LEAST_PUZZLES = 15


def attainable(puzzles: ArrayLike) -> Floats:
    """The smallest p-value that so many puzzles can give, if all of them agree: that of the sign test.

    Tests that assume a distribution give smaller ones, on the strength of its tails, which nobody has seen.
    """
    return 2.0 ** (1 - np.asarray(puzzles, dtype=np.float64))


def holm(p: Floats) -> Floats:
    """p-values of a family, adjusted so that the chance of any false claim stays below the level that each is held to
    (Holm 1979). Unknown ones (NaN) count as members of the family that claim nothing."""
    order = np.argsort(p)  # NaN last
    steps = np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps * p[order]))
    return adjusted


def simultaneous(family: int) -> float:
    """The confidence of each interval at which all of a family hold together with 95% (Bonferroni)."""
    return 1 - ALPHA / max(family, 1)


def verdicts(
    puzzles: NDArray[np.integer[Any]],
    p_holm: Floats,
    p_equivalent_holm: Floats,
    ends: tuple[Floats, Floats],
    floor: Floats,
) -> NDArray[np.object_]:
    """The verdict of each pair of a family.

    Args:
        puzzles: how many independent puzzles each is from.
        ends: log of the simultaneous interval of (time of a / time of b), infinite where nothing bounds it.
        floor: log of the ratio below which the instrument tells nothing apart (0 where that is not known).
    """
    family = len(puzzles)
    too_few = (puzzles < LEAST_PUZZLES) | (attainable(puzzles) * family > ALPHA) | np.isnan(p_holm)
    different = p_holm < ALPHA
    return np.select(
        [too_few, p_equivalent_holm < ALPHA, different & (ends[1] < -floor), different & (ends[0] > floor)],
        [TOO_FEW, EQUIVALENT, A_FASTER, B_FASTER],
        INDISTINGUISHABLE,
    ).astype(object)
