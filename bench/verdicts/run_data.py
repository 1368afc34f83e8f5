"""The rows of a run as data frames: what every verdict is computed from."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.folder.method import Method, of_manifest
from bench.folder.rows import COLUMNS
from bench.folder.store import MEASUREMENTS, PUZZLES, read_manifest, whole_lines
from bench.verdicts.times import Times, times
from datasets.errors import InputError

TEXT = dict.fromkeys(  # columns that are text even where they look like numbers
    (
        *("strategy", "collection", "puzzle", "task", "mode", "status", "reason", "limit_clock", "host", "decoy"),
        *("placebo", "phases", "other_counters", "grid", "solution", "er", "backdoor"),
    ),
    str,
)
LABEL = r"^\([a-z]+\) "  # before the name of a strategy, for its placebos
COMPARED = (  # columns of comparable rows
    *("strategy", "collection", "puzzle", "task", "mode", "launch", "repetition", "status", "limit_s", "limit_clock"),
    *("cpu_s", "wall_s", "guesses"),
)
KEY = ["strategy", "collection", "puzzle"]
CLOCKS = ("cpu_s", "wall_s")
PER_PUZZLE_COLUMNS = (*KEY, "task", "mode", "size", "n", "unfinished", *CLOCKS, "limit_s")
ONE_SOLUTION = ("first", "count:1")  # tasks that any solution answers


@dataclass(frozen=True)
class RunData:
    """A run as data frames. What each column means stands in docs/columns.md.

    Attributes:
        measurements: a row per measurement, columns as in ``bench.folder.rows.COLUMNS``.
        puzzles: a row per puzzle with its difficulty and number of solutions.
    """

    manifest: dict[str, Any]
    measurements: pd.DataFrame
    puzzles: pd.DataFrame

    @cached_property
    def method(self) -> Method:
        """The constants of the method that the run was measured with."""
        return of_manifest(self.manifest)

    @cached_property
    def cpu(self) -> Mapping[str, Times]:
        """For each collection the CPU times that may be compared (see ``comparable``), in the order of the puzzles."""
        return _by_collection(self, "cpu_s")

    @cached_property
    def wall(self) -> Mapping[str, Times]:
        """As ``cpu``, by the wall clock. The bound of an unfinished solve is still the limit of CPU time."""
        return _by_collection(self, "wall_s")

    @cached_property
    def per_puzzle(self) -> pd.DataFrame:
        """One time per strategy and puzzle (see the function of this name)."""
        return per_puzzle(self)

    @cached_property
    def comparable(self) -> pd.DataFrame:
        """The measurements that strategies may be compared by (see the function of this name)."""
        return comparable(self)

    @property
    def collections(self) -> tuple[str, ...]:
        """Names, in the order of the puzzles."""
        return tuple(str(name) for name in dict.fromkeys(self.puzzles["collection"]))


def read(folder: str | Path) -> tuple[dict[str, Any], pd.DataFrame, pd.DataFrame]:
    """Read manifest, measurements and puzzles of a run folder.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    measurements = _read(folder / MEASUREMENTS, ("strategy", "collection", "puzzle", "status", "cpu_s", "decoy"))
    puzzles = _read(folder / PUZZLES, ("collection", "puzzle", "guesses", "solutions"))
    return manifest, measurements.reindex(columns=list(COLUMNS)), puzzles


def _read(path: Path, needed: Sequence[str]) -> pd.DataFrame:
    """A table of a run, without a last line that was cut off."""
    try:
        text = io.BytesIO(whole_lines(path.read_bytes()))
        frame = pd.read_csv(text, dtype=TEXT, keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    missing = [column for column in needed if column not in frame]
    if missing:
        raise InputError(f"{path}: has no column {missing[0]}; it is not what a run writes there")
    return frame


def of_strategies(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of strategies, without those of placebos and of the floor."""
    return rows[rows["placebo"].isna()]


def with_cpu_limit(run: RunData) -> pd.DataFrame:
    """The measurements, with the limit of CPU time also where the guard by the wall clock stopped a solve."""
    rows = run.measurements
    guarded = rows.reindex(columns=["limit_clock"])["limit_clock"] == "wall"
    if not guarded.any():
        return rows
    return rows.assign(limit_s=rows["limit_s"].mask(guarded, run.manifest["suite"]["timeout_s"]))


def wrong_answers(rows: pd.DataFrame) -> dict[str, int]:
    """How many wrong answers each strategy gave, to decoys and as its own placebo too; only those that gave any."""
    wrong = rows[rows["status"] == "wrong"]
    names = wrong["strategy"].where(wrong["placebo"].isna(), wrong["strategy"].str.replace(LABEL, "", regex=True))
    return {str(name): int(number) for name, number in names.value_counts().items()}


def comparable(run: RunData) -> pd.DataFrame:
    """The measurements that strategies may be compared by, columns ``COMPARED``, with the limit of CPU time.

    Left out are decoys and placebos, strategies that were wrong anywhere, those that were unsupported somewhere in the
    collection, and for the task ``first`` puzzles that have not exactly one solution: any would do there.
    """
    rows = with_cpu_limit(run)
    kept = rows["placebo"].isna() & rows["decoy"].isna() & ~rows["strategy"].isin(list(wrong_answers(rows)))
    unsupported = rows.loc[kept & (rows["status"] == "unsupported"), ["strategy", "collection"]].drop_duplicates()
    for strategy, collection in unsupported.itertuples(index=False):
        kept &= (rows["strategy"] != strategy) | (rows["collection"] != collection)
    return rows.reindex(columns=list(COMPARED))[kept & has_one_answer(run, rows)]


def has_one_answer(run: RunData, rows: pd.DataFrame) -> pd.Series[bool]:
    """Whether times of a row say how fast the task was done: not so where any of several solutions answers it."""
    if not rows["task"].isin(ONE_SOLUTION).any():
        return pd.Series(True, index=rows.index)
    unique = run.puzzles.loc[run.puzzles["solutions"] == 1, ["collection", "puzzle"]]
    if len(unique) == len(run.puzzles):
        return pd.Series(True, index=rows.index)
    keys = pd.MultiIndex.from_frame(rows[["collection", "puzzle"]])
    known = keys.isin(pd.MultiIndex.from_frame(unique))
    return ~rows["task"].isin(ONE_SOLUTION) | known


def per_puzzle(run: RunData) -> pd.DataFrame:
    """A row per strategy, collection and puzzle of what may be compared (``frames.comparable``).

    Columns ``PER_PUZZLE_COLUMNS``: ``size``, rows of the board; ``n``, measurements; ``unfinished`` of them; ``cpu_s``
    and ``wall_s``, the median of seconds per solve, infinite where that one was not finished (halfway between a
    finished and an unfinished solve is not finished); ``limit_s``, of CPU time. Strategies by name, puzzles in the
    order of the run.
    """
    rows = run.comparable
    if rows.empty:
        return pd.DataFrame(columns=list(PER_PUZZLE_COLUMNS)).astype({"size": int, "n": int, "unfinished": int})
    finished = rows["status"] == "solved"
    known = rows.assign(
        **{clock: rows[clock].where(finished, math.inf) for clock in CLOCKS}, unfinished=(~finished).astype(int), n=1
    )
    how = {"task": "first", "mode": "first", "n": "sum", "unfinished": "sum", "limit_s": "first"}
    found = known.groupby(KEY, sort=False).agg(how | dict.fromkeys(CLOCKS, "median")).reset_index()
    return in_order(run, found)[list(PER_PUZZLE_COLUMNS)]


def in_order(run: RunData, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the size of their boards: strategies by name, puzzles in the order of the run."""
    places = run.puzzles.assign(place=np.arange(len(run.puzzles)), size=run.puzzles["grid"].str.len().map(math.isqrt))
    placed = rows.merge(places[["collection", "puzzle", "size", "place"]], on=["collection", "puzzle"])
    return placed.sort_values(["strategy", "place"], kind="stable").reset_index(drop=True)


def _by_collection(run: RunData, time: str) -> dict[str, Times]:
    columns = ["strategy", "puzzle", "launch", "repetition", "status", "limit_s", time]
    parts = {str(name): part[columns] for name, part in run.comparable.groupby("collection")}
    return {name: times(parts[name], time) for name in run.collections if name in parts}
