"""The times of a run as arrays: strategies × puzzles × repetitions.

A repetition is a repetition in a launch: all strategies solve the same form of a puzzle in it, each in a separate
process. An unfinished solve, for whatever reason, is censored: it takes longer than its limit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices

REPETITION = ["launch", "repetition"]


@dataclass(frozen=True)
class Times:
    """Logarithms of times on the puzzles of one collection.

    Attributes:
        strategies, puzzles, repetitions: labels of the axes; a repetition is (launch, repetition).
        log_s: strategies × puzzles × repetitions: natural logarithm of seconds per solve, of the limit for an
            unfinished solve; NaN where nothing was measured.
        censored: of the same shape: the solve was not finished, so its log time is more than ``log_s``.
    """

    strategies: tuple[str, ...]
    puzzles: tuple[str, ...]
    repetitions: tuple[tuple[int, int], ...]
    log_s: Floats
    censored: Flags

    @property
    def seconds(self) -> Floats:
        """Seconds per solve, infinite for an unfinished one, NaN where nothing was measured."""
        return np.where(self.censored, np.inf, np.exp(self.log_s))

    @property
    def complete(self) -> Times:
        """The times of the puzzles that all strategies were measured on."""
        return self.part(np.flatnonzero(~np.isnan(self.log_s).all(axis=2).any(axis=0)))

    def part(self, puzzles: Indices, repetitions: Indices | None = None) -> Times:
        """Return the times of some puzzles in some repetitions (None: in all), by their numbers."""
        repetitions = np.arange(len(self.repetitions)) if repetitions is None else repetitions
        return replace(
            self,
            puzzles=tuple(self.puzzles[number] for number in puzzles),
            repetitions=tuple(self.repetitions[number] for number in repetitions),
            log_s=self.log_s[:, puzzles][:, :, repetitions],
            censored=self.censored[:, puzzles][:, :, repetitions],
        )


def times(rows: pd.DataFrame, time: str = "cpu_s") -> Times:
    """Return the times of one collection, task and mode, labels in order of first appearance.

    Args:
        rows: as ``Run.measurements``, with the CPU limit in ``limit_s`` (``run_data.with_cpu_limit``).
        time: ``cpu_s`` or ``wall_s``.
    """
    axes = [_factorized(rows, columns) for columns in (["strategy"], ["puzzle"], REPETITION)]
    shape = tuple(len(names) for _, names in axes)
    at = tuple(codes for codes, _ in axes)
    finished = rows["status"].isin(FINISHED).to_numpy()
    seconds = np.where(finished, rows[time], rows["limit_s"]).astype(np.float64)
    log_s = np.full(shape, np.nan)
    log_s[at] = np.log(seconds)
    censored = np.zeros(shape, dtype=np.bool_)
    censored[at] = ~finished
    (_, strategies), (_, puzzles), (_, repetitions) = axes
    return Times(tuple(strategies), tuple(puzzles), tuple(repetitions), log_s, censored)


def _factorized(rows: pd.DataFrame, columns: list[str]) -> tuple[NDArray[Any], list[Any]]:
    if len(columns) == 1:  # text, or categories of a large run
        codes, labels = pd.factorize(rows[columns[0]])
        return codes, list(labels)
    groups = rows.groupby(columns, sort=False)
    return groups.ngroup().to_numpy(), list(groups.groups)


def medians(values: Floats) -> Floats:
    """Return medians over the last axis, ignoring NaN; NaN where all values are NaN.

    Halfway between a finished and an unfinished (infinite) time is infinite: not finished.
    """
    ordered = np.sort(values, axis=-1)  # NaN last
    known = (~np.isnan(values)).sum(axis=-1, keepdims=True)
    low, high = np.maximum(known - 1, 0) // 2, np.minimum(known // 2, values.shape[-1] - 1)
    ends = [np.take_along_axis(ordered, place, axis=-1)[..., 0] for place in (low, high)]
    return np.where(known[..., 0] > 0, (ends[0] + ends[1]) / 2, np.nan)
