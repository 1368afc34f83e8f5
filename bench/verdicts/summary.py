"""From raw rows to a summary. Reads a run and returns data frames; writes nothing.

The puzzle is the statistical unit: repetitions of a puzzle are first condensed to one time, their median. A solve
that was not finished counts as longer than any other. So a quantile is a number as long as it falls on a finished
solve, and is otherwise empty; a geometric mean or a maximum is empty as soon as one puzzle was not finished. PAR-2 and
PAR-10 alone put a number in the place of an unfinished solve, by definition: so many times the limit of the clock.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.folder.method import Method
from bench.verdicts.run_data import RunData, with_cpu_limit, wrong_answers
from bench.verdicts.times import Times, medians, times

FIGURES = ("median", "gmean", "gmean_lo", "gmean_hi", "par2", "p95", "max", "sgmean", "par10", "p25", "p75")
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
    "sgmean_s",
    "shift_s",
    "par10_s",
    "p25_s",
    "p75_s",
    "wall_limit_s",
    *(f"wall_{figure}_s" for figure in FIGURES),
)
COUNTS = {  # column -> status
    "solved": "solved",
    "timeouts": "timeout",
    "errors": "error",
    "gave_up": "gave_up",
    "memouts": "memout",
    "unsupported": "unsupported",
}
BLOCK = ["collection", "task", "mode"]
CONFIDENCE = 0.95
SHIFT_S = (
    1e-3  # of the shifted geometric mean: a thousandth of a second is about what a strategy costs that does little
)
FLOOR = "floor"

Seconds = NDArray[np.float64]


def summarize(run: RunData) -> pd.DataFrame:
    """One row per strategy × collection × task × mode, columns ``SUMMARY_COLUMNS``, times in seconds per solve: of CPU
    time, and in the columns that begin with ``wall_`` by the wall clock.

    Decoys are not counted among the puzzles, but one wrong answer to a decoy, or as a placebo, marks the strategy:
    ``wrong`` then counts it in each of its rows. A strategy that was wrong anywhere gets no times at all. For the task
    ``first``, puzzles that have not exactly one solution are counted but not timed: any solution would do there.
    """
    rows = with_cpu_limit(run)
    counted = ["strategy", *BLOCK, "puzzle", "status", "limit_s", "worker", "prepare_cpu_s"]
    real = rows.loc[rows["decoy"].isna() & rows["placebo"].isna(), counted]
    timed = dict(list(run.comparable.groupby(BLOCK, sort=False)))
    elsewhere = _wrong_elsewhere(rows)
    frames = []
    for key, block in real.groupby(BLOCK, sort=False):
        lines = _counts(block)
        lines["wrong"] += pd.Series(elsewhere).reindex(lines.index).fillna(0).astype(int)
        found = figures_of(timed[key], run.method) if key in timed else {}
        lines = lines.join(pd.DataFrame.from_dict(found, orient="index"))
        for column, value in zip(BLOCK, key, strict=True):
            lines[column] = str(value)
        frames.append(lines.rename_axis("strategy").reset_index().reindex(columns=list(SUMMARY_COLUMNS)))
    known = {column: float for column in SUMMARY_COLUMNS if column.endswith("_s")} | {"break_even": float}
    frame = (pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=list(SUMMARY_COLUMNS))).astype(
        known
    )
    floors = rows[rows["placebo"] == FLOOR].groupby("collection")["cpu_s"].median()
    frame = frame.assign(clock="cpu", shift_s=SHIFT_S, floor_s=frame["collection"].map(floors).astype(float))
    frame["wall_limit_s"] = frame["limit_s"].map(run.method.wall_limit_s)
    for _, group in frame.groupby(BLOCK):
        frame.loc[group.index, "break_even"] = break_even(group["prepare_s"], group["median_s"])
    return frame


def _counts(block: pd.DataFrame) -> pd.DataFrame:
    """What there is of each strategy in the rows of one collection, in order of first appearance."""
    by_strategy = block.groupby("strategy", sort=False)
    by_status = block.groupby(["strategy", "status"]).size().unstack(fill_value=0)
    counts = by_status.reindex(columns=list(COUNTS.values()), fill_value=0).set_axis(list(COUNTS), axis=1)
    workers = block.drop_duplicates(["strategy", "worker"]).groupby("strategy")["prepare_cpu_s"].median()
    return pd.DataFrame(
        {
            "n_puzzles": by_strategy["puzzle"].nunique(),
            "n_measurements": by_strategy.size(),
            "wrong": by_status.get("wrong", pd.Series(0, index=by_status.index)),
            "limit_s": by_strategy["limit_s"].first(),
            "prepare_s": workers,
        }
    ).join(counts)


def _wrong_elsewhere(rows: pd.DataFrame) -> dict[str, int]:
    """Wrong answers that a strategy gave to decoys and as its own placebo."""
    return wrong_answers(rows[rows["decoy"].notna() | rows["placebo"].notna()])


def figures_of(rows: pd.DataFrame, method: Method) -> dict[str, dict[str, float]]:
    """The times of each strategy in comparable rows of one collection: column -> seconds, NaN where an unfinished
    solve leaves a figure unknown.
    """
    found: dict[str, dict[str, float]] = {}
    for prefix, clock in (("", "cpu_s"), ("wall_", "wall_s")):
        measured = times(rows, clock)
        figures = time_figures(measured.seconds, limits_s(measured, None if clock == "cpu_s" else method))
        for number, strategy in enumerate(measured.strategies):
            own = {f"{prefix}{name}_s": float(values[number]) for name, values in figures.items()}
            found.setdefault(strategy, {}).update(own)
    return found


def limits_s(measured: Times, wall: Method | None = None) -> Seconds:
    """The limit in seconds of each unfinished measurement; of no meaning elsewhere.

    Args:
        wall: for wall times, the method of the run, which says where the wall-clock guard is (None: CPU times).
    """
    limits: Seconds = np.exp(measured.log_s)
    return limits * wall.wall_factor + wall.wall_slack_s if wall else limits


def penalized(seconds: Seconds, limits: Seconds, factor: float) -> Seconds:
    """The score of each puzzle: the mean of its times, an unfinished one counted as ``factor`` times the limit.

    Args:
        seconds: ... × replicates, infinite where unfinished, NaN where not measured; limits: of the same shape.
    """
    scores = np.where(np.isinf(seconds), factor * limits, seconds)
    known = ~np.isnan(scores)
    with np.errstate(invalid="ignore"):
        mean: Seconds = np.where(known, scores, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return mean


def time_figures(seconds: Seconds, limits: Seconds) -> dict[str, Seconds]:
    """The figures of strategies, names as in ``FIGURES``, NaN where an unfinished solve leaves them unknown.

    Args:
        seconds: strategies × puzzles × replicates, infinite where unfinished, NaN where not measured.
        limits: of the same shape, see ``limits_s``.
    """
    puzzles = medians(seconds)
    figures = {
        name: np.array([quantile(own, share) for own in puzzles])
        for name, share in (("median", 0.5), ("p25", 0.25), ("p75", 0.75), ("p95", 0.95))
    }
    figures |= {f"par{factor}": _mean(penalized(seconds, limits, factor)) for factor in (2, 10)}
    longest = np.where(np.isnan(seconds), -np.inf, seconds).max(axis=(1, 2))
    figures["max"] = np.where(np.isfinite(longest), longest, np.nan)
    means = np.array([geometric_mean(own[~np.isnan(own)]) for own in puzzles], dtype=float)
    figures |= dict(zip(("gmean", "gmean_lo", "gmean_hi"), means.T, strict=True))
    figures["sgmean"] = shifted_geometric_mean(puzzles)
    return figures


def _mean(puzzles: Seconds) -> Seconds:
    """Means over puzzles that were measured."""
    return np.array([own[~np.isnan(own)].mean() for own in puzzles])


def shifted_geometric_mean(puzzles: Seconds, shift_s: float = SHIFT_S) -> Seconds:
    """exp(mean of log(t + shift)) - shift over the last axis: a geometric mean to which puzzles that take much less
    than the shift hardly matter (as used by Achterberg 2007). NaN where a puzzle was not finished.
    """
    known = ~np.isnan(puzzles)
    logs = np.log(np.where(known, puzzles, 1.0) + shift_s)
    mean = np.where(known, logs, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return np.where(np.isfinite(mean), np.exp(mean) - shift_s, np.nan)


def puzzle_times(group: pd.DataFrame) -> pd.Series[float]:
    """CPU seconds of each puzzle: the median of its measurements, infinite where that one was not finished."""
    finished = group["cpu_s"].where(group["status"] == "solved", math.inf)
    # Halfway between a finished and an unfinished solve is infinite: not finished.
    return finished.groupby(group["puzzle"]).median()


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


def geometric_mean(times: Seconds) -> tuple[float, float | None, float | None]:
    """Geometric mean of positive times with its 95% interval over puzzles: Student's t on logarithms (Gosset 1908).

    Assumes that puzzles are a sample and that the mean of their log times is about normal. The interval is None for
    fewer than 2; all is NaN if one of them is infinite (not finished).
    """
    if not np.isfinite(times).all():
        return math.nan, math.nan, math.nan
    logs = np.log(times)
    mean = float(logs.mean())
    if len(logs) < 2:
        return math.exp(mean), None, None
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(logs) - 1) * logs.std(ddof=1) / math.sqrt(len(logs)))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def quantile(puzzles: Seconds, share: float) -> float:
    """A quantile of what is not NaN (linear between neighbours); NaN if an unfinished solve takes part in it."""
    ordered = np.sort(puzzles[~np.isnan(puzzles)])
    below, fraction = divmod(share * (len(ordered) - 1), 1)
    # np.quantile weights the upper neighbour with 0 where it takes no part, and 0 · infinity is not a number.
    value = float(ordered[int(below)])
    if fraction > 1e-9 and math.isfinite(value):
        value += fraction * (float(ordered[int(below) + 1]) - value)
    return value if math.isfinite(value) else math.nan
