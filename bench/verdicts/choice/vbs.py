"""The virtual best solver: for each puzzle, whichever strategy is fastest on it (Xu, Hutter, Hoos & Leyton-Brown 2012).

It says what choosing well would be worth, and the part that a strategy has in it: on how many puzzles it is the
fastest, and how much is lost without it. A strategy that is slow on the whole may be the only one for some puzzles.

Whoever is chosen puzzle by puzzle after looking at noisy times was also lucky, so the virtual best is a little faster
than any choice can be. Where there are two replicates or more, ``crossfit_gmean_s`` is without that luck: chosen by one
half of the replicates and timed on the other, both ways round.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.verdicts.run_data import RunData, of_strategies, wrong_answers
from bench.verdicts.summary import geometric_mean, limits_s, penalized, quantile
from bench.verdicts.times import Times, medians

VBS_COLUMNS = (
    "collection",
    "strategy",  # "(vbs)" for the virtual best itself
    "left_out",  # why the strategy has no place in it: "wrong" or "unsupported"
    "n_puzzles",
    "solved_puzzles",
    "fastest",  # puzzles on which it is the fastest; of n strategies that tie each has 1/n of the puzzle
    "fastest_share",
    "only",  # puzzles that nobody else solves
    "median_s",
    "gmean_s",
    "par2_s",
    "crossfit_gmean_s",
    "gmean_without",  # geometric mean of the virtual best without it / with it
    "par2_without",
)
VBS = "(vbs)"
FEW = 0.05  # a share of puzzles below this is not told in words

Seconds = NDArray[np.float64]


def vbs(run: RunData) -> pd.DataFrame:
    """One row per collection for the virtual best solver, then one per strategy, columns ``VBS_COLUMNS``, by CPU time.

    A puzzle's time is the median of its measurements, unfinished if that one is; its score for PAR-2 the mean, each
    unfinished measurement counted as twice the limit. Only puzzles that every strategy was measured on take part.
    Figures that an unfinished puzzle touches are NaN, but PAR-2.
    """
    left_out = _left_out(run)
    lines: list[dict[str, Any]] = []
    for collection in run.collections:
        if collection in run.cpu:
            lines += _lines(collection, run.cpu[collection])
        own = left_out[left_out["collection"] == collection]
        lines += [{str(key): value for key, value in line.items()} for line in own.to_dict("records")]
    floats = {column: float for column in VBS_COLUMNS if column not in ("collection", "strategy", "left_out")}
    return pd.DataFrame(lines, columns=list(VBS_COLUMNS)).astype(floats).astype({"left_out": object})


def words(table: pd.DataFrame) -> list[str]:
    """Who is the fastest on how many puzzles, one line per collection; empty where there is no choice."""
    lines = []
    for collection, own in table.groupby("collection", sort=False):
        shares = own[own["fastest_share"] >= FEW].sort_values("fastest_share", ascending=False, kind="stable")
        if own["fastest_share"].notna().sum() > 1 and len(shares):
            each = ", ".join(f"{name} {share:.0%}" for name, share in shares[["strategy", "fastest_share"]].to_numpy())
            lines.append(f"  {collection}: {each}")
    title = "Fastest on so many of the puzzles (virtual best solver):"
    if len(lines) > 1 and len({line.partition(": ")[2] for line in lines}) == 1:
        return [f"{title} {lines[0].partition(': ')[2]} everywhere"]
    return [title, *lines] if lines else []


def _left_out(run: RunData) -> pd.DataFrame:
    """Strategies of each collection that may not be compared, and why."""
    rows = of_strategies(run.measurements[["collection", "strategy", "status", "decoy", "placebo"]])
    rows = rows[rows["decoy"].isna()]
    wrong = rows["strategy"].isin(list(wrong_answers(run.measurements)))
    reason = pd.Series("unsupported", index=rows.index, dtype=object).mask(wrong, "wrong")
    reasons = rows[["collection", "strategy"]].assign(left_out=reason)
    return reasons[wrong | (rows["status"] == "unsupported")].drop_duplicates()


def _lines(collection: str, times: Times) -> list[dict[str, Any]]:
    measured = ~np.isnan(times.log_s).all(axis=2)
    common = measured.all(axis=0)
    seconds, limits = times.seconds[:, common], limits_s(times)[:, common]
    if not common.any():
        return []
    puzzles, scores = medians(seconds), penalized(seconds, limits, 2)
    best, best_score = puzzles.min(axis=0), scores.min(axis=0)
    solved = np.isfinite(puzzles)
    ties = (puzzles == best) & solved
    fastest = (ties / np.maximum(ties.sum(axis=0), 1)).sum(axis=1)
    lines = [
        {"strategy": VBS, "solved_puzzles": np.isfinite(best).sum(), "crossfit_gmean_s": crossfit(seconds)}
        | _figures(best, best_score)
    ]
    for number, strategy in enumerate(times.strategies):
        others = np.arange(len(puzzles)) != number
        line = {
            "strategy": strategy,
            "solved_puzzles": solved[number].sum(),
            "fastest": fastest[number],
            "fastest_share": fastest[number] / common.sum(),
            "only": (solved[number] & ~solved[others].any(axis=0)).sum(),
        }
        if others.any():
            without, score = puzzles[others].min(axis=0), scores[others].min(axis=0)
            line["gmean_without"] = geometric_mean(without)[0] / geometric_mean(best)[0]
            line["par2_without"] = score.mean() / best_score.mean()
        lines.append(line | _figures(puzzles[number], scores[number]))
    return [{"collection": collection, "n_puzzles": common.sum(), **line} for line in lines]


def _figures(puzzles: Seconds, scores: Seconds) -> dict[str, float]:
    return {"median_s": quantile(puzzles, 0.5), "gmean_s": geometric_mean(puzzles)[0], "par2_s": float(scores.mean())}


def crossfit(seconds: Seconds) -> float:
    """Geometric mean of the virtual best, chosen by every other replicate and timed on the rest, and the other way
    round; NaN with fewer than two replicates, or where what was chosen was then not finished.

    Args:
        seconds: strategies × puzzles × replicates.
    """
    if seconds.shape[2] < 2:
        return math.nan
    halves = [medians(seconds[:, :, start::2]) for start in (0, 1)]
    if any(np.isnan(half).any() for half in halves):
        return math.nan
    timed = [np.take_along_axis(b, a.argmin(axis=0)[None], axis=0)[0] for a, b in (halves, halves[::-1])]
    return geometric_mean(np.concatenate(timed))[0]
