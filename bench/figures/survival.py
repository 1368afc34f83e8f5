"""The share of puzzles solved within a time, a panel per collection: distributions, with what they may be off by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.panels import MOST, fewer_ticks, foremost, grey_line, line, name_axes, others, panels
from bench.figures.style import GREY, NothingToDrawError, Sheet, end, log_scale, seconds
from bench.verdicts.run_tables import Run
from bench.verdicts.spread.spreads import Spread, spreads

TITLE = "Share of puzzles solved within a time"
STEPS = 1000  # of a line at most
BANDS_DRAWN = 6  # of so many strategies; more would hide each other


@dataclass(frozen=True)
class Distributions:
    """What is drawn.

    Attributes:
        spreads: for each collection, the distribution of each strategy.
        strategies: who finished most comes first, and of those whoever took least for all of it.
        banded: whether bands are drawn.
        omitted: collections that are too many.
    """

    spreads: dict[str, list[Spread]]
    strategies: tuple[str, ...]
    banded: bool
    omitted: tuple[str, ...] = ()


def data(run: Run) -> Distributions:
    """The distributions of the first ``MOST`` collections."""
    found: dict[str, list[Spread]] = {}
    for spread in spreads(run):
        found.setdefault(spread.collection, []).append(spread)
    if not any(len(own.seconds) for each in found.values() for own in each):
        raise NothingToDrawError("no puzzle was solved")
    times = run.per_puzzle[["strategy", "cpu_s"]].replace(np.inf, np.nan).groupby("strategy")["cpu_s"]
    order = times.agg(["count", "sum"]).sort_values(["count", "sum"], ascending=[False, True], kind="stable").index
    shown = dict(list(found.items())[:MOST])
    return Distributions(shown, tuple(order), len(order) <= BANDS_DRAWN, tuple(list(found)[MOST:]))


def words(found: Distributions, sheet: Sheet) -> str:
    """How to read it."""
    bands = " with its 95% interval at each time (Wilson 1927)" if found.banded else ""
    limit = f" Dotted: the limit of {seconds(sheet.limit_s)}, at which a line ends that has not come to all."
    late = limit if _late(found) else ""
    omitted = f" Not shown: {', '.join(found.omitted)}." if found.omitted else ""
    return (
        "Lines: the share of a collection's puzzles (in brackets, how many it has) that is solved within so much CPU"
        f" time each, the median over forms{bands}; further left is faster.{late}{others(found.strategies)}{omitted}"
    )


def _late(found: Distributions) -> bool:
    return any(len(own.share) == 0 or own.share[-1] < 1 for each in found.spreads.values() for own in each)


def draw(found: Distributions, sheet: Sheet) -> Figure:
    """The figure of ``Distributions``."""
    numbers = {name: max(own.n_puzzles for own in each) for name, each in found.spreads.items()}
    figure, axes = panels(sheet, [f"{name} ({number})" for name, number in numbers.items()])
    times = np.concatenate([own.seconds for each in found.spreads.values() for own in each])
    late = _late(found)
    log_scale(axes[0], "x", times.min() / 1.6, sheet.limit_s * 1.6 if late else times.max() * 1.6)
    shown = foremost(found.strategies)
    for panel, each in zip(axes, found.spreads.values(), strict=True):
        for own in each:
            _draw_spread(panel, own, shown.index(own.strategy) if own.strategy in shown else None, sheet, found.banded)
        if late:
            panel.axvline(sheet.limit_s, color=GREY, linewidth=0.9, linestyle=":", zorder=1)
    axes[0].set_ylim(-0.03, 1.05)
    axes[0].yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    fewer_ticks(axes, sheet)
    end(figure, sheet, TITLE, words(found, sheet), shown)
    name_axes(figure, axes, sheet, "CPU time per solve (log scale)", "share of puzzles")
    return figure


def _draw_spread(axes: Axes, own: Spread, number: int | None, sheet: Sheet, banded: bool) -> None:
    """A staircase from nothing to all puzzles, or to the limit where some were not finished; grey without a number."""
    if not len(own.share):
        return
    look, last = sheet.looks[own.strategy], own.seconds[-1] if own.share[-1] == 1 else sheet.limit_s
    # Steps smaller than a line is wide would only make files of thousands of puzzles huge.
    kept = np.unique(np.linspace(0, len(own.share) - 1, STEPS).round().astype(int))
    times, shares, lows, highs = (part[kept] for part in (own.seconds, own.share, own.lo, own.hi))
    x, share, low, high = (
        np.concatenate(part)
        for part in (
            (times[:1], times, [last]),
            ([0.0], shares, shares[-1:]),
            (lows[:1], lows, lows[-1:]),
            (highs[:1], highs, highs[-1:]),
        )
    )
    if number is None:
        grey_line(axes, x, share, sheet, style="steps-post")
    else:
        line(axes, x, share, look, sheet, number, style="steps-post")
    if banded:
        axes.fill_between(x, low, high, step="post", color=look.colour, alpha=0.15, lw=0, zorder=2)
