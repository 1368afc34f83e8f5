"""Scatter-plot matrix of the difficulty measures: points below the diagonal, rank correlations above it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from bench.figures.sheet import collection_handles, other_sizes_note
from bench.figures.style import CLOUD_ZORDER, SMALLEST_PT, NothingToDrawError, Sheet, begin, end, rasterize_cloud
from bench.figures.wrapping import wrap
from bench.verdicts.board_size import most_common
from bench.verdicts.difficulty.measures import MIN_PUZZLES, correlations, measures, usable
from bench.verdicts.run_tables import Run

TITLE = "Measures of difficulty against each other"
PANEL_IN = 0.95
NARROW_IN = 0.6  # minimum width of a panel; what does not fit is left out
GAP = 0.06  # around a panel, as a share of its width
SCALE_IN = 0.4  # width of the tick labels at the left
TICK_IN = 0.24  # minimum distance of ticks
NAMES = {
    "guesses": "mean guesses",
    "conflicts": "mean conflicts",
    "lookahead": "mean look-aheads",
    "te_rounds": "rounds of trial and error",
    "unsolved_singles": "cells open after singles",
    "unsolved_locked": "cells open after locked",
    "backdoor": "backdoor cells",
    "er": "ER rating",
    "clues": "clues",
}
UNITS = {"guesses": "guesses", "conflicts": "conflicts", "lookahead": "look-aheads", "te_rounds": "rounds"}
UNITS |= {"er": "ER", "clues": "clues"}
UNITS |= dict.fromkeys(("unsolved_singles", "unsolved_locked", "backdoor"), "cells")
LOGARITHMIC = ("guesses", "conflicts", "lookahead", "te_rounds")  # drawn on a scale of log(1 + x)
BEYOND = 1.15  # position of values beyond the scale, relative to the largest value on it
TWO_LEVELS = "deep"  # trial and error with two levels
STRONG = "#0072B2"
OPPOSITE = "#D55E00"


@dataclass(frozen=True)
class Matrix:
    """The data of the figure, for puzzles of one board size.

    Attributes:
        numbers: a row per puzzle: collection, and its measures as in ``bench.verdicts.difficulty.measures``.
        names: the measures that are drawn.
        rho: rank correlation of each pair of measures.
        scales: for each measure with values beyond its scale, how these are written, such as ``>4.4``.
        omitted: number of puzzles of other board sizes.
    """

    numbers: pd.DataFrame
    names: tuple[str, ...]
    rho: NDArray[np.float64]
    scales: dict[str, str]
    omitted: int = 0


def data(run: Run) -> Matrix:
    """Select the measures that are known and vary over the puzzles of the most common board size."""
    puzzles = run.puzzles[run.puzzles["decoy"].isna()] if "decoy" in run.puzzles else run.puzzles
    size, omitted = most_common(puzzles)
    puzzles = puzzles[puzzles["grid"].str.len() == size**2].reset_index(drop=True)
    numbers = measures(puzzles)
    names = tuple(usable(numbers))
    if len(names) < 2:
        raise NothingToDrawError(
            f"correlations need two measures that vary over {MIN_PUZZLES} or more puzzles of one size"
        )
    scales = {name: _beyond(puzzles[name]) for name in names if np.isinf(numbers[name]).any()}
    shown = numbers[list(names)].assign(collection=puzzles["collection"])
    return Matrix(shown, names, correlations(numbers, names), scales, omitted)


def _beyond(values: pd.Series[Any]) -> str:
    """Return how values beyond a measure's scale are written; of several bounds, the lowest."""
    text = values.astype(str)
    beyond = set(text[text.str.startswith(">")])
    return min(beyond, key=lambda bound: float(bound[1:])) if beyond else TWO_LEVELS


def within(matrix: Matrix, sheet: Sheet) -> Matrix:
    """Return the matrix of the first measures, as many as fit."""
    most = max(2, int((sheet.width_in - SCALE_IN) / NARROW_IN))
    return dataclasses.replace(matrix, names=matrix.names[:most], rho=matrix.rho[:most, :most])


def caption(matrix: Matrix, sheet: Sheet) -> str:
    """Return the caption."""
    missing = [NAMES[name] for name in matrix.names[len(within(matrix, sheet).names) :]]
    hidden = f" Not shown: {', '.join(missing)}." if missing else ""
    deep = f" {TWO_LEVELS!r}: two levels of trial and error." if matrix.scales.get("te_rounds") == TWO_LEVELS else ""
    return (
        "Each point is a puzzle. The x axis of a panel is the measure on the diagonal of its column, the y axis that of"
        f" its row. Numbers: Spearman's rank correlation; values beyond the end of a scale are tied.{deep}"
        f"{hidden}{other_sizes_note(matrix.omitted)}"
    )


def draw(matrix: Matrix, sheet: Sheet) -> Figure:
    """Draw the matrix.

    All panels are in one pair of axes, each one unit wide and high, rows counted downwards: laying out fifty axes
    would take seconds.
    """
    text = caption(matrix, sheet)
    matrix = within(matrix, sheet)
    number = len(matrix.names)
    figure, [axes] = begin(sheet, PANEL_IN * number)
    axes.set_axis_off()
    axes.set_xlim(0, number)
    axes.set_ylim(number, 0)
    panel_in = (sheet.width_in - SCALE_IN) / number
    size_pt = max(SMALLEST_PT, sheet.small_pt * min(1.0, panel_in / 0.8))
    scales = [Scale.of(matrix, name, panel_in) for name in matrix.names]
    handles = collection_handles(list(dict.fromkeys(matrix.numbers["collection"])), sheet)
    _frames(axes, scales)
    _ticks(axes, scales, size_pt)
    rasterize_cloud(axes, len(matrix.numbers) * number * (number - 1) // 2)
    for name, mark in handles.items():
        x, y = points(matrix.numbers[matrix.numbers["collection"] == name], scales)
        axes.plot(
            x, y, str(mark.get_marker()), color=mark.get_color(), ms=2.8 * sheet.scale, mew=0, alpha=0.5,
            zorder=CLOUD_ZORDER,
        )  # fmt: skip
    for row in range(number):
        name = wrap(NAMES[matrix.names[row]], panel_in * 0.92, size_pt, bold=True)
        axes.text(row + 0.5, row + 0.5, name, ha="center", va="center", fontsize=size_pt, fontweight="bold")
        for column in range(row + 1, number):
            _correlation(axes, row, column, float(matrix.rho[row, column]), size_pt)
    return end(figure, sheet, TITLE, text, dict.fromkeys(handles, ""), handles=list(handles.values()))


def points(numbers: pd.DataFrame, scales: Sequence[Scale]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the coordinates of the puzzles in all panels below the diagonal, panel by panel, row by row."""
    shares = [scale.shares(numbers[scale.name].to_numpy(float)) for scale in scales]
    pairs = [(row, column) for row in range(len(scales)) for column in range(row)]
    x = np.concatenate([column + GAP + shares[column] * (1 - 2 * GAP) for _, column in pairs])
    y = np.concatenate([row + 1 - GAP - shares[row] * (1 - 2 * GAP) for row, _ in pairs])
    known = ~(np.isnan(x) | np.isnan(y))
    return x[known], y[known]


def _frames(axes: Axes, scales: Sequence[Scale]) -> None:
    """Draw the left and bottom edges of the panels, and a grid line at each tick."""
    edges, grid = [], []
    for row in range(len(scales)):
        for column in range(row):
            left, right, top, low = column + GAP, column + 1 - GAP, row + GAP, row + 1 - GAP
            edges.append([(left, top), (left, low), (right, low)])
            grid += [[(x, top), (x, low)] for x in left + scales[column].tick_shares * (right - left)]
            grid += [[(left, y), (right, y)] for y in low - scales[row].tick_shares * (low - top)]
    axes.add_collection(LineCollection(grid, colors="#dddddd", linewidths=0.5, zorder=1))
    axes.add_collection(LineCollection(edges, colors="#000000", linewidths=0.7, zorder=2))


def _ticks(axes: Axes, scales: Sequence[Scale], size_pt: float) -> None:
    """Write tick labels and units left of the first column and below the last row."""
    number, last = len(scales), len(scales) - 1
    style: Any = {"textcoords": "offset points", "fontsize": max(SMALLEST_PT, size_pt * 0.85), "annotation_clip": False}
    for place, scale in enumerate(scales):
        unit = UNITS[scale.name]
        for share, text in zip(scale.tick_shares, scale.ticks.values(), strict=True):
            if place < last:
                x = place + GAP + share * (1 - 2 * GAP)
                axes.annotate(text, (x, number - GAP), xytext=(0, -2), ha="center", va="top", **style)
            if place:
                y = place + 1 - GAP - share * (1 - 2 * GAP)
                axes.annotate(text, (GAP, y), xytext=(-2, 0), ha="right", va="center", **style)
        if place < last:
            under = (0, -1.6 * size_pt)
            axes.annotate(unit, (place + 0.5, number - GAP), xytext=under, ha="center", va="top", **style)
        if place:
            left = (-3.0 * size_pt, 0)
            axes.annotate(unit, (GAP, place + 0.5), xytext=left, ha="right", va="center", rotation=90, **style)


def _correlation(axes: Axes, row: int, column: int, rho: float, size_pt: float) -> None:
    """Write a correlation on a colour that is stronger the further it is from 0."""
    shade = to_rgba(OPPOSITE if rho < 0 else STRONG, 0.0 if math.isnan(rho) else 0.55 * abs(rho))
    side = 1 - 2 * GAP
    axes.add_patch(Rectangle((column + GAP, row + GAP), side, side, color=shade, lw=0))
    axes.text(column + 0.5, row + 0.5, _written(rho), ha="center", va="center", fontsize=size_pt)


def _written(rho: float) -> str:
    return "?" if math.isnan(rho) else f"{rho:.2f}".replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class Scale:
    """The scale of a measure.

    Attributes:
        name: the measure.
        last: the largest position on the axis.
        ticks: positions and their labels.
        limits: lower and upper limit of the axis.
    """

    name: str
    last: float
    ticks: dict[float, str]
    limits: tuple[float, float]

    @classmethod
    def of(cls, matrix: Matrix, name: str, panel_in: float) -> Scale:
        """Return the scale of a measure, with as many ticks as fit."""
        values = matrix.numbers[name]
        known = values[np.isfinite(values)]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        if name in LOGARITHMIC:
            values_at = [0.0, *(10.0**power for power in range(9))] if high > 10 else [0.0, 1.0, 3.0, 10.0]
        else:
            values_at = list(MaxNLocator(4, integer=True).tick_values(low, high))
        first, last = place_of(name, low), place_of(name, high)
        room = (last - first or 1.0) * TICK_IN / panel_in
        ticks: dict[float, str] = {}
        end_of_ticks = last
        if name in matrix.scales:
            beyond = last + (BEYOND - 1) * (last - first or 1.0)
            ticks[beyond] = matrix.scales[name]
            end_of_ticks = beyond - room
            last = beyond
        kept: list[float] = []
        for value in values_at:
            at = place_of(name, value)
            if first <= at <= end_of_ticks and (not kept or at - kept[-1] >= room):
                kept.append(at)
                ticks[at] = f"{value:g}" if value < 1000 else f"{value / 1000:g}k"
        margin = 0.08 * (last - first or 1.0)
        return cls(name, last, ticks, (first - margin, last + margin))

    @property
    def tick_shares(self) -> NDArray[np.float64]:
        """The position of each tick, as a share of the axis."""
        return (np.array(list(self.ticks), dtype=float) - self.limits[0]) / (self.limits[1] - self.limits[0])

    def shares(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the position of each value as a share of the axis; values beyond the scale are at its end."""
        places: NDArray[np.float64] = np.minimum(place_of(self.name, values), self.last)
        return (places - self.limits[0]) / (self.limits[1] - self.limits[0])


def place_of(name: str, value: Any) -> Any:
    """Return the position of a measure's value on its scale."""
    return np.log1p(value) if name in LOGARITHMIC else value
