"""The comparable part of a run: complete tables of times, and the strategies that are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.run_data import RunData, disqualified, untimed
from sudoku_bench.bench.verdicts.times import Times, times
from sudoku_bench.datasets.errors import InputError

CPU, WALL = "cpu", "wall"
UNTIMED = ("unsupported", "error")  # reasons that are about a collection
NEAR = 0.5  # a solve beyond this share of its limit is near the limit
PARALLEL = 1.1  # a strategy with a larger ratio of CPU to wall time is parallel


@dataclass(frozen=True)
class Block:
    """A complete table of times of one collection by one clock: every strategy on every puzzle in every repetition.

    Attributes:
        parallel: strategies that took more CPU than wall time (``PARALLEL``).
        near: strategies that did not finish a solve, or needed more than half of its limit. Similar puzzles would
            exceed the limit, so a sample without such puzzles is one of the easier samples.
    """

    collection: str
    clock: str
    times: Times
    parallel: frozenset[str]
    near: frozenset[str]


def blocks(run: RunData) -> Iterator[Block]:
    """Yield for each collection a block by the CPU clock, and one by the wall clock if a strategy is parallel.

    Of an interrupted run only the complete repetitions are used; if there is none, the puzzles that all strategies have
    attempted in one repetition.

    Raises:
        InputError: a finished solve took no time at all.
    """
    rows = run.comparable
    groups = {str(name): group for name, group in rows.groupby("collection")}
    for collection in filter(groups.__contains__, run.collections):
        group = groups[collection]
        parallel = _parallel(group)
        yield _block(collection, CPU, group, parallel)
        if parallel:
            yield _block(collection, WALL, _with_wall_bounds(run, group, parallel), parallel)


def left_out(run: RunData) -> dict[str, dict[str, str]]:
    """Return the reasons why strategies are not compared, by collection and strategy.

    A strategy is left out everywhere if any of its answers was wrong or of its times false, and in collections that it
    has no times in.
    """
    rows = run.measurements[run.measurements["placebo"].isna()]
    everywhere = dict(sorted(disqualified(run.measurements).items()))
    without_times = untimed(rows)
    reasons: dict[str, dict[str, str]] = {}
    measured = set(rows["collection"].unique())
    for collection in filter(measured.__contains__, run.collections):
        reasons[collection] = {name: why for (name, where), why in without_times.items() if where == collection}
        reasons[collection] |= everywhere
    return reasons


def _block(collection: str, clock: str, rows: pd.DataFrame, parallel: frozenset[str]) -> Block:
    time = f"{clock}_s"
    if (rows["status"].isin(FINISHED) & (rows[time] <= 0)).any():
        raise InputError(
            f"measurements of {collection}: a finished solve took 0 s; its clock is too coarse, use more --loops"
        )
    near_limit = ~rows["status"].isin(FINISHED) | (rows[time] > NEAR * rows["limit_s"])
    near = frozenset(rows.loc[near_limit, "strategy"].unique())
    return Block(collection, clock, without_gaps(times(rows, time)), parallel, near)


def _parallel(rows: pd.DataFrame) -> frozenset[str]:
    spent = rows.loc[rows["status"].isin(FINISHED)].groupby("strategy")[["cpu_s", "wall_s"]].sum(min_count=1)
    return frozenset(spent.index[spent["cpu_s"] > PARALLEL * spent["wall_s"]])


def _with_wall_bounds(run: RunData, rows: pd.DataFrame, parallel: frozenset[str]) -> pd.DataFrame:
    """Return the rows with a lower bound of the wall time of unfinished solves in ``limit_s``.

    The limit is CPU time: a strategy on n cores reaches it in at least 1/n of that wall time.
    """
    cores = run.manifest["machine"].get("cores_logical") or 1
    recorded = run.measurements.loc[rows.index, "limit_s"]
    by_cpu = recorded / np.where(rows["strategy"].isin(parallel), cores, 1)
    return rows.assign(limit_s=recorded.where(rows["limit_clock"] == WALL, by_cpu))


def without_gaps(measured: Times) -> Times:
    """Return the part of the times without gaps: puzzles of all strategies, and whole repetitions of these."""
    measured = measured.complete
    present = ~np.isnan(measured.log_s)
    repetitions = np.asarray(present.all(axis=(0, 1)))
    puzzles = np.ones(len(measured.puzzles), dtype=np.bool_)
    if not repetitions.any():
        best = present.all(axis=0).sum(axis=0).argmax()
        puzzles, repetitions[best] = np.asarray(present[:, :, best].all(axis=0)), True
    return measured.part(np.flatnonzero(puzzles), np.flatnonzero(repetitions))
