"""The difficulty of each puzzle of a run and each strategy's time on it: the input of curves and crossovers.

The collections of a run are pooled; boards of different sizes are not. The time of a puzzle is the median of its
measurements, given by two bounds: they are equal if that median was finished, otherwise the limit and infinity. Leads
(``leads``) use the single measurements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
import pandas as pd

from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.clusters import clusters
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.run_data import ONE_SOLUTION, RunData
from sudoku_bench.bench.verdicts.times import medians, times
from sudoku_bench.datasets.collections.catalogue import MINED
from sudoku_bench.datasets.shape import size_of_text


@dataclass(frozen=True)
class Axis:
    """A measure of difficulty as an axis.

    Attributes:
        name: its column in ``puzzles.csv``.
        words: what it counts, in the plural.
        forward, back: transform values to the scale on which curves are smooth, and back.
        error: the column with its standard error, if there is one.
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
    """All puzzles of one board size with their difficulty, and each strategy's time on each of them.

    Attributes:
        size: rows of the board; None if unknown.
        puzzles: a row per puzzle, as in ``puzzles.csv``.
        log_s: natural logarithm of seconds, of the limit for an unfinished solve, strategies × puzzles × repetitions;
            NaN where nothing was measured.
        censored: of the same shape: the solve was not finished.
        clusters: cluster number of each puzzle (``bench/verdicts/clusters``).
        mined: whether each puzzle belongs to the mined collection.
        searchers: strategies that report guesses, so that the measure ``guesses`` nearly counts their own work.
    """

    size: int | None
    strategies: tuple[str, ...]
    puzzles: pd.DataFrame
    log_s: Floats
    censored: Flags
    clusters: Indices
    mined: Flags
    searchers: frozenset[str]

    @property
    def shape(self) -> str:
        """The board size as text, such as ``9x9``; empty if unknown."""
        return "" if self.size is None else f"{self.size}x{self.size}"

    @cached_property
    def lo(self) -> Floats:
        """Lower bound of the logarithm of the time of each puzzle, strategies × puzzles; NaN where unmeasured."""
        return medians(self.log_s)

    @cached_property
    def hi(self) -> Floats:
        """Upper bound of the same, infinite if the median was not finished."""
        return medians(np.where(self.censored, np.inf, self.log_s))

    def subset(self, selected: Flags) -> Field:
        """Return the field of some of the puzzles."""
        return replace(
            self,
            puzzles=self.puzzles[selected].reset_index(drop=True),
            log_s=self.log_s[:, selected],
            censored=self.censored[:, selected],
            clusters=self.clusters[selected],
            mined=self.mined[selected],
        )

    def at(self, axis: Axis) -> Floats:
        """Return the positions of the puzzles on the scale of an axis; NaN where unknown.

        A measure with a standard error is calibrated (see ``calibrated``). Trial and error of two levels is beyond the
        scale of rounds, so the position is unknown.
        """
        x = axis.forward(self.column(axis.name))
        if axis.name == "te_rounds":
            x = np.where(self.column("te_depth") > 1, np.nan, x)
        if axis.error is None:
            return x
        # The derivative of log(1 + guesses) converts the error to that scale.
        return calibrated(x, self.column(axis.error) / (1 + self.column(axis.name)))

    def column(self, name: str) -> Floats:
        """Return a column of ``puzzles.csv`` as numbers; NaN where unknown."""
        values = self.puzzles[name] if name in self.puzzles else pd.Series(np.nan, self.puzzles.index)
        numbers: Floats = pd.to_numeric(values, errors="coerce").to_numpy(np.float64)
        return numbers


def calibrated(x: Floats, error: Floats) -> Floats:
    """Return the best linear prediction of the true values from values with known errors: regression calibration.

    Errors of x flatten a curve by their share of the variance of x. Shrinking the values towards their mean by that
    share removes the bias (Fuller 1987; Carroll, Ruppert, Stefanski & Crainiceanu 2006). The remaining scatter is
    scatter of y at a given x, which a band for y includes.

    Args:
        x: values, NaN where unknown.
        error: standard errors in the same units; NaN counts as 0.
    """
    known = np.isfinite(x)
    noise = np.where(np.isfinite(error), error, 0.0) ** 2
    if known.sum() < 2 or not noise[known].any():
        return x
    mean = float(x[known].mean())
    true = max(0.0, float(x[known].var(ddof=1) - noise[known].mean()))
    share = np.divide(true, true + noise, out=np.ones_like(noise), where=noise > 0)
    shrunk: Floats = mean + share * (x - mean)
    return shrunk


@once
def fields(run: RunData) -> list[Field]:
    """Return the fields of a run from its comparable rows (``RunData.comparable``), small boards first."""
    rows = run.comparable
    puzzles = _compared_puzzles(run, set(rows["task"].unique()))
    rows = rows.assign(puzzle=_full_names(rows))
    result = []
    for size, of_size in puzzles.groupby("size", sort=True):
        rows_of_size = rows[rows["puzzle"].isin(of_size.index)]
        if len(rows_of_size):
            result.append(_field(int(str(size)) or None, rows_of_size, of_size))
    return result


def _full_names(rows: pd.DataFrame) -> pd.Categorical[str]:
    """Return collection and name of the puzzle of each row in one string, as sorted categories."""
    groups = rows.groupby(["collection", "puzzle"], sort=False)
    names = ["\n".join(map(str, cast(tuple[object, ...], group))) for group in groups.groups]
    categories = pd.Categorical.from_codes(groups.ngroup().to_numpy(), pd.Index(names))
    return categories.reorder_categories(sorted(names))


def _compared_puzzles(run: RunData, tasks: set[str]) -> pd.DataFrame:
    """Return the compared puzzles with their size (0 if unknown), indexed by collection and name in one string."""
    puzzles = run.puzzles
    if "decoy" in puzzles:
        puzzles = puzzles[puzzles["decoy"].isna()]
    if tasks & set(ONE_SOLUTION):
        puzzles = puzzles[puzzles["solutions"] == 1]
    names = puzzles["collection"].astype(str) + "\n" + puzzles["puzzle"].astype(str)
    grids = puzzles["grid"] if "grid" in puzzles else pd.Series(np.nan, puzzles.index)
    sizes = [size_of_text(grid) if isinstance(grid, str) else 0 for grid in grids]
    return puzzles.assign(size=sizes).set_axis(names, axis="index")


def _field(size: int | None, rows: pd.DataFrame, puzzles: pd.DataFrame) -> Field:
    rows = rows.sort_values(["strategy", "puzzle"], kind="stable")  # results do not depend on the order of the rows
    measured = times(rows)
    compared = puzzles.loc[list(measured.puzzles)]
    reports_guesses = rows.reindex(columns=["guesses"])["guesses"].notna()
    return Field(
        size,
        measured.strategies,
        compared.reset_index(drop=True),
        measured.log_s,
        measured.censored,
        clusters(compared),
        compared["collection"].isin(MINED).to_numpy(),
        frozenset(rows.loc[reports_guesses, "strategy"].unique()),
    )
