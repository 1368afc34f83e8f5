"""The estimates of all pairs of strategies on one collection, by one clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.clusters import cluster_means, clusters_in
from sudoku_bench.bench.verdicts.comparable import CPU, WALL, Block, blocks
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.censored import medians, puzzle_times
from sudoku_bench.bench.verdicts.pairs.decision import (
    ABOVE,
    Estimate,
    Transitive,
    interval,
    p_beyond_margin,
    p_different,
    p_equivalent,
)
from sudoku_bench.bench.verdicts.pairs.means import means
from sudoku_bench.bench.verdicts.pairs.process_variance import ProcessVariance, over_collections, repetition_variances
from sudoku_bench.bench.verdicts.run_data import RunData
from sudoku_bench.datasets.errors import InputError

CHUNK = 2_000_000  # log ratios in memory at a time
FIGURES = (
    *("ratio", "at_least", "at_most", "ratio_lo", "ratio_hi"),
    *("p", "p_margin", "p_equivalent"),
)

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class PairBlock:
    """The pairs of strategies to compare in one block.

    Attributes:
        a, b: indices of the strategies of each pair.
        cluster: cluster number of each puzzle (``bench/verdicts/clusters``).
    """

    block: Block
    a: Indices
    b: Indices
    cluster: Indices

    @property
    def unlimited(self) -> Flags:
        """Whether neither strategy of a pair came near its limit, so that a mean is not affected by censoring."""
        near = np.array([name in self.block.near for name in self.block.times.strategies])
        unlimited: Flags = ~(near[self.a] | near[self.b])
        return unlimited

    @property
    def independent(self) -> int:
        """Number of independent puzzles: each cluster counts once."""
        return len(np.unique(self.cluster))


def pair_blocks(
    run: RunData,
    baseline: str | None = None,
    versions: Mapping[str, str] | None = None,
    is_whole: bool = False,
) -> list[PairBlock]:
    """Return the pairs of a run, by collection and clock; by wall time those with a parallel strategy.

    Args:
        baseline: only pairs with this strategy, as ``b``.
        versions: only these pairs: ``a`` to ``b``.
        is_whole: all pairs by wall time too.

    Raises:
        InputError: the baseline is not among the strategies that may be compared.
    """
    result: list[PairBlock] = []
    compared: set[str] = set()
    for block in blocks(run):
        strategies = block.times.strategies
        compared |= set(strategies)
        order = _in_order(run, strategies)
        a, b = (order[index] for index in np.triu_indices(len(strategies), 1))
        if baseline is not None:
            versions = {name: baseline for name in strategies if name != baseline}
        if versions is not None:
            a = np.array([i for i in order if versions.get(strategies[i]) in strategies], dtype=np.intp)
            b = np.array([strategies.index(versions[strategies[i]]) for i in a], dtype=np.intp)
        if block.clock == WALL and not is_whole:
            parallel = np.array([name in block.parallel for name in strategies])
            needs_wall = parallel[a] | parallel[b]
            a, b = a[needs_wall], b[needs_wall]
        if len(a) and block.times.puzzles:
            result.append(PairBlock(block, a, b, clusters_in(block.collection, block.times.puzzles, run.puzzles)))
    if baseline is not None and baseline not in compared:
        names = f"; there are: {', '.join(sorted(compared))}" if compared else ""
        raise InputError(f"baseline {baseline}: no strategy that this run can compare has that name{names}")
    return result


def against_best(blocks: Sequence[PairBlock], estimated: Sequence[Estimates]) -> list[PairBlock]:
    """Return for each block the pairs of each strategy (``a``) with the best one (``b``).

    The best is the strategy whose estimated ratio to most others is below 1; without unfinished solves that is the one
    with the lowest geometric mean.

    Args:
        blocks, estimated: all pairs of each block, and their estimates.
    """
    result = []
    for pairs, estimates_of_block in zip(blocks, estimated, strict=True):
        columns = estimates_of_block.columns
        ahead = np.where(np.isnan(columns["ratio"]), columns["at_most"], columns["ratio"]) < 0
        behind = np.where(np.isnan(columns["ratio"]), columns["at_least"], columns["ratio"]) > 0
        balance = np.zeros(len(pairs.block.times.strategies), dtype=np.intp)
        for side, sign in ((pairs.a, 1), (pairs.b, -1)):
            np.add.at(balance, side, sign * (ahead.astype(np.intp) - behind))
        order = list(dict.fromkeys([*pairs.a.tolist(), *pairs.b.tolist()]))
        best = max(order, key=balance.__getitem__)
        others = np.array([place for place in order if place != best], dtype=np.intp)
        result.append(PairBlock(pairs.block, others, np.full_like(others, best), pairs.cluster))
    return result


def _in_order(run: RunData, names: tuple[str, ...]) -> Indices:
    """Return indices of the names in the order of the run, so that a pair has the same direction everywhere."""
    listed = [info["name"] for info in run.manifest.get("strategies", [])]
    listed += list(run.measurements["strategy"].unique())
    return np.array(sorted(range(len(names)), key=lambda i: listed.index(names[i])), dtype=np.intp)


@dataclass(frozen=True)
class Estimates:
    """The estimates of all pairs of a block.

    Attributes:
        columns: ``FIGURES`` of each pair: ratios as logarithms, NaN if unknown, infinite if unbounded.
        parts: which pairs each estimate covers.
    """

    columns: Columns
    parts: tuple[tuple[Indices, Estimate], ...]

    def ends(self, level: Floats) -> tuple[Floats, Floats]:
        """Return the two-sided intervals at these levels of significance, one per pair; NaN if unknown."""
        low, high = np.full(len(level), np.nan), np.full(len(level), np.nan)
        for part, estimate in self.parts:
            low[part], high[part] = interval(estimate, level[part])
        return low, high


def transitive(blocks: Sequence[PairBlock]) -> Transitive:
    """Return which of the hypotheses that a ratio is 1 imply others: those on means of the same puzzles.

    That two medians of ratios are 1 implies nothing about a third, nor do pairs that are not all compared.
    """
    group = []
    for number, pairs in enumerate(blocks):
        strategies = len(np.unique([pairs.a[pairs.unlimited], pairs.b[pairs.unlimited]]))
        complete = int(pairs.unlimited.sum()) == strategies * (strategies - 1) // 2
        group.append(np.where(pairs.unlimited & complete, number, -1))
    a, b = (np.concatenate([getattr(pairs, side) for pairs in blocks]) for side in "ab")
    return Transitive(np.concatenate(group), a, b)


def process_variances(blocks: Sequence[PairBlock]) -> list[ProcessVariance]:
    """Return the process variances of all strategies of each block: strategies × strategies."""
    result: dict[int, ProcessVariance] = {}
    for clock in (CPU, WALL):
        numbers = [number for number, pairs in enumerate(blocks) if pairs.block.clock == clock]
        measured = []
        for number in numbers:
            log_s, censored = of_clusters(blocks[number])
            measured.append(repetition_variances(log_s, ~np.asarray(censored.any(axis=2))))
        names = [blocks[number].block.times.strategies for number in numbers]
        result |= dict(zip(numbers, over_collections(names, measured), strict=True))
    return [result[number] for number in range(len(blocks))]


def estimates(pairs: PairBlock, processes: ProcessVariance, margin: float, one_sided: bool = False) -> Estimates:
    """Estimate the ratios of a block.

    Args:
        processes: process variances of all strategies of the block.
        margin: log of the ratio up to which times are equivalent.
        one_sided: p-values are those of the claims that ``a`` takes longer, and longer by more than the margin.
    """
    result: Columns = {key: np.full(len(pairs.a), np.nan) for key in FIGURES}
    parts: list[tuple[Indices, Estimate]] = []
    if pairs.independent < 2:
        return Estimates(result, ())
    log_s, censored = of_clusters(pairs)
    unlimited = pairs.unlimited
    for use_mean in (True, False):
        for part in _chunks(np.flatnonzero(unlimited == use_mean), log_s[0].size):
            a, b = pairs.a[part], pairs.b[part]
            estimator = of_means if use_mean else of_medians
            estimate, columns = estimator(log_s, censored, a, b, processes[a, b])
            parts.append((part, estimate))
            columns |= _intervals_and_p(estimate, margin, pairs.independent, one_sided)
            for key, values in columns.items():
                result[key][part] = values
    return Estimates(result, tuple(parts))


def outcomes(pairs: PairBlock, tie: float) -> Columns:
    """Return for each pair the number of puzzles won, tied and lost by ``a``, and of puzzles not always finished.

    A puzzle is won by more than ``tie`` (a log ratio), or by finishing it alone; its time is the median of repetitions.
    """
    keys = ("wins", "ties", "losses", "n_censored")
    result: Columns = {key: np.zeros(len(pairs.a), dtype=np.int64) for key in keys}
    measured = pairs.block.times
    bounds, unfinished = puzzle_times(measured.log_s, measured.censored), np.asarray(measured.censored.any(axis=2))
    open_ended = np.isinf(bounds.most)
    for part in _chunks(np.arange(len(pairs.a)), len(measured.puzzles)):
        a, b = pairs.a[part], pairs.b[part]
        both = ~(open_ended[a] | open_ended[b])
        ratio = bounds.least[a] - bounds.least[b]
        won = (both & (ratio < -tie)) | (open_ended[b] & ~open_ended[a])
        lost = (both & (ratio > tie)) | (open_ended[a] & ~open_ended[b])
        counts = (won, ~(won | lost), lost, unfinished[a] | unfinished[b])
        for key, flags in zip(keys, counts, strict=True):
            result[key][part] = flags.sum(axis=1)
    return result


def total_ratios(pairs: PairBlock) -> Floats:
    """Return the log ratios of total times over all puzzles and repetitions; NaN with an unfinished solve."""
    measured = pairs.block.times
    total_s = np.exp(measured.log_s).sum(axis=(1, 2))
    total_s[np.asarray(measured.censored.any(axis=(1, 2)))] = np.nan
    ratios: Floats = np.log(total_s[pairs.a]) - np.log(total_s[pairs.b])
    return ratios


def of_clusters(pairs: PairBlock) -> tuple[Floats, Flags]:
    """Return log times and censoring flags with one entry per cluster of puzzles."""
    measured = pairs.block.times
    return cluster_means(measured.log_s, measured.censored, pairs.cluster)


def of_means(log_s: Floats, _: Flags, a: Indices, b: Indices, processes: ProcessVariance) -> tuple[Estimate, Columns]:
    """Return the mean log ratios of pairs, as an estimate and as columns."""
    estimate = means(log_s[a] - log_s[b], processes)
    return estimate, {"ratio": estimate.mean}


def of_medians(
    log_s: Floats, censored: Flags, a: Indices, b: Indices, processes: ProcessVariance
) -> tuple[Estimate, Columns]:
    """Return the median log ratios of pairs, as an estimate and as columns."""
    bounds = puzzle_times(log_s, censored)
    estimate = medians(bounds[a], bounds[b], processes, log_s.shape[2])
    least, most = estimate.centre
    known = least == most
    return estimate, {
        "ratio": np.where(known, least, np.nan),
        "at_least": np.where(known, np.nan, least),
        "at_most": np.where(known, np.nan, most),
    }


def _intervals_and_p(estimate: Estimate, margin: float, puzzles: int, one_sided: bool) -> Columns:
    low, high = interval(estimate, decision.ALPHA)
    least = decision.attainable(puzzles)
    if one_sided:
        least = least / 2
        p, p_margin = estimate.p_beyond(0.0, ABOVE), estimate.p_beyond(margin, ABOVE)
    else:
        p, p_margin = p_different(estimate), p_beyond_margin(estimate, margin)
    return {
        "ratio_lo": low,
        "ratio_hi": high,
        "p": np.maximum(p, least),
        "p_margin": np.maximum(p_margin, least),
        "p_equivalent": np.maximum(p_equivalent(estimate, margin), least),
    }


def _chunks(numbers: Indices, size: int) -> Iterator[Indices]:
    """Yield the numbers in parts, so that an array with ``size`` entries per number of a part stays small."""
    step = max(1, CHUNK // max(size, 1))
    for start in range(0, len(numbers), step):
        yield numbers[start : start + step]
