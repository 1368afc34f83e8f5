"""Scaling over the size of boards: each strategy's median with its quartiles, and the power of cells that fits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullFormatter

from bench.figures.style import GREY, Look, NothingToDrawError, Sheet, begin, end, log_scale, seconds
from bench.verdicts.run_tables import Run
from bench.verdicts.summary import quantile

TITLE = "Scaling over the size of boards"
HEIGHT_IN = 4.7
SIDE_BY_SIDE = 0.3  # of the smallest distance of two sizes, on the logarithmic scale: what marks of one size fill
QUANTILES = {"p25_s": 0.25, "median_s": 0.5, "p75_s": 0.75}


@dataclass(frozen=True)
class Growth:
    """What is drawn.

    Attributes:
        points: a row per strategy and size: strategy, size (rows of the board), cells, n (puzzles), late (of them, not
            finished), p25_s, median_s, p75_s (infinite where an unfinished solve takes part).
        powers: rows of ``bench.verdicts.difficulty.scaling`` over cells.
    """

    points: pd.DataFrame
    powers: pd.DataFrame


def data(run: Run) -> Growth:
    """Quartiles of each strategy's times on the boards of each size, all collections of a size together."""
    rows = run.per_puzzle
    if rows["size"].nunique() < 2:
        raise NothingToDrawError("growth over boards needs puzzles of two sizes at least")
    found: list[dict[str, Any]] = []
    for (strategy, shown), group in rows.groupby(["strategy", "size"], sort=True):
        times, size = group["cpu_s"].to_numpy(), int(str(shown))
        line = {"strategy": strategy, "size": size, "cells": size**2, "n": len(times)}
        at = {name: _or_infinite(quantile(times, share)) for name, share in QUANTILES.items()}
        found.append(line | {"late": int(np.isinf(times).sum())} | at)
    return Growth(pd.DataFrame(found), run.scaling[run.scaling["over"] == "cells"].reset_index(drop=True))


def _or_infinite(value: float) -> float:
    return math.inf if math.isnan(value) else value


def words(growth: Growth, _sheet: Sheet) -> str:
    """How to read it."""
    fitted = "; powers: fitted to medians, with 95% intervals" if len(growth.powers) else ""
    late = (
        "; hollow marks at the limit: half of the puzzles or more not finished"
        if np.isinf(growth.points["median_s"]).any()
        else ""
    )
    return (
        f"Marks: medians over all puzzles of a size; bars: their quartiles{fitted}{late}."
        " Puzzles of different sizes are not equally hard: growth speaks of these collections only."
    )


def draw(growth: Growth, sheet: Sheet) -> Figure:
    """The figure of ``Growth``."""
    figure, [axes] = begin(sheet, HEIGHT_IN)
    names = list(dict.fromkeys(growth.points["strategy"]))
    for name, shift in zip(names, shifts(growth.points, len(names)), strict=True):
        own = growth.points[growth.points["strategy"] == name]
        draw_strategy(axes, own, sheet.looks[name], sheet, shift)
    _scales(axes, growth.points, sheet)
    axes.set_xlabel("board, and its cells (log scale)")
    axes.set_ylabel("median CPU time per solve (log scale)")
    return end(figure, sheet, TITLE, words(growth, sheet), {name: note(growth, name) for name in names})


def shifts(points: pd.DataFrame, number: int) -> list[float]:
    """Factors that put the marks of strategies side by side."""
    gap = float(np.diff(np.log(np.unique(points["cells"]))).min()) * SIDE_BY_SIDE
    return [math.exp(gap * (place / max(1, number - 1) - 0.5)) if number > 1 else 1.0 for place in range(number)]


def draw_strategy(axes: Axes, own: pd.DataFrame, look: Look, sheet: Sheet, shift: float) -> None:
    """A strategy's medians and quartiles; where the median was not finished, a hollow mark at the limit."""
    x = own["cells"].to_numpy() * shift
    y, low, high = (own[name].clip(upper=sheet.limit_s).to_numpy() for name in ("median_s", "p25_s", "p75_s"))
    late = np.isinf(own["median_s"].to_numpy())
    axes.vlines(x, low, high, color=look.colour, lw=1.1 * sheet.scale, alpha=0.55, zorder=2)
    axes.plot(x[~late], y[~late], look.dashes, color=look.colour, lw=1.5 * sheet.scale, zorder=3)
    if late.any():
        axes.plot(x, y, ":", color=look.colour, lw=0.9 * sheet.scale, zorder=2)
    axes.plot(x[~late], y[~late], look.marker, color=look.colour, ms=5 * sheet.scale, mew=0, zorder=4)
    if late.any():
        axes.plot(x[late], y[late], look.marker, color=look.colour, ms=6 * sheet.scale, mfc="#ffffff", zorder=4)


def note(growth: Growth, name: str) -> str:
    """What the legend says of a strategy: the power that its times grow by, and where it ends."""
    parts = []
    for line in growth.powers[growth.powers["strategy"] == name].to_dict("records"):
        low, high = (f"{value:.2f}" if math.isfinite(value) else "?" for value in (line["power_lo"], line["power_hi"]))
        parts.append(f"cells^{line['power']:.2f} [{low}, {high}]")
    own = growth.points[growth.points["strategy"] == name]
    solved = own.loc[own["late"] < own["n"], "size"]
    if solved.empty:
        parts.append("none solved")
    elif solved.max() < own["size"].max():
        parts.append(f"largest solved {solved.max()}×{solved.max()}")
    return "; ".join(parts)


def _scales(axes: Axes, points: pd.DataFrame, sheet: Sheet) -> None:
    """Sizes named on one axis; times on the other, up to the line of the limit where a solve met it."""
    sizes = np.unique(points["size"])
    axes.set_xscale("log")
    axes.set_xlim(sizes[0] ** 2 / 1.35, sizes[-1] ** 2 * 1.35)
    axes.xaxis.set_major_locator(FixedLocator(list(sizes**2)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xticklabels([f"{size}×{size}\n{size**2}" for size in sizes])
    axes.tick_params(axis="x", which="minor", length=0)
    times = points[["p25_s", "median_s", "p75_s"]].to_numpy()
    done = times[np.isfinite(times)]
    cut = len(done) < times.size
    lowest, highest = (done.min(), done.max()) if len(done) else (sheet.limit_s / 10, sheet.limit_s)
    log_scale(axes, "y", lowest / 1.6, sheet.limit_s * 2.5 if cut else highest * 1.6)
    if cut:
        axes.axhline(sheet.limit_s, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        axes.annotate(
            f"time limit {seconds(sheet.limit_s)}",
            (0.01, sheet.limit_s), xycoords=("axes fraction", "data"), xytext=(0, 4), textcoords="offset points",
            fontsize=sheet.small_pt, color=GREY, va="bottom",
        )  # fmt: skip
