"""Phases: how the time of a solve divides into phases, with the time of the solve and of preparing once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from sudoku_bench.bench.figures.sheet import other_sizes_note
from sudoku_bench.bench.figures.style import LINE, NARROW_IN, NothingToDrawError, Sheet, begin, end, name_rows, short
from sudoku_bench.bench.say.phrases import counted, seconds
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.phases import PHASES, phases
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "Phases of a solve"
# Light and dark alternate, and phases of similar lightness differ by a hatch: distinguishable in greyscale too.
LOOKS = {
    "encode": ("#56B4E9", ""),
    "load": ("#E69F00", "//"),
    "search": ("#0072B2", ""),
    "decode": ("#f8f8f8", ""),
    "release": ("#D55E00", "\\\\"),
}
AROUND_IN = 1.0  # height of legend and axis in a column of a paper
EDGE = "#222222"  # colour of edges and hatches
TRANSLATING = ("seed:pyeda", "@pyeda")  # parts of names: their search builds clauses first


@dataclass(frozen=True)
class Bars:
    """The data of the figure.

    Attributes:
        table: rows of ``bench/verdicts/spread/phases``, the fastest strategy first if no other order was asked for.
        shape: board shape, such as ``9x9``.
        omitted: number of puzzles of other board sizes.
    """

    table: pd.DataFrame
    shape: str
    omitted: int


def data(run: Run) -> Bars:
    """Compute medians of phases on boards of the most common size, in the order asked for or from fast to slow."""
    size, omitted = most_common(run.puzzles)
    table = phases(run, size)
    table = table[(table[[f"{phase}_s" for phase in PHASES]].sum(axis=1) > 0) & (table["whole_s"] > 0)]
    if table.empty:
        raise NothingToDrawError("no strategy finished a solve with timed phases")
    table = table.sort_values(["whole_s", "strategy"], kind="stable").set_index("strategy", drop=False)
    ordered = table.loc[run.selection.ordered(table.index)].reset_index(drop=True)
    return Bars(ordered, f"{size}x{size}", omitted)


def caption(bars: Bars, sheet: Sheet) -> str:
    """Return the caption."""
    hidden = max(0, len(bars.table) - fitting(bars, sheet))
    slower = f" {counted(hidden, 'slower strategy', 'slower strategies')} not shown." if hidden else ""
    unfinished = bars.table["n_puzzles"] < bars.table["of_puzzles"]
    solved = " In brackets: puzzles finished / measured, if not all were finished." if unfinished.any() else ""
    translating = any(part in name for name in bars.table["strategy"] for part in TRANSLATING)
    search = " The search of PyEDA includes translating its expressions to clauses." if translating else ""
    return (
        f"{bars.shape} boards. Bars: median of each phase over the puzzles, as a share of the sum of these medians."
        f" Numbers: medians of the whole solve, and of preparing once per process.{search}{solved}{slower}"
        f"{other_sizes_note(bars.omitted)}"
    )


def row_in(bars: Bars, sheet: Sheet) -> float:
    """Return the height of a row in inches."""
    lines = max(short(str(name), sheet).count("\n") + 1 for name in bars.table["strategy"])
    lines = max(lines, 2 if sheet.width_in < NARROW_IN else 1)
    return (LINE * lines + 0.3) * sheet.small_pt / 72


def fitting(bars: Bars, sheet: Sheet) -> int:
    """Return the number of strategies that fit into a figure, the first ones."""
    return sheet.rows_that_fit(row_in(bars, sheet), AROUND_IN)


def draw(bars: Bars, sheet: Sheet) -> Figure:
    """Draw the phases of a solve as a bar; the times of the solve and of preparing stand behind it."""
    table = bars.table.head(fitting(bars, sheet))
    places, left = np.arange(len(table)), np.zeros(len(table))
    figure, [axes] = begin(sheet, (row_in(bars, sheet) * len(table) + AROUND_IN) / sheet.scale)
    for phase, shares in _shares(table).items():
        colour, hatch = LOOKS[phase]
        axes.add_collection(_bars(places, left, left + shares, facecolor=colour, hatch=hatch))
        left += shares
    labels = [short(str(name), sheet) for name in table["strategy"]]
    name_rows(axes, places, labels, sheet)
    axes.set_xlim(0, 100)
    axes.set_xticks([0, 50, 100])
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.set_xlabel("share of the solve (%)")
    gap = ",\n" if sheet.width_in < NARROW_IN else ", "
    once = ["" if not value > 0 else f"{gap}once {seconds(value)}" for value in table["prepare_s"]]
    behind = axes.secondary_yaxis("right")
    totals = [f"{_total(row)}{text}" for row, text in zip(table.to_dict("records"), once, strict=True)]
    behind.set_yticks(places, totals, fontsize=sheet.small_pt)
    behind.tick_params(length=0)
    behind.spines[:].set_visible(False)
    handles = {phase: Patch(facecolor=c, hatch=h, edgecolor=EDGE, lw=0.4) for phase, (c, h) in LOOKS.items()}
    return end(figure, sheet, TITLE, caption(bars, sheet), handles)


def _shares(table: pd.DataFrame) -> dict[str, Any]:
    """Return the share of each phase in the sum of all, in %, row by row."""
    medians = table[[f"{phase}_s" for phase in PHASES]].fillna(0.0).to_numpy()
    shares = 100 * medians / medians.sum(axis=1, keepdims=True)
    return dict(zip(PHASES, shares.T, strict=True))


def _bars(places: Any, lefts: Any, rights: Any, **look: Any) -> PolyCollection:
    """Return the bars of one phase as one collection: much faster than drawing each, especially with hatches."""
    low, high = places - 0.4, places + 0.4
    corners = np.stack([lefts, low, rights, low, rights, high, lefts, high], axis=1).reshape(-1, 4, 2)
    return PolyCollection(list(corners), edgecolor=EDGE, linewidth=0.4, **look)


def _total(row: dict[Any, Any]) -> str:
    """Return the time of the whole solve, with the number of finished puzzles if it is not all of them."""
    finished = f" ({row['n_puzzles']}/{row['of_puzzles']})" if row["n_puzzles"] < row["of_puzzles"] else ""
    return f"{seconds(row['whole_s'])}{finished}"
