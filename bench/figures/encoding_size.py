"""Encoding size versus time: clauses of the solver's input against the time of the whole solve and of its search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sudoku_bench.bench.figures.panels import BACKGROUND, grey_note, highlighted
from sudoku_bench.bench.figures.sheet import other_sizes_note
from sudoku_bench.bench.figures.style import (
    MIN_POINTS,
    NothingToDrawError,
    Sheet,
    begin,
    end,
    legend_lines,
    limit_line,
    log_scale,
)
from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.run_data import KEY
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.verdicts.summary import median_interval

TITLE = "Encoding size versus search"
HEIGHT_IN = 3.4
TIMES = {"cpu_s": "whole solve", "search_cpu_s": "search only"}  # one panel each


@dataclass(frozen=True)
class Sizes:
    """The data of the figure, for boards of one size.

    Attributes:
        points: a row per strategy: strategy, clauses (median over finished solves), cpu_s, search_cpu_s (median over
            puzzles of a puzzle's median; infinite where it was not finished), and the 95% intervals of both
            (``cpu_s_lo``, ``cpu_s_hi`` ...; NaN if unknown).
        shape: board shape, such as ``9x9``.
        omitted: number of puzzles of other board sizes.
    """

    points: pd.DataFrame
    shape: str
    omitted: int = 0

    @property
    def strategies(self) -> list[str]:
        """The strategies, the fastest first."""
        return [str(name) for name in self.points.sort_values(["cpu_s", "strategy"], kind="stable")["strategy"]]


def data(run: Run) -> Sizes:
    """Collect sizes and times of the strategies that report their solver's input, on the most common board size."""
    rows = run.measurements.loc[run.comparable.index, [*KEY, "status", *TIMES, "clauses"]]
    rows = rows.merge(run.per_puzzle[[*KEY, "size"]], on=KEY)
    encoded = rows.loc[rows["clauses"].notna(), "strategy"].unique()
    rows = rows[rows["strategy"].isin(encoded)]
    if rows.empty:
        raise NothingToDrawError("no strategy finished a solve and reported the number of clauses")
    size, omitted = most_common(rows)
    rows = rows[rows["size"] == size]
    finished = rows["status"].isin(FINISHED)
    times = rows.assign(**{clock: rows[clock].where(finished, np.inf) for clock in TIMES})
    puzzles = times.groupby(KEY, sort=False)[list(TIMES)].median()
    points = puzzles.groupby("strategy").median().join(rows.groupby("strategy")["clauses"].median()).dropna()
    for clock in TIMES:
        ends = puzzles[clock].groupby("strategy").apply(lambda times: median_interval(times.to_numpy()))
        points[f"{clock}_lo"], points[f"{clock}_hi"] = ends.str[0], ends.str[1]
    numbers = puzzles.groupby("strategy").size().reindex(points.index)
    points = points[(numbers >= MIN_POINTS) & (points["clauses"] > 0)]  # both axes are logarithmic
    if points["clauses"].nunique() < 2:
        raise NothingToDrawError("fewer than two sizes of encodings are known, on three puzzles or more")
    if not np.isfinite(points["cpu_s"]).any():
        raise NothingToDrawError(f"no strategy that reports clauses finished half of the {size}x{size} puzzles")
    return Sizes(points.reset_index(), f"{size}x{size}", omitted)


def caption(sizes: Sizes, sheet: Sheet) -> str:
    """Return the caption."""
    late = " Hollow marks at the time limit: at least half of the puzzles not finished." if _late(sizes.points) else ""
    return (
        f"Each mark is a strategy: medians over all {sizes.shape} puzzles with 95% intervals; clauses are those of the"
        f" solver's input.{late}{grey_note(sizes.strategies, sheet)}{other_sizes_note(sizes.omitted)}"
    )


def _late(points: pd.DataFrame) -> bool:
    return bool(np.isinf(points[list(TIMES)].to_numpy()).any())


def draw(sizes: Sizes, sheet: Sheet) -> Figure:
    """Draw the panels."""
    figure, places = begin(sheet, HEIGHT_IN, 1, len(TIMES), sharex=True, sharey=True)
    times = sizes.points.filter(regex="cpu_s").to_numpy()  # with their intervals
    known = times[np.isfinite(times) & (times > 0)]
    most_s = sheet.limit_s * 2 if _late(sizes.points) else known.max() * 1.6
    least, most = sizes.points["clauses"].min(), sizes.points["clauses"].max()
    for axes, (clock, part) in zip(places, TIMES.items(), strict=True):
        _panel(axes, sizes, clock, sheet)
        axes.set_title(part, loc="left")
        axes.set_xlabel("clauses (log)")
        log_scale(axes, "x", least / 1.15, most * 1.15, text_of=lambda value: f"{value:,.0f}")
        log_scale(axes, "y", known.min() / 1.6, most_s)
        axes.minorticks_off()
    places[0].set_ylabel("CPU time (log)")
    marks = legend_lines(highlighted(sizes.strategies, sheet), sheet)
    for mark in marks.values():
        mark.set_linestyle("none")  # a strategy is a point
    return end(figure, sheet, TITLE, caption(sizes, sheet), marks)


def _panel(axes: Axes, sizes: Sizes, clock: str, sheet: Sheet) -> None:
    """Draw a mark per strategy, hollow at the time limit if its median was not finished; grey if it has no name."""
    shown = highlighted(sizes.strategies, sheet)
    for line in sizes.points[sizes.points[clock] > 0].to_dict("records"):
        x, y, is_late = [line["clauses"]], [min(line[clock], sheet.limit_s)], np.isinf(line[clock])
        if line["strategy"] not in shown:
            axes.plot(x, y, ".", color=BACKGROUND, ms=5 * sheet.scale, zorder=1)
            continue
        look, (low, high) = sheet.looks[line["strategy"]], (line[f"{clock}_lo"], line[f"{clock}_hi"])
        if not is_late and low > 0 and np.isfinite(high):
            axes.plot(x * 2, [low, high], "-", color=look.colour, lw=1.1 * sheet.scale, alpha=0.7, zorder=2)
        face = "#ffffff" if is_late else look.colour
        axes.plot(x, y, look.marker, color=look.colour, mfc=face, ms=6 * sheet.scale, zorder=3)
    if np.isinf(sizes.points[clock]).any():
        limit_line(axes, sheet)
