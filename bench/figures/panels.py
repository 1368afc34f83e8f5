"""Small multiples: a panel for each of several things, on one pair of scales."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from bench.figures.style import Look, Sheet, begin, wrap

MOST = 12  # panels in a figure: more cannot be compared at a glance
HEIGHT_IN = 2.1
NARROW_IN = 4.5  # in a column that is narrower, two panels stand side by side instead of three
MARKS_APART = 0.17  # marks of one line, as a share of the diagonal of its axes


def panels(sheet: Sheet, titles: Sequence[str], height_in: float = HEIGHT_IN) -> tuple[Figure, list[Axes]]:
    """A figure with a panel for each title, which share their scales.

    Args:
        height_in: of a row of panels, on a screen.
    """
    per_row = min(len(titles), 2 if sheet.width_in < NARROW_IN else 3)
    rows = math.ceil(len(titles) / per_row)
    figure, found = begin(sheet, max(3.2, height_in * rows), rows, per_row, sharex=True, sharey=True)
    for axes in found[len(titles) :]:
        axes.remove()
    room_in = sheet.width_in / per_row - 0.5
    for axes, title in zip(found, titles, strict=False):
        axes.set_title(wrap(title, room_in, sheet.font_pt), loc="left")
    return figure, found[: len(titles)]


def name_axes(axes: Sequence[Axes], x: str, y: str) -> None:
    """Name the scales of panels that share them: at the left and at the lowest ones, where also the ticks are named."""
    per_row = _per_row(axes)
    for number, panel in enumerate(axes):
        panel.set_xlabel(x)
        panel.set_ylabel(y)
        lowest, first = number + per_row >= len(axes), number % per_row == 0
        panel.xaxis.label.set_visible(lowest)
        panel.yaxis.label.set_visible(first)
        panel.tick_params(labelbottom=lowest, labelleft=first)


def fewer_ticks(axes: Sequence[Axes], sheet: Sheet, letters: int = 7) -> None:
    """Leave out ticks of a horizontal scale whose names would touch each other.

    Args:
        letters: of the longest name, with the space around it.
    """
    room_in = (sheet.width_in - 0.8) / _per_row(axes) - 0.1
    most = max(2, int(room_in / (letters * 0.6 * sheet.font_pt / 72)))
    places: Any = axes[0].xaxis.get_majorticklocs()
    low, high = axes[0].get_xlim()
    seen = [place for place in places if low <= place <= high]
    kept = seen[:: math.ceil(len(seen) / most)]
    for panel in axes:
        panel.xaxis.set_major_locator(FixedLocator(kept))


def _per_row(axes: Sequence[Axes]) -> int:
    spec = axes[0].get_subplotspec()
    return spec.get_geometry()[1] if spec else 1


def line(
    axes: Axes,
    x: Any,
    y: Any,
    look: Look,
    sheet: Sheet,
    number: int,
    style: Literal["default", "steps-post"] = "default",
) -> None:
    """The line of a strategy with its marks here and there, so that it is known without its colour.

    Args:
        number: of the strategy, so that the marks of two lines that lie together are seen side by side.
    """
    start = MARKS_APART * (number % 5) / 5
    axes.plot(
        x, y, look.dashes, color=look.colour, lw=1.5 * sheet.scale, drawstyle=style, marker=look.marker,
        ms=4.5 * sheet.scale, mew=0, markevery=(start, MARKS_APART), zorder=3,
    )  # fmt: skip
