"""Search time versus conflicts, or versus guesses or nodes for a search that learns no clauses: the cost of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.panels import BACKGROUND, grey_note, highlighted
from bench.figures.sheet import other_sizes_note
from bench.figures.style import CLOUD_ZORDER, Look, NothingToDrawError, Sheet, begin, end, log_scale, rasterize_cloud
from bench.say.phrases import seconds
from bench.verdicts.board_size import most_common
from bench.verdicts.difficulty.effort import COUNTERS, Rate, effort, rates
from bench.verdicts.run_tables import Run

TITLE = "What search costs: time versus conflicts, guesses or nodes"
ALONE_IN, BESIDE_IN, BELOW_IN = 4.4, 3.6, 3.0  # height of a panel: single, in a grid, in a narrow column
MIN_FROM_ZERO = 5  # if all counts are larger, the axis does not start at 0
CROWD = 150  # points in a panel; more points are drawn fainter
FAINT, CLEAR = 0.35, 0.75
NARROW_IN = 4.5  # a narrower sheet has one column of panels
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 10**6, 10**7, 10**8)
SINGULAR = {"conflicts": "conflict", "guesses": "guess", "nodes": "node", "backtracks": "backtrack"}


@dataclass(frozen=True)
class Costs:
    """The data of the figure, for boards of one size.

    Attributes:
        points: rows of ``bench.verdicts.difficulty.effort``.
        rates: the fitted rate of each strategy that has one.
        omitted: number of puzzles of other board sizes.
    """

    points: pd.DataFrame
    rates: Mapping[str, Rate]
    omitted: int = 0

    @property
    def counters(self) -> list[str]:
        """The counters, one panel each."""
        return [name for name in COUNTERS if name in set(self.points["counter"])]

    @property
    def strategies(self) -> list[str]:
        """The strategies, those with the shortest median search first."""
        medians = self.points.groupby("strategy")["search_s"].median().sort_values(kind="stable")
        return [str(name) for name in medians.index]


def data(run: Run) -> Costs:
    """Collect counts and search times on boards of the most common size."""
    points = effort(run)
    if points.empty:
        raise NothingToDrawError("no strategy finished a solve and reported conflicts, guesses or nodes")
    size, omitted = most_common(points)
    points = points[points["size"] == size].reset_index(drop=True)
    return Costs(points, rates(points, run.puzzles), omitted)


def caption(costs: Costs, sheet: Sheet) -> str:
    """Return the caption."""
    lines = " Lines: fitted fixed cost plus a constant time per count; intervals: 95%." if len(costs.rates) else ""
    grey = grey_note(costs.strategies, sheet)
    return f"Each point is a puzzle: means over its finished forms.{lines}{grey}{other_sizes_note(costs.omitted)}"


def draw(costs: Costs, sheet: Sheet) -> Figure:
    """Draw a panel for each counter."""
    panels = costs.counters
    columns = 1 if len(panels) == 1 or sheet.width_in < NARROW_IN else 2
    rows = -(-len(panels) // columns)
    height_in = ALONE_IN if len(panels) == 1 else BESIDE_IN if columns == 2 else BELOW_IN
    figure, places = begin(sheet, height_in * rows, rows, columns, sharey=True)
    names = highlighted(costs.strategies, sheet)
    for axes in places[len(panels) :]:
        axes.set_axis_off()
    for counter, axes in zip(panels, places, strict=False):
        points = costs.points[costs.points["counter"] == counter]
        grey = points[~points["strategy"].isin(names)]
        if len(grey):
            axes.plot(grey["count"], grey["search_s"], ".", color=BACKGROUND, ms=3 * sheet.scale, mew=0, zorder=1)
        for name in names:
            group = points[points["strategy"] == name]
            if len(group):
                draw_strategy(axes, group, costs.rates.get(name), sheet.looks[name], sheet, len(points) > CROWD)
        rasterize_cloud(axes, len(points))
        _scales(axes, points, costs.points["search_s"])
        axes.set_xlabel(f"{counter} per solve (log of 1 + x)")
        axes.set_ylabel("CPU time of the search (log scale)")
        axes.tick_params(labelleft=True)
    return end(figure, sheet, TITLE, caption(costs, sheet), {name: note(costs, name) for name in names})


def draw_strategy(axes: Axes, points: pd.DataFrame, fit: Rate | None, look: Look, sheet: Sheet, crowded: bool) -> None:
    """Draw the points of a strategy, and the line of its rate over their range."""
    axes.plot(
        points["count"], points["search_s"], look.marker, color=look.colour, ms=4.5 * sheet.scale, mew=0,
        alpha=FAINT if crowded else CLEAR,
        zorder=CLOUD_ZORDER,
    )  # fmt: skip
    if fit:
        x = np.expm1(np.linspace(np.log1p(points["count"].min()), np.log1p(points["count"].max()), 100))
        axes.plot(x, fit.start_s + fit.rate_s * x, look.dashes, color=look.colour, lw=1.7 * sheet.scale, zorder=3)


def note(costs: Costs, name: str) -> str:
    """Return the legend's note on a strategy: its time per count, with the interval."""
    fit = costs.rates.get(name)
    if fit is None:
        return ""
    counter = costs.points.loc[costs.points["strategy"] == name, "counter"].iloc[0]
    return f"{seconds(fit.rate_s)} per {SINGULAR[counter]} [{seconds(fit.lo_s)}, {seconds(fit.hi_s)}]"


def _scales(axes: Axes, points: pd.DataFrame, times: pd.Series[float]) -> None:
    """Scale the x axis to hold the points of a panel, and the y axis the times of all panels."""
    few, most = float(points["count"].min()), float(points["count"].max())
    right = max(1.0, (1 + most) * 1.25 - 1)
    left = few / 1.5 if few > MIN_FROM_ZERO else float(np.expm1(-0.04 * np.log1p(right)))
    axes.set_xscale("function", functions=(np.log1p, np.expm1))
    axes.set_xlim(left, right)
    ticks = [tick for tick in TICKS if left <= tick <= right]
    axes.set_xticks(ticks if len(ticks) < 8 else ticks[:1] + ticks[1::2])
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    log_scale(axes, "y", float(times.min()) / 1.6, float(times.max()) * 1.6)
