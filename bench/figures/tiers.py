"""How collections are told apart in figures whose points are puzzles: darker is earlier in the run, that is easier."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from bench.figures.style import MARKERS, Look, Sheet

MAP = "viridis"  # its lightness grows evenly, also for colour-blind readers and in grey
LIGHTEST = 0.88  # of the map; what comes after vanishes on white


def looks(collections: Sequence[str]) -> dict[str, Look]:
    """Colour and marker of each collection, in their order; no two of up to eleven share a marker."""
    steps = max(1, len(collections) - 1)
    colours = mpl.colormaps[MAP]
    return {
        name: Look(to_hex(colours(LIGHTEST * number / steps)), MARKERS[number % len(MARKERS)], "-")
        for number, name in enumerate(collections)
    }


def legend(collections: Sequence[str], sheet: Sheet) -> dict[str, Line2D]:
    """For each collection what stands for it in a legend: a marker without a line."""
    own = looks(sheet.collections)
    return {
        name: Line2D([], [], color=own[name].colour, marker=own[name].marker, linestyle="", ms=5)
        for name in collections
    }
