"""Log times whose outlying measurements are limited, so that a burst of the machine counts less.

The speed of a core changes from one millisecond to the next, and now and then a measurement takes half as long again as
its repetitions. A log time is seen as the sum of the strategy's time on the puzzle, the difficulty of the form for all
strategies, the speed of the process, and a rest. Medians of medians determine the first three (median polish, Tukey
1977). The rest is limited on both sides (Winsorizing, Tukey 1962) at 2.5 standard deviations, which are estimated from
its third quartile, so that a mean loses next to nothing with normal rests and gains much with long tails (Huber 1964).

What is limited is small beside what is added to it: differences between strategies, puzzles, forms and processes stay.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.verdicts.arrays import Flags, Floats

LEAST_REPETITIONS = 4  # the rest of fewer is hardly a rest
LIMIT = 2.5  # standard deviations of a normal rest
QUANTILE, NORMAL = 0.75, 1.1503  # of the absolute rests of a strategy, and what it is for a standard normal one
POLISHES = 3
STRATEGIES, PUZZLES, REPETITIONS = -3, -2, -1  # axes


def winsorized(log_s: Floats, censored: Flags) -> Floats:
    """Return log times with limited rests; as they are with fewer than ``LEAST_REPETITIONS`` repetitions.

    Puzzles that a strategy did not finish in every repetition are left as they are for it.

    Args:
        log_s: ... × strategies × puzzles × repetitions; censored: of the same shape.
    """
    repetitions = log_s.shape[REPETITIONS]
    known: Flags = np.broadcast_to(~np.asarray(censored.any(axis=REPETITIONS, keepdims=True)), log_s.shape)
    if repetitions < LEAST_REPETITIONS or not known.any():
        return log_s
    rest: Any
    rest, median = (log_s, np.median) if known.all() else (np.ma.masked_array(log_s, ~known), np.ma.median)
    for _ in range(POLISHES):
        for axis in (REPETITIONS, STRATEGIES, PUZZLES):
            rest = rest - median(rest, axis=axis, keepdims=True)
    limit = LIMIT / NORMAL * _quantile(abs(rest), QUANTILE)
    excess = rest - np.clip(rest, -limit, limit)
    return log_s - np.where(known, np.ma.filled(excess, 0.0), 0.0)


def _quantile(values: Any, share: float) -> Floats:
    """Return a quantile of each strategy's values: ... × strategies × 1 × 1."""
    plain = np.ma.filled(values, np.nan)
    ordered = np.sort(plain.reshape(*plain.shape[:PUZZLES], -1), axis=-1)  # NaN last
    last = (~np.isnan(ordered)).sum(axis=-1, keepdims=True) - 1
    quantile: Floats = np.take_along_axis(ordered, np.maximum(last * share, 0).astype(np.intp), axis=-1)
    return quantile[..., None]
