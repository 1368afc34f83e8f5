"""Phases: where the time of a solve goes, and what is paid once per process before the first one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator

from bench.figures.style import COLOURS, NothingToDrawError, Sheet, begin, end, log_scale, seconds, wrap
from bench.verdicts.run_tables import Run
from bench.verdicts.spread.phases import PHASES, board, phases

TITLE = "Phases of a solve"
# Light and dark in turn, and a hatch for each that is not alone in its lightness: they are told apart in grey too.
LOOKS = {
    "encode": ("#56B4E9", ""),
    "load": ("#E69F00", "////"),
    "search": ("#0072B2", ""),
    "decode": ("#f2f2f2", "...."),
    "release": ("#D55E00", "\\\\\\\\"),
}
LINE = 1.5  # height of a line of text, in letters
NAME_SHARE = 0.3  # of the width, for names of strategies
NARROW_IN = 5.0  # in a figure that is less wide, the left panel holds numbers
EDGE = "#222222"  # of bars, and their hatches
PREPARE = COLOURS[2]


@dataclass(frozen=True)
class Bars:
    """What is drawn.

    Attributes:
        table: rows of ``bench.verdicts.spread.phases``, the fastest strategy first.
        shape: of the boards, such as ``9x9``.
        omitted: puzzles of other sizes.
    """

    table: pd.DataFrame
    shape: str
    omitted: int


def data(run: Run) -> Bars:
    """Medians of phases on boards of that size which has the most puzzles, strategies by the median of the whole."""
    size, omitted = board(run)
    table = phases(run, size)
    table = table[(table[[f"{phase}_s" for phase in PHASES]].sum(axis=1) > 0) & (table["whole_s"] > 0)]
    if table.empty:
        raise NothingToDrawError("no strategy finished a solve whose phases were clocked")
    ordered = table.sort_values(["whole_s", "strategy"], kind="stable").reset_index(drop=True)
    return Bars(ordered, f"{size}x{size}", omitted)


def words(bars: Bars, _sheet: Sheet) -> str:
    """How to read it, and why shares are drawn."""
    omitted = f" {bars.omitted} puzzles of other sizes are not shown." if bars.omitted else ""
    some = bars.table["n_puzzles"] < bars.table["of_puzzles"]
    solved = " In brackets: of how many puzzles, where not all were finished." if some.any() else ""
    return (
        f"{bars.shape} boards. Right: the median of each phase over puzzles as a share of their sum, as on a scale of"
        " seconds the fast would vanish; at the end the median of the whole solve."
        f"{solved} Left: what a process pays once before its first solve (log scale), median over processes.{omitted}"
    )


def draw(bars: Bars, sheet: Sheet) -> Figure:
    """The figure of ``Bars``: on the left what is paid once, on the right what each solve costs."""
    table = bars.table
    labels = [wrap(str(name), sheet.width_in * NAME_SHARE, sheet.small_pt) for name in table["strategy"]]
    heights = np.array([label.count("\n") + 1.5 for label in labels])
    places = np.cumsum(heights) - heights / 2
    height_in = heights.sum() * LINE * sheet.small_pt / 72 + 1.1  # with the titles and scales
    figure, [once, each] = begin(sheet, height_in / sheet.scale, 1, 2, sharey=True, width_ratios=[1, 2.6])
    _draw_prepare(once, table, places, sheet)
    left = np.zeros(len(table))
    for phase, shares in _shares(table).items():
        colour, hatch = LOOKS[phase]
        each.add_collection(_bars(places, left, left + shares, facecolor=colour, hatch=hatch))
        left += shares
    for place, row in zip(places, table.to_dict("records"), strict=True):
        each.text(102, place, _whole(row), fontsize=sheet.small_pt, va="center")
    each.set_xlim(0, 100)
    each.set_xticks([0, 50, 100])
    each.set_xlabel("share of the solve, %")
    each.set_title("each solve", loc="left")
    once.set_yticks(places, labels, fontsize=sheet.small_pt)
    once.set_ylim(heights.sum(), 0)
    for axes in (once, each):
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
    handles = {phase: Patch(facecolor=c, hatch=h, edgecolor=EDGE, lw=0.4) for phase, (c, h) in LOOKS.items()}
    return end(figure, sheet, TITLE, words(bars, sheet), dict.fromkeys(handles, ""), handles=list(handles.values()))


def _shares(table: pd.DataFrame) -> dict[str, Any]:
    """For each phase its share of the sum of all, in %, row by row."""
    medians = table[[f"{phase}_s" for phase in PHASES]].fillna(0.0).to_numpy()
    shares = 100 * medians / medians.sum(axis=1, keepdims=True)
    return dict(zip(PHASES, shares.T, strict=True))


def _bars(places: Any, lefts: Any, rights: Any, **look: Any) -> PolyCollection:
    """Bars of one look, as one thing to draw: many times faster than one by one, for hatches above all."""
    low, high = places - 0.4, places + 0.4
    corners = np.stack([lefts, low, rights, low, rights, high, lefts, high], axis=1).reshape(-1, 4, 2)
    return PolyCollection(list(corners), edgecolor=EDGE, linewidth=0.4, **look)


def _whole(row: dict[Any, Any]) -> str:
    some = f" ({row['n_puzzles']}/{row['of_puzzles']})" if row["n_puzzles"] < row["of_puzzles"] else ""
    return f"{seconds(row['whole_s'])}{some}"


def _draw_prepare(axes: Axes, table: pd.DataFrame, places: Any, sheet: Sheet) -> None:
    """What is paid once: a mark for each strategy, with a line to it from the left; as text where that has no room."""
    axes.set_title(wrap("prepare: once per process", sheet.width_in * 0.17, sheet.font_pt), loc="left")
    axes.set_xlabel("CPU time")
    known = table["prepare_s"].where(table["prepare_s"] > 0)
    if sheet.width_in < NARROW_IN or not known.notna().any():
        for place, value in zip(places, known, strict=True):
            text = seconds(value) if value > 0 else "none"
            axes.text(0.95, place, text, fontsize=sheet.small_pt, va="center", ha="right")
        axes.set_xticks([])
        return
    low, high = known.min() / 1.6, known.max() * 1.6
    log_scale(axes, "x", low, high)
    axes.hlines(places, low, known, color=PREPARE, lw=1.2)
    axes.plot(known, places, "o", color=PREPARE, ms=4.5)
    kept: list[float] = []
    for tick in axes.get_xticks():
        if not kept or np.log(tick / kept[-1]) >= 0.5 * np.log(high / low):
            kept.append(float(tick))
    axes.xaxis.set_major_locator(FixedLocator(kept))
