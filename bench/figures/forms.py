"""Spread over forms: times of a puzzle's forms relative to their median, for each strategy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, NullLocator

from bench.figures.sheet import collection_handles, collection_looks
from bench.figures.style import GREY, Look, NothingToDrawError, Sheet, begin, end
from bench.figures.wrapping import wrap
from bench.folder.rows import FINISHED
from bench.verdicts.pairs.noise import log_ratios
from bench.verdicts.run_tables import Run

TITLE = "Spread over forms of the same puzzle"
QUANTILES = (0.05, 0.25, 0.75, 0.95)
KEY = ["strategy", "collection", "puzzle"]
ALL = "(all)"
MOST_BARS = 66  # one bar per strategy and collection; if there are more, one per strategy
LINE = 1.5  # height of a line of text, in font sizes
NAME_SHARE = 0.32  # width of the strategies' names, as a share of the figure
NOISE = "#dcdcdc"
LEAST, MOST = math.log(1.05), math.log(40)  # minimum and maximum extent of the axis from 1
TICKS = (1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20)


@dataclass(frozen=True)
class Spread:
    """The data of the figure.

    Attributes:
        bars: a row per strategy and collection, or per strategy (``ALL``) if there are too many: ``n`` measurements,
            and the ``QUANTILES`` of the logarithms of ratios. The smallest spread comes first.
        left_out: number of pairs of a strategy and a puzzle with an unfinished form.
        loops: maximum number of forms that a measurement is the mean of.
        noise: for each strategy with an instrument placebo, the distance from 1 within which 90% of its ratios would
            lie if all forms were equally hard, as a logarithm.
    """

    bars: pd.DataFrame
    left_out: int
    loops: int
    noise: Mapping[str, float]


def data(run: Run) -> Spread:
    """Compute quantiles of time / median of the puzzle's forms, over puzzles with all forms finished."""
    if not run.manifest["suite"].get("isomorphs"):
        raise NothingToDrawError("the run solved the stored grids only, no other forms of them")
    rows = run.comparable
    times = rows[KEY].assign(loops=run.measurements["loops"].reindex(rows.index))
    times = times.assign(log=np.log(rows["cpu_s"].where(rows["status"].isin(FINISHED) & (rows["cpu_s"] > 0))))
    groups = times.groupby(KEY, sort=False)["log"]
    several = groups.transform("size") > 1
    complete = several & (groups.transform("count") == groups.transform("size"))
    if not complete.any():
        raise NothingToDrawError("no strategy finished two forms of the same puzzle")
    ratios = times.assign(log=times["log"] - groups.transform("median"))[complete]
    many = ratios.groupby(["strategy", "collection"]).ngroups > MOST_BARS
    left_out = int((~times[several & ~complete].duplicated(KEY)).sum())
    bars = quantiles(ratios.assign(collection=ALL) if many else ratios, run.collections)
    return Spread(bars, left_out, int(times["loops"].max()), noise(run.measurements))


def quantiles(ratios: pd.DataFrame, collections: Sequence[str]) -> pd.DataFrame:
    """Return ``Spread.bars`` of the column ``log``, strategies ordered by their interquartile range."""
    groups = ratios.groupby(["strategy", "collection"])["log"]
    table = groups.quantile(np.array(QUANTILES)).unstack().assign(n=groups.size()).reset_index()
    quartiles = ratios.groupby("strategy")["log"].quantile(np.array([0.25, 0.75])).unstack()
    widths = (quartiles[0.75] - quartiles[0.25]).reindex(table["strategy"]).to_numpy()  # mapped categories sort as text
    order = table.assign(width=widths, place=pd.Index(collections).get_indexer(pd.Index(table["collection"])))
    return order.sort_values(["width", "strategy", "place"], kind="stable").drop(columns=["width", "place"])


def noise(measurements: pd.DataFrame) -> dict[str, float]:
    """Return the distance from 1 that 90% of ratios stay within through measurement noise only, as logarithms.

    A strategy and its instrument placebo solve the same forms, so their ratio has the noise of two measurements. A
    ratio to the median of several has slightly less noise than that of a single measurement.
    """
    rows = measurements[measurements["decoy"].isna()]
    distances = {}
    for label, placebo in rows[rows["placebo"] == "instrument"].groupby("strategy"):
        name = str(label).partition(") ")[2]
        logs = log_ratios(placebo, rows[rows["strategy"] == name]).to_numpy()
        if logs.size and logs.shape[1] > 1:
            distances[name] = float(np.quantile(np.abs(logs), 0.9) * math.sqrt((1 - 1 / logs.shape[1]) / 2))
    return distances


def caption(spread: Spread, _sheet: Sheet) -> str:
    """Return the caption."""
    noise_note = " Grey: range of 90% from measurement noise alone (instrument placebo)." if spread.noise else ""
    means = f" A measurement averages up to {spread.loops} forms, which narrows the spread." if spread.loops > 1 else ""
    omitted = f" Strategy-puzzle pairs omitted because of an unfinished form: {spread.left_out}."
    return (
        "Effect of presentation: time of a form divided by the median over the forms of its puzzle (log scale)."
        " Thick: middle 50% of the measurements; thin: 90%."
        f"{noise_note}{means}{omitted if spread.left_out else ''}"
    )


def draw(spread: Spread, sheet: Sheet) -> Figure:
    """Draw a block of bars for each strategy."""
    names = list(dict.fromkeys(spread.bars["strategy"]))
    labels = [wrap(name, sheet.width_in * NAME_SHARE, sheet.small_pt) for name in names]
    counts = spread.bars.groupby("strategy").size()
    heights = [
        max(label.count("\n") + 1.2, 0.62 * counts[name] + 0.7) for name, label in zip(names, labels, strict=True)
    ]
    bottoms = np.cumsum(heights)
    height_in = bottoms[-1] * LINE * sheet.small_pt / 72 + 0.9  # with the x axis and its label
    figure, [axes] = begin(sheet, height_in / sheet.scale)
    looks = collection_looks(sheet.collections) | {ALL: Look(GREY, "o", "-")}
    reach = _reach(spread)
    for name, bottom, height in zip(names, bottoms, heights, strict=True):
        block = spread.bars[spread.bars["strategy"] == name].to_dict("records")
        if name in spread.noise:
            extent = min(spread.noise[name], reach)
            edges = math.exp(-extent), math.exp(extent)
            axes.fill_betweenx([bottom - height, bottom], *edges, color=NOISE, lw=0, zorder=0)
        for number, bar in enumerate(block):
            place = bottom - height / 2 + 0.62 * (number - (len(block) - 1) / 2)
            _draw_bar(axes, bar, place, looks[bar["collection"]], reach)
        axes.axhline(bottom, color="#dddddd", lw=0.6, zorder=0)
    axes.axvline(1.0, color=GREY, lw=0.9, zorder=1)
    _scale(axes, reach)
    axes.set_ylim(bottoms[-1], 0)
    axes.set_yticks(bottoms - np.array(heights) / 2, labels, fontsize=sheet.small_pt)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("CPU time / median over forms")
    handles = _handles(spread, sheet)
    return end(figure, sheet, TITLE, caption(spread, sheet), dict.fromkeys(handles, ""), handles=list(handles.values()))


def _handles(spread: Spread, sheet: Sheet) -> dict[str, Any]:
    """Return the legend: collections, and the noise if it is known."""
    drawn = set(spread.bars["collection"])
    handles: dict[str, Any] = dict(collection_handles([name for name in sheet.collections if name in drawn], sheet))
    if spread.noise:
        handles["measurement noise"] = Patch(color=NOISE, lw=0)
    return handles


def _reach(spread: Spread) -> float:
    """Return the extent of the axis from 1, as a logarithm."""
    extent = max(float(spread.bars[list(QUANTILES)].abs().to_numpy().max()), *spread.noise.values(), 0.0)
    return min(MOST, max(LEAST, extent * 1.1))


def _draw_bar(axes: Axes, bar: Mapping[Any, Any], place: float, look: Look, reach: float) -> None:
    """Draw a thin line over 90%, a thick one over the middle 50%, and the collection's marker at both ends."""
    low, first, third, high = np.exp(np.clip([bar[share] for share in QUANTILES], -reach, reach))
    axes.plot([low, high], [place, place], "-", color=look.colour, marker=look.marker, ms=3.2, lw=0.9, zorder=3)
    axes.plot([first, third], [place, place], "-", color=look.colour, lw=3.4, solid_capstyle="butt", zorder=2)


def _scale(axes: Axes, reach: float) -> None:
    """Make the x axis logarithmic around 1, with ticks far enough apart."""
    axes.set_xscale("log")
    axes.set_xlim(math.exp(-reach * 1.03), math.exp(reach * 1.03))
    kept: list[float] = []
    for tick in reversed([tick for tick in TICKS if math.log(tick) <= reach]):
        if math.log(tick) >= 0.18 * reach and all(abs(math.log(tick / other)) >= 0.22 * reach for other in kept):
            kept.append(tick)
    axes.xaxis.set_major_locator(FixedLocator([*(1 / tick for tick in kept), 1.0, *reversed(kept)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.2g}" if value < 1 else f"{value:.3g}")
