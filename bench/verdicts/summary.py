"""The summary table: figures of each strategy on each collection.

The puzzle is the statistical unit: the time of a puzzle is the median of its repetitions. An unfinished solve counts as
longer than any other. A quantile is therefore known if it falls on a finished solve, and otherwise empty; a geometric
mean or a maximum is empty if any puzzle was not finished. Only PAR-2 and PAR-10 impute a number for an unfinished
solve, by definition: 2 or 10 times the limit of the clock.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from bench.folder.method import Method
from bench.folder.rows import FINISHED
from bench.verdicts.arrays import Floats
from bench.verdicts.run_data import DISQUALIFYING, RunData, with_cpu_limit, with_status
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
    "mistimed",
    "prepare_s",  # median over processes, once per process and shape
    "break_even",  # number of puzzles from which its total is less than that of any strategy that prepares less
    "floor_s",  # of a cold solve: the median of one without a puzzle to solve
    "sgmean_s",
    "shift_s",
    "par10_s",
    "p25_s",
    "p75_s",
    "wall_limit_s",
    *(f"wall_{figure}_s" for figure in FIGURES),
    "unverified",  # imported without an answer to check; they have times
)
COUNTS = {  # column -> status
    "solved": "solved",
    "timeouts": "timeout",
    "errors": "error",
    "gave_up": "gave_up",
    "memouts": "memout",
    "unsupported": "unsupported",
    "mistimed": "mistimed",
    "unverified": "unverified",
}
BLOCK = ["collection", "task", "mode"]
CONFIDENCE = 0.95
SHIFT_S = 1e-3  # shift of the shifted geometric mean: about the time of a strategy that does very little
FLOOR = "floor"


def summarize(run: RunData) -> pd.DataFrame:
    """Return one row per strategy × collection × task × mode, columns ``SUMMARY_COLUMNS``.

    Times are CPU seconds per solve; columns that begin with ``wall_`` are by the wall clock. Decoys are not counted
    among the puzzles, but ``wrong`` and ``mistimed`` count those to decoys and as a placebo in each row of the
    strategy, which then gets no times. For the task ``first``, puzzles with several solutions or none are counted but
    not timed.
    """
    rows = with_cpu_limit(run)
    counted = ["strategy", *BLOCK, "puzzle", "status", "limit_s", "worker", "prepare_cpu_s"]
    real = rows.loc[rows["decoy"].isna() & rows["placebo"].isna(), counted]
    timed = dict(list(run.comparable.groupby(BLOCK, sort=False)))
    others = rows[rows["decoy"].notna() | rows["placebo"].notna()]
    elsewhere = {status: pd.Series(with_status(others, status), dtype=int) for status in DISQUALIFYING}
    frames = []
    for key, block in real.groupby(BLOCK, sort=False):
        table = _counts(block)
        for status, numbers in elsewhere.items():
            table[status] += numbers.reindex(table.index, fill_value=0)
        figures = figures_of(timed[key], run.method) if key in timed else {}
        table = table.join(pd.DataFrame.from_dict(figures, orient="index"))
        for column, value in zip(BLOCK, key, strict=True):
            table[column] = str(value)
        frames.append(table.rename_axis("strategy").reset_index().reindex(columns=list(SUMMARY_COLUMNS)))
    types = {column: float for column in SUMMARY_COLUMNS if column.endswith("_s")} | {"break_even": float}
    frame = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=list(SUMMARY_COLUMNS))
    frame = frame.astype(types)
    floors = rows[rows["placebo"] == FLOOR].groupby("collection")["cpu_s"].median()
    frame = frame.assign(clock="cpu", shift_s=SHIFT_S, floor_s=frame["collection"].map(floors).astype(float))
    frame["wall_limit_s"] = frame["limit_s"].map(run.method.wall_limit_s)
    for _, group in frame.groupby(BLOCK):
        frame.loc[group.index, "break_even"] = break_even(group["prepare_s"], group["median_s"])
    return frame


def _counts(block: pd.DataFrame) -> pd.DataFrame:
    """Return the counts of each strategy in the rows of one collection, strategies in order of first appearance."""
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


def figures_of(rows: pd.DataFrame, method: Method) -> dict[str, dict[str, float]]:
    """Return the figures of each strategy by column name, from comparable rows of one collection.

    Figures are seconds; NaN if an unfinished solve leaves a figure unknown.
    """
    result: dict[str, dict[str, float]] = {}
    for prefix, clock in (("", "cpu_s"), ("wall_", "wall_s")):
        measured = times(rows, clock)
        figures = time_figures(measured.seconds, limits_s(measured, None if clock == "cpu_s" else method))
        for number, strategy in enumerate(measured.strategies):
            of_clock = {f"{prefix}{name}_s": float(values[number]) for name, values in figures.items()}
            result.setdefault(strategy, {}).update(of_clock)
    return result


def limits_s(measured: Times, wall: Method | None = None) -> Floats:
    """Return the limit in seconds of each unfinished measurement; other values are meaningless.

    Args:
        wall: for wall times, the method of the run, which determines the wall-clock guard (None: CPU times).
    """
    limits: Floats = np.exp(measured.log_s)
    return limits * wall.wall_factor + wall.wall_slack_s if wall else limits


def penalized(seconds: Floats, limits: Floats, factor: float) -> Floats:
    """Return the score of each puzzle: the mean of its times, an unfinished one counted as ``factor`` times the limit.

    Args:
        seconds: ... × replicates, infinite where unfinished, NaN where not measured; limits: of the same shape.
    """
    scores = np.where(np.isinf(seconds), factor * limits, seconds)
    known = ~np.isnan(scores)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(known, scores, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return mean


def time_figures(seconds: Floats, limits: Floats) -> dict[str, Floats]:
    """Return the figures of strategies, names as in ``FIGURES``, NaN where an unfinished solve leaves them unknown.

    Args:
        seconds: strategies × puzzles × replicates, infinite where unfinished, NaN where not measured.
        limits: of the same shape, see ``limits_s``.
    """
    puzzles = medians(seconds)
    figures = {
        name: np.array([quantile(row, share) for row in puzzles])
        for name, share in (("median", 0.5), ("p25", 0.25), ("p75", 0.75), ("p95", 0.95))
    }
    figures |= {f"par{factor}": _mean(penalized(seconds, limits, factor)) for factor in (2, 10)}
    longest = np.where(np.isnan(seconds), -np.inf, seconds).max(axis=(1, 2))
    figures["max"] = np.where(np.isfinite(longest), longest, np.nan)
    means = np.array([geometric_mean(row[~np.isnan(row)]) for row in puzzles], dtype=float)
    figures |= dict(zip(("gmean", "gmean_lo", "gmean_hi"), means.T, strict=True))
    figures["sgmean"] = shifted_geometric_mean(puzzles)
    return figures


def _mean(puzzles: Floats) -> Floats:
    """Return means over the measured puzzles of each row."""
    return np.array([row[~np.isnan(row)].mean() for row in puzzles])


def shifted_geometric_mean(puzzles: Floats, shift_s: float = SHIFT_S) -> Floats:
    """Return exp(mean of log(t + shift)) - shift over the last axis; NaN if a puzzle was not finished.

    Puzzles that take much less than the shift have little effect on it (as used by Achterberg 2007).
    """
    known = ~np.isnan(puzzles)
    logs = np.log(np.where(known, puzzles, 1.0) + shift_s)
    mean = np.where(known, logs, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return np.where(np.isfinite(mean), np.exp(mean) - shift_s, np.nan)


def puzzle_times(group: pd.DataFrame) -> pd.Series[float]:
    """Return the CPU seconds of each puzzle: the median of its measurements, infinite if it was not finished."""
    finished = group["cpu_s"].where(group["status"].isin(FINISHED), math.inf)
    # Halfway between a finished and an unfinished solve is infinite: not finished.
    return finished.groupby(group["puzzle"]).median()


def break_even(prepare_s: pd.Series[float], solve_s: pd.Series[float]) -> list[float]:
    """Return the number of puzzles at which each strategy's preparation has paid off.

    From that number on, preparing and solving all puzzles takes less time than with any strategy that prepares less. 0
    for the strategy that prepares least, NaN if it never pays off.
    """
    result: list[float] = []
    for own_prepare, own_solve in zip(prepare_s, solve_s, strict=True):
        needed: list[float] = [0.0]
        for prepare, solve in zip(prepare_s, solve_s, strict=True):
            if prepare < own_prepare and not math.isnan(solve):
                gain = solve - own_solve
                needed.append(math.ceil((own_prepare - prepare) / gain) if gain > 0 else math.inf)
        known = not (math.isnan(own_prepare) or math.isnan(own_solve))
        result.append(max(needed) if known and math.isfinite(max(needed)) else math.nan)
    return result


def geometric_mean(times: Floats) -> tuple[float, float | None, float | None]:
    """Return the geometric mean of positive times with its 95% interval: Student's t on logarithms (Gosset 1908).

    Assumes that puzzles are a sample and that the mean of their log times is approximately normal. The interval is None
    for fewer than 2 puzzles; all three are NaN if a time is infinite (not finished).
    """
    if not np.isfinite(times).all():
        return math.nan, math.nan, math.nan
    logs = np.log(times)
    mean = float(logs.mean())
    if len(logs) < 2:
        return math.exp(mean), None, None
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(logs) - 1) * logs.std(ddof=1) / math.sqrt(len(logs)))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def quantile(puzzles: Floats, share: float) -> float:
    """Return a quantile, ignoring NaN (linear interpolation); NaN if an unfinished solve enters it."""
    ordered = np.sort(puzzles[~np.isnan(puzzles)])
    below, fraction = divmod(share * (len(ordered) - 1), 1)
    # np.quantile weights the upper neighbour with 0 where it does not enter, and 0 · infinity is NaN.
    value = float(ordered[int(below)])
    if fraction > 1e-9 and math.isfinite(value):
        value += fraction * (float(ordered[int(below) + 1]) - value)
    return value if math.isfinite(value) else math.nan
