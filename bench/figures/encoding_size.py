"""Encoding size versus time: size of the solver's input against the time of the whole solve and of its search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.panels import BACKGROUND, grey_note, highlighted
from bench.figures.sheet import other_sizes_note
from bench.figures.style import (
    GREY,
    MIN_POINTS,
    NothingToDrawError,
    Sheet,
    begin,
    end,
    legend_lines,
    limit_line,
    log_scale,
)
from bench.folder.rows import FINISHED
from bench.verdicts.board_size import most_common
from bench.verdicts.run_data import KEY
from bench.verdicts.run_tables import Run
from bench.verdicts.summary import median_interval

TITLE = "Encoding size versus search"
HEIGHT_IN = 5.6
SIZES = ("clauses", "variables")  # one column of panels each
TIMES = {"cpu_s": "whole solve", "search_cpu_s": "search only"}  # one row of panels each
FRONT = "#cfcfcf"


@dataclass(frozen=True)
class Sizes:
    """The data of the figure, for boards of one size.

    Attributes:
        points: a row per strategy: strategy, variables, clauses (medians over finished solves), cpu_s, search_cpu_s
            (median over puzzles of a puzzle's median; infinite where it was not finished), the 95% intervals of both
            (``cpu_s_lo``, ``cpu_s_hi`` ...; NaN if unknown), n (puzzles), late (those not finished).
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
    rows = run.measurements.loc[run.comparable.index, [*KEY, "status", *TIMES, *SIZES]]
    rows = rows.merge(run.per_puzzle[[*KEY, "size"]], on=KEY)
    encoded = rows.loc[rows[list(SIZES)].notna().all(axis=1), "strategy"].unique()
    rows = rows[rows["strategy"].isin(encoded)]
    if rows.empty:
        raise NothingToDrawError("no strategy finished a solve and reported the number of clauses")
    size, omitted = most_common(rows)
    rows = rows[rows["size"] == size]
    finished = rows["status"].isin(FINISHED)
    times = rows.assign(**{clock: rows[clock].where(finished, np.inf) for clock in TIMES})
    puzzles = times.groupby(KEY, sort=False)[list(TIMES)].median()
    points = puzzles.groupby("strategy").median().join(rows.groupby("strategy")[list(SIZES)].median()).dropna()
    for clock in TIMES:
        ends = puzzles[clock].groupby("strategy").apply(lambda times: median_interval(times.to_numpy()))
        points[f"{clock}_lo"], points[f"{clock}_hi"] = ends.str[0], ends.str[1]
    late = np.isinf(puzzles["cpu_s"]).groupby("strategy").agg(["size", "sum"])
    points = points.join(late.rename(columns={"size": "n", "sum": "late"}))
    points = points[(points["n"] >= MIN_POINTS) & (points[list(SIZES)] > 0).all(axis=1)]  # both axes are logarithmic
    if points.empty:
        raise NothingToDrawError(f"no strategy gave its solver clauses for half of {MIN_POINTS} puzzles or more")
    if not np.isfinite(points["cpu_s"]).any():
        raise NothingToDrawError(f"no strategy that reports clauses finished half of the {size}x{size} puzzles")
    return Sizes(points.reset_index(), f"{size}x{size}", omitted)


def caption(sizes: Sizes, sheet: Sheet) -> str:
    """Return the caption."""
    late = " Hollow marks at the time limit: at least half of the puzzles not finished." if _late(sizes.points) else ""
    joined = " Lines join the encodings of one engine." if len(engines(sizes.points["strategy"])) > 1 else ""
    return (
        f"Each mark is a strategy: medians over all {sizes.shape} puzzles with 95% intervals; sizes are those of the"
        " solver's input. Grey stairs: the Pareto front; any other strategy is slower than one on it whose input is"
        f" no larger.{joined}{late}{grey_note(sizes.strategies, sheet)}{other_sizes_note(sizes.omitted)}"
    )


def _late(points: pd.DataFrame) -> bool:
    return bool(np.isinf(points[list(TIMES)].to_numpy()).any())


def engines(strategies: Sequence[str] | pd.Series[str]) -> dict[str, list[str]]:
    """Return the strategies of each engine (the part after the @) that has three or more encodings."""
    by_engine: dict[str, list[str]] = {}
    for name in strategies:
        by_engine.setdefault(name.rpartition("@")[2] if "@" in name else "", []).append(name)
    return {engine: names for engine, names in by_engine.items() if engine and len(names) > 2}


def draw(sizes: Sizes, sheet: Sheet) -> Figure:
    """Draw the panels."""
    figure, places = begin(sheet, HEIGHT_IN, len(TIMES), len(SIZES), sharex="col", sharey="row")
    for number, axes in enumerate(places):
        (clock, part), size = list(TIMES.items())[number // len(SIZES)], SIZES[number % len(SIZES)]
        _panel(axes, sizes, size, clock, sheet)
        if number >= len(places) - len(SIZES):
            axes.set_xlabel(f"{size} (log)")
        if number % len(SIZES) == 0:
            axes.set_ylabel(f"{part}: CPU time (log)")
    marks = legend_lines(highlighted(sizes.strategies, sheet), sheet)
    for mark in marks.values():
        mark.set_linestyle("none")  # a strategy is a point
    return end(figure, sheet, TITLE, caption(sizes, sheet), marks)


def _panel(axes: Axes, sizes: Sizes, size: str, clock: str, sheet: Sheet) -> None:
    """Draw a mark per strategy, hollow at the time limit if its median was not finished; grey if it has no name."""
    points, shown = sizes.points, highlighted(sizes.strategies, sheet)
    marks_at = _shown(points, size, clock, sheet)
    joined = engines(points["strategy"])
    for members in joined.values() if len(joined) > 1 else ():
        line = marks_at[marks_at["strategy"].isin(members)].sort_values(["x", "y"], kind="stable")
        axes.plot(line["x"].to_numpy(), line["y"].to_numpy(), "-", color=GREY, lw=0.6, alpha=0.35, zorder=1)
    front = pareto_front(marks_at)
    if len(front) > 1:
        axes.plot(front["x"], front["y"], "-", color=FRONT, lw=3 * sheet.scale, drawstyle="steps-post", zorder=0.9)
    for name, x, y, late, low, high in marks_at.itertuples(index=False):
        if name not in shown:
            axes.plot([float(x)], [float(y)], ".", color=BACKGROUND, ms=5 * sheet.scale, zorder=1)
            continue
        look = sheet.looks[str(name)]
        if not late:
            axes.plot([float(x)] * 2, [low, high], "-", color=look.colour, lw=1.1 * sheet.scale, alpha=0.7, zorder=2)
        face = "#ffffff" if late else look.colour
        axes.plot([float(x)], [float(y)], look.marker, color=look.colour, mfc=face, ms=6 * sheet.scale, zorder=3)
    low, high = float(points[size].min()), float(points[size].max())
    log_scale(axes, "x", low / 1.15, high * 1.15, text_of=lambda value: f"{value:,.0f}")
    finished = marks_at[~marks_at["late"]]
    low = float(finished["low"].min()) if len(finished) else sheet.limit_s / 10
    high = sheet.limit_s * 2 if marks_at["late"].any() else float(finished["high"].max()) * 1.4
    log_scale(axes, "y", low / 1.4, high)
    axes.minorticks_off()
    if marks_at["late"].any():
        limit_line(axes, sheet)


def _shown(points: pd.DataFrame, size: str, clock: str, sheet: Sheet) -> pd.DataFrame:
    """Return the marks of a panel: strategy, position x and y, whether it is late, and the interval low to high."""
    rows = points[(points[clock] > 0) & (points[size] > 0)]
    y = rows[clock].clip(upper=sheet.limit_s)
    low, high = rows[f"{clock}_lo"], rows[f"{clock}_hi"]
    ends = {"low": low.where(np.isfinite(low) & (low > 0), y), "high": high.where(np.isfinite(high), y)}
    marks_at = {"strategy": rows["strategy"], "x": rows[size], "y": y, "late": np.isinf(rows[clock])}
    return pd.DataFrame(marks_at | ends)


def pareto_front(marks_at: pd.DataFrame) -> pd.DataFrame:
    """Return the marks that no other one beats in both size and time, from the smallest size on (Pareto 1906)."""
    ordered = marks_at[~marks_at["late"]].sort_values(["x", "y"], kind="stable")
    return ordered[ordered["y"] < ordered["y"].cummin().shift(fill_value=math.inf)]
