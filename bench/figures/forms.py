"""Spread over forms: how far the times of one puzzle's forms lie from their median, for each strategy."""

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

from bench.figures import tiers
from bench.figures.style import GREY, Look, NothingToDrawError, Sheet, begin, end, wrap
from bench.verdicts.pairs.noise import log_ratios
from bench.verdicts.run_tables import Run

TITLE = "Spread over forms of the same puzzle"
QUANTILES = (0.05, 0.25, 0.75, 0.95)
KEY = ["strategy", "collection", "puzzle"]
ALL = "(all)"
MOST_BARS = 66  # one for each collection if there are no more than these; else all collections together
LINE = 1.5  # height of a line of text, in letters
NAME_SHARE = 0.32  # of the width, for names of strategies
NOISE = "#dcdcdc"
LEAST, MOST = math.log(1.05), math.log(40)  # the axis reaches so far from 1 at least, and at most
TICKS = (1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20)


@dataclass(frozen=True)
class Spread:
    """What is drawn.

    Attributes:
        bars: a row per strategy and collection, or per strategy with ``ALL`` where those are too many: ``n``
            measurements, and columns named as ``QUANTILES``, of logarithms of ratios. The least spread comes first.
        left_out: pairs of a strategy and a puzzle of which not every form was finished.
        loops: the most forms that a measurement is the mean of.
        noise: for each strategy with an instrument placebo, how far 90% of its ratios would lie from 1 at most if all
            forms were alike, as a logarithm.
    """

    bars: pd.DataFrame
    left_out: int
    loops: int
    noise: Mapping[str, float]


def data(run: Run) -> Spread:
    """Quantiles of time / median of the puzzle's forms, over the puzzles of which every form was finished."""
    if not run.manifest["suite"].get("isomorphs"):
        raise NothingToDrawError("the run solved stored grids alone, no other forms of them")
    rows = run.comparable
    known = rows[KEY].assign(loops=run.measurements["loops"].reindex(rows.index))
    known = known.assign(log=np.log(rows["cpu_s"].where((rows["status"] == "solved") & (rows["cpu_s"] > 0))))
    groups = known.groupby(KEY, sort=False)["log"]
    several = groups.transform("size") > 1
    whole = several & (groups.transform("count") == groups.transform("size"))
    if not whole.any():
        raise NothingToDrawError("no strategy finished two forms of the same puzzle")
    ratios = known.assign(log=known["log"] - groups.transform("median"))[whole]
    many = ratios.groupby(["strategy", "collection"]).ngroups > MOST_BARS
    left_out = int((~known[several & ~whole].duplicated(KEY)).sum())
    bars = quantiles(ratios.assign(collection=ALL) if many else ratios, run.collections)
    return Spread(bars, left_out, int(known["loops"].max()), noise(run.measurements))


def quantiles(ratios: pd.DataFrame, collections: Sequence[str]) -> pd.DataFrame:
    """``Spread.bars`` of logarithms in the column ``log``: strategies by the width of their middle half."""
    groups = ratios.groupby(["strategy", "collection"])["log"]
    table = groups.quantile(np.array(QUANTILES)).unstack().assign(n=groups.size()).reset_index()
    widths = ratios.groupby("strategy")["log"].quantile(np.array([0.25, 0.75])).unstack()
    place = {name: number for number, name in enumerate(collections)}
    order = table.assign(width=table["strategy"].map(widths[0.75] - widths[0.25]), place=table["collection"].map(place))
    return order.sort_values(["width", "strategy", "place"], kind="stable").drop(columns=["width", "place"])


def noise(measurements: pd.DataFrame) -> dict[str, float]:
    """How far 90% of ratios lie from 1 at most through measuring alone, as logarithms.

    A strategy and its instrument placebo solve the same forms: what differs is the noise of two measurements. A ratio
    to the median of some has a little less than that of one.
    """
    rows = measurements[measurements["decoy"].isna()]
    found = {}
    for label, placebo in rows[rows["placebo"] == "instrument"].groupby("strategy"):
        name = str(label).partition(") ")[2]
        logs = log_ratios(placebo, rows[rows["strategy"] == name]).to_numpy()
        if logs.size and logs.shape[1] > 1:
            found[name] = float(np.quantile(np.abs(logs), 0.9) * math.sqrt((1 - 1 / logs.shape[1]) / 2))
    return found


def words(spread: Spread, _sheet: Sheet) -> str:
    """How to read it, and what is left out."""
    alone = " Grey: 90% if forms made no difference, by the instrument placebo." if spread.noise else ""
    means = f" A measurement is the mean of up to {spread.loops} forms, which narrows it." if spread.loops > 1 else ""
    late = f" Left out: {spread.left_out} puzzles of a strategy with an unfinished form." if spread.left_out else ""
    return (
        "What the luck of presentation is worth: time of a form / median over the forms of its puzzle (log scale);"
        f" thick: the middle half of the measurements, thin: 90% of them.{alone}{means}{late}"
    )


def draw(spread: Spread, sheet: Sheet) -> Figure:
    """The figure of a ``Spread``: a block of bars for each strategy."""
    names = list(dict.fromkeys(spread.bars["strategy"]))
    labels = [wrap(name, sheet.width_in * NAME_SHARE, sheet.small_pt) for name in names]
    each = spread.bars.groupby("strategy").size()
    heights = [max(label.count("\n") + 1.2, 0.62 * each[name] + 0.7) for name, label in zip(names, labels, strict=True)]
    bottoms = np.cumsum(heights)
    height_in = bottoms[-1] * LINE * sheet.small_pt / 72 + 0.9  # with the scale and its name
    figure, [axes] = begin(sheet, height_in / sheet.scale)
    looks = tiers.looks(sheet.collections) | {ALL: Look(GREY, "o", "-")}
    reach = _reach(spread)
    for name, bottom, height in zip(names, bottoms, heights, strict=True):
        own = spread.bars[spread.bars["strategy"] == name].to_dict("records")
        if name in spread.noise:
            far = min(spread.noise[name], reach)
            axes.fill_betweenx([bottom - height, bottom], math.exp(-far), math.exp(far), color=NOISE, lw=0, zorder=0)
        for number, bar in enumerate(own):
            place = bottom - height / 2 + 0.62 * (number - (len(own) - 1) / 2)
            _draw_bar(axes, bar, place, looks[bar["collection"]], reach)
        axes.axhline(bottom, color="#dddddd", lw=0.6, zorder=0)
    axes.axvline(1.0, color=GREY, lw=0.9, zorder=1)
    _scale(axes, reach)
    axes.set_ylim(bottoms[-1], 0)
    axes.set_yticks(bottoms - np.array(heights) / 2, labels, fontsize=sheet.small_pt)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("CPU time / median of the puzzle")
    handles = _handles(spread, sheet)
    return end(figure, sheet, TITLE, words(spread, sheet), dict.fromkeys(handles, ""), handles=list(handles.values()))


def _handles(spread: Spread, sheet: Sheet) -> dict[str, Any]:
    """What the legend explains."""
    own = set(spread.bars["collection"])
    handles: dict[str, Any] = dict(tiers.legend([name for name in sheet.collections if name in own], sheet))
    if spread.noise:
        handles["measuring alone"] = Patch(color=NOISE, lw=0)
    return handles


def _reach(spread: Spread) -> float:
    """How far from 1 the axis goes, as a logarithm."""
    far = max(float(spread.bars[list(QUANTILES)].abs().to_numpy().max()), *spread.noise.values(), 0.0)
    return min(MOST, max(LEAST, far * 1.1))


def _draw_bar(axes: Axes, bar: Mapping[Any, Any], place: float, look: Look, reach: float) -> None:
    """A thin line over 90%, a thick one over the middle half, and the marker of the collection at both ends."""
    low, first, third, high = np.exp(np.clip([bar[share] for share in QUANTILES], -reach, reach))
    axes.plot([low, high], [place, place], "-", color=look.colour, marker=look.marker, ms=3.2, lw=0.9, zorder=3)
    axes.plot([first, third], [place, place], "-", color=look.colour, lw=3.4, solid_capstyle="butt", zorder=2)


def _scale(axes: Axes, reach: float) -> None:
    """A logarithmic axis around 1, with ticks that are far enough from each other."""
    axes.set_xscale("log")
    axes.set_xlim(math.exp(-reach * 1.03), math.exp(reach * 1.03))
    kept: list[float] = []
    for tick in reversed([tick for tick in TICKS if math.log(tick) <= reach]):
        if math.log(tick) >= 0.18 * reach and all(abs(math.log(tick / other)) >= 0.22 * reach for other in kept):
            kept.append(tick)
    axes.xaxis.set_major_locator(FixedLocator([*(1 / tick for tick in kept), 1.0, *reversed(kept)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.2g}" if value < 1 else f"{value:.3g}")
