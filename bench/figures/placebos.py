"""Placebos: forest plot of the ratios between each strategy and its placebos, which should be 1."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from bench.figures.style import COLOURS, GREY, NothingToDrawError, Sheet, begin, end, log_scale, wrap
from bench.verdicts.pairs.noise import ALL
from bench.verdicts.run_tables import Run

TITLE = "Placebos: the same strategy against itself"
INSTRUMENT, PRESENTATION = KINDS = ("instrument", "presentation")
FORMS = {INSTRUMENT: "same forms again", PRESENTATION: "other forms"}
EDGES = ["ratio", "ratio_lo", "ratio_hi"]
LINE = 1.5  # height of a line of text, in font sizes
NAME_IN = 1.4  # maximum width of the collections' names
LEAST, MOST = 1.1, 4.0  # minimum and maximum extent of the axis from 1
ALARM = COLOURS[1]
NOISE = "#cfe3f1"


def data(run: Run) -> pd.DataFrame:
    """Select the rows of ``noise.csv`` with a ratio, by strategy: all collections together first, then each."""
    rows = run.noise[run.noise["ratio"].notna()]
    if rows.empty:
        raise NothingToDrawError("the run has no placebo that finished a puzzle which its strategy finished too")
    place = {name: number for number, name in enumerate((ALL, *run.collections))}
    order = rows.assign(place=rows["collection"].map(place)).sort_values(["strategy", "place"], kind="stable")
    return order.drop(columns="place").reset_index(drop=True)


def caption(table: pd.DataFrame, _sheet: Sheet) -> str:
    """Return the caption, with the noise of the instrument."""
    levels = [f"{name} {level - 1:.1%}" for name, level in _noise(table)]
    shaded = f" Shaded: noise of the instrument, the far end of that interval ({', '.join(levels)})." if levels else ""
    disturbed = sorted(set(table.loc[table["disturbed"] == "yes", "strategy"]))
    alarm = f" DISTURBED: {', '.join(disturbed)} differed from its own placebo by more than chance."
    old = sorted(set(table.loc[table["aging"].fillna(0.0) > 0, "strategy"]))
    aging = f" {', '.join(old)}: slower with the age of a process; those of placebos are younger." if old else ""
    return (
        "CPU time of the placebo divided by that of the strategy: geometric mean over puzzles with its 95% interval;"
        f" diamonds: all collections together.{shaded} Presentation: effect of the choice of forms. No verdict depends"
        f" on placebos.{aging}{alarm if disturbed else ''}"
    )


def _noise(table: pd.DataFrame) -> list[tuple[str, float]]:
    """Return each strategy with an instrument placebo, and the noise of the instrument over all collections."""
    rows = table[(table["collection"] == ALL) & (table["placebo"] == INSTRUMENT) & table["resolvable"].notna()]
    return [(str(name), float(level)) for name, level in zip(rows["strategy"], rows["resolvable"], strict=True)]


def draw(table: pd.DataFrame, sheet: Sheet) -> Figure:
    """Draw a panel for each kind of placebo, with a block of rows for each strategy."""
    kinds = [kind for kind in KINDS if kind in set(table["placebo"])]
    room_in = (sheet.width_in - NAME_IN * sheet.scale) / len(kinds) * 0.9
    heads = {name: wrap(name, room_in, sheet.small_pt, bold=True) for name in dict.fromkeys(table["strategy"])}
    rows, heights = _rows(table, heads, sheet)
    bottom = sum(heights) + 0.3
    figure, panels = begin(
        sheet, (bottom * LINE * sheet.small_pt / 72 + 1.15) / sheet.scale, 1, len(kinds), sharey=True
    )
    places = dict(zip(rows, np.cumsum(heights) - np.array(heights) / 2, strict=True))
    reach = _reach(table)
    for axes, kind in zip(panels, kinds, strict=True):
        _draw_noise(axes, table, places)
        for row in table[table["placebo"] == kind].to_dict("records"):
            _draw_ratio(axes, row, places[row["strategy"], row["collection"]], reach)
        axes.axvline(1.0, color=GREY, lw=0.9, zorder=1)
        log_scale(axes, "x", 1 / reach, reach, lambda value: f"{value:.3g}")
        axes.set_title(wrap(f"{kind}: {FORMS[kind]}", room_in, sheet.font_pt), loc="left")
        axes.set_xlabel("ratio of CPU times (log scale)")
        axes.set_ylim(bottom, 0)
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
    ticks = [key for key in rows if key[1]]
    labels = [wrap(key[1], NAME_IN * sheet.scale, sheet.small_pt) for key in ticks]
    panels[0].set_yticks([places[key] for key in ticks], labels, fontsize=sheet.small_pt)
    for name, head in heads.items():
        panels[0].text(
            0.01, places[name, ""], head, transform=panels[0].get_yaxis_transform(), fontsize=sheet.small_pt,
            fontweight="bold", va="center", zorder=6, bbox={"facecolor": "#ffffff", "pad": 0.5, "lw": 0},
        )  # fmt: skip
    handles = _handles(table)
    return end(figure, sheet, TITLE, caption(table, sheet), dict.fromkeys(handles, ""), handles=list(handles.values()))


def _rows(table: pd.DataFrame, heads: Mapping[str, str], sheet: Sheet) -> tuple[list[tuple[str, str]], list[float]]:
    """Return the strategy and collection ("" for a heading) of each row from the top, and row heights in lines."""
    rows: list[tuple[str, str]] = []
    heights: list[float] = []
    for name, group in table.groupby("strategy", sort=False):
        rows.append((str(name), ""))
        heights.append(heads[str(name)].count("\n") + 1.3)
        for collection in dict.fromkeys(group["collection"]):
            rows.append((str(name), str(collection)))
            heights.append(wrap(str(collection), NAME_IN * sheet.scale, sheet.small_pt).count("\n") + 1.0)
    return rows, heights


def _reach(table: pd.DataFrame) -> float:
    """Return the extent of the axis from 1: all intervals fit, up to ``MOST``."""
    ends = np.abs(np.log(table[EDGES].to_numpy(dtype=float)))
    return math.exp(min(math.log(MOST), max(math.log(LEAST), float(np.nanmax(ends)) * 1.08)))


def _draw_noise(axes: Axes, table: pd.DataFrame, places: Mapping[tuple[str, str], float]) -> None:
    """Shade the noise of the instrument around each strategy with an instrument placebo."""
    for name, level in _noise(table):
        rows = [place for (strategy, _), place in places.items() if strategy == name]
        axes.fill_betweenx([rows[0], rows[-1] + 0.5], 1 / level, level, color=NOISE, lw=0, zorder=0)


def _draw_ratio(axes: Axes, row: Mapping[Any, Any], place: float, reach: float) -> None:
    """Draw a ratio and its interval; an arrow if it extends beyond the axis, a cross if it was disturbed."""
    is_total, colour = row["collection"] == ALL, ALARM if row["disturbed"] == "yes" else COLOURS[0]
    marker = "X" if row["disturbed"] == "yes" else "D" if is_total else "o"
    if not pd.isna(row["ratio_lo"]):
        axes.plot([row["ratio_lo"], row["ratio_hi"]], [place, place], "-", color=colour, lw=2.0 if is_total else 1.1)
        if row["ratio_lo"] < 1 / reach:
            axes.plot([1 / reach], [place], "<", color=colour, ms=4, clip_on=False, zorder=4)
        if row["ratio_hi"] > reach:
            axes.plot([reach], [place], ">", color=colour, ms=4, clip_on=False, zorder=4)
    if 1 / reach <= row["ratio"] <= reach:
        size, face = (6.0, colour) if is_total else (4.0, "#ffffff")
        axes.plot([row["ratio"]], [place], marker, color=colour, ms=size, mfc=face, zorder=5)


def _handles(table: pd.DataFrame) -> dict[str, Any]:
    """Return the legend."""
    handles: dict[str, Any] = {
        "all collections together": Line2D([], [], color=COLOURS[0], marker="D", ms=6, lw=2.0),
        "one collection": Line2D([], [], color=COLOURS[0], marker="o", ms=4, mfc="#ffffff", lw=1.1),
        "noise of the instrument": Patch(color=NOISE, lw=0),
    }
    if (table["disturbed"] == "yes").any():
        handles["disturbed"] = Line2D([], [], color=ALARM, marker="X", ms=6, lw=2.0)
    return handles
