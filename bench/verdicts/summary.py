"""From raw rows to a summary. Reads a run and returns data frames; writes nothing.

The puzzle is the statistical unit: repetitions of a puzzle are first condensed to one time, their median. A solve
that was not finished counts as longer than any other. So a quantile is a number as long as it falls on a finished
solve, and is otherwise empty; a geometric mean or a maximum is empty as soon as one puzzle was not finished. PAR-2
alone puts a number in the place of an unfinished solve, by its definition: twice the limit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.frames import Run, with_cpu_limit

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
    "prepare_s",  # median over processes, once per process and shape
    "break_even",  # puzzles from which on preparing has paid, against every strategy that prepares less
    "floor_s",  # of a cold solve: the median of one that has nothing to solve
)
GROUP = ["strategy", "collection", "task", "mode"]
ONE_SOLUTION = ("first", "count:1")  # tasks that any solution answers
CONFIDENCE = 0.95
PAR = 2
FLOOR = "floor"


def summarize(run: Run) -> pd.DataFrame:
    """One row per strategy × collection × task × mode, columns ``SUMMARY_COLUMNS``, times in CPU seconds per solve.

    Decoys are not counted among the puzzles, but one wrong answer to a decoy marks the strategy: ``wrong`` then
    counts it in each of its rows. A strategy that was wrong anywhere gets no times at all. For the task ``first``,
    puzzles that have not exactly one solution are counted but not timed: any solution would do there.
    """
    rows = with_cpu_limit(run)
    rows = rows[rows["placebo"].isna() | (rows["placebo"] == FLOOR)]
    liars = rows[rows["status"] == "wrong"].groupby("strategy").size()
    fooled = rows[(rows["status"] == "wrong") & rows["decoy"].notna()].groupby("strategy").size()
    floors = rows[rows["placebo"] == FLOOR].groupby("collection")["cpu_s"].median()
    real = rows[rows["decoy"].isna() & rows["placebo"].isna()].merge(
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
            "prepare_s": group.drop_duplicates("worker")["prepare_cpu_s"].median(),
            "floor_s": floors.get(key[1]),
        }
        if task in ONE_SOLUTION:
            group = group[group["reference"] == 1]
        if strategy not in liars.index and len(group) and not (group["status"] == "unsupported").any():
            line |= time_figures(group)
        summary.append(line)
    times = {column: float for column in SUMMARY_COLUMNS if column.endswith("_s")} | {"break_even": float}
    frame = pd.DataFrame(summary, columns=list(SUMMARY_COLUMNS)).astype(times)
    for _, group in frame.groupby(["collection", "task", "mode"]):
        frame.loc[group.index, "break_even"] = break_even(group["prepare_s"], group["median_s"])
    return frame


def break_even(prepare_s: pd.Series[float], solve_s: pd.Series[float]) -> list[float]:
    """For each strategy, the number of puzzles from which on preparing and solving all of them costs it less than it
    costs any strategy that prepares less; 0 for the one that prepares least, NaN if that never comes.
    """
    found: list[float] = []
    for own_prepare, own_solve in zip(prepare_s, solve_s, strict=True):
        needed: list[float] = [0.0]
        for prepare, solve in zip(prepare_s, solve_s, strict=True):
            if prepare < own_prepare and not math.isnan(solve):
                gain = solve - own_solve
                needed.append(math.ceil((own_prepare - prepare) / gain) if gain > 0 else math.inf)
        known = not (math.isnan(own_prepare) or math.isnan(own_solve))
        found.append(max(needed) if known and math.isfinite(max(needed)) else math.nan)
    return found


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
