"""The cactus plot of the SAT competitions: number of puzzles solved within a time limit per puzzle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from bench.figures.panels import grey_line, grey_note, highlighted, line
from bench.figures.style import NothingToDrawError, Sheet, begin, end, legend_line, limit_line, log_scale
from bench.say.phrases import seconds
from bench.verdicts.choice.vbs import VBS
from bench.verdicts.matrix import matrix
from bench.verdicts.run_tables import Run

TITLE = "Puzzles solved within a time limit (cactus plot)"
HEIGHT_IN = 4.4
VBS_LINE = (0, (5, 1.6))


@dataclass(frozen=True)
class Cactus:
    """Sorted times of the solved puzzles.

    Attributes:
        times: CPU seconds of the puzzles that each strategy solved, ascending. The strategy that solved most puzzles
            comes first; on a tie, the one with the lowest total time.
        best: the same for the virtual best solver; empty with a single strategy.
        notes: note on each strategy for the legend.
        puzzles: number of puzzles that every strategy was measured on.
        omitted: number of puzzles that at least one strategy was not measured on.
    """

    times: dict[str, NDArray[np.float64]]
    best: NDArray[np.float64]
    notes: dict[str, str]
    puzzles: int
    omitted: int


def data(run: Run) -> Cactus:
    """Sort the times of each strategy, over all collections."""
    table = matrix(run)
    solved = {
        name: np.sort(times[np.isfinite(times)]) for name, times in zip(table.strategies, table.seconds, strict=True)
    }  # fmt: skip
    if not any(len(times) for times in solved.values()):
        raise NothingToDrawError("none of the puzzles measured with all strategies was solved")
    order = sorted(solved, key=lambda name: (-len(solved[name]), solved[name].sum(), name))
    best = np.sort(table.best[np.isfinite(table.best)]) if len(order) > 1 else np.array([])
    notes = {name: table.note(name) for name in order}
    return Cactus({name: solved[name] for name in order}, best, notes, table.seconds.shape[1], table.omitted)


def caption(cactus: Cactus, sheet: Sheet) -> str:
    """Return the caption."""
    best = f" {VBS} is the virtual best solver, the fastest strategy on each puzzle."
    omitted = f" Puzzles not measured with all strategies are omitted ({cactus.omitted})." if cactus.omitted else ""
    return (
        f"Number of puzzles (of {cactus.puzzles}) that each strategy solves within a given CPU time per puzzle (median"
        f" over forms), up to the limit of {seconds(sheet.limit_s)}. Further right: more puzzles solved; lower: faster."
        f"{best if len(cactus.best) else ''}{grey_note(list(cactus.times), sheet)}{omitted}"
    )


def draw(cactus: Cactus, sheet: Sheet) -> Figure:
    """Draw a line per strategy, and a dashed one for the virtual best solver."""
    figure, [axes] = begin(sheet, HEIGHT_IN)
    shown = highlighted(list(cactus.times), sheet)
    for number, (name, times) in enumerate(cactus.times.items()):
        if name in shown:
            line(axes, np.arange(1, len(times) + 1), times, sheet.looks[name], sheet, number)
        else:
            grey_line(axes, np.arange(1, len(times) + 1), times, sheet)
    handles = [legend_line(sheet.looks[name]) for name in shown]
    notes = {name: cactus.notes[name] for name in shown}
    if len(cactus.best):
        solved = np.arange(1, len(cactus.best) + 1)
        axes.plot(solved, cactus.best, color="#000000", linestyle=VBS_LINE, lw=2 * sheet.scale, zorder=5)
        handles.append(Line2D([], [], color="#000000", linestyle=VBS_LINE, lw=2))
        notes[VBS] = ""
    _scale(axes, cactus, sheet)
    axes.set_xlabel("puzzles solved")
    axes.set_ylabel("CPU time per solve (log scale)")
    return end(figure, sheet, TITLE, caption(cactus, sheet), notes, handles=handles)


def _scale(axes: Axes, cactus: Cactus, sheet: Sheet) -> None:
    """Scale both axes to hold all lines, and draw the time limit if a puzzle reached it."""
    axes.set_xlim(0, cactus.puzzles + max(0.5, 0.02 * cactus.puzzles))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    times = np.concatenate(list(cactus.times.values()))
    late = any(len(solved) < cactus.puzzles for solved in cactus.times.values())
    log_scale(axes, "y", times.min() / 1.6, sheet.limit_s * 2.2 if late else times.max() * 1.6)
    if late:
        limit_line(axes, sheet, f"time limit {seconds(sheet.limit_s)}")
