"""Small multiples: a panel for each of several things, on one pair of scales; lines that are known by their marks."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath
from matplotlib.ticker import FixedLocator

from bench.figures.style import POINTS, RC, Look, Sheet, begin, wrap

MOST = 12  # panels in a figure: more cannot be compared at a glance
HEIGHT_IN = 2.1
NARROW_IN = 4.5  # in a column that is narrower, two panels stand side by side instead of three
SCALE_IN = 0.75  # what the vertical scale and its name take, left of the panels
GAP_IN = 0.1
MARKS_APART = 0.17  # marks of one line, as a share of the diagonal of its axes
FEW_POINTS = 4  # of a line that has a mark at each
NAMED = 20  # lines that can be told apart; of more, the foremost have a colour and a name, the others are grey
FOREMOST = 14
BEHIND = "#d2d2d2"


def panels(sheet: Sheet, titles: Sequence[str], height_in: float = HEIGHT_IN) -> tuple[Figure, list[Axes]]:
    """A figure with a panel for each title, which share their scales.

    Args:
        height_in: of a row of panels, on a screen.
    """
    per_row = min(len(titles), 2 if sheet.width_in < NARROW_IN else 3)
    rows = math.ceil(len(titles) / per_row)
    figure, found = begin(sheet, max(3.2, height_in * rows), rows, per_row, sharex=True, sharey=True)
    axes = found[: len(titles)]
    for unused in found[len(titles) :]:
        unused.remove()
    for panel, title in zip(axes, titles, strict=True):
        panel.set_title(wrap(title, width_in(axes, sheet), sheet.font_pt), loc="left")
    return figure, axes


def width_in(axes: Sequence[Axes], sheet: Sheet) -> float:
    """Of a panel, about."""
    return (sheet.width_in - SCALE_IN) / _shape(axes)[1] - GAP_IN


def name_axes(figure: Figure, axes: Sequence[Axes], sheet: Sheet, x: str, y: str) -> None:
    """Name the scales of panels once for all of them, and the ticks at the left and at the lowest ones.

    To be called when the figure has been ended: names may be longer than a panel.
    """
    rows, per_row = _shape(axes)
    height_in = float(figure.get_size_inches()[1])
    # A label whose middle lies within its own panel takes no room from the others. Of two, the first one's edge is it.
    below = min((rows - 1) * per_row + (per_row - 1) // 2, len(axes) - 1)
    beside = (rows - 1) // 2 * per_row
    middle = 0.5 if per_row % 2 and below % per_row == per_row // 2 else 1.0
    for number, panel in enumerate(axes):
        panel.set_xlabel(wrap(x, sheet.width_in - SCALE_IN, sheet.font_pt), x=middle)
        panel.set_ylabel(wrap(y, height_in * 0.6, sheet.font_pt), y=0.5 if rows % 2 else 0.0)
        panel.xaxis.label.set_visible(number == below)
        panel.yaxis.label.set_visible(number == beside)
        panel.tick_params(labelbottom=number + per_row >= len(axes), labelleft=number % per_row == 0)


def fewer_ticks(axes: Sequence[Axes], sheet: Sheet) -> None:
    """Leave out ticks of a horizontal scale whose names would touch each other."""
    axis, scale = axes[0].xaxis, axes[0].transScale
    low, high = axes[0].get_xlim()
    seen = [float(place) for place in axis.get_majorticklocs() if low <= place <= high]
    words = axis.get_major_formatter().format_ticks(seen)
    left, right = (float(scale.transform((place, 1.0))[0]) for place in (low, high))
    at_in = [
        (float(scale.transform((place, 1.0))[0]) - left) / (right - left) * width_in(axes, sheet) for place in seen
    ]
    room_in = [width_of(word, sheet.font_pt) + 0.5 * sheet.font_pt / 72 for word in words]
    for step in range(1, len(seen) + 1):
        chosen = range(0, len(seen), step)
        if all(at_in[b] - at_in[a] >= (room_in[a] + room_in[b]) / 2 for a, b in itertools.pairwise(chosen)):
            break
    for panel in axes:
        panel.xaxis.set_major_locator(FixedLocator([seen[i] for i in chosen]))
        panel.minorticks_off()


def width_of(text: str, size_pt: float, bold: bool = False) -> float:
    """The inches that a line of text takes."""
    return _width_of(text, bold) * size_pt / 72


@functools.lru_cache(maxsize=4096)
def _width_of(text: str, bold: bool) -> float:
    """In sizes of letters."""
    font = FontProperties(family=RC["font.family"], size=100, weight="bold" if bold else "normal")
    width: float = TextToPath().get_text_width_height_descent(text, font, False)[0]
    return width / 100


def foremost(names: Sequence[str]) -> tuple[str, ...]:
    """Those of the names, in their order, that are to have a colour and a place in the legend."""
    return tuple(names[:FOREMOST] if len(names) > NAMED else names)


def others(names: Sequence[str]) -> str:
    """What is to be said of the lines that are grey; empty if there are none."""
    number = len(names) - len(foremost(names))
    return f" Grey: the {number} other strategies." if number else ""


def grey_line(axes: Axes, x: Any, y: Any, sheet: Sheet, style: Literal["default", "steps-post"] = "default") -> None:
    """The line of a strategy that stands back."""
    axes.plot(x, y, color=BEHIND, lw=0.8 * sheet.scale, drawstyle=style, zorder=POINTS - 0.1)


def _shape(axes: Sequence[Axes]) -> tuple[int, int]:
    """Rows and columns of panels."""
    spec = axes[0].get_subplotspec()
    rows, columns, *_ = spec.get_geometry() if spec else (1, 1)
    return int(rows), int(columns)


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
    apart = (MARKS_APART * (number % 5) / 5, MARKS_APART) if len(x) >= FEW_POINTS else None
    axes.plot(
        x, y, look.dashes, color=look.colour, lw=1.5 * sheet.scale, drawstyle=style, marker=look.marker,
        ms=4.5 * sheet.scale, mew=0, markevery=apart, zorder=3,
    )  # fmt: skip
