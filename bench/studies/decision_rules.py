"""Rules that decide which of two strategies is faster, on benchmarks from a real run: ``make validate-decisions``.

The study takes the rows of a run and draws benchmarks from them whose truth is known. For each collection it draws
puzzles with replacement, for each puzzle and replicate one of the deviations that its replicates had (the same for all
strategies, which solve the same form), and for each strategy and replicate a process, with the variance that the run
shows for that strategy. The mean log times of strategies are then set: four groups of equals, some per cent apart, or
all equal. Tastes, skewness, noise and processes remain those of the run.

Every rule decides the same benchmarks. The table has the share of benchmarks with a false claim (family-wise error,
for the report and for the worst collection alone), the mean share of false claims among claims, and the mean number of
true claims. Nothing is measured.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from bench.verdicts.arrays import Flags, Floats
from bench.verdicts.comparable import CPU
from bench.verdicts.pairs import decision, noise, process_variance
from bench.verdicts.pairs.means import Means, means
from bench.verdicts.pairs.pair_estimates import of_clusters, pair_blocks
from bench.verdicts.pairs.paired import compare
from bench.verdicts.pairs.process_variance import ProcessVariance, RepetitionVariances
from bench.verdicts.pairs.winsorized import winsorized
from bench.verdicts.run_data import RunData, read

RUN = Path("results/reference")
RESULT = Path("results/validation/decision_rules.csv")
SEED = 2026
CHOSEN = "pairs.csv: the same, with logical restrictions"
GROUPS = 4
MARGIN = math.log(1.05)
POOL_ALPHA = 0.01
TINY = 1e-300


@dataclass(frozen=True)
class Source:
    """What a run says about one collection.

    Attributes:
        taste: log time of each strategy on each puzzle, less the strategy's mean: strategies × puzzles.
        deviation: what a replicate adds to it, processes left out: strategies × puzzles × replicates.
        process: standard deviation of each strategy's processes.
        placebos: log ratios of instrument placebos to their strategies, less the means of replicates (puzzles ×
            replicates), each with the standard deviation of its processes.
    """

    strategies: tuple[str, ...]
    taste: Floats
    deviation: Floats
    process: Floats
    placebos: tuple[tuple[Floats, float], ...]


@dataclass(frozen=True)
class Cell:
    """Benchmarks of one truth: ``step`` is the distance of the groups (log ratio; 0: all are equal); ``uneven``: the
    variance of a strategy's processes is four times as large on some collections as on others."""

    name: str
    step: float
    replicates: int
    benchmarks: int
    uneven: bool = False


CELLS = (
    Cell("groups of equals, 10% apart", math.log(1.1), 3, 100),
    Cell("groups of equals, 20% apart", math.log(1.2), 3, 100),
    Cell("groups of equals, 20% apart, five repetitions", math.log(1.2), 5, 100),
    Cell("all equal", 0.0, 3, 600),
    Cell("all equal, processes uneven", 0.0, 3, 600, uneven=True),
    Cell("all equal, five repetitions", 0.0, 5, 600),
)


@dataclass(frozen=True)
class Drawn:
    """One collection of one benchmark: log times (strategies × puzzles × replicates), true means, floor."""

    log_s: Floats
    truth: Floats
    floor: float

    @property
    def pairs(self) -> tuple[Any, Any]:
        return np.triu_indices(len(self.truth), 1)

    @property
    def equal(self) -> Flags:
        a, b = self.pairs
        result: Flags = np.isclose(self.truth[a], self.truth[b])
        return result


def sources(run: RunData) -> list[Source]:
    """Return what the run says about each collection, strategies near the limit left out."""
    tables, variances = [], []
    for pairs in pair_blocks(run):
        block = pairs.block
        if block.clock == CPU:
            keep = [i for i, name in enumerate(block.times.strategies) if name not in block.near]
            log_s = of_clusters(pairs, block.times.log_s)[0][keep]
            tables.append((block.collection, tuple(block.times.strategies[i] for i in keep), log_s))
            variances.append(measured(log_s))
    own = process_variance.over_collections([names for _, names, _ in tables], variances)
    process: dict[str, list[float]] = {}
    for (_, names, log_s), part in zip(tables, own, strict=True):
        each = _solved(part.variance) * log_s.shape[2]
        for name, value in zip(names, each, strict=True):
            process.setdefault(name, []).append(float(value))
    deviations = {name: math.sqrt(max(float(np.median(values)), 1e-6)) for name, values in process.items()}
    return [_source(run, *table, deviations) for table in tables]


def _solved(variance: Floats) -> Floats:
    """Return the variance of each strategy from the sums of all pairs."""
    strategies = len(variance)
    off = 1.0 - np.eye(strategies)
    matrix = off + (strategies - 1.0) * np.eye(strategies)
    each: Floats = np.linalg.solve(matrix, (variance * off).sum(axis=1))
    return each


def _source(run: RunData, collection: str, names: tuple[str, ...], log_s: Floats, process: dict[str, float]) -> Source:
    _, puzzles, replicates = log_s.shape
    by_puzzle = log_s.mean(axis=2)
    deviation = log_s - by_puzzle[:, :, None]
    deviation = deviation - deviation.mean(axis=1, keepdims=True)
    # Deviations from an estimated mean are smaller than those from the true one.
    deviation *= math.sqrt(replicates / (replicates - 1) * puzzles / (puzzles - 1))
    rows = run.measurements[(run.measurements["collection"] == collection) & run.measurements["decoy"].isna()]
    placebos = []
    for label, group in rows[rows["placebo"] == "instrument"].groupby("strategy"):
        name = str(label).partition(") ")[2]
        logs = noise.log_ratios(group, rows[rows["strategy"] == name]).to_numpy()
        if len(logs) > 1 and name in process:
            placebos.append((logs - logs.mean(axis=0), process[name]))
    own = np.array([process[name] for name in names])
    taste = by_puzzle - by_puzzle.mean(axis=1, keepdims=True)
    return Source(names, taste, deviation, own, tuple(placebos))


def drawn(source: Source, cell: Cell, rng: np.random.Generator) -> Drawn:
    """Draw one collection of a benchmark."""
    strategies, puzzles, replicates = source.deviation.shape
    truth: Floats = np.float64(cell.step) * (np.arange(strategies) % GROUPS)
    scale = np.where(rng.random(strategies) < 0.5, 2.0, 1.0) if cell.uneven else np.ones(strategies)
    chosen = rng.integers(puzzles, size=puzzles)
    form = rng.integers(replicates, size=(puzzles, cell.replicates))
    deviation = np.take_along_axis(source.deviation[:, chosen], form[None], axis=2)
    log_s = truth[:, None, None] + source.taste[:, chosen][:, :, None] + deviation
    log_s = log_s + (scale * source.process)[:, None, None] * rng.standard_normal((strategies, 1, cell.replicates))
    return Drawn(log_s, truth, max((_floor(*placebo, cell, rng) for placebo in source.placebos), default=0.0))


def _floor(logs: Floats, process: float, cell: Cell, rng: np.random.Generator) -> float:
    """Return the end of a placebo's interval that is further from 1, as a log ratio."""
    puzzles, replicates = logs.shape
    chosen = rng.integers(puzzles, size=(puzzles, 1)), rng.integers(replicates, size=(puzzles, cell.replicates))
    table = logs[chosen] + math.sqrt(2) * process * rng.standard_normal(cell.replicates)
    resolvable = noise.resolvable(compare(table))
    return math.log(resolvable) if resolvable else 0.0


def measured(log_s: Floats) -> RepetitionVariances:
    """Return the variances of complete tables between and within replicates."""
    return process_variance.repetition_variances(log_s, np.ones(log_s.shape[:-1], dtype=np.bool_))


def pooled(log_s: Floats) -> ProcessVariance:
    """Return the process variance as it was until version 2: one for all pairs, unless a pair varies far more."""
    both = measured(log_s)
    a, b = np.triu_indices(len(log_s), 1)
    between, within, freedom = both.between[a, b], both.within[a, b], float(both.freedom[0, 0])
    mean = 0.0
    for _ in range(5):
        weight = 1 / np.maximum(within + mean, TINY) ** 2
        weight /= weight.sum()
        mean = max(0.0, float((weight * (between - within)).sum()))
    strategies, effective = len(log_s), 1 / float((weight**2).sum())
    of_mean = freedom * max(1.0, (strategies - 1) * effective / len(a))
    critical = stats.f.isf(POOL_ALPHA, freedom, of_mean)
    own = between > (mean + within) * critical
    noise_within = within**2 / ((log_s.shape[1] - 1) * freedom)
    return ProcessVariance(
        np.where(own, np.maximum(0.0, between - within), mean),
        np.where(own, between**2 / freedom + noise_within, (mean + float((weight * within).sum())) ** 2 / of_mean),
    )


def own_variances(collections: Sequence[Drawn]) -> list[ProcessVariance]:
    """Return the process variance as pairs.csv uses it."""
    names = [tuple(str(number) for number in range(len(part.truth))) for part in collections]
    processes = process_variance.over_collections(names, [measured(part.log_s) for part in collections])
    return [variance[part.pairs] for variance, part in zip(processes, collections, strict=True)]


def of_means(collections: Sequence[Drawn], processes: Sequence[ProcessVariance]) -> list[Means]:
    """Return the mean log ratios of all pairs of each collection."""
    return [
        means(part.log_s[part.pairs[0]] - part.log_s[part.pairs[1]], variance)
        for part, variance in zip(collections, processes, strict=True)
    ]


def with_limited_outliers(collections: Sequence[Drawn]) -> list[Drawn]:
    """Return the same with log times as pairs.csv uses them."""
    return [
        replace(part, log_s=winsorized(part.log_s, np.zeros(part.log_s.shape, dtype=np.bool_))) for part in collections
    ]


def of_puzzle_medians(collections: Sequence[Drawn], processes: Sequence[ProcessVariance]) -> list[Means]:
    """Return the means over puzzles of the ratios of median times."""
    factor = math.pi / 2
    larger = [ProcessVariance(factor * part.variance, factor**2 * part.half_variance) for part in processes]
    typical = [replace(part, log_s=np.median(part.log_s, axis=2, keepdims=True)) for part in collections]
    return of_means(typical, larger)


def plain(estimates: Sequence[Means]) -> list[Means]:
    """Return the same without the correction for skewness."""
    return [replace(estimate, skewness=np.zeros_like(estimate.mean)) for estimate in estimates]


Claims = list[Flags]


def claims(
    estimates: Sequence[Means], puzzles: Sequence[int], adjust: Callable[[Floats], Floats], margin: float = 0.0
) -> Claims:
    """Return the claimed differences, with one family over all collections."""
    p = [
        np.maximum(decision.p_beyond_margin(estimate, margin), decision.attainable(n))
        for estimate, n in zip(estimates, puzzles, strict=True)
    ]
    return np.split(adjust(np.concatenate(p)) < decision.ALPHA, np.cumsum([len(part) for part in p])[:-1])


def beyond_floor(estimates: Sequence[Means], collections: Sequence[Drawn]) -> Claims:
    """Return the pairs whose Bonferroni interval lies beyond the floor of the placebos."""
    family = sum(len(estimate.mean) for estimate in estimates)
    result = []
    for estimate, part in zip(estimates, collections, strict=True):
        low, high = decision.interval(estimate, decision.ALPHA / family)
        result.append((low > part.floor) | (high < -part.floor))
    return result


def _equalities(collections: Sequence[Drawn]) -> decision.Transitive:
    a, b = (np.concatenate([part.pairs[side] for part in collections]) for side in (0, 1))
    sizes = [len(part.equal) for part in collections]
    return decision.Transitive(np.repeat(np.arange(len(collections)), sizes), a, b)


def _restricted(p: Floats, equalities: decision.Transitive) -> Floats:
    return decision.step_down(p, equalities)[0]


def rules(collections: Sequence[Drawn]) -> Iterator[tuple[str, Claims]]:
    """Yield each rule with its claims; ``CHOSEN`` is the rule of ``pairs.csv``."""
    puzzles = [part.log_s.shape[1] for part in collections]
    one = [pooled(part.log_s) for part in collections]
    before, as_measured = of_means(collections, one), of_means(collections, own_variances(collections))
    limited = with_limited_outliers(collections)
    own = own_variances(limited)
    now = of_means(limited, own)
    holm = claims(before, puzzles, decision.holm)
    floors = beyond_floor(before, collections)
    yield "until version 2: floor of the placebos", [p & f for p, f in zip(holm, floors, strict=True)]
    yield "the same without a floor", holm
    yield (
        "t on puzzle medians, own process variances",
        claims(plain(of_puzzle_medians(limited, own)), puzzles, decision.holm),
    )
    yield "t on means, own process variances", claims(plain(now), puzzles, decision.holm)
    yield "means, skewness corrected, own process variances", claims(now, puzzles, decision.holm)
    restricted = partial(_restricted, equalities=_equalities(collections))
    yield CHOSEN, claims(now, puzzles, restricted)
    yield "the same, outliers not limited", claims(as_measured, puzzles, restricted)
    yield "the same, Holm, against the margin", claims(now, puzzles, decision.holm, MARGIN)
    yield (
        "the same, Holm, family within a collection",
        [claims([part], [n], decision.holm)[0] for part, n in zip(now, puzzles, strict=True)],
    )
    yield "the same, false discovery rate", claims(now, puzzles, stats.false_discovery_control)


def count(some: Sequence[Source], cell: Cell, number: int) -> list[dict[str, Any]]:
    """Return one row per rule: errors and true claims on the benchmarks of a cell."""
    rng = np.random.default_rng([SEED, number])
    rows: dict[str, list[tuple[bool, Floats, float, int]]] = {}
    for _ in range(cell.benchmarks):
        collections = [drawn(source, cell, rng) for source in some]
        for name, result in rules(collections):
            false = np.array([int((part & c.equal).sum()) for part, c in zip(result, collections, strict=True)])
            true = sum(int((part & ~c.equal).sum()) for part, c in zip(result, collections, strict=True))
            share = false.sum() / max(1, false.sum() + true)
            rows.setdefault(name, []).append((bool(false.any()), (false > 0).astype(np.float64), float(share), true))
    different = sum(int((~c.equal).sum()) for c in collections)
    return [
        {
            "cell": cell.name,
            "rule": name,
            "benchmarks": cell.benchmarks,
            "with_a_false_claim": sum(row[0] for row in part),
            "worst_collection": int(np.sum([row[1] for row in part], axis=0).max()),
            "false_share": float(np.mean([row[2] for row in part])),
            "true_claims": float(np.mean([row[3] for row in part])),
            "different": different,
        }
        for name, part in rows.items()
    ]


def main() -> int:
    some = sources(read(RUN, RunData))
    table = pd.DataFrame([row for number, cell in enumerate(CELLS) for row in count(some, cell, number)])
    table.to_csv(RESULT, index=False, lineterminator="\n", float_format="%.4g")
    with pd.option_context("display.width", 200, "display.max_colwidth", 60):
        for cell, part in table.groupby("cell", sort=False):
            print(f"{cell}:\n{part.drop(columns='cell').to_string(index=False)}\n")
    return 0


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m bench.studies.decision_rules", description=__doc__).parse_args()
    sys.exit(main())
