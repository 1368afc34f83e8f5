"""Simulated benchmarks whose truth is known, cell by cell, and what is counted on them.

A study is data: cells of parameters, and a function that draws benchmarks of a cell and counts. The generator of each
cell has a seed of its own, so results do not depend on the machine, nor on which other cells are drawn.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from studies import document
from sudoku_bench.bench.verdicts.arrays import Flags, Floats

RESULTS = document.TOP / "results" / "validation"
PAGE = document.DOCS / "methodology" / "validation.md"
YES_NO = (False, True)
DRAWS = "draws"

Cell = Mapping[str, Any]
Rows = list[dict[str, Any]]


def crossed(**levels: Iterable[Any]) -> list[Cell]:
    """Return the cells of a crossed design; the levels of the last parameter vary fastest."""
    return [dict(zip(levels, values, strict=True)) for values in itertools.product(*levels.values())]


@dataclass(frozen=True)
class Simulation:
    """A study of simulated benchmarks.

    Attributes:
        title: what is counted, in a phrase.
        file: of the results, in ``results/validation``: the parameters of each cell, and what was counted.
        cells: parameters of ``measure``; ``draws`` among them is the number of benchmarks of that cell.
        measure: draws benchmarks: ``measure(generator, draws, **parameters)`` returns one or several rows.
        draws: number of benchmarks of a cell.
        seed: begins the seed of each generator; the number of the cell ends it.
        held: whether the results are as they should be.
        digits: significant digits in the file.
        markdown: makes of the file the text of the region of ``PAGE`` that has the name of the study.
    """

    title: str
    file: str
    cells: Sequence[Cell]
    measure: Callable[..., Rows]
    draws: int
    seed: tuple[int, ...]
    held: Callable[[pd.DataFrame], bool] = lambda _: True
    digits: int = 4
    markdown: Callable[[pd.DataFrame], str] | None = None

    def results(self, draws: int = 0, every: int = 1) -> pd.DataFrame:
        """Draw benchmarks and count.

        Args:
            draws: number of benchmarks of each cell; 0: as many as the study takes.
            every: only each cell with this distance from the one before.
        """
        rows: Rows = []
        for number, cell in list(enumerate(self.cells))[::every]:
            parameters = {name: value for name, value in cell.items() if name != DRAWS}
            rng = np.random.default_rng([*self.seed, number])
            counted = self.measure(rng, draws or cell.get(DRAWS, self.draws), **parameters)
            rows += [parameters | row for row in counted]
        return pd.DataFrame(rows)


def simulate(name: str, study: Simulation, draws: int, every: int) -> bool:
    """Draw the benchmarks of a study and print the results; write its file and its region if nothing is left out.

    Returns:
        whether the results are as they should be.
    """
    table = study.results(draws, every)
    if every == 1 and not draws:
        path = RESULTS / study.file
        table.to_csv(path, index=False, lineterminator="\n", float_format=f"%.{study.digits}g")
        if study.markdown:
            document.fill(PAGE, name, study.markdown(pd.read_csv(path)))
    print(table.to_string(index=False, float_format=f"{{:.{study.digits}g}}".format))
    return study.held(table)


def tastes(rng: np.random.Generator, shape: tuple[int, ...], skew: bool) -> Floats:
    """Draw how much puzzles favour strategies: exponential (skewness 2) or normal, with mean 0 and variance 1."""
    return rng.exponential(size=shape) - 1 if skew else rng.standard_normal(shape)


def under_limit(log_s: Floats, limit: float) -> tuple[Floats, Flags]:
    """Return log times as measured under a limit, and which are censored; after one timeout a puzzle is not retried."""
    censored = np.maximum.accumulate(log_s > limit, axis=-1)
    return np.where(censored, limit, log_s), censored


def within_level(errors: pd.Series[int], of: pd.Series[int], level: float) -> bool:
    """Return whether numbers of errors are within the 97.5% quantile of a rule that errs at this level."""
    return bool((errors <= stats.binom.ppf(0.975, of, level)).all())


def rate_interval(found: int, number: int) -> tuple[float, float]:
    """Return the exact 95% interval of a rate (Clopper & Pearson 1934)."""
    interval = stats.binomtest(found, number).proportion_ci(0.95, method="exact")
    return float(interval.low), float(interval.high)
