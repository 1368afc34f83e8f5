"""Aging: solves that take longer, or less long, the more forms their process has solved.

Objects of earlier solves leave the memory of a process in pieces, which a strategy that builds large models notices. A
placebo solves fewer puzzles than its strategy, so that its processes stay younger. Times grow by the same factor with
each form: `seed:pysat`, which ages most, gets slower evenly over 500 forms, and not most of all in the first ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.times import REPETITION

SIGNIFICANT = 0.01
NO_BOUND = 100.0  # an end with a larger absolute logarithm counts as unbounded
FORM = ["collection", "puzzle"]
SOLVE, PROCESS = [*FORM, *REPETITION], ["strategy", *REPETITION]


@dataclass(frozen=True)
class Aging:
    """How a strategy's times depend on the age of its process.

    Attributes:
        rate: growth of the logarithm of time with each form that the process solved before; NaN if unknown.
        half: half its 95% interval; p: of the hypothesis that it is 0, by Student's t.
        first, last: number of forms that a process solved before its first and its last measurement, median.
    """

    rate: float = math.nan
    half: float = math.nan
    p: float = 1.0
    first: float = math.nan
    last: float = math.nan

    @property
    def ends(self) -> tuple[float, float, float]:
        """The rate, and the ends of its interval."""
        return self.rate, self.rate - self.half, self.rate + self.half

    @property
    def seen(self) -> tuple[float, float, float]:
        """The same, 0 if the rate is not significant."""
        return self.ends if self.p < SIGNIFICANT else (0.0, 0.0, 0.0)

    @property
    def factors(self) -> tuple[float, float, float]:
        """Time of the last solve of a process / that of its first one, for the same puzzle, with its 95% interval."""
        logs = (rate * (self.last - self.first) for rate in self.ends)
        factor, low, high = (math.exp(log) if abs(log) < NO_BOUND else math.nan for log in logs)
        return factor, low, high


def aging(rows: pd.DataFrame) -> dict[str, Aging]:
    """Return the aging of each strategy that finished any solve.

    Times are compared within puzzles, and with the median of the other strategies on the same form, so that neither
    the difficulty of puzzles nor a drift of the machine counts. Each repetition, with a process of its own, gives one
    estimate; their mean has Student's t interval.

    Args:
        rows: measurements of strategies, placebos left out.
    """
    solved = rows[rows["status"].isin(FINISHED) & rows["stream_position"].notna()]
    logs = solved[["strategy", *SOLVE]].assign(
        time=np.log(solved["cpu_s"]), age=solved["stream_position"].astype(float)
    )
    ages = logs.groupby(PROCESS, observed=True)["age"].agg(["min", "max"]).groupby("strategy", observed=True).median()
    both = ["time", "age"]
    logs[both] -= logs.groupby(["strategy", *FORM], observed=True)[both].transform("mean")
    logs["time"] -= _drift(logs)
    logs[both] -= logs.groupby(PROCESS, observed=True)[both].transform("mean")
    sums = logs.assign(by_age=logs["age"] * logs["time"], squared=logs["age"] ** 2).groupby(PROCESS, observed=True)
    squares = sums["squared"].sum()
    rates = sums["by_age"].sum() / squares.where(squares > 0)
    return {
        str(name): _aging(part.dropna().to_numpy(), ages.loc[name].to_numpy(dtype=np.float64))
        for name, part in rates.groupby("strategy", observed=True)
    }


def _drift(logs: pd.DataFrame) -> Floats:
    """Return for each row the median of the other strategies' times on the same form, 0 if there are none."""
    table = logs.pivot_table("time", SOLVE, "strategy", aggfunc="first", observed=True)
    others = pd.DataFrame({name: table.drop(columns=name).median(axis=1) for name in table}).fillna(0.0)
    places = others.index.get_indexer(pd.MultiIndex.from_frame(logs[SOLVE]))
    drift: Floats = others.to_numpy()[places, others.columns.get_indexer(pd.Index(logs["strategy"]))]
    return drift


def _aging(rates: Floats, ages: Floats) -> Aging:
    if len(rates) < 2:
        return Aging()
    mean, error, freedom = float(rates.mean()), float(stats.sem(rates)), len(rates) - 1
    p = 2 * float(stats.t.sf(abs(mean) / error, freedom)) if error else 0.0
    return Aging(mean, float(stats.t.ppf(0.975, freedom)) * error, p, *map(float, ages))
