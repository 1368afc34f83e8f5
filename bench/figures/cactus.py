"""How many puzzles are solved within which time each: the cactus plot of the SAT competitions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from bench.figures.panels import foremost, grey_line, line, others
from bench.figures.style import GREY, NothingToDrawError, Sheet, begin, end, line_of, log_scale, seconds
from bench.verdicts.choice.vbs import VBS
from bench.verdicts.matrix import matrix
from bench.verdicts.run_tables import Run

TITLE = "Puzzles solved within a time limit (cactus plot)"
HEIGHT_IN = 4.4
VBS_LINE = (0, (5, 1.6))


@dataclass(frozen=True)
class Cactus:
    """Sorted times of those puzzles that were solved.

    Attributes:
        times: for each strategy, CPU seconds of the puzzles that it solved, ascending; who solved most comes first, and
            of those the one that took least for all of them.
        best: the same of the virtual best solver; empty where there is no choice.
        notes: what is to be said of a strategy.
        puzzles: that every strategy was asked.
        omitted: puzzles that some strategy was not measured on.
    """

    times: dict[str, NDArray[np.float64]]
    best: NDArray[np.float64]
    notes: dict[str, str]
    puzzles: int
    omitted: int


def data(run: Run) -> Cactus:
    """The sorted times of each strategy, over all collections."""
    found = matrix(run)
    solved = {
        name: np.sort(own[np.isfinite(own)]) for name, own in zip(found.strategies, found.seconds, strict=True)
    }  # fmt: skip
    if not any(len(times) for times in solved.values()):
        raise NothingToDrawError("no puzzle that all strategies were measured on was solved")
    order = sorted(solved, key=lambda name: (-len(solved[name]), solved[name].sum(), name))
    best = np.sort(found.best[np.isfinite(found.best)]) if len(order) > 1 else np.array([])
    notes = {name: found.note(name) for name in order}
    return Cactus({name: solved[name] for name in order}, best, notes, found.seconds.shape[1], found.omitted)


def words(cactus: Cactus, sheet: Sheet) -> str:
    """How to read it."""
    best = f" {VBS}, the virtual best solver: for each puzzle whichever strategy is fastest on it."
    omitted = f" {cactus.omitted} puzzles that some were not measured on are left out." if cactus.omitted else ""
    return (
        f"How many of {cactus.puzzles} puzzles a strategy solves if each may take so long, up to"
        f" {seconds(sheet.limit_s)} (the median over forms): further right is more, lower is faster."
        f"{best if len(cactus.best) else ''}{others(list(cactus.times))}{omitted}"
    )


def draw(cactus: Cactus, sheet: Sheet) -> Figure:
    """The figure of ``Cactus``."""
    figure, [axes] = begin(sheet, HEIGHT_IN)
    shown = foremost(list(cactus.times))
    for number, (name, times) in enumerate(cactus.times.items()):
        if name in shown:
            line(axes, np.arange(1, len(times) + 1), times, sheet.looks[name], sheet, number)
        else:
            grey_line(axes, np.arange(1, len(times) + 1), times, sheet)
    handles = [line_of(sheet.looks[name]) for name in shown]
    notes = {name: cactus.notes[name] for name in shown}
    if len(cactus.best):
        solved = np.arange(1, len(cactus.best) + 1)
        axes.plot(solved, cactus.best, color="#000000", linestyle=VBS_LINE, lw=2 * sheet.scale, zorder=5)
        handles.append(Line2D([], [], color="#000000", linestyle=VBS_LINE, lw=2))
        notes[VBS] = ""
    _scale(axes, cactus, sheet)
    axes.set_xlabel("puzzles solved")
    axes.set_ylabel("CPU time per solve (log scale)")
    return end(figure, sheet, TITLE, words(cactus, sheet), notes, handles=handles)


def _scale(axes: Axes, cactus: Cactus, sheet: Sheet) -> None:
    """Scales that hold all lines, and the line of the limit where a puzzle met it."""
    axes.set_xlim(0, cactus.puzzles + max(0.5, 0.02 * cactus.puzzles))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    every = np.concatenate(list(cactus.times.values()))
    late = any(len(times) < cactus.puzzles for times in cactus.times.values())
    log_scale(axes, "y", every.min() / 1.6, sheet.limit_s * 2.2 if late else every.max() * 1.6)
    if late:
        axes.axhline(sheet.limit_s, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        axes.annotate(
            f"time limit {seconds(sheet.limit_s)}", (0.01, sheet.limit_s), xycoords=("axes fraction", "data"),
            xytext=(0, 3), textcoords="offset points", fontsize=sheet.small_pt, color=GREY, va="bottom",
        )  # fmt: skip
