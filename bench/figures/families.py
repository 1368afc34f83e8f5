"""Solve time versus difficulty, a panel per family of strategies, with all others in grey behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.panels import MOST, fewer_ticks, grey_line, name_axes, panels, width_in, width_of
from bench.figures.style import NothingToDrawError, Sheet, end, line_of, seconds, wrap
from bench.figures.time_vs_difficulty import Lines, draw_strategy, everything, scale, unfinished, without_bands
from bench.verdicts.run_tables import Run

TITLE = "Solve time versus difficulty, by family"
HEIGHT_IN = 2.5
POINTS = 150  # of a strategy in its panel, about; more would hide the curves
SPLIT = 8  # strategies of a family; of more, each model has a panel of its own
HANDLE = 3.2  # the line beside a name, and the space around it, in sizes of letters
SHOWN = 10  # strategies in a panel
BANDS_DRAWN = 5  # of so many strategies in a panel


@dataclass(frozen=True)
class Families:
    """What is drawn.

    Attributes:
        lines: points and curves of all strategies.
        panels: for each panel its strategies by name, with the names that tell them apart within it.
        hidden: for each panel, how many further strategies it has; they are as grey as those of others.
        omitted: panels that are too many, those of slower strategies.
    """

    lines: Lines
    panels: dict[str, dict[str, str]]
    hidden: dict[str, int]
    omitted: tuple[str, ...]


def data(run: Run) -> Families:
    """Points and curves, by family; by family and model where a family has many strategies or is the only one."""
    lines = everything(run)
    middle = lines.points.groupby("strategy")["cpu_s"].median()
    groups = grouped(sorted(middle.index))
    if len(groups) < 2:
        raise NothingToDrawError("all strategies are of one kind: their times versus difficulty are one panel")
    fast = sorted(groups, key=lambda panel: (min(middle[name] for name in groups[panel]), panel))[:MOST]
    shown = {panel: sorted(names, key=lambda name: middle[name])[:SHOWN] for panel, names in groups.items()}
    return Families(
        lines,
        {panel: {name: groups[panel][name] for name in sorted(shown[panel])} for panel in groups if panel in fast},
        {panel: len(groups[panel]) - len(shown[panel]) for panel in groups if panel in fast},
        tuple(panel for panel in groups if panel not in fast),
    )


def grouped(names: list[str]) -> dict[str, dict[str, str]]:
    """For each panel the strategies that belong there, and what they are called there: without what all share."""
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(name.partition(":")[0], []).append(name)
    found: dict[str, dict[str, str]] = {}
    for family, own in families.items():
        for name in own:
            rest = name.partition(":")[2] or name
            if len(own) <= SPLIT and len(families) > 1:
                found.setdefault(family, {})[name] = rest
                continue
            model = min((rest.partition(mark)[0] for mark in "+@"), key=len)
            found.setdefault(f"{family}:{model}", {})[name] = rest[len(model) :].lstrip("+@") or rest
    return dict(sorted(found.items()))


def words(families: Families, sheet: Sheet) -> str:
    """How to read it."""
    late = f" Hollow marks at the limit of {seconds(sheet.limit_s)}: not finished." if _late(families.lines) else ""
    few = any(len(names) <= BANDS_DRAWN for names in families.panels.values())
    bands = f", with 95% bands where a panel has at most {BANDS_DRAWN} strategies" if few else ""
    hidden = {panel: number for panel, number in families.hidden.items() if number}
    more = "; ".join(f"{number} more of {panel}" for panel, number in hidden.items())
    also = f" Grey for want of room, the slower ones: {more}." if more else ""
    omitted = f" Without a panel, as slower: {', '.join(families.omitted)}." if families.omitted else ""
    sizes = f" {families.lines.omitted} puzzles of other sizes are not shown." if families.lines.omitted else ""
    curves = f"; lines: medians along the axis{bands}; grey: all other strategies" if len(families.lines.curves) else ""
    each = every(families.lines.points)
    some = f", one of {each} in order of difficulty" if each > 1 else ""
    return f"Points: puzzles, the median over their forms{some}{curves}.{late}{also}{omitted}{sizes}"


def _late(lines: Lines) -> bool:
    return bool(lines.points["cpu_s"].eq(float("inf")).any())


def draw(families: Families, sheet: Sheet) -> Figure:
    """The figure of ``Families``."""
    few = thinned(families.lines.points)
    figure, axes = panels(sheet, [""] * len(families.panels), HEIGHT_IN)
    for panel, (title, names) in zip(axes, families.panels.items(), strict=True):
        _draw_family(panel, title, names, families.lines, few, sheet)
    fewer_ticks(axes, sheet)
    _make_room(figure, axes)
    end(figure, sheet, TITLE, words(families, sheet))
    difficulty = "difficulty: mean guesses of a singles-only search (log scale of 1 + guesses)"
    name_axes(figure, axes, sheet, difficulty, "CPU time per solve (log scale)")
    return figure


def thinned(points: pd.DataFrame) -> pd.DataFrame:
    """Some of the points of each strategy, evenly from easy to hard."""
    each = every(points)
    ordered = points.sort_values(["strategy", "guesses"], kind="stable")
    return ordered[ordered.groupby("strategy").cumcount() % each == 0] if each > 1 else points


def every(points: pd.DataFrame) -> int:
    """Of how many points of a strategy one is drawn."""
    return math.ceil(int(points["strategy"].value_counts().max()) / POINTS)


def _draw_family(axes: Axes, title: str, names: dict[str, str], lines: Lines, few: pd.DataFrame, sheet: Sheet) -> None:
    for strategy, curve in lines.curves.groupby("strategy"):
        if strategy not in names:
            grey_line(axes, curve["x"], curve["median_s"], sheet)
    curves = lines.curves if len(names) <= BANDS_DRAWN else without_bands(lines.curves)
    for name in names:
        draw_strategy(axes, Lines(few, curves, lines.crossings), name, sheet.looks[name], sheet)
    scale(axes, lines.points, sheet, said=False)
    room_in = width_in([axes], sheet) - HANDLE * sheet.small_pt / 72
    labels = [_label(name, rest, lines.points, room_in, sheet) for name, rest in names.items()]
    widest = max(width_of(line, sheet.small_pt) for label in labels for line in label.splitlines())
    columns = 2 if len(labels) > 3 and 2 * widest < room_in - HANDLE * sheet.small_pt / 72 else 1
    axes.legend(
        [line_of(sheet.looks[name]) for name in names],
        labels, ncols=columns, columnspacing=0.8,
        title=wrap(title, width_in([axes], sheet), sheet.font_pt, bold=True),
        title_fontproperties={"weight": "bold", "size": sheet.font_pt},
        alignment="left", loc="lower left", bbox_to_anchor=(-0.02, 1.0), borderaxespad=0.1, borderpad=0.1,
        fontsize=sheet.small_pt, labelspacing=0.25, handlelength=HANDLE - 1.0, handletextpad=0.5,
    )  # fmt: skip


def _label(name: str, rest: str, points: pd.DataFrame, room_in: float, sheet: Sheet) -> str:
    note = unfinished(points, name)
    return wrap(rest, room_in, sheet.small_pt) + (f"\n  {note}" if note else "")


def _make_room(figure: Figure, axes: list[Axes]) -> None:
    """Let the figure grow by the legends above its panels."""
    heights: dict[int, float] = {}
    for panel in axes:
        legend, spec = panel.get_legend(), panel.get_subplotspec()
        if legend is not None and spec is not None:
            row = spec.rowspan.start
            heights[row] = max(heights.get(row, 0.0), legend.get_window_extent().height / figure.dpi)
    width_in, height_in = figure.get_size_inches()
    figure.set_size_inches(width_in, height_in + sum(heights.values()))
