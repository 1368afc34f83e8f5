"""Where the time of a solve goes: medians of its phases, for each strategy."""

from __future__ import annotations

import pandas as pd

from bench.verdicts.run_data import RunData

PHASES = ("encode", "load", "search", "decode", "release")  # of each solve; preparing is paid once per process
PHASE_COLUMNS = (
    "strategy",
    "n_puzzles",  # of which it finished a measurement
    "of_puzzles",
    "whole_s",  # of the solve, clocked on its own
    *(f"{phase}_s" for phase in PHASES),
    "prepare_s",  # the median over processes
)
CLOCKED = ["cpu_s", *(f"{phase}_cpu_s" for phase in PHASES)]
KEY = ["strategy", "collection", "puzzle"]


def phases(run: RunData, size: int) -> pd.DataFrame:
    """One row per strategy, columns ``PHASE_COLUMNS``: CPU seconds on boards of so many rows.

    A puzzle's time is the median of its finished measurements, a strategy's the median over the puzzles that it
    finished anything of: where that is not all of them, its times are those of the easier ones. Phases that were
    clocked on other forms, being too short to be clocked within the sample, count like all others; the whole never is
    their sum.
    """
    grids = run.puzzles.loc[run.puzzles["grid"].str.len() == size * size, ["collection", "puzzle"]]
    own = run.comparable[[*KEY, "status"]].reset_index().merge(grids)
    rows = own.join(run.measurements[[*CLOCKED, "prepare_cpu_s", "worker"]], on="index")
    each = rows[rows["status"] == "solved"].groupby(KEY)[CLOCKED].median()
    table = each.groupby(level="strategy").median()
    table.columns = ["whole_s", *(f"{phase}_s" for phase in PHASES)]
    table["n_puzzles"] = each.groupby(level="strategy").size()
    table["of_puzzles"] = rows.drop_duplicates(KEY).groupby("strategy").size()
    table["prepare_s"] = rows.drop_duplicates(["strategy", "worker"]).groupby("strategy")["prepare_cpu_s"].median()
    return table.reset_index()[list(PHASE_COLUMNS)]
