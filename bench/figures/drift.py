"""Drift over the run: each time against its strategy's mean on its puzzle, along the clock, with running medians."""

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

from bench.figures.style import GREY, POINTS, Look, NothingToDrawError, Sheet, begin, cloud, end
from bench.verdicts.run_tables import Run
from bench.verdicts.spread.drift import residuals, trend

TITLE = "Drift over the run"
HEIGHT_IN = 4.6
SHOWN = 3  # strategies in colour: the steadiest, as they show best what the machine does
PALE = "#b5b5b5"
SPAN = "#f6d5c3"
ALL = "all strategies"
MARK_EVERY = 6  # windows of a running median, so that lines are told apart in grey
FEW = 10_000  # points; of more each is fainter, so that it can be seen where they are dense
INSIDE = 0.99  # of all points lie within the axis; the others stand on its edges
LEAST_CLOUD, LEAST_TREND = math.log(1.05), math.log(1.02)  # axes reach so far from 1 at least


@dataclass(frozen=True)
class Drift:
    """What is drawn.

    Attributes:
        points: a row per measurement (see ``bench.verdicts.spread.drift.residuals``).
        trends: rows of ``bench.verdicts.spread.drift.trend`` for ``strategy``, which is ``ALL`` for all together.
        spans: from when to when the machine was seen to be disturbed: ``from_s`` and ``to_s`` by the clock of the run.
    """

    points: pd.DataFrame
    trends: pd.DataFrame
    spans: pd.DataFrame

    @property
    def shown(self) -> list[str]:
        """The strategies in colour."""
        return [name for name in dict.fromkeys(self.trends["strategy"]) if name != ALL]


def data(run: Run) -> Drift:
    """Residuals, their running medians, and disturbances."""
    points = residuals(run)
    if points.empty:
        raise NothingToDrawError("no strategy finished a puzzle several times; there is nothing to compare a time with")
    spreads = points["log_ratio"].abs().groupby(points["strategy"]).median().sort_values(kind="stable")
    few = [str(name) for name in spreads.index[:SHOWN]] if len(spreads) > 1 else []
    trends = [trend(points).assign(strategy=ALL)]
    trends += [trend(points[points["strategy"] == name]).assign(strategy=name) for name in few]
    return Drift(points, pd.concat(trends, ignore_index=True), disturbances(run.manifest))


def disturbances(manifest: dict[str, Any]) -> pd.DataFrame:
    """When the machine was disturbed, as the manifest tells it: columns ``from_s`` and ``to_s``."""
    spans = [
        (part["began_s"] + first, part["began_s"] + last)
        for part in manifest.get("disturbance", [])
        for first, last in part.get("spans_s", [])
    ]
    return pd.DataFrame(spans, columns=["from_s", "to_s"], dtype=float)


def words(drift: Drift, _sheet: Sheet) -> str:
    """How to read it, and how far the running median went."""
    low, high = np.exp(_of(drift, ALL)["log_ratio"].agg(["min", "max"]))
    launches = drift.points["launch"].nunique()
    each = f", each of {launches} launches by itself" if launches > 1 else ""
    seen = f" Shaded: disturbed for {(drift.spans['to_s'] - drift.spans['from_s']).sum():.0f} s in all."
    return (
        "CPU time of each measurement / geometric mean of its strategy's on its puzzle (log scales), by the clock of"
        f" the run; in colour the steadiest strategies. Below, enlarged: running medians{each}; that of {ALL}"
        f" goes from {low:.3f} to {high:.3f}. A machine that stays the same keeps it at 1."
        f"{seen if len(drift.spans) else ''}"
    )


def draw(drift: Drift, sheet: Sheet) -> Figure:
    """The cloud of residuals above, running medians below."""
    figure, [above, below] = begin(sheet, HEIGHT_IN, 2, 1, sharex=True, height_ratios=[1, 1])
    _draw_cloud(above, drift, sheet)
    for name in (*drift.shown, ALL):
        own = _of(drift, name)
        look = _look(name, sheet)
        for _, launch in own.groupby("launch"):
            minutes = launch["started_s"] / 60
            if name == ALL:
                below.fill_between(minutes, np.exp(launch["lo"]), np.exp(launch["hi"]), color=PALE, alpha=0.6, lw=0)
            marker = look.marker if len(launch) > 1 else "o"  # a line of one point would not be seen
            below.plot(
                minutes, np.exp(launch["log_ratio"]), look.dashes, marker=marker, color=look.colour,
                lw=(2.4 if name == ALL else 1.1) * sheet.scale, ms=3.5 * sheet.scale, markevery=MARK_EVERY,
            )  # fmt: skip
    band = _of(drift, ALL)[["lo", "hi"]].abs().max().max()
    _ratios(below, max(LEAST_TREND, drift.trends["log_ratio"].abs().max(), 0.0 if math.isnan(band) else band) * 1.1)
    starts = drift.points.groupby("launch")["started_s"].min().iloc[1:] / 60
    for axes in (above, below):
        axes.axhline(1.0, color=GREY, lw=0.8, zorder=1)
        for start in starts:
            axes.axvline(start, color=GREY, lw=0.8, linestyle=":", zorder=1)
        for first, last in (drift.spans / 60).itertuples(index=False):
            axes.axvspan(first, last, color=SPAN, lw=0, zorder=0)
    above.set_ylabel("CPU time / its mean")
    below.set_ylabel("running median")
    below.set_xlabel("minutes since the run began")
    last = float(drift.points["started_s"].max()) / 60
    below.set_xlim(-0.02 * last, max(last, 1e-3) * 1.02)
    handles = _handles(drift, sheet)
    return end(figure, sheet, TITLE, words(drift, sheet), dict.fromkeys(handles, ""), handles=list(handles.values()))


def _of(drift: Drift, name: str) -> pd.DataFrame:
    return drift.trends[drift.trends["strategy"] == name]


def _look(name: str, sheet: Sheet) -> Look:
    return Look("#000000", "None", "-") if name == ALL else sheet.looks[name]


def _draw_cloud(axes: Axes, drift: Drift, sheet: Sheet) -> None:
    """A point per measurement; those beyond the axis are triangles on its edges."""
    points, shown = drift.points, drift.shown
    reach = max(LEAST_CLOUD, float(points["log_ratio"].abs().quantile(INSIDE)) * 1.1)
    minutes, logs = points["started_s"] / 60, points["log_ratio"]
    faint: Any = {"alpha": max(0.02, min(0.7, FEW / len(points))), "linestyle": "", "mew": 0, "zorder": POINTS}
    for name in ("", *shown):
        own = points["strategy"] == name if name else ~points["strategy"].isin(shown)
        colour = sheet.looks[name].colour if name else PALE if len(points) <= FEW else GREY
        near, up, down = own & (logs.abs() <= reach), own & (logs > reach), own & (logs < -reach)
        marker = sheet.looks[name].marker if name else "o"
        axes.plot(minutes[near], np.exp(logs[near]), marker, color=colour, ms=2.4 * sheet.scale, **faint)
        for beyond, edge, triangle in ((up, reach, "^"), (down, -reach, "v")):
            edges = np.full(int(beyond.sum()), math.exp(edge))
            axes.plot(minutes[beyond], edges, triangle, color=colour, ms=3.5 * sheet.scale, **faint)
    cloud(axes, len(points))
    _ratios(axes, reach * 1.05)  # so that the triangles are whole


def _ratios(axes: Axes, reach: float) -> None:
    """A logarithmic axis around 1 that reaches so far, as a logarithm, on both sides."""
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
    """What the legend explains: strategies in colour, all together, the others, disturbances."""
    handles: dict[str, Any] = {
        f"{ALL}, with 95% band": Line2D([], [], color="#000000", lw=2.2),
        **{
            name: Line2D(
                [], [], color=sheet.looks[name].colour, marker=sheet.looks[name].marker,
                linestyle=sheet.looks[name].dashes, lw=1.1, ms=4,
            )
            for name in drift.shown
        },
    }  # fmt: skip
    if not drift.points["strategy"].isin(drift.shown).all():
        handles["a measurement of another"] = Line2D([], [], color=PALE, marker="o", linestyle="", ms=4)
    if len(drift.spans):
        handles["the machine was disturbed"] = Patch(color=SPAN, lw=0)
    return handles
