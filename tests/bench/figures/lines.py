"""What tests of lines share."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bench.figures import sheet
from bench.figures.panels import HIGHLIGHTED
from bench.verdicts.run_tables import Run

NAMES_OF_LEGEND = HIGHLIGHTED


def caption(figure: Figure) -> str:
    """The texts beside the plots in one line."""
    return " ".join(" ".join(text.get_text() for text in figure.texts).split())


def drawn_line(axes: Axes, run: Run, strategy: str) -> NDArray[np.float64]:
    """The places of the line of a strategy, as it is known by its marker and colour: places × 2."""
    look = sheet.of_run(run).looks[strategy]
    [found] = [line for line in axes.lines if (line.get_marker(), line.get_color()) == (look.marker, look.colour)]
    places: Any = found.get_xydata()
    return np.asarray(places, dtype=np.float64)
