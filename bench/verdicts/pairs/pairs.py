"""Which of two strategies is faster, and how sure is that? Every pair of strategies, on every collection."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.folder.method import setting
from bench.verdicts.comparable import WALL
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.contests import Contest, contests, estimates, outcomes
from bench.verdicts.pairs.floors import Floors
from bench.verdicts.run_data import RunData

PAIRS_COLUMNS = (
    "collection",
    "a",
    "b",
    "n_puzzles",
    "ratio",  # time of a / time of b; empty where unfinished solves leave it open
    "ratio_lo",  # of the 95% interval of this ratio alone; empty where nothing bounds it
    "ratio_hi",
    "p_holm",  # that the ratio is 1, over all rows of the table
    "wins",  # puzzles on which a is faster by more than the tie margin, or finishes alone
    "ties",
    "losses",
    "verdict",
    "clock",  # cpu; wall besides, if one of the two did several things at once
    "estimator",  # of the ratio: "geometric mean" where no solve came near its limit, else "median"
    "n_censored",  # puzzles that one of the two did not finish in every replicate
    "n_independent",  # puzzles, those of one lineage counted once
    "at_least",  # where the ratio is open: what it is at least, and at most
    "at_most",
    "simultaneous_lo",  # of intervals that hold for all rows of the table together with 95%
    "simultaneous_hi",
    "p",
    "p_equivalent",  # that the ratio is beyond the margin
    "p_equivalent_holm",
    "margin",  # a ratio from 1 / (1 + margin) to 1 + margin counts as no difference
    "floor",  # the smallest ratio that stands out from the instrument; empty where no placebo tells
    "tie_margin",  # the ratio of a puzzle's times up to which it is a tie; empty where no placebo tells
    "family",  # rows of the table
)
NO_BOUND = 100.0  # log ratio beyond which an end bounds nothing
MEAN, MEDIAN = "geometric mean", "median"
LOGARITHMS = (
    *("ratio", "ratio_lo", "ratio_hi", "at_least", "at_most", "simultaneous_lo", "simultaneous_hi"),
    *("floor", "tie_margin"),
)


def pairs(run: RunData, baseline: str | None = None) -> pd.DataFrame:
    """One row per pair of strategies, collection and clock, columns ``PAIRS_COLUMNS``.

    The family over which p-values and simultaneous intervals are corrected is all rows of the table.

    Args:
        baseline: only pairs with this strategy, as ``b``.

    Raises:
        InputError: the baseline is not among the strategies that may be compared.
    """
    found = contests(run, baseline)
    family = sum(len(contest.a) for contest in found)
    if not family:
        return pd.DataFrame(columns=list(PAIRS_COLUMNS))
    margin = float(setting(run.manifest, "margin"))
    floors = {clock: Floors(run.measurements, clock) for clock in {contest.block.clock for contest in found}}
    parts = [_columns(contest, family, margin, floors[contest.block.clock]) for contest in found]
    table = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    table["p_holm"] = decision.holm(table["p"])
    table["p_equivalent_holm"] = decision.holm(table["p_equivalent"])
    table["verdict"] = decision.verdicts(
        table["n_independent"],
        table["p_holm"],
        table["p_equivalent_holm"],
        (table["simultaneous_lo"], table["simultaneous_hi"]),
        np.nan_to_num(table["floor"], nan=0.0),
    )
    for key in LOGARITHMS:
        table[key] = np.exp(np.where(np.abs(table[key]) < NO_BOUND, table[key], np.nan))
    return pd.DataFrame(table | {"margin": margin, "family": family})[list(PAIRS_COLUMNS)]


def _columns(contest: Contest, family: int, margin: float, floors: Floors) -> dict[str, NDArray[Any]]:
    """What there is to say of the pairs of one block without the others, ratios as logarithms."""
    block, number = contest.block, len(contest.a)
    tie, floor = floors.tie(block.collection), floors.floor(block.collection)
    names = np.array(block.times.strategies, dtype=object)
    same = {
        "collection": block.collection,
        "clock": block.clock,
        "n_puzzles": len(block.times.puzzles),
        "n_independent": contest.independent,
        "floor": floor,
        "tie_margin": tie,
    }
    return {
        **{
            key: np.full(number, value, dtype=object if isinstance(value, str) else None) for key, value in same.items()
        },
        "a": names[contest.a],
        "b": names[contest.b],
        "estimator": np.where(contest.unlimited, MEAN, MEDIAN).astype(object),
        **outcomes(contest, 0.0 if math.isnan(tie) else tie),
        **estimates(contest, family, math.log1p(margin)),
    }


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
    lines = _slower_and_faster(group)
    beaten = set(lines["slower"])
    best = [name for name in dict.fromkeys([*group["a"], *group["b"]]) if name not in beaten]
    if len(best) != 1:
        return [f"fastest, statistically tied ({len(best)}): {', '.join(best)}"] if best else []
    ahead = lines[lines["faster"] == best[0]].sort_values("key")
    nearest = ahead.iloc[0]
    others = len(group[(group["a"] == best[0]) | (group["b"] == best[0])]) - len(ahead)
    rest = f"; statistically tied with {others} more" if others else ""
    return [f"{best[0]} is fastest{rest}; next {nearest['slower']}, {_how_much(nearest)}"]


def _slower_and_faster(group: pd.DataFrame) -> pd.DataFrame:
    """Decided pairs, with the ratio of the slower one's time to the faster one's."""
    turned = group["verdict"] == decision.A_FASTER
    own = group[turned | (group["verdict"] == decision.B_FASTER)]
    turned = turned[own.index]
    found = pd.DataFrame({"slower": own["b"].where(turned, own["a"]), "faster": own["a"].where(turned, own["b"])})
    for key, other in (("ratio", "ratio"), ("ratio_lo", "ratio_hi"), ("ratio_hi", "ratio_lo"), ("at_least", "at_most")):
        found[key] = (1 / own[other]).where(turned, own[key])
    found["key"] = found["ratio"].fillna(found["at_least"]).fillna(found["ratio_lo"])
    return found


def _how_much(line: pd.Series[Any]) -> str:
    """How many times longer the slower one takes."""
    interval = f"[{line['ratio_lo']:.3g}, {line['ratio_hi']:.3g}]"
    if pd.isna(line["ratio"]) or pd.isna(line["ratio_hi"]):
        return f"at least {line['ratio_lo']:.3g} times as long"
    return f"{line['ratio']:.3g} times as long {interval}"
