"""All figures, in the order in which they are shown. To add one: a module beside this one, named below."""

from __future__ import annotations

from typing import Any, Protocol, cast

import matplotlib as mpl
from matplotlib.figure import Figure

from bench.figures import (
    cactus,
    conflicts,
    critical_difference,
    difficulty,
    drift,
    encoding_size,
    families,
    forms,
    heat_map,
    phases,
    placebos,
    profile,
    scaling,
    scatter,
    survival,
    time_vs_difficulty,
)
from bench.figures.style import Sheet
from bench.verdicts.run_tables import Run


class Drawn(Protocol):
    """What a module of a figure has; the figure's files are named as the module is."""

    TITLE: str

    def data(self, run: Run) -> Any:
        """What is drawn, as a data frame (or a frozen dataclass of several).

        Raises:
            NothingToDrawError: the run has nothing for this figure; says in words why.
        """

    def words(self, data: Any, sheet: Sheet) -> str:
        """How to read the figure, in a sentence or two for its caption."""

    def draw(self, data: Any, sheet: Sheet) -> Figure:
        """The figure of the data, made with ``style.begin`` and ``style.end``."""


FIGURES: tuple[Drawn, ...] = cast(
    tuple[Drawn, ...],
    (
        *(time_vs_difficulty, families, heat_map, cactus, survival, profile),
        *(scatter, critical_difference, phases, encoding_size, conflicts, scaling),
        *(forms, placebos, drift, difficulty),
    ),
)


def name(figure: Drawn) -> str:
    """The name of a figure's files."""
    return str(cast(Any, figure).__name__).rpartition(".")[2]


def picture(figure: Drawn, data: Any, sheet: Sheet) -> Figure:
    """A figure drawn in the look of the sheet."""
    with mpl.rc_context(sheet.rc):
        return figure.draw(data, sheet)
