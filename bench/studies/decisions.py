"""Rules that decide which of two strategies is faster, on benchmarks drawn from the reference run.

For each collection of the run, puzzles are drawn with replacement, for each puzzle and repetition one of the deviations
that its repetitions had (the same for all strategies, which solve the same form), and for each strategy and repetition
a process, with the variance that the run shows for that strategy. The mean log times of strategies are then set: four
groups of equals, some per cent apart, or all equal. Tastes, skewness, noise and processes remain those of the run.

Every rule decides the same benchmarks. Counted are the benchmarks with a false claim (family-wise error, for the report
and for the worst collection alone), the mean share of false claims among claims, and the mean number of true claims.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from scipy import stats

from bench.studies.document import TOP
from bench.studies.simulation import Rows, Simulation
from bench.verdicts.arrays import Flags, Floats, Indices
from bench.verdicts.comparable import CPU
from bench.verdicts.lineages import cluster_means
from bench.verdicts.pairs import decision, noise, process_variance
from bench.verdicts.pairs.means import Means, means
from bench.verdicts.pairs.pair_estimates import pair_blocks
from bench.verdicts.pairs.paired import compare
from bench.verdicts.pairs.process_variance import ProcessVariance, RepetitionVariances
from bench.verdicts.pairs.winsorized import winsorized
from bench.verdicts.run_data import RunData, read

RUN = TOP / "results" / "reference"
CHOSEN = "pairs.csv: the same, with logical restrictions"
GROUPS = 4
MARGIN = math.log(1.05)
POOL_ALPHA = 0.01
TINY = 1e-300


@dataclass(frozen=True)
class Model:
    """Benchmarks of one truth.

    Attributes:
        step: distance of the groups (log ratio; 0: all are equal).
        uneven: the variance of a strategy's processes is four times as large on some collections as on others.
    """

    step: float
    repetitions: int
    uneven: bool = False


EQUALS, OTHERS = 600, 100  # benchmarks in which all are equal, and of groups
MODELS = {
    "groups of equals, 10% apart": Model(math.log(1.1), 3),
    "groups of equals, 20% apart": Model(math.log(1.2), 3),
    "groups of equals, 20% apart, five repetitions": Model(math.log(1.2), 5),
    "all equal": Model(0.0, 3),
    "all equal, processes uneven": Model(0.0, 3, uneven=True),
    "all equal, five repetitions": Model(0.0, 5),
}


@dataclass(frozen=True)
class Placebo:
    """An instrument placebo.

    Attributes:
        log_ratio: to its strategy, less the means of repetitions: puzzles × repetitions.
        process: standard deviation of the strategy's processes.
    """

    log_ratio: Floats
    process: float

    def floor(self, repetitions: int, rng: np.random.Generator) -> float:
        """Draw its times; return the end of its interval that is further from 1, as a log ratio."""
        puzzles, measured = self.log_ratio.shape
        chosen = rng.integers(puzzles, size=(puzzles, 1)), rng.integers(measured, size=(puzzles, repetitions))
        table = self.log_ratio[chosen] + math.sqrt(2) * self.process * rng.standard_normal(repetitions)
        resolvable = noise.resolvable(compare(table))
        return math.log(resolvable) if resolvable else 0.0


@dataclass(frozen=True)
class Source:
    """What a run says about one collection.

    Attributes:
        taste: log time of each strategy on each puzzle, less the strategy's mean: strategies × puzzles.
        deviation: what a repetition adds to it, processes left out: strategies × puzzles × repetitions.
        process: standard deviation of each strategy's processes.
    """

    taste: Floats
    deviation: Floats
    process: Floats
    placebos: tuple[Placebo, ...]


@dataclass(frozen=True)
class Drawn:
    """One collection of one benchmark: log times (strategies × puzzles × repetitions), true means, floor."""

    log_s: Floats
    truth: Floats
    floor: float

    @property
    def pairs(self) -> tuple[Indices, Indices]:
        a, b = np.triu_indices(len(self.truth), 1)
        return a, b

    @property
    def equal(self) -> Flags:
        a, b = self.pairs
        return np.asarray(np.isclose(self.truth[a], self.truth[b]))


class Measured(NamedTuple):
    """Log times of one collection: strategies × puzzles (or lineages) × repetitions."""

    collection: str
    strategies: tuple[str, ...]
    log_s: Floats


@cache
def sources() -> list[Source]:
    """Return what the reference run says about each collection, strategies near the limit left out."""
    run, tables = read(RUN, RunData), []
    for pairs in pair_blocks(run):
        block, times = pairs.block, pairs.block.times
        if block.clock == CPU:
            keep = [i for i, name in enumerate(times.strategies) if name not in block.near]
            log_s = cluster_means(times.log_s, times.censored, pairs.cluster)[0][keep]
            tables.append(Measured(block.collection, tuple(times.strategies[i] for i in keep), log_s))
    names = [table.strategies for table in tables]
    own = process_variance.over_collections(names, [variances(table.log_s) for table in tables])
    of_names: dict[str, list[float]] = {}
    for table, part in zip(tables, own, strict=True):
        number = len(table.strategies)
        off = 1.0 - np.eye(number)  # the variance of each strategy, from the sums of all pairs
        of_each = np.linalg.solve(off + (number - 1.0) * np.eye(number), (part.variance * off).sum(axis=1))
        for name, variance in zip(table.strategies, of_each * table.log_s.shape[2], strict=True):
            of_names.setdefault(name, []).append(float(variance))
    process = {name: math.sqrt(max(float(np.median(values)), 1e-6)) for name, values in of_names.items()}
    return [source(run, table, process) for table in tables]


def source(run: RunData, table: Measured, process: dict[str, float]) -> Source:
    """Return what a run says about a collection, given the deviations of processes by strategy."""
    _, puzzles, repetitions = table.log_s.shape
    by_puzzle = table.log_s.mean(axis=2)
    deviation = table.log_s - by_puzzle[:, :, None]
    deviation = deviation - deviation.mean(axis=1, keepdims=True)
    # Deviations from an estimated mean are smaller than those from the true one.
    deviation *= math.sqrt(repetitions / (repetitions - 1) * puzzles / (puzzles - 1))
    rows = run.measurements[(run.measurements["collection"] == table.collection) & run.measurements["decoy"].isna()]
    placebos = []
    for label, group in rows[rows["placebo"] == "instrument"].groupby("strategy"):
        name = str(label).partition(") ")[2]
        logs = noise.log_ratios(group, rows[rows["strategy"] == name]).to_numpy()
        if len(logs) > 1 and name in process:
            placebos.append(Placebo(logs - logs.mean(axis=0), process[name]))
    taste = by_puzzle - by_puzzle.mean(axis=1, keepdims=True)
    return Source(taste, deviation, np.array([process[name] for name in table.strategies]), tuple(placebos))


def drawn(source: Source, model: Model, rng: np.random.Generator) -> Drawn:
    """Draw one collection of a benchmark."""
    strategies, puzzles, repetitions = source.deviation.shape
    truth: Floats = np.float64(model.step) * (np.arange(strategies) % GROUPS)
    scale = np.where(rng.random(strategies) < 0.5, 2.0, 1.0) if model.uneven else np.ones(strategies)
    chosen = rng.integers(puzzles, size=puzzles)
    form = rng.integers(repetitions, size=(puzzles, model.repetitions))
    deviation = np.take_along_axis(source.deviation[:, chosen], form[None], axis=2)
    log_s = truth[:, None, None] + source.taste[:, chosen][:, :, None] + deviation
    log_s = log_s + (scale * source.process)[:, None, None] * rng.standard_normal((strategies, 1, model.repetitions))
    floor = max((placebo.floor(model.repetitions, rng) for placebo in source.placebos), default=0.0)
    return Drawn(log_s, truth, floor)


def variances(log_s: Floats) -> RepetitionVariances:
    """Return the variances of complete tables between and within repetitions."""
    return process_variance.repetition_variances(log_s, np.ones(log_s.shape[:-1], dtype=np.bool_))


def pooled(log_s: Floats) -> ProcessVariance:
    """Return the process variance as it was until version 2: one for all pairs, unless a pair varies far more."""
    both = variances(log_s)
    a, b = np.triu_indices(len(log_s), 1)
    between, within, freedom = both.between[a, b], both.within[a, b], float(both.freedom[0, 0])
    mean = 0.0
    for _ in range(5):
        weight = 1 / np.maximum(within + mean, TINY) ** 2
        weight /= weight.sum()
        mean = max(0.0, float((weight * (between - within)).sum()))
    strategies, effective = len(log_s), 1 / float((weight**2).sum())
    of_mean = freedom * max(1.0, (strategies - 1) * effective / len(a))
    own = between > (mean + within) * stats.f.isf(POOL_ALPHA, freedom, of_mean)
    noise_within = within**2 / ((log_s.shape[1] - 1) * freedom)
    return ProcessVariance(
        np.where(own, np.maximum(0.0, between - within), mean),
        np.where(own, between**2 / freedom + noise_within, (mean + float((weight * within).sum())) ** 2 / of_mean),
    )


def own_variances(collections: Sequence[Drawn]) -> list[ProcessVariance]:
    """Return the process variance as pairs.csv uses it."""
    names = [tuple(str(number) for number in range(len(part.truth))) for part in collections]
    processes = process_variance.over_collections(names, [variances(part.log_s) for part in collections])
    return [variance[part.pairs] for variance, part in zip(processes, collections, strict=True)]


def of_means(collections: Sequence[Drawn], processes: Sequence[ProcessVariance]) -> list[Means]:
    """Return the mean log ratios of all pairs of each collection."""
    return [
        means(part.log_s[part.pairs[0]] - part.log_s[part.pairs[1]], variance)
        for part, variance in zip(collections, processes, strict=True)
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
Adjustment = Callable[[Floats], Floats]


def claims(estimates: Sequence[Means], puzzles: Sequence[int], adjust: Adjustment, margin: float = 0.0) -> Claims:
    """Return the claimed differences, with one family over all collections."""
    p = [
        np.maximum(decision.p_beyond_margin(estimate, margin), decision.attainable(n))
        for estimate, n in zip(estimates, puzzles, strict=True)
    ]
    return np.split(adjust(np.concatenate(p)) < decision.ALPHA, np.cumsum([len(part) for part in p])[:-1])


def beyond_floor(estimates: Sequence[Means], collections: Sequence[Drawn]) -> Claims:
    """Return the pairs whose Bonferroni interval lies beyond the floor of the placebos."""
    alpha = decision.ALPHA / sum(len(estimate.mean) for estimate in estimates)
    ends = [decision.interval(estimate, alpha) for estimate in estimates]
    return [(low > c.floor) | (high < -c.floor) for (low, high), c in zip(ends, collections, strict=True)]


def restriction(collections: Sequence[Drawn]) -> Adjustment:
    """Return the adjustment that uses the logical restrictions between the pairs of each collection."""
    a, b = (np.concatenate([part.pairs[side] for part in collections]) for side in (0, 1))
    numbers = np.repeat(np.arange(len(collections)), [len(part.equal) for part in collections])
    equalities = decision.Transitive(numbers, a, b)
    return lambda p: decision.step_down(p, equalities)[0]


def rules(collections: Sequence[Drawn]) -> Iterator[tuple[str, Claims]]:
    """Yield each rule with its claims; ``CHOSEN`` is the rule of ``pairs.csv``."""
    puzzles = [part.log_s.shape[1] for part in collections]
    before = of_means(collections, [pooled(part.log_s) for part in collections])
    as_measured = of_means(collections, own_variances(collections))
    limited = [replace(c, log_s=winsorized(c.log_s, np.zeros(c.log_s.shape, dtype=np.bool_))) for c in collections]
    own = own_variances(limited)
    now, medians = of_means(limited, own), of_puzzle_medians(limited, own)
    holm, restricted = partial(claims, puzzles=puzzles, adjust=decision.holm), restriction(collections)
    floors = beyond_floor(before, collections)
    yield "until version 2: floor of the placebos", [p & f for p, f in zip(holm(before), floors, strict=True)]
    yield "the same without a floor", holm(before)
    yield "t on puzzle medians, own process variances", holm(plain(medians))
    yield "t on means, own process variances", holm(plain(now))
    yield "means, skewness corrected, own process variances", holm(now)
    yield CHOSEN, claims(now, puzzles, restricted)
    yield "the same, outliers not limited", claims(as_measured, puzzles, restricted)
    yield "the same, Holm, against the margin", holm(now, margin=MARGIN)
    within = [claims([part], [n], decision.holm)[0] for part, n in zip(now, puzzles, strict=True)]
    yield "the same, Holm, family within a collection", within
    yield "the same, false discovery rate", claims(now, puzzles, stats.false_discovery_control)


def count(rng: np.random.Generator, draws: int, cell: str) -> Rows:
    """Return one row per rule: errors and true claims on the benchmarks of a model.

    Args:
        cell: name of the model.
    """
    counts: dict[str, list[list[int]]] = {}  # false claims of each collection, and true ones, of each benchmark
    for _ in range(draws):
        collections = [drawn(source, MODELS[cell], rng) for source in sources()]
        for rule, claimed in rules(collections):
            false = [int((part & c.equal).sum()) for part, c in zip(claimed, collections, strict=True)]
            counts.setdefault(rule, []).append([*false, sum(int(part.sum()) for part in claimed) - sum(false)])
    different = sum(int((~c.equal).sum()) for c in collections)
    rows: Rows = []
    for rule, of_rule in counts.items():
        *of_collections, true = np.array(of_rule).T
        errors = np.array(of_collections)
        share = errors.sum(axis=0) / np.maximum(1, errors.sum(axis=0) + true)
        facts = {
            "with_a_false_claim": int(errors.any(axis=0).sum()),
            "worst_collection": (errors > 0).sum(axis=1).max(),
        }
        means = {"false_share": float(share.mean()), "true_claims": float(true.mean())}
        rows.append({"rule": rule, "benchmarks": draws, **facts, **means, "different": different})
    return rows


DECISIONS = Simulation(
    title="rules of decision on benchmarks drawn from the reference run (3 minutes)",
    file="decision_rules.csv",
    cells=[{"cell": name, "draws": OTHERS if model.step else EQUALS} for name, model in MODELS.items()],
    measure=count,
    draws=OTHERS,
    seed=(2026,),
)
