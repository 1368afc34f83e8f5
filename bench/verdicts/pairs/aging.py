"""Aging: solves that take longer, or less long, the more forms their process has solved.

Objects of earlier solves leave the memory of a process in pieces, which a strategy that builds large models notices. A
placebo solves fewer puzzles than its strategy, so that its processes stay younger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from bench.folder.rows import FINISHED
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
    """Return how a strategy's times depend on the age of its process.

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
