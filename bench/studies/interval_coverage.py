"""Coverage of the intervals of pairs, and rate of false claims, on simulated times: ``make validate-verdicts``.

The study draws 10,000 benchmarks in each of many cells and writes the results to ``results/validation``. Nothing is
measured, so it does not depend on the machine. A cell has a number of puzzles, symmetric or strongly skewed tastes,
distinct times or ties, forms with or without effect, and a limit. Harder puzzles have different ratios, so the puzzles
beyond the limit are those that differ.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from bench.verdicts.arrays import Flags, Floats, Indices
from bench.verdicts.comparable import NEAR
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.censored import puzzle_times
from bench.verdicts.pairs.decision import Estimate, interval, p_different
from bench.verdicts.pairs.pair_estimates import of_means, of_medians
from bench.verdicts.pairs.process_variance import ProcessVariance, process_variance, repetition_variances
from bench.verdicts.pairs.winsorized import winsorized

FOLDER = Path("results/validation")
SEED = 2026
BENCHMARKS = 10_000  # per cell, so its share is known to 0.4 points
ALIKE_BENCHMARKS = 1000
POPULATION = 400_000  # puzzles from which the truth is computed
SHARED_PROCESSES = 100  # puzzles of the population with the same processes
REPLICATES = 5
TIED = 0.3  # share of puzzles, the easiest, that both strategies solve in the same time in cells with ties
STRATEGIES = 10  # of a benchmark of false claims
ACCEPTED = (0.93, 0.97)  # coverage of a 95% interval
MANY = 0.05  # share of puzzles with the same ratio
ONE, BOTH = "one", "both"


@dataclass(frozen=True)
class Cell:
    """Model of benchmarks of two strategies.

    Attributes:
        skew: tastes are exponential (skewness 2), otherwise normal.
        ties: both strategies solve the easiest puzzles in the same time, and clocks round to 1%.
        form: forms of a puzzle differ by a factor of 1.65 (one standard deviation), independently for each strategy.
        beyond: share of the solves of the slower strategy that the limit cuts off.
        limited: strategies that reach the limit: ``one`` (almost only the slower one), or ``both`` on the same puzzles.
    """

    puzzles: int
    skew: bool
    ties: bool
    form: bool
    beyond: float
    limited: str


def cells() -> Iterator[Cell]:
    """Yield all cells of the study."""
    flags = (False, True)
    for puzzles, skew, ties, form in itertools.product((15, 20, 40, 100), flags, flags, flags):
        yield Cell(puzzles, skew, ties, form, 0.0, ONE)
        for beyond, limited in itertools.product((0.1, 0.2, 0.4), (ONE, BOTH)):
            yield Cell(puzzles, skew, ties, form, beyond, limited)


def drawn(cell: Cell, benchmarks: int, puzzles: int, rng: np.random.Generator) -> Floats:
    """Draw log times: (the slower strategies of all benchmarks, then the faster ones) × puzzles × replicates."""
    shape = (benchmarks, puzzles, 1)
    ratio, growth, slope = (2.0, 0.6, 0.2) if cell.limited == ONE else (1.3, 0.5, 1.0)
    difficulty = rng.standard_normal(shape)
    taste = rng.exponential(size=shape) - 1 if cell.skew else rng.standard_normal(shape)
    faster = slope * difficulty + 0.3 * rng.standard_normal(shape)
    slower = faster + np.log(ratio) + growth * difficulty + 0.5 * taste
    noise = np.hypot(0.5 if cell.form else 0.0, 0.02)
    measured = [
        log_s
        + 0.01 * rng.standard_normal((benchmarks, 1, REPLICATES))
        + noise * rng.standard_normal((benchmarks, puzzles, REPLICATES))
        for log_s in (slower, faster)
    ]
    if cell.ties:
        measured[0] = np.where(difficulty < stats.norm.ppf(TIED), measured[1], measured[0])
        measured = [np.round(log_s, 2) for log_s in measured]
    return np.concatenate(measured)


def limited(log_s: Floats, limit: float) -> tuple[Floats, Flags]:
    """Return log times as measured under a limit, and which are censored; after one timeout a puzzle is not retried."""
    censored = np.maximum.accumulate(log_s > limit, axis=2)
    return np.where(censored, limit, log_s), censored


@dataclass(frozen=True)
class Truth:
    """True values over all puzzles.

    Attributes:
        limit: limit of log times.
        mean, median: of the log ratio.
        least, most: bounds of the median under the limit, possibly infinite.
        shared: share of puzzles exactly at one of these bounds, the larger one.
    """

    limit: float
    mean: float
    median: float
    least: float
    most: float
    shared: float


def truth(cell: Cell) -> Truth:
    """Compute the true values of a cell from a large population of puzzles."""
    # From many benchmarks, so that not all puzzles share a process.
    benchmarks = drawn(cell, POPULATION // SHARED_PROCESSES, SHARED_PROCESSES, np.random.default_rng([SEED, 0]))
    log_s = benchmarks.reshape(2, -1, REPLICATES)
    limit = float(np.quantile(log_s[0], 1 - cell.beyond)) if cell.beyond else np.inf
    bounds = puzzle_times(*limited(log_s, limit))
    medians = np.median(log_s, axis=2)
    least, most = bounds.least[0] - bounds.most[1], bounds.most[0] - bounds.least[1]
    ends = float(np.median(least)), float(np.median(most))
    shared = max(float(np.isclose(values, end).mean()) for values, end in zip((least, most), ends, strict=True))
    mean, median = (log_s[0] - log_s[1]).mean(), np.median(medians[0] - medians[1])
    return Truth(limit, float(mean), float(median), *ends, shared if np.isfinite(ends).all() else 0.0)


def coverage(cell: Cell, number: int, benchmarks: int = BENCHMARKS) -> dict[str, Any]:
    """Measure how often intervals cover the true ratio, and the range of possible true ratios under the limit.

    The true ratio is that of the estimator: the mean where the benchmark stays far below the limit, else the median.
    """
    true = truth(cell)
    log_s = drawn(cell, benchmarks, cell.puzzles, np.random.default_rng([SEED, 1, number]))
    measured, censored = limited(log_s, true.limit)
    a = np.arange(benchmarks)
    b = a + benchmarks
    measured = _with_limited_outliers(measured, censored, np.stack([a, b], axis=1))
    processes = _process_variance(measured, censored, np.stack([a, b], axis=1))
    covers_true, covers_range, bounded = (np.zeros(benchmarks, dtype=np.bool_) for _ in range(3))
    for part, estimate, is_mean in _estimates(measured, censored, true.limit, a, b, processes):
        low, high = interval(estimate, decision.ALPHA)
        ratio = true.mean if is_mean else true.median
        ends = (true.mean, true.mean) if is_mean else (true.least, true.most)
        covers_true[part] = (low <= ratio) & (ratio <= high)
        covers_range[part] = (low <= ends[0]) & (ends[1] <= high)
        bounded[part] = np.isfinite(low) & np.isfinite(high)
    return asdict(cell) | {
        "benchmarks": benchmarks,
        "held": covers_true.mean(),
        "held_range": covers_range.mean(),
        "two_ends": bounded.mean(),
        "at_least": np.exp(true.least if cell.beyond else true.mean),
        "true": np.exp(true.median if cell.beyond else true.mean),
        "at_most": np.exp(true.most if cell.beyond else true.mean),
        "end_shared": true.shared if cell.beyond else 0.0,
    }


@dataclass(frozen=True)
class Alike:
    """Model of benchmarks of equally fast strategies; effects are standard deviations of log times.

    Attributes:
        taste: effect of a puzzle on a strategy (0: copies of one strategy).
        skew: tastes are exponential, otherwise normal.
        form: effect of a form of a puzzle on a strategy.
        process: effect of a replicate's process; wild: strategies for which it is twice as large.
        beyond: share of solves that the limit cuts off.
    """

    name: str
    puzzles: int
    replicates: int
    taste: float
    skew: bool
    form: float
    process: float
    beyond: float = 0.0
    wild: int = 0


ALIKES = (
    Alike("tastes", 40, 5, 0.3, False, 0.1, 0.01),
    Alike("skewed tastes, few puzzles", 15, 5, 0.3, True, 0.0, 0.01),
    Alike("skewed tastes, three replicates", 20, 3, 0.3, True, 0.1, 0.01),
    Alike("copies", 40, 5, 0.0, False, 0.0, 0.02),
    Alike("copies, forms", 40, 5, 0.0, False, 0.1, 0.02),
    Alike("copies, three replicates", 20, 3, 0.0, False, 0.0, 0.01),
    Alike("copies, two replicates", 40, 2, 0.0, False, 0.1, 0.02),
    Alike("tastes, timeouts", 40, 5, 0.3, False, 0.1, 0.01, 0.2),
    Alike("skewed tastes, few timeouts", 20, 5, 0.3, True, 0.1, 0.01, 0.02),
    Alike("copies, timeouts", 40, 3, 0.0, False, 0.0, 0.02, 0.1),
    Alike("copies, two wild", 40, 5, 0.0, False, 0.0, 0.01, wild=2),
    Alike("copies, forms, three wild", 40, 5, 0.0, False, 0.1, 0.01, wild=3),
    Alike("copies, five wild, three replicates", 20, 3, 0.0, False, 0.0, 0.01, wild=5),
    Alike("copies, forms, two wild, three replicates", 100, 3, 0.0, False, 0.1, 0.01, wild=2),
)


def false_claims(alike: Alike, number: int, benchmarks: int = ALIKE_BENCHMARKS) -> dict[str, Any]:
    """Count benchmarks in which any pair is claimed to differ, and pairs with a significant uncorrected p-value."""
    rng = np.random.default_rng([SEED, 2, number])
    first, second = np.triu_indices(STRATEGIES, 1)
    claimed, alone, at_once = 0, 0, 100
    for _ in range(0, benchmarks, at_once):
        shape = (at_once, STRATEGIES, alike.puzzles, 1)
        taste = rng.exponential(size=shape) - 1 if alike.skew else rng.standard_normal(shape)
        full_shape = (at_once, STRATEGIES, alike.puzzles, alike.replicates)
        log_s = rng.standard_normal((at_once, 1, alike.puzzles, 1)) + alike.taste * taste
        process = alike.process * np.where(np.arange(STRATEGIES) < alike.wild, 2, 1)[:, None, None]
        log_s = log_s + process * rng.standard_normal((at_once, STRATEGIES, 1, alike.replicates))
        log_s = (log_s + np.hypot(alike.form, 0.02) * rng.standard_normal(full_shape)).reshape(-1, *full_shape[2:])
        limit = float(np.quantile(log_s, 1 - alike.beyond)) if alike.beyond else np.inf
        measured, censored = limited(log_s, limit)
        offset = STRATEGIES * np.arange(at_once)[:, None]
        a, b = (offset + first).ravel(), (offset + second).ravel()
        p = np.ones(len(a))
        together = np.arange(len(measured)).reshape(at_once, -1)
        measured = _with_limited_outliers(measured, censored, together)
        processes = _process_variance(measured, censored, together)
        for part, estimate, _ in _estimates(measured, censored, limit, a, b, processes):
            p[part] = np.maximum(p_different(estimate), decision.attainable(alike.puzzles))
        families = p.reshape(at_once, -1)
        claimed += sum(bool((decision.holm(family) < decision.ALPHA).any()) for family in families)
        alone += int((p < decision.ALPHA).sum())
    return asdict(alike) | {
        "benchmarks": benchmarks,
        "with_a_claim": claimed,
        "pairs": benchmarks * len(first),
        "pairs_alone": alone,
    }


def _with_limited_outliers(log_s: Floats, censored: Flags, benchmarks: Indices) -> Floats:
    """Return the log times as ``pair_estimates`` uses them; arguments as for ``_process_variance``."""
    result = log_s.copy()
    result[benchmarks] = winsorized(log_s[benchmarks], censored[benchmarks])
    return result


def _process_variance(log_s: Floats, censored: Flags, benchmarks: Indices) -> ProcessVariance:
    """Estimate the variation between processes from each benchmark alone, for the pairs of its strategies in order.

    Args:
        log_s, censored: strategies of all benchmarks × puzzles × replicates.
        benchmarks: numbers of the strategies of each benchmark: benchmarks × strategies.
    """
    finished = ~np.asarray(censored.any(axis=2))
    processes = process_variance(repetition_variances(log_s[benchmarks], finished[benchmarks]))
    first, second = np.triu_indices(benchmarks.shape[1], 1)
    pairs = processes[:, first, second]
    return ProcessVariance(pairs.variance.ravel(), pairs.half_variance.ravel())


def _estimates(
    log_s: Floats, censored: Flags, limit: float, a: Indices, b: Indices, processes: ProcessVariance
) -> Iterator[tuple[Indices, Estimate, bool]]:
    """Yield the estimates as ``pair_estimates`` does: the pairs, their estimate, and whether it is the mean."""
    near = np.asarray((log_s > limit + np.log(NEAR)).any(axis=(1, 2)))
    unlimited = ~(near[a] | near[b])
    for is_mean, estimator in ((True, of_means), (False, of_medians)):
        part = np.flatnonzero(unlimited == is_mean)
        if len(part):
            yield part, estimator(log_s, censored, a[part], b[part], processes[part])[0], is_mean


def passed(covered: pd.DataFrame, claims: pd.DataFrame) -> bool:
    """Return whether all cells have acceptable coverage and false claims are within the 97.5% quantile of a 5% rule."""
    most = stats.binom.ppf(0.975, claims["benchmarks"], decision.ALPHA)
    return bool(covered["as_said"].all() and (claims["with_a_claim"] <= most).all())


def is_accepted(covered: pd.DataFrame) -> pd.Series[bool]:
    """Return whether the coverage of each cell is acceptable.

    Where the limit leaves the ratio of all puzzles open, an interval should cover the whole range of possible ratios.
    If that range has one end only, so has the interval, which then misses half as often. An end that many puzzles share
    (ties) is missed even less often, because no interval can end within it.
    """
    one_end = np.isinf(covered["at_most"]) | (covered["at_least"] == 0)
    most = np.where(covered["end_shared"] > MANY, 1.0, ACCEPTED[1] + decision.ALPHA / 2 * one_end)
    return (ACCEPTED[0] <= covered["held_range"]) & (covered["held_range"] <= most)


def main() -> int:
    covered = pd.DataFrame([coverage(cell, number) for number, cell in enumerate(cells())])
    covered["as_said"] = is_accepted(covered)
    claims = pd.DataFrame([false_claims(alike, number) for number, alike in enumerate(ALIKES)])
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, table in (("coverage.csv", covered), ("false_claims.csv", claims)):
        table.to_csv(FOLDER / name, index=False, lineterminator="\n", float_format="%.5g")
    rejected = covered[~covered["as_said"]]
    print(f"coverage: {len(covered)} cells of {BENCHMARKS} benchmarks, {len(rejected)} outside the accepted range")
    if len(rejected):
        print(rejected.to_string(index=False))
    print(claims[["name", "benchmarks", "with_a_claim"]].to_string(index=False))
    return 0 if passed(covered, claims) else 1


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m bench.studies.interval_coverage", description=__doc__).parse_args()
    sys.exit(main())
