"""Phases: how the time of a solve divides into phases, and the cost of preparing once per process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from sudoku_bench.bench.figures.sheet import other_sizes_note
from sudoku_bench.bench.figures.style import COLOURS, NothingToDrawError, Sheet, begin, end, log_scale, name_rows
from sudoku_bench.bench.figures.wrapping import width_of, wrap
from sudoku_bench.bench.say.phrases import counted, seconds
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.phases import PHASES, phases
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "Phases of a solve"
# Light and dark alternate, and phases of similar lightness differ by a hatch: distinguishable in greyscale too.
LOOKS = {
    "encode": ("#56B4E9", ""),
    "load": ("#E69F00", "////"),
    "search": ("#0072B2", ""),
    "decode": ("#f2f2f2", "...."),
    "release": ("#D55E00", "\\\\\\\\"),
}
LINE = 1.5  # height of a line of text, in font sizes
NAME_SHARE = 0.3  # width of the strategies' names, as a share of the figure
NARROW_IN = 5.0  # the left panel of a narrower figure has numbers instead of marks
AROUND_IN = 2.0  # height of titles, axes, legend and facts in a column of a paper
EDGE = "#222222"  # colour of edges and hatches
TRANSLATING = ("seed:pyeda", "@pyeda")  # parts of names: their search builds clauses first
PREPARE = COLOURS[2]


@dataclass(frozen=True)
class Bars:
    """The data of the figure.

    Attributes:
        table: rows of ``bench/verdicts/spread/phases``, the fastest strategy first.
        shape: board shape, such as ``9x9``.
        omitted: number of puzzles of other board sizes.
    """

    table: pd.DataFrame
    shape: str
    omitted: int


def data(run: Run) -> Bars:
    """Compute medians of phases on boards of the most common size, strategies ordered by the median of the solve."""
    size, omitted = most_common(run.puzzles)
    table = phases(run, size)
    table = table[(table[[f"{phase}_s" for phase in PHASES]].sum(axis=1) > 0) & (table["whole_s"] > 0)]
    if table.empty:
        raise NothingToDrawError("no strategy finished a solve with timed phases")
    ordered = table.sort_values(["whole_s", "strategy"], kind="stable").reset_index(drop=True)
    return Bars(ordered, f"{size}x{size}", omitted)


def caption(bars: Bars, sheet: Sheet) -> str:
    """Return the caption."""
    hidden = len(bars.table) - fitting(bars, sheet)
    slower = f" {counted(hidden, 'slower strategy', 'slower strategies')} not shown." if hidden else ""
    unfinished = bars.table["n_puzzles"] < bars.table["of_puzzles"]
    solved = " In brackets: puzzles finished / measured, if not all were finished." if unfinished.any() else ""
    translating = any(part in name for name in bars.table["strategy"] for part in TRANSLATING)
    search = " The search of PyEDA includes translating its expressions to clauses." if translating else ""
    return (
        f"{bars.shape} boards. Right: median of each phase over the puzzles, as a share of the sum of these medians."
        " Numbers: the median of the whole solve after each bar, and the shares of it in the"
        f" bar.{search}{solved} Left: preparation, once per process before the first solve (log scale), median over"
        f" processes.{slower}{other_sizes_note(bars.omitted)}"
    )


def fitting(bars: Bars, sheet: Sheet) -> int:
    """Return the number of strategies that fit into a figure, the fastest ones."""
    lines = [
        wrap(str(name), sheet.width_in * NAME_SHARE, sheet.small_pt).count("\n") + 1.5
        for name in bars.table["strategy"]
    ]
    room = (sheet.max_height_in - AROUND_IN) * 72 / (LINE * sheet.small_pt)
    return max(1, int((np.cumsum(lines) <= room).sum()))


def draw(bars: Bars, sheet: Sheet) -> Figure:
    """Draw preparation on the left and the phases of a solve on the right."""
    table = bars.table.head(fitting(bars, sheet))
    labels = [wrap(str(name), sheet.width_in * NAME_SHARE, sheet.small_pt) for name in table["strategy"]]
    heights = np.array([label.count("\n") + 1.5 for label in labels])
    places = np.cumsum(heights) - heights / 2
    height_in = heights.sum() * LINE * sheet.small_pt / 72 + 1.1  # with the titles and x axes
    figure, [once, each] = begin(sheet, height_in / sheet.scale, 1, 2, sharey=True, width_ratios=[1, 2.6])
    _draw_prepare(once, table, places, sheet)
    left = np.zeros(len(table))
    bar_in = (sheet.width_in * (1 - NAME_SHARE) - 0.6) * 0.72  # approximate width of a whole bar
    for phase, shares in _shares(table).items():
        colour, hatch = LOOKS[phase]
        each.add_collection(_bars(places, left, left + shares, facecolor=colour, hatch=hatch))
        for place, start, share, whole in zip(places, left, shares, table["whole_s"], strict=True):
            value = whole * share / 100
            if value > 0 and width_of(seconds(value), sheet.small_pt) + 0.12 <= share / 100 * bar_in:
                each.text(
                    start + share / 2, place, seconds(value), fontsize=sheet.small_pt, va="center", ha="center",
                    bbox={"facecolor": "#ffffff", "edgecolor": "none", "pad": 0.8, "alpha": 0.9},
                )  # fmt: skip
        left += shares
    for place, row in zip(places, table.to_dict("records"), strict=True):
        each.text(102, place, _total(row), fontsize=sheet.small_pt, va="center")
    each.set_xlim(0, 100)
    each.set_xticks([0, 50, 100])
    each.set_xlabel("share of the solve (%)")
    each.set_title("each solve", loc="left")
    for axes in (once, each):
        name_rows(axes, places, labels, sheet)
    once.set_ylim(heights.sum(), 0)
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


def _draw_prepare(axes: Axes, table: pd.DataFrame, places: Any, sheet: Sheet) -> None:
    """Draw the preparation time of each strategy as a mark with a line from the left, or as text if space is short."""
    axes.set_title(wrap("prepare: once per process", sheet.width_in * 0.17, sheet.font_pt), loc="left")
    axes.set_xlabel("CPU time")
    times = table["prepare_s"].where(table["prepare_s"] > 0)
    if sheet.width_in < NARROW_IN or not times.notna().any():
        for place, value in zip(places, times, strict=True):
            text = seconds(value) if value > 0 else "none"
            axes.text(0.95, place, text, fontsize=sheet.small_pt, va="center", ha="right")
        axes.set_xticks([])
        return
    log_scale(axes, "x", times.min() / 1.6, times.max() * 1.6)
    axes.hlines(places, axes.get_xlim()[0], times, color=PREPARE, lw=1.2)
    axes.plot(times, places, "o", color=PREPARE, ms=4.5)
