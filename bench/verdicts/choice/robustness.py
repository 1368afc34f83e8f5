"""The robustness of rankings: whether the same raw rows rank strategies otherwise under other reasonable rules.

The base of each collection is the ranking by PAR-2 of CPU time. The other rules are a lower limit (solves that took
longer count as not finished), PAR-10, geometric means with several shifts (an unfinished solve counts as twice the
limit), and the wall clock; for all collections together, with equal weights, each of them is left out in turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import stats

from bench.verdicts.arrays import Floats
from bench.verdicts.pairs.decision import LEAST_PUZZLES
from bench.verdicts.run_data import RunData
from bench.verdicts.summary import penalized
from bench.verdicts.times import Times

LIMIT, PAR_FACTOR, SHIFT, CLOCK, COLLECTIONS = (
    *("time limit", "PAR factor", "shift of the geometric mean"),
    *("clock", "set of collections"),
)
LIMIT_SHARES = (0.5, 0.1)
SHIFTS_S = (0.0, 1e-3, 1e-2)
PAR, OTHER_PAR = 2, 10
NEAR = 1.05  # changes of order within this ratio of scores are insignificant


class Swap(NamedTuple):
    """What a change of rule does to a ranking.

    Attributes:
        rule: the kind of rule that was changed, in words.
        collection: empty for all of them together.
        apart: the largest ratio of base scores among pairs that change their order; 1 if none does.
    """

    rule: str
    collection: str
    apart: float


def swaps(run: RunData) -> list[Swap]:
    """Return the effect of every other rule on the ranking of every collection.

    Collections with fewer than two comparable strategies are left out, and so are those with too few puzzles for a
    verdict: rankings there depend on chance more than on rules.
    """
    result: list[Swap] = []
    bases: dict[str, dict[str, float]] = {}
    for collection, measured in run.cpu.items():
        cpu = measured.complete
        if len(cpu.strategies) > 1 and len(cpu.puzzles) >= LEAST_PUZZLES:
            base = penalized(cpu.seconds, cpu.limits_s(), PAR).mean(axis=1)
            bases[collection] = dict(zip(cpu.strategies, base.tolist(), strict=True))
            others = _others(run, cpu, run.wall[collection].complete)
            result += [Swap(rule, collection, apart(base, other)) for rule, other in others]
    names = [name for name in next(iter(bases.values()), ()) if all(name in base for base in bases.values())]
    if len(bases) > 1 and len(names) > 1:
        logs = np.log([[base[name] for name in names] for base in bases.values()])  # equal weights: geometric means
        without = [np.delete(logs, place, axis=0).mean(axis=0) for place in range(len(logs))]
        result += [Swap(COLLECTIONS, "", apart(np.exp(logs.mean(axis=0)), np.exp(other))) for other in without]
    return result


def _others(run: RunData, cpu: Times, wall: Times) -> Iterator[tuple[str, Floats]]:
    """Yield the scores of the strategies under each other rule, lower is better."""
    limit_s = run.manifest["suite"]["timeout_s"]
    for share in LIMIT_SHARES:
        lower = np.full_like(cpu.log_s, share * limit_s)
        censored = np.where(cpu.seconds > lower, np.inf, cpu.seconds)  # NaN stays: not measured
        yield LIMIT, penalized(censored, lower, PAR).mean(axis=1)
    yield PAR_FACTOR, penalized(cpu.seconds, cpu.limits_s(), OTHER_PAR).mean(axis=1)
    par2 = penalized(cpu.seconds, cpu.limits_s(), PAR)
    for shift_s in SHIFTS_S:
        yield SHIFT, np.exp(np.log(par2 + shift_s).mean(axis=1)) - shift_s
    by_wall = penalized(wall.seconds, wall.limits_s(run.method), PAR).mean(axis=1)
    if not np.isnan(by_wall).any():
        yield CLOCK, by_wall


def apart(base: Floats, other: Floats) -> float:
    """Return the largest ratio of base scores among pairs in opposite order under the two rules; 1 if there is none."""
    before, after = (stats.rankdata([float(f"{score:.9g}") for score in scores]) for scores in (base, other))
    a, b = np.triu_indices(len(base), 1)
    swapped = (before[a] - before[b]) * (after[a] - after[b]) < 0
    return math.exp(np.abs(np.log(base[a] / base[b]))[swapped].max(initial=0.0))


def words(run: RunData) -> list[str]:
    """Return one line: the rules that rankings depend on, ignoring strategies with scores within 5% of each other."""
    every = swaps(run)
    if not every:
        return []
    where: dict[str, list[str]] = {}
    for swap in every:
        if swap.apart > NEAR:
            where.setdefault(swap.rule, []).append(swap.collection)
    if not where:
        return ["Rankings are the same under other limits, PAR factors, shifts, clocks and sets of collections."]
    rules = [
        f"the {rule}" + (f" ({', '.join(dict.fromkeys(names))})" if any(names) else "") for rule, names in where.items()
    ]
    return [f"Rankings depend on {'; '.join(rules)}"]
