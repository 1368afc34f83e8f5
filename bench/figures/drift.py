"""Drift over the run: each time relative to its strategy's mean on the puzzle, with running medians."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from bench.figures.style import (
    CLOUD_ZORDER,
    GREY,
    Look,
    NothingToDrawError,
    Sheet,
    begin,
    end,
    legend_lines,
    rasterize_cloud,
)
from bench.verdicts.run_tables import Run
from bench.verdicts.spread.drift import residuals, trend

TITLE = "Drift over the run"
HEIGHT_IN = 4.6
SHOWN = 3  # strategies in colour: those with the least spread, which show the machine's drift best
PALE = "#b5b5b5"
SPAN = "#f6d5c3"
ALL = "all strategies"
MARK_EVERY = 6  # points of a running median between markers, which distinguish lines in greyscale
FEW = 10_000  # points; if there are more, each is fainter, so that density is visible
INSIDE = 0.99  # share of the points within the axis; the others are drawn on its edges
LEAST_CLOUD, LEAST_TREND = math.log(1.05), math.log(1.02)  # minimum extent of the axes from 1, as logarithms


@dataclass(frozen=True)
class Drift:
    """The data of the figure.

    Attributes:
        points: a row per measurement (see ``bench.verdicts.spread.drift.residuals``).
        trends: rows of ``bench.verdicts.spread.drift.trend`` per ``strategy``, and for ``ALL`` strategies together.
        spans: when the machine was disturbed: ``from_s`` and ``to_s`` since the start of the run.
    """

    points: pd.DataFrame
    trends: pd.DataFrame
    spans: pd.DataFrame

    @property
    def shown(self) -> list[str]:
        """The strategies in colour."""
        return [name for name in dict.fromkeys(self.trends["strategy"]) if name != ALL]

    def of(self, name: str) -> pd.DataFrame:
        """Return the running medians of a strategy, or of ``ALL``."""
        return self.trends[self.trends["strategy"] == name]


def data(run: Run) -> Drift:
    """Collect residuals, their running medians, and disturbances."""
    points = residuals(run)
    if points.empty:
        raise NothingToDrawError("drift needs a puzzle that a strategy finished several times")
    spreads = points["log_ratio"].abs().groupby(points["strategy"]).median().sort_values(kind="stable")
    steadiest = [str(name) for name in spreads.index[:SHOWN]] if len(spreads) > 1 else []
    trends = [trend(points).assign(strategy=ALL)]
    trends += [trend(points[points["strategy"] == name]).assign(strategy=name) for name in steadiest]
    return Drift(points, pd.concat(trends, ignore_index=True), disturbances(run.manifest))


def disturbances(manifest: dict[str, Any]) -> pd.DataFrame:
    """Return when the machine was disturbed according to the manifest: columns ``from_s`` and ``to_s``."""
    spans = [
        (part["began_s"] + first, part["began_s"] + last)
        for part in manifest.get("disturbance", [])
        for first, last in part.get("spans_s", [])
    ]
    return pd.DataFrame(spans, columns=["from_s", "to_s"], dtype=float)


def caption(drift: Drift, _sheet: Sheet) -> str:
    """Return the caption, with the range of the running median."""
    low, high = np.exp(drift.of(ALL)["log_ratio"].agg(["min", "max"]))
    launches = drift.points["launch"].nunique()
    separately = f", separately for each of {launches} launches" if launches > 1 else ""
    shaded = f" Shaded: machine disturbed, {(drift.spans['to_s'] - drift.spans['from_s']).sum():.0f} s in total."
    return (
        "Top: CPU time of each measurement divided by the geometric mean of its strategy on its puzzle (log scale),"
        " over the time of the run; the steadiest strategies in colour. Bottom, enlarged: running medians"
        f"{separately}; that of {ALL} ranges from {low:.3f} to {high:.3f} (a stable machine stays at 1)."
        f"{shaded if len(drift.spans) else ''}"
    )


def draw(drift: Drift, sheet: Sheet) -> Figure:
    """Draw the residuals at the top and the running medians at the bottom."""
    figure, [above, below] = begin(sheet, HEIGHT_IN, 2, 1, sharex=True, height_ratios=[1, 1])
    _draw_cloud(above, drift, sheet)
    for name in (*drift.shown, ALL):
        look = {**sheet.looks, ALL: Look("#000000", "None", "-")}[name]
        for _, launch in drift.of(name).groupby("launch"):
            minutes = launch["started_s"] / 60
            if name == ALL:
                below.fill_between(minutes, np.exp(launch["lo"]), np.exp(launch["hi"]), color=PALE, alpha=0.6, lw=0)
            marker = look.marker if len(launch) > 1 else "o"  # a line of one point would be invisible
            below.plot(
                minutes, np.exp(launch["log_ratio"]), look.dashes, marker=marker, color=look.colour,
                lw=(2.4 if name == ALL else 1.1) * sheet.scale, ms=3.5 * sheet.scale, markevery=MARK_EVERY,
            )  # fmt: skip
    band = drift.of(ALL)[["lo", "hi"]].abs().max().max()
    _ratios(below, max(LEAST_TREND, drift.trends["log_ratio"].abs().max(), 0.0 if math.isnan(band) else band) * 1.1)
    starts = drift.points.groupby("launch")["started_s"].min().iloc[1:] / 60
    for axes in (above, below):
        axes.axhline(1.0, color=GREY, lw=0.8, zorder=1)
        for start in starts:
            axes.axvline(start, color=GREY, lw=0.8, linestyle=":", zorder=1)
        for first, last in (drift.spans / 60).itertuples(index=False):
            axes.axvspan(first, last, color=SPAN, lw=0, zorder=0)
    above.set_ylabel("CPU time / mean")
    below.set_ylabel("running median")
    below.set_xlabel("minutes since the start of the run")
    last = float(drift.points["started_s"].max()) / 60
    below.set_xlim(-0.02 * last, max(last, 1e-3) * 1.02)
    handles = _handles(drift, sheet)
    return end(figure, sheet, TITLE, caption(drift, sheet), handles)


def _draw_cloud(axes: Axes, drift: Drift, sheet: Sheet) -> None:
    """Draw a point per measurement; those beyond the axis are triangles on its edges."""
    points, shown = drift.points, drift.shown
    reach = max(LEAST_CLOUD, float(points["log_ratio"].abs().quantile(INSIDE)) * 1.1)
    minutes, logs = points["started_s"] / 60, points["log_ratio"]
    faint: Any = {"alpha": max(0.02, min(0.7, FEW / len(points))), "linestyle": "", "mew": 0, "zorder": CLOUD_ZORDER}
    for name in ("", *shown):
        selected = points["strategy"] == name if name else ~points["strategy"].isin(shown)
        colour = sheet.looks[name].colour if name else PALE if len(points) <= FEW else GREY
        near, up, down = (selected & part for part in (logs.abs() <= reach, logs > reach, logs < -reach))
        marker = sheet.looks[name].marker if name else "o"
        axes.plot(minutes[near], np.exp(logs[near]), marker, color=colour, ms=2.4 * sheet.scale, **faint)
        for beyond, edge, triangle in ((up, reach, "^"), (down, -reach, "v")):
            edges = np.full(int(beyond.sum()), math.exp(edge))
            axes.plot(minutes[beyond], edges, triangle, color=colour, ms=3.5 * sheet.scale, **faint)
    rasterize_cloud(axes, len(points))
    _ratios(axes, reach * 1.05)  # so that the triangles are not cut off


def _ratios(axes: Axes, reach: float) -> None:
    """Make the y axis logarithmic around 1, extending by ``reach`` (a logarithm) on both sides."""
    low, high = math.exp(-reach), math.exp(reach)
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    places: Any = MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(low, high)
    if high > 3:
        places = np.outer(10.0 ** np.arange(-9, 10), [1, 2, 5] if high < 30 else [1]).ravel()
    axes.yaxis.set_major_locator(FixedLocator([place for place in places if low <= place <= high]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.4g}")


def _handles(drift: Drift, sheet: Sheet) -> dict[str, Any]:
    """Return the legend: all strategies together, those in colour, the others, disturbances."""
    handles: dict[str, Any] = {f"{ALL}, with 95% band": Line2D([], [], color="#000000", lw=2.2)}
    handles |= legend_lines(drift.shown, sheet)
    if not drift.points["strategy"].isin(drift.shown).all():
        handles["other strategies"] = Line2D([], [], color=PALE, marker="o", linestyle="", ms=4)
    if len(drift.spans):
        handles["machine disturbed"] = Patch(color=SPAN, lw=0)
    return handles
