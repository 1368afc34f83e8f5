"""Did the machine stay the same? Each time against its strategy's mean on its puzzle, along the clock of a run."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.verdicts.run_data import RunData
from bench.verdicts.spread.spreads import median_interval

RESIDUAL_COLUMNS = ("strategy", "collection", "puzzle", "launch", "started_s", "log_ratio")
TREND_COLUMNS = ("launch", "started_s", "log_ratio", "lo", "hi", "n")
GROUP = ["strategy", "collection", "puzzle"]
WINDOWS = 60  # of a run, shared out over its launches
OVERLAP = 4  # so many windows hold each measurement
LEAST = 20  # measurements in a window

Floats = NDArray[np.float64]


def residuals(run: RunData) -> pd.DataFrame:
    """A row per finished measurement, columns ``RESIDUAL_COLUMNS``, by the clock of the run.

    ``log_ratio`` is the natural logarithm of the CPU time over the geometric mean of all measurements of the same
    strategy on the same puzzle. (Over their median, the middle one of three would always be 0, and a third of zeros
    holds the median of a window at 0.) Puzzles that a strategy did not finish every time, or was measured on only
    once, say nothing here.
    """
    rows = run.comparable
    known = rows.assign(
        log=np.log(rows["cpu_s"].where((rows["status"] == "solved") & (rows["cpu_s"] > 0))),
        started_s=run.measurements["started_s"].reindex(rows.index),
    )
    known = known[known["started_s"].notna()]
    groups = known.groupby(GROUP, sort=False)["log"]
    whole = (groups.transform("count") == groups.transform("size")) & (groups.transform("size") > 1)
    found = known.assign(log_ratio=known["log"] - groups.transform("mean"))[whole]
    return found.sort_values("started_s", kind="stable")[list(RESIDUAL_COLUMNS)].reset_index(drop=True)


def trend(found: pd.DataFrame) -> pd.DataFrame:
    """Running medians of residuals, in each launch by itself: columns ``TREND_COLUMNS``.

    Windows hold equally many measurements and overlap; ``started_s`` is the median of a window. ``lo`` and ``hi`` are
    the order statistics that hold the median with 95% (binomial; exact where measurements are independent), NaN where
    a window has too few for that.
    """
    parts = []
    for launch, own in found.groupby("launch"):
        windows = max(1, round(WINDOWS * len(own) / len(found)))
        width = min(len(own), max(LEAST, OVERLAP * len(own) // windows))
        firsts = np.unique(np.linspace(0, len(own) - width, windows).astype(int))
        logs, starts = own["log_ratio"].to_numpy(), own["started_s"].to_numpy()
        lines = [(np.median(starts[i : i + width]), *median(logs[i : i + width])) for i in firsts]
        parts.append(pd.DataFrame(lines, columns=["started_s", "log_ratio", "lo", "hi"]).assign(launch=launch, n=width))
    if not parts:
        return pd.DataFrame(columns=list(TREND_COLUMNS))
    return pd.concat(parts, ignore_index=True)[list(TREND_COLUMNS)]


def median(values: Floats) -> tuple[float, float, float]:
    """The median and its 95% interval (``spreads.median_interval``); NaN where too few values bound it."""
    low, high = median_interval(values)
    known = math.isfinite(low)
    return float(np.median(values)), low if known else math.nan, high if known else math.nan
