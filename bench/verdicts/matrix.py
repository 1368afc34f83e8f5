"""The matrix of strategies × puzzles: one time each, on the puzzles that all strategies were measured on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bench.verdicts.arrays import Floats, Indices
from bench.verdicts.run_data import RunData, of_strategies


@dataclass(frozen=True)
class Matrix:
    """CPU time per solve of every strategy on every puzzle.

    Attributes:
        strategies: sorted by name; strategies with wrong answers, or without a supported collection, are left out.
        seconds: strategies × puzzles, the median of a puzzle's measurements; infinite if it was not finished, and in
            collections that the strategy does not support.
        unsupported: the collections that each strategy does not support; no entry if there are none.
        omitted: number of puzzles left out because some strategy was not measured on them.
    """

    strategies: tuple[str, ...]
    seconds: Floats
    unsupported: dict[str, tuple[str, ...]]
    omitted: int = 0

    @property
    def solved(self) -> Indices:
        """Number of puzzles that each strategy finished."""
        solved: Indices = np.isfinite(self.seconds).sum(axis=1)
        return solved

    @property
    def best(self) -> Floats:
        """Shortest time of each puzzle (the virtual best solver); infinite if no strategy finished."""
        best: Floats = self.seconds.min(axis=0, initial=np.inf)
        return best

    def note(self, strategy: str) -> str:
        """Return a note on a strategy that did not finish every puzzle; else empty."""
        solved, total = int(self.solved[self.strategies.index(strategy)]), self.seconds.shape[1]
        unfinished = f"{solved} of {total} solved" if solved < total else ""
        names = self.unsupported.get(strategy, ())
        unsupported = f"unsupported: {names[0]}" if len(names) == 1 else f"unsupported: {len(names)} collections"
        return ", ".join(text for text in (unfinished, unsupported if names else "") if text)


def matrices(run: RunData, least: int = 1) -> dict[int, Matrix]:
    """Return the comparable times by board size (rows of the board), small boards first.

    Args:
        least: sizes with fewer puzzles that all strategies were measured on are left out.
    """
    sizes = sorted({int(size) for size in run.per_puzzle["size"]})
    by_size = {size: matrix(run, size) for size in sizes}
    return {size: table for size, table in by_size.items() if table.seconds.shape[1] >= least}


def matrix(run: RunData, size: int | None = None, collection: str | None = None) -> Matrix:
    """Return the comparable times of a run, of all collections (of one board size) together, or of one of them.

    An unsupported collection counts as not finished. A puzzle that some strategy was not measured on, as in an
    interrupted run, is left out for all.
    """
    rows = run.per_puzzle if size is None else run.per_puzzle[run.per_puzzle["size"] == size]
    rows = rows if collection is None else rows[rows["collection"] == collection]
    wide = rows.pivot(index=["collection", "puzzle"], columns="strategy", values="cpu_s")
    seconds = wide.to_numpy(dtype=np.float64).T.copy()
    strategies = tuple(str(name) for name in wide.columns)
    collections = wide.index.get_level_values("collection").to_numpy()
    unsupported = _unsupported(run, strategies, set(collections))
    for strategy, names in unsupported.items():
        seconds[strategies.index(strategy), np.isin(collections, names)] = np.inf
    common = ~np.isnan(seconds).any(axis=0)
    return Matrix(strategies, seconds[:, common], unsupported, int((~common).sum()))


def _unsupported(run: RunData, strategies: tuple[str, ...], within: set[str]) -> dict[str, tuple[str, ...]]:
    rows = of_strategies(run.measurements)
    rows = rows[rows["decoy"].isna() & (rows["status"] == "unsupported") & rows["strategy"].isin(list(strategies))]
    pairs = set(pd.MultiIndex.from_frame(rows[["strategy", "collection"]].drop_duplicates()))
    collections = {name: tuple(c for c in run.collections if c in within and (name, c) in pairs) for name in strategies}
    return {name: unsupported for name, unsupported in collections.items() if unsupported}
