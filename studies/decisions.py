"""Rules that decide which of two strategies is faster, on benchmarks drawn from the reference run.

For each collection of the run, puzzles are drawn with replacement, for each puzzle and repetition one of the deviations
that its repetitions had (the same for all strategies, which solve the same form), and for each strategy and repetition
a process, with the variance that the run shows for that strategy. The mean log times of strategies are then set: four
groups of equals, some per cent apart, or all equal. Tastes, skewness, noise and processes remain those of the run.

Every rule decides the same benchmarks. Counted are the benchmarks with a false claim, and the mean number of
strategies that are rightly called slower than the best of their collection.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from studies import document
from studies.reports import LOG_MARGIN, pair_block
from studies.simulation import Rows, Simulation, within_level
from sudoku_bench.bench.verdicts.arrays import Flags, Floats
from sudoku_bench.bench.verdicts.clusters import cluster_means
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.pairs import decision, process_variance
from sudoku_bench.bench.verdicts.pairs.pair_estimates import estimates, pair_blocks, process_variances
from sudoku_bench.bench.verdicts.pairs.pairs import decisions, with_best
from sudoku_bench.bench.verdicts.pairs.process_variance import RepetitionVariances
from sudoku_bench.bench.verdicts.run_data import RunData, read

RUN = document.TOP / "results" / "reference"
CHOSEN = "pairs.csv: each against the best"
HSU = "the best as if it were known (Hsu 1984)"
GROUPS = 4


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


EQUALS, OTHERS = 60, 20  # benchmarks in which all are equal, and of groups
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


class Claims(NamedTuple):
    """The claims of a rule on one benchmark: whether any is false, and how many strategies are truly slower."""

    is_false: bool
    true: int


def rules(collections: Sequence[Drawn]) -> Iterator[tuple[str, Claims]]:
    """Yield each rule with its claims; ``CHOSEN`` is the rule of ``pairs.csv``."""
    blocks = [pair_block(part.log_s, str(number)) for number, part in enumerate(collections)]
    chosen, estimated = with_best(blocks, LOG_MARGIN)
    behind = np.concatenate(
        [part.truth[block.a] - part.truth[block.b] for part, block in zip(collections, chosen, strict=True)]
    )
    of_best = decisions(chosen, estimated, best=True)
    yield CHOSEN, claims(of_best["verdict"] == decision.B_FASTER, behind)
    rivals = np.concatenate([np.full(len(block.a), len(block.a)) for block in chosen])
    p = np.concatenate([result.columns["p"] for result in estimated])
    yield HSU, claims(rivals * len(blocks) * p < decision.ALPHA, behind)
    processes = process_variances(blocks)
    estimated = [estimates(block, own, LOG_MARGIN) for block, own in zip(blocks, processes, strict=True)]
    verdict = decisions(blocks, estimated, best=False)["verdict"]
    differ = [part.truth[block.a] - part.truth[block.b] for part, block in zip(collections, blocks, strict=True)]
    lead = np.concatenate(differ)
    with_best_of = [(block.a == best.b[0]) | (block.b == best.b[0]) for block, best in zip(blocks, chosen, strict=True)]
    is_false = (verdict == decision.B_FASTER) & ~(lead > 0) | (verdict == decision.A_FASTER) & ~(lead < 0)
    told = np.isin(verdict, (decision.A_FASTER, decision.B_FASTER)) & ~is_false & np.concatenate(with_best_of)
    yield "all pairs, logical restrictions (Shaffer 1986)", Claims(bool(is_false.any()), int(told.sum()))


def claims(is_slower: Flags, behind: Floats) -> Claims:
    """Return the claims that strategies are slower than the best, given the true log ratios."""
    is_true = behind > 1e-9
    return Claims(bool((is_slower & ~is_true).any()), int((is_slower & is_true).sum()))


def count(rng: np.random.Generator, draws: int, cell: str) -> Rows:
    """Return one row per rule: errors and true claims on the benchmarks of a model.

    Args:
        cell: name of the model.
    """
    counts: dict[str, list[Claims]] = {}
    for _ in range(draws):
        collections = [drawn(source, MODELS[cell], rng) for source in sources()]
        for rule, claimed in rules(collections):
            counts.setdefault(rule, []).append(claimed)
    different = sum(int((part.truth > part.truth.min() + 1e-9).sum()) for part in collections)
    return [
        {
            "rule": rule,
            "benchmarks": draws,
            "with_a_false_claim": sum(one.is_false for one in of_rule),
            "true_claims": float(np.mean([one.true for one in of_rule])),
            "different": different,
        }
        for rule, of_rule in counts.items()
    ]


def markdown(table: pd.DataFrame) -> str:
    """Return for each rule its largest errors, and the mean share of slower strategies that it finds."""
    rows = []
    for rule, group in table.groupby("rule", sort=False):
        is_equal, errors = group["different"] == 0, group["with_a_false_claim"] / group["benchmarks"]
        found = (group["true_claims"] / group["different"])[~is_equal].map("{:.0%}".format)
        rows.append([str(rule), f"{errors[~is_equal].max():.1%}", f"{errors[is_equal].max():.1%}", *found])
    names = [f"found, {cell}" for cell in table.loc[table["different"] > 0, "cell"].unique()]
    heads = [name.replace("groups of equals, ", "") for name in names]
    return document.table(["rule", "largest error, groups", "largest error, all equal", *heads], rows)


def is_held(table: pd.DataFrame) -> bool:
    chosen = table[table["rule"] == CHOSEN]
    return within_level(chosen["with_a_false_claim"], chosen["benchmarks"], decision.ALPHA)


DECISIONS = Simulation(
    title="rules of decision on benchmarks drawn from the reference run (2 minutes)",
    file="decision_rules.csv",
    cells=[{"cell": name, "draws": OTHERS if model.step else EQUALS} for name, model in MODELS.items()],
    measure=count,
    draws=OTHERS,
    seed=(2026,),
    held=is_held,
    markdown=markdown,
)
