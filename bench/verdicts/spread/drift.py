"""Drift of the machine during a run: each time relative to its strategy's mean on the puzzle, over the run's clock."""

from __future__ import annotations

import numpy as np
import pandas as pd

from bench.folder.rows import FINISHED
from bench.verdicts.run_data import KEY, RunData
from bench.verdicts.summary import median_interval

RESIDUAL_COLUMNS = ("strategy", "collection", "puzzle", "launch", "started_s", "log_ratio")
TREND_COLUMNS = ("launch", "started_s", "log_ratio", "lo", "hi", "n")
WINDOWS = 60  # per run, divided among its launches
OVERLAP = 4  # number of windows that contain each measurement
MIN_WINDOW = 20  # measurements in a window


def residuals(run: RunData) -> pd.DataFrame:
    """Return a row per finished measurement, columns ``RESIDUAL_COLUMNS``, in order of its start.

    ``log_ratio`` is the natural logarithm of CPU time divided by the geometric mean of all measurements of the same
    strategy on the same puzzle. (With their median as the divisor, the middle one of three would always be 0, and one
    third of zeros would keep the median of a window at 0.) Puzzles that a strategy did not always finish, or was
    measured on only once, are left out.
    """
    rows = run.comparable
    timed = rows.assign(
        log=np.log(rows["cpu_s"].where(rows["status"].isin(FINISHED) & (rows["cpu_s"] > 0))),
        started_s=run.measurements["started_s"].reindex(rows.index),
    )
    timed = timed[timed["started_s"].notna()]
    groups = timed.groupby(KEY, sort=False)["log"]
    all_finished = (groups.transform("count") == groups.transform("size")) & (groups.transform("size") > 1)
    rows = timed.assign(log_ratio=timed["log"] - groups.transform("mean"))[all_finished]
    return rows.sort_values("started_s", kind="stable")[list(RESIDUAL_COLUMNS)].reset_index(drop=True)


def trend(table: pd.DataFrame) -> pd.DataFrame:
    """Return running medians of residuals within each launch, columns ``TREND_COLUMNS``.

    Windows overlap and contain equal numbers of measurements; ``started_s`` is the median within a window. ``lo`` and
    ``hi`` are order statistics that cover the median with 95% (binomial; exact for independent measurements), NaN if a
    window has too few.
    """
    parts = []
    for launch, group in table.groupby("launch"):
        windows = max(1, round(WINDOWS * len(group) / len(table)))
        width = min(len(group), max(MIN_WINDOW, OVERLAP * len(group) // windows))
        firsts = np.unique(np.linspace(0, len(group) - width, windows).astype(int))
        logs, starts = group["log_ratio"].to_numpy(), group["started_s"].to_numpy()
        spans = [slice(first, first + width) for first in firsts]
        rows = [(np.median(starts[span]), np.median(logs[span]), *median_interval(logs[span])) for span in spans]
        parts.append(pd.DataFrame(rows, columns=["started_s", "log_ratio", "lo", "hi"]).assign(launch=launch, n=width))
    if not parts:
        return pd.DataFrame(columns=list(TREND_COLUMNS))
    return pd.concat(parts, ignore_index=True)[list(TREND_COLUMNS)]
