"""Solve time versus difficulty: a point per strategy and puzzle, median curves with bands, and their crossovers.

Strategies whose curves lie far from all others have a panel of their own, with the same axis of difficulty: otherwise a
strategy that takes a hundred times as long would squeeze the others, and where they cross, into a narrow band.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.sheet import other_sizes_note
from bench.figures.style import (
    CLOUD_ZORDER,
    Look,
    NothingToDrawError,
    Sheet,
    begin,
    end,
    limit_line,
    log_scale,
    rasterize_cloud,
)
from bench.say.phrases import seconds
from bench.verdicts.board_size import most_common
from bench.verdicts.run_tables import Run

TITLE = "Solve time versus difficulty"
HEIGHT_IN = 4.7
BANDS_DRAWN = 8  # maximum number of strategies with bands; more would hide each other
CROSSINGS_DRAWN = 5  # maximum number of crossovers: those between the fastest strategies, which come first
GAP = 2.0  # least ratio of times between the curves of two panels
MAX_PANELS = 3
MAIN_SHARE = 3  # height of the panel with the most strategies; the others have 1
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000)


@dataclass(frozen=True)
class Lines:
    """The data of the figure, for boards of one size.

    Attributes:
        points: a row per strategy and puzzle: strategy, guesses (x), cpu_s (y; infinite if the solve was not finished).
        curves: rows of ``bench.verdicts.difficulty.curves`` over guesses.
        crossings: rows of ``bench.verdicts.difficulty.crossovers`` over guesses, each drawn on the curve of
            ``faster_above``.
        omitted: number of puzzles of other board sizes.
    """

    points: pd.DataFrame
    curves: pd.DataFrame
    crossings: pd.DataFrame
    omitted: int = 0

    @cached_property
    def opacity(self) -> float:
        """Opacity of points: lower for many strategies, whose points would hide the curves."""
        return 0.35 if self.points["strategy"].nunique() <= BANDS_DRAWN else 0.15

    def of(self, names: Sequence[str]) -> Lines:
        """Return the part on some strategies; a crossover belongs to the strategy that is faster above it."""
        points, curves = (table[table["strategy"].isin(names)] for table in (self.points, self.curves))
        return replace(
            self, points=points, curves=curves, crossings=self.crossings[self.crossings["faster_above"].isin(names)]
        )


def data(run: Run) -> Lines:
    """Collect points, curves and the first crossovers, without bands if there are too many to be readable."""
    lines = all_lines(run)
    curves = without_bands(lines.curves) if lines.points["strategy"].nunique() > BANDS_DRAWN else lines.curves
    return replace(lines, curves=curves, crossings=lines.crossings.head(CROSSINGS_DRAWN))


def all_lines(run: Run) -> Lines:
    """Collect points, curves and reported crossovers on boards of the most common size.

    Boards of different sizes are never combined.

    Raises:
        NothingToDrawError: no strategy has a time on a puzzle of known difficulty.
    """
    rows = run.per_puzzle.merge(run.puzzles[["collection", "puzzle", "guesses"]], on=["collection", "puzzle"])
    rows = rows[rows["guesses"].notna()]
    if rows.empty:
        raise NothingToDrawError("no strategy has a time on a puzzle of known difficulty")
    size, omitted = most_common(rows)
    points = rows.loc[rows["size"] == size, ["strategy", "guesses", "cpu_s"]].reset_index(drop=True)
    curves, crossings = (on_guesses(table, f"{size}x{size}") for table in (run.curves, run.crossovers))
    return Lines(points, curves, crossings[crossings["told"] == "yes"], omitted)


def without_bands(curves: pd.DataFrame) -> pd.DataFrame:
    """Return the curves without their bands."""
    return curves.assign(lo_s=math.nan, hi_s=math.nan)


def on_guesses(table: pd.DataFrame, shape: str) -> pd.DataFrame:
    """Select the rows over guesses on boards of one shape from a table of curves or crossovers."""
    return table[(table["axis"] == "guesses") & (table["shape"] == shape)]


def caption(lines: Lines, _sheet: Sheet) -> str:
    """Return the caption."""
    bands = " with 95% bands" if banded(lines.curves) else ""
    rings = "; rings: crossovers with their intervals" if len(lines.crossings) else ""
    late = " Hollow marks at the time limit: not finished." if np.isinf(lines.points["cpu_s"]).any() else ""
    apart = (
        " Strategies far slower or faster than the others have a panel of their own." if len(levels(lines)) > 1 else ""
    )
    text = f"Each point is a puzzle (median over its forms). Lines: local medians{bands}{rings}.{apart}{late}"
    return text + other_sizes_note(lines.omitted)


def draw(lines: Lines, sheet: Sheet) -> Figure:
    """Draw the points and curves of each strategy, and the crossovers."""
    panels = levels(lines)
    shares = [MAIN_SHARE if names == max(panels, key=len) else 1 for names in panels]
    height_in = HEIGHT_IN * sum(shares) / MAIN_SHARE
    figure, all_axes = begin(sheet, height_in, len(panels), sharex=True, height_ratios=shares)
    for axes, names in zip(all_axes, panels, strict=True):
        of_panel = lines.of(names)
        for name in names:
            draw_strategy(axes, of_panel, name, sheet.looks[name], sheet)
        for line in of_panel.crossings.to_dict("records"):
            _draw_crossing(axes, line, of_panel.curves)
        scale(axes, of_panel.points, sheet)
        rasterize_cloud(axes, len(of_panel.points))
    scale_difficulty(all_axes[-1], lines.points)
    all_axes[-1].set_xlabel("difficulty: mean guesses of a singles-only search (log scale of 1 + guesses)")
    all_axes[shares.index(MAIN_SHARE)].set_ylabel("CPU time per solve (log scale)")
    names = sorted(set(lines.points["strategy"]))
    return end(figure, sheet, TITLE, caption(lines, sheet), {name: unfinished(lines.points, name) for name in names})


def levels(lines: Lines) -> list[list[str]]:
    """Return the strategies of each panel, the slowest first: panels are separated where no curve is.

    A curve that reaches the time limit ends there, and a strategy without a curve extends as far as its points.
    """
    spans = sorted((span(lines, name) for name in set(lines.points["strategy"])), reverse=True)
    lowest = np.minimum.accumulate([low for low, _, _ in spans])
    gaps = {place: lowest[place - 1] / max(high for _, high, _ in spans[place:]) for place in range(1, len(spans))}
    widest = sorted((place for place in gaps if gaps[place] >= GAP), key=lambda place: -gaps[place])
    ends = [0, *sorted(widest[: MAX_PANELS - 1]), len(spans)]
    return [sorted(name for _, _, name in spans[first:last]) for first, last in pairwise(ends)]


def span(lines: Lines, name: str) -> tuple[float, float, str]:
    """Return the shortest and the longest time of a strategy's curve (or of its points, without a curve), and its name.

    A strategy that never finished is as slow as the slowest of the others; if none ever finished, all are alike.
    """
    curve = lines.curves.loc[lines.curves["strategy"] == name, "median_s"].dropna()
    times = curve if len(curve) else lines.points.loc[lines.points["strategy"] == name, "cpu_s"]
    finished = times[np.isfinite(times)]
    if finished.empty:
        finished = lines.points.loc[np.isfinite(lines.points["cpu_s"]), "cpu_s"].nlargest(1)
    return (float(finished.min()), float(finished.max()), name) if len(finished) else (1.0, 1.0, name)


def draw_strategy(axes: Axes, lines: Lines, name: str, look: Look, sheet: Sheet) -> None:
    """Draw the points of a strategy, hollow at the limit if not finished, and its curve with the band."""
    points = lines.points[lines.points["strategy"] == name]
    curve = lines.curves[lines.curves["strategy"] == name]
    is_finite = np.isfinite(points["cpu_s"])
    finished, late = points[is_finite], points[~is_finite]
    if len(late):
        at_limit = [sheet.limit_s] * len(late)
        axes.plot(late["guesses"], at_limit, look.marker, color=look.colour, ms=5.5 * sheet.scale, mfc="none", zorder=4)
    axes.plot(
        finished["guesses"], finished["cpu_s"], look.marker, color=look.colour, ms=4.5 * sheet.scale, mew=0,
        alpha=lines.opacity, zorder=CLOUD_ZORDER,
    )  # fmt: skip
    if banded(curve):
        axes.fill_between(curve["x"], curve["lo_s"], curve["hi_s"], color=look.colour, alpha=0.18, lw=0, zorder=2)
    axes.plot(curve["x"], curve["median_s"], look.dashes, color=look.colour, lw=1.7 * sheet.scale, zorder=3)


def banded(curves: pd.DataFrame) -> bool:
    """Return whether any curve has a band."""
    return bool((curves["lo_s"].notna() & curves["hi_s"].notna()).any())


def unfinished(points: pd.DataFrame, name: str) -> str:
    """Return the legend's note on a strategy that did not finish all puzzles; empty if it did."""
    times = points.loc[points["strategy"] == name, "cpu_s"]
    late = int(np.isinf(times).sum())
    return f"{late} of {len(times)} not finished" if late else ""


def _draw_crossing(axes: Axes, line: Mapping[Any, Any], curves: pd.DataFrame) -> None:
    """Draw a crossover and its interval on the curve of the strategy that is faster above it."""
    curve = curves[(curves["strategy"] == line["faster_above"]) & curves["median_s"].notna()]
    height = math.exp(float(np.interp(line["crossover"], curve["x"], np.log(curve["median_s"]))))
    axes.plot([line["lo"], line["hi"]], [height, height], "|-", color="#000000", lw=1.2, ms=7, zorder=5)
    axes.plot([line["crossover"]], [height], "o", color="#000000", ms=5, mfc="#ffffff", zorder=5)


def scale(axes: Axes, points: pd.DataFrame, sheet: Sheet, limit_text: bool = True) -> None:
    """Scale both axes to hold all points, and draw the time limit, labelled or not, if a solve reached it."""
    scale_difficulty(axes, points)
    finished = points.loc[np.isfinite(points["cpu_s"]), "cpu_s"]
    has_late = len(finished) < len(points)
    lowest = float(finished.min()) if len(finished) else sheet.limit_s / 10
    highest = sheet.limit_s * 2.5 if has_late else float(finished.max()) * 1.6
    log_scale(axes, "y", lowest / 1.6, highest)
    if has_late:
        text = f"time limit {seconds(sheet.limit_s)}: hollow marks were not finished"
        limit_line(axes, sheet, text if limit_text else "")


def scale_difficulty(axes: Axes, points: pd.DataFrame) -> None:
    """Scale the axis of difficulty to hold all points."""
    hardest = float(points["guesses"].max())
    axes.set_xscale("function", functions=(np.log1p, np.expm1))
    axes.set_xlim(-0.12, (1 + hardest) * 1.25)
    axes.set_xticks([tick for tick in TICKS if tick <= max(1.0, hardest * 1.25)])
    axes.minorticks_off()
