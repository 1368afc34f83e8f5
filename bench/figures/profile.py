"""Performance profiles: share of puzzles that each strategy solves within a factor of the fastest, by board size.

Dolan & Moré 2002, "Benchmarking optimization software with performance profiles"; for their limits, see Gould & Scott
2016, "A note on performance profiles for benchmarking software".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bench.figures.panels import fewer_ticks, grey_line, grey_note, highlighted, line, name_axes, panels
from bench.figures.style import MIN_POINTS, NothingToDrawError, Sheet, end, log_scale
from bench.say.phrases import counted
from bench.verdicts.matrix import Matrix, matrices
from bench.verdicts.run_tables import Run

TITLE = "Performance profile: share of puzzles within a factor of the fastest"
HEIGHT_IN = 4.4
PANEL_IN = 2.2  # height of one of several panels
CAVEAT = (
    " Only the highest line at a factor is meaningful there: the order of the others can change when a strategy is"
    " removed (Gould & Scott 2016)."
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Panel:
    """The profiles on the puzzles of one board size.

    Attributes:
        ratios: for each strategy, its time divided by the shortest time on the same puzzle, ascending, over the puzzles
            that it solved.
        puzzles: number of puzzles that every strategy was measured on; shares refer to it.
        unsolved: number of these that no strategy solved.
        omitted: number of puzzles that at least one strategy was not measured on.
    """

    ratios: dict[str, Floats]
    puzzles: int
    unsolved: int
    omitted: int


@dataclass(frozen=True)
class Profiles:
    """The data of the figure.

    Attributes:
        panels: by board size, small boards first.
        strategies: ordered by how often they are the fastest, then by puzzles solved, then by the mean ratio.
        notes: note on each strategy for the legend: on how many puzzles of which sizes it is the fastest.
    """

    panels: dict[int, Panel]
    strategies: tuple[str, ...]
    notes: dict[str, str]

    def count(self, what: str) -> int:
        """Return a number of puzzles over all sizes: ``unsolved`` or ``omitted``."""
        return sum(int(getattr(panel, what)) for panel in self.panels.values())


def data(run: Run) -> Profiles:
    """Compute the profiles over all collections of a board size."""
    tables = {size: table for size, table in matrices(run, MIN_POINTS).items() if len(table.strategies) > 1}
    if not tables:
        raise NothingToDrawError(
            f"a performance profile needs two strategies on {MIN_POINTS} puzzles of one board size"
        )
    found = {size: _panel(table) for size, table in tables.items() if np.isfinite(table.best).any()}
    if not found:
        raise NothingToDrawError("none of the puzzles measured with all strategies was solved")
    names = sorted({name for panel in found.values() for name in panel.ratios})
    order = sorted(names, key=lambda name: (*_rank(found, name), name))
    return Profiles(found, tuple(order), {name: _note(found, name) for name in order})


def _panel(table: Matrix) -> Panel:
    solved_by_any = np.isfinite(table.best)
    ratios = table.seconds[:, solved_by_any] / table.best[solved_by_any]
    solved = {name: np.sort(row[np.isfinite(row)]) for name, row in zip(table.strategies, ratios, strict=True)}
    return Panel(solved, table.seconds.shape[1], int((~solved_by_any).sum()), table.omitted)


def _rank(found: dict[int, Panel], name: str) -> tuple[int, int, float]:
    ratios = [panel.ratios[name] for panel in found.values() if name in panel.ratios]
    wins = sum(int((part == 1).sum()) for part in ratios)
    return -wins, -sum(map(len, ratios)), float(sum(np.log(part).sum() for part in ratios))


def _note(found: dict[int, Panel], name: str) -> str:
    """Return on how many puzzles a strategy is the fastest, by board size if there are several."""
    wins = {size: int((panel.ratios[name] == 1).sum()) for size, panel in found.items() if name in panel.ratios}
    texts = [
        f"{number} of {found[size].puzzles}" + (f" {size}×{size}" if len(found) > 1 else "")
        for size, number in wins.items()
        if number
    ]
    return f"fastest on {', '.join(texts)}" if texts else ""


def caption(profiles: Profiles, sheet: Sheet) -> str:
    """Return the caption."""
    caveat = CAVEAT if len(profiles.strategies) > 2 else ""
    unsolved, omitted = profiles.count("unsolved"), profiles.count("omitted")
    included = f" Puzzles that no strategy solved are included ({unsolved})." if unsolved else ""
    left_out = f" Puzzles not measured with all strategies are omitted ({omitted})." if omitted else ""
    sizes = " A panel per board size." if len(profiles.panels) > 1 else ""
    return (
        "Share of the puzzles that a strategy solves within a factor of the fastest strategy on the same puzzle. The"
        " value at 1 is the share on which it is the fastest; the value at the right end is the share it solves; a line"
        f" ends at 100%.{sizes}{grey_note(profiles.strategies, sheet)}{caveat}{included}{left_out}"
    )


def draw(profiles: Profiles, sheet: Sheet) -> Figure:
    """Draw a line per strategy."""
    titles = [f"{size}×{size}: {counted(panel.puzzles, 'puzzle')}" for size, panel in profiles.panels.items()]
    figure, all_axes = panels(sheet, titles, HEIGHT_IN if len(titles) == 1 else PANEL_IN)
    last = [ratios[-1] for panel in profiles.panels.values() for ratios in panel.ratios.values() if len(ratios)]
    largest = max(1.5, float(max(last)) * 1.15)
    shown = highlighted(profiles.strategies, sheet)
    for axes, panel in zip(all_axes, profiles.panels.values(), strict=True):
        _draw_panel(axes, panel, profiles.strategies, shown, largest, sheet)
    log_scale(all_axes[0], "x", 1.0, largest, factor_text)
    all_axes[0].set_ylim(-0.02, 1.04)
    all_axes[0].yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    fewer_ticks(all_axes, sheet)
    end(figure, sheet, TITLE, caption(profiles, sheet), {name: profiles.notes[name] for name in shown})
    x = "CPU time relative to the fastest strategy on the same puzzle (log scale)"
    name_axes(figure, all_axes, sheet, x, "share of puzzles")
    return figure


def _draw_panel(
    axes: Axes, panel: Panel, strategies: Sequence[str], shown: Sequence[str], largest: float, sheet: Sheet
) -> None:
    for number, name in enumerate(strategies):
        factors, share = steps(panel.ratios.get(name, np.array([])), panel.puzzles, largest)
        if name in shown:
            line(axes, factors, share, sheet.looks[name], sheet, number, style="steps-post")
        else:
            grey_line(axes, factors, share, sheet, style="steps-post")


def steps(ratios: Floats, puzzles: int, largest: float) -> tuple[Floats, Floats]:
    """Return factors and the share of puzzles within each, up to 100% or to the largest factor drawn.

    Args:
        ratios: ratios of the solved puzzles, ascending.
        puzzles: number of puzzles that shares refer to.
        largest: the end of the axis.
    """
    places, numbers = np.unique(ratios, return_counts=True)
    if not len(places):
        return places, places
    share = np.cumsum(numbers) / puzzles
    last = places[-1] if len(ratios) == puzzles else largest
    return np.concatenate([places[:1], places, [last]]), np.concatenate([[0.0], share, share[-1:]])


def factor_text(factor: float) -> str:
    """Format a factor: 1×, 2.5×, 1,000×."""
    return f"{factor:.3g}×" if factor < 1000 else f"{factor:,.0f}×"
