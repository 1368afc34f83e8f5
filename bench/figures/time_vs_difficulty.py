"""Solve time versus difficulty: a point per puzzle, median curves with bands, and the crossovers between strategies.

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
from numpy.typing import NDArray

from bench.figures.panels import DIFFICULTY, grey_line, scale_difficulty
from bench.figures.sheet import other_sizes_note
from bench.figures.style import (
    CLOUD_ZORDER,
    MIN_POINTS,
    Look,
    NothingToDrawError,
    Sheet,
    begin,
    end,
    rasterize_cloud,
    time_scale,
)
from bench.figures.wrapping import wrap
from bench.say.phrases import counted
from bench.verdicts.board_size import most_common
from bench.verdicts.pairs.evidence import significant
from bench.verdicts.run_tables import Run

LINE = 1.25  # height of a line of text, in font sizes
NAME_GAP = 0.3  # between names, in font sizes
LEADER = 0.045  # width of the lines that lead to the names, as a share of the axes
ROOM_SHARE = 0.34  # maximum width of a name, as a share of the figure's width

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LineEnd:
    """The right end of a line, in data units and finite, with its name and a note below it (may be empty)."""

    x: float
    y: float
    name: str
    note: str
    look: Look


def label_line_ends(axes: Axes, ends: Sequence[LineEnd], sheet: Sheet, height_in: float) -> None:
    """Write the name of each line at its right end, outside the axes.

    Args:
        axes: with its final limits.
        height_in: approximate height of the axes. A figure with many names must be that high; see ``height_of``.
    """
    texts = [_text(line_end, sheet) for line_end in ends]
    at = [axes.transAxes.inverted().transform(axes.transData.transform((line_end.x, line_end.y))) for line_end in ends]
    heights = np.array([_height(text) for text in texts]) * sheet.small_pt / 72 / height_in
    for line_end, text, place, y in zip(ends, texts, at, spread(np.array([y for _, y in at]), heights), strict=True):
        frame: Any = {"transform": axes.transAxes, "color": line_end.look.colour, "clip_on": False, "scalex": False}
        axes.plot(
            [float(place[0]), 1.0, 1 + LEADER], [float(place[1]), float(place[1]), y], ":", lw=0.7, zorder=1,
            scaley=False, **frame,
        )  # fmt: skip
        axes.plot(
            [1 + LEADER], [y], line_end.look.marker, ms=0.6 * sheet.small_pt, mew=0, scaley=False, **frame
        )  # fmt: skip
        axes.annotate(
            text, (1 + LEADER, y), xycoords="axes fraction", xytext=(0.7 * sheet.small_pt, 0),
            textcoords="offset points", fontsize=sheet.small_pt, va="center", ha="left", linespacing=1.1,
            annotation_clip=False,
        )  # fmt: skip


def height_of(ends: Sequence[LineEnd], sheet: Sheet) -> float:
    """Return the height in inches that the names of lines need."""
    return sum(_height(_text(end, sheet)) for end in ends) * sheet.small_pt / 72


def _text(end: LineEnd, sheet: Sheet) -> str:
    return "\n".join(wrap(text, sheet.width_in * ROOM_SHARE, sheet.small_pt) for text in (end.name, end.note) if text)


def _height(text: str) -> float:
    return (text.count("\n") + 1) * LINE + NAME_GAP


def spread(wanted: Floats, heights: Floats, low: float = 0.0, high: float = 1.0) -> Floats:
    """Return the centres of texts of these heights that do not overlap and are nearest to where they are wanted.

    The order stays, and the sum of squared shifts is the least (isotonic regression by pooling adjacent violators:
    Ayer et al. 1955), within ``low`` and ``high`` if there is room.
    """
    order = np.argsort(wanted, kind="stable")
    below = np.cumsum(heights[order]) - heights[order] / 2
    blocks: list[tuple[float, int]] = []  # mean shift and number of the texts that touch each other
    for shift in wanted[order] - below:
        mean, number = float(shift), 1
        while blocks and blocks[-1][0] > mean:
            other, several = blocks.pop()
            mean, number = (mean * number + other * several) / (number + several), number + several
        blocks.append((mean, number))
    shifts = np.repeat([mean for mean, _ in blocks], [number for _, number in blocks])
    result = np.empty(len(wanted))
    result[order] = np.clip(shifts, low, max(low, high - float(heights.sum()))) + below
    return result


TITLE = "Solve time versus difficulty"
HEIGHT_IN = 4.7
NAMED = 8  # maximum number of strategies in colour, with their names; the points of more would hide the curves
CROSSINGS_DRAWN = 5  # maximum number of crossovers: those between the fastest strategies, which come first
GAP = 2.0  # least ratio of times between the curves of two panels
MAX_LEVELS = 3
MAIN_SHARE = 3  # height of the panel with the most strategies; the others have 1


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


def data(run: Run) -> Lines:
    """Collect points, curves and the first reported crossovers on boards of the most common size.

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
    return Lines(points, curves, crossings[crossings["told"] == "yes"].head(CROSSINGS_DRAWN), omitted)


def on_guesses(table: pd.DataFrame, shape: str) -> pd.DataFrame:
    """Select the rows over guesses on boards of one shape from a table of curves or crossovers."""
    return table[(table["axis"] == "guesses") & (table["shape"] == shape)]


def named(lines: Lines) -> list[str]:
    """Return the strategies that are drawn in colour: those that cross, then the fastest by their median."""
    medians = lines.points.groupby("strategy")["cpu_s"].median().sort_values(kind="stable")
    crossing = lines.crossings[["faster_above", "faster_below"]].to_numpy().ravel()
    return [str(name) for name in dict.fromkeys([*crossing, *medians.index]) if name in medians.index][:NAMED]


def caption(lines: Lines, sheet: Sheet) -> str:
    """Return the caption."""
    shown = lines.of(named(lines))
    others = len(lines.strategies) - len(shown.strategies)
    grey = f" Grey: {counted(others, 'other strategy', 'other strategies')}." if others else ""
    claims = [
        f"above {significant(row['crossover'], 2)} [{significant(row['lo'], 2)}, {significant(row['hi'], 2)}] guesses"
        f" {row['faster_above']} is faster than {row['faster_below']}"
        for row in lines.crossings.to_dict("records")
    ]
    rings = f" Rings: {'; '.join(claims)}." if claims else ""
    late = " Hollow marks at the time limit: not finished." if np.isinf(shown.points["cpu_s"]).any() else ""
    bands = " with 95% bands" if (lines.curves["lo_s"].notna() & lines.curves["hi_s"].notna()).any() else ""
    apart = " Strategies far slower or faster than the others have a panel of their own."
    return (
        f"Each point is a puzzle (median over its forms). Lines: local medians{bands}.{rings}"
        f"{apart if len(levels(lines)) > 1 else ''}{late}{grey}{other_sizes_note(lines.omitted)}"
    )


def draw(lines: Lines, sheet: Sheet) -> Figure:
    """Draw the strategies of each level in a panel, with their names at the right ends of their lines."""
    panels, shown = levels(lines), named(lines)
    shares = [MAIN_SHARE if names == max(panels, key=len) else 1 for names in panels]
    ends = [[_end_of(lines, name, sheet) for name in names if name in shown] for names in panels]
    needed = [1.2 * height_of(of_panel, sheet) / share for of_panel, share in zip(ends, shares, strict=True)]
    height_in = sum(shares) * max(HEIGHT_IN / MAIN_SHARE, *(height / sheet.scale for height in needed))
    figure, all_axes = begin(sheet, height_in, len(panels), sharex=True, height_ratios=shares)
    for axes, names in zip(all_axes, panels, strict=True):
        _draw_level(axes, lines.of(names), shown, sheet)
    scale_difficulty(all_axes[-1], lines.points["guesses"])
    for axes, of_panel, share in zip(all_axes, ends, shares, strict=True):
        label_line_ends(axes, of_panel, sheet, height_in * sheet.scale * 0.85 * share / sum(shares))
    all_axes[-1].set_xlabel(DIFFICULTY)
    all_axes[shares.index(MAIN_SHARE)].set_ylabel("CPU time per solve (log scale)")
    return end(figure, sheet, TITLE, caption(lines, sheet))


def _draw_level(axes: Axes, lines: Lines, shown: list[str], sheet: Sheet) -> None:
    """Draw the strategies of a panel, those that are not shown in grey."""
    for name in lines.strategies:
        if name in shown:
            _draw_strategy(axes, lines, name, sheet)
        else:
            curve = lines.curves[lines.curves["strategy"] == name]
            grey_line(axes, curve["x"], curve["median_s"], sheet)
    for line in lines.crossings.to_dict("records"):
        _draw_crossing(axes, line, lines.curves)
    time_scale(axes, lines.points["cpu_s"].to_numpy(), sheet)
    rasterize_cloud(axes, len(lines.points))


def _draw_strategy(axes: Axes, lines: Lines, name: str, sheet: Sheet) -> None:
    """Draw the points of a strategy, hollow at the limit if not finished, and its curve with the band."""
    look = sheet.looks[name]
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
    if curve["lo_s"].notna().any():  # Matplotlib cannot place a band without points on this scale
        axes.fill_between(curve["x"], curve["lo_s"], curve["hi_s"], color=look.colour, alpha=0.18, lw=0, zorder=2)
    axes.plot(curve["x"], curve["median_s"], look.dashes, color=look.colour, lw=1.7 * sheet.scale, zorder=3)


def _draw_crossing(axes: Axes, line: Mapping[Any, Any], curves: pd.DataFrame) -> None:
    """Draw a crossover and its interval on the curve of the strategy that is faster above it."""
    height = height_at(curves[curves["strategy"] == line["faster_above"]], line["crossover"])
    axes.plot([line["lo"], line["hi"]], [height, height], "|-", color="#000000", lw=1.2, ms=7, zorder=5)
    axes.plot([line["crossover"]], [height], "o", color="#000000", ms=5, mfc="#ffffff", zorder=5)


def height_at(curve: pd.DataFrame, x: float) -> float:
    """Return the median of a curve at a difficulty, in seconds, interpolated on the log scale; NaN without a median."""
    known = curve[curve["median_s"].notna()]
    return math.exp(float(np.interp(x, known["x"], np.log(known["median_s"])))) if len(known) else math.nan


def _end_of(lines: Lines, name: str, sheet: Sheet) -> LineEnd:
    """Return the right end of a strategy's curve, or without a curve its hardest point, up to the limit."""
    curve = lines.curves[(lines.curves["strategy"] == name) & lines.curves["median_s"].notna()]
    if len(curve):
        x, y = curve.sort_values("x").iloc[-1][["x", "median_s"]]
    else:
        x, y = lines.points[lines.points["strategy"] == name].sort_values("guesses").iloc[-1][["guesses", "cpu_s"]]
    return LineEnd(float(x), min(float(y), sheet.limit_s), name, _unfinished(lines.points, name), sheet.looks[name])


def _unfinished(points: pd.DataFrame, name: str) -> str:
    """Return the legend's note on a strategy that did not finish all puzzles; empty if it did."""
    times = points.loc[points["strategy"] == name, "cpu_s"]
    late = int(np.isinf(times).sum())
    return f"{late} of {len(times)} not finished" if late else ""


def levels(lines: Lines) -> list[list[str]]:
    """Return the strategies of each panel, the slowest first: panels are separated where no curve is.

    A curve that reaches the time limit ends there, and a strategy without a curve extends as far as its points.
    """
    spans = sorted((span(lines, name) for name in set(lines.points["strategy"])), reverse=True)
    lowest = np.minimum.accumulate([low for low, _, _ in spans])
    gaps = {place: lowest[place - 1] / max(high for _, high, _ in spans[place:]) for place in range(1, len(spans))}
    widest = sorted((place for place in gaps if gaps[place] >= GAP), key=lambda place: -gaps[place])
    ends = [0, *sorted(widest[: MAX_LEVELS - 1]), len(spans)]
    return [sorted(name for _, _, name in spans[start:stop]) for start, stop in pairwise(ends)]


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
