"""Coverage of the intervals of pairs on simulated benchmarks of two strategies, also under a limit.

Harder puzzles have different ratios, so the puzzles beyond a limit are those that differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from studies.simulation import YES_NO, Rows, Simulation, crossed, tastes, under_limit
from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.comparable import NEAR
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.censored import puzzle_times
from sudoku_bench.bench.verdicts.pairs.decision import Estimate, interval
from sudoku_bench.bench.verdicts.pairs.pair_estimates import of_means, of_medians
from sudoku_bench.bench.verdicts.pairs.process_variance import ProcessVariance, process_variance

SEED = 2026
POPULATION = 400_000  # puzzles from which the truth is computed
SHARED_PROCESSES = 100  # puzzles of the population with the same processes
REPETITIONS = 5
TIED = 0.3  # share of puzzles, the easiest, that both strategies solve in the same time in cells with ties
ACCEPTED = (0.93, 0.98)  # coverage of a 95% interval
MANY = 0.05  # share of puzzles with the same ratio
ONE, BOTH = "one", "both"

Draw = Callable[[np.random.Generator, int, int], Floats]


def estimates(log_s: Floats, censored: Flags, limit: float = np.inf) -> Iterator[tuple[Indices, Estimate, bool]]:
    """Estimate all pairs of each benchmark as ``pair_estimates`` does.

    Args:
        log_s, censored: benchmarks × strategies × puzzles × repetitions.

    Yields:
        numbers of pairs, benchmark by benchmark; their estimate; whether it is of means.
    """
    benchmarks, strategies, *_ = log_s.shape
    first, second = np.triu_indices(strategies, 1)
    variances = process_variance(log_s, ~np.asarray(censored.any(axis=3)))[:, first, second]
    processes = ProcessVariance(variances.variance.ravel(), variances.freedom.ravel())
    offset = strategies * np.arange(benchmarks)[:, None]
    a, b = (offset + first).ravel(), (offset + second).ravel()
    log_s, censored = log_s.reshape(-1, *log_s.shape[2:]), censored.reshape(-1, *log_s.shape[2:])
    near = np.asarray((log_s > limit + np.log(NEAR)).any(axis=(1, 2)))
    unlimited = ~(near[a] | near[b])
    for is_mean, estimator in ((True, of_means), (False, of_medians)):
        part = np.flatnonzero(unlimited == is_mean)
        if len(part):
            yield part, estimator(log_s, censored, a[part], b[part], processes[part])[0], is_mean


def drawn(
    rng: np.random.Generator, benchmarks: int, puzzles: int, *, skew: bool, ties: bool, form: bool, limited: str
) -> Floats:
    """Draw log times: benchmarks × (slower, faster strategy) × puzzles × repetitions.

    Args:
        ties: both strategies solve the easiest puzzles in the same time, and clocks round to 1%.
        form: forms of a puzzle differ by a factor of 1.65 (one standard deviation), independently for each strategy.
        limited: strategies that reach a limit: ``one`` (almost only the slower one), or ``both`` on the same puzzles.
    """
    shape = (benchmarks, puzzles, 1)
    ratio, growth, slope = (2.0, 0.6, 0.2) if limited == ONE else (1.3, 0.5, 1.0)
    difficulty = rng.standard_normal(shape)
    taste = tastes(rng, shape, skew)
    faster = slope * difficulty + 0.3 * rng.standard_normal(shape)
    slower = faster + np.log(ratio) + growth * difficulty + 0.5 * taste
    noise = np.hypot(0.5 if form else 0.0, 0.02)
    measured = [
        log_s
        + 0.01 * rng.standard_normal((benchmarks, 1, REPETITIONS))
        + noise * rng.standard_normal((benchmarks, puzzles, REPETITIONS))
        for log_s in (slower, faster)
    ]
    if ties:
        measured[0] = np.where(difficulty < stats.norm.ppf(TIED), measured[1], measured[0])
        measured = [np.round(log_s, 2) for log_s in measured]
    return np.stack(measured, axis=1)


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


def truth(draw: Draw, beyond: float) -> Truth:
    """Compute the true values of a cell from a large population of puzzles."""
    # From many benchmarks, so that not all puzzles share a process.
    benchmarks = draw(np.random.default_rng([SEED, 0]), POPULATION // SHARED_PROCESSES, SHARED_PROCESSES)
    log_s = np.swapaxes(benchmarks, 0, 1).reshape(2, -1, REPETITIONS)
    limit = float(np.quantile(log_s[0], 1 - beyond)) if beyond else np.inf
    bounds = puzzle_times(*under_limit(log_s, limit))
    medians = np.median(log_s, axis=2)
    least, most = bounds.least[0] - bounds.most[1], bounds.most[0] - bounds.least[1]
    ends = float(np.median(least)), float(np.median(most))
    shared = max(float(np.isclose(values, end).mean()) for values, end in zip((least, most), ends, strict=True))
    mean, median = (log_s[0] - log_s[1]).mean(), np.median(medians[0] - medians[1])
    return Truth(limit, float(mean), float(median), *ends, shared if np.isfinite(ends).all() else 0.0)


def coverage(rng: np.random.Generator, draws: int, *, puzzles: int, beyond: float, **model: Any) -> Rows:
    """Count how often intervals cover the true ratio, and the range of possible true ratios under the limit.

    The true ratio is that of the estimator: the mean where the benchmark stays far below the limit, else the median.

    Args:
        beyond: share of the solves of the slower strategy that the limit cuts off.
        model: as for ``drawn``.
    """
    draw: Draw = partial(drawn, **model)
    true = truth(draw, beyond)
    measured, censored = under_limit(draw(rng, draws, puzzles), true.limit)
    covers_true, covers_range, bounded = (np.zeros(draws, dtype=np.bool_) for _ in range(3))
    for part, estimate, is_mean in estimates(measured, censored, true.limit):
        low, high = interval(estimate, decision.ALPHA)
        ratio = true.mean if is_mean else true.median
        ends = (true.mean, true.mean) if is_mean else (true.least, true.most)
        covers_true[part] = (low <= ratio) & (ratio <= high)
        covers_range[part] = (low <= ends[0]) & (ends[1] <= high)
        bounded[part] = np.isfinite(low) & np.isfinite(high)
    row = {
        "benchmarks": draws,
        "held": covers_true.mean(),
        "held_range": covers_range.mean(),
        "two_ends": bounded.mean(),
        "at_least": np.exp(true.least if beyond else true.mean),
        "true": np.exp(true.median if beyond else true.mean),
        "at_most": np.exp(true.most if beyond else true.mean),
        "end_shared": true.shared if beyond else 0.0,
    }
    return [row | {"as_said": is_accepted(row)}]


def is_accepted(row: Mapping[str, Any]) -> bool:
    """Return whether the coverage of a cell is acceptable.

    Where the limit leaves the ratio of all puzzles open, an interval should cover the whole range of possible ratios.
    If that range has one end only, so has the interval, which then misses half as often. An end that many puzzles share
    (ties) is missed even less often, because no interval can end within it.
    """
    one_end = np.isinf(row["at_most"]) or row["at_least"] == 0
    most = 1.0 if row["end_shared"] > MANY else ACCEPTED[1] + decision.ALPHA / 2 * one_end
    return bool(ACCEPTED[0] <= row["held_range"] <= most)


COVERAGE = Simulation(
    title="coverage of the intervals of two strategies, also under a limit (5 minutes)",
    file="coverage.csv",
    cells=[  # those with the most beyond the limit of both are nearest to what is accepted: four times as many draws
        {**cell, **limit, **({"draws": 10_000} if limit["beyond"] == 0.4 and limit["limited"] == BOTH else {})}
        for cell in crossed(puzzles=(15, 20, 40, 100), skew=YES_NO, ties=YES_NO, form=YES_NO)
        for limit in ({"beyond": 0.0, "limited": ONE}, *crossed(beyond=(0.1, 0.2, 0.4), limited=(ONE, BOTH)))
    ],
    measure=coverage,
    draws=2_500,  # so the share of a cell is known to 0.9 points
    seed=(SEED, 1),
    digits=5,
    held=lambda table: bool(table["as_said"].all()),
)
