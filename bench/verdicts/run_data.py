"""The rows of a run as data frames: the input of every verdict."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from sudoku_bench.bench.folder.method import Method, of_manifest
from sudoku_bench.bench.folder.outcomes import DISQUALIFYING, LABEL
from sudoku_bench.bench.folder.rows import COLUMNS, FINISHED
from sudoku_bench.bench.verdicts.times import Times, times
from sudoku_bench.datasets.shape import size_of_text

UNREPORTED = (  # columns that no report shows
    *("loops", "peak_rss_mib", "solutions", "round", "position", "started_s", "stream_position", "lead_in"),
    *("clock_cost_s", "variables", "clauses", "literals", "decisions", "propagations", "restarts", "backtracks"),
    *("nodes", "other_counters"),
)
REPORTED = tuple(column for column in COLUMNS if column not in UNREPORTED)
COMPARED = (  # columns of comparable rows
    *("strategy", "collection", "puzzle", "task", "mode", "launch", "repetition", "status", "limit_s", "limit_clock"),
    *("cpu_s", "wall_s", "guesses"),
)
KEY = ["strategy", "collection", "puzzle"]
GROUP = "group"  # column of puzzles
REPEATED = "repeated.csv"  # what a second run of the suite confirms
CLOCKS = ("cpu_s", "wall_s")
PER_PUZZLE_COLUMNS = (*KEY, "task", "mode", "size", "guesses", "n", "unfinished", "status", *CLOCKS, "limit_s")
ONE_SOLUTION = ("first", "count:1")  # tasks that accept any solution


@dataclass(frozen=True)
class Selection:
    """What somebody chose of a run (``bench/verdicts/selection``). Strategies have the names that are printed.

    Attributes:
        order: the strategies in the order in which they were asked for; empty: none were.
        asked: those that were asked for by name, not by a pattern.
        names: name of the strategy by its alias.
        colours: by strategy, or a palette as text.
    """

    order: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, str] | str = ""

    def ordered(self, strategies: Iterable[str]) -> list[str]:
        """Return strategies in the order in which they were asked for; without one, as they are."""
        places = {name: place for place, name in enumerate(self.order)}
        return sorted(strategies, key=lambda name: places.get(name, len(places)))


@dataclass(frozen=True)
class RunData:
    """A run as data frames. docs/columns.md describes each column.

    Attributes:
        manifest: content of manifest.json.
        measurements: a row per measurement, columns as in ``bench/folder/rows.COLUMNS``.
        puzzles: a row per puzzle with its difficulty and number of solutions.
        edited: files that are not as the run wrote them.
        encodings: a row per encoding and board with its size; None in a run without SAT strategies.
        between_runs: standard deviation of a log ratio between runs, as a second run of the suite shows it; NaN if none
            is known.
        selection: what it is of the run that was measured.
    """

    manifest: dict[str, Any]
    measurements: pd.DataFrame
    puzzles: pd.DataFrame
    edited: tuple[str, ...] = ()
    encodings: pd.DataFrame | None = None
    between_runs: float = math.nan
    selection: Selection = Selection()

    @cached_property
    def method(self) -> Method:
        """The constants of the method that the run used."""
        return of_manifest(self.manifest)

    @cached_property
    def cpu(self) -> Mapping[str, Times]:
        """Comparable CPU times of each collection (see ``comparable``), collections in the order of the run."""
        return _by_collection(self, "cpu_s")

    @cached_property
    def wall(self) -> Mapping[str, Times]:
        """As ``cpu``, by the wall clock. The bound of an unfinished solve is still the CPU limit."""
        return _by_collection(self, "wall_s")

    @cached_property
    def comparable(self) -> pd.DataFrame:
        """The measurements that strategies may be compared by, columns ``COMPARED``, with the CPU limit.

        Left out are decoys and placebos, strategies with any wrong or unchecked answer, strategies that do not support
        some puzzle of the collection or fail with an error on each, repetitions of puzzles that different hosts
        measured, and for the task ``first`` puzzles with several solutions or none.
        """
        names = unchecked(self.measurements)
        return self.timed[~self.timed["strategy"].isin(names)] if names else self.timed

    @cached_property
    def timed(self) -> pd.DataFrame:
        """The comparable measurements, and those of strategies whose answers were not checked."""
        rows = with_cpu_limit(self)
        selected = rows["placebo"].isna() & rows["decoy"].isna() & ~rows["strategy"].isin(list(disqualified(rows)))
        for strategy, collection in untimed(rows[selected]):
            selected &= (rows["strategy"] != strategy) | (rows["collection"] != collection)
        if "host" in rows and rows["host"].nunique() > 1:
            selected &= is_on_one_host(rows)
        return rows.reindex(columns=list(COMPARED))[selected & has_one_answer(self, rows)]

    @cached_property
    def per_puzzle(self) -> pd.DataFrame:
        """A row per strategy, collection and puzzle, from the comparable rows.

        Columns ``PER_PUZZLE_COLUMNS``: ``size``, rows of the board; ``guesses``, the difficulty of the puzzle (NaN if
        unknown); ``n``, measurements, of which ``unfinished``; ``status``, the most frequent one of the measurements;
        ``cpu_s`` and ``wall_s``, the median of seconds per solve, infinite if the median was not finished (halfway
        between a finished and an unfinished solve is not finished); ``limit_s``, of CPU time. Strategies are sorted by
        name, puzzles in the order of the run.
        """
        rows = self.comparable
        if rows.empty:
            types = dict.fromkeys(("size", "n", "unfinished"), int) | dict.fromkeys(("guesses", *CLOCKS), float)
            return pd.DataFrame(columns=list(PER_PUZZLE_COLUMNS)).astype(types)
        finished = rows["status"].isin(FINISHED)
        timed = rows.assign(
            **{clock: rows[clock].where(finished, math.inf) for clock in CLOCKS},
            unfinished=(~finished).astype(int),
            n=1,
        )
        how = {"task": "first", "mode": "first", "n": "sum", "unfinished": "sum", "limit_s": "first"}
        table = timed.groupby(KEY, sort=False).agg(how | dict.fromkeys(CLOCKS, "median")).reset_index()
        counts = timed.groupby([*KEY, "status"], sort=False, observed=True).size().rename("number").reset_index()
        counts["finished"] = counts["status"].isin(FINISHED)  # half of them are not enough for a median
        most = counts.sort_values(["number", "finished"], ascending=[False, True], kind="stable").drop_duplicates(KEY)
        table = table.merge(most[[*KEY, "status"]], on=KEY)
        return in_order(self, table)[list(PER_PUZZLE_COLUMNS)]

    @cached_property
    def collections(self) -> tuple[str, ...]:
        """Names, in the order of the puzzles."""
        return tuple(str(name) for name in self.puzzles["collection"].unique())


def of_strategies(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of strategies, without placebos and other controls."""
    return rows[rows["placebo"].isna()]


def with_cpu_limit(run: RunData) -> pd.DataFrame:
    """Return the measurements, with the CPU limit in ``limit_s`` also where the wall-clock guard ended a solve."""
    rows = run.measurements
    ended_by_guard = rows.reindex(columns=["limit_clock"])["limit_clock"] == "wall"
    if not ended_by_guard.any():
        return rows
    return rows.assign(limit_s=rows["limit_s"].mask(ended_by_guard, run.manifest["suite"]["timeout_s"]))


def untimed(rows: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Return the strategies and collections without times, and the status that is why.

    One unsupported board is enough, or an error in each solve: it says nothing about how long a solve takes.
    """
    reasons = dict[tuple[str, str], str]()
    for place, part in rows.groupby(["strategy", "collection"], observed=True)["status"]:
        strategy, collection = map(str, place)
        if (statuses := set(part.unique())) == {"error"} or "unsupported" in statuses:
            reasons[strategy, collection] = "unsupported" if "unsupported" in statuses else "error"
    return reasons


def disqualified(rows: pd.DataFrame) -> dict[str, str]:
    """Return the strategies that have no times, with the status that is why: wrong before mistimed.

    Rows of decoys and placebos count too.
    """
    return {name: fault.partition(":")[0] for name, fault in disqualifying(rows).items()}


def disqualifying(rows: pd.DataFrame) -> dict[str, str]:
    """Return what takes its times from a strategy, and where: ``wrong: 20 on hard (placebo), 1 on (decoys)``."""
    faults: dict[str, str] = {}
    for status in DISQUALIFYING:
        has_it = rows["status"] == status
        if not has_it.any():  # as usual: the rest takes a hundred times as long
            continue
        found: dict[str, Counter[str]] = {}
        for name, collection, placebo in rows.loc[has_it, ["strategy", "collection", "placebo"]].itertuples(
            index=False
        ):
            is_own = pd.isna(placebo)
            where = str(collection) if is_own else f"{collection} ({'placebo' if placebo == 'instrument' else placebo})"
            found.setdefault(str(name) if is_own else re.sub(LABEL, "", name), Counter())[where] += 1
        for name, counts in found.items():
            places = ", ".join(f"{number} on {where}" for where, number in counts.items())
            faults.setdefault(name, f"{status}: {places}")
    return faults


def prepare_seconds(rows: pd.DataFrame) -> pd.Series[float]:
    """Return the preparation time of each strategy in seconds, the median over its processes."""
    processes = rows.drop_duplicates(["strategy", "worker"])
    return processes.groupby("strategy")["prepare_cpu_s"].median()


def unchecked(rows: pd.DataFrame) -> list[str]:
    """Return the strategies of which an answer was not checked: they are timed, but not compared."""
    return sorted(set(rows.loc[rows["status"] == "unverified", "strategy"]))


def unverified_answers(rows: pd.DataFrame) -> int:
    """Return the number of measurements of strategies whose answer was not checked: imported ones without an answer."""
    return int((of_strategies(rows)["status"] == "unverified").sum())


def is_on_one_host(rows: pd.DataFrame) -> pd.Series[bool]:
    """Return whether all strategies solved the form of each row on the same host: hosts differ in speed."""
    hosts = pd.Series(pd.factorize(rows["host"])[0], index=rows.index)
    repetitions = hosts.groupby([rows[column] for column in ("collection", "puzzle", "launch", "repetition")])
    return repetitions.transform("min") == repetitions.transform("max")


def has_one_answer(run: RunData, rows: pd.DataFrame) -> pd.Series[bool]:
    """Return whether the task of each row has one possible answer: with several, times depend on the one found.

    Of a Latin square no second one is counted (``bench/plan/reference.limit_of``): completing it is the task.
    """
    if not rows["task"].isin(ONE_SOLUTION).any():
        return pd.Series(True, index=rows.index)
    unique = run.puzzles.loc[run.puzzles["solutions"] == 1, ["collection", "puzzle"]]
    if len(unique) == len(run.puzzles):
        return pd.Series(True, index=rows.index)
    keys = pd.MultiIndex.from_frame(rows[["collection", "puzzle"]])
    is_unique = keys.isin(pd.MultiIndex.from_frame(unique))
    return ~rows["task"].isin(ONE_SOLUTION) | is_unique


def in_order(run: RunData, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with size and difficulty of their boards, strategies by name, puzzles in the order of the run."""
    grids = run.puzzles.reindex(columns=["grid"])["grid"]
    places = run.puzzles.assign(place=np.arange(len(run.puzzles)), size=grids.map(size_of_text, na_action="ignore"))
    placed = rows.merge(places[["collection", "puzzle", "size", "guesses", "place"]], on=["collection", "puzzle"])
    return placed.sort_values(["strategy", "place"], kind="stable").reset_index(drop=True)


def _by_collection(run: RunData, time: str) -> dict[str, Times]:
    columns = ["strategy", "puzzle", "launch", "repetition", "status", "limit_s", time]
    parts = {str(name): part[columns] for name, part in run.comparable.groupby("collection")}
    return {name: times(parts[name], time) for name in run.collections if name in parts}
