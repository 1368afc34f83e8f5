"""Share of puzzles solved within a time, one panel per collection: empirical distributions with intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.panels import fewer_ticks, grey_line, line, most_panels, name_axes, panels
from bench.figures.style import GREY, MIN_POINTS, NothingToDrawError, Sheet, end, log_scale
from bench.say.phrases import seconds
from bench.verdicts.run_tables import Run
from bench.verdicts.spread.distributions import TimeDistribution, time_distributions

TITLE = "Share of puzzles solved within a time"
STEPS = 1000  # maximum number of steps of a line
COLOURED = 6  # maximum number of strategies with colours and bands; more bands would hide each other


@dataclass(frozen=True)
class Distributions:
    """The data of the figure.

    Attributes:
        spreads: for each collection, the distribution of each strategy.
        strategies: ordered by their mean rank over the collections.
    """

    spreads: dict[str, list[TimeDistribution]]
    strategies: tuple[str, ...]

    @property
    def coloured(self) -> tuple[str, ...]:
        """The strategies with colours and bands."""
        return self.strategies[:COLOURED]

    def within(self, sheet: Sheet) -> Distributions:
        """Return the first collections, as many as fit into a figure."""
        return Distributions(dict(list(self.spreads.items())[: most_panels(sheet)]), self.strategies)


def data(run: Run) -> Distributions:
    """Compute the distributions of the collections with enough puzzles."""
    by_collection: dict[str, list[TimeDistribution]] = {}
    for spread in time_distributions(run):
        if spread.n_puzzles >= MIN_POINTS:
            by_collection.setdefault(spread.collection, []).append(spread)
    if not any(len(spread.seconds) for group in by_collection.values() for spread in group):
        raise NothingToDrawError(f"no collection has {MIN_POINTS} measured puzzles of which one was solved")
    ranked = run.ranks.groupby("strategy")["mean_rank"].mean().sort_values(kind="stable").index
    names = [spread.strategy for group in by_collection.values() for spread in group]
    return Distributions(by_collection, tuple(dict.fromkeys([*map(str, ranked), *sorted(names)])))


def caption(distributions: Distributions, sheet: Sheet) -> str:
    """Return the caption."""
    grey = len(distributions.strategies) - len(distributions.coloured)
    others = f" Grey: the {grey} other strategies; coloured: those with the best mean ranks." if grey else ""
    limit = f" Dotted: the limit of {seconds(sheet.limit_s)}, where a line ends if some puzzles were not finished."
    late = limit if _late(distributions) else ""
    missing = list(distributions.spreads)[most_panels(sheet) :]
    omitted = f" Not shown: {', '.join(missing)}." if missing else ""
    return (
        "Share of a collection's puzzles (number in brackets) solved within a given CPU time per puzzle (median over"
        f" forms), with pointwise 95% intervals (Wilson 1927); further left is faster.{others}{late}{omitted}"
    )


def _late(distributions: Distributions) -> bool:
    """Return whether a strategy did not finish all puzzles of a collection."""
    spreads = [spread for group in distributions.spreads.values() for spread in group]
    return any(len(spread.share) == 0 or spread.share[-1] < 1 for spread in spreads)


def draw(distributions: Distributions, sheet: Sheet) -> Figure:
    """Draw a panel for each collection."""
    by_collection = distributions.within(sheet).spreads
    numbers = {name: max(spread.n_puzzles for spread in group) for name, group in by_collection.items()}
    figure, axes = panels(sheet, [f"{name} ({number})" for name, number in numbers.items()])
    times = np.concatenate([spread.seconds for group in by_collection.values() for spread in group])
    late = _late(distributions)
    log_scale(axes[0], "x", times.min() / 1.6, sheet.limit_s * 1.6 if late else times.max() * 1.6)
    shown = distributions.coloured
    for panel, group in zip(axes, by_collection.values(), strict=True):
        for spread in group:
            number = shown.index(spread.strategy) if spread.strategy in shown else None
            _draw_spread(panel, spread, number, sheet)
        if late:
            panel.axvline(sheet.limit_s, color=GREY, linewidth=0.9, linestyle=":", zorder=1)
    axes[0].set_ylim(-0.03, 1.05)
    axes[0].yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    fewer_ticks(axes, sheet)
    end(figure, sheet, TITLE, caption(distributions, sheet), shown)
    name_axes(figure, axes, sheet, "CPU time per solve (log scale)", "share of puzzles")
    return figure


def _draw_spread(axes: Axes, spread: TimeDistribution, number: int | None, sheet: Sheet) -> None:
    """Draw a staircase with its band up to 100%, or to the time limit if some puzzles were not finished.

    Without a number it is a grey line without a band.
    """
    if not len(spread.share):
        return
    look, last = sheet.looks[spread.strategy], spread.seconds[-1] if spread.share[-1] == 1 else sheet.limit_s
    # Steps smaller than the line width would only enlarge the file.
    kept = np.unique(np.linspace(0, len(spread.share) - 1, STEPS).round().astype(int))
    times, shares, lows, highs = (part[kept] for part in (spread.seconds, spread.share, spread.lo, spread.hi))
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
        axes.fill_between(x, low, high, step="post", color=look.colour, alpha=0.15, lw=0, zorder=2)
