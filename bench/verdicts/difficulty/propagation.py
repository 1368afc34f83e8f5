"""The power of propagation: the share of a collection that an engine solves without a conflict, and without a decision.

A conflict is a dead end of the search. Without a decision there was no search: unit propagation (and preprocessing by
the engine) solved the puzzle. Both are properties of encoding and engine together.
"""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from scipy import stats

from bench.verdicts.run_data import RunData, of_strategies

COLUMNS = (
    *("strategy", "collection", "task", "n_puzzles", "no_conflict", "no_conflict_lo", "no_conflict_hi"),
    *("no_decision", "no_decision_lo", "no_decision_hi", "median_conflicts"),
)
COUNTERS = {"no_conflict": "conflicts", "no_decision": "decisions"}
SOLVED_OR_LIMIT = ("solved", "timeout", "memout")  # other rows do not depend on how hard the puzzle was
GROUP = ["strategy", "collection", "task"]


def table(run: RunData) -> pd.DataFrame:
    """Return one row per strategy × collection × task with conflicts or decisions reported, columns ``COLUMNS``.

    Shares are means over puzzles of the mean over solves; an unfinished solve counts as one with conflicts and
    decisions. The intervals (95%, Wilson 1927) use the number of puzzles as sample size, which is conservative where a
    puzzle was solved in several forms. ``median_conflicts`` is over all solves, empty if too many were not finished.
    Decoys and placebos are left out. Counters that a strategy does not report are empty.
    """
    rows = of_strategies(run.measurements)
    needed = [*GROUP, "puzzle", "status", *COUNTERS.values()]
    rows = rows.loc[rows["decoy"].isna() & rows["status"].isin(SOLVED_OR_LIMIT), needed]
    result = []
    for key, group in rows.groupby(GROUP, sort=False):
        solved = group[group["status"] == "solved"]
        counted = {name: counter for name, counter in COUNTERS.items() if solved[counter].notna().any()}
        if not counted:
            continue
        row: dict[str, Any] = dict(zip(GROUP, key, strict=True))
        row["n_puzzles"] = group["puzzle"].nunique()
        for name, counter in counted.items():
            usable = group[group[counter].notna() | (group["status"] != "solved")]
            row |= shares(name, usable["puzzle"], usable[counter].eq(0) & (usable["status"] == "solved"))
        if "no_conflict" in counted:
            median = group["conflicts"].where(group["status"] == "solved", math.inf).median()
            row["median_conflicts"] = median if math.isfinite(median) else None
        result.append(row)
    numbers = dict.fromkeys(COLUMNS[COLUMNS.index("no_conflict") :], float)
    return pd.DataFrame(result, columns=list(COLUMNS)).astype(numbers)


def shares(name: str, puzzles: pd.Series[str], without: pd.Series[bool]) -> dict[str, float]:
    """Return the share of solves without a conflict (or decision), and its interval."""
    by_puzzle = without.groupby(puzzles).mean()
    share = float(by_puzzle.mean())
    return dict(zip((name, f"{name}_lo", f"{name}_hi"), (share, *wilson(share, len(by_puzzle))), strict=True))


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return the 95% score interval of a share of n (Wilson 1927, "Probable inference, the law of succession")."""
    z = float(stats.norm.isf(0.025))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
