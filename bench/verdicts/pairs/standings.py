"""The fastest strategies of each collection, from the table of pairs, as sentences."""

from __future__ import annotations

from typing import Any

import pandas as pd

from bench.verdicts.comparable import WALL
from bench.verdicts.pairs import decision


def words(table: pd.DataFrame) -> list[str]:
    """Return the verdicts as sentences: their counts, then the fastest strategies of each collection."""
    if table.empty:
        return []
    counts = table["verdict"].value_counts()
    decided = counts.get(decision.A_FASTER, 0) + counts.get(decision.B_FASTER, 0)
    outcomes = [f"one is faster in {decided}"]
    for verdict, text in (
        (decision.EQUIVALENT, f"equivalent within {table['margin'].iloc[0]:.0%} in"),
        (decision.INDISTINGUISHABLE, "statistically tied in"),
        (decision.TOO_FEW, "too few puzzles in"),
    ):
        outcomes += [f"{text} {counts[verdict]}"] if verdict in counts else []
    lines = [f"Pairs: {len(table)} ({', '.join(outcomes)}); family-wise error rate {decision.ALPHA:.0%}"]
    for (collection, clock), group in table.groupby(["collection", "clock"], sort=False):
        by = " by wall time" if clock == WALL else ""
        lines += [f"{collection}{by}: {line}" for line in _of_collection(group)]
    return lines


def _of_collection(group: pd.DataFrame) -> list[str]:
    """Return the fastest strategies of a collection, and the lead if it is a single one; empty if there is none."""
    if (group["verdict"] == decision.TOO_FEW).all():
        pairs_text = "1 pair" if len(group) == 1 else f"{len(group)} pairs"
        return [f"too few independent puzzles ({group['n_independent'].iloc[0]}) to decide {pairs_text}"]
    decided = _slower_over_faster(group)
    slower = set(decided["slower"])
    best = [name for name in dict.fromkeys([*group["a"], *group["b"]]) if name not in slower]
    if len(best) != 1:
        return [f"fastest, statistically tied ({len(best)}): {', '.join(best)}"] if best else []
    behind = decided[decided["faster"] == best[0]].sort_values("key")
    nearest = behind.iloc[0]
    tied = len(group[(group["a"] == best[0]) | (group["b"] == best[0])]) - len(behind)
    tied_text = f"; statistically tied with {tied} more" if tied else ""
    return [f"{best[0]} is fastest{tied_text}; next {nearest['slower']}, {_ratio_text(nearest)}"]


def _slower_over_faster(group: pd.DataFrame) -> pd.DataFrame:
    """Return the decided pairs, with the ratio of the slower strategy's time to the faster one's."""
    inverted = group["verdict"] == decision.A_FASTER
    decided = group[inverted | (group["verdict"] == decision.B_FASTER)]
    inverted = inverted[decided.index]
    a, b = decided["a"], decided["b"]
    result = pd.DataFrame({"slower": b.where(inverted, a), "faster": a.where(inverted, b)})
    for key, other in (("ratio", "ratio"), ("ratio_lo", "ratio_hi"), ("ratio_hi", "ratio_lo"), ("at_least", "at_most")):
        result[key] = (1 / decided[other]).where(inverted, decided[key])
    result["key"] = result["ratio"].fillna(result["at_least"]).fillna(result["ratio_lo"])
    return result


def _ratio_text(row: pd.Series[Any]) -> str:
    """Return how many times longer the slower strategy takes."""
    if pd.isna(row["ratio"]) or pd.isna(row["ratio_hi"]):
        return f"at least {row['ratio_lo']:.3g} times as long"
    return f"{row['ratio']:.3g} times as long [{row['ratio_lo']:.3g}, {row['ratio_hi']:.3g}]"
