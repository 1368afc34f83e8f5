"""What several figures draw alike: lines that markers distinguish, grey lines, and the axis of difficulty."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from sudoku_bench.bench.figures.style import CLOUD_ZORDER, MIN_POINTS, NARROW_IN, Look, Sheet

MARKER_GAP = 0.17  # between markers on a line, as a share of the diagonal of its axes
FEW_POINTS = 4  # a line with fewer points has a marker at each of them
BACKGROUND = "#d2d2d2"
DIFFICULTY = "easier  ←  guesses that a plain search needs  →  harder"
NARROW_DIFFICULTY = "guesses of a plain search (harder →)"
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000)  # of difficulty


def grey_note(number: int) -> str:
    """Return the sentence on so many grey lines, with a leading space; empty if there are none."""
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


def scale_difficulty(axes: Axes, guesses: Any, sheet: Sheet) -> None:
    """Scale and name the axis of difficulty, which holds these numbers of guesses."""
    easiest, hardest = float(guesses.min()), float(guesses.max())
    ticks = [tick for tick in TICKS if tick <= max(1.0, hardest * 1.25)]
    ticks = ticks[min(sum(tick <= easiest for tick in ticks) - 1, len(ticks) - 2) :]  # two or more
    axes.set_xscale("function", functions=(np.log1p, np.expm1))
    axes.set_xlim(0.88 * (1 + ticks[0]) - 1, (1 + hardest) * 1.25)
    is_crowded = len(ticks) > 5 and sheet.width_in < NARROW_IN
    axes.set_xticks([tick for tick in ticks if not (is_crowded and str(tick).startswith("3"))])
    axes.minorticks_off()
    axes.set_xlabel(NARROW_DIFFICULTY if sheet.width_in < NARROW_IN else DIFFICULTY)
