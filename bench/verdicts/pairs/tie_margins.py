"""The ratio of a puzzle's two times up to which it counts as a tie: how much placebos differ from their strategies."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd

from bench.verdicts.comparable import WALL
from bench.verdicts.pairs.censored import puzzle_times
from bench.verdicts.times import times

SHARE = 0.95  # of the puzzles of a placebo that are ties
MARK = "(instrument) "


class TieMargins:
    """The tie margins of a run by one clock, as logarithms; NaN where no instrument placebo was measured."""

    def __init__(self, measurements: pd.DataFrame, clock: str) -> None:
        rows = measurements[measurements["decoy"].isna()]
        instrument = rows["placebo"] == "instrument"
        names = rows.loc[instrument, "strategy"].str.removeprefix(MARK).unique()
        rows = rows[instrument | (rows["placebo"].isna() & rows["strategy"].isin(names))]
        if clock == WALL:
            rows = rows.assign(cpu_s=rows["wall_s"])
        self._margins = {str(name): _margin(group) for name, group in rows.groupby("collection")}

    def of(self, collection: str) -> float:
        """Return the margin of the collection; if it has none, the largest of all collections."""
        margin = self._margins.get(collection, math.nan)
        return margin if not math.isnan(margin) else _largest(self._margins.values())


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
