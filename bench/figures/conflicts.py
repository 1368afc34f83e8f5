"""Conflicts versus search time: what a conflict costs each solver, or a guess or node where a search learns nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.boards import most_frequent, others
from bench.figures.style import POINTS, Look, NothingToDrawError, Sheet, begin, cloud, end, log_scale, seconds
from bench.verdicts.difficulty.effort import COUNTERS, Rate, effort, rates
from bench.verdicts.run_tables import Run

TITLE = "What search costs: time versus conflicts, guesses or nodes"
ALONE_IN, BESIDE_IN, BELOW_IN = 4.4, 3.6, 3.0  # heights of a panel: the only one, in a grid, in a narrow column
SOME = 5  # where all count more, the axis does not begin at 0
CROWD = 150  # points in a panel: more are faint
FAINT, CLEAR = 0.35, 0.75
NARROW_IN = 4.5  # a sheet that is narrower has one column of panels
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 10**6, 10**7, 10**8)
SINGULAR = {"conflicts": "conflict", "guesses": "guess", "nodes": "node", "backtracks": "backtrack"}


@dataclass(frozen=True)
class Costs:
    """What is drawn, of boards of one size.

    Attributes:
        points: rows of ``bench.verdicts.difficulty.effort``.
        rates: the fit of each strategy that has one.
        omitted: puzzles of other sizes.
    """

    points: pd.DataFrame
    rates: Mapping[str, Rate]
    omitted: int = 0

    @property
    def counters(self) -> list[str]:
        """A panel for each."""
        return [name for name in COUNTERS if name in set(self.points["counter"])]


def data(run: Run) -> Costs:
    """Counts and search times of the boards of that size which has the most puzzles."""
    points = effort(run)
    if points.empty:
        raise NothingToDrawError("no strategy finished a solve and counted conflicts, guesses or nodes")
    size, omitted = most_frequent(points)
    points = points[points["size"] == size].reset_index(drop=True)
    return Costs(points, rates(points, run.puzzles), omitted)


def words(costs: Costs, _sheet: Sheet) -> str:
    """How to read it."""
    lines = " Lines: a start and a constant time for each, fitted; intervals are of 95%." if len(costs.rates) else ""
    return f"Points: puzzles, means over their finished forms.{lines}{others(costs.omitted)}"


def draw(costs: Costs, sheet: Sheet) -> Figure:
    """The figure of ``Costs``: a panel for each counter."""
    panels = costs.counters
    columns = 1 if len(panels) == 1 or sheet.width_in < NARROW_IN else 2
    rows = -(-len(panels) // columns)
    height_in = ALONE_IN if len(panels) == 1 else BESIDE_IN if columns == 2 else BELOW_IN
    figure, places = begin(sheet, height_in * rows, rows, columns, sharey=True)
    names = list(dict.fromkeys(costs.points["strategy"]))
    for axes in places[len(panels) :]:
        axes.set_axis_off()
    for counter, axes in zip(panels, places, strict=False):
        points = costs.points[costs.points["counter"] == counter]
        for name in names:
            own = points[points["strategy"] == name]
            if len(own):
                draw_strategy(axes, own, costs.rates.get(name), sheet.looks[name], sheet, len(points) > CROWD)
        cloud(axes, len(points))
        _scales(axes, points, costs.points["search_s"])
        axes.set_xlabel(f"{counter} per solve (log of 1 + x)")
        axes.set_ylabel("CPU time of the search (log scale)")
        axes.tick_params(labelleft=True)
    return end(figure, sheet, TITLE, words(costs, sheet), {name: note(costs, name) for name in names})


def draw_strategy(axes: Axes, own: pd.DataFrame, fit: Rate | None, look: Look, sheet: Sheet, crowded: bool) -> None:
    """The points of a strategy, and the line of its rate over their range."""
    axes.plot(
        own["count"], own["search_s"], look.marker, color=look.colour, ms=4.5 * sheet.scale, mew=0,
        alpha=FAINT if crowded else CLEAR,
        zorder=POINTS,
    )  # fmt: skip
    if fit:
        x = np.expm1(np.linspace(np.log1p(own["count"].min()), np.log1p(own["count"].max()), 100))
        axes.plot(x, fit.start_s + fit.rate_s * x, look.dashes, color=look.colour, lw=1.7 * sheet.scale, zorder=3)


def note(costs: Costs, name: str) -> str:
    """What the legend says of a strategy."""
    fit = costs.rates.get(name)
    if fit is None:
        return ""
    counter = costs.points.loc[costs.points["strategy"] == name, "counter"].iloc[0]
    return f"{seconds(fit.rate_s)} per {SINGULAR[counter]} [{seconds(fit.lo_s)}, {seconds(fit.hi_s)}]"


def _scales(axes: Axes, points: pd.DataFrame, times: pd.Series[float]) -> None:
    """Scales that hold the points of a panel, and the times of all of them."""
    few, most = float(points["count"].min()), float(points["count"].max())
    right = max(1.0, (1 + most) * 1.25 - 1)
    left = few / 1.5 if few > SOME else float(np.expm1(-0.04 * np.log1p(right)))
    axes.set_xscale("function", functions=(np.log1p, np.expm1))
    axes.set_xlim(left, right)
    ticks = [tick for tick in TICKS if left <= tick <= right]
    axes.set_xticks(ticks if len(ticks) < 8 else ticks[:1] + ticks[1::2])
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    log_scale(axes, "y", float(times.min()) / 1.6, float(times.max()) * 1.6)
