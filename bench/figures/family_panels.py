"""Many strategies over difficulty: a panel per family, with all other strategies in grey behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.difficulty_lines import (
    CLEAR,
    DIFFICULTY,
    Lines,
    draw_crossing,
    draw_strategy,
    scale,
    unfinished,
    without_bands,
)
from bench.figures.panels import fewer_ticks, grey_line, name_axes, panels, width_in, width_of
from bench.figures.sheet import other_sizes_note
from bench.figures.style import Sheet, end, legend_line
from bench.figures.wrapping import wrap
from bench.say.phrases import seconds
from bench.verdicts.pairs.evidence import significant

HEIGHT_IN = 1.6
POINTS = 150  # approximate number per strategy; more would hide the curves
SPLIT = 8  # strategies of a family; a larger family has one panel per model
HANDLE_EM = 3.2  # width of the line in a legend entry and the space around it, in font sizes
SHOWN = 10  # maximum number of strategies in a panel
BANDS_DRAWN = 5  # maximum number of strategies in a panel with bands


@dataclass(frozen=True)
class Families:
    """The data of the figure.

    Attributes:
        lines: points and curves of all strategies.
        panels: for each panel, its strategies and their short names within the panel.
        hidden: for each panel, the number of its strategies drawn in grey only.
        omitted: names of the panels of slower strategies that exceed the maximum number.
    """

    lines: Lines
    panels: dict[str, dict[str, str]]
    hidden: dict[str, int]
    omitted: tuple[str, ...]


def families(lines: Lines, most: int) -> Families | None:
    """Group many strategies by family, or by family and model if a family is large or the only one.

    None if the strategies are few enough for one plot, or all of one kind.

    Args:
        most: maximum number of panels.
    """
    groups = grouped(lines.strategies)
    if len(lines.strategies) <= CLEAR or len(groups) < 2:
        return None
    medians = lines.points.groupby("strategy")["cpu_s"].median()
    fast = sorted(groups, key=lambda panel: (min(medians[name] for name in groups[panel]), panel))[:most]
    shown = {panel: sorted(names, key=lambda name: medians[name])[:SHOWN] for panel, names in groups.items()}
    return Families(
        lines,
        {panel: {name: groups[panel][name] for name in sorted(shown[panel])} for panel in groups if panel in fast},
        {panel: len(groups[panel]) - len(shown[panel]) for panel in groups if panel in fast},
        tuple(panel for panel in groups if panel not in fast),
    )


def grouped(names: list[str]) -> dict[str, dict[str, str]]:
    """Return the strategies of each panel with their short names, which omit the part that the panel shares."""
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(name.partition(":")[0], []).append(name)
    groups: dict[str, dict[str, str]] = {}
    for family, members in families.items():
        for name in members:
            rest = name.partition(":")[2] or name
            if len(members) <= SPLIT and len(families) > 1:
                groups.setdefault(family, {})[name] = rest
                continue
            model = min((rest.partition(mark)[0] for mark in "+@"), key=len)
            groups.setdefault(f"{family}:{model}", {})[name] = rest[len(model) :].lstrip("+@") or rest
    return dict(sorted(groups.items()))


def caption(families: Families, sheet: Sheet) -> str:
    """Return the caption."""
    late = f" Hollow marks at the limit of {seconds(sheet.limit_s)}: not finished." if _late(families.lines) else ""
    has_bands = any(len(names) <= BANDS_DRAWN for names in families.panels.values())
    bands = f", with 95% bands in panels of at most {BANDS_DRAWN} strategies" if has_bands else ""
    hidden = {panel: number for panel, number in families.hidden.items() if number}
    counts = "; ".join(f"{number} more of {panel}" for panel, number in hidden.items())
    also_grey = f" Slower strategies in grey only: {counts}." if counts else ""
    omitted = f" Slower, without a panel: {', '.join(families.omitted)}." if families.omitted else ""
    curves = f" Lines: local medians{bands}; grey: all other strategies." if len(families.lines.curves) else ""
    curves += rings_note(families.lines)
    step = point_step(families.lines.points)
    thinned_note = f"; one in {step} is drawn, in order of difficulty" if step > 1 else ""
    sizes = other_sizes_note(families.lines.omitted)
    return f"Each point is a puzzle (median over its forms{thinned_note}).{curves}{late}{also_grey}{omitted}{sizes}"


def rings_note(lines: Lines) -> str:
    """Return the sentences on the crossovers that are drawn, with a leading space; empty if there are none."""
    claims = [
        f"above {significant(row['crossover'], 2)} [{significant(row['lo'], 2)}, {significant(row['hi'], 2)}] guesses"
        f" {row['faster_above']} is faster than {row['faster_below']}"
        for row in lines.crossings.to_dict("records")
    ]
    return f" Rings: {'; '.join(claims)}." if claims else ""


def _late(lines: Lines) -> bool:
    return bool(lines.points["cpu_s"].eq(float("inf")).any())


def draw(families: Families, sheet: Sheet, title: str) -> Figure:
    """Draw a panel for each family."""
    points = thinned(families.lines.points)
    figure, axes = panels(sheet, [""] * len(families.panels), HEIGHT_IN)
    for panel, (name, names) in zip(axes, families.panels.items(), strict=True):
        _draw_family(panel, name, names, families.lines, points, sheet)
    fewer_ticks(axes, sheet)
    _make_room(figure, axes)
    end(figure, sheet, title, caption(families, sheet))
    name_axes(figure, axes, sheet, DIFFICULTY, "CPU time per solve (log scale)")
    return figure


def thinned(points: pd.DataFrame) -> pd.DataFrame:
    """Select points of each strategy evenly from easy to hard."""
    step = point_step(points)
    ordered = points.sort_values(["strategy", "guesses"], kind="stable")
    return ordered[ordered.groupby("strategy").cumcount() % step == 0] if step > 1 else points


def point_step(points: pd.DataFrame) -> int:
    """Return n if one in n points of a strategy is drawn."""
    return math.ceil(int(points["strategy"].value_counts().max()) / POINTS)


def _draw_family(
    axes: Axes, title: str, names: dict[str, str], lines: Lines, points: pd.DataFrame, sheet: Sheet
) -> None:
    for strategy, curve in lines.curves.groupby("strategy"):
        if strategy not in names:
            grey_line(axes, curve["x"], curve["median_s"], sheet)
    curves = lines.curves if len(names) <= BANDS_DRAWN else without_bands(lines.curves)
    for name in names:
        draw_strategy(axes, Lines(points, curves, lines.crossings), name, sheet.looks[name], sheet)
    for line in lines.crossings[lines.crossings["faster_above"].isin(list(names))].to_dict("records"):
        draw_crossing(axes, line, lines.curves)
    scale(axes, lines.points, sheet, limit_text=False)
    room_in = width_in([axes], sheet) - HANDLE_EM * sheet.small_pt / 72
    labels = [_label(name, rest, lines.points, room_in, sheet) for name, rest in names.items()]
    widest = max(width_of(line, sheet.small_pt) for label in labels for line in label.splitlines())
    columns = 2 if len(labels) > 3 and 2 * widest < room_in - HANDLE_EM * sheet.small_pt / 72 else 1
    axes.legend(
        [legend_line(sheet.looks[name]) for name in names],
        labels, ncols=columns, columnspacing=0.8,
        title=wrap(title, width_in([axes], sheet), sheet.font_pt, bold=True),
        title_fontproperties={"weight": "bold", "size": sheet.font_pt},
        alignment="left", loc="lower left", bbox_to_anchor=(-0.02, 1.0), borderaxespad=0.1, borderpad=0.1,
        fontsize=sheet.small_pt, labelspacing=0.25, handlelength=HANDLE_EM - 1.0, handletextpad=0.5,
    )  # fmt: skip


def _label(name: str, rest: str, points: pd.DataFrame, room_in: float, sheet: Sheet) -> str:
    note = unfinished(points, name)
    return wrap(rest, room_in, sheet.small_pt) + (f"\n  {note}" if note else "")


def _make_room(figure: Figure, axes: list[Axes]) -> None:
    """Enlarge the figure by the legends above its panels."""
    heights: dict[int, float] = {}
    for panel in axes:
        legend, spec = panel.get_legend(), panel.get_subplotspec()
        if legend is not None and spec is not None:
            row = spec.rowspan.start
            heights[row] = max(heights.get(row, 0.0), legend.get_window_extent().height / figure.dpi)
    width_in, height_in = figure.get_size_inches()
    figure.set_size_inches(width_in, height_in + sum(heights.values()))
