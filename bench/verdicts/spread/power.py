"""Power analysis: the numbers of puzzles and repetitions that the next run needs to decide an undecided pair.

The variance components of the pair's log ratios (puzzle, replicate, single measurement) determine how the variance of
the mean shrinks: more repetitions do not reduce the variance between puzzles, more puzzles do not reduce the variance
between the processes of different replicates. A design decides a pair if its power is 80%, assuming that the true ratio
is the estimated one: for a difference, or, if the ratio is within the margin, for equivalence (two one-sided tests,
Schuirmann 1987).

The power of a t-test follows from the noncentral t distribution, approximated as by Johnson & Welch (1940). All tests
are Bonferroni-corrected for the whole family; Holm's procedure needs at most as many measurements.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.folder.method import setting
from bench.verdicts.arrays import Floats
from bench.verdicts.run_data import RunData
from bench.verdicts.spread.variance import Components, complete, components
from bench.verdicts.times import Times

POWER_COLUMNS = (
    "collection",
    "a",
    "b",
    "clock",
    "verdict",
    "ratio",  # time of a / time of b, assumed to be true; geometric mean over puzzles that both always finished
    "aim",  # difference or equivalence, whichever needs fewer measurements
    "n_puzzles",  # that the components were estimated from
    "n_unfinished",  # puzzles that one of the two left unfinished; assumed to be like the others
    "replicates",  # repetitions of all launches
    "power",  # of this run
    "puzzles_needed",  # with the same replicates; empty: never
    "replicates_needed",  # on the same puzzles; empty: never
    "design_puzzles",  # the design that decides the pair with the fewest measurements; empty: never
    "design_replicates",
    "puzzle_sd",  # of log ratios, between puzzles
    "replicate_sd",
    "single_sd",
    "margin",
    "family",
)
UNDECIDED = ("indistinguishable", "too_few")
TARGET, ALPHA = 0.8, 0.05
FEWEST_PUZZLES = 15
PUZZLES = np.unique(np.geomspace(FEWEST_PUZZLES, 100_000, 400).astype(np.int64))
REPLICATES = np.array([*range(2, 21), 25, 30, 40, 50, 75, 100])
MAX_LISTED = 20  # pairs described in text
DIFFERENCE, EQUIVALENCE = "difference", "equivalence"


@dataclass(frozen=True)
class Question:
    """The assumptions of a power analysis of one pair.

    Attributes:
        parts: variance components of log ratios.
        log_ratio: the ratio assumed to be true; log_margin: of equivalence.
        alpha: level of one test, corrected for its family.
    """

    parts: Components
    log_ratio: float
    log_margin: float
    alpha: float

    def power(self, puzzles: Any, replicates: Any, aim: str) -> Floats:
        """Return the probability that a run of this design decides the pair; arguments broadcast."""
        puzzles, replicates = np.asarray(puzzles, float), np.asarray(replicates, float)
        variance, freedom = error(self.parts, puzzles, replicates)
        se = np.sqrt(np.maximum(variance, 1e-300))
        if aim == DIFFERENCE:
            critical = stats.t.isf(self.alpha / 2, freedom)
            return beyond(critical, freedom, abs(self.log_ratio) / se)
        critical = stats.t.isf(self.alpha, freedom)
        sides = [beyond(critical, freedom, (self.log_margin + side * self.log_ratio) / se) for side in (-1, 1)]
        return np.asarray(np.maximum(0.0, sides[0] + sides[1] - 1))


def error(parts: Components, puzzles: Floats, replicates: Floats) -> tuple[Floats, Floats]:
    """Return the variance of a mean log ratio and its degrees of freedom (Satterthwaite 1946).

    They are those that ``paired.compare`` estimates from that many puzzles and at least two replicates.
    """
    single, puzzle, replicate = parts.single or 0.0, parts.puzzle or 0.0, parts.repetition or 0.0
    of_rows, of_columns = single + replicates * puzzle, single + puzzles * replicate
    combined = of_rows + of_columns - single
    uncertain = of_rows**2 / (puzzles - 1) + of_columns**2 / (replicates - 1)
    uncertain = uncertain + single**2 / ((puzzles - 1) * (replicates - 1))
    return combined / (puzzles * replicates), np.maximum(1.0, combined**2 / np.maximum(uncertain, 1e-300))


def beyond(critical: Any, freedom: Floats, noncentrality: Floats) -> Floats:
    """Return the probability that a noncentral t exceeds a critical value (Johnson & Welch 1940)."""
    shrunk = critical * (1 - 1 / (4 * freedom))
    return np.asarray(stats.norm.cdf((noncentrality - shrunk) / np.sqrt(1 + critical**2 / (2 * freedom))))


def power(run: RunData, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return one row per undecided pair, columns ``POWER_COLUMNS``.

    A number is NaN if more than 100,000 puzzles or 100 replicates would be needed.

    Args:
        pairs: the table of pairs with collection, a, b, verdict, and optionally clock, family, margin.
    """
    result = []
    complete_pairs = pairs.reindex(columns=[*pairs.columns, *({"clock", "family", "margin"} - set(pairs.columns))])
    for pair in complete_pairs[complete_pairs["verdict"].isin(UNDECIDED)].to_dict("records"):
        measured = (run.wall if pair["clock"] == "wall" else run.cpu).get(pair["collection"])
        logs, unfinished = log_ratios(measured, pair["a"], pair["b"]) if measured else (np.empty((0, 0)), 0)
        facts = {key: pair[key] for key in ("collection", "a", "b", "verdict")}
        facts |= {"clock": "wall" if pair["clock"] == "wall" else "cpu", "n_unfinished": unfinished}
        # Pairs with too few data are not members of the family yet; the next run makes them members.
        facts |= {"family": np.fmax(pair["family"], len(pairs))}
        facts |= {"margin": setting(run.manifest, "margin") if pd.isna(pair["margin"]) else pair["margin"]}
        facts |= {"n_puzzles": logs.shape[0], "replicates": logs.shape[1]}
        result.append(facts | (_plan(logs, facts) if min(logs.shape) > 1 else {}))
    texts = ("collection", "a", "b", "clock", "verdict", "aim")
    types = {column: object if column in texts else float for column in POWER_COLUMNS}
    return pd.DataFrame(result, columns=list(POWER_COLUMNS)).astype(types)


def log_ratios(measured: Times, a: str, b: str) -> tuple[Floats, int]:
    """Return log ratios of two strategies, puzzles × replicates, and the number of puzzles left out as unfinished."""
    one, other = (measured.strategies.index(name) for name in (a, b))
    difference = measured.log_s[one] - measured.log_s[other]
    censored = measured.censored[one] | measured.censored[other]
    ratios = Times((f"{a} / {b}",), measured.puzzles, measured.replicates, difference[None], censored[None])
    logs, _, unfinished = complete(ratios, 0)
    return logs, unfinished


def _plan(logs: Floats, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a pair's power analysis from its log ratios."""
    parts = components(logs)
    alpha = ALPHA / facts["family"]
    puzzles, replicates = logs.shape
    question = Question(parts, float(logs.mean()), math.log1p(facts["margin"]), alpha)
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
    """Return the first number with enough power; NaN if there is none."""
    sufficient = np.flatnonzero(powers >= TARGET)
    return float(numbers[sufficient[0]]) if len(sufficient) else math.nan


def cheapest(question: Question, aim: str) -> tuple[float, float]:
    """Return puzzles and replicates of the design with enough power and the fewest measurements; NaN if none."""
    powers = question.power(PUZZLES[:, None], REPLICATES[None, :], aim)
    sizes = np.where(powers >= TARGET, PUZZLES[:, None] * REPLICATES[None, :], np.inf)
    row, column = np.unravel_index(int(sizes.argmin()), sizes.shape)
    if not np.isfinite(sizes[row, column]):
        return math.nan, math.nan
    return float(PUZZLES[row]), float(REPLICATES[column])


def words(table: pd.DataFrame) -> list[str]:
    """Return a few lines on each undecided pair and the design that decides it, the cheapest first."""
    if table.empty:
        return ["No pair is undecided: the next run needs no more puzzles or repetitions than this one."]
    lines = ["Designs that decide each undecided pair with a power of 80%, assuming the estimated ratio:"]
    cheapest_first = (table["design_puzzles"] * table["design_replicates"]).sort_values(kind="stable").index
    for pair in table.loc[cheapest_first[:MAX_LISTED]].to_dict("records"):
        clock = " (wall)" if pair["clock"] == "wall" else ""
        lines.append(f"  {pair['collection']}: {pair['a']} / {pair['b']}{clock}")
        lines += [f"    {line}" for line in _needs(pair).split("\n    ")]
    if len(table) > MAX_LISTED:
        lines.append(f"  and {len(table) - MAX_LISTED} more pairs: see power.csv")
    return lines


def _needs(pair: dict[Any, Any]) -> str:
    if math.isnan(pair["ratio"]):
        return "no estimate: this needs at least two puzzles and two repetitions that both finished"
    if math.isnan(pair["design_puzzles"]):
        ratio = f"a ratio of {pair['ratio']:.3f}"
        return f"never: {ratio} is too close to 1 or to the margin"
    what = "a difference" if pair["aim"] == DIFFERENCE else "equivalence"
    unfinished = f", {pair['n_unfinished']:.0f} puzzles not finished" if pair["n_unfinished"] else ""
    alone = [
        "never" if math.isnan(pair[key]) else f"{pair[key]:.0f} {word}"
        for key, word in (("puzzles_needed", "puzzles"), ("replicates_needed", "repetitions"))
    ]
    return (
        f"ratio {pair['ratio']:.3f}, {what}: {pair['design_puzzles']:.0f} puzzles × {pair['design_replicates']:.0f}"
        f" repetitions{unfinished}\n    (with {pair['replicates']:.0f} repetitions: {alone[0]};"
        f" on {pair['n_puzzles']:.0f} puzzles: {alone[1]})"
    )
