"""Names at the right ends of lines, in place of a legend: no name covers another, and a thin line leads to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from bench.figures.style import Look, Sheet
from bench.figures.wrapping import wrap

LINE = 1.25  # height of a line of text, in font sizes
GAP = 0.3  # between names, in font sizes
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
    texts = [_text(end, sheet) for end in ends]
    at = [axes.transAxes.inverted().transform(axes.transData.transform((end.x, end.y))) for end in ends]
    heights = np.array([_height(text) for text in texts]) * sheet.small_pt / 72 / height_in
    for end, text, place, y in zip(ends, texts, at, spread(np.array([y for _, y in at]), heights), strict=True):
        frame: Any = {"transform": axes.transAxes, "color": end.look.colour, "clip_on": False, "scalex": False}
        axes.plot(
            [float(place[0]), 1.0, 1 + LEADER], [float(place[1]), float(place[1]), y], ":", lw=0.7, zorder=1,
            scaley=False, **frame,
        )  # fmt: skip
        axes.plot(
            [1 + LEADER], [y], end.look.marker, ms=0.6 * sheet.small_pt, mew=0, scaley=False, **frame
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
    return (text.count("\n") + 1) * LINE + GAP


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
