"""How precise a run is: half-widths of its intervals, and how many repetitions smaller ones need.

The variance of a pair's ratio has a part that repetitions make smaller (processes, forms, noise), and one that only
more puzzles do: how much puzzles favour one of the two. Neither says which strategy leads.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.pairs.decision import TOO_FEW
from sudoku_bench.bench.verdicts.pairs.pairs import all_pairs, whole
from sudoku_bench.bench.verdicts.pairs.process_variance import process_variance
from sudoku_bench.bench.verdicts.run_data import RunData


def half_widths(run: RunData) -> pd.Series[float]:
    """Return the half-width of the interval of each pair, a log ratio; infinite without an end, NaN with too few data.

    They are indexed by collection and clock.
    """
    table = all_pairs(run).set_index(["collection", "clock"])
    halves = (table["ratio_hi"].astype(float) / table["ratio_lo"].astype(float)).map(np.log) / 2
    return halves.fillna(math.inf).mask(table["verdict"] == TOO_FEW)


def repetitions_for(run: RunData, target: float) -> list[float]:
    """Return how many repetitions make the median half-width of each collection as small as a target (a log ratio).

    It is their present number if they are enough, and infinite if none are; collections with too few data are left out.
    """
    halves, found = half_widths(run), list[float]()
    for pairs in whole(run):
        block = pairs.block
        log_s, censored = pairs.of_clusters()
        variance = process_variance(log_s, ~np.asarray(censored.any(axis=2))).variance
        half = np.full(variance.shape, np.nan)
        half[pairs.a, pairs.b] = halves.loc[[(block.collection, block.clock)]]
        every = needed(log_s, variance, half, target)[pairs.a, pairs.b]
        # A median with bounds depends on puzzles above all.
        every = np.where(pairs.unlimited | (half[pairs.a, pairs.b] <= target), every, np.inf)
        found.append(float(np.median(every)))
    return [number for number in found if not math.isnan(number)]


def needed(log_s: Floats, processes: Floats, half: Floats, target: float) -> Floats:
    """Return how many repetitions make the half-width of each pair as small as a target, ... × strategies × strategies.

    What puzzles favour is the covariance of repetitions over puzzles; the rest of the variance falls with their number.

    Args:
        log_s: ... × strategies × puzzles × repetitions (two or more).
        processes: variance between processes of each pair; half: its half-width.
    """
    puzzles, number = log_s.shape[-2:]
    of_means = _variances(log_s.mean(axis=-1))
    of_each = np.mean([_variances(log_s[..., repetition]) for repetition in range(number)], axis=0)
    fixed = np.maximum(0.0, (number * of_means - of_each) / max(1, number - 1)) / puzzles
    variance = of_means / puzzles + processes
    with np.errstate(divide="ignore", invalid="ignore"):
        left = variance * (target / half) ** 2 - fixed
        more = np.where(left > 0, number * (variance - fixed) / left, np.inf)
    return np.where(half <= target, number, np.where(np.isnan(half), np.nan, np.maximum(number + 1, np.ceil(more))))


def _variances(values: Floats) -> Floats:
    """Return the variance over puzzles of the difference of each two strategies (... × strategies × puzzles)."""
    centred = values - values.mean(axis=-1, keepdims=True)
    products = centred @ np.swapaxes(centred, -2, -1) / max(1, values.shape[-1] - 1)
    own = np.diagonal(products, axis1=-2, axis2=-1)
    variances: Floats = np.maximum(0.0, own[..., :, None] + own[..., None, :] - 2 * products)
    return variances
