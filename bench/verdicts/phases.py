"""How the time of a solve divides into phases: medians of each phase, for each strategy."""

from __future__ import annotations

import pandas as pd

from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.run_data import KEY, RunData, prepare_seconds
from sudoku_bench.datasets.shape import size_of_text

PHASES = ("encode", "load", "search", "decode", "release")  # of each solve; prepare is run once per process
PHASE_COLUMNS = (
    "strategy",
    "n_puzzles",  # with at least one finished measurement
    "of_puzzles",  # measured
    "whole_s",  # of the solve, timed separately
    *(f"{phase}_s" for phase in PHASES),
    "prepare_s",  # median over processes
)
TIMES = ["cpu_s", *(f"{phase}_cpu_s" for phase in PHASES)]


def phases(run: RunData, size: int) -> pd.DataFrame:
    """Return one row per strategy, columns ``PHASE_COLUMNS``: CPU seconds on boards of one size.

    A puzzle's time is the median of its finished measurements, a strategy's time the median over the puzzles with at
    least one. If these are not all puzzles, its times are those of the easier ones. Phases that were timed on other
    forms, because they were too short to be timed within the sample, count like all others. ``whole_s`` is never the
    sum of phases.

    Args:
        size: rows of the board.
    """
    puzzles = run.puzzles.loc[
        run.puzzles["grid"].map(size_of_text, na_action="ignore") == size, ["collection", "puzzle"]
    ]
    comparable = run.comparable[[*KEY, "status"]].reset_index().merge(puzzles)
    rows = comparable.join(run.measurements[[*TIMES, "prepare_cpu_s", "worker"]], on="index")
    per_puzzle = rows[rows["status"].isin(FINISHED)].groupby(KEY)[TIMES].median()
    table = per_puzzle.groupby(level="strategy").median()
    table.columns = ["whole_s", *(f"{phase}_s" for phase in PHASES)]
    table["n_puzzles"] = per_puzzle.groupby(level="strategy").size()
    table["of_puzzles"] = rows.drop_duplicates(KEY).groupby("strategy").size()
    table["prepare_s"] = prepare_seconds(rows)
    return table.reset_index()[list(PHASE_COLUMNS)]
