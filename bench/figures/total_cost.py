"""Total cost: CPU time of preparing once and solving N puzzles, against N, and where the cheapest strategy changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sudoku_bench.bench.figures.panels import BACKGROUND
from sudoku_bench.bench.figures.sheet import other_sizes_note
from sudoku_bench.bench.figures.style import GREY, NothingToDrawError, Sheet, begin, end, legend_lines, log_scale
from sudoku_bench.bench.folder.method import setting
from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.say.phrases import counted, seconds
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.choice.total_cost import Stretch, stretches
from sudoku_bench.bench.verdicts.run_data import prepare_seconds
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "Total CPU time against number of puzzles"
HEIGHT_IN = 4.7
LEAST_MOST, BEYOND = 10_000, 10  # the axis ends at so many puzzles, or at so many times the last change
NEAR = 10  # changes that are nearer to the one before, as a ratio, have no number beside their line


@dataclass(frozen=True)
class Totals:
    """The data of the figure, for boards of one size.

    Attributes:
        lines: a row per strategy that finished every solve: strategy, once_s, each_s (mean).
        best: the cheapest strategy for each number of puzzles.
        shape: board shape, such as ``9x9``; n: number of puzzles measured; omitted: of puzzles of other sizes.
        unfinished: number of strategies left out because they left a solve unfinished.
    """

    lines: pd.DataFrame
    best: tuple[Stretch, ...]
    shape: str
    n: int
    omitted: int
    unfinished: int

    @property
    def most(self) -> int:
        """The largest number of puzzles that is drawn."""
        return max(LEAST_MOST, BEYOND * self.best[-1].first)


def data(run: Run) -> Totals:
    """Compute what each strategy costs once and per puzzle, on the most common board size."""
    if setting(run.manifest, "mode") != "warm":
        raise NothingToDrawError("total cost against number of puzzles needs mode warm, where preparing is paid once")
    if run.per_puzzle.empty:
        raise NothingToDrawError("no strategy has comparable times")
    size, omitted = most_common(run.per_puzzle)
    rows = run.measurements.loc[run.comparable.index]
    rows = rows.merge(run.per_puzzle.loc[run.per_puzzle["size"] == size, ["collection", "puzzle"]].drop_duplicates())
    solved = rows["status"].isin(FINISHED).groupby(rows["strategy"]).all()
    numbers = rows.drop_duplicates(["strategy", "collection", "puzzle"]).groupby("strategy").size()
    whole = solved & (numbers == numbers.max())  # means over different puzzles are not comparable
    costs = {"once_s": prepare_seconds(rows), "each_s": rows.groupby("strategy")["cpu_s"].mean()}
    lines = pd.DataFrame(costs)[whole].dropna().sort_values(["each_s", "once_s"], kind="stable")
    if len(lines) < 2:
        raise NothingToDrawError(f"fewer than two strategies of known preparation finished all {size}x{size} puzzles")
    best = stretches(lines["once_s"].to_dict(), lines["each_s"].to_dict())
    lines = lines.rename_axis("strategy").reset_index()
    return Totals(lines, best, f"{size}x{size}", int(numbers.max()), omitted, len(solved) - len(lines))


def caption(totals: Totals, sheet: Sheet) -> str:
    """Return the caption."""
    others = len(totals.lines) - len({stretch.strategy for stretch in totals.best})
    grey = f" Grey: {counted(others, 'strategy that is', 'strategies that are')} best for no number." if others else ""
    left_out = f" Left out: {totals.unfinished}, which did not finish every solve." if totals.unfinished else ""
    changes = ", ".join(f"{stretch.first:,}" for stretch in totals.best[1:])
    dotted = f" Dotted: the best one changes at {changes} puzzles." if changes else ""
    return (
        "CPU time of starting and preparing once, and of N puzzles at the mean of those measured"
        f" ({totals.n:,}, {totals.shape}); lower is cheaper.{dotted}{grey}{left_out}{other_sizes_note(totals.omitted)}"
    )


def draw(totals: Totals, sheet: Sheet) -> Figure:
    """Draw a line per strategy, in colour where it is the cheapest for some number of puzzles."""
    figure, [axes] = begin(sheet, HEIGHT_IN)
    numbers = np.geomspace(1, totals.most, 200)
    costs = {row["strategy"]: row["once_s"] + numbers * row["each_s"] for row in totals.lines.to_dict("records")}
    names = list(dict.fromkeys(stretch.strategy for stretch in totals.best))
    for name, cost in costs.items():
        if name not in names:
            axes.plot(numbers, cost, color=BACKGROUND, lw=0.8 * sheet.scale, zorder=1)
    for name in names:
        axes.plot(numbers, costs[name], color=sheet.looks[name].colour, lw=1.0 * sheet.scale, alpha=0.6, zorder=2)
    for stretch in totals.best:
        _stretch(axes, stretch, totals.most, sheet)
    shown = [stretch.first for stretch in totals.best[1:]]
    for number, before in zip(shown, [1, *shown], strict=False):
        if number > NEAR * before:
            axes.annotate(
                f"{number:,}", (number, 0.98), xycoords=("data", "axes fraction"), xytext=(-3, 0), ha="right", va="top",
                textcoords="offset points", fontsize=sheet.small_pt, color=GREY,
            )  # fmt: skip
    log_scale(axes, "x", 1, totals.most, text_of=lambda value: f"{value:,.0f}")
    drawn = np.array(list(costs.values()))
    log_scale(axes, "y", float(drawn.min()) / 1.6, float(drawn.max()) * 1.6)
    axes.minorticks_off()
    axes.set_xlabel("number of puzzles (log scale)")
    axes.set_ylabel("total CPU time (log scale)")
    notes = {}
    for stretch in totals.best:
        cost = f"once {seconds(stretch.once_s)}, then {seconds(stretch.each_s)} each"
        notes[stretch.strategy] = f"{numbers_text(stretch)}: {cost}"
    return end(figure, sheet, TITLE, caption(totals, sheet), legend_lines(names, sheet), notes)


def _stretch(axes: Axes, stretch: Stretch, most: int, sheet: Sheet) -> None:
    """Draw where a strategy is the cheapest, and from which number of puzzles on."""
    look = sheet.looks[stretch.strategy]
    numbers = np.geomspace(stretch.first, stretch.last or most, 50)
    costs = stretch.once_s + numbers * stretch.each_s
    axes.plot(numbers, costs, look.dashes, color=look.colour, lw=2.6 * sheet.scale, zorder=3)
    axes.plot(numbers[[0, 25]], costs[[0, 25]], look.marker, color=look.colour, ms=5 * sheet.scale, zorder=4)
    if stretch.first > 1:
        axes.axvline(stretch.first, color=GREY, lw=0.9, linestyle=":", zorder=1)


def numbers_text(stretch: Stretch) -> str:
    """Return for which numbers of puzzles a strategy is the cheapest."""
    if stretch.last is None:
        return f"from {stretch.first:,} on" if stretch.first > 1 else "always"
    return f"{stretch.first:,} to {stretch.last:,}"
