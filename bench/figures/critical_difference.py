"""Critical differences: mean ranks of the strategies on each collection, and whom ranks cannot tell apart.

The diagram is that of Demšar 2006, "Statistical comparisons of classifiers over multiple data sets": an axis of mean
ranks, the best on the left; names on both sides; a bar over those whose mean ranks differ by less than the critical
difference.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.style import GREY, NothingToDrawError, Sheet, begin, end, wrap
from bench.verdicts.pairs.ranks import ALPHA
from bench.verdicts.run_tables import Run

TITLE = "Mean ranks and critical differences"
PANELS = 6
PAGE_IN = 8.0  # height of a page of a paper that the panels may fill
NAMES = 24  # in a panel, the fastest; more could not be read
WIDE_IN = 5.5  # from this width on, two panels stand side by side if their names have room there
LINE = 1.45  # height of a line of text, in letters
SIDE = 0.36  # of the width of a panel, for the names on each side
AXIS, BAR, GAP = 2.6, 0.55, 0.5  # heights in lines: what is above the axis with it, a bar, a gap


@dataclass(frozen=True)
class Ranks:
    """What is drawn.

    Attributes:
        table: rows of ``ranks.csv``, of at most ``PANELS`` collections.
        omitted: names of the other collections.
    """

    table: pd.DataFrame
    omitted: tuple[str, ...]


@dataclass(frozen=True)
class Panel:
    """One diagram, laid out: heights in lines of text.

    Attributes:
        own: its rows, the fastest first; only the ``NAMES`` fastest.
        more: strategies that are left out of it.
        labels: of the rows, wrapped.
        bars: first and last place of those that cannot be told apart, and the level of the bar.
    """

    own: pd.DataFrame
    more: int
    labels: Sequence[str]
    bars: Sequence[tuple[int, int, int]]

    @property
    def left(self) -> int:
        """How many names stand on the left."""
        return (len(self.own) + 1) // 2

    @property
    def top(self) -> float:
        """Where names begin."""
        return AXIS + GAP + BAR * (1 + max((level for *_, level in self.bars), default=0)) + GAP

    @property
    def height(self) -> float:
        return self.top + max(_lines(self.labels[: self.left]), _lines(self.labels[self.left :])) + 1.0


def data(run: Run) -> Ranks:
    """The ranks of the first collections that have any."""
    if run.ranks.empty:
        raise NothingToDrawError("ranks need two strategies that were measured on the same puzzles")
    names = [name for name in run.collections if name in set(run.ranks["collection"])]
    shown = run.ranks[run.ranks["collection"].isin(names[:PANELS])]
    return Ranks(shown.reset_index(drop=True), tuple(names[PANELS:]))


def words(ranks: Ranks, _sheet: Sheet) -> str:
    """How to read it, and what is left out."""
    left_out = f" Not shown: {', '.join(ranks.omitted)}." if ranks.omitted else ""
    return (
        "Mean rank over puzzles by CPU time, 1 is the fastest; unfinished solves share the last ranks. A bar joins"
        " strategies that ranks cannot tell apart: they differ by less than the critical difference (CD) of Nemenyi's"
        f" test at 5%, drawn to scale on top. A rank says nothing of how much faster.{left_out}"
    )


def draw(ranks: Ranks, sheet: Sheet) -> Figure:
    """The figure of ``Ranks``: a diagram for each collection."""
    groups = list(ranks.table.groupby("collection", sort=False))
    columns = 2 if len(groups) > 1 and sheet.width_in >= WIDE_IN else 1
    panels = _panels(groups, columns, sheet)
    if columns == 2 and any("\n" in label for _, panel in panels for label in panel.labels):
        columns, panels = 1, _panels(groups, 1, sheet)
    panels, sheet = _on_a_page(panels, columns, sheet)
    heads = [wrap(_head(name, panel), sheet.width_in / columns * 0.95, sheet.small_pt) for name, panel in panels]
    rows = math.ceil(len(panels) / columns)
    per_row = [panels[row * columns : (row + 1) * columns] for row in range(rows)]
    heights = [max(panel.height for _, panel in row) for row in per_row]
    extra = 1.2 * rows * (1 + max(head.count("\n") for head in heads))
    height_in = (sum(heights) + extra) * LINE * sheet.small_pt / 72 + 0.1 * rows + (0.0 if sheet.column else 0.35)
    figure, axes = begin(sheet, height_in / sheet.scale, rows, columns, height_ratios=heights)
    for one, (_, panel), head in zip(axes, panels, heads, strict=False):
        one.set_title(head, loc="left", fontsize=sheet.small_pt)
        _draw_panel(one, panel, heights[axes.index(one) // columns], sheet)
    for one in axes:
        one.set_axis_off()
        one.set(xticks=[], yticks=[])
    return end(figure, sheet, TITLE, words(ranks, sheet))


def _on_a_page(panels: list[tuple[str, Panel]], columns: int, sheet: Sheet) -> tuple[list[tuple[str, Panel]], Sheet]:
    """The first panels, as many as a page of a paper holds, and a sheet whose facts name the others."""
    line_in = LINE * sheet.small_pt / 72
    fits, used_in = 0, 0.0
    for number, (_, panel) in enumerate(panels):
        if number % columns == 0:
            used_in += (panel.height + 2.5) * line_in
        fits += used_in <= PAGE_IN or number < columns
    if sheet.column is None or fits == len(panels):
        return panels, sheet
    rest = ", ".join(name for name, _ in panels[fits:])
    return panels[:fits], dataclasses.replace(sheet, facts=f"For lack of room not shown: {rest}. {sheet.facts}")


def _panels(groups: Sequence[tuple[Any, pd.DataFrame]], columns: int, sheet: Sheet) -> list[tuple[str, Panel]]:
    name_in = sheet.width_in / columns * (SIDE - 0.05)
    return [(str(name), layout(own, name_in, sheet.small_pt)) for name, own in groups]


def layout(own: pd.DataFrame, name_in: float, size_pt: float) -> Panel:
    """Where what stands in the diagram of one collection.

    Args:
        own: its rows of ``ranks.csv``.
        name_in: room for a name, in inches.
    """
    shown = own.head(NAMES).reset_index(drop=True)
    labels = [
        wrap(f"{name} {rank:.2f}", name_in, size_pt)
        for name, rank in shown[["strategy", "mean_rank"]].itertuples(index=False)
    ]
    return Panel(shown, len(own) - len(shown), labels, bars(shown))


def bars(own: pd.DataFrame) -> list[tuple[int, int, int]]:
    """First and last place of each group of two or more, and the lowest level on which its bar meets no other.

    Where Friedman's test finds no difference at all, everybody is in one group: single pairs are then not looked at.
    """
    if not differ(own):
        return [(0, len(own) - 1, 0)] if len(own) > 1 else []
    members: dict[str, list[int]] = {}
    for place, letters in enumerate(own["groups"]):
        for letter in _letters(str(letters)):
            members.setdefault(letter, []).append(place)
    found, ends = [], list[int]()
    for places in sorted(members.values()):
        if len(places) < 2:
            continue
        level = next((number for number, end_at in enumerate(ends) if end_at < places[0]), len(ends))
        ends[level : level + 1] = [places[-1]]
        found.append((places[0], places[-1], level))
    return found


def differ(own: pd.DataFrame) -> bool:
    """Does Friedman's test say that the strategies differ? Of two there is none; their difference speaks for itself."""
    p = float(own["p_friedman"].iloc[0])
    return math.isnan(p) or p < ALPHA


def _letters(groups: str) -> list[str]:
    """The letters of a strategy: ``ab`` or ``z a1 b1`` without the spaces."""
    found: list[str] = []
    for sign in groups:
        if sign.isdigit():
            found[-1] += sign
        else:
            found.append(sign)
    return found


def _lines(labels: Sequence[str]) -> float:
    return sum(label.count("\n") + 1.15 for label in labels)


def _head(name: str, panel: Panel) -> str:
    """What stands above a diagram: puzzles, and what Friedman's test says."""
    p, number = float(panel.own["p_friedman"].iloc[0]), int(panel.own["n_puzzles"].iloc[0])
    said = "two strategies, no Friedman test" if math.isnan(p) else f"Friedman p {_p(p)}"
    if not differ(panel.own):
        said += ": NOT significant, nobody is told apart"
    more = f"; {panel.more} slower ones not shown" if panel.more else ""
    return f"{name}: {number} {'puzzle' if number == 1 else 'puzzles'}, {said}{more}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.2g}"


def _draw_panel(axes: Axes, panel: Panel, height: float, sheet: Sheet) -> None:
    """One diagram; the y axis counts lines of text from the top, the x axis shares of the width."""
    own = panel.own
    ranks, apart = own["mean_rank"].to_numpy(), float(own["critical_difference"].iloc[0])
    last = max(2.0, float(math.ceil(ranks.max())) if panel.more else float(len(own)))
    axes.set_xlim(0, 1)
    axes.set_ylim(height, 0)

    def x(rank: float) -> float:
        return SIDE + (1 - 2 * SIDE) * (rank - 1) / (last - 1)

    step = math.ceil((last - 1) / (4 if sheet.width_in < WIDE_IN else 5))
    axes.plot([x(1), x(last)], [AXIS, AXIS], "-", color="#000000", lw=0.9)
    for rank in np.arange(1, last + 0.5, step):
        axes.plot([x(rank), x(rank)], [AXIS - 0.25, AXIS], "-", color="#000000", lw=0.9)
        axes.text(x(rank), AXIS - 0.35, f"{rank:.0f}", fontsize=sheet.small_pt, ha="center", va="bottom")
    wide = x(min(1 + apart, last))
    axes.plot([x(1), wide], [0.95, 0.95], "|-", color=GREY, lw=0.9, ms=4)
    beyond = ", beyond the axis" if 1 + apart > last else ""
    axes.text(x(1), 0.75, f"CD {apart:.2f}{beyond}", fontsize=sheet.small_pt, color=GREY, va="bottom")
    for first, final, level in panel.bars:
        place = AXIS + GAP + BAR * (level + 0.5)
        axes.plot(
            [x(ranks[first]) - 0.006, x(ranks[final]) + 0.006], [place, place], "-", color="#000000", lw=2.6,
            solid_capstyle="butt", zorder=4,
        )  # fmt: skip
    _draw_names(axes, panel, [x(rank) for rank in ranks], sheet)


def _draw_names(axes: Axes, panel: Panel, at: Sequence[float], sheet: Sheet) -> None:
    """Names on the left from the best on downwards, on the right from the worst on, so that no lines cross."""
    sides = (range(panel.left), range(len(at) - 1, panel.left - 1, -1))
    elbows: list[tuple[float, float]] = []
    for side, edge, align in ((sides[0], SIDE - 0.03, "right"), (sides[1], 1 - SIDE + 0.03, "left")):
        top = panel.top
        for place in side:
            room = panel.labels[place].count("\n") + 1.15
            middle = top + room / 2
            elbows += [(at[place], AXIS), (at[place], middle), (edge, middle), (math.nan, math.nan)]
            look = sheet.looks[str(panel.own["strategy"].iloc[place])]
            axes.plot([at[place]], [AXIS], look.marker, color=look.colour, ms=3.5, zorder=5)
            inner = edge - 0.01 if align == "right" else edge + 0.01
            axes.text(inner, middle, panel.labels[place], fontsize=sheet.small_pt, ha=align, va="center")
            top += room
    axes.plot(*zip(*elbows, strict=True), "-", color=GREY, lw=0.7, zorder=2)
