"""Scaling with board size: median and quartiles of each strategy on each size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullFormatter

from sudoku_bench.bench.figures.panels import grey_line, grey_note
from sudoku_bench.bench.figures.style import (
    MIN_POINTS,
    NARROW_IN,
    Look,
    NothingToDrawError,
    Sheet,
    begin,
    end,
    ends_height,
    name_ends,
    time_scale,
)
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.verdicts.summary import quantile

TITLE = "Scaling with board size"
HEIGHT_IN = 4.7
SPREAD_SHARE = 0.3  # width of the marks of one size, as a share of the smallest distance between sizes (log scale)
QUANTILES = {"p25_s": 0.25, "median_s": 0.5, "p75_s": 0.75}


@dataclass(frozen=True)
class Growth:
    """The data of the figure.

    Attributes:
        points: a row per strategy and size: strategy, size (rows of the board), cells, n (puzzles), late (those not
            finished), p25_s, median_s, p75_s (infinite if an unfinished solve is part of them).
    """

    points: pd.DataFrame

    @property
    def strategies(self) -> list[str]:
        """The strategies, fastest first by the mean logarithm of their medians, those with the most sizes first."""
        finite = self.points["median_s"].where(np.isfinite(self.points["median_s"])).map(math.log)
        means = finite.groupby(self.points["strategy"]).agg(["count", "mean"])
        order = means.sort_values(["count", "mean"], ascending=[False, True], kind="stable", na_position="last")
        return [str(name) for name in order.index]

    @property
    def joined(self) -> set[str]:
        """The strategies whose medians are joined: those of ``MIN_POINTS`` sizes were finished."""
        finished = self.points.loc[np.isfinite(self.points["median_s"]), "strategy"].value_counts()
        return set(finished.index[finished >= MIN_POINTS])


def data(run: Run) -> Growth:
    """Compute quartiles of each strategy's times per board size, over all collections together."""
    rows = run.per_puzzle
    numbers = rows.drop_duplicates(["collection", "puzzle"]).groupby("size").size()
    rows = rows[rows["size"].isin(numbers.index[numbers >= MIN_POINTS])]
    if rows["size"].nunique() < MIN_POINTS:
        raise NothingToDrawError(f"scaling needs {MIN_POINTS} board sizes with {MIN_POINTS} puzzles each")
    points: list[dict[str, Any]] = []
    for (strategy, label), group in rows.groupby(["strategy", "size"], sort=True):
        times, size = group["cpu_s"].to_numpy(), int(str(label))
        line = {"strategy": strategy, "size": size, "cells": size**2, "n": len(times)}
        quartiles = {name: quantile(times, share) for name, share in QUANTILES.items()}
        points.append(line | {"late": int(np.isinf(times).sum())} | quartiles)
    growth = Growth(pd.DataFrame(points).fillna(math.inf))
    if not growth.joined:
        raise NothingToDrawError(f"no strategy finished half of the puzzles of {MIN_POINTS} board sizes")
    return growth


def caption(growth: Growth, sheet: Sheet) -> str:
    """Return the caption."""
    is_late = np.isinf(growth.points["median_s"]).any()
    late = " Hollow marks at the time limit: at least half of the puzzles not finished." if is_late else ""
    is_few = len(growth.joined) < len(growth.strategies)
    few = f" Without a line: fewer than {MIN_POINTS} sizes finished." if is_few else ""
    grey = grey_note(sum(not sheet.is_named(name) for name in growth.strategies))
    return (
        f"Marks: medians over all puzzles of a board size; bars: quartiles.{grey}{late}{few}"
        " Puzzles of different sizes are not equally hard, so the growth holds for these collections only."
    )


def draw(growth: Growth, sheet: Sheet) -> Figure:
    """Draw the marks and bars of each strategy, with its name at the end of its line."""
    names, joined = [name for name in growth.strategies if sheet.is_named(name)], growth.joined
    notes = {name: note(growth, name) for name in names}
    figure, [axes] = begin(sheet, max(HEIGHT_IN, ends_height(names, sheet, notes)))
    for name in growth.strategies:
        if name not in names:
            points = growth.points[growth.points["strategy"] == name].replace(np.inf, np.nan)
            grey_line(axes, points["cells"], points["median_s"], sheet, "-" if name in joined else ".")
    ends = {}
    for name, shift in zip(names, shifts(growth.points, len(names)), strict=True):
        points = growth.points[growth.points["strategy"] == name]
        draw_strategy(axes, points, sheet.looks[name], sheet, shift, name in joined)
        last = points.sort_values("cells").iloc[-1]
        ends[name] = float(last["cells"]) * shift, min(float(last["median_s"]), sheet.limit_s)
    _scales(axes, growth.points, sheet)
    axes.set_ylabel("median CPU time per solve")
    end(figure, sheet, TITLE, caption(growth, sheet))
    name_ends(axes, ends, sheet.looks, sheet, notes)
    return figure


def shifts(points: pd.DataFrame, number: int) -> list[float]:
    """Return the factors on x that place the marks of strategies side by side."""
    gap = float(np.diff(np.log(np.unique(points["cells"]))).min()) * SPREAD_SHARE
    return [math.exp(gap * (place / max(1, number - 1) - 0.5)) if number > 1 else 1.0 for place in range(number)]


def draw_strategy(axes: Axes, points: pd.DataFrame, look: Look, sheet: Sheet, shift: float, is_joined: bool) -> None:
    """Draw a strategy's medians and quartiles; a hollow mark at the limit, which ends a line, if not finished."""
    x = points["cells"].to_numpy() * shift
    y, low, high = (points[name].clip(upper=sheet.limit_s).to_numpy() for name in ("median_s", "p25_s", "p75_s"))
    late = np.isinf(points["median_s"].to_numpy())
    axes.vlines(x, low, high, color=look.colour, lw=1.1 * sheet.scale, alpha=0.55, zorder=2)
    if is_joined:
        axes.plot(x, np.where(late, np.nan, y), look.dashes, color=look.colour, lw=1.5 * sheet.scale, zorder=3)
    axes.plot(x[~late], y[~late], look.marker, color=look.colour, ms=5 * sheet.scale, mew=0, zorder=4)
    if late.any():
        axes.plot(x[late], y[late], look.marker, color=look.colour, ms=6 * sheet.scale, mfc="#ffffff", zorder=4)


def note(growth: Growth, name: str) -> str:
    """Return what stands below a name: the largest size solved, if it is not the largest one."""
    points = growth.points[growth.points["strategy"] == name]
    solved = points.loc[points["late"] < points["n"], "size"]
    if solved.empty:
        return "none solved"
    return f"largest solved {solved.max()}×{solved.max()}" if solved.max() < points["size"].max() else ""


def _scales(axes: Axes, points: pd.DataFrame, sheet: Sheet) -> None:
    """Scale the x axis to the sizes and the y axis to the times, up to the time limit if a solve reached it."""
    sizes = np.unique(points["size"])
    axes.set_xscale("log")
    axes.set_xlim(sizes[0] ** 2 / 1.35, sizes[-1] ** 2 * 1.35)
    axes.xaxis.set_major_locator(FixedLocator(list(sizes**2)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    is_narrow = sheet.width_in < NARROW_IN
    axes.set_xticklabels([str(size) if is_narrow else f"{size}×{size}\n{size**2}" for size in sizes])
    axes.set_xlabel("rows of the board (log scale)" if is_narrow else "board and its number of cells (log scale)")
    axes.tick_params(axis="x", which="minor", length=0)
    time_scale(axes, points[list(QUANTILES)].to_numpy(), sheet)
