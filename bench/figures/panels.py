"""Small multiples: panels that share their scales, and lines that are recognisable by their markers."""

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

from bench.figures.style import CLOUD_ZORDER, RC, Look, Sheet, begin
from bench.figures.wrapping import wrap

MAX_PANELS = 12  # in a figure; more cannot be compared at a glance
HEIGHT_IN = 2.1
NARROW_IN = 4.5  # narrower figures have two panels per row instead of three
SCALE_IN = 0.75  # width of the y axis labels, left of the panels
GAP_IN = 0.1
MARKER_GAP = 0.17  # between markers on a line, as a share of the diagonal of its axes
FEW_POINTS = 4  # a line with fewer points has a marker at each of them
# Lines in colour, on a screen and in a narrow column: if there are more than the first number, only the second is.
COLOURED, COLOURED_NARROW = (20, 14), (8, 6)
BACKGROUND = "#d2d2d2"


def most_panels(sheet: Sheet) -> int:
    """Return the maximum number of panels: fewer in a column of a paper, whose figures are not that high."""
    if sheet.column is None:
        return MAX_PANELS
    return MAX_PANELS // 2 if sheet.width_in < NARROW_IN else MAX_PANELS * 3 // 4


def panels(
    sheet: Sheet, titles: Sequence[str], height_in: float = HEIGHT_IN, share_x: bool = True
) -> tuple[Figure, list[Axes]]:
    """Return a figure with a panel per title; all panels share the y scale, and the x scale unless it is their own.

    Args:
        height_in: height of a row of panels on a screen.
    """
    per_row = min(len(titles), 2 if sheet.width_in < NARROW_IN else 3)
    rows = math.ceil(len(titles) / per_row)
    figure, every = begin(sheet, max(3.2, height_in * rows), rows, per_row, sharex=share_x, sharey=True)
    axes = every[: len(titles)]
    for unused in every[len(titles) :]:
        unused.remove()
    for panel, title in zip(axes, titles, strict=True):
        panel.set_title(wrap(title, width_in(axes, sheet), sheet.font_pt), loc="left")
    return figure, axes


def width_in(axes: Sequence[Axes], sheet: Sheet) -> float:
    """Return the approximate width of a panel."""
    return (sheet.width_in - SCALE_IN) / _shape(axes)[1] - GAP_IN


def name_axes(figure: Figure, axes: Sequence[Axes], sheet: Sheet, x: str, y: str) -> None:
    """Label the axes once for all panels, and the ticks at the left and bottom panels only.

    Call this after ``style.end``: a label may be longer than a panel.
    """
    rows, per_row = _shape(axes)
    height_in = float(figure.get_size_inches()[1])
    # A label that is centred within its own panel takes no space from the others. With an even number of panels, the
    # centre is the edge of one.
    below = min((rows - 1) * per_row + (per_row - 1) // 2, len(axes) - 1)
    beside = (rows - 1) // 2 * per_row
    middle = 0.5 if per_row % 2 and below % per_row == per_row // 2 else 1.0
    for number, panel in enumerate(axes):
        panel.set_xlabel(wrap(sheet.in_clock(x), sheet.width_in - SCALE_IN, sheet.font_pt), x=middle)
        panel.set_ylabel(wrap(sheet.in_clock(y), height_in * 0.6, sheet.font_pt), y=0.5 if rows % 2 else 0.0)
        panel.xaxis.label.set_visible(number == below)
        panel.yaxis.label.set_visible(number == beside)
        own_x = not panel.get_shared_x_axes().joined(panel, axes[number - 1])
        panel.tick_params(labelbottom=own_x or number + per_row >= len(axes), labelleft=number % per_row == 0)


def fewer_ticks(axes: Sequence[Axes], sheet: Sheet) -> None:
    """Remove ticks of the x axis whose labels would touch each other."""
    axis, scale = axes[0].xaxis, axes[0].transScale
    low, high = axes[0].get_xlim()
    places = [float(place) for place in axis.get_majorticklocs() if low <= place <= high]
    labels = axis.get_major_formatter().format_ticks(places)
    left, right = (float(scale.transform((place, 1.0))[0]) for place in (low, high))
    at_in = [
        (float(scale.transform((place, 1.0))[0]) - left) / (right - left) * width_in(axes, sheet) for place in places
    ]
    room_in = [width_of(label, sheet.font_pt) + 0.5 * sheet.font_pt / 72 for label in labels]
    for step in range(1, len(places) + 1):
        chosen = range(0, len(places), step)
        if all(at_in[b] - at_in[a] >= (room_in[a] + room_in[b]) / 2 for a, b in itertools.pairwise(chosen)):
            break
    for panel in axes:
        panel.xaxis.set_major_locator(FixedLocator([places[i] for i in chosen]))
        panel.minorticks_off()


def width_of(text: str, size_pt: float, bold: bool = False) -> float:
    """Return the width of a line of text in inches."""
    return _width_of(text, bold) * size_pt / 72


@functools.lru_cache(maxsize=4096)
def _width_of(text: str, bold: bool) -> float:
    """Return the width of a line of text in font sizes."""
    font = FontProperties(family=RC["font.family"], size=100, weight="bold" if bold else "normal")
    width: float = TextToPath().get_text_width_height_descent(text, font, False)[0]
    return width / 100


def highlighted(names: Sequence[str], sheet: Sheet) -> tuple[str, ...]:
    """Return the names that get a colour and a legend entry, in their order."""
    narrow = sheet.column is not None and sheet.width_in < NARROW_IN
    most, shown = COLOURED_NARROW if narrow else COLOURED
    return tuple(names[:shown] if len(names) > most else names)


def grey_note(names: Sequence[str], sheet: Sheet) -> str:
    """Return the sentence on the grey lines, with a leading space; empty if there are none."""
    number = len(names) - len(highlighted(names, sheet))
    return f" Grey: the {number} other strategies." if number else ""


def grey_line(axes: Axes, x: Any, y: Any, sheet: Sheet, style: Literal["default", "steps-post"] = "default") -> None:
    """Draw the line of a strategy in the background."""
    axes.plot(x, y, color=BACKGROUND, lw=0.8 * sheet.scale, drawstyle=style, zorder=CLOUD_ZORDER - 0.1)


def _shape(axes: Sequence[Axes]) -> tuple[int, int]:
    """Return the numbers of rows and columns of panels."""
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
    """Draw the line of a strategy with sparse markers, so that it is recognisable without its colour.

    Args:
        number: position of the strategy; it shifts the markers, so that those of overlapping lines do not coincide.
    """
    marker_places = (MARKER_GAP * (number % 5) / 5, MARKER_GAP) if len(x) >= FEW_POINTS else None
    axes.plot(
        x, y, look.dashes, color=look.colour, lw=1.5 * sheet.scale, drawstyle=style, marker=look.marker,
        ms=4.5 * sheet.scale, mew=0, markevery=marker_places, zorder=3,
    )  # fmt: skip
