"""The arrays of the page: the time of every strategy on every puzzle, and what it consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sudoku_bench.bench.figures import sheet
from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.run_data import disqualified
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.verdicts.times import medians

COUNTERS = ("conflicts", "guesses")
MOST_FORMS = 12  # of a puzzle; further ones are left out
PUZZLE = ["collection", "puzzle"]


@dataclass(frozen=True)
class PageArrays:
    """The arrays of the page for all puzzles of a run.

    Attributes:
        rows: the puzzles, without decoys.
        times: float32, strategies × rows: a puzzle's median CPU seconds per solve, of ``Run.per_puzzle``; infinite if
            not finished, NaN if not compared.
        details: float32, (forms + counters) × strategies × rows, with three digits: CPU seconds of each form (infinite
            if not finished), medians of the ``COUNTERS``; NaN where unknown.
        form_count: number of forms in ``details``.
    """

    rows: pd.DataFrame
    times: NDArray[np.float32]
    details: NDArray[np.float32]
    form_count: int


@once
def page_arrays(run: Run) -> PageArrays:
    """Compute the arrays of a run, strategies in the order of its sheet."""
    names = list(sheet.of_run(run).looks)
    rows = run.puzzles[run.puzzles["decoy"].isna()] if "decoy" in run.puzzles else run.puzzles
    index = pd.MultiIndex.from_frame(rows[PUZZLE].astype(str))
    times = run.per_puzzle.pivot(index="strategy", columns=PUZZLE, values="cpu_s").reindex(index=names, columns=index)
    timed = _timed(run, names, index)
    shape = (len(names), len(rows), int(timed["form"].max()) + 1 if len(timed) else 1)
    finished = timed["status"].isin(FINISHED)
    seconds = timed["cpu_s"].where(finished, np.inf)
    forms = np.moveaxis(_by_form(timed, seconds, shape)[..., :MOST_FORMS], 2, 0)
    counters = timed.reindex(columns=list(COUNTERS)).where(finished)
    counted = [medians(_by_form(timed, counters[name], shape)) for name in COUNTERS]
    details = short(np.concatenate([forms, counted]).astype(np.float32))
    return PageArrays(rows.reset_index(drop=True), times.to_numpy(np.float32), details, len(forms))


def _timed(run: Run, names: Sequence[str], index: pd.MultiIndex) -> pd.DataFrame:
    """Return the measurements of the page's puzzles by strategies that have times.

    Their places in the arrays are in the columns strategy_at, row_at and form.
    """
    rows = run.measurements
    rows = rows[rows["decoy"].isna() & rows["placebo"].isna() & (rows["status"] != "unsupported")]
    rows = rows[~rows["strategy"].isin(list(disqualified(run.measurements)))]
    strategy = pd.Index(names).get_indexer(pd.Index(rows["strategy"].astype(str)))
    row = index.get_indexer(pd.MultiIndex.from_frame(rows[PUZZLE].astype(str)))
    placed = rows.assign(strategy_at=strategy, row_at=row)[row >= 0]
    return placed.assign(form=placed.groupby(["strategy_at", "row_at"]).cumcount())


def _by_form(timed: pd.DataFrame, values: pd.Series[Any], shape: tuple[int, ...]) -> Floats:
    """Return the values of measurements as an array, strategies × rows × forms; NaN where there are none."""
    result = np.full(shape, np.nan)
    result[timed["strategy_at"], timed["row_at"], timed["form"]] = values.to_numpy(np.float64)
    return result


def short(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return numbers with about three digits: zeros at the end of a mantissa make the page smaller."""
    mantissa = values.view(np.uint32) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(values), mantissa.view(np.float32), values)
