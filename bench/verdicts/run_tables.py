"""A run with all its tables, each computed on first use. The only module that imports every verdict of a run."""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property
from pathlib import Path

import pandas as pd

from sudoku_bench.bench.folder.rows import COLUMNS
from sudoku_bench.bench.verdicts import summary as summaries
from sudoku_bench.bench.verdicts.between_runs.repeated import widened
from sudoku_bench.bench.verdicts.choice import vbs as best_solver
from sudoku_bench.bench.verdicts.difficulty import crossovers as crossing
from sudoku_bench.bench.verdicts.difficulty import curves as curve
from sudoku_bench.bench.verdicts.pairs import noise as placebos
from sudoku_bench.bench.verdicts.pairs import pairs as comparing
from sudoku_bench.bench.verdicts.run_data import RunData
from sudoku_bench.bench.verdicts.run_files import read


class Run(RunData):
    """The rows of a run, and the tables computed from them. docs/columns.md describes each column.

    Attributes:
        summary: a row per strategy and collection.
        pairs: a row per strategy and collection: its comparison with the best there, with the verdict.
        quoted: the pairs with intervals, and verdicts by them, that include the variation between runs, where a second
            run is known; else as ``pairs``.
        all_pairs: a row per pair of strategies and collection, with the verdict.
        vbs: the virtual best solver, and each strategy's contribution to it.
        curves: median times over measures of difficulty.
        crossovers: difficulties where the faster of two strategies changes.
    """

    summary = cached_property(summaries.summarize)
    pairs = cached_property(comparing.pairs)
    all_pairs = cached_property(comparing.all_pairs)
    vbs = cached_property(best_solver.vbs)
    curves = cached_property(curve.curves)
    crossovers = cached_property(crossing.crossovers)

    @cached_property
    def quoted(self) -> pd.DataFrame:
        """The pairs as a text should quote them."""
        return widened(self.pairs, self.between_runs)

    @cached_property
    def noise(self) -> pd.DataFrame:
        """A row per placebo and collection."""
        return placebos.table(self.measurements)


def load(folder: str | Path, wanted: Container[str] = COLUMNS) -> Run:
    """Load a run folder, with these columns of its measurements.

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    return read(folder, Run, wanted)
