"""A run as data frames: what every verdict is made from; and the verdicts themselves, each when it is asked for."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

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
ONE_SOLUTION = ("first", "count:1")  # tasks that any solution answers


@dataclass(frozen=True)
class Run:
    """A run as data frames. What each column means stands in docs/columns.md.

    Attributes:
        measurements: a row per measurement, columns as in ``bench.folder.rows.COLUMNS``.
        puzzles: a row per puzzle with its difficulty and number of solutions.
    """

    manifest: dict[str, Any]
    measurements: pd.DataFrame
    puzzles: pd.DataFrame

    @cached_property
    def cpu(self) -> Mapping[str, Times]:
        """For each collection the CPU times that may be compared (see ``comparable``), in the order of the puzzles."""
        return _by_collection(self, "cpu_s")

    @cached_property
    def wall(self) -> Mapping[str, Times]:
        """As ``cpu``, by the wall clock. The bound of an unfinished solve is still the limit of CPU time."""
        return _by_collection(self, "wall_s")

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row per strategy and collection (see ``bench.verdicts.summary``)."""
        from bench.verdicts.summary import summarize

        return summarize(self)

    @cached_property
    def noise(self) -> pd.DataFrame:
        """A row per placebo and collection (see ``bench.verdicts.pairs.noise``)."""
        from bench.verdicts.pairs.noise import table

        return table(self.measurements)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row per pair of strategies and collection, with the verdict (see ``bench.verdicts.pairs.pairs``)."""
        from bench.verdicts.pairs.pairs import pairs

        return pairs(self)

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """Mean ranks and who cannot be told apart by them (see ``bench.verdicts.pairs.ranks``)."""
        from bench.verdicts.pairs.ranks import ranks

        return ranks(self)

    @cached_property
    def vbs(self) -> pd.DataFrame:
        """The virtual best solver, and what each strategy has in it (see ``bench.verdicts.choice.vbs``)."""
        from bench.verdicts.choice.vbs import vbs

        return vbs(self)

    @cached_property
    def variance(self) -> pd.DataFrame:
        """Where the variance of times comes from (see ``bench.verdicts.spread.variance``)."""
        from bench.verdicts.spread.variance import variance

        return variance(self)

    @cached_property
    def robustness(self) -> pd.DataFrame:
        """Whether rankings hold under other rules (see ``bench.verdicts.choice.robustness``)."""
        from bench.verdicts.choice.robustness import robustness

        return robustness(self)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """Median times along measures of difficulty (see ``bench.verdicts.difficulty.curves``)."""
        from bench.verdicts.difficulty.curves import curves

        return curves(self)

    @cached_property
    def crossovers(self) -> pd.DataFrame:
        """From which difficulty on one strategy overtakes another (see ``bench.verdicts.difficulty.crossovers``)."""
        from bench.verdicts.difficulty.crossovers import crossovers

        return crossovers(self)

    @cached_property
    def scaling(self) -> pd.DataFrame:
        """How times grow with difficulty and with the board (see ``bench.verdicts.difficulty.scaling``)."""
        from bench.verdicts.difficulty.scaling import scaling

        return scaling(self)

    @cached_property
    def propagation(self) -> pd.DataFrame:
        """How far each encoding gets without searching (see ``bench.verdicts.difficulty.propagation``)."""
        from bench.verdicts.difficulty.propagation import table

        return table(self)

    @cached_property
    def power(self) -> pd.DataFrame:
        """What the next run needs to settle each undecided pair (see ``bench.verdicts.spread.power``)."""
        from bench.verdicts.spread.power import power

        return power(self, self.pairs)

    @cached_property
    def per_puzzle(self) -> pd.DataFrame:
        """One time per strategy and puzzle (see ``bench.verdicts.per_puzzle``)."""
        from bench.verdicts.per_puzzle import per_puzzle

        return per_puzzle(self)

    @cached_property
    def comparable(self) -> pd.DataFrame:
        """The measurements that strategies may be compared by (see the function of this name)."""
        return comparable(self)

    @property
    def collections(self) -> tuple[str, ...]:
        """Names, in the order of the puzzles."""
        return tuple(str(name) for name in dict.fromkeys(self.puzzles["collection"]))


def load(folder: str | Path) -> Run:
    """Read a run folder.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    measurements = _read(folder / MEASUREMENTS, ("strategy", "collection", "puzzle", "status", "cpu_s", "decoy"))
    puzzles = _read(folder / PUZZLES, ("collection", "puzzle", "guesses", "solutions"))
    return Run(manifest, measurements.reindex(columns=list(COLUMNS)), puzzles)


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


def with_cpu_limit(run: Run) -> pd.DataFrame:
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


def comparable(run: Run) -> pd.DataFrame:
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


def has_one_answer(run: Run, rows: pd.DataFrame) -> pd.Series[bool]:
    """Whether times of a row say how fast the task was done: not so where any of several solutions answers it."""
    if not rows["task"].isin(ONE_SOLUTION).any():
        return pd.Series(True, index=rows.index)
    unique = run.puzzles.loc[run.puzzles["solutions"] == 1, ["collection", "puzzle"]]
    if len(unique) == len(run.puzzles):
        return pd.Series(True, index=rows.index)
    keys = pd.MultiIndex.from_frame(rows[["collection", "puzzle"]])
    known = keys.isin(pd.MultiIndex.from_frame(unique))
    return ~rows["task"].isin(ONE_SOLUTION) | known


def _by_collection(run: Run, time: str) -> dict[str, Times]:
    columns = ["strategy", "puzzle", "launch", "repetition", "status", "limit_s", time]
    parts = {str(name): part[columns] for name, part in run.comparable.groupby("collection")}
    return {name: times(parts[name], time) for name in run.collections if name in parts}
