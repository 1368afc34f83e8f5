"""Do rankings hold under other rules that one could as well have chosen? Recomputed from raw rows.

The base of each collection is the ranking by PAR-2 of CPU time. The other rules: a lower limit (solves that took longer
count as not finished), PAR-10, geometric means with several shifts (an unfinished solve counts as twice the limit), the
wall clock; and of all collections together, where each counts alike, that one of them is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.run_data import RunData
from bench.verdicts.summary import limits_s, penalized

ROBUSTNESS_COLUMNS = (
    "collection",  # "(all)" for all of them together
    "changed",  # limit, par, shift, clock or collections
    "rule",  # the rule in the place of the base's
    "strategies",  # that are ranked
    "kendall_tau",  # of the two rankings: 1 if they are the same, -1 if one is the other reversed
    "moved",  # strategy and its ranks before and after: "a 1>2; b 2>1"
    "swapped_apart",  # of all pairs that change places, how far they were apart before: the largest ratio of scores
)
ALL = "(all)"
LIMIT_SHARES = (0.5, 0.1)
SHIFTS_S = (0.0, 1e-3, 1e-2)
PAR, OTHER_PAR = 2, 10
NEAR = 1.05  # scores nearer to each other than this change places for next to nothing

Floats = NDArray[np.float64]
Rule = tuple[str, str]


def robustness(run: RunData) -> pd.DataFrame:
    """One row per collection and other rule, columns ``ROBUSTNESS_COLUMNS``. Only collections where at least two
    strategies can be compared.
    """
    lines: list[dict[str, Any]] = []
    bases: dict[str, pd.Series[float]] = {}
    for collection, measured in run.cpu.items():
        common = np.asarray(~np.isnan(measured.log_s).all(axis=2).any(axis=0))  # puzzles that all were measured on
        if len(measured.strategies) > 1 and common.any():
            found = _scores(run, collection, common)
            bases[collection] = found.pop(("", ""))
            lines += [_line(collection, rule, bases[collection], other) for rule, other in found.items()]
    lines += [_line(ALL, rule, base, other) for rule, base, other in _mixes(bases)]
    kinds = {"kendall_tau": float, "swapped_apart": float, "moved": object}
    return pd.DataFrame(lines, columns=list(ROBUSTNESS_COLUMNS)).astype(kinds)


def words(table: pd.DataFrame) -> list[str]:
    """One line: what the rankings depend on, but for strategies whose scores are within 5% of each other."""
    if table.empty:
        return []
    moved = table[table["swapped_apart"] > NEAR]
    if moved.empty:
        return ["Rankings hold under other limits, PAR factors, shifts, clocks and collections."]
    each = {
        str(what): ", ".join(dict.fromkeys(str(name) for name in own["collection"]))
        for what, own in moved.groupby("changed", sort=False)
    }
    told = "; ".join(f"the {what} ({where})" for what, where in each.items())
    return [f"Rankings depend on {told}: see robustness.csv"]


def _scores(run: RunData, collection: str, common: NDArray[np.bool_]) -> dict[Rule, pd.Series[float]]:
    """The score of each strategy under the base (no name) and each other rule; lower is better."""
    cpu, wall, limit_s = run.cpu[collection], run.wall[collection], run.manifest["suite"]["timeout_s"]
    seconds, limits = cpu.seconds[:, common], limits_s(cpu)[:, common]
    par2 = penalized(seconds, limits, PAR)
    scores: dict[Rule, Floats] = {("", ""): par2.mean(axis=1)}
    for share in LIMIT_SHARES:
        lower = np.full_like(limits, share * limit_s)
        late = np.where(seconds > lower, np.inf, seconds)  # NaN stays: not measured
        scores["limit", f"{share * limit_s:.3g} s"] = penalized(late, lower, PAR).mean(axis=1)
    scores["par", f"PAR-{OTHER_PAR}"] = penalized(seconds, limits, OTHER_PAR).mean(axis=1)
    for shift_s in SHIFTS_S:
        name = f"geometric mean, shift {1000 * shift_s:g} ms"
        scores["shift", name] = np.exp(np.log(par2 + shift_s).mean(axis=1)) - shift_s
    on_wall = penalized(wall.seconds[:, common], limits_s(wall, run.method)[:, common], PAR)
    if not np.isnan(on_wall).any():
        scores["clock", "wall"] = on_wall.mean(axis=1)
    names = list(cpu.strategies)
    return {rule: pd.Series(values, index=names) for rule, values in scores.items()}


def _mixes(bases: Mapping[str, pd.Series[float]]) -> Iterator[tuple[Rule, pd.Series[float], pd.Series[float]]]:
    """All collections together (the geometric mean of their scores, so that each counts alike), and without each."""
    if len(bases) < 2:
        return
    table = pd.DataFrame(bases).dropna().map(math.log)
    if len(table) < 2:
        return
    for collection in bases:
        yield (
            ("collections", f"without {collection}"),
            np.exp(table.mean(axis=1)),
            np.exp(table.drop(columns=collection).mean(axis=1)),
        )


def _line(collection: str, rule: Rule, base: pd.Series[float], other: pd.Series[float]) -> dict[str, Any]:
    before, after = ranks(base), ranks(other)
    moved = [name for name in before.sort_values(kind="stable").index if before[name] != after[name]]
    return {
        "collection": collection,
        "changed": rule[0],
        "rule": rule[1],
        "strategies": len(base),
        "kendall_tau": stats.kendalltau(before, after).statistic,
        "moved": "; ".join(f"{name} {before[name]:g}>{after[name]:g}" for name in moved),
        "swapped_apart": swapped_apart(base, other),
    }


def ranks(scores: pd.Series[float]) -> pd.Series[float]:
    """From 1, the lowest score first; what is equal to nine digits shares the mean of its ranks."""
    return pd.Series(stats.rankdata([float(f"{score:.9g}") for score in scores]), index=scores.index)


def swapped_apart(base: pd.Series[float], other: pd.Series[float]) -> float:
    """Of all pairs that one ranking has in one order and the other in the opposite one, the largest ratio of base
    scores; NaN if there is no such pair.
    """
    before, after = ranks(base).to_numpy(), ranks(other).to_numpy()
    a, b = np.triu_indices(len(base), 1)
    swapped = (before[a] - before[b]) * (after[a] - after[b]) < 0
    apart = np.abs(np.log(base.to_numpy()[a] / base.to_numpy()[b]))[swapped]
    return math.exp(apart.max()) if len(apart) else math.nan
