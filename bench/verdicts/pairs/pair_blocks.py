"""The pairs of strategies to compare, by collection and clock, and the best strategy of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.clusters import cluster_means, clusters_in
from sudoku_bench.bench.verdicts.comparable import WALL, Block, blocks
from sudoku_bench.bench.verdicts.run_data import RunData
from sudoku_bench.datasets.errors import InputError


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

    def among(self, names: Collection[str]) -> PairBlock:
        """Return the pairs of some strategies."""
        kept = np.array([name in names for name in self.block.times.strategies])
        both = np.asarray(kept[self.a] & kept[self.b])
        return replace(self, a=self.a[both], b=self.b[both])

    def of_clusters(self) -> tuple[Floats, Flags]:
        """Return log times and censoring flags with one entry per cluster of puzzles."""
        return cluster_means(self.block.times.log_s, self.block.times.censored, self.cluster)

    def best(self) -> str:
        """Return the strategy with the most finished solves; of several, the one with the lowest time.

        That is the geometric mean, as in ratios, if they finished every solve, otherwise PAR-2: the mean, with an
        unfinished solve counted as twice its limit.
        """
        measured = self.block.times
        finished = (~measured.censored).sum(axis=(1, 2))
        if finished.max() == measured.log_s[0].size:
            cost = self.of_clusters()[0].mean(axis=(1, 2))
        else:
            cost = (np.exp(measured.log_s) * np.where(measured.censored, 2.0, 1.0)).mean(axis=(1, 2))
        order = dict.fromkeys([*self.a.tolist(), *self.b.tolist()])  # the first of equals in the order of the run
        best = min(order, key=lambda place: (-finished[place], cost[place]))
        return str(measured.strategies[best])


def pair_blocks(
    run: RunData, baseline: str | None = None, versions: Mapping[str, str] | None = None
) -> list[PairBlock]:
    """Return the pairs of a run, by collection and clock; by wall time if a strategy is parallel.

    Args:
        baseline: only pairs with this strategy, as ``b``; by wall time those with a parallel strategy.
        versions: only these pairs: ``a`` to ``b``; by wall time likewise.

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
            if block.clock == WALL:
                parallel = np.array([name in block.parallel for name in strategies])
                needs_wall = parallel[a] | parallel[b]
                a, b = a[needs_wall], b[needs_wall]
        if len(a) and block.times.puzzles:
            result.append(PairBlock(block, a, b, clusters_in(block.collection, block.times.puzzles, run.puzzles)))
    if baseline is not None and baseline not in compared:
        names = f"; there are: {', '.join(sorted(compared))}" if compared else ""
        raise InputError(f"baseline {baseline}: no strategy that this run can compare has that name{names}")
    return result


def _in_order(run: RunData, names: tuple[str, ...]) -> Indices:
    """Return indices of the names in the order of the run, so that a pair has the same direction everywhere."""
    listed = [info["name"] for info in run.manifest.get("strategies", [])]
    listed += list(run.measurements["strategy"].unique())
    return np.array(sorted(range(len(names)), key=lambda i: listed.index(names[i])), dtype=np.intp)
