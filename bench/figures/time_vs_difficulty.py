"""Solve time versus difficulty: a point per strategy and puzzle, a curve with its band, and where curves cross."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.style import GREY, POINTS, Look, NothingToDrawError, Sheet, begin, cloud, end, log_scale, seconds
from bench.verdicts.run_tables import Run

TITLE = "Solve time versus difficulty"
HEIGHT_IN = 4.7
BANDS_DRAWN = 8  # of so many strategies; more would hide each other
CROSSINGS_DRAWN = 8
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000)


@dataclass(frozen=True)
class Lines:
    """What is drawn, of boards of one size.

    Attributes:
        points: a row per strategy and puzzle: strategy, guesses (x), cpu_s (y; infinite where a solve was not
            finished).
        curves: rows of ``bench.verdicts.difficulty.curves`` over guesses.
        crossings: rows of ``bench.verdicts.difficulty.crossovers`` over guesses, each drawn on the curve of ``faster_above``.
        omitted: puzzles of other sizes.
    """

    points: pd.DataFrame
    curves: pd.DataFrame
    crossings: pd.DataFrame
    omitted: int = 0

    @cached_property
    def opacity(self) -> float:
        """Of points: the clouds of many strategies would hide their curves."""
        return 0.35 if self.points["strategy"].nunique() <= BANDS_DRAWN else 0.15


def data(run: Run) -> Lines:
    """The lines of a run, without bands and crossovers where they are too many to be seen."""
    lines = everything(run)
    crossings = lines.crossings if len(lines.crossings) <= CROSSINGS_DRAWN else lines.crossings.iloc[:0]
    curves = without_bands(lines.curves) if lines.points["strategy"].nunique() > BANDS_DRAWN else lines.curves
    return replace(lines, curves=curves, crossings=crossings)


def everything(run: Run) -> Lines:
    """Points, curves and told crossovers of the boards of that size which has the most puzzles.

    Boards of different size are never joined.

    Raises:
        NothingToDrawError: no strategy has a time on a puzzle of known difficulty.
    """
    rows = run.per_puzzle.merge(run.puzzles[["collection", "puzzle", "guesses"]], on=["collection", "puzzle"])
    rows = rows[rows["guesses"].notna()]
    if rows.empty:
        raise NothingToDrawError("no strategy has a time on a puzzle of known difficulty")
    sizes = rows.drop_duplicates(["collection", "puzzle"]).groupby("size").size()
    size = int(sizes.index[int(sizes.to_numpy().argmax())])
    found = rows.loc[rows["size"] == size, ["strategy", "guesses", "cpu_s"]].reset_index(drop=True)
    curves, told = (on_guesses(table, f"{size}x{size}") for table in (run.curves, run.crossovers))
    return Lines(found, curves, told[told["told"] == "yes"], int(sizes.sum() - sizes.max()))


def without_bands(curves: pd.DataFrame) -> pd.DataFrame:
    """The curves alone."""
    return curves.assign(lo_s=math.nan, hi_s=math.nan)


def on_guesses(table: pd.DataFrame, shape: str) -> pd.DataFrame:
    """The rows over guesses, of boards of one shape, of a table of curves or crossovers."""
    return table[(table["axis"] == "guesses") & (table["shape"] == shape)]


def words(lines: Lines, _sheet: Sheet) -> str:
    """How to read it."""
    bands = " with 95% bands" if banded(lines.curves) else ""
    rings = "; rings: crossovers with their intervals" if len(lines.crossings) else ""
    late = "; hollow marks at the limit: not finished" if np.isinf(lines.points["cpu_s"]).any() else ""
    omitted = f" {lines.omitted} puzzles of other sizes are not shown." if lines.omitted else ""
    return f"Points: puzzles, the median over their forms; lines: medians along the axis{bands}{rings}{late}.{omitted}"


def draw(lines: Lines, sheet: Sheet) -> Figure:
    """The figure of ``Lines``."""
    figure, [axes] = begin(sheet, HEIGHT_IN)
    names = sorted(set(lines.points["strategy"]))
    for name in names:
        draw_strategy(axes, lines, name, sheet.looks[name], sheet)
    for line in lines.crossings.to_dict("records"):
        _draw_crossing(axes, line, lines.curves)
    scale(axes, lines.points, sheet)
    cloud(axes, len(lines.points))
    axes.set_xlabel("difficulty: mean guesses of a singles-only search (log scale of 1 + guesses)")
    axes.set_ylabel("CPU time per solve (log scale)")
    return end(figure, sheet, TITLE, words(lines, sheet), {name: unfinished(lines.points, name) for name in names})


def draw_strategy(axes: Axes, lines: Lines, name: str, look: Look, sheet: Sheet) -> None:
    """The points of a strategy, hollow at the limit where they were not finished, and its curve with the band."""
    own = lines.points[lines.points["strategy"] == name]
    curve = lines.curves[lines.curves["strategy"] == name]
    done, late = own[np.isfinite(own["cpu_s"])], own[~np.isfinite(own["cpu_s"])]
    if len(late):
        at_limit = [sheet.limit_s] * len(late)
        axes.plot(late["guesses"], at_limit, look.marker, color=look.colour, ms=5.5 * sheet.scale, mfc="none", zorder=4)
    axes.plot(
        done["guesses"], done["cpu_s"], look.marker, color=look.colour, ms=4.5 * sheet.scale, mew=0,
        alpha=lines.opacity, zorder=POINTS,
    )  # fmt: skip
    if banded(curve):
        axes.fill_between(curve["x"], curve["lo_s"], curve["hi_s"], color=look.colour, alpha=0.18, lw=0, zorder=2)
    axes.plot(curve["x"], curve["median_s"], look.dashes, color=look.colour, lw=1.7 * sheet.scale, zorder=3)


def banded(curves: pd.DataFrame) -> bool:
    """Is a band known anywhere?"""
    return bool((curves["lo_s"].notna() & curves["hi_s"].notna()).any())


def unfinished(points: pd.DataFrame, name: str) -> str:
    """What the legend says of a strategy that did not finish everything."""
    own = points.loc[points["strategy"] == name, "cpu_s"]
    late = int(np.isinf(own).sum())
    return f"{late} of {len(own)} not finished" if late else ""


def _draw_crossing(axes: Axes, line: Mapping[Any, Any], curves: pd.DataFrame) -> None:
    """A crossover and its interval, on the curve of the one that is faster above."""
    curve = curves[(curves["strategy"] == line["faster_above"]) & curves["median_s"].notna()]
    height = math.exp(float(np.interp(line["crossover"], curve["x"], np.log(curve["median_s"]))))
    axes.plot([line["lo"], line["hi"]], [height, height], "|-", color="#000000", lw=1.2, ms=7, zorder=5)
    axes.plot([line["crossover"]], [height], "o", color="#000000", ms=5, mfc="#ffffff", zorder=5)


def scale(axes: Axes, points: pd.DataFrame, sheet: Sheet, said: bool = True) -> None:
    """Scales that hold all points, and the line of the limit where a solve met it; ``said`` beside the line or not."""
    hardest = float(points["guesses"].max())
    axes.set_xscale("function", functions=(np.log1p, np.expm1))
    axes.set_xlim(-0.12, (1 + hardest) * 1.25)
    axes.set_xticks([tick for tick in TICKS if tick <= max(1.0, hardest * 1.25)])
    axes.minorticks_off()
    done = points.loc[np.isfinite(points["cpu_s"]), "cpu_s"]
    lowest = float(done.min()) if len(done) else sheet.limit_s / 10
    highest = sheet.limit_s * 2.5 if len(done) < len(points) else float(done.max()) * 1.6
    log_scale(axes, "y", lowest / 1.6, highest)
    if len(done) < len(points):
        axes.axhline(sheet.limit_s, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    if len(done) < len(points) and said:
        axes.annotate(
            f"time limit {seconds(sheet.limit_s)}: hollow marks were not finished",
            (0.01, sheet.limit_s), xycoords=("axes fraction", "data"), xytext=(0, 4), textcoords="offset points",
            fontsize=sheet.small_pt, color=GREY, va="bottom",
        )  # fmt: skip
