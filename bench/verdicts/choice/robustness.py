"""The robustness of rankings: the same raw rows ranked under other reasonable rules.

The base of each collection is the ranking by PAR-2 of CPU time. The other rules are a lower limit (solves that took
longer count as not finished), PAR-10, geometric means with several shifts (an unfinished solve counts as twice the
limit), and the wall clock; for all collections together, with equal weights, each of them is left out in turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from bench.verdicts.arrays import Flags, Floats
from bench.verdicts.pairs.decision import LEAST_PUZZLES
from bench.verdicts.run_data import RunData
from bench.verdicts.summary import limits_s, penalized

ROBUSTNESS_COLUMNS = (
    "collection",  # "(all)" for all collections together
    "changed",  # limit, par, shift, clock or collections
    "rule",  # the rule that replaces the base
    "strategies",  # number ranked
    "kendall_tau",  # of the two rankings: 1 if they are the same, -1 if one is the reverse of the other
    "moved",  # strategy and its ranks before and after: "a 1>2; b 2>1"
    "swapped_apart",  # the largest ratio of base scores among pairs that change their order
)
ALL = "(all)"
LIMIT_SHARES = (0.5, 0.1)
NAMES = {  # changed -> in a sentence
    "limit": "time limit",
    "par": "PAR factor",
    "shift": "shift of the geometric mean",
    "clock": "clock",
    "collections": "set of collections",
}
SHIFTS_S = (0.0, 1e-3, 1e-2)
PAR, OTHER_PAR = 2, 10
NEAR = 1.05  # changes of order within this ratio of scores are insignificant

Rule = tuple[str, str]


def robustness(run: RunData) -> pd.DataFrame:
    """Return one row per collection and other rule, columns ``ROBUSTNESS_COLUMNS``.

    Collections with fewer than two comparable strategies are left out, and so are those with too few puzzles for a
    verdict: rankings there depend on chance more than on rules.
    """
    rows: list[dict[str, Any]] = []
    bases: dict[str, pd.Series[float]] = {}
    for collection, measured in run.cpu.items():
        common = np.asarray(~np.isnan(measured.log_s).all(axis=2).any(axis=0))  # puzzles measured by all strategies
        if len(measured.strategies) > 1 and np.count_nonzero(common) >= LEAST_PUZZLES:
            scores = _scores(run, collection, common)
            bases[collection] = scores.pop(("", ""))
            rows += [_row(collection, rule, bases[collection], other) for rule, other in scores.items()]
    rows += [_row(ALL, rule, base, other) for rule, base, other in _leave_one_out(bases)]
    types = {"kendall_tau": float, "swapped_apart": float, "moved": object}
    return pd.DataFrame(rows, columns=list(ROBUSTNESS_COLUMNS)).astype(types)


def words(table: pd.DataFrame) -> list[str]:
    """Return one line: the rules that rankings depend on, ignoring strategies with scores within 5% of each other."""
    if table.empty:
        return []
    moved = table[table["swapped_apart"] > NEAR]
    if moved.empty:
        return ["Rankings are the same under other limits, PAR factors, shifts, clocks and sets of collections."]
    collections = {
        str(changed): ", ".join(dict.fromkeys(str(name) for name in group["collection"]))
        for changed, group in moved.groupby("changed", sort=False)
    }
    rules = "; ".join(
        f"the {NAMES[changed]}" + (f" ({names})" if names != ALL else "") for changed, names in collections.items()
    )
    return [f"Rankings depend on {rules}: see robustness.csv"]


def _scores(run: RunData, collection: str, common: Flags) -> dict[Rule, pd.Series[float]]:
    """Return the score of each strategy under the base (no name) and each other rule; lower is better."""
    cpu, wall, limit_s = run.cpu[collection], run.wall[collection], run.manifest["suite"]["timeout_s"]
    seconds, limits = cpu.seconds[:, common], limits_s(cpu)[:, common]
    par2 = penalized(seconds, limits, PAR)
    scores: dict[Rule, Floats] = {("", ""): par2.mean(axis=1)}
    for share in LIMIT_SHARES:
        lower = np.full_like(limits, share * limit_s)
        censored = np.where(seconds > lower, np.inf, seconds)  # NaN stays: not measured
        scores["limit", f"{share * limit_s:.3g} s"] = penalized(censored, lower, PAR).mean(axis=1)
    scores["par", f"PAR-{OTHER_PAR}"] = penalized(seconds, limits, OTHER_PAR).mean(axis=1)
    for shift_s in SHIFTS_S:
        name = f"geometric mean, shift {1000 * shift_s:g} ms"
        scores["shift", name] = np.exp(np.log(par2 + shift_s).mean(axis=1)) - shift_s
    on_wall = penalized(wall.seconds[:, common], limits_s(wall, run.method)[:, common], PAR)
    if not np.isnan(on_wall).any():
        scores["clock", "wall"] = on_wall.mean(axis=1)
    names = list(cpu.strategies)
    return {rule: pd.Series(values, index=names) for rule, values in scores.items()}


def _leave_one_out(bases: Mapping[str, pd.Series[float]]) -> Iterator[tuple[Rule, pd.Series[float], pd.Series[float]]]:
    """Yield the scores of all collections together, and without each (geometric means, so all have equal weight)."""
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


def _row(collection: str, rule: Rule, base: pd.Series[float], other: pd.Series[float]) -> dict[str, Any]:
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
    """Return ranks from 1, the lowest score first; scores equal to nine digits share the mean of their ranks."""
    return pd.Series(stats.rankdata([float(f"{score:.9g}") for score in scores]), index=scores.index)


def swapped_apart(base: pd.Series[float], other: pd.Series[float]) -> float:
    """Return the largest ratio of base scores among pairs in opposite order in the two rankings; NaN if none."""
    before, after = ranks(base).to_numpy(), ranks(other).to_numpy()
    a, b = np.triu_indices(len(base), 1)
    swapped = (before[a] - before[b]) * (after[a] - after[b]) < 0
    log_ratios = np.abs(np.log(base.to_numpy()[a] / base.to_numpy()[b]))[swapped]
    return math.exp(log_ratios.max()) if len(log_ratios) else math.nan
