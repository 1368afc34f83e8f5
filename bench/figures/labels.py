"""Names beside points: every name where it fits, or none at all (the figure then has a legend)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from bench.figures.style import renderer_of

Place = tuple[float, float, str, str]  # offset, and horizontal and vertical alignment of the text

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
MARK_PT = 4.0  # radius of a marker on a screen


@dataclass(frozen=True)
class Panel:
    """The points of a plot, in data units, finite and within its limits, and a name for each."""

    axes: Axes
    points: Sequence[tuple[float, float]]
    names: Sequence[str]


def label_points(figure: Figure, panels: Sequence[Panel], size_pt: float) -> bool:
    """Write each name beside its point without covering another name or point; write none if one does not fit.

    Positions around each point are tried in order of distance. The most crowded points come first.

    Args:
        figure: complete, so that its layout no longer changes.

    Returns:
        True if the names were written.
    """
    figure.draw_without_rendering()  # settles the layout
    renderer = renderer_of(figure)
    notes: list[Annotation] = []
    for panel in panels:
        places = panel.axes.transData.transform(np.asarray(panel.points, dtype=float))
        reach = MARK_PT * figure.dpi / 72
        occupied = [Bbox.from_extents(x - reach, y - reach, x + reach, y + reach) for x, y in places]
        for number in _crowded_first(places):
            note = _place(panel.axes, renderer, panel.points[number], panel.names[number], size_pt, occupied)
            if note is None:
                for written in notes:
                    written.remove()
                return False
            notes.append(note)
            occupied.append(note.get_window_extent(renderer))
    return True


def _crowded_first(places: Any) -> list[int]:
    """Return the numbers of the points, ordered by the distance to their nearest neighbour."""
    distances = np.hypot(*(places[:, None, :] - places[None, :, :]).transpose(2, 0, 1))
    np.fill_diagonal(distances, np.inf)
    return [int(number) for number in np.argsort(distances.min(axis=1), kind="stable")]


def _place(
    axes: Axes, renderer: Any, point: tuple[float, float], name: str, size_pt: float, occupied: Sequence[Bbox]
) -> Annotation | None:
    """Write a name at the first free position around a point that lies within the axes; None if there is none."""
    for distance in (1.4, 2.6):
        for right, up, across, along in AROUND:
            note = axes.annotate(
                name, point, xytext=(right * distance * MARK_PT, up * distance * MARK_PT), textcoords="offset points",
                ha=across, va=along, fontsize=size_pt, zorder=6,
            )  # fmt: skip
            note.set_in_layout(False)
            box = note.get_window_extent(renderer)
            inside = axes.bbox.contains(*box.min) and axes.bbox.contains(*box.max)
            if inside and not any(box.overlaps(other) for other in occupied):
                return note
            note.remove()
    return None
