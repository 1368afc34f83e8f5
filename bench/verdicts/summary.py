"""The summary table: figures of each strategy on each collection.

The puzzle is the statistical unit: the time of a puzzle is the median of its repetitions. An unfinished solve counts as
longer than any other. A quantile is therefore known if it falls on a finished solve, and otherwise empty; a geometric
mean or a maximum is empty if any puzzle was not finished. Only PAR-2 imputes a number for an unfinished solve, by
definition: twice the limit.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.verdicts.arrays import Floats, Indices
from sudoku_bench.bench.verdicts.clusters import by_cluster, clusters_in
from sudoku_bench.bench.verdicts.run_data import RunData, disqualifying, prepare_seconds, with_cpu_limit
from sudoku_bench.bench.verdicts.times import medians, times

FIGURES = ("median_s", "gmean_s", "gmean_lo_s", "gmean_hi_s", "par2_s", "p95_s", "max_s", "p25_s", "p75_s")
SUMMARY_COLUMNS = (
    *("strategy", "collection", "task", "mode", "n_puzzles", "n_measurements", "solved", "timeouts", "errors"),
    *("wrong",),
    *FIGURES[:7],
    *("limit_s", "gave_up", "memouts", "unsupported", "mistimed", "prepare_s", "floor_s"),
    *FIGURES[7:],
    *("wall_median_s", "unverified", "disqualified", "inferred", "n_tried"),
)
BLOCK = ["collection", "task", "mode"]
CONFIDENCE = 0.95
QUANTILES = {"median_s": 0.5, "p25_s": 0.25, "p75_s": 0.75, "p95_s": 0.95}
FLOOR = "floor"


def summarize(run: RunData) -> pd.DataFrame:
    """Return one row per strategy × collection × task × mode, columns ``SUMMARY_COLUMNS``.

    Times are CPU seconds per solve; ``wall_median_s`` is by the wall clock. Decoys and placebos are not counted. A
    strategy with a wrong answer or a false time, also to a decoy or as a placebo, gets no times, and ``disqualified``
    says in each of its rows where that happened. For the task ``first``, puzzles with several solutions or none are
    counted but not timed.
    """
    rows = with_cpu_limit(run)
    counted = ["strategy", *BLOCK, "puzzle", "status", "reason", "limit_s", "worker", "prepare_cpu_s"]
    real = rows[rows["decoy"].isna() & rows["placebo"].isna()].reindex(columns=counted)
    timed = dict(list(run.timed.groupby(BLOCK, sort=False)))
    frames = []
    for key, block in real.groupby(BLOCK, sort=False):
        table = _counts(block)
        if key in timed:
            table = table.join(figures_of(timed[key], run.puzzles))
        for column, value in zip(BLOCK, key, strict=True):
            table[column] = str(value)
        frames.append(table.rename_axis("strategy").reset_index().reindex(columns=list(SUMMARY_COLUMNS)))
    frame = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=list(SUMMARY_COLUMNS))
    faults = disqualifying(rows)
    frame["disqualified"] = [faults.get(name, "") for name in frame["strategy"]]
    floors = rows[rows["placebo"] == FLOOR].groupby("collection")["cpu_s"].median()
    frame["floor_s"] = frame["collection"].map(floors)
    return frame.astype({column: float for column in SUMMARY_COLUMNS if column.endswith("_s")})


def _counts(block: pd.DataFrame) -> pd.DataFrame:
    """Return the counts of each strategy in the rows of one collection, strategies in order of first appearance."""
    by_strategy = block.groupby("strategy", sort=False)
    by_kind = block.groupby(["strategy", outcomes.kinds(block).rename("kind")]).size().unstack(fill_value=0)
    counts = by_kind.reindex(columns=[*outcomes.COLUMNS, "timeout"], fill_value=0).rename(columns=outcomes.COLUMNS)
    counts["timeouts"] = counts.pop("timeout") + counts["inferred"]
    tried = block[outcomes.is_tried(block)].groupby("strategy")["puzzle"].nunique()
    return pd.DataFrame(
        {
            "n_puzzles": by_strategy["puzzle"].nunique(),
            "n_measurements": by_strategy.size(),
            "limit_s": by_strategy["limit_s"].first(),
            "prepare_s": prepare_seconds(block),
            "n_tried": tried.reindex(by_strategy.size().index, fill_value=0),
        }
    ).join(counts)


def figures_of(rows: pd.DataFrame, puzzles: pd.DataFrame) -> pd.DataFrame:
    """Return the figures of each strategy in seconds, from comparable rows of one collection, indexed by name.

    Columns: ``FIGURES`` and ``wall_median_s``; NaN if an unfinished solve leaves a figure unknown.

    Args:
        puzzles: the puzzles of the run.
    """
    cpu, wall = times(rows, "cpu_s"), times(rows, "wall_s")
    cluster = clusters_in(str(rows["collection"].iloc[0]), cpu.puzzles, puzzles)
    figures = time_figures(cpu.seconds, np.exp(cpu.log_s), cluster)
    figures["wall_median_s"] = np.array([quantile(row, 0.5) for row in medians(wall.seconds)])
    return pd.DataFrame(figures, index=list(cpu.strategies))


def penalized(seconds: Floats, limits: Floats) -> Floats:
    """Return the PAR-2 score of each puzzle: the mean of its times, an unfinished one counted as twice the limit.

    Args:
        seconds: ... × repetitions, infinite where unfinished, NaN where not measured; limits: of the same shape.
    """
    scores = np.where(np.isinf(seconds), 2 * limits, seconds)
    known = ~np.isnan(scores)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(known, scores, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return mean


def time_figures(seconds: Floats, limits: Floats, cluster: Indices) -> dict[str, Floats]:
    """Return the figures of strategies, names as in ``FIGURES``, NaN where an unfinished solve leaves them unknown.

    Args:
        seconds: strategies × puzzles × repetitions, infinite where unfinished, NaN where not measured.
        limits: of the same shape, used where unfinished.
        cluster: cluster number of each puzzle (``bench/verdicts/clusters``).
    """
    puzzles = medians(seconds)
    known = ~np.isnan(puzzles)
    means = np.array([geometric_mean(row[k], cluster[k]) for row, k in zip(puzzles, known, strict=True)], dtype=float)
    longest = np.where(np.isnan(seconds), -np.inf, seconds).max(axis=(1, 2))
    return {
        **{name: np.array([quantile(row, share) for row in puzzles]) for name, share in QUANTILES.items()},
        **dict(zip(("gmean_s", "gmean_lo_s", "gmean_hi_s"), means.T, strict=True)),
        "par2_s": np.array([row[~np.isnan(row)].mean() for row in penalized(seconds, limits)]),
        "max_s": np.where(np.isfinite(longest), longest, np.nan),
    }


def geometric_mean(times: Floats, cluster: Indices) -> tuple[float, float | None, float | None]:
    """Return the geometric mean of positive times with its 95% interval: Student's t on logarithms (Gosset 1908).

    Assumes that clusters of puzzles are a sample and that the mean of their log times is approximately normal. The
    interval is None for fewer than 2 clusters; all three are NaN if a time is infinite (not finished).

    Args:
        cluster: cluster number of each puzzle (``bench/verdicts/clusters``).
    """
    if not np.isfinite(times).all():
        return math.nan, math.nan, math.nan
    logs = np.log(times)
    mean = float(logs.mean())
    _, numbers = np.unique(cluster, return_inverse=True)
    number = int(numbers.max()) + 1
    if number < 2:
        return math.exp(mean), None, None
    if number < len(logs):
        logs = by_cluster(logs - mean, numbers)  # deviations, because clusters differ in size
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, number - 1) * logs.std(ddof=1) / math.sqrt(number))
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
