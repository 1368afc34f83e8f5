"""What several figures draw alike: small multiples, lines that markers tell apart, and the axis of difficulty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sudoku_bench.bench.figures.style import CLOUD_ZORDER, MIN_POINTS, Look, Sheet, begin
from sudoku_bench.bench.figures.wrapping import wrap

NARROW_IN = 4.5  # narrower figures have two panels per row instead of three
SCALE_IN = 0.75  # width of the y axis labels, left of the panels
GAP_IN = 0.1
MARKER_GAP = 0.17  # between markers on a line, as a share of the diagonal of its axes
FEW_POINTS = 4  # a line with fewer points has a marker at each of them
# Lines in colour, on a screen and in a narrow column: if there are more than the first number, only the second is.
COLOURED, COLOURED_NARROW = (20, 14), (8, 6)
BACKGROUND = "#d2d2d2"
DIFFICULTY = "difficulty: mean guesses of a singles-only search (log scale of 1 + guesses)"
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000)  # of difficulty


def panels(sheet: Sheet, titles: Sequence[str], height_in: float) -> tuple[Figure, list[Axes]]:
    """Return a figure with a panel per title; all panels share the y scale.

    Args:
        height_in: height of a row of panels on a screen.
    """
    per_row = min(len(titles), 2 if sheet.width_in < NARROW_IN else 3)
    rows = math.ceil(len(titles) / per_row)
    figure, every = begin(sheet, max(3.2, height_in * rows), rows, per_row, sharey=True)
    axes = every[: len(titles)]
    for unused in every[len(titles) :]:
        unused.remove()
    for panel, title in zip(axes, titles, strict=True):
        panel.set_title(wrap(title, (sheet.width_in - SCALE_IN) / per_row - GAP_IN, sheet.font_pt), loc="left")
    return figure, axes


def name_axes(figure: Figure, axes: Sequence[Axes], sheet: Sheet, x: str, y: str) -> None:
    """Label the axes once for all panels.

    Call this after ``style.end``: a label may be longer than a panel.
    """
    spec: Any = axes[0].get_subplotspec()
    rows, per_row = spec.get_geometry()[:2] if sheet.axes is None else (1, 1)
    # A label that is centred within its own panel takes no space from the others. With an even number of panels, the
    # centre is the edge of one.
    below = axes[min((rows - 1) * per_row + (per_row - 1) // 2, len(axes) - 1)]
    beside = axes[(rows - 1) // 2 * per_row]
    in_middle = per_row % 2 and below is axes[min((rows - 1) * per_row + per_row // 2, len(axes) - 1)]
    width_in, height_in = sheet.width_in - SCALE_IN, float(figure.get_size_inches()[1]) * 0.6
    if sheet.axes is not None:
        width_in, height_in = sheet.width_in, sheet.max_height_in
    below.set_xlabel(wrap(sheet.in_clock(x), width_in, sheet.font_pt), x=0.5 if in_middle else 1.0)
    beside.set_ylabel(wrap(sheet.in_clock(y), height_in, sheet.font_pt), y=0.5 if rows % 2 else 0.0)


def highlighted(names: Sequence[str], sheet: Sheet) -> tuple[str, ...]:
    """Return the names that get a colour and a legend entry, in their order."""
    narrow = sheet.column is not None and sheet.width_in < NARROW_IN
    most, shown = COLOURED_NARROW if narrow else COLOURED
    return tuple(names[:shown] if len(names) > most else names)


def grey_note(names: Sequence[str], sheet: Sheet) -> str:
    """Return the sentence on the grey lines, with a leading space; empty if there are none."""
    number = len(names) - len(highlighted(names, sheet))
    return f" Grey: the {number} other strategies." if number else ""


def grey_line(axes: Axes, x: Any, y: Any, sheet: Sheet, style: str = "-") -> None:
    """Draw the line of a strategy, or its points with the style ``.``, in the background."""
    axes.plot(x, y, style, color=BACKGROUND, lw=0.8 * sheet.scale, zorder=CLOUD_ZORDER - 0.1)


def line(axes: Axes, x: Any, y: Any, look: Look, sheet: Sheet, number: int) -> None:
    """Draw the line of a strategy with sparse markers, so that it is recognisable without its colour.

    Fewer than ``MIN_POINTS`` points are not joined.

    Args:
        number: position of the strategy; it shifts the markers, so that those of overlapping lines do not coincide.
    """
    marker_places = (MARKER_GAP * (number % 5) / 5, MARKER_GAP) if len(x) >= FEW_POINTS else None
    dashes = look.dashes if len(x) >= MIN_POINTS else "none"
    axes.plot(
        x, y, ls=dashes, color=look.colour, lw=1.5 * sheet.scale, marker=look.marker, ms=4.5 * sheet.scale, mew=0,
        markevery=marker_places, zorder=3,
    )  # fmt: skip


def scale_difficulty(axes: Axes, guesses: Any) -> None:
    """Scale the axis of difficulty to hold these numbers of guesses."""
    easiest, hardest = float(guesses.min()), float(guesses.max())
    ticks = [tick for tick in TICKS if tick <= max(1.0, hardest * 1.25)]
    ticks = ticks[min(sum(tick <= easiest for tick in ticks) - 1, len(ticks) - 2) :]  # two or more
    axes.set_xscale("function", functions=(np.log1p, np.expm1))
    axes.set_xlim(0.88 * (1 + ticks[0]) - 1, (1 + hardest) * 1.25)
    axes.set_xticks(ticks)
    axes.minorticks_off()


def ratio_row(
    axes: Axes, place: float, ratio: float, ends: tuple[float, float], look: tuple[str, str, bool], ms: float
) -> None:
    """Draw a ratio and its interval in a row of a plot with its final limits.

    An arrow stands where the interval ends beyond the axis or has no bound (NaN).

    Args:
        look: colour, marker, and whether it is filled; ms: its size in points.
    """
    colour, marker, filled = look
    low, high = axes.get_xlim()
    if not all(map(math.isnan, ends)):
        left, right = (limit if math.isnan(end) else end for end, limit in zip(ends, (low, high), strict=True))
        axes.plot([left, right], [place, place], "-", color=colour, lw=1.4, zorder=3)
        for edge, is_beyond, arrow in ((low, left <= low, "<"), (high, right >= high, ">")):
            if is_beyond:
                axes.plot([edge], [place], arrow, color=colour, ms=0.89 * ms, clip_on=False, zorder=4)
    if low <= ratio <= high:
        axes.plot([ratio], [place], marker, color=colour, mfc=colour if filled else "#ffffff", ms=ms, zorder=5)
