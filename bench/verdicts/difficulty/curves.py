"""Curves: the median time of a strategy as a function of difficulty, with what it may be off by.

The median is that of puzzles of like difficulty: a local linear smoother of counts above and below, about the line
through the medians (as a start from which the rest is smoothed: Glad 1998). It is told in the range of difficulty in
which its strategy was measured, and where half of the puzzles were not finished only as a bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.verdicts.difficulty.fields import AXES, GUESSES, Axis, Field, Floats, fields
from bench.verdicts.difficulty.local import MIN_PUZZLES, Lookout, Windows, local_median, stretch, windows
from bench.verdicts.run_data import RunData

CURVE_COLUMNS = (
    "strategy",
    "shape",  # 9x9; empty where the run does not tell
    "axis",  # a measure of difficulty
    "x",  # of that measure
    "median_s",  # CPU seconds per solve; empty where half of the puzzles were not finished
    "lo_s",  # at least, with 97.5%; empty where nothing bounds it
    "hi_s",  # at most, with 97.5%; empty where nothing bounds it
    "n_puzzles",  # the curve's
    "marked",  # "yes" where the axis is nearly the strategy's own work
)


def curves(run: RunData) -> pd.DataFrame:
    """Rows of ``CURVE_COLUMNS``: for each strategy, shape and axis its median at up to 41 places, with 95% for each."""
    found = [line for field in fields(run) for axis in AXES for line in of_axis(field, axis)]
    kinds = dict.fromkeys(("x", "median_s", "lo_s", "hi_s"), float)
    return pd.DataFrame(found, columns=list(CURVE_COLUMNS)).astype(kinds)


def of_axis(field: Field, axis: Axis) -> Iterator[dict[str, Any]]:
    """The curves of a field along an axis, as rows of ``CURVE_COLUMNS``."""
    lookout = Lookout(field.at(axis), field.clusters)
    for strategy, lo, hi in zip(field.strategies, field.lo, field.hi, strict=True):
        chosen = np.isfinite(lookout.x) & ~np.isnan(lo)
        near = lookout.over(chosen)
        if near is None or not np.isfinite(hi[chosen]).any():
            continue
        curve = _curve(lookout.x[chosen], lo[chosen], hi[chosen], field.clusters[chosen], near)
        with np.errstate(over="ignore"):
            seconds = np.exp(curve)
        for x, (median, low, high) in zip(axis.back(near.at), seconds, strict=True):
            yield {
                "strategy": strategy,
                "shape": field.shape,
                "axis": axis.name,
                "x": max(0.0, x),
                "median_s": median,
                "lo_s": low if low > 0 else np.nan,
                "hi_s": high if np.isfinite(high) else np.nan,
                "n_puzzles": int(chosen.sum()),
                "marked": "yes" if axis is GUESSES and strategy in field.searchers else "",
            }


def _curve(x: Floats, lo: Floats, hi: Floats, clusters: NDArray[np.intp], near: Windows) -> Floats:
    """Median, lower and upper bound of the logarithm of seconds at each place: places × 3."""
    bounds = local_median(lo, near).lo  # of times that are longer than their limit, the limit
    curve = np.column_stack([np.full(len(near.at), np.nan), bounds, np.full(len(near.at), np.inf)])
    known = stretch(x, hi, clusters, near)
    own = x[known.known]
    if len(np.unique(clusters[known.known])) < MIN_PUZZLES or not np.ptp(own):
        return curve
    inside = (near.at >= own.min()) & (near.at <= own.max())
    if not inside.any():
        return curve
    here = windows(own, near.at[inside], clusters[known.known])
    line = known.tilt * near.at[inside]
    band = local_median(hi[known.known] - known.tilt * own, here)
    curve[inside] = np.column_stack([band.median, band.lo, band.hi]) + line[:, None]
    return curve
