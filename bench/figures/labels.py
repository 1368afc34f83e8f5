"""Names beside points: each where there is room for it, or none at all (a legend then says who is who)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

Place = tuple[float, float, str, str]  # shift in points, and what of the text is put there

AROUND: tuple[Place, ...] = (
    (1, 0, "left", "center_baseline"),
    (-1, 0, "right", "center_baseline"),
    (0, 1, "center", "bottom"),
    (0, -1, "center", "top"),
    (0.7, 0.7, "left", "bottom"),
    (0.7, -0.7, "left", "top"),
    (-0.7, 0.7, "right", "bottom"),
    (-0.7, -0.7, "right", "top"),
)
MARK_PT = 4.0  # from the middle of a mark to its rim, on a screen


@dataclass(frozen=True)
class Panel:
    """Points of some axes, in data units, finite and within the limits; and a name for each."""

    axes: Axes
    points: Sequence[tuple[float, float]]
    names: Sequence[str]


def beside(figure: Figure, panels: Sequence[Panel], size_pt: float) -> bool:
    """Write each name beside its point, so that it covers no other name and no point; no name if one has no room.

    Places are tried around each point, close ones first; points with the least room come first.

    Args:
        figure: finished, so that its layout no longer changes.

    Returns:
        Whether names were written.
    """
    figure.draw_without_rendering()  # settles the layout
    canvas: Any = FigureCanvasAgg(figure)
    renderer = canvas.get_renderer()
    notes: list[Annotation] = []
    for panel in panels:
        where = panel.axes.transData.transform(np.asarray(panel.points, dtype=float))
        reach = MARK_PT * figure.dpi / 72
        taken = [Bbox.from_extents(x - reach, y - reach, x + reach, y + reach) for x, y in where]
        for number in _crowded_first(where):
            placed = _place(panel.axes, renderer, panel.points[number], panel.names[number], size_pt, taken)
            if placed is None:
                for note in notes:
                    note.remove()
                return False
            notes.append(placed)
            taken.append(placed.get_window_extent(renderer))
    return True


def _crowded_first(where: Any) -> list[int]:
    """Points by the distance of their nearest neighbour."""
    apart = np.hypot(*(where[:, None, :] - where[None, :, :]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    return [int(number) for number in np.argsort(apart.min(axis=1), kind="stable")]


def _place(
    axes: Axes, renderer: Any, point: tuple[float, float], name: str, size_pt: float, taken: Sequence[Bbox]
) -> Annotation | None:
    """A note at the first place around a point that is free and within the axes."""
    for far in (1.4, 2.6):
        for right, up, across, along in AROUND:
            note = axes.annotate(
                name, point, xytext=(right * far * MARK_PT, up * far * MARK_PT), textcoords="offset points",
                ha=across, va=along, fontsize=size_pt, zorder=6,
            )  # fmt: skip
            note.set_in_layout(False)
            box = note.get_window_extent(renderer)
            inside = (
                axes.bbox.x0 <= box.x0 and box.x1 <= axes.bbox.x1 and axes.bbox.y0 <= box.y0 and box.y1 <= axes.bbox.y1
            )
            if inside and not any(box.overlaps(other) for other in taken):
                return note
            note.remove()
    return None


def _within(box: Bbox, around: Bbox) -> bool:
    return bool(around.x0 <= box.x0 and box.x1 <= around.x1 and around.y0 <= box.y0 and box.y1 <= around.y1)
