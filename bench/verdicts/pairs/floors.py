"""What placebos set bounds to: the smallest ratio that stands out from the instrument, and when a puzzle is a tie."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd

from bench.verdicts.comparable import WALL
from bench.verdicts.pairs import noise
from bench.verdicts.pairs.censored import puzzle_times
from bench.verdicts.times import times

SHARE = 0.95  # of the puzzles of a placebo that are ties
MARK = "(instrument) "


class Floors:
    """What the instrument placebos of a run say by one clock, as logarithms; NaN where none says anything."""

    def __init__(self, measurements: pd.DataFrame, clock: str) -> None:
        rows = measurements[measurements["decoy"].isna()]
        instrument = rows["placebo"] == "instrument"
        names = rows.loc[instrument, "strategy"].str.removeprefix(MARK).unique()
        rows = rows[instrument | (rows["placebo"].isna() & rows["strategy"].isin(names))]
        if clock == WALL:
            rows = rows.assign(cpu_s=rows["wall_s"])
        largest = noise.table(rows).astype({"resolvable": float}).groupby("collection")["resolvable"].max()
        self._floors = {str(name): float(ratio) for name, ratio in largest.items()}
        self._ties = {str(name): _tie_margin(group) for name, group in rows.groupby("collection")}

    def floor(self, collection: str) -> float:
        """The largest of the collection; that of all collections together where it has none."""
        own = self._floors.get(collection, math.nan)
        return math.log(self._floors.get(noise.ALL, math.nan) if math.isnan(own) else own)

    def tie(self, collection: str) -> float:
        """The largest of the collection; that of any collection where it has none."""
        own = self._ties.get(collection, math.nan)
        return own if not math.isnan(own) else _largest(self._ties.values())


def _tie_margin(rows: pd.DataFrame) -> float:
    """What the log ratio of a puzzle's times by a strategy and by its placebo stays below on most puzzles."""
    found = times(rows)
    bounds = puzzle_times(found.log_s, found.censored)
    margins = []
    for number, label in enumerate(found.strategies):
        own = label.removeprefix(MARK)
        if own != label and own in found.strategies:
            other = found.strategies.index(own)
            finished = np.isfinite(bounds.most[number]) & np.isfinite(bounds.most[other])
            apart = np.abs(bounds.least[number] - bounds.least[other])[finished]
            margins.append(float(np.quantile(apart, SHARE)) if len(apart) else math.nan)
    return _largest(margins)


def _largest(values: Iterable[float]) -> float:
    return max((value for value in values if not math.isnan(value)), default=math.nan)
