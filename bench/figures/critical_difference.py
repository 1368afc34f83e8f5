"""Critical-difference diagrams: mean ranks of the strategies on each collection, and groups that do not differ.

As in Demšar 2006, "Statistical comparisons of classifiers over multiple data sets": an axis of mean ranks with the best
on the left, names on both sides, and bars that join strategies whose mean ranks differ by less than the critical
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
PAGE_IN = 8.0  # maximum height of the panels on a page of a paper
NAMES = 24  # maximum number of strategies in a panel, the fastest ones
WIDE_IN = 5.5  # wider figures have two panels side by side if their names fit
LINE = 1.45  # height of a line of text, in font sizes
SIDE = 0.36  # width of the names on each side, as a share of the panel
AXIS, BAR, GAP = 2.6, 0.55, 0.5  # heights in lines: down to the axis, a bar, a gap


@dataclass(frozen=True)
class Ranks:
    """The data of the figure.

    Attributes:
        table: rows of ``ranks.csv``, for at most ``PANELS`` collections.
        omitted: names of the other collections.
    """

    table: pd.DataFrame
    omitted: tuple[str, ...]


@dataclass(frozen=True)
class Panel:
    """The layout of one diagram; heights are in lines of text.

    Attributes:
        rows: rows of ``ranks.csv``, the ``NAMES`` fastest strategies, the fastest first.
        more: number of omitted strategies.
        labels: wrapped label of each row.
        bars: first and last row of each group that does not differ, and the level of its bar.
    """

    rows: pd.DataFrame
    more: int
    labels: Sequence[str]
    bars: Sequence[tuple[int, int, int]]

    @property
    def left(self) -> int:
        """The number of names on the left."""
        return (len(self.rows) + 1) // 2

    @property
    def top(self) -> float:
        """The height at which the names begin."""
        return AXIS + GAP + BAR * (1 + max((level for *_, level in self.bars), default=0)) + GAP

    @property
    def height(self) -> float:
        return self.top + max(_lines(self.labels[: self.left]), _lines(self.labels[self.left :])) + 1.0


def data(run: Run) -> Ranks:
    """Select the ranks of the first ``PANELS`` collections that have any."""
    if run.ranks.empty:
        raise NothingToDrawError("ranks need two strategies measured on the same puzzles")
    names = [name for name in run.collections if name in set(run.ranks["collection"])]
    shown = run.ranks[run.ranks["collection"].isin(names[:PANELS])]
    return Ranks(shown.reset_index(drop=True), tuple(names[PANELS:]))


def caption(ranks: Ranks, _sheet: Sheet) -> str:
    """Return the caption."""
    omitted = f" Not shown: {', '.join(ranks.omitted)}." if ranks.omitted else ""
    return (
        "Mean rank over puzzles by CPU time; rank 1 is the fastest, and unfinished solves share the last ranks. Bars"
        " join strategies whose mean ranks differ by less than the critical difference (CD, drawn to scale at the top)"
        " of Nemenyi's test at the 5% level. Ranks do not show how large a difference is. Verdicts (pairs.csv) compare"
        f" times, and can find a difference between strategies that a bar joins.{omitted}"
    )


def draw(ranks: Ranks, sheet: Sheet) -> Figure:
    """Draw a diagram for each collection."""
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
    return end(figure, sheet, TITLE, caption(ranks, sheet))


def _on_a_page(panels: list[tuple[str, Panel]], columns: int, sheet: Sheet) -> tuple[list[tuple[str, Panel]], Sheet]:
    """Keep the panels that fit on a page of a paper; the facts of the returned sheet name the others."""
    line_in = LINE * sheet.small_pt / 72
    fits, used_in = 0, 0.0
    for number, (_, panel) in enumerate(panels):
        if number % columns == 0:
            used_in += (panel.height + 2.5) * line_in
        fits += used_in <= PAGE_IN or number < columns
    if sheet.column is None or fits == len(panels):
        return panels, sheet
    omitted = ", ".join(name for name, _ in panels[fits:])
    return panels[:fits], dataclasses.replace(sheet, facts=f"Not shown for lack of space: {omitted}. {sheet.facts}")


def _panels(groups: Sequence[tuple[Any, pd.DataFrame]], columns: int, sheet: Sheet) -> list[tuple[str, Panel]]:
    name_in = sheet.width_in / columns * (SIDE - 0.05)
    return [(str(name), layout(rows, name_in, sheet.small_pt)) for name, rows in groups]


def layout(rows: pd.DataFrame, name_in: float, size_pt: float) -> Panel:
    """Lay out the diagram of one collection.

    Args:
        rows: its rows of ``ranks.csv``.
        name_in: maximum width of a name in inches.
    """
    shown = rows.head(NAMES).reset_index(drop=True)
    labels = [
        wrap(f"{name} {rank:.2f}", name_in, size_pt)
        for name, rank in shown[["strategy", "mean_rank"]].itertuples(index=False)
    ]
    return Panel(shown, len(rows) - len(shown), labels, bars(shown))


def bars(rows: pd.DataFrame) -> list[tuple[int, int, int]]:
    """Return the first and last row of each group of two or more, and the lowest level free for its bar.

    If Friedman's test is not significant, all strategies are one group and pairs are not compared.
    """
    if not differ(rows):
        return [(0, len(rows) - 1, 0)] if len(rows) > 1 else []
    members: dict[str, list[int]] = {}
    for place, letters in enumerate(rows["groups"]):
        for letter in _letters(str(letters)):
            members.setdefault(letter, []).append(place)
    result, ends = [], list[int]()
    for places in sorted(members.values()):
        if len(places) < 2:
            continue
        level = next((number for number, end_at in enumerate(ends) if end_at < places[0]), len(ends))
        ends[level : level + 1] = [places[-1]]
        result.append((places[0], places[-1], level))
    return result


def differ(rows: pd.DataFrame) -> bool:
    """Return whether Friedman's test finds a difference. There is no such test for two strategies: then True."""
    p = float(rows["p_friedman"].iloc[0])
    return math.isnan(p) or p < ALPHA


def _letters(groups: str) -> list[str]:
    """Split the letters of a strategy: ``ab`` or ``z a1 b1`` without the spaces."""
    letters: list[str] = []
    for sign in groups:
        if sign.isdigit():
            letters[-1] += sign
        else:
            letters.append(sign)
    return letters


def _lines(labels: Sequence[str]) -> float:
    return sum(label.count("\n") + 1.15 for label in labels)


def _head(name: str, panel: Panel) -> str:
    """Return the title of a diagram: the number of puzzles and the result of Friedman's test."""
    p, number = float(panel.rows["p_friedman"].iloc[0]), int(panel.rows["n_puzzles"].iloc[0])
    test = "two strategies, no Friedman test" if math.isnan(p) else f"Friedman p {_p(p)}"
    if not differ(panel.rows):
        test += ": NOT significant, no differences shown"
    more = f"; {panel.more} slower strategies not shown" if panel.more else ""
    return f"{name}: {number} {'puzzle' if number == 1 else 'puzzles'}, {test}{more}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.2g}"


def _draw_panel(axes: Axes, panel: Panel, height: float, sheet: Sheet) -> None:
    """Draw one diagram. The y axis counts lines of text from the top; the x axis is the width from 0 to 1."""
    ranks, difference = panel.rows["mean_rank"].to_numpy(), float(panel.rows["critical_difference"].iloc[0])
    last = max(2.0, float(math.ceil(ranks.max())) if panel.more else float(len(panel.rows)))
    axes.set_xlim(0, 1)
    axes.set_ylim(height, 0)

    def x(rank: float) -> float:
        return SIDE + (1 - 2 * SIDE) * (rank - 1) / (last - 1)

    step = math.ceil((last - 1) / (4 if sheet.width_in < WIDE_IN else 5))
    axes.plot([x(1), x(last)], [AXIS, AXIS], "-", color="#000000", lw=0.9)
    for rank in np.arange(1, last + 0.5, step):
        axes.plot([x(rank), x(rank)], [AXIS - 0.25, AXIS], "-", color="#000000", lw=0.9)
        axes.text(x(rank), AXIS - 0.35, f"{rank:.0f}", fontsize=sheet.small_pt, ha="center", va="bottom")
    end_of_difference = x(min(1 + difference, last))
    axes.plot([x(1), end_of_difference], [0.95, 0.95], "|-", color=GREY, lw=0.9, ms=4)
    beyond = ", beyond the axis" if 1 + difference > last else ""
    axes.text(x(1), 0.75, f"CD {difference:.2f}{beyond}", fontsize=sheet.small_pt, color=GREY, va="bottom")
    for first, final, level in panel.bars:
        place = AXIS + GAP + BAR * (level + 0.5)
        axes.plot(
            [x(ranks[first]) - 0.006, x(ranks[final]) + 0.006], [place, place], "-", color="#000000", lw=2.6,
            solid_capstyle="butt", zorder=4,
        )  # fmt: skip
    _draw_names(axes, panel, [x(rank) for rank in ranks], sheet)


def _draw_names(axes: Axes, panel: Panel, at: Sequence[float], sheet: Sheet) -> None:
    """Draw the names: the best half downwards on the left, the rest upwards on the right, so that no lines cross."""
    sides = (range(panel.left), range(len(at) - 1, panel.left - 1, -1))
    elbows: list[tuple[float, float]] = []
    for side, edge, align in ((sides[0], SIDE - 0.03, "right"), (sides[1], 1 - SIDE + 0.03, "left")):
        top = panel.top
        for place in side:
            room = panel.labels[place].count("\n") + 1.15
            middle = top + room / 2
            elbows += [(at[place], AXIS), (at[place], middle), (edge, middle), (math.nan, math.nan)]
            look = sheet.looks[str(panel.rows["strategy"].iloc[place])]
            axes.plot([at[place]], [AXIS], look.marker, color=look.colour, ms=3.5, zorder=5)
            inner = edge - 0.01 if align == "right" else edge + 0.01
            axes.text(inner, middle, panel.labels[place], fontsize=sheet.small_pt, ha=align, va="center")
            top += room
    axes.plot(*zip(*elbows, strict=True), "-", color=GREY, lw=0.7, zorder=2)
