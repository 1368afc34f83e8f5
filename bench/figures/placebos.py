"""Placebos: strategies against copies of themselves, over all collections. Their ratios should be 1."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from bench.figures.panels import ratio_row
from bench.figures.style import COLOURS, GREY, NothingToDrawError, Sheet, begin, end, log_scale, name_rows
from bench.figures.wrapping import wrap
from bench.say.phrases import counted, listed
from bench.verdicts.pairs.noise import ALL
from bench.verdicts.run_tables import Run

TITLE = "Placebos: the same strategy against itself"
INSTRUMENT, PRESENTATION = KINDS = ("instrument", "presentation")
FORMS = {INSTRUMENT: "same forms again", PRESENTATION: "other forms"}
MARKERS = {INSTRUMENT: "o", PRESENTATION: "D"}
EDGES = ["ratio", "ratio_lo", "ratio_hi"]
ROW = 1.5  # height of a row, in font sizes
NAME_SHARE = 0.34  # maximum width of the strategies' names, as a share of the figure
LEAST, MOST = 1.1, 4.0  # minimum and maximum extent of the axis from 1
ALARM = COLOURS[1]
NOISE = "#cfe3f1"


def data(run: Run) -> pd.DataFrame:
    """Select the rows of ``noise.csv`` on all collections together that have a ratio, by strategy."""
    rows = run.noise[run.noise["ratio"].notna() & (run.noise["collection"] == ALL)]
    if rows.empty:
        raise NothingToDrawError("the run has no placebo that finished a puzzle which its strategy finished too")
    place = rows["placebo"].map({kind: number for number, kind in enumerate(KINDS)})
    order = rows.assign(place=place).sort_values(["strategy", "place"], kind="stable")
    return order.drop(columns="place").reset_index(drop=True)


def message(table: pd.DataFrame) -> str:
    """Return what the placebos say, as one sentence."""
    disturbed = sorted(set(table.loc[table["disturbed"] == "yes", "strategy"]))
    if disturbed:
        return f"DISTURBED: {listed(disturbed)} differed from its own placebo by more than chance."
    levels = [level for _, level in _noise(table)]
    noise = f"; the noise of the instrument is at most {max(levels) - 1:.1%}" if levels else ""
    known = table[table["ratio_lo"].notna()]
    within = int(((known["ratio_lo"] <= 1) & (known["ratio_hi"] >= 1)).sum())
    return f"{within} of {counted(len(known), 'interval')} {'includes' if within == 1 else 'include'} 1{noise}."


def caption(table: pd.DataFrame, _sheet: Sheet) -> str:
    """Return the caption, with the noise of the instrument."""
    levels = [f"{name} {level - 1:.1%}" for name, level in _noise(table)]
    shaded = f" Shaded: noise of the instrument, the far end of that interval ({', '.join(levels)})." if levels else ""
    old = sorted(set(table.loc[table["aging"].fillna(0.0) > 0, "strategy"]))
    aging = f" {', '.join(old)}: slower with the age of a process; those of placebos are younger." if old else ""
    return (
        f"{message(table)} CPU time of the placebo divided by that of the strategy: geometric mean over all puzzles"
        f" with its 95% interval.{shaded} Presentation: effect of the choice of forms. No verdict depends on"
        f" placebos; noise.csv has each collection.{aging}"
    )


def _noise(table: pd.DataFrame) -> list[tuple[str, float]]:
    """Return each strategy with an instrument placebo, and the noise of the instrument."""
    rows = table[(table["placebo"] == INSTRUMENT) & table["resolvable"].notna()]
    return [(str(name), float(level)) for name, level in zip(rows["strategy"], rows["resolvable"], strict=True)]


def draw(table: pd.DataFrame, sheet: Sheet) -> Figure:
    """Draw a block of rows for each strategy, one row for each of its placebos."""
    names = list(dict.fromkeys(table["strategy"]))
    labels = [wrap(name, sheet.width_in * NAME_SHARE, sheet.small_pt) for name in names]
    heights = [
        max(label.count("\n") + 1.0, float((table["strategy"] == name).sum())) + 0.6
        for name, label in zip(names, labels, strict=True)
    ]
    tops = np.cumsum(heights) - np.array(heights)
    figure, [axes] = begin(sheet, (sum(heights) * ROW * sheet.small_pt / 72 + 0.6) / sheet.scale)
    reach, noise = _reach(table), dict(_noise(table))
    log_scale(axes, "x", 1 / reach, reach, lambda value: f"{value:.3g}")
    for name, top, height in zip(names, tops, heights, strict=True):
        if name in noise:
            axes.fill_betweenx(
                [top + 0.1, top + height - 0.1], 1 / noise[name], noise[name], color=NOISE, lw=0, zorder=0
            )
        rows = table[table["strategy"] == name].astype(dict.fromkeys(EDGES, float)).to_dict("records")
        for number, row in enumerate(rows):
            is_disturbed, kind = row["disturbed"] == "yes", row["placebo"]
            look = (ALARM, "X") if is_disturbed else (COLOURS[0], MARKERS[kind])
            at, ends = top + height / 2 + number - (len(rows) - 1) / 2, (row["ratio_lo"], row["ratio_hi"])
            ratio_row(axes, at, row["ratio"], ends, (*look, kind == INSTRUMENT), 5.0)
    axes.axvline(1.0, color=GREY, lw=0.9, zorder=1)
    axes.set_ylim(sum(heights), 0)
    name_rows(axes, tops + np.array(heights) / 2, labels, sheet)
    axes.set_xlabel("ratio of CPU times (log scale)")
    handles = _handles(table)
    return end(figure, sheet, TITLE, caption(table, sheet), handles)


def _reach(table: pd.DataFrame) -> float:
    """Return the extent of the axis from 1: all intervals fit, up to ``MOST``."""
    ends = np.abs(np.log(table[EDGES].to_numpy(dtype=float)))
    return math.exp(min(math.log(MOST), max(math.log(LEAST), float(np.nanmax(ends)) * 1.08)))


def _handles(table: pd.DataFrame) -> dict[str, Any]:
    """Return the legend."""
    handles: dict[str, Any] = {}
    for kind in KINDS:
        if kind in set(table["placebo"]):
            face = COLOURS[0] if kind == INSTRUMENT else "#ffffff"
            handles[f"{kind}: {FORMS[kind]}"] = Line2D([], [], color=COLOURS[0], marker=MARKERS[kind], ms=5, mfc=face)
    if _noise(table):
        handles["noise of the instrument"] = Patch(color=NOISE, lw=0)
    if (table["disturbed"] == "yes").any():
        handles["disturbed"] = Line2D([], [], color=ALARM, marker="X", ms=6, lw=2.0)
    return handles
