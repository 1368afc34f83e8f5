"""Strategies × puzzles: one time each, of the puzzles on which all strategies can be counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.verdicts.run_data import RunData, of_strategies


@dataclass(frozen=True)
class Matrix:
    """CPU time per solve of every strategy on every puzzle.

    Attributes:
        strategies: by name; without those that were wrong somewhere, or supported nowhere.
        seconds: strategies × puzzles, the median of a puzzle's measurements; infinite where that one was not finished,
            and in collections that the strategy does not support.
        unsupported: for each strategy, the collections that it does not support; no entry where there are none.
        omitted: puzzles that take no part, as some strategy was not measured on them.
    """

    strategies: tuple[str, ...]
    seconds: NDArray[np.float64]
    unsupported: dict[str, tuple[str, ...]]
    omitted: int = 0

    @property
    def solved(self) -> NDArray[np.intp]:
        """How many puzzles each strategy finished."""
        solved: NDArray[np.intp] = np.isfinite(self.seconds).sum(axis=1)
        return solved

    @property
    def best(self) -> NDArray[np.float64]:
        """Of each puzzle the shortest time (the virtual best solver); infinite where nobody finished."""
        best: NDArray[np.float64] = self.seconds.min(axis=0, initial=np.inf)
        return best

    def note(self, strategy: str) -> str:
        """What is to be said of a strategy that did not finish everything; else empty."""
        solved, total = int(self.solved[self.strategies.index(strategy)]), self.seconds.shape[1]
        unfinished = f"{solved} of {total} solved" if solved < total else ""
        names = self.unsupported.get(strategy, ())
        less = f"unsupported: {names[0]}" if len(names) == 1 else f"unsupported: {len(names)} collections"
        return ", ".join(word for word in (unfinished, less if names else "") if word)


def matrix(run: RunData) -> Matrix:
    """The times of a run that may be compared (``frames.comparable``), of all collections together.

    Who does not support a collection has not solved it. Who has not been measured on a puzzle, as in a run that was cut
    off, may be no worse for that: such a puzzle is left out for all.
    """
    wide = run.per_puzzle.pivot(index=["collection", "puzzle"], columns="strategy", values="cpu_s")
    seconds = wide.to_numpy(dtype=np.float64).T.copy()
    strategies = tuple(str(name) for name in wide.columns)
    collections = wide.index.get_level_values("collection").to_numpy()
    unsupported = _unsupported(run, strategies)
    for strategy, names in unsupported.items():
        seconds[strategies.index(strategy), np.isin(collections, names)] = np.inf
    common = ~np.isnan(seconds).any(axis=0)
    return Matrix(strategies, seconds[:, common], unsupported, int((~common).sum()))


def _unsupported(run: RunData, strategies: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    rows = of_strategies(run.measurements)
    rows = rows[rows["decoy"].isna() & (rows["status"] == "unsupported") & rows["strategy"].isin(list(strategies))]
    pairs = set(pd.MultiIndex.from_frame(rows[["strategy", "collection"]].drop_duplicates()))
    found = {name: tuple(tier for tier in run.collections if (name, tier) in pairs) for name in strategies}
    return {name: tiers for name, tiers in found.items() if tiers}
