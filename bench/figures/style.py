"""One look for all figures: colours that colour-blind readers can tell apart, a marker of its own for each strategy.

Colours: Okabe & Ito 2008, "Color universal design", without the yellow that vanishes on white.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h")
LINES = ("-", "--", "-.", ":")

RC: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "svg.hashsalt": "sudoku-bench",  # the same bytes for the same run
    "figure.dpi": 100,
    "savefig.dpi": 200,
}


def looks(names: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """Colour, marker and line style of each strategy; no two share all three (up to 308 of them)."""
    return {
        name: (COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)], LINES[i // len(COLOURS) % len(LINES)])
        for i, name in enumerate(names)
    }


def render(figure: Figure, kind: str) -> bytes:
    """A figure as the bytes of an ``svg`` or ``png`` file, without a time stamp."""
    data = io.BytesIO()
    with mpl.rc_context(RC):
        figure.savefig(data, format=kind, metadata={"Date": None} if kind == "svg" else None)
    return data.getvalue()
