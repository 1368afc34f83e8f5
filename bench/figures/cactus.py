"""The cactus plot of the SAT competitions: number of puzzles solved within a time limit per puzzle, by board size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from sudoku_bench.bench.figures import style
from sudoku_bench.bench.figures.panels import grey_line, grey_note, line
from sudoku_bench.bench.figures.style import Look, NothingToDrawError, Sheet
from sudoku_bench.bench.say.phrases import counted, seconds
from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.choice.vbs import VBS
from sudoku_bench.bench.verdicts.comparable import UNTIMED, left_out
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "Puzzles solved within a time limit (cactus plot)"
HEIGHT_IN = 4.4
PANEL_IN = 2.6  # height of one of several panels
VBS_GREY, VBS_PT = "#b4b4b4", 5.0  # of the virtual best solver: a wide line below those of strategies


@dataclass(frozen=True)
class Panel:
    """Sorted times of the solved puzzles of one board size.

    Attributes:
        times: CPU seconds of the puzzles that each strategy solved, ascending.
        best: the same for the virtual best solver; empty with a single strategy.
        puzzles: number of puzzles that every strategy was measured on.
        omitted: number of puzzles that at least one strategy was not measured on.
    """

    times: Mapping[str, Floats]
    best: Floats
    puzzles: int
    omitted: int = 0

    @property
    def is_solved(self) -> bool:
        """Whether some strategy finished enough puzzles for a line."""
        return any(len(solved) >= style.MIN_POINTS for solved in self.times.values())

    @property
    def is_late(self) -> bool:
        """Whether any strategy did not finish some puzzle."""
        return any(len(solved) < self.puzzles for solved in self.times.values())


@dataclass(frozen=True)
class Cactus:
    """The data of the figure: a panel per board size, small boards first, and the strategies in ``order``."""

    panels: Mapping[int, Panel]
    strategies: tuple[str, ...]

    def note(self, name: str) -> str:
        """Return a note on a strategy that did not finish every puzzle."""
        measured = [panel for panel in self.panels.values() if name in panel.times]
        total, solved = sum(panel.puzzles for panel in measured), sum(len(panel.times[name]) for panel in measured)
        return f"{solved:,} of {total:,} solved" if solved < total else ""


def data(run: Run) -> Cactus:
    """Sort the times of each strategy, over all collections of a board size."""
    by_size = {size: _panel(run, size) for size in sorted(set(run.per_puzzle["size"]))}
    found = {size: panel for size, panel in by_size.items() if panel.puzzles >= style.MIN_POINTS and panel.is_solved}
    if not found:
        raise NothingToDrawError(
            f"no board size has {style.MIN_POINTS} puzzles that all strategies were measured on and one of them solved"
        )
    return Cactus(found, order(found.values()))


def _panel(run: Run, size: int) -> Panel:
    """Sort the times of each strategy, and of the fastest on each puzzle.

    A collection without times counts as not finished.
    """
    rows = run.per_puzzle[run.per_puzzle["size"] == size]
    wide = rows.pivot(index="strategy", columns=["collection", "puzzle"], values="cpu_s")
    for collection, reasons in left_out(run).items():
        untimed = [name for name in wide.index if reasons.get(name) in UNTIMED]
        wide.loc[untimed, wide.columns.get_level_values("collection") == collection] = np.inf
    seconds = wide.dropna(axis="columns")
    times = {str(name): _ascending(own) for name, own in zip(seconds.index, seconds.to_numpy(), strict=True)}
    best = _ascending(seconds.min().to_numpy() if len(times) > 1 else np.array([]))
    return Panel(times, best, seconds.shape[1], wide.shape[1] - seconds.shape[1])


def _ascending(times: Floats) -> Floats:
    return np.sort(times[np.isfinite(times)])


def order(parts: Iterable[Panel]) -> tuple[str, ...]:
    """Return the strategy that solved most puzzles first; on a tie, the one with the lowest total time."""
    lines = [(name, times) for part in parts for name, times in part.times.items()]
    solved, total_s = ({name: 0.0 for name, _ in lines} for _ in range(2))
    for name, times in lines:
        solved[name] += len(times)
        total_s[name] += float(times.sum())
    return tuple(sorted(solved, key=lambda name: (-solved[name], total_s[name], name)))


def caption(cactus: Cactus, sheet: Sheet) -> str:
    """Return the caption."""
    has_best = any(len(panel.best) for panel in cactus.panels.values())
    best = f" Wide grey line {VBS}: the virtual best solver, the fastest strategy on each puzzle." if has_best else ""
    number = sum(panel.omitted for panel in cactus.panels.values())
    omitted = f" Puzzles not measured with all strategies are omitted ({number})." if number else ""
    sizes = " A panel per board size, with its number of puzzles." if len(cactus.panels) > 1 else ""
    grey = grey_note(sum(not sheet.is_named(name) for name in cactus.strategies))
    return (
        "A line passes (n, t) if its strategy solves n puzzles, each within CPU time t (median over forms), up to the"
        f" limit of {seconds(sheet.limit_s)} (dashed). Further right: more puzzles solved; lower: faster.{sizes}"
        f"{best}{grey}{omitted}"
    )


def draw(cactus: Cactus, sheet: Sheet) -> Figure:
    """Draw a line per strategy, and a wide one for the virtual best solver.

    Names are at the ends of lines, or with several panels in a legend.
    """
    parts, number = list(cactus.panels.values()), len(cactus.panels)
    shown = [name for name in cactus.strategies if sheet.is_named(name)]
    notes = {name: cactus.note(name) for name in shown}
    height_in = max(HEIGHT_IN, style.ends_height([*shown, VBS], sheet, notes)) if number == 1 else PANEL_IN
    figure, all_axes = style.begin_panels(sheet, number, height_in, sharey=True)
    for axes, (size, panel) in zip(all_axes, cactus.panels.items(), strict=True):
        _draw_panel(axes, panel, cactus.strategies, shown, sheet)
        axes.set_xlabel("puzzles solved")
        if number > 1:
            axes.set_title(f"{size}×{size}: {counted(panel.puzzles, 'puzzle')}", loc="left")
        place = axes.get_subplotspec()
        if place is None or place.is_first_col():
            axes.set_ylabel("CPU time" if number > 1 else "CPU time per puzzle")
    _scale(all_axes, parts, sheet)
    looks, best = {**sheet.looks, VBS: Look(VBS_GREY, "", "-")}, any(len(panel.best) for panel in parts)
    handles = {name: style.legend_line(looks[name]) for name in [*shown, *([VBS] if best else [])]}
    style.end(figure, sheet, TITLE, caption(cactus, sheet), handles if number > 1 else None)
    if number == 1:
        lines = {name: parts[0].best if name == VBS else parts[0].times.get(name, np.array([])) for name in handles}
        ends = {name: (float(len(times)), float(times[-1])) for name, times in lines.items() if len(times)}
        style.name_ends(all_axes[0], ends, looks, sheet, notes)
    return figure


def _draw_panel(axes: Axes, panel: Panel, strategies: Sequence[str], shown: Sequence[str], sheet: Sheet) -> None:
    for number, name in enumerate(strategies):
        times = panel.times.get(name, np.array([]))
        if name in shown and len(times):
            line(axes, np.arange(1, len(times) + 1), times, sheet.looks[name], sheet, number)
        elif len(times):
            grey_line(axes, np.arange(1, len(times) + 1), times, sheet)
    if len(panel.best):
        axes.plot(np.arange(1, len(panel.best) + 1), panel.best, color=VBS_GREY, lw=VBS_PT, zorder=2)
    axes.set_xlim(0, panel.puzzles + max(0.5, 0.02 * panel.puzzles))
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))


def _scale(all_axes: Sequence[Axes], parts: Sequence[Panel], sheet: Sheet) -> None:
    """Scale the y axis to hold all lines, and draw the time limit where a puzzle reached it."""
    times = np.concatenate([times for panel in parts for times in panel.times.values()])
    is_late, most = any(panel.is_late for panel in parts), 7 if len(parts) == 1 else 4
    for axes, panel in zip(all_axes, parts, strict=True):
        style.log_scale(axes, "y", times.min() / 1.6, sheet.limit_s * 2.2 if is_late else times.max() * 1.6, most=most)
        if panel.is_late:
            style.limit_line(axes, sheet, f"time limit {seconds(sheet.limit_s)}" if len(parts) == 1 else "")
