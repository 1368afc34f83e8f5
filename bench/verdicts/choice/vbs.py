"""The virtual best solver: the fastest strategy on each puzzle (Xu, Hutter, Hoos & Leyton-Brown 2012).

It shows the potential gain from choosing a strategy per puzzle, and the contribution of each strategy: the share of
puzzles on which it is the fastest. A strategy that is slow overall can be the only one that solves some puzzles.

Selecting the fastest of noisy times is biased, so the virtual best is slightly faster than any possible choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.comparable import left_out
from sudoku_bench.bench.verdicts.run_data import RunData
from sudoku_bench.bench.verdicts.summary import geometric_mean, penalized, quantile
from sudoku_bench.bench.verdicts.times import Times, medians

VBS_COLUMNS = (
    *("collection", "strategy", "left_out", "n_puzzles", "fastest_share", "only", "median_s", "gmean_s", "par2_s"),
)
VBS = "(vbs)"


def vbs(run: RunData) -> pd.DataFrame:
    """Return per collection a row for the virtual best solver and one per strategy, columns ``VBS_COLUMNS``.

    A puzzle's time is the median CPU time of its measurements, unfinished if the median is; its PAR-2 score is the mean
    with each unfinished measurement counted as twice the limit. Only puzzles that every strategy was measured on take
    part. Figures other than PAR-2 are NaN if an unfinished puzzle affects them.
    """
    rows: list[dict[str, Any]] = []
    for collection, reasons in left_out(run).items():
        rows += _rows(collection, run.cpu[collection]) if collection in run.cpu else []
        rows += [{"collection": collection, "strategy": name, "left_out": reason} for name, reason in reasons.items()]
    floats = {column: float for column in VBS_COLUMNS if column not in ("collection", "strategy", "left_out")}
    return pd.DataFrame(rows, columns=list(VBS_COLUMNS)).astype(floats).astype({"left_out": object})


def _rows(collection: str, times: Times) -> list[dict[str, Any]]:
    times, seconds = times.complete, times.complete.seconds
    number = len(times.puzzles)
    if not number:
        return []
    puzzles, scores = medians(seconds), penalized(seconds, np.exp(times.log_s))
    best, solved = puzzles.min(axis=0), np.isfinite(puzzles)
    ties = (puzzles == best) & solved
    fastest = (ties / np.maximum(ties.sum(axis=0), 1)).sum(axis=1)
    rows = [{"strategy": VBS} | _figures(best, scores.min(axis=0))]
    for place, strategy in enumerate(times.strategies):
        only = solved[place] & (solved.sum(axis=0) == 1)
        row = {"strategy": strategy, "fastest_share": fastest[place] / number, "only": only.sum()}
        rows.append(row | _figures(puzzles[place], scores[place]))
    return [{"collection": collection, "n_puzzles": number, **row} for row in rows]


def _figures(puzzles: Floats, scores: Floats) -> dict[str, float]:
    mean_s, *_ = geometric_mean(puzzles, np.arange(len(puzzles)))
    return {"median_s": quantile(puzzles, 0.5), "gmean_s": mean_s, "par2_s": float(scores.mean())}
