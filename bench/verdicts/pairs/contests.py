"""The estimates of all pairs of strategies on one collection, by one clock."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.verdicts.comparable import WALL, Block, blocks
from bench.verdicts.lineages import clusters_in
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.censored import medians, puzzle_times
from bench.verdicts.pairs.estimate import Estimate, interval, p_different, p_equivalent
from bench.verdicts.pairs.means import means
from bench.verdicts.pairs.process_noise import Columns, Shared, columns, pooled
from bench.verdicts.run_data import RunData
from datasets.errors import InputError

CHUNK = 2_000_000  # log ratios held at a time
CONFIDENCE = 0.95
FIGURES = (
    *("ratio", "at_least", "at_most", "ratio_lo", "ratio_hi", "simultaneous_lo", "simultaneous_hi"),
    *("p", "p_equivalent"),
)

Indices = NDArray[np.intp]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Columnar = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Contest:
    """The pairs of one block: indices of strategies, and the number of the lineage of each puzzle."""

    block: Block
    a: Indices
    b: Indices
    lineage: Indices

    @property
    def unlimited(self) -> Flags:
        """Pairs of which neither came near its limit, so that a mean is that of all puzzles of the kind."""
        near = np.array([name in self.block.near for name in self.block.times.strategies])
        unlimited: Flags = ~(near[self.a] | near[self.b])
        return unlimited

    @property
    def independent(self) -> int:
        """How many puzzles there are, those of one lineage counted once."""
        return len(np.unique(self.lineage))


def contests(run: RunData, baseline: str | None = None) -> list[Contest]:
    """All that there is to compare in a run.

    Args:
        baseline: only pairs with this strategy, as ``b``.

    Raises:
        InputError: the baseline is not among the strategies that may be compared.
    """
    found, known = [], set()
    for block in blocks(run):
        names = block.times.strategies
        known |= set(names)
        order = _in_order(run, names)
        a, b = (order[index] for index in np.triu_indices(len(names), 1))
        if baseline is not None:
            others = [i for i in order if names[i] != baseline and baseline in names]
            a = np.array(others, dtype=np.intp)
            b = np.full_like(a, names.index(baseline) if others else 0)
        if block.clock == WALL:
            several = np.array([name in block.parallel for name in names])
            kept = several[a] | several[b]
            a, b = a[kept], b[kept]
        if len(a) and block.times.puzzles:
            found.append(Contest(block, a, b, clusters_in(block.collection, block.times.puzzles, run.puzzles)))
    if baseline is not None and baseline not in known:
        near = difflib.get_close_matches(baseline, known, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; there are: {', '.join(sorted(known))}" if known else ""
        raise InputError(f"baseline {baseline}: no strategy that this run can compare has that name{hint}")
    return found


def _in_order(run: RunData, names: tuple[str, ...]) -> Indices:
    """Places of the names in the order in which the run lists its strategies, that a pair be the same way round in
    every collection."""
    listed = [info["name"] for info in run.manifest.get("strategies", [])]
    listed += list(run.measurements["strategy"].unique())
    return np.array(sorted(range(len(names)), key=lambda i: listed.index(names[i])), dtype=np.intp)


def estimates(contest: Contest, family: int, margin: float) -> Columnar:
    """``FIGURES`` of each pair: ratios as logarithms, NaN where not known, infinite where nothing bounds an interval.

    Args:
        family: how many pairs the simultaneous intervals are to hold for together.
        margin: log of the ratio up to which times are equivalent.
    """
    found: Columnar = {key: np.full(len(contest.a), np.nan) for key in FIGURES}
    if contest.independent < 2:
        return found
    log_s, censored = of_lineages(contest)
    unlimited = contest.unlimited
    shared = _shared(contest, log_s, censored)
    for exact in (True, False):
        for part in _chunks(np.flatnonzero(unlimited == exact), log_s[0].size):
            a, b = contest.a[part], contest.b[part]
            figures = of_means if exact else of_medians
            estimate, known = figures(log_s, censored, a, b, shared[part])
            known |= _of_estimate(estimate, family, margin, contest.independent)
            for key, values in known.items():
                found[key][part] = values
    return found


def outcomes(contest: Contest, tie: float) -> Columnar:
    """Of each pair, puzzles won, tied and lost by ``a``, and those that one did not finish in every replicate.

    A puzzle is won by more than ``tie`` (a log ratio), or by finishing it alone; its time is the median of replicates.
    """
    keys = ("wins", "ties", "losses", "n_censored")
    found: Columnar = {key: np.zeros(len(contest.a), dtype=np.int64) for key in keys}
    measured = contest.block.times
    bounds, unfinished = puzzle_times(measured.log_s, measured.censored), np.asarray(measured.censored.any(axis=2))
    open_ended = np.isinf(bounds.most)
    for part in _chunks(np.arange(len(contest.a)), len(measured.puzzles)):
        a, b = contest.a[part], contest.b[part]
        both = ~(open_ended[a] | open_ended[b])
        ratio = bounds.least[a] - bounds.least[b]
        won = (both & (ratio < -tie)) | (open_ended[b] & ~open_ended[a])
        lost = (both & (ratio > tie)) | (open_ended[a] & ~open_ended[b])
        counts = (won, ~(won | lost), lost, unfinished[a] | unfinished[b])
        for key, flags in zip(keys, counts, strict=True):
            found[key][part] = flags.sum(axis=1)
    return found


def of_lineages(contest: Contest) -> tuple[Floats, Flags]:
    """Log times and flags with one entry for all puzzles of a lineage: the mean of their logarithms, which is at least
    that if one of them was not finished."""
    measured = contest.block.times
    if contest.independent == len(measured.puzzles):
        return measured.log_s, measured.censored
    order = np.argsort(contest.lineage, kind="stable")
    _, starts, sizes = np.unique(contest.lineage[order], return_index=True, return_counts=True)
    sums = np.add.reduceat(measured.log_s[:, order], starts, axis=1)
    return sums / sizes[:, None], np.logical_or.reduceat(measured.censored[:, order], starts, axis=1)


def of_means(log_s: Floats, _: Flags, a: Indices, b: Indices, shared: Shared) -> tuple[Estimate, Columnar]:
    estimate = means(log_s[a] - log_s[b], shared)
    return estimate, {"ratio": estimate.mean}


def of_medians(log_s: Floats, censored: Flags, a: Indices, b: Indices, shared: Shared) -> tuple[Estimate, Columnar]:
    first, second = (puzzle_times(log_s[side], censored[side]) for side in (a, b))
    estimate = medians(first, second, shared, log_s.shape[2])
    least, most = estimate.centre
    known = least == most
    return estimate, {
        "ratio": np.where(known, least, np.nan),
        "at_least": np.where(known, np.nan, least),
        "at_most": np.where(known, np.nan, most),
    }


def _of_estimate(estimate: Estimate, family: int, margin: float, puzzles: int) -> Columnar:
    own, all_together = (interval(estimate, level) for level in (CONFIDENCE, decision.simultaneous(family)))
    least = decision.attainable(puzzles)
    return {
        "ratio_lo": own[0],
        "ratio_hi": own[1],
        "simultaneous_lo": all_together[0],
        "simultaneous_hi": all_together[1],
        "p": np.maximum(p_different(estimate), least),
        "p_equivalent": np.maximum(p_equivalent(estimate, margin), least),
    }


def _shared(contest: Contest, log_s: Floats, censored: Flags) -> Shared:
    """What processes vary by, from all pairs of the block."""
    whole = ~np.asarray(censored.any(axis=2))
    parts = []
    for part in _chunks(np.arange(len(contest.a)), log_s[0].size):
        a, b = contest.a[part], contest.b[part]
        parts.append(columns(log_s[a] - log_s[b], whole[a] & whole[b]))
    joined = Columns(
        np.concatenate([part.by_columns for part in parts]),
        np.concatenate([part.by_rest for part in parts]),
        np.concatenate([part.freedom for part in parts]),
        replicates=log_s.shape[2],
    )
    return pooled(joined, len(np.union1d(contest.a, contest.b)))


def _chunks(numbers: Indices, size: int) -> Iterator[Indices]:
    """The numbers in parts, each of so few that arrays with ``size`` entries per number stay small."""
    step = max(1, CHUNK // max(size, 1))
    for start in range(0, len(numbers), step):
        yield numbers[start : start + step]
