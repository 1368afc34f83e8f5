"""How far an encoding gets by propagation: the share of a collection that an engine solves without a conflict, and
without a decision. Reads the rows of a run and returns a data frame.

A conflict is a dead end that the search ran into; without a decision there was no search at all, unit propagation (and
what the engine does before it searches) solved the puzzle. Both belong to encoding and engine together.
"""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from bench.verdicts.run_data import RunData, of_strategies
from bench.verdicts.spread.spreads import wilson

COLUMNS = (
    "strategy",
    "collection",
    "task",
    "n_puzzles",
    "n_solves",
    "no_conflict",
    "no_conflict_lo",
    "no_conflict_hi",
    "no_decision",
    "no_decision_lo",
    "no_decision_hi",
    "median_conflicts",
)
KINDS = {"no_conflict": "conflicts", "no_decision": "decisions"}
FINISHED_OR_NOT = ("solved", "timeout", "memout")  # other rows say nothing about how hard the puzzle was
GROUP = ["strategy", "collection", "task"]


def table(run: RunData) -> pd.DataFrame:
    """One row per strategy × collection × task that counts conflicts or decisions, columns ``COLUMNS``.

    Shares are means over puzzles, each puzzle's the mean over its solves; a solve that was not finished counts as one
    with conflicts and decisions. Their intervals (95%, Wilson 1927) have the number of puzzles as sample size, which
    is cautious where a puzzle was solved in several forms. ``median_conflicts`` is over all solves, empty where too
    many were not finished. Decoys and placebos take no part. What a strategy does not count is left empty.
    """
    rows = of_strategies(run.measurements)
    rows = rows[rows["decoy"].isna() & rows["status"].isin(FINISHED_OR_NOT)]
    lines = []
    for key, group in rows.groupby(GROUP, sort=False):
        solved = group[group["status"] == "solved"]
        counted = {name: counter for name, counter in KINDS.items() if solved[counter].notna().any()}
        if not counted:
            continue
        line: dict[str, Any] = dict(zip(GROUP, key, strict=True))
        line |= {"n_puzzles": group["puzzle"].nunique(), "n_solves": len(group)}
        for name, counter in counted.items():
            known = group[group[counter].notna() | (group["status"] != "solved")]
            line |= shares(name, known["puzzle"], known[counter].eq(0) & (known["status"] == "solved"))
        if "no_conflict" in counted:
            median = group["conflicts"].where(group["status"] == "solved", math.inf).median()
            line["median_conflicts"] = median if math.isfinite(median) else None
        lines.append(line)
    numbers = dict.fromkeys(COLUMNS[COLUMNS.index("no_conflict") :], float)
    return pd.DataFrame(lines, columns=list(COLUMNS)).astype(numbers)


def shares(name: str, puzzles: pd.Series[str], without: pd.Series[bool]) -> dict[str, float]:
    """The share of solves that did without, and its interval."""
    each = without.groupby(puzzles).mean()
    [low], [high] = wilson(each.to_numpy().mean(keepdims=True), len(each))
    return {name: float(each.mean()), f"{name}_lo": float(low), f"{name}_hi": float(high)}
