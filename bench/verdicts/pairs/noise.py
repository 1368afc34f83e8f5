"""The placebos of a run: the same strategy on the same forms again, an apparent difference where there is none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from scipy import stats

from sudoku_bench.bench.folder.rows import FINISHED, PLACEBO
from sudoku_bench.bench.verdicts.pairs.paired import Ratio, compare
from sudoku_bench.bench.verdicts.times import REPETITION, Times

NOISE_COLUMNS = (
    *("collection", "strategy", "placebo", "n_puzzles", "ratio", "ratio_lo", "ratio_hi", "p", "resolvable"),
    "differs",
)
ALL = "(all)"
LEAST, LEAST_ROUNDS = 1.1, 3  # of a round that is odd: ratio of times; rounds that show it
ALPHA = 0.05  # family-wise error rate: share of runs with a placebo that differs, at most, if none does


def table(measurements: pd.DataFrame) -> pd.DataFrame:
    """Return one row per placebo and collection, columns ``NOISE_COLUMNS``; ratios of CPU times with 95% intervals.

    Only puzzles that strategy and placebo always finished are compared. A placebo ``differs`` if its ratio is
    significant, Bonferroni-corrected over all placebos of the run. Placebos on other forms, of earlier versions, are
    left out.
    """
    rows = measurements[measurements["decoy"].isna()]
    placebos = rows[rows["placebo"] == PLACEBO]
    tests = placebos["strategy"].nunique()
    result = []
    for label, group in placebos.groupby("strategy", sort=True):
        name = str(label).partition(") ")[2]
        own = rows[rows["strategy"] == name]
        for collection, ratio in _ratios(own, group):
            differs = collection == ALL and ratio.p is not None and ratio.p < ALPHA / tests
            interval = (ratio.ratio, ratio.lo, ratio.hi, ratio.p, resolvable(ratio))
            result.append((collection, name, PLACEBO, ratio.n_puzzles, *interval, "yes" if differs else ""))
    return pd.DataFrame(result, columns=list(NOISE_COLUMNS))


def odd_rounds(blocks: Iterable[Times]) -> dict[tuple[int, int], float]:
    """Return the rounds in which all strategies were slower or faster than in the others, with the ratio of times.

    It is at least ``LEAST``, and beyond what forms and noise explain: Student's t over puzzles, corrected for all
    rounds (Bonferroni). A strategy counts on the collections that it finished.
    """
    parts, rounds = [], list[tuple[int, int]]()
    for block in blocks:
        of_puzzles = block.log_s[np.isfinite(block.log_s).all((1, 2)) & ~block.censored.any((1, 2))]
        rounds = rounds or list(block.repetitions)
        if len(of_puzzles) and rounds == list(block.repetitions):
            parts.append(of_puzzles.mean(axis=0))
    logs, number = np.concatenate(parts) if parts else np.empty((0, 0)), len(rounds)
    if len(logs) < 2 or number < LEAST_ROUNDS:
        return {}
    logs = logs - logs.mean(axis=1, keepdims=True)
    effects = logs.mean(axis=0) * number / (number - 1)  # against the mean of the others
    freedom = (len(logs) - 1) * (number - 1)
    variance = ((logs - logs.mean(axis=0)) ** 2).sum() / freedom * number / (number - 1) / len(logs)
    least = max(math.log(LEAST), stats.t.isf(ALPHA / number / 2, freedom) * math.sqrt(variance))
    return {place: math.exp(effect) for place, effect in zip(rounds, effects, strict=True) if abs(effect) > least}


def resolvable(ratio: Ratio) -> float | None:
    """Return the end of the interval that is more distant from 1, as a ratio of at least 1."""
    if ratio.lo is None or ratio.hi is None:
        return None
    return math.exp(max(abs(math.log(ratio.lo)), abs(math.log(ratio.hi))))


def _ratios(strategy: pd.DataFrame, placebo: pd.DataFrame) -> Iterator[tuple[str, Ratio]]:
    """Yield the ratio for all collections together, then for each."""
    logs = log_ratios(placebo, strategy)
    if len(logs):
        yield ALL, compare(logs.to_numpy())
    for name, part in logs.groupby(level="collection", sort=False):
        yield str(name), compare(part.to_numpy())


def log_ratios(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """Return logarithms of the times of ``a`` over those of ``b``: a complete table, puzzles × repetitions.

    A repetition is a repetition in a launch. Puzzles with an unfinished solve in any repetition are left out.
    """
    log_a, log_b = (
        rows.assign(log_s=np.log(rows["cpu_s"].where(rows["status"].isin(FINISHED)))).pivot_table(
            "log_s", ["collection", "puzzle"], REPETITION, dropna=False, aggfunc="first"
        )
        for rows in (a, b)
    )
    return (log_a - log_b).dropna()
