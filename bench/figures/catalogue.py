"""All figures, in display order. To add a figure, write a module in this package and name it in ``FIGURES``."""

from __future__ import annotations

import difflib
from typing import Any, Protocol, cast

import matplotlib as mpl
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import (
    cactus,
    encodings,
    forest,
    phases,
    time_vs_difficulty,
    verdict_map,
)
from sudoku_bench.bench.figures.style import Sheet
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.errors import InputError


class FigureModule(Protocol):
    """The interface of a figure's module. The module's name is the figure's name, and that of its files."""

    TITLE: str

    def data(self, run: Run) -> Any:
        """Compute the data of the figure: a data frame, or a frozen dataclass of several.

        Raises:
            NothingToDrawError: the run has no data for this figure; the message gives the reason.
        """

    def caption(self, data: Any, sheet: Sheet) -> str:
        """Return the caption: how to read the figure, in a few sentences."""

    def draw(self, data: Any, sheet: Sheet) -> Figure:
        """Draw the data, starting with ``style.begin`` and finishing with ``style.end``."""


FIGURES = cast(
    tuple[FigureModule, ...],
    (
        *(time_vs_difficulty, verdict_map, forest),
        *(cactus, encodings, phases),
    ),
)


def name(figure: FigureModule) -> str:
    """Return the name of a figure, which is also that of its files."""
    return str(cast(Any, figure).__name__).rpartition(".")[2]


def named(text: str) -> FigureModule:
    """Return the figure of a name.

    Raises:
        InputError: there is none.
    """
    by_name = {name(figure): figure for figure in FIGURES}
    if text not in by_name:
        near = difflib.get_close_matches(text, by_name, n=1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(by_name)}"
        raise InputError(f"no figure is called {text}; {hint}")
    return by_name[text]


def data(figure: FigureModule, run: Run, baseline: str = "") -> Any:
    """Compute the data of a figure; the forest plot compares with a baseline if one is given.

    Raises:
        NothingToDrawError: the run has no data for this figure.
        InputError: the run has no such strategy.
    """
    return forest.data(run, baseline) if baseline and name(figure) == "forest" else figure.data(run)


def picture(figure: FigureModule, data: Any, sheet: Sheet) -> Figure:
    """Draw a figure with the sheet's fonts and colours."""
    with mpl.rc_context(sheet.rc):
        return figure.draw(data, sheet.about(data))
