"""The placebos of a run: apparent differences where there is none.

An *instrument* placebo is the same strategy on the same forms again: it shows the smallest detectable difference. A
*presentation* placebo is the same strategy on other forms of the same puzzles: it shows the effect of the choice of
forms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from bench.folder.rows import FINISHED
from bench.verdicts.pairs.paired import Ratio, compare
from bench.verdicts.times import REPETITION

SIGNIFICANT = 0.01
FORM = ["collection", "puzzle"]


@dataclass(frozen=True)
class Aging:
    """The power of the number of forms solved before by which times grow, with its 95% interval; 0 if none is seen."""

    exponent: float = 0.0
    lo: float = 0.0
    hi: float = 0.0


def aging(rows: pd.DataFrame, strategy: str) -> Aging:
    """Return how a strategy's times depend on the age of its process: on how many forms it has solved.

    Objects of earlier solves leave the memory of a process in pieces, which a strategy that builds large models
    notices. A placebo solves fewer puzzles than its strategy, so that its processes stay younger.

    Times are compared within puzzles, and with the median of the other strategies on the same form, so that neither
    the difficulty of puzzles nor a drift of the machine counts. Each repetition, with a process of its own, gives one
    estimate; their mean is tested by Student's t.

    Args:
        rows: measurements of strategies, placebos left out.
    """
    solved = rows[rows["status"].isin(FINISHED) & rows["stream_position"].notna()]
    logs = solved.assign(time=np.log(solved["cpu_s"]), age=log_age(solved))
    own = logs[logs["strategy"] == strategy].set_index([*FORM, *REPETITION])[["time", "age"]]
    others = logs[logs["strategy"] != strategy]
    others = others.assign(time=others["time"] - others.groupby(["strategy", *FORM])["time"].transform("mean"))
    drift = others.groupby([*FORM, *REPETITION])["time"].median().reindex(own.index).fillna(0.0)
    within = (own - own.groupby(FORM).transform("mean")).assign(drift=drift)
    slopes = np.array([_slope(part) for _, part in within.groupby(REPETITION)])
    slopes = slopes[np.isfinite(slopes)]
    if len(slopes) < 2:
        return Aging()
    mean, error = float(slopes.mean()), float(stats.sem(slopes))
    if error and 2 * stats.t.sf(abs(mean) / error, len(slopes) - 1) >= SIGNIFICANT:
        return Aging()
    half = float(stats.t.ppf(0.975, len(slopes) - 1)) * error
    return Aging(mean, mean - half, mean + half)


def log_age(rows: pd.DataFrame) -> pd.Series[float]:
    """Return the logarithm of one more than the number of forms that the process of each row solved before."""
    return pd.Series(np.log1p(rows["stream_position"].to_numpy(dtype=np.float64)), index=rows.index)


def _slope(rows: pd.DataFrame) -> float:
    age = rows["age"] - rows["age"].mean()
    time = rows["time"] - rows["drift"]
    squares = float((age**2).sum())
    return float((age * time).sum()) / squares if squares > 0 else float("nan")


NOISE_COLUMNS = (
    *("collection", "strategy", "placebo", "n_puzzles", "ratio", "ratio_lo", "ratio_hi", "p", "resolvable"),
    *("disturbed", "aging"),
)
ALL = "(all)"
ALPHA = 0.05  # family-wise error rate: share of undisturbed runs that are called disturbed, at most


def table(measurements: pd.DataFrame) -> pd.DataFrame:
    """Return one row per placebo and collection, columns ``NOISE_COLUMNS``; ratios of CPU times with 95% intervals.

    Only puzzles that strategy and placebo always finished are compared. A run is disturbed if an instrument placebo
    differs significantly from its strategy, Bonferroni-corrected over all instrument placebos of the run, also after
    the effect of their processes' ages is taken out.
    """
    rows = measurements[measurements["decoy"].isna()]
    placebos = rows[rows["placebo"].isin(("instrument", "presentation"))]
    tests = placebos.loc[placebos["placebo"] == "instrument", "strategy"].nunique()
    result = []
    for label, group in placebos.groupby("strategy", sort=True):
        kind, name = group["placebo"].iloc[0], str(label).partition(") ")[2]
        own = rows[rows["strategy"] == name]
        aged = aging(rows[rows["placebo"].isna()], name)
        for collection, ratio in _ratios(own, group):
            differs = kind == "instrument" and collection == ALL and _is_significant(ratio, tests)
            if differs and aged.exponent:
                at_equal_age = (
                    logs_at_equal_age(group, own, exponent) for exponent in (aged.lo, aged.exponent, aged.hi)
                )
                differs = all(_is_significant(compare(logs.to_numpy()), tests) for logs in at_equal_age)
            interval = (ratio.ratio, ratio.lo, ratio.hi, ratio.p, resolvable(ratio))
            marks = ("yes" if differs else "", aged.exponent)
            result.append((collection, name, kind, ratio.n_puzzles, *interval, *marks))
    return pd.DataFrame(result, columns=list(NOISE_COLUMNS))


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


def _is_significant(ratio: Ratio, tests: int) -> bool:
    return ratio.p is not None and ratio.p < ALPHA / tests


def log_ratios(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """Return logarithms of the times of ``a`` over those of ``b``: a complete table, puzzles × repetitions.

    A repetition is a repetition in a launch. Puzzles with an unfinished solve in any repetition are left out.
    """
    log_a, log_b = (_by_repetition(rows, np.log(rows["cpu_s"].where(rows["status"].isin(FINISHED)))) for rows in (a, b))
    return (log_a - log_b).dropna()


def logs_at_equal_age(a: pd.DataFrame, b: pd.DataFrame, exponent: float) -> pd.DataFrame:
    """Return ``log_ratios`` without the effect of the ages of the processes (see ``aging``)."""
    age_a, age_b = (_by_repetition(rows, log_age(rows)) for rows in (a, b))
    return (log_ratios(a, b) - exponent * (age_a - age_b)).dropna()


def _by_repetition(rows: pd.DataFrame, values: pd.Series[float]) -> pd.DataFrame:
    index = ["collection", "puzzle"]
    return rows.assign(value=values).pivot_table("value", index, REPETITION, dropna=False, aggfunc="first")
