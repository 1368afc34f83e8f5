"""Do the intervals of pairs hold the truth as often as they say, and are false claims as rare? Times that are drawn.

``make validate-verdicts`` draws 10,000 benchmarks in each of many cells and writes what it finds to
``results/validation``; nothing is measured, so it does not depend on the machine. A cell has so many puzzles, tastes
that are symmetric or strongly skewed, distinct times or ties, forms that matter or not, and a limit. Harder puzzles
have other ratios, so those beyond the limit are the ones that differ.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from bench.verdicts.comparable import NEAR
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.censored import puzzle_times
from bench.verdicts.pairs.contests import CONFIDENCE, Indices, of_means, of_medians
from bench.verdicts.pairs.estimate import Estimate, interval, p_different
from bench.verdicts.pairs.process_noise import Columns, Shared, columns, pooled

FOLDER = Path("results/validation")
SEED = 2026
BENCHMARKS = 10_000  # of a cell: its share is then known to 0.4 points
ALIKE_BENCHMARKS = 1000
POPULATION = 400_000  # puzzles that the truth is computed from
SOME = 100  # of them with the same processes
REPLICATES = 5
ALIKE = 0.3  # share of puzzles, the easiest, that both solve in the same time in cells with ties
STRATEGIES = 10  # of a benchmark of false claims
BETWEEN = (0.93, 0.97)
MANY = 0.05  # share of puzzles with one and the same ratio
ONE, BOTH = "one", "both"

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Cell:
    """What benchmarks of two strategies are like.

    Attributes:
        skew: tastes are exponential (skewness 2), else normal.
        ties: the easiest puzzles take both the same time, and clocks round to 1%.
        form: forms of a puzzle differ by a factor of 1.65 (one standard deviation), for each strategy on its own.
        beyond: share of the solves of the slower strategy that the limit cuts off.
        limited: who reaches the limit: ``one`` (the slower strategy, nearly alone), or ``both`` on the same puzzles.
    """

    puzzles: int
    skew: bool
    ties: bool
    form: bool
    beyond: float
    limited: str


def cells() -> Iterator[Cell]:
    flags = (False, True)
    for puzzles, skew, ties, form in itertools.product((15, 20, 40, 100), flags, flags, flags):
        yield Cell(puzzles, skew, ties, form, 0.0, ONE)
        for beyond, limited in itertools.product((0.1, 0.2, 0.4), (ONE, BOTH)):
            yield Cell(puzzles, skew, ties, form, beyond, limited)


def drawn(cell: Cell, benchmarks: int, puzzles: int, rng: np.random.Generator) -> Floats:
    """Log times: (the slower strategies of all benchmarks, then the faster ones) × puzzles × replicates."""
    shape = (benchmarks, puzzles, 1)
    ratio, growth, own = (2.0, 0.6, 0.2) if cell.limited == ONE else (1.3, 0.5, 1.0)
    difficulty = rng.standard_normal(shape)
    taste = rng.exponential(size=shape) - 1 if cell.skew else rng.standard_normal(shape)
    faster = own * difficulty + 0.3 * rng.standard_normal(shape)
    slower = faster + np.log(ratio) + growth * difficulty + 0.5 * taste
    noise = np.hypot(0.5 if cell.form else 0.0, 0.02)
    measured = [
        log_s
        + 0.01 * rng.standard_normal((benchmarks, 1, REPLICATES))
        + noise * rng.standard_normal((benchmarks, puzzles, REPLICATES))
        for log_s in (slower, faster)
    ]
    if cell.ties:
        measured[0] = np.where(difficulty < stats.norm.ppf(ALIKE), measured[1], measured[0])
        measured = [np.round(log_s, 2) for log_s in measured]
    return np.concatenate(measured)


def limited(log_s: Floats, limit: float) -> tuple[Floats, Flags]:
    """What is measured under a limit: what was beyond it once is not tried again."""
    censored = np.maximum.accumulate(log_s > limit, axis=2)
    return np.where(censored, limit, log_s), censored


@dataclass(frozen=True)
class Truth:
    """Of all puzzles: the limit of their log times, the mean and the median log ratio, and what the limit leaves of the
    median: between ``least`` and ``most``, perhaps infinite. ``shared`` is the share of puzzles that lie exactly at one
    of these ends, the larger one."""

    limit: float
    mean: float
    median: float
    least: float
    most: float
    shared: float


def truth(cell: Cell) -> Truth:
    # Of many benchmarks, lest all puzzles share a process.
    several = drawn(cell, POPULATION // SOME, SOME, np.random.default_rng([SEED, 0]))
    log_s = several.reshape(2, -1, REPLICATES)
    limit = float(np.quantile(log_s[0], 1 - cell.beyond)) if cell.beyond else np.inf
    seen = puzzle_times(*limited(log_s, limit))
    medians = np.median(log_s, axis=2)
    least, most = seen.least[0] - seen.most[1], seen.most[0] - seen.least[1]
    ends = float(np.median(least)), float(np.median(most))
    shared = max(float(np.isclose(values, end).mean()) for values, end in zip((least, most), ends, strict=True))
    mean, median = (log_s[0] - log_s[1]).mean(), np.median(medians[0] - medians[1])
    return Truth(limit, float(mean), float(median), *ends, shared if np.isfinite(ends).all() else 0.0)


def coverage(cell: Cell, number: int, benchmarks: int = BENCHMARKS) -> dict[str, Any]:
    """How often intervals hold the true ratio, and all that the true ratio could be under the limit.

    The true ratio is that of the estimator: the mean where the benchmark comes nowhere near the limit, else the median.
    """
    known = truth(cell)
    log_s = drawn(cell, benchmarks, cell.puzzles, np.random.default_rng([SEED, 1, number]))
    seen, censored = limited(log_s, known.limit)
    a = np.arange(benchmarks)
    b = a + benchmarks
    shared = _shared(seen, censored, a, b, benchmarks)
    held, whole, bounded = (np.zeros(benchmarks, dtype=np.bool_) for _ in range(3))
    for part, estimate, exact in _estimates(seen, censored, known.limit, a, b, shared):
        low, high = interval(estimate, CONFIDENCE)
        true = known.mean if exact else known.median
        ends = (known.mean, known.mean) if exact else (known.least, known.most)
        held[part] = (low <= true) & (true <= high)
        whole[part] = (low <= ends[0]) & (ends[1] <= high)
        bounded[part] = np.isfinite(low) & np.isfinite(high)
    return asdict(cell) | {
        "benchmarks": benchmarks,
        "held": held.mean(),
        "held_range": whole.mean(),
        "two_ends": bounded.mean(),
        "at_least": np.exp(known.least if cell.beyond else known.mean),
        "true": np.exp(known.median if cell.beyond else known.mean),
        "at_most": np.exp(known.most if cell.beyond else known.mean),
        "end_shared": known.shared if cell.beyond else 0.0,
    }


@dataclass(frozen=True)
class Alike:
    """Benchmarks of strategies of which none is faster: what they differ by, as standard deviations of log times.

    Attributes:
        taste: of a puzzle for a strategy (0: copies of one strategy); skew: exponential, else normal.
        process: of a replicate's process; form: of a form of a puzzle for a strategy.
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
)


def false_claims(alike: Alike, number: int, benchmarks: int = ALIKE_BENCHMARKS) -> dict[str, Any]:
    """In how many benchmarks any pair is claimed to differ, and how many single pairs would be by their own p-value.

    No floor of the instrument is asked for, which would forbid some of the claims.
    """
    rng = np.random.default_rng([SEED, 2, number])
    first, second = np.triu_indices(STRATEGIES, 1)
    claimed, alone, steps = 0, 0, 100
    for _ in range(0, benchmarks, steps):
        shape = (steps, STRATEGIES, alike.puzzles, 1)
        taste = rng.exponential(size=shape) - 1 if alike.skew else rng.standard_normal(shape)
        several = (steps, STRATEGIES, alike.puzzles, alike.replicates)
        log_s = rng.standard_normal((steps, 1, alike.puzzles, 1)) + alike.taste * taste
        log_s = log_s + alike.process * rng.standard_normal((steps, STRATEGIES, 1, alike.replicates))
        log_s = (log_s + np.hypot(alike.form, 0.02) * rng.standard_normal(several)).reshape(-1, *several[2:])
        limit = float(np.quantile(log_s, 1 - alike.beyond)) if alike.beyond else np.inf
        seen, censored = limited(log_s, limit)
        offset = STRATEGIES * np.arange(steps)[:, None]
        a, b = (offset + first).ravel(), (offset + second).ravel()
        p = np.ones(len(a))
        for part, estimate, _ in _estimates(seen, censored, limit, a, b, _shared(seen, censored, a, b, steps)):
            p[part] = np.maximum(p_different(estimate), decision.attainable(alike.puzzles))
        families = p.reshape(steps, -1)
        claimed += sum(bool((decision.holm(family) < decision.ALPHA).any()) for family in families)
        alone += int((p < decision.ALPHA).sum())
    return asdict(alike) | {
        "benchmarks": benchmarks,
        "with_a_claim": claimed,
        "pairs": benchmarks * len(first),
        "pairs_alone": alone,
    }


def _shared(log_s: Floats, censored: Flags, a: Indices, b: Indices, benchmarks: int) -> Shared:
    """What processes vary by, from the pairs of each benchmark."""
    whole = ~np.asarray(censored.any(axis=2))
    found = columns(log_s[a] - log_s[b], whole[a] & whole[b])
    each = (benchmarks, -1)
    apart = Columns(
        found.by_columns.reshape(each), found.by_rest.reshape(each), found.freedom.reshape(each), found.replicates
    )
    shared = pooled(apart, len(log_s) // benchmarks)
    return Shared(shared.variance.ravel(), shared.doubt.ravel())


def _estimates(
    log_s: Floats, censored: Flags, limit: float, a: Indices, b: Indices, shared: Shared
) -> Iterator[tuple[Indices, Estimate, bool]]:
    """The estimates as ``contests`` makes them: which pairs, and whether it is their mean (else their median)."""
    near = np.asarray((log_s > limit + np.log(NEAR)).any(axis=(1, 2)))
    unlimited = ~(near[a] | near[b])
    for exact, figures in ((True, of_means), (False, of_medians)):
        part = np.flatnonzero(unlimited == exact)
        if len(part):
            yield part, figures(log_s, censored, a[part], b[part], shared[part])[0], exact


def kept(covered: pd.DataFrame, claims: pd.DataFrame) -> bool:
    """Coverage between 93 and 97% in every cell, and not more benchmarks with a claim than a rule of 5% makes in 97.5%
    of such studies."""
    most = stats.binom.ppf(0.975, claims["benchmarks"], decision.ALPHA)
    return bool(covered["as_said"].all() and (claims["with_a_claim"] <= most).all())


def as_said(covered: pd.DataFrame) -> pd.Series[bool]:
    """Is the coverage of each cell what it should be?

    Where the limit leaves the ratio of all puzzles open, an interval is to hold the whole range that it could be in. If
    that range has one end only, so has the interval, and then it misses half as often. An end that many puzzles share
    (ties) is missed less often still, as no interval can end within it.
    """
    one_end = np.isinf(covered["at_most"]) | (covered["at_least"] == 0)
    most = np.where(covered["end_shared"] > MANY, 1.0, BETWEEN[1] + (1 - CONFIDENCE) / 2 * one_end)
    return (BETWEEN[0] <= covered["held_range"]) & (covered["held_range"] <= most)


def main() -> int:
    covered = pd.DataFrame([coverage(cell, number) for number, cell in enumerate(cells())])
    covered["as_said"] = as_said(covered)
    claims = pd.DataFrame([false_claims(alike, number) for number, alike in enumerate(ALIKES)])
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, table in (("coverage.csv", covered), ("false_claims.csv", claims)):
        table.to_csv(FOLDER / name, index=False, lineterminator="\n", float_format="%.5g")
    outside = covered[~covered["as_said"]]
    print(f"coverage: {len(covered)} cells of {BENCHMARKS} benchmarks, {len(outside)} of them not as said")
    if len(outside):
        print(outside.to_string(index=False))
    print(claims[["name", "benchmarks", "with_a_claim"]].to_string(index=False))
    return 0 if kept(covered, claims) else 1


if __name__ == "__main__":
    sys.exit(main())
