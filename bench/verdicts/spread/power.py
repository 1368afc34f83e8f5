"""What the next run needs to settle a pair that this one left undecided: how many puzzles, how many repetitions.

The components of variance of the pair's log ratios (of the puzzle, of the replicate, of the single measurement) say how
the variance of their mean shrinks with more of either: more repetitions do nothing against what puzzles differ by, more
puzzles nothing against how fast the processes of a replicate happen to be. A design is good for a pair if it settles it
with a power of 80%, given that the true ratio is what it seems now: by a difference that stands out from the floor of
the instrument, or, if the ratio lies inside of the margin, by equivalence (two one-sided tests, Schuirmann 1987).

The power of a t-test is that of the noncentral t distribution, here as approximated by Johnson & Welch (1940). All
tests are corrected for the whole family as Bonferroni would, so Holm's procedure needs at most that much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.run_data import RunData
from bench.verdicts.spread.variance import Components, complete, components
from bench.verdicts.times import Times

POWER_COLUMNS = (
    "collection",
    "a",
    "b",
    "clock",
    "verdict",
    "ratio",  # time of a / time of b, that the plan is for; geometric mean over puzzles that both always finished
    "aim",  # difference or equivalence, whichever needs less
    "n_puzzles",  # that the components are from
    "n_unfinished",  # puzzles that one of the two left unfinished; the plan is made as if they were like the others
    "replicates",  # repetitions of all launches
    "power",  # of this run
    "puzzles_needed",  # with as many replicates; empty: never
    "replicates_needed",  # on as many puzzles; empty: never
    "design_puzzles",  # the design that settles it with the fewest measurements; empty: never
    "design_replicates",
    "puzzle_sd",  # of logarithms of the ratio: what puzzles differ by
    "replicate_sd",
    "single_sd",
    "floor",
    "margin",
    "family",
)
UNDECIDED = ("indistinguishable", "too_few")
TARGET, ALPHA, MARGIN = 0.8, 0.05, 0.05
FEWEST_PUZZLES = 15
PUZZLES = np.unique(np.geomspace(FEWEST_PUZZLES, 100_000, 400).astype(np.int64))
REPLICATES = np.array([*range(2, 21), 25, 30, 40, 50, 75, 100])
TOLD = 20  # pairs, in words
DIFFERENCE, EQUIVALENCE = "difference", "equivalence"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """What is to be settled.

    Attributes:
        parts: of the variance of log ratios.
        log_ratio: that is taken to be true; log_floor: what it must stand out from; log_margin: of equivalence.
        alpha: of one test, corrected for its family.
        floor_replicates: that the floor is from; it shrinks as the root of more of them (None: it stays). More puzzles
            do nothing against it: placebos solve the same few.
    """

    parts: Components
    log_ratio: float
    log_floor: float
    log_margin: float
    alpha: float
    floor_replicates: int | None = None

    def power(self, puzzles: Any, replicates: Any, aim: str) -> Floats:
        """The chance that a run of this design settles it; arguments broadcast."""
        puzzles, replicates = np.asarray(puzzles, float), np.asarray(replicates, float)
        variance, freedom = error(self.parts, puzzles, replicates)
        se = np.sqrt(np.maximum(variance, 1e-300))
        if aim == DIFFERENCE:
            critical = stats.t.isf(self.alpha / 2, freedom)
            shrunk = 1.0 if self.floor_replicates is None else np.sqrt(self.floor_replicates / replicates)
            return beyond(critical, freedom, (abs(self.log_ratio) - self.log_floor * shrunk) / se)
        critical = stats.t.isf(self.alpha, freedom)
        sides = [beyond(critical, freedom, (self.log_margin + side * self.log_ratio) / se) for side in (-1, 1)]
        return np.asarray(np.maximum(0.0, sides[0] + sides[1] - 1))


def error(parts: Components, puzzles: Floats, replicates: Floats) -> tuple[Floats, Floats]:
    """The variance of a mean log ratio and its degrees of freedom (Satterthwaite 1946), as ``paired.compare`` will
    estimate them from so many puzzles and at least two replicates.
    """
    single, puzzle, replicate = parts.single or 0.0, parts.puzzle or 0.0, parts.repetition or 0.0
    of_rows, of_columns = single + replicates * puzzle, single + puzzles * replicate
    combined = of_rows + of_columns - single
    uncertain = of_rows**2 / (puzzles - 1) + of_columns**2 / (replicates - 1)
    uncertain = uncertain + single**2 / ((puzzles - 1) * (replicates - 1))
    return combined / (puzzles * replicates), np.maximum(1.0, combined**2 / np.maximum(uncertain, 1e-300))


def beyond(critical: Any, freedom: Floats, noncentrality: Floats) -> Floats:
    """The chance that a noncentral t lies beyond a critical value (Johnson & Welch 1940)."""
    shrunk = critical * (1 - 1 / (4 * freedom))
    return np.asarray(stats.norm.cdf((noncentrality - shrunk) / np.sqrt(1 + critical**2 / (2 * freedom))))


def power(run: RunData, pairs: pd.DataFrame) -> pd.DataFrame:
    """One row per undecided pair, columns ``POWER_COLUMNS``; NaN for what no number up to 100,000 puzzles or 100
    replicates reaches.

    Args:
        pairs: the table of pairs with collection, a, b, verdict, and where they are known clock, family, margin, floor.
    """
    lines = []
    given = pairs.reindex(columns=[*pairs.columns, *({"clock", "family", "margin", "floor"} - set(pairs.columns))])
    for pair in given[given["verdict"].isin(UNDECIDED)].to_dict("records"):
        measured = (run.wall if pair["clock"] == "wall" else run.cpu).get(pair["collection"])
        logs, unfinished = log_ratios(measured, pair["a"], pair["b"]) if measured else (np.empty((0, 0)), 0)
        facts = {key: pair[key] for key in ("collection", "a", "b", "verdict")}
        facts |= {"clock": "wall" if pair["clock"] == "wall" else "cpu", "n_unfinished": unfinished}
        facts |= {"family": len(pairs) if pd.isna(pair["family"]) else pair["family"]}
        facts |= {"margin": MARGIN if pd.isna(pair["margin"]) else pair["margin"]}
        facts |= {"floor": 1.0 if pd.isna(pair["floor"]) else pair["floor"]}
        facts |= {"n_puzzles": logs.shape[0], "replicates": logs.shape[1]}
        lines.append(facts | (_plan(logs, facts) if min(logs.shape) > 1 else {}))
    texts = ("collection", "a", "b", "clock", "verdict", "aim")
    kinds = {column: object if column in texts else float for column in POWER_COLUMNS}
    return pd.DataFrame(lines, columns=list(POWER_COLUMNS)).astype(kinds)


def log_ratios(measured: Times, a: str, b: str) -> tuple[Floats, int]:
    """Log ratios of two strategies, puzzles × replicates, where both always finished; how many puzzles they did not."""
    at = [measured.strategies.index(name) for name in (a, b)]
    difference = measured.log_s[at[0]] - measured.log_s[at[1]]
    late = measured.censored[at[0]] | measured.censored[at[1]]
    both = Times((f"{a} / {b}",), measured.puzzles, measured.replicates, difference[None], late[None])
    logs, _, unfinished = complete(both, 0)
    return logs, unfinished


def _plan(logs: Floats, facts: dict[str, Any]) -> dict[str, Any]:
    """The needs of a pair from its log ratios."""
    parts = components(logs)
    alpha = ALPHA / facts["family"]
    puzzles, replicates = logs.shape
    floor, margin = math.log(facts["floor"]), math.log1p(facts["margin"])
    question = Question(parts, float(logs.mean()), floor, margin, alpha, replicates)
    plans: list[dict[str, Any]] = []
    for aim in (DIFFERENCE, EQUIVALENCE):
        design = cheapest(question, aim)
        plans.append(
            {
                "aim": aim,
                "power": float(question.power(max(puzzles, 2), replicates, aim)),
                "puzzles_needed": first(PUZZLES, question.power(PUZZLES, replicates, aim)),
                "replicates_needed": first(REPLICATES, question.power(max(puzzles, FEWEST_PUZZLES), REPLICATES, aim))
                if puzzles >= FEWEST_PUZZLES
                else math.nan,
                "design_puzzles": design[0],
                "design_replicates": design[1],
            }
        )
    size = [np.nan_to_num(plan["design_puzzles"] * plan["design_replicates"], nan=math.inf) for plan in plans]
    return plans[int(np.argmin(size))] | {
        "ratio": math.exp(question.log_ratio),
        "puzzle_sd": math.sqrt(parts.puzzle or 0.0),
        "replicate_sd": math.sqrt(parts.repetition or 0.0),
        "single_sd": math.sqrt(parts.single or 0.0),
    }


def first(numbers: NDArray[np.int64], powers: Floats) -> float:
    """The smallest number from which on the power is high enough; NaN if none is."""
    enough = np.flatnonzero(powers >= TARGET)
    return float(numbers[enough[0]]) if len(enough) else math.nan


def cheapest(question: Question, aim: str) -> tuple[float, float]:
    """Puzzles and replicates of the design with the fewest measurements that is good enough; NaN if none is."""
    powers = question.power(PUZZLES[:, None], REPLICATES[None, :], aim)
    sizes = np.where(powers >= TARGET, PUZZLES[:, None] * REPLICATES[None, :], np.inf)
    row, column = np.unravel_index(int(sizes.argmin()), sizes.shape)
    if not np.isfinite(sizes[row, column]):
        return math.nan, math.nan
    return float(PUZZLES[row]), float(REPLICATES[column])


def words(table: pd.DataFrame) -> list[str]:
    """What each undecided pair needs, in a few lines each, the cheapest first."""
    if table.empty:
        return ["No pair is undecided: the next run needs no more puzzles or repetitions than this one."]
    lines = ["What settles each undecided pair with a power of 80%, if its ratio is what it seems:"]
    cheapest_first = (table["design_puzzles"] * table["design_replicates"]).sort_values(kind="stable").index
    for pair in table.loc[cheapest_first[:TOLD]].to_dict("records"):
        clock = " (wall)" if pair["clock"] == "wall" else ""
        lines.append(f"  {pair['collection']}: {pair['a']} / {pair['b']}{clock}")
        lines += [f"    {line}" for line in _needs(pair).split("\n    ")]
    if len(table) > TOLD:
        lines.append(f"  and {len(table) - TOLD} pairs more: see power.csv")
    return lines


def _needs(pair: dict[Any, Any]) -> str:
    if math.isnan(pair["ratio"]):
        return "cannot be planned: it needs two puzzles and two repetitions at least, finished by both"
    if math.isnan(pair["design_puzzles"]):
        return f"never: a ratio of {pair['ratio']:.3f} is too near to the floor or to the margin"
    what = "a difference" if pair["aim"] == DIFFERENCE else "equivalence"
    late = f", {pair['n_unfinished']:.0f} puzzles not finished" if pair["n_unfinished"] else ""
    alone = [
        "never" if math.isnan(pair[key]) else f"{pair[key]:.0f} {word}"
        for key, word in (("puzzles_needed", "puzzles"), ("replicates_needed", "repetitions"))
    ]
    return (
        f"ratio {pair['ratio']:.3f}, {what}: {pair['design_puzzles']:.0f} puzzles × {pair['design_replicates']:.0f}"
        f" repetitions{late}\n    (with {pair['replicates']:.0f} repetitions: {alone[0]};"
        f" on {pair['n_puzzles']:.0f} puzzles: {alone[1]})"
    )
