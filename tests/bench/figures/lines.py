"""Helpers for the tests of figures with lines."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bench.figures import sheet
from bench.figures.panels import COLOURED
from bench.verdicts.run_tables import Run

NAMES_OF_LEGEND = COLOURED[1]


def caption(figure: Figure) -> str:
    """Return the texts outside the plots as one line."""
    return " ".join(" ".join(text.get_text() for text in figure.texts).split())


def drawn_line(axes: Axes, run: Run, strategy: str) -> NDArray[np.float64]:
    """Return the points (n × 2) of a strategy's line, identified by its marker and colour."""
    look = sheet.of_run(run).looks[strategy]
    [match] = [line for line in axes.lines if (line.get_marker(), line.get_color()) == (look.marker, look.colour)]
    places: Any = match.get_xydata()
    return np.asarray(places, dtype=np.float64)
