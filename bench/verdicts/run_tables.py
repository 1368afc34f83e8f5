"""A run with all its tables, each computed on first use. The only module that imports every verdict of a run."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import pandas as pd

from bench.verdicts import summary
from bench.verdicts.choice import vbs
from bench.verdicts.difficulty import crossovers, curves, propagation, scaling
from bench.verdicts.pairs import noise, pairs
from bench.verdicts.run_data import RunData, read
from bench.verdicts.spread import power


class Run(RunData):
    """The rows of a run, and the tables computed from them. docs/columns.md describes each column."""

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row per strategy and collection (see ``bench.verdicts.summary``)."""
        return summary.summarize(self)

    @cached_property
    def noise(self) -> pd.DataFrame:
        """A row per placebo and collection (see ``bench.verdicts.pairs.noise``)."""
        return noise.table(self.measurements)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row per pair of strategies and collection, with the verdict (see ``bench.verdicts.pairs.pairs``)."""
        return pairs.pairs(self)

    @cached_property
    def vbs(self) -> pd.DataFrame:
        """The virtual best solver, and each strategy's contribution to it (see ``bench.verdicts.choice.vbs``)."""
        return vbs.vbs(self)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """Median times over measures of difficulty (see ``bench.verdicts.difficulty.curves``)."""
        return curves.curves(self)

    @cached_property
    def crossovers(self) -> pd.DataFrame:
        """Difficulties where the faster of two strategies changes (see ``bench.verdicts.difficulty.crossovers``)."""
        return crossovers.crossovers(self)

    @cached_property
    def scaling(self) -> pd.DataFrame:
        """Growth of times with difficulty and with the board (see ``bench.verdicts.difficulty.scaling``)."""
        return scaling.scaling(self)

    @cached_property
    def propagation(self) -> pd.DataFrame:
        """The share solved without search by each encoding (see ``bench.verdicts.difficulty.propagation``)."""
        return propagation.table(self)

    @cached_property
    def power(self) -> pd.DataFrame:
        """What the next run needs to decide each undecided pair (see ``bench.verdicts.spread.power``)."""
        return power.power(self, self.pairs)


def load(folder: str | Path) -> Run:
    """Load a run folder.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    return read(folder, Run)
