"""What the instrument itself makes of no difference: the placebos of a run.

An *instrument* placebo is the same strategy again on the same forms; what it shows is the floor below which nothing is
claimed. A *presentation* placebo is the same strategy on other forms of the same puzzles; what it shows is the luck of
a presentation. Reads data frames and returns one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from bench.verdicts.pairs.paired import Ratio, compare

NOISE_COLUMNS = (
    "collection",  # "(all)" for all of them together
    "strategy",
    "placebo",
    "n_puzzles",
    "ratio",  # time of the placebo / time of the strategy
    "ratio_lo",
    "ratio_hi",
    "p",
    "resolvable",  # the smallest ratio that stands out from the instrument (the further end of the interval)
    "disturbed",  # "yes" if the machine did not treat like alike
)
ALL = "(all)"
ALARM = 0.05  # share of undisturbed runs that are called disturbed, at most


def table(measurements: pd.DataFrame) -> pd.DataFrame:
    """One row per placebo and collection, columns ``NOISE_COLUMNS``; ratios of CPU times per solve with 95% intervals.

    Only puzzles whose every solve was finished, by strategy and placebo, are compared. A run is disturbed where an
    instrument placebo differs from its strategy by more than chance, Bonferroni-corrected over all those of the run.
    """
    rows = measurements[measurements["decoy"].isna()]
    placebos = rows[rows["placebo"].isin(("instrument", "presentation"))]
    tests = placebos.loc[placebos["placebo"] == "instrument", "strategy"].nunique()
    lines = []
    for label, own in placebos.groupby("strategy", sort=True):
        kind, name = own["placebo"].iloc[0], str(label).partition(") ")[2]
        for collection, ratio in _ratios(rows[rows["strategy"] == name], own):
            alarmed = kind == "instrument" and ratio.p is not None and ratio.p < ALARM / tests
            line: dict[str, Any] = {
                "collection": collection,
                "strategy": name,
                "placebo": kind,
                "n_puzzles": ratio.n_puzzles,
                "ratio": ratio.ratio,
                "ratio_lo": ratio.lo,
                "ratio_hi": ratio.hi,
                "p": ratio.p,
                "resolvable": resolvable(ratio),
                "disturbed": "yes" if alarmed and collection == ALL else "",
            }
            lines.append(line)
    return pd.DataFrame(lines, columns=list(NOISE_COLUMNS))


def resolvable(ratio: Ratio) -> float | None:
    """The further end of an interval around 1, as a ratio of at least 1."""
    if ratio.lo is None or ratio.hi is None:
        return None
    return math.exp(max(abs(math.log(ratio.lo)), abs(math.log(ratio.hi))))


def _ratios(strategy: pd.DataFrame, placebo: pd.DataFrame) -> Iterator[tuple[str, Ratio]]:
    """The ratio for all collections together, then for each."""
    logs = log_ratios(placebo, strategy)
    if len(logs):
        yield ALL, compare(logs.to_numpy())
    for name, part in logs.groupby(level="collection", sort=False):
        yield str(name), compare(part.to_numpy())


def log_ratios(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """Logarithms of the times of ``a`` over those of ``b``: puzzles × replicates, without gaps.

    A replicate is a repetition in a launch. Puzzles with an unfinished solve in any replicate are left out.
    """
    tables = []
    for rows in (a, b):
        logs = rows.assign(log=np.log(rows["cpu_s"].where(rows["status"] == "solved")))
        replicates = ["launch", "repetition"]
        tables.append(logs.pivot_table("log", ["collection", "puzzle"], replicates, dropna=False, aggfunc="first"))
    return (tables[0] - tables[1]).dropna()
