"""One time per strategy and puzzle: what curves of single puzzles, distributions and pairs of points are drawn from."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from bench.verdicts.run_data import Run

KEY = ["strategy", "collection", "puzzle"]
CLOCKS = ("cpu_s", "wall_s")
PER_PUZZLE_COLUMNS = (*KEY, "task", "mode", "size", "n", "unfinished", *CLOCKS, "limit_s")


def per_puzzle(run: Run) -> pd.DataFrame:
    """A row per strategy, collection and puzzle of what may be compared (``frames.comparable``).

    Columns ``PER_PUZZLE_COLUMNS``: ``size``, rows of the board; ``n``, measurements; ``unfinished`` of them; ``cpu_s``
    and ``wall_s``, the median of seconds per solve, infinite where that one was not finished (halfway between a
    finished and an unfinished solve is not finished); ``limit_s``, of CPU time. Strategies by name, puzzles in the
    order of the run.
    """
    rows = run.comparable
    if rows.empty:
        return pd.DataFrame(columns=list(PER_PUZZLE_COLUMNS)).astype({"size": int, "n": int, "unfinished": int})
    finished = rows["status"] == "solved"
    known = rows.assign(
        **{clock: rows[clock].where(finished, math.inf) for clock in CLOCKS}, unfinished=(~finished).astype(int), n=1
    )
    how = {"task": "first", "mode": "first", "n": "sum", "unfinished": "sum", "limit_s": "first"}
    found = known.groupby(KEY, sort=False).agg(how | dict.fromkeys(CLOCKS, "median")).reset_index()
    return in_order(run, found)[list(PER_PUZZLE_COLUMNS)]


def in_order(run: Run, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the size of their boards: strategies by name, puzzles in the order of the run."""
    places = run.puzzles.assign(place=np.arange(len(run.puzzles)), size=run.puzzles["grid"].str.len().map(math.isqrt))
    placed = rows.merge(places[["collection", "puzzle", "size", "place"]], on=["collection", "puzzle"])
    return placed.sort_values(["strategy", "place"], kind="stable").reset_index(drop=True)
