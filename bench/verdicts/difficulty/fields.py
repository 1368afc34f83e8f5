"""Where a run's puzzles lie in difficulty, and how long each strategy took there: what curves are made from.

The collections of a run are pooled, boards of different size never. A puzzle's time is the median of its measurements,
known by bounds: both the same where that median was finished, from the limit to infinity where it was not.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.verdicts.run_data import ONE_SOLUTION, RunData, comparable
from bench.verdicts.times import times
from datasets.collections.catalogue import HERE

Floats = NDArray[np.float64]

MINED = "hardest"  # the collection that was searched for, and the file beside it that says from where


@dataclass(frozen=True)
class Axis:
    """A measure of difficulty as an axis.

    Attributes:
        name: the column of ``puzzles.csv``.
        words: what is counted, in the plural.
        forward, back: to the scale on which curves are smooth, and from it.
        error: the column with the standard error of the measure, if it has one.
    """

    name: str
    words: str
    forward: Callable[[Floats], Floats]
    back: Callable[[Floats], Floats]
    error: str | None = None


GUESSES = Axis("guesses", "guesses", np.log1p, np.expm1, "guesses_se")
AXES = (
    GUESSES,
    Axis("te_rounds", "rounds of trial and error", np.log1p, np.expm1),
    Axis("unsolved_locked", "cells that locked candidates leave open", np.positive, np.positive),
)


@dataclass(frozen=True)
class Field:
    """All puzzles of one size with their difficulty, and the time of each strategy on each of them.

    Attributes:
        size: rows of the board; None where the run does not tell.
        puzzles: a row per puzzle, as in ``puzzles.csv``.
        lo, hi: natural logarithm of seconds, strategies × puzzles: bounds of the puzzle's time; NaN where nothing was
            measured.
        clusters: of each puzzle, the number of its cluster: puzzles of one lineage, or of one grid, are no
            independent witnesses.
        mined: of each puzzle, whether it was searched for.
        searchers: strategies that count guesses of their own, so that guesses are nearly their own work.
    """

    size: int | None
    strategies: tuple[str, ...]
    puzzles: pd.DataFrame
    lo: Floats
    hi: Floats
    clusters: NDArray[np.intp]
    mined: NDArray[np.bool_]
    searchers: frozenset[str]

    @property
    def shape(self) -> str:
        """As people write it, such as ``9x9``; empty where it is not known."""
        return "" if self.size is None else f"{self.size}x{self.size}"

    def at(self, axis: Axis) -> Floats:
        """Where the puzzles lie on the scale of an axis; NaN where that is not known.

        A measure with a standard error is calibrated (see ``calibrated``). Trial and error that had to go two levels
        deep lies beyond the scale of its rounds, and is not known there.
        """
        x = axis.forward(self.column(axis.name))
        if axis.name == "te_rounds":
            x = np.where(self.column("te_depth") > 1, np.nan, x)
        if axis.error is None:
            return x
        # The derivative of log(1 + guesses) carries the error over to its scale.
        return calibrated(x, self.column(axis.error) / (1 + self.column(axis.name)))

    def column(self, name: str) -> Floats:
        """A column of ``puzzles.csv`` as numbers; NaN where it is not known."""
        values = self.puzzles[name] if name in self.puzzles else pd.Series(np.nan, self.puzzles.index)
        numbers: Floats = pd.to_numeric(values, errors="coerce").to_numpy(np.float64)
        return numbers


def calibrated(x: Floats, error: Floats) -> Floats:
    """The best linear guess of the true values, given values with known errors: regression calibration.

    Errors of x flatten a curve by the share that they have in the variance of x. Drawn towards their mean by that
    share, values no longer do (Fuller 1987; Carroll, Ruppert, Stefanski & Crainiceanu 2006). The scatter that
    remains is one of y at given x, which a band of y shows as any other.

    Args:
        x: values, NaN where not known.
        error: standard errors of the same units; NaN counts as none.
    """
    known = np.isfinite(x)
    noise = np.where(np.isfinite(error), error, 0.0) ** 2
    if known.sum() < 2 or not noise[known].any():
        return x
    mean = float(x[known].mean())
    true = max(0.0, float(x[known].var(ddof=1) - noise[known].mean()))
    share = np.divide(true, true + noise, out=np.ones_like(noise), where=noise > 0)
    drawn: Floats = mean + share * (x - mean)
    return drawn


def fields(run: RunData) -> list[Field]:
    """The fields of a run, small boards first; of what may be compared (``frames.comparable``)."""
    rows = comparable(run)
    puzzles = _placed(run, set(rows["task"].unique()))
    rows = rows.assign(puzzle=rows["collection"].astype(str) + "\n" + rows["puzzle"].astype(str))
    found = []
    for size, own in puzzles.groupby("size", sort=True):
        here = rows[rows["puzzle"].isin(own.index)]
        if len(here):
            found.append(_field(int(str(size)) or None, here, own))
    return found


def _placed(run: RunData, tasks: set[str]) -> pd.DataFrame:
    """The puzzles that are compared, by collection and name in one, with their size (0: not known)."""
    puzzles = run.puzzles
    if "decoy" in puzzles:
        puzzles = puzzles[puzzles["decoy"].isna()]
    if tasks & set(ONE_SOLUTION):
        puzzles = puzzles[puzzles["solutions"] == 1]
    names = puzzles["collection"].astype(str) + "\n" + puzzles["puzzle"].astype(str)
    grids = puzzles["grid"] if "grid" in puzzles else pd.Series(np.nan, puzzles.index)
    sizes = [math.isqrt(len(grid)) if isinstance(grid, str) else 0 for grid in grids]
    return puzzles.assign(size=sizes).set_axis(names, axis="index")


def _field(size: int | None, rows: pd.DataFrame, puzzles: pd.DataFrame) -> Field:
    # In an order of their own, so that nothing depends on that of the rows.
    rows = rows.sort_values(["strategy", "puzzle"], kind="stable")
    table = times(rows)
    own = puzzles.loc[list(table.puzzles)]
    counted = rows.reindex(columns=["guesses"])["guesses"].notna()
    return Field(
        size,
        table.strategies,
        own.reset_index(drop=True),
        _median(table.log_s),
        _median(np.where(table.censored, np.inf, table.log_s)),
        clusters(own),
        (own["collection"] == MINED).to_numpy(),
        frozenset(rows.loc[counted, "strategy"].unique()),
    )


def _median(values: Floats) -> Floats:
    """Medians over the last axis of what is there; halfway between a number and infinity is infinity."""
    ordered = np.sort(values, axis=-1)  # what is not there comes last
    number = (~np.isnan(values)).sum(axis=-1, keepdims=True)
    low, high = (np.take_along_axis(ordered, np.maximum(at, 0), -1)[..., 0] for at in ((number - 1) // 2, number // 2))
    with np.errstate(invalid="ignore"):
        return np.where(number[..., 0] > 0, (low + high) / 2, np.nan)


def clusters(puzzles: pd.DataFrame) -> NDArray[np.intp]:
    """The number of each puzzle's cluster: one for a lineage, one for a grid, else one for each puzzle.

    Args:
        puzzles: rows with ``collection`` and ``puzzle``, and ``grid`` if it is known.
    """
    names = puzzles["collection"].astype(str) + "\n" + puzzles["puzzle"].astype(str)
    if "grid" in puzzles:
        names = puzzles["grid"].where(puzzles["grid"].notna(), names)
    lines = [
        lineages().get(str(puzzle), name) if collection == MINED else name
        for collection, puzzle, name in zip(puzzles["collection"], puzzles["puzzle"], names, strict=True)
    ]
    codes: Any = pd.factorize(np.array(lines, dtype=object))[0]
    return np.asarray(codes, dtype=np.intp)


@cache
def lineages() -> dict[str, str]:
    """The lineage of each mined puzzle by its name."""
    with (HERE / "data" / f"{MINED}.csv").open(encoding="utf-8", newline="") as stream:
        return {line["puzzle"]: line["lineage"] for line in csv.DictReader(stream)}
