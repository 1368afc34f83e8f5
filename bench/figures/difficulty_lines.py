"""Points, curves and crossovers over difficulty, and how they are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from bench.figures.style import (
    CLOUD_ZORDER,
    MIN_POINTS,
    Look,
    NothingToDrawError,
    Sheet,
    limit_line,
    log_scale,
)
from bench.say.phrases import seconds
from bench.verdicts.board_size import most_common
from bench.verdicts.run_tables import Run

DIFFICULTY = "difficulty: mean guesses of a singles-only search (log scale of 1 + guesses)"
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
    def strategies(self) -> list[str]:
        """The strategies that have points, by name."""
        return sorted(set(self.points["strategy"].astype(str)))

    def of(self, names: Sequence[str]) -> Lines:
        """Return the part on some strategies; a crossover belongs to the strategy that is faster above it."""
        points, curves = (table[table["strategy"].isin(names)] for table in (self.points, self.curves))
        return replace(
            self, points=points, curves=curves, crossings=self.crossings[self.crossings["faster_above"].isin(names)]
        )


def all_lines(run: Run) -> Lines:
    """Collect points, curves and reported crossovers on boards of the most common size.

    Boards of different sizes are never combined.

    Raises:
        NothingToDrawError: too few puzzles of known difficulty have a time.
    """
    rows = run.per_puzzle.merge(run.puzzles[["collection", "puzzle", "guesses"]], on=["collection", "puzzle"])
    rows = rows[rows["guesses"].notna()]
    if rows.empty:
        raise NothingToDrawError("no strategy has a time on a puzzle of known difficulty")
    size, omitted = most_common(rows)
    rows = rows[rows["size"] == size]
    if len(rows.drop_duplicates(["collection", "puzzle"])) < MIN_POINTS:
        raise NothingToDrawError(f"fewer than {MIN_POINTS} puzzles of one board size have a time and a difficulty")
    points = rows[["strategy", "guesses", "cpu_s"]].reset_index(drop=True)
    curves, crossings = (on_guesses(table, f"{size}x{size}") for table in (run.curves, run.crossovers))
    return Lines(points, curves, crossings[crossings["told"] == "yes"], omitted)


def on_guesses(table: pd.DataFrame, shape: str) -> pd.DataFrame:
    """Select the rows over guesses on boards of one shape from a table of curves or crossovers."""
    return table[(table["axis"] == "guesses") & (table["shape"] == shape)]


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
        alpha=0.25, zorder=CLOUD_ZORDER,
    )  # fmt: skip
    axes.fill_between(curve["x"], curve["lo_s"], curve["hi_s"], color=look.colour, alpha=0.18, lw=0, zorder=2)
    axes.plot(curve["x"], curve["median_s"], look.dashes, color=look.colour, lw=1.7 * sheet.scale, zorder=3)


def unfinished(points: pd.DataFrame, name: str) -> str:
    """Return the legend's note on a strategy that did not finish all puzzles; empty if it did."""
    times = points.loc[points["strategy"] == name, "cpu_s"]
    late = int(np.isinf(times).sum())
    return f"{late} of {len(times)} not finished" if late else ""


def draw_crossing(axes: Axes, line: Mapping[Any, Any], curves: pd.DataFrame) -> None:
    """Draw a crossover and its interval on the curve of the strategy that is faster above it."""
    curve = curves[(curves["strategy"] == line["faster_above"]) & curves["median_s"].notna()]
    height = math.exp(float(np.interp(line["crossover"], curve["x"], np.log(curve["median_s"]))))
    axes.plot([line["lo"], line["hi"]], [height, height], "|-", color="#000000", lw=1.2, ms=7, zorder=5)
    axes.plot([line["crossover"]], [height], "o", color="#000000", ms=5, mfc="#ffffff", zorder=5)


def scale(axes: Axes, points: pd.DataFrame, sheet: Sheet) -> None:
    """Scale both axes to hold all points, and draw the time limit if a solve reached it."""
    scale_difficulty(axes, points["guesses"])
    finished = points.loc[np.isfinite(points["cpu_s"]), "cpu_s"]
    has_late = len(finished) < len(points)
    lowest = float(finished.min()) if len(finished) else sheet.limit_s / 10
    highest = sheet.limit_s * 2.5 if has_late else float(finished.max()) * 1.6
    log_scale(axes, "y", lowest / 1.6, highest)
    if has_late:
        limit_line(axes, sheet, f"time limit {seconds(sheet.limit_s)}")


def scale_difficulty(axes: Axes, guesses: Any) -> None:
    """Scale the axis of difficulty to hold these numbers of guesses."""
    hardest = float(guesses.max())
    axes.set_xscale("function", functions=(np.log1p, np.expm1))
    axes.set_xlim(-0.12, (1 + hardest) * 1.25)
    axes.set_xticks([tick for tick in TICKS if tick <= max(1.0, hardest * 1.25)])
    axes.minorticks_off()
