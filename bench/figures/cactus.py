"""The cactus plot of the SAT competitions: number of puzzles solved within a time limit per puzzle, by board size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from bench.figures.panels import grey_line, grey_note, highlighted, line, name_axes, panels
from bench.figures.style import MIN_POINTS, NothingToDrawError, Sheet, end, legend_lines, limit_line, log_scale
from bench.say.phrases import counted, seconds
from bench.verdicts.choice.vbs import VBS
from bench.verdicts.matrix import Matrix, matrices
from bench.verdicts.run_tables import Run

TITLE = "Puzzles solved within a time limit (cactus plot)"
HEIGHT_IN = 4.4
PANEL_IN = 2.3  # height of one of several panels
VBS_LINE = (0, (5, 1.6))


@dataclass(frozen=True)
class Panel:
    """Sorted times of the solved puzzles of one board size.

    Attributes:
        times: CPU seconds of the puzzles that each strategy solved, ascending.
        best: the same for the virtual best solver; empty with a single strategy.
        puzzles: number of puzzles that every strategy was measured on.
    """

    times: dict[str, NDArray[np.float64]]
    best: NDArray[np.float64]
    puzzles: int


@dataclass(frozen=True)
class Cactus:
    """The data of the figure.

    Attributes:
        panels: by board size, small boards first.
        strategies: the strategy that solved most puzzles first; on a tie, the one with the lowest total time.
        notes: note on each strategy for the legend.
        omitted: number of puzzles that at least one strategy was not measured on.
    """

    panels: dict[int, Panel]
    strategies: tuple[str, ...]
    notes: dict[str, str]
    omitted: int


def data(run: Run) -> Cactus:
    """Sort the times of each strategy, over all collections of a board size."""
    tables = matrices(run, MIN_POINTS)
    found = {size: _panel(table) for size, table in tables.items() if np.isfinite(table.seconds).any()}
    if not found:
        raise NothingToDrawError(
            f"no board size has {MIN_POINTS} puzzles measured with all strategies, some of them solved"
        )
    solved = {name: 0 for table in tables.values() for name in table.strategies}
    total_s = dict.fromkeys(solved, 0.0)
    for panel in found.values():
        for name, times in panel.times.items():
            solved[name] += len(times)
            total_s[name] += float(times.sum())
    order = sorted(solved, key=lambda name: (-solved[name], total_s[name], name))
    notes = {name: note(name, tables) for name in order}
    return Cactus(found, tuple(order), notes, sum(table.omitted for table in tables.values()))


def _panel(table: Matrix) -> Panel:
    times = {
        name: np.sort(times[np.isfinite(times)]) for name, times in zip(table.strategies, table.seconds, strict=True)
    }
    best = np.sort(table.best[np.isfinite(table.best)]) if len(times) > 1 else np.array([])
    return Panel(times, best, table.seconds.shape[1])


def note(name: str, tables: dict[int, Matrix]) -> str:
    """Return a note on a strategy that did not finish every puzzle, or does not support every board size."""
    measured = {size: table for size, table in tables.items() if name in table.strategies}
    total = sum(table.seconds.shape[1] for table in measured.values())
    solved = sum(int(table.solved[table.strategies.index(name)]) for table in measured.values())
    missing = [f"{size}×{size}" for size in tables if size not in measured]
    parts = (
        f"{solved:,} of {total:,} solved" if solved < total else "",
        f"without {', '.join(missing)}" if missing else "",
    )
    return "; ".join(part for part in parts if part)


def caption(cactus: Cactus, sheet: Sheet) -> str:
    """Return the caption."""
    has_best = any(len(panel.best) for panel in cactus.panels.values())
    best = f" {VBS} is the virtual best solver, the fastest strategy on each puzzle." if has_best else ""
    omitted = f" Puzzles not measured with all strategies are omitted ({cactus.omitted})." if cactus.omitted else ""
    sizes = " A panel per board size, with its number of puzzles." if len(cactus.panels) > 1 else ""
    return (
        "Number of puzzles that each strategy solves within a given CPU time per puzzle (median over forms), up to the"
        f" limit of {seconds(sheet.limit_s)} (dashed). Further right: more puzzles solved; lower: faster.{sizes}"
        f"{best}{grey_note(cactus.strategies, sheet)}{omitted}"
    )


def draw(cactus: Cactus, sheet: Sheet) -> Figure:
    """Draw a line per strategy, and a dashed one for the virtual best solver."""
    titles = [f"{size}×{size}: {counted(panel.puzzles, 'puzzle')}" for size, panel in cactus.panels.items()]
    height_in = HEIGHT_IN if len(titles) == 1 else PANEL_IN
    figure, all_axes = panels(sheet, titles, height_in)
    shown = highlighted(cactus.strategies, sheet)
    for axes, panel in zip(all_axes, cactus.panels.values(), strict=True):
        _draw_panel(axes, panel, cactus.strategies, shown, sheet)
    _scale(all_axes, cactus, sheet)
    handles = legend_lines(shown, sheet)
    if any(len(panel.best) for panel in cactus.panels.values()):
        handles[VBS] = Line2D([], [], color="#000000", linestyle=VBS_LINE, lw=2)
    end(figure, sheet, TITLE, caption(cactus, sheet), handles, cactus.notes)
    name_axes(figure, all_axes, sheet, "puzzles solved", "CPU time per solve (log scale)")
    return figure


def _draw_panel(axes: Axes, panel: Panel, strategies: Sequence[str], shown: Sequence[str], sheet: Sheet) -> None:
    for number, name in enumerate(strategies):
        times = panel.times.get(name, np.array([]))
        if name in shown and len(times):
            line(axes, np.arange(1, len(times) + 1), times, sheet.looks[name], sheet, number)
        elif len(times):
            grey_line(axes, np.arange(1, len(times) + 1), times, sheet)
    if len(panel.best):
        solved = np.arange(1, len(panel.best) + 1)
        axes.plot(solved, panel.best, color="#000000", linestyle=VBS_LINE, lw=2 * sheet.scale, zorder=5)
    axes.set_xlim(0, panel.puzzles + max(0.5, 0.02 * panel.puzzles))
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))


def _scale(all_axes: Sequence[Axes], cactus: Cactus, sheet: Sheet) -> None:
    """Scale the y axis to hold all lines, and draw the time limit where a puzzle reached it."""
    times = np.concatenate([times for panel in cactus.panels.values() for times in panel.times.values()])
    late = [any(len(solved) < panel.puzzles for solved in panel.times.values()) for panel in cactus.panels.values()]
    log_scale(all_axes[0], "y", times.min() / 1.6, sheet.limit_s * 2.2 if any(late) else times.max() * 1.6)
    for axes, reached in zip(all_axes, late, strict=True):
        if reached:
            limit_line(axes, sheet, f"time limit {seconds(sheet.limit_s)}" if len(late) == 1 else "")
