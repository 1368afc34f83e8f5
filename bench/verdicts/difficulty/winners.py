"""Winners by difficulty: which strategy is fastest on the puzzles of each stretch from easy to hard, where decided.

Puzzles are ordered by difficulty and cut into stretches of about equal number. Within each, all pairs are tested as in
``leads``. A strategy wins a stretch if it is significantly faster than every other one there. All wins of a field are
true together with 95%: p-values are multiplied by the number of pairs in all stretches (Bonferroni).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_bench.bench.verdicts.arrays import Flags, Floats
from sudoku_bench.bench.verdicts.difficulty.fields import Axis, Field
from sudoku_bench.bench.verdicts.difficulty.leads import Paired
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.pairs.decision import ALPHA, LEAST_PUZZLES, LEAST_REPETITIONS, attainable

MOST = 12  # stretches
PUZZLES = 24  # least number of independent puzzles in a stretch


@dataclass(frozen=True)
class Stretch:
    """A range of difficulty.

    Attributes:
        lo, hi: difficulty of its easiest and its hardest puzzle, on the scale of the axis's column.
        puzzles: number of independent puzzles.
        faster: strategies × strategies: whether the first is shown to be faster than the second.
    """

    lo: float
    hi: float
    puzzles: int
    faster: Flags

    def winner(self, among: Sequence[int]) -> int | None:
        """Return the strategy that is shown to be faster than all others of ``among``; None if there is none."""
        for strategy in among:
            if all(self.faster[strategy, other] for other in among if other != strategy):
                return strategy
        return None


@once
def stretches(field: Field, axis: Axis) -> list[Stretch]:
    """Return the stretches of a field along an axis, easy puzzles first; none if there are too few data.

    Only puzzles that all strategies of the field were measured on take part.
    """
    paired = Paired.of(field, axis)
    a, b = paired.ab
    places = np.flatnonzero(paired.measured.all(axis=0))
    if len(field.strategies) < 2 or paired.log_s.shape[2] < LEAST_REPETITIONS or len(places) < LEAST_PUZZLES:
        return []
    parts = [places[part] for part in cut(paired.x[places])]
    result = []
    for part in parts:
        pairs = paired.on(part, np.arange(len(a)))
        least = float(attainable(len(part)))
        faster = np.zeros((len(field.strategies),) * 2, dtype=np.bool_)
        for p, winner, loser in ((pairs.p_a, a, b), (pairs.p_b, b, a)):
            # Each pair is tested in both directions.
            faster[winner, loser] = 2 * np.maximum(p, least / 2) * len(a) * len(parts) < ALPHA
        lo, hi = axis.back(np.array([paired.x[part].min(), paired.x[part].max()])).tolist()
        result.append(Stretch(lo, hi, len(part), faster))
    return result


def cut(x: Floats) -> list[Flags]:
    """Cut positions into stretches of about equal number, at most ``MOST``; equal positions stay together.

    Returns:
        which positions belong to each stretch, the lowest first.
    """
    values, counts = np.unique(x, return_counts=True)
    size = len(x) / min(MOST, max(1, len(x) // PUZZLES))
    ends, inside, left = [], 0, len(x)
    for value, count in zip(values, counts, strict=True):
        inside, left = inside + int(count), left - int(count)
        if inside >= size and left >= PUZZLES:
            ends.append(float(value))
            inside = 0
    edges = [-np.inf, *ends, np.inf]
    return [(x > low) & (x <= high) for low, high in itertools.pairwise(edges)]
