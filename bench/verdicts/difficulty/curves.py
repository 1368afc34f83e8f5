"""Curves: the median time of a strategy as a function of difficulty, with its confidence band.

The median at a difficulty is that of puzzles of similar difficulty: a local linear smoother of counts above and below,
applied to residuals from the line through the medians (a parametric start: Glad 1998). A curve covers the range of
difficulty in which its strategy was measured; where half of the puzzles were not finished it is only a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.difficulty.fields import AXES, GUESSES, Axis, Field, fields
from sudoku_bench.bench.verdicts.difficulty.local import MIN_PUZZLES, AxisWindows, Windows, local_median, windows
from sudoku_bench.bench.verdicts.run_data import RunData

CURVE_COLUMNS = ("strategy", "shape", "axis", "x", "median_s", "lo_s", "hi_s", "n_puzzles", "marked")


def curves(run: RunData) -> pd.DataFrame:
    """Return rows of ``CURVE_COLUMNS``: medians per strategy, shape and axis at up to 41 places, pointwise at 95%."""
    rows = [row for field in fields(run) for axis in AXES for row in of_axis(field, axis)]
    types = dict.fromkeys(("x", "median_s", "lo_s", "hi_s"), float)
    return pd.DataFrame(rows, columns=list(CURVE_COLUMNS)).astype(types)


def of_axis(field: Field, axis: Axis) -> Iterator[dict[str, Any]]:
    """Yield the curves of a field along an axis, as rows of ``CURVE_COLUMNS``."""
    axis_windows = AxisWindows(field.at(axis), field.clusters)
    for strategy, lo, hi in zip(field.strategies, field.lo, field.hi, strict=True):
        measured = np.isfinite(axis_windows.x) & ~np.isnan(lo)
        near = axis_windows.over(measured)
        if near is None or not np.isfinite(hi[measured]).any():
            continue
        curve = _curve(axis_windows, lo[measured], hi, near)
        with np.errstate(over="ignore"):
            seconds = np.exp(curve)
        for x, (median, low, high) in zip(axis.back(near.places), seconds, strict=True):
            yield {
                "strategy": strategy,
                "shape": field.shape,
                "axis": axis.name,
                "x": max(0.0, x),
                "median_s": median,
                "lo_s": low if low > 0 else np.nan,
                "hi_s": high if np.isfinite(high) else np.nan,
                "n_puzzles": int(measured.sum()),
                "marked": "yes" if axis is GUESSES and strategy in field.searchers else "",
            }


def _curve(axis_windows: AxisWindows, lo: Floats, hi: Floats, near: Windows) -> Floats:
    """Return median, lower and upper bound of the logarithm of seconds at each place: places × 3.

    Args:
        lo: of the measured puzzles; hi: of all.
    """
    lower = local_median(lo, near).lo  # a censored time counts as its limit
    curve = np.column_stack([np.full(len(near.places), np.nan), lower, np.full(len(near.places), np.inf)])
    known = axis_windows.known_range(hi)
    assert known is not None
    x, clusters = axis_windows.x[known.inside], axis_windows.clusters[known.inside]
    if len(np.unique(clusters)) < MIN_PUZZLES or not np.ptp(x):
        return curve
    inside = (near.places >= x.min()) & (near.places <= x.max())
    if inside.any():
        line = known.slope * near.places[inside]
        band = local_median(hi[known.inside] - known.slope * x, windows(x, near.places[inside], clusters))
        curve[inside] = np.column_stack([band.median, band.lo, band.hi]) + line[:, None]
    return curve
