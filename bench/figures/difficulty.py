"""Measures of difficulty against each other: points below the diagonal, rank correlations above it."""

from __future__ import annotations

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

from bench.figures import tiers
from bench.figures.boards import most_frequent, others
from bench.figures.style import POINTS, NothingToDrawError, Sheet, begin, cloud, end, wrap
from bench.verdicts.difficulty.measures import MIN_PUZZLES, correlations, measures, told
from bench.verdicts.run_tables import Run

TITLE = "Measures of difficulty against each other"
PANEL_IN = 0.95
GAP = 0.06  # around a panel, of its width
BESIDE_IN = 0.4  # of the width: scales at the left
TICK_IN = 0.24  # of a tick on an axis, with what is written there
NAMES = {
    "guesses": "mean guesses",
    "te_rounds": "rounds of trial and error",
    "unsolved_singles": "cells open after singles",
    "unsolved_locked": "cells open after locked",
    "backdoor": "backdoor cells",
    "er": "ER rating",
    "clues": "clues",
}
UNITS = {"guesses": "guesses", "te_rounds": "rounds", "er": "ER", "clues": "clues"}
UNITS |= dict.fromkeys(("unsolved_singles", "unsolved_locked", "backdoor"), "cells")
LOGARITHMIC = ("guesses", "te_rounds")  # drawn on a scale of log(1 + x)
BEYOND = 1.15  # of the largest place on a scale: where what is beyond the scale is drawn
TWO_LEVELS = "deep"  # trial and error that had to go two levels deep
STRONG = "#0072B2"
OPPOSITE = "#D55E00"


@dataclass(frozen=True)
class Matrix:
    """What is drawn, of puzzles of one size.

    Attributes:
        numbers: a row per puzzle: collection, and its measures as ``bench.verdicts.difficulty.measures`` has them.
        names: the measures that are drawn.
        rho: rank correlations of each two of them.
        scales: of measures with puzzles beyond their scale, how that is written, such as ``>4.4``.
        omitted: puzzles of other sizes.
    """

    numbers: pd.DataFrame
    names: tuple[str, ...]
    rho: NDArray[np.float64]
    scales: dict[str, str]
    omitted: int = 0


def data(run: Run) -> Matrix:
    """The measures that are known and vary over the puzzles of that size which has the most."""
    puzzles = run.puzzles[run.puzzles["decoy"].isna()] if "decoy" in run.puzzles else run.puzzles
    puzzles = puzzles.assign(size=puzzles["grid"].str.len().map(math.isqrt))
    size, omitted = most_frequent(puzzles)
    puzzles = puzzles[puzzles["size"] == size].reset_index(drop=True)
    numbers = measures(puzzles)
    names = tuple(told(numbers))
    if len(names) < 2:
        raise NothingToDrawError(f"two measures that vary over {MIN_PUZZLES} puzzles of one size are needed")
    scales = {name: _beyond(puzzles[name]) for name in names if np.isinf(numbers[name]).any()}
    shown = numbers[list(names)].assign(collection=puzzles["collection"])
    return Matrix(shown, names, correlations(numbers, names), scales, omitted)


def _beyond(values: pd.Series[Any]) -> str:
    """How a measure writes what is beyond its scale."""
    text = values.astype(str)
    found = sorted(set(text[text.str.startswith(">")]))
    return found[0] if found else TWO_LEVELS


def words(matrix: Matrix, _sheet: Sheet) -> str:
    """How to read it."""
    deep = f" {TWO_LEVELS!r}: two levels of trial and error." if matrix.scales.get("te_rounds") == TWO_LEVELS else ""
    return (
        "Points: puzzles; each panel has the measure named above it across, and the one named beside it upwards."
        f" Numbers: Spearman's rank correlation of the two; what is beyond a scale is tied.{deep}"
        f"{others(matrix.omitted)}"
    )


def draw(matrix: Matrix, sheet: Sheet) -> Figure:
    """The figure of ``Matrix``.

    All panels are in one pair of axes without scales of its own, a unit wide and high each, rows counted downwards:
    fifty axes would take seconds to lay out.
    """
    number = len(matrix.names)
    figure, [axes] = begin(sheet, PANEL_IN * number)
    axes.set_axis_off()
    axes.set_xlim(0, number)
    axes.set_ylim(number, 0)
    panel_in = (sheet.width_in - BESIDE_IN) / number
    size_pt = sheet.small_pt * min(1.0, max(0.7, panel_in / 0.8))
    scales = [Scale.of(matrix, name, panel_in) for name in matrix.names]
    kinds = tiers.legend(list(dict.fromkeys(matrix.numbers["collection"])), sheet)
    _frames(axes, scales)
    _ticks(axes, scales, size_pt)
    cloud(axes, len(matrix.numbers) * number * (number - 1) // 2)
    for name, mark in kinds.items():
        x, y = points(matrix.numbers[matrix.numbers["collection"] == name], scales)
        axes.plot(
            x, y, str(mark.get_marker()), color=mark.get_color(), ms=2.8 * sheet.scale, mew=0, alpha=0.5,
            zorder=POINTS,
        )  # fmt: skip
    for row in range(number):
        said = wrap(NAMES[matrix.names[row]], panel_in * 0.92, size_pt, bold=True)
        axes.text(row + 0.5, row + 0.5, said, ha="center", va="center", fontsize=size_pt, fontweight="bold")
        for column in range(row + 1, number):
            _correlation(axes, row, column, float(matrix.rho[row, column]), size_pt)
    return end(figure, sheet, TITLE, words(matrix, sheet), dict.fromkeys(kinds, ""), handles=list(kinds.values()))


def points(numbers: pd.DataFrame, scales: Sequence[Scale]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where puzzles stand in all panels below the diagonal, panel by panel, row by row."""
    shares = [scale.shares(numbers[scale.name].to_numpy(float)) for scale in scales]
    pairs = [(row, column) for row in range(len(scales)) for column in range(row)]
    x = np.concatenate([column + GAP + shares[column] * (1 - 2 * GAP) for _, column in pairs])
    y = np.concatenate([row + 1 - GAP - shares[row] * (1 - 2 * GAP) for row, _ in pairs])
    known = ~(np.isnan(x) | np.isnan(y))
    return x[known], y[known]


def _frames(axes: Axes, scales: Sequence[Scale]) -> None:
    """The left and lower edges of the panels, and a line across at each tick."""
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
    """What ticks say, and units, at the left of the first column and below the last row."""
    number, last = len(scales), len(scales) - 1
    away: Any = {"textcoords": "offset points", "fontsize": size_pt * 0.85, "annotation_clip": False}
    for place, scale in enumerate(scales):
        unit = UNITS[scale.name]
        for share, said in zip(scale.tick_shares, scale.ticks.values(), strict=True):
            if place < last:
                x = place + GAP + share * (1 - 2 * GAP)
                axes.annotate(said, (x, number - GAP), xytext=(0, -2), ha="center", va="top", **away)
            if place:
                y = place + 1 - GAP - share * (1 - 2 * GAP)
                axes.annotate(said, (GAP, y), xytext=(-2, 0), ha="right", va="center", **away)
        if place < last:
            under = (0, -1.6 * size_pt)
            axes.annotate(unit, (place + 0.5, number - GAP), xytext=under, ha="center", va="top", **away)
        if place:
            left = (-3.0 * size_pt, 0)
            axes.annotate(unit, (GAP, place + 0.5), xytext=left, ha="right", va="center", rotation=90, **away)


def _correlation(axes: Axes, row: int, column: int, rho: float, size_pt: float) -> None:
    """A number on a colour that is the stronger the further it is from 0."""
    shade = to_rgba(OPPOSITE if rho < 0 else STRONG, 0.0 if math.isnan(rho) else 0.55 * abs(rho))
    side = 1 - 2 * GAP
    axes.add_patch(Rectangle((column + GAP, row + GAP), side, side, color=shade, lw=0))
    axes.text(column + 0.5, row + 0.5, _written(rho), ha="center", va="center", fontsize=size_pt)


def _written(rho: float) -> str:
    return "?" if math.isnan(rho) else f"{rho:.2f}".replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class Scale:
    """How the values of a measure are laid out on an axis.

    Attributes:
        name: of the measure.
        last: the largest place of what is on the scale.
        ticks: places, and what is written there.
        limits: of the axis.
    """

    name: str
    last: float
    ticks: dict[float, str]
    limits: tuple[float, float]

    @classmethod
    def of(cls, matrix: Matrix, name: str, panel_in: float) -> Scale:
        """The scale of a measure, with as many ticks as have room."""
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
        """Of the length of the axis, for each tick."""
        return (np.array(list(self.ticks), dtype=float) - self.limits[0]) / (self.limits[1] - self.limits[0])

    def shares(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of the length of the axis, for each value; those beyond the scale lie all at its end."""
        places: NDArray[np.float64] = np.minimum(place_of(self.name, values), self.last)
        return (places - self.limits[0]) / (self.limits[1] - self.limits[0])


def place_of(name: str, value: Any) -> Any:
    """The place of a value of a measure on its scale."""
    return np.log1p(value) if name in LOGARITHMIC else value
