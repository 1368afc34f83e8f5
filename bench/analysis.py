"""From raw rows to a summary. Reads a run and returns data frames; writes nothing.

The puzzle is the statistical unit: repetitions of a puzzle are first condensed to one time, their median. A solve
that was not finished counts as longer than any other. So a quantile is a number as long as it falls on a finished
solve, and is otherwise empty; a geometric mean or a maximum is empty as soon as one puzzle was not finished. PAR-2
alone puts a number in the place of an unfinished solve, by its definition: twice the limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.store import MEASUREMENTS, PUZZLES, read_manifest
from datasets.errors import InputError

SUMMARY_COLUMNS = (
    "strategy",
    "collection",
    "task",
    "mode",
    "n_puzzles",
    "n_measurements",
    "solved",
    "timeouts",
    "errors",
    "wrong",
    "median_s",
    "gmean_s",
    "gmean_lo_s",
    "gmean_hi_s",
    "par2_s",
    "p95_s",
    "max_s",
    "clock",
    "limit_s",
    "gave_up",
    "memouts",
    "unsupported",
)
GROUP = ["strategy", "collection", "task", "mode"]
TEXT = dict.fromkeys(  # columns that are text even where they look like numbers
    (
        *("strategy", "collection", "puzzle", "task", "mode", "status", "reason", "limit_clock", "host", "decoy"),
        *("other_counters", "grid", "solution", "er"),
    ),
    str,
)
ONE_SOLUTION = ("first", "count:1")  # tasks that any solution answers
CONFIDENCE = 0.95
PAR = 2


@dataclass(frozen=True)
class Run:
    """A run as data frames.

    Attributes:
        measurements: a row per measurement, columns as in ``bench.rows.COLUMNS``.
        puzzles: a row per puzzle with its difficulty and number of solutions.
    """

    manifest: dict[str, Any]
    measurements: pd.DataFrame
    puzzles: pd.DataFrame


def load(folder: str | Path) -> Run:
    """Read a run folder.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    frames = []
    for name in (MEASUREMENTS, PUZZLES):
        try:
            frames.append(pd.read_csv(folder / name, dtype=TEXT, keep_default_na=False, na_values=[""]))
        except (OSError, ValueError) as error:
            raise InputError(f"{folder / name}: cannot be read: {error}") from None
    return Run(manifest, *frames)


def summarize(run: Run) -> pd.DataFrame:
    """One row per strategy × collection × task × mode, columns ``SUMMARY_COLUMNS``, times in CPU seconds per solve.

    Decoys are not counted among the puzzles, but one wrong answer to a decoy marks the strategy: ``wrong`` then
    counts it in each of its rows. A strategy that was wrong anywhere gets no times at all. For the task ``first``,
    puzzles that have not exactly one solution are counted but not timed: any solution would do there.
    """
    rows = run.measurements
    liars = rows[rows["status"] == "wrong"].groupby("strategy").size()
    fooled = rows[(rows["status"] == "wrong") & rows["decoy"].notna()].groupby("strategy").size()
    real = rows[rows["decoy"].isna()].merge(
        run.puzzles[["collection", "puzzle", "solutions"]].rename(columns={"solutions": "reference"}),
        on=["collection", "puzzle"],
        how="left",
    )
    summary = []
    for key, group in real.groupby(GROUP, sort=False):
        strategy, _, task, _ = key
        counts = group["status"].value_counts()
        line: dict[str, Any] = dict(zip(GROUP, key, strict=True))
        line |= {
            "n_puzzles": group["puzzle"].nunique(),
            "n_measurements": len(group),
            "solved": counts.get("solved", 0),
            "timeouts": counts.get("timeout", 0),
            "errors": counts.get("error", 0),
            "wrong": counts.get("wrong", 0) + fooled.get(strategy, 0),
            "clock": "cpu",
            "limit_s": group["limit_s"].iloc[0],
            "gave_up": counts.get("gave_up", 0),
            "memouts": counts.get("memout", 0),
            "unsupported": counts.get("unsupported", 0),
        }
        if task in ONE_SOLUTION:
            group = group[group["reference"] == 1]
        if strategy not in liars.index and len(group) and not (group["status"] == "unsupported").any():
            line |= time_figures(group)
        summary.append(line)
    times = {column: float for column in SUMMARY_COLUMNS if column.endswith("_s")}
    return pd.DataFrame(summary, columns=list(SUMMARY_COLUMNS)).astype(times)


def puzzle_times(group: pd.DataFrame) -> pd.Series[float]:
    """CPU seconds of each puzzle: the median of its measurements, infinite where that one was not finished."""
    finished = group["cpu_s"].where(group["status"] == "solved", math.inf)
    # Halfway between a finished and an unfinished solve is infinite: not finished.
    return finished.groupby(group["puzzle"]).median()


def time_figures(group: pd.DataFrame) -> dict[str, float | None]:
    """The times of one strategy on one collection, None where an unfinished solve leaves them unknown."""
    times = puzzle_times(group).to_numpy()
    solved = group["status"] == "solved"
    penalized = group["cpu_s"].where(solved, PAR * group["limit_s"])
    figures: dict[str, float | None] = {
        "median_s": _quantile(times, 0.5),
        "p95_s": _quantile(times, 0.95),
        "par2_s": float(penalized.groupby(group["puzzle"]).mean().mean()),
        "max_s": float(group["cpu_s"].max()) if solved.all() else None,
    }
    if np.isfinite(times).all():
        figures |= dict(zip(("gmean_s", "gmean_lo_s", "gmean_hi_s"), geometric_mean(times), strict=True))
    return figures


def geometric_mean(times: NDArray[np.floating[Any]]) -> tuple[float, float | None, float | None]:
    """Geometric mean of positive times with its 95% interval over puzzles: Student's t on logarithms (Gosset 1908).

    Assumes that puzzles are a sample and that the mean of their log times is about normal. None for fewer than 2.
    """
    logs = np.log(times)
    mean = float(logs.mean())
    if len(logs) < 2:
        return math.exp(mean), None, None
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(logs) - 1) * logs.std(ddof=1) / math.sqrt(len(logs)))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def _quantile(times: NDArray[np.floating[Any]], share: float) -> float | None:
    """A quantile (linear between neighbours); None if an unfinished solve takes part in it."""
    ordered = np.sort(times)
    below, fraction = divmod(share * (len(ordered) - 1), 1)
    # np.quantile weights the upper neighbour with 0 where it takes no part, and 0 · infinity is not a number.
    value = float(ordered[int(below)])
    if fraction > 1e-9:
        value += fraction * (float(ordered[int(below) + 1]) - value)
    return value if math.isfinite(value) else None
