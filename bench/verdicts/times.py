"""The times of a run as arrays: strategies × puzzles × replicates.

A replicate is a repetition in a launch: all strategies solve the same form of a puzzle in it, each in a process of its
own. A solve that was not finished, for whatever reason, is known by a bound only: it takes longer than its limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

REPLICATE = ["launch", "repetition"]


@dataclass(frozen=True)
class Times:
    """Logarithms of times on the puzzles of one collection.

    Attributes:
        strategies, puzzles, replicates: what the axes stand for; a replicate is (launch, repetition).
        log_s: float64, strategies × puzzles × replicates: natural logarithm of seconds per solve; of an unfinished
            solve, that of its limit; NaN where nothing was measured.
        censored: bool, of the same shape: the solve was not finished, so that its time is longer than ``log_s`` says.
    """

    strategies: tuple[str, ...]
    puzzles: tuple[str, ...]
    replicates: tuple[tuple[int, int], ...]
    log_s: NDArray[np.float64]
    censored: NDArray[np.bool_]

    @property
    def seconds(self) -> NDArray[np.float64]:
        """Seconds per solve, infinite for an unfinished one, NaN where nothing was measured."""
        return np.where(self.censored, np.inf, np.exp(self.log_s))


def times(rows: pd.DataFrame, time: str = "cpu_s") -> Times:
    """The times of measurements of one collection, task and mode, in order of first appearance.

    Args:
        rows: as ``Run.measurements``, with the limit of CPU time in ``limit_s`` (``frames.with_cpu_limit``).
        time: ``cpu_s`` or ``wall_s``.
    """
    axes = [_factorized(rows, columns) for columns in (["strategy"], ["puzzle"], REPLICATE)]
    shape = tuple(len(names) for _, names in axes)
    at = tuple(codes for codes, _ in axes)
    finished = (rows["status"] == "solved").to_numpy()
    seconds = np.where(finished, rows[time], rows["limit_s"]).astype(np.float64)
    log_s = np.full(shape, np.nan)
    log_s[at] = np.log(seconds)
    censored = np.zeros(shape, dtype=np.bool_)
    censored[at] = ~finished
    (_, strategies), (_, puzzles), (_, replicates) = axes
    return Times(tuple(strategies), tuple(puzzles), tuple(replicates), log_s, censored)


def _factorized(rows: pd.DataFrame, columns: list[str]) -> tuple[NDArray[Any], list[Any]]:
    groups = rows.groupby(columns[0] if len(columns) == 1 else columns, sort=False)
    return groups.ngroup().to_numpy(), list(groups.groups)


def medians(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Medians over the last axis, of what is not NaN. Halfway between a finished and an unfinished (infinite) time is
    infinite: not finished. NaN where there is nothing.
    """
    ordered = np.sort(values, axis=-1)  # NaN last
    known = (~np.isnan(values)).sum(axis=-1, keepdims=True)
    low, high = np.maximum(known - 1, 0) // 2, np.minimum(known // 2, values.shape[-1] - 1)
    ends = [np.take_along_axis(ordered, place, axis=-1)[..., 0] for place in (low, high)]
    return np.where(known[..., 0] > 0, (ends[0] + ends[1]) / 2, np.nan)
