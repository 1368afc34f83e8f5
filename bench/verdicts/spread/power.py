"""Power analysis: the numbers of puzzles and repetitions that the next run needs to decide an undecided pair.

The variance components of the pair's log ratios (puzzle, repetition, single measurement) determine how the variance of
the mean shrinks: more repetitions do not reduce the variance between puzzles, more puzzles do not reduce the variance
between the processes of different repetitions. A design decides a pair if its power is 80%, assuming that the true
ratio is the estimated one: for a difference, or, if the ratio is within the margin, for equivalence (two one-sided
tests, Schuirmann 1987). Variances and tests are those of ``pairs``, without the correction for skewness.

The power of a t-test follows from the noncentral t distribution, approximated as by Johnson & Welch (1940). All tests
are Bonferroni-corrected for the whole family.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.clusters import clusters_in
from sudoku_bench.bench.verdicts.comparable import WALL
from sudoku_bench.bench.verdicts.pairs.process_variance import PRIOR_FREEDOM
from sudoku_bench.bench.verdicts.run_data import RunData
from sudoku_bench.bench.verdicts.spread.variance import Components, components, log_ratios

POWER_COLUMNS = (
    *("collection", "a", "b", "clock", "verdict", "ratio", "aim", "n_puzzles", "n_unfinished", "repetitions"),
    *("puzzles_needed", "repetitions_needed", "design_puzzles", "design_repetitions"),
)
UNDECIDED = ("indistinguishable", "too_few")
TARGET, ALPHA = 0.8, 0.05
FEWEST_PUZZLES = 15
PUZZLES = np.unique(np.geomspace(FEWEST_PUZZLES, 100_000, 400).astype(np.int64))
REPETITIONS = np.array([*range(2, 21), 25, 30, 40, 50, 75, 100])
MAX_LISTED = 20  # pairs described in text
DIFFERENCE, EQUIVALENCE = "difference", "equivalence"


@dataclass(frozen=True)
class Question:
    """The assumptions of a power analysis of one pair.

    Attributes:
        parts: variance components of log ratios.
        log_ratio: the ratio assumed to be true; log_margin: of equivalence.
        alpha: level of one interval, corrected for its family.
        strategies: number of strategies of the block.
    """

    parts: Components
    log_ratio: float
    log_margin: float
    alpha: float
    strategies: int = 2

    def power(self, puzzles: Any, repetitions: Any, aim: str) -> Floats:
        """Return the probability that a run of this design decides the pair; arguments broadcast."""
        size = np.asarray(puzzles, float), np.asarray(repetitions, float)
        variance, freedom = error(self.parts, *size, self.strategies)
        se = np.sqrt(np.maximum(variance, 1e-300))
        critical = stats.t.isf(self.alpha / 2, freedom)
        if aim == DIFFERENCE:
            return beyond(critical, freedom, abs(self.log_ratio) / se)
        sides = [beyond(critical, freedom, (self.log_margin + side * self.log_ratio) / se) for side in (-1, 1)]
        return np.asarray(np.maximum(0.0, sides[0] + sides[1] - 1))


def error(parts: Components, puzzles: Floats, repetitions: Floats, strategies: int) -> tuple[Floats, Floats]:
    """Return the variance of a mean log ratio and its degrees of freedom (Satterthwaite 1946).

    They are those that ``pairs`` estimates on average from that many puzzles, repetitions (two or more) and strategies.
    """
    own = repetitions - 1
    of_puzzles = (parts.puzzle + parts.single / repetitions) / puzzles
    of_processes = (parts.repetition + parts.single / puzzles) / repetitions
    moderated = own + np.minimum(PRIOR_FREEDOM, (strategies - 2) * own)
    variance = of_puzzles + of_processes
    uncertain = of_puzzles**2 / (puzzles - 1) + of_processes**2 / moderated
    return variance, np.maximum(1.0, variance**2 / np.maximum(uncertain, 1e-300))


def beyond(critical: Any, freedom: Floats, noncentrality: Floats) -> Floats:
    """Return the probability that a noncentral t exceeds a critical value (Johnson & Welch 1940)."""
    shrunk = critical * (1 - 1 / (4 * freedom))
    return np.asarray(stats.norm.cdf((noncentrality - shrunk) / np.sqrt(1 + critical**2 / (2 * freedom))))


def power(run: RunData, pairs: pd.DataFrame, of_all: int = 0) -> pd.DataFrame:
    """Return one row per undecided pair, columns ``POWER_COLUMNS``.

    A number is NaN if more than 100,000 puzzles or 100 repetitions would be needed.

    Args:
        pairs: each strategy against the best; of_all: number of all pairs, a family once each has enough data.
    """
    rows = [_row(run, pair, of_all) for pair in pairs[pairs["verdict"].isin(UNDECIDED)].to_dict("records")]
    texts = ("collection", "a", "b", "clock", "verdict", "aim")
    types = {column: object if column in texts else float for column in POWER_COLUMNS}
    return pd.DataFrame(rows, columns=list(POWER_COLUMNS)).astype(types)


def _row(run: RunData, pair: dict[Any, Any], n_pairs: int) -> dict[str, Any]:
    measured = (run.wall if pair["clock"] == WALL else run.cpu)[pair["collection"]]
    cluster = clusters_in(pair["collection"], measured.puzzles, run.puzzles)
    logs, unfinished = log_ratios(measured, pair["a"], pair["b"], cluster)
    facts = {key: pair[key] for key in ("collection", "a", "b", "clock", "verdict")}
    facts |= {"n_unfinished": unfinished, "n_puzzles": logs.shape[0], "repetitions": logs.shape[1]}
    if min(logs.shape) < 2:
        return facts
    # Pairs with too few data are not members of the family yet; the next run makes them members.
    family = np.fmax(pair["family"], n_pairs)
    ratios = float(logs.mean()), math.log1p(pair["margin"])
    question = Question(components(logs), *ratios, ALPHA / family, len(measured.strategies))
    plans = [_plan(question, aim, *logs.shape) for aim in (DIFFERENCE, EQUIVALENCE)]
    sizes = [np.nan_to_num(plan["design_puzzles"] * plan["design_repetitions"], nan=math.inf) for plan in plans]
    return facts | plans[int(np.argmin(sizes))] | {"ratio": math.exp(question.log_ratio)}


def _plan(question: Question, aim: str, puzzles: int, repetitions: int) -> dict[str, Any]:
    """Return what decides a pair that was measured on so many puzzles."""
    design_puzzles, design_repetitions = cheapest(question, aim)
    with_repetitions = question.power(max(puzzles, FEWEST_PUZZLES), REPETITIONS, aim)
    return {
        "aim": aim,
        "puzzles_needed": fewest(PUZZLES, question.power(PUZZLES, repetitions, aim)),
        "repetitions_needed": fewest(REPETITIONS, with_repetitions) if puzzles >= FEWEST_PUZZLES else math.nan,
        "design_puzzles": design_puzzles,
        "design_repetitions": design_repetitions,
    }


def fewest(numbers: NDArray[np.int64], powers: Floats) -> float:
    """Return the smallest number with enough power; NaN if there is none."""
    sufficient = np.flatnonzero(powers >= TARGET)
    return float(numbers[sufficient[0]]) if len(sufficient) else math.nan


def cheapest(question: Question, aim: str) -> tuple[float, float]:
    """Return puzzles and repetitions of the design with enough power and the fewest measurements; NaN if none."""
    powers = question.power(PUZZLES[:, None], REPETITIONS[None, :], aim)
    sizes = np.where(powers >= TARGET, PUZZLES[:, None] * REPETITIONS[None, :], np.inf)
    row, column = np.unravel_index(int(sizes.argmin()), sizes.shape)
    if not np.isfinite(sizes[row, column]):
        return math.nan, math.nan
    return float(PUZZLES[row]), float(REPETITIONS[column])


def words(table: pd.DataFrame) -> list[str]:
    """Return a few lines on each undecided pair and the design that decides it, the cheapest first."""
    if table.empty:
        return ["No pair is undecided: the next run needs no more puzzles or repetitions than this one."]
    lines = ["Designs that decide each undecided pair with a power of 80%, assuming the estimated ratio:"]
    cheapest_first = (table["design_puzzles"] * table["design_repetitions"]).sort_values(kind="stable").index
    for pair in table.loc[cheapest_first[:MAX_LISTED]].to_dict("records"):
        clock = " (wall)" if pair["clock"] == "wall" else ""
        lines += [
            f"  {pair['collection']}: {pair['a']} / {pair['b']}{clock}",
            *(f"    {line}" for line in _needs(pair)),
        ]
    if len(table) > MAX_LISTED:
        lines.append(f"  and {len(table) - MAX_LISTED} more pairs: see power.csv")
    return lines


def _needs(pair: dict[Any, Any]) -> list[str]:
    if math.isnan(pair["ratio"]):
        return ["no estimate: this needs at least two puzzles and two repetitions that both finished"]
    if math.isnan(pair["design_puzzles"]):
        return [f"never: a ratio of {pair['ratio']:.3f} is too close to 1 or to the margin"]
    aim = "a difference" if pair["aim"] == DIFFERENCE else "equivalence"
    unfinished = f", {pair['n_unfinished']:.0f} puzzles not finished" if pair["n_unfinished"] else ""
    alone = {
        noun: "never" if math.isnan(pair[f"{noun}_needed"]) else f"{pair[f'{noun}_needed']:.0f} {noun}"
        for noun in ("puzzles", "repetitions")
    }
    return [
        f"ratio {pair['ratio']:.3f}, {aim}: {pair['design_puzzles']:.0f} puzzles × {pair['design_repetitions']:.0f}"
        f" repetitions{unfinished}",
        f"(with {pair['repetitions']:.0f} repetitions: {alone['puzzles']};"
        f" on {pair['n_puzzles']:.0f} puzzles: {alone['repetitions']})",
    ]
