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
import pandas as pd
from scipy import stats

from bench.studies import document
from bench.studies.simulation import Rows, Simulation, within_level
from bench.verdicts.arrays import Flags, Floats, Indices
from bench.verdicts.comparable import CPU
from bench.verdicts.lineages import cluster_means
from bench.verdicts.pairs import decision, process_variance
from bench.verdicts.pairs.means import Means, means
from bench.verdicts.pairs.pair_estimates import pair_blocks
from bench.verdicts.pairs.process_variance import RepetitionVariances
from bench.verdicts.pairs.winsorized import winsorized
from bench.verdicts.run_data import RunData, read

RUN = document.TOP / "results" / "reference"
CHOSEN = "pairs.csv: the same, with logical restrictions"
GROUPS = 4
MARGIN = math.log(1.05)


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


@dataclass(frozen=True)
class Drawn:
    """One collection of one benchmark: log times (strategies × puzzles × repetitions), and true means."""

    log_s: Floats
    truth: Floats

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
    return [source(table, process) for table in tables]


def source(table: Measured, process: dict[str, float]) -> Source:
    """Return what a run says about a collection, given the deviations of processes by strategy."""
    _, puzzles, repetitions = table.log_s.shape
    by_puzzle = table.log_s.mean(axis=2)
    deviation = table.log_s - by_puzzle[:, :, None]
    deviation = deviation - deviation.mean(axis=1, keepdims=True)
    # Deviations from an estimated mean are smaller than those from the true one.
    deviation *= math.sqrt(repetitions / (repetitions - 1) * puzzles / (puzzles - 1))
    taste = by_puzzle - by_puzzle.mean(axis=1, keepdims=True)
    return Source(taste, deviation, np.array([process[name] for name in table.strategies]))


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
    return Drawn(log_s, truth)


def variances(log_s: Floats) -> RepetitionVariances:
    """Return the variances of complete tables between and within repetitions."""
    return process_variance.repetition_variances(log_s, np.ones(log_s.shape[:-1], dtype=np.bool_))


def of_means(collections: Sequence[Drawn]) -> list[Means]:
    """Return the mean log ratios of all pairs of each collection, with the process variances of ``pairs.csv``."""
    names = [tuple(str(number) for number in range(len(part.truth))) for part in collections]
    processes = process_variance.over_collections(names, [variances(part.log_s) for part in collections])
    return [
        means(part.log_s[part.pairs[0]] - part.log_s[part.pairs[1]], variance[part.pairs])
        for part, variance in zip(collections, processes, strict=True)
    ]


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


def restriction(collections: Sequence[Drawn]) -> Adjustment:
    """Return the adjustment that uses the logical restrictions between the pairs of each collection."""
    a, b = (np.concatenate([part.pairs[side] for part in collections]) for side in (0, 1))
    numbers = np.repeat(np.arange(len(collections)), [len(part.equal) for part in collections])
    equalities = decision.Transitive(numbers, a, b)
    return lambda p: decision.step_down(p, equalities)[0]


def rules(collections: Sequence[Drawn]) -> Iterator[tuple[str, Claims]]:
    """Yield each rule with its claims; ``CHOSEN`` is the rule of ``pairs.csv``."""
    puzzles = [part.log_s.shape[1] for part in collections]
    limited = [replace(c, log_s=winsorized(c.log_s, np.zeros(c.log_s.shape, dtype=np.bool_))) for c in collections]
    estimates, restricted = of_means(limited), restriction(collections)
    holm = partial(claims, puzzles=puzzles, adjust=decision.holm)
    yield "t on means, own process variances", holm(plain(estimates))
    yield "means, skewness corrected, own process variances", holm(estimates)
    yield CHOSEN, claims(estimates, puzzles, restricted)
    yield "the same, outliers not limited", claims(of_means(collections), puzzles, restricted)
    yield "the same, Holm, against the margin", holm(estimates, margin=MARGIN)
    within = [claims([part], [n], decision.holm)[0] for part, n in zip(estimates, puzzles, strict=True)]
    yield "the same, Holm, family within a collection", within
    yield "the same, false discovery rate", claims(estimates, puzzles, stats.false_discovery_control)


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


def markdown(table: pd.DataFrame) -> str:
    """Return for each rule its largest errors, and the mean numbers of differences that it finds."""
    rows = []
    for rule, group in table.groupby("rule", sort=False):
        is_equal, errors = group["different"] == 0, group["with_a_false_claim"] / group["benchmarks"]
        found = [f"{row['true_claims']:.0f} of {row['different']}" for row in group[~is_equal].to_dict("records")]
        rows.append([str(rule), f"{errors[~is_equal].max():.1%}", f"{errors[is_equal].max():.1%}", *found])
    claims = [f"true claims, {cell}" for cell in table.loc[table["different"] > 0, "cell"].unique()]
    return document.table(["rule", "largest error, groups", "largest error, all equal", *claims], rows)


def is_held(table: pd.DataFrame) -> bool:
    chosen = table[table["rule"] == CHOSEN]
    return within_level(chosen["with_a_false_claim"], chosen["benchmarks"], decision.ALPHA)


DECISIONS = Simulation(
    title="rules of decision on benchmarks drawn from the reference run (3 minutes)",
    file="decision_rules.csv",
    cells=[{"cell": name, "draws": OTHERS if model.step else EQUALS} for name, model in MODELS.items()],
    measure=count,
    draws=OTHERS,
    seed=(2026,),
    held=is_held,
    markdown=markdown,
)
