"""The ratio of a puzzle's two times up to which it counts as a tie: how much placebos differ from their strategies."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from sudoku_bench.bench.verdicts.comparable import WALL
from sudoku_bench.bench.verdicts.pairs.censored import puzzle_times
from sudoku_bench.bench.verdicts.times import times

SHARE = 0.95  # of the puzzles of a placebo that are ties
MARK = "(instrument) "


def tie_margins(measurements: pd.DataFrame, clock: str) -> Mapping[str, float]:
    """Return the tie margin of each collection by one clock, as a logarithm.

    A collection without an instrument placebo has the largest of all collections; NaN if none has one.
    """
    rows = measurements[measurements["decoy"].isna()]
    instrument = rows["placebo"] == "instrument"
    names = rows.loc[instrument, "strategy"].str.removeprefix(MARK).unique()
    rows = rows[instrument | (rows["placebo"].isna() & rows["strategy"].isin(names))]
    if clock == WALL:
        rows = rows.assign(cpu_s=rows["wall_s"])
    margins = {str(name): _margin(group) for name, group in rows.groupby("collection")}
    known = {name: margin for name, margin in margins.items() if not math.isnan(margin)}
    return defaultdict(lambda: _largest(known.values()), known)


def _margin(rows: pd.DataFrame) -> float:
    """Return the quantile ``SHARE`` of absolute log ratios of a puzzle's times, placebo over strategy; the largest."""
    measured = times(rows)
    bounds = puzzle_times(measured.log_s, measured.censored)
    margins = []
    for placebo, label in enumerate(measured.strategies):
        name = label.removeprefix(MARK)
        if name != label and name in measured.strategies:
            strategy = measured.strategies.index(name)
            finished = np.isfinite(bounds.most[placebo]) & np.isfinite(bounds.most[strategy])
            differences = np.abs(bounds.least[placebo] - bounds.least[strategy])[finished]
            margins.append(float(np.quantile(differences, SHARE)) if len(differences) else math.nan)
    return _largest(margins)


def _largest(values: Iterable[float]) -> float:
    return max((value for value in values if not math.isnan(value)), default=math.nan)
