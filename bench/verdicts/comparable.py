"""What of a run may be compared: whose times, on which puzzles, of which replicates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.verdicts.run_data import RunData, comparable, wrong_answers
from bench.verdicts.times import Times, times
from datasets.errors import InputError

CPU, WALL = "cpu", "wall"
UNSUPPORTED, WRONG = "unsupported", "wrong"
NEAR = 0.5  # part of the limit from which on a solve is near it
PARALLEL = 1.1  # CPU over wall time from which on a strategy is taken to have done several things at once


@dataclass(frozen=True)
class Block:
    """Times of one collection by one clock, without gaps: every strategy on every puzzle in every replicate.

    Attributes:
        parallel: strategies that took clearly more CPU than wall time.
        near: strategies that did not finish a solve, or finished one beyond half of its limit. Other puzzles of the
            kind would be beyond it, so that a sample without any is one of the easier samples.
    """

    collection: str
    clock: str
    times: Times
    parallel: frozenset[str]
    near: frozenset[str]


def blocks(run: RunData) -> Iterator[Block]:
    """For each collection a block by the CPU clock, and one by the wall clock if a strategy needs it.

    Of a run that was interrupted, the replicates that are whole are taken; if there is none yet,
    the puzzles that every strategy has solved in one.

    Raises:
        InputError: a finished solve took no time at all.
    """
    rows = comparable(run)
    groups = {str(name): group for name, group in rows.groupby("collection")}
    for collection in (str(name) for name in run.puzzles["collection"].unique() if str(name) in groups):
        own = groups[collection]
        parallel = _parallel(own)
        yield _block(collection, CPU, own, parallel)
        if parallel:
            yield _block(collection, WALL, _by_wall(run, own, parallel), parallel)


def left_out(run: RunData) -> dict[str, dict[str, str]]:
    """Collection -> strategy -> why it is not compared there: wrong anywhere, or unsupported on some board of it."""
    rows = run.measurements[run.measurements["placebo"].isna()]
    wrong = sorted(wrong_answers(run.measurements))
    lacking = rows[rows["status"] == "unsupported"]
    found: dict[str, dict[str, str]] = {}
    for collection in rows["collection"].unique():
        there = sorted(set(lacking.loc[lacking["collection"] == collection, "strategy"]))
        found[str(collection)] = dict.fromkeys(there, UNSUPPORTED) | dict.fromkeys(wrong, WRONG)
    return found


def _block(collection: str, clock: str, rows: pd.DataFrame, parallel: frozenset[str]) -> Block:
    time = f"{clock}_s"
    if ((rows["status"] == "solved") & (rows[time] <= 0)).any():
        raise InputError(
            f"measurements of {collection}: a finished solve took 0 s; its clock is too coarse, use more --loops"
        )
    close = (rows["status"] != "solved") | (rows[time] > NEAR * rows["limit_s"])
    near = frozenset(rows.loc[close, "strategy"].unique())
    return Block(collection, clock, _complete(times(rows, time)), parallel, near)


def _parallel(rows: pd.DataFrame) -> frozenset[str]:
    spent = rows.loc[rows["status"] == "solved"].groupby("strategy")[["cpu_s", "wall_s"]].sum()
    return frozenset(spent.index[spent["cpu_s"] > PARALLEL * spent["wall_s"]])


def _by_wall(run: RunData, rows: pd.DataFrame, parallel: frozenset[str]) -> pd.DataFrame:
    """The rows with the least wall time of what was not finished in ``limit_s``.

    The limit is one of CPU time: a strategy on all cores reaches it in that part of the time.
    """
    cores = run.manifest["machine"].get("cores_logical") or 1
    recorded = run.measurements.loc[rows.index, "limit_s"]
    by_cpu = recorded / np.where(rows["strategy"].isin(parallel), cores, 1)
    return rows.assign(limit_s=recorded.where(rows["limit_clock"] == WALL, by_cpu))


def _complete(found: Times) -> Times:
    there = ~np.isnan(found.log_s)
    whole = np.asarray(there.all(axis=(0, 1)))
    puzzles = np.ones(len(found.puzzles), dtype=np.bool_)
    if not whole.any():
        best = there.all(axis=0).sum(axis=0).argmax()
        puzzles, whole[best] = np.asarray(there[:, :, best].all(axis=0)), True
    return chosen(found, puzzles, whole)


def chosen(found: Times, puzzles: NDArray[np.bool_], replicates: NDArray[np.bool_]) -> Times:
    """The times of some puzzles in some replicates."""
    return replace(
        found,
        puzzles=_picked(found.puzzles, puzzles),
        replicates=_picked(found.replicates, replicates),
        log_s=found.log_s[:, puzzles][:, :, replicates],
        censored=found.censored[:, puzzles][:, :, replicates],
    )


def _picked(names: tuple[Any, ...], kept: NDArray[np.bool_]) -> tuple[Any, ...]:
    return tuple(name for name, keep in zip(names, kept, strict=True) if keep)
