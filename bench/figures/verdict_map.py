"""Verdict map of strategies × collections: median times, coloured by the ratio to the lowest, and who is fastest.

Strategies that stand apart (``groups.apart``) are the upper rows, and each group has a reference of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, LogNorm, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from sudoku_bench.bench.figures import style
from sudoku_bench.bench.figures.style import NothingToDrawError, Sheet
from sudoku_bench.bench.say.phrases import counted, seconds
from sudoku_bench.bench.verdicts.answer import leaders
from sudoku_bench.bench.verdicts.groups import apart
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "Which strategy is fastest on which collection"
COLOURS = "YlGnBu"  # light to dark, also for colour-blind readers and in greyscale (Brewer 2003)
DARKEST = 0.85  # the part of the colours that is used
HIGHEST = 1000.0  # all larger ratios have the same colour
UNSOLVED = "#333333"
GROUP_GAP = 0.25  # between groups, in rows
GROUPS = " The leading group has the upper rows and a reference of its own."
AROUND_IN = 1.3  # height of colour bar and legend in a column of a paper
HEADING_IN = 1.6  # maximum height of a vertical collection name
FRAME_PT = 1.6  # of the fastest
EMPTY, HATCH = "#f4f4f4", "#cccccc"
UNFINISHED = {"timeouts": "late", "errors": "error", "memouts": "no memory", "gave_up": "gave up"}
LATE = "late"
CELL = ["strategy", "collection"]
FASTEST, SHARED = "fastest", "not shown to be slower"
DASHES: Mapping[str, Any] = {FASTEST: "-", SHARED: (0, (2.5, 1.5))}


@dataclass(frozen=True)
class Cells:
    """The data of the figure.

    Attributes:
        table: a row per strategy and collection: those of ``summary.csv``, finished (puzzles), ratio (to the lowest
            median of the group there; a lower bound if most puzzles were not finished), state (empty if the median is
            known, else why it is not), place (``FASTEST`` or ``SHARED`` by the verdicts on pairs, else empty).
        strategies: those apart, then the others, each in the order that was asked for, else from fast to slow.
        collections: in the order of the run.
        apart: the strategies that are compared among themselves only.
    """

    table: pd.DataFrame
    strategies: tuple[str, ...]
    collections: tuple[str, ...]
    apart: tuple[str, ...] = ()


def data(run: Run) -> Cells:
    """Collect the medians of ``summary.csv``, their ratios to the lowest of the group, and who is fastest."""
    finished = np.isfinite(run.per_puzzle["cpu_s"]).groupby([run.per_puzzle[key] for key in CELL]).sum()
    table = run.summary.merge(finished.rename("finished"), on=CELL, how="left")
    if table.empty:
        raise NothingToDrawError("the run has no measurements")
    all_cells = pd.MultiIndex.from_product([sorted(set(table["strategy"])), run.collections])
    table = table.drop_duplicates(CELL).set_index(CELL).reindex(all_cells).rename_axis(CELL).reset_index()
    table["state"] = [state_of(line) for line in table.to_dict("records")]
    is_apart = table["strategy"].isin(apart(run))
    best = table.groupby([is_apart, "collection"])["median_s"].transform("min")
    table["ratio"] = table["median_s"].mask(table["state"] == LATE, table["limit_s"]) / best
    alone = leaders(run)
    keys = zip(table["strategy"], table["collection"], strict=True)
    table["place"] = [(FASTEST if alone[key] else SHARED) if key in alone else "" for key in keys]
    used = tuple(name for name in run.collections if table.loc[table["collection"] == name, "n_puzzles"].notna().any())
    if not used:  # of a damaged run
        raise NothingToDrawError("no row is of a puzzle in puzzles.csv")
    groups = [table[group] for group in (is_apart, ~is_apart) if group.any()]
    strategies = [name for group in groups for name in run.selection.ordered(_from_fast_to_slow(group))]
    return Cells(table, tuple(strategies), used, apart(run))


def state_of(line: Mapping[Any, Any]) -> str:
    """Return the reason why a cell has no median; empty if it has one."""
    if math.isnan(line["n_puzzles"]):
        return "not run"
    if line["disqualified"]:
        return str(line["disqualified"].partition(":")[0])
    if line["unsupported"]:
        return "unsupported"
    if not math.isnan(line["median_s"]):
        return ""
    most = max(UNFINISHED, key=lambda status: line[status])
    return UNFINISHED[most] if line[most] else "not timed"


def _from_fast_to_slow(table: pd.DataFrame) -> tuple[str, ...]:
    """Order strategies by the geometric mean of ratios; a missing ratio counts as twice the largest one there."""
    ratios = table.pivot(index="strategy", columns="collection", values="ratio").astype(float).map(math.log)
    order = ratios.fillna(ratios.max() + math.log(2)).mean(axis=1).where(ratios.notna().any(axis=1))
    return tuple(str(name) for name in order.sort_values(kind="stable", na_position="last").index)


def is_blank(state: str) -> bool:
    """Return whether a cell in this state has neither a median nor a bound of it."""
    return state not in ("", LATE)


def caption(cells: Cells, sheet: Sheet) -> str:
    """Return the caption."""
    states, places = sorted(set(cells.table["state"])), layout(cells, sheet)
    late = (
        " Dark grey: at least half of the puzzles not solved within the limit; below it, how many of those tried were."
        if LATE in states
        else ""
    )
    names = ", ".join(filter(is_blank, states))
    blank = f" Hatched cells have no time: {names}." if names else ""
    hidden = len(cells.strategies) - len(places.names)
    slower = f" {counted(hidden, 'slower strategy', 'slower strategies')} not shown." if hidden else ""
    content = "Cells: median CPU time per solve over the puzzles."
    if places.has_ratios:
        content = f"{content[:-1]}, with its ratio to the lowest median; verdicts compare puzzle by puzzle instead."
    if not places.size_pt:
        content = "Colours: median CPU time per solve over the puzzles; numbers omitted for lack of space."
    frames = (
        " Solid frame: the fastest of all (with unfinished solves: it solved most); dashed: not shown to be slower."
        if cells.table["place"].ne("").any()
        else ""
    )
    groups = GROUPS if cells.apart else ""
    return f"{content} Darker: larger ratio to the lowest median.{groups}{frames}{late}{blank}{slower}"


@dataclass(frozen=True)
class Layout:
    """Positions and sizes, in inches.

    Attributes:
        names: wrapped names of the strategies that fit.
        headings: wrapped names of the collections; vertical if ``turned``.
        size_pt: font size in cells, 0 if they have no text.
        has_ratios: whether the second line of a cell is the ratio; in the narrowest cells it is the unit.
    """

    names: list[str]
    headings: list[str]
    turned: bool
    row_in: float
    heading_in: float
    cell_in: float
    size_pt: float
    has_ratios: bool


def layout(cells: Cells, sheet: Sheet) -> Layout:
    """Lay out names and cells, which share the rest of the width."""
    names = [style.short(name, sheet) for name in cells.strategies]
    names_in = max(style.width_of(name, sheet.small_pt) for name in names)
    cell_in = (sheet.width_in - names_in - 0.2) / len(cells.collections)
    turned = max(style.width_of(name, sheet.small_pt) for name in cells.collections) > cell_in
    headings = list(cells.collections)
    if turned:
        headings = [style.wrap(name, HEADING_IN, sheet.small_pt) for name in headings]
    sizes = {ratios: text_size(cells.table, cell_in, sheet, ratios) for ratios in (True, False)}
    has_ratios = sizes[True] >= style.SMALLEST_PT
    size_pt = sizes[has_ratios] if sizes[has_ratios] >= style.SMALLEST_PT else 0.0
    lines = max(2.1 if size_pt else 1.2, *(name.count("\n") + 1.0 for name in names))
    row_in = (style.LINE * lines + 0.2) * sheet.small_pt / 72
    heading_in = max(style.width_of(name, sheet.small_pt) for name in headings) if turned else sheet.small_pt / 72
    fitting = sheet.rows_that_fit(row_in, heading_in + AROUND_IN)
    return Layout(names[:fitting], headings, turned, row_in, heading_in, cell_in, size_pt, has_ratios)


def draw(cells: Cells, sheet: Sheet) -> Figure:
    """Draw the heat map and its colour bar."""
    places = layout(cells, sheet)
    at = [row + (GROUP_GAP if row >= len(cells.apart) > 0 else 0.0) for row in range(len(places.names))]
    figure, [axes] = style.begin(sheet, (places.row_in * (at[-1] + 1) + places.heading_in + AROUND_IN) / sheet.scale)
    style.name_rows(axes, at, places.names, sheet)
    rotation = 90 if places.turned else 0
    axes.set_xticks(range(len(places.headings)), places.headings, fontsize=sheet.small_pt, rotation=rotation)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    shades = shades_of(cells)
    _draw_cells(axes, cells, dict(zip(cells.strategies, at, strict=False)), shades, places)
    bar = figure.colorbar(shades, ax=axes, location="bottom", aspect=40, pad=0.02)
    if bar.solids:
        bar.solids.set(rasterized=False, edgecolor="face")
    style.log_scale(bar.ax, "x", 1.0, float(bar.ax.get_xlim()[1]), style.factor_text, most=5)
    bar.set_label("ratio to the lowest median (log scale)", fontsize=sheet.small_pt)
    handles = {
        place: Patch(facecolor="none", edgecolor="#000000", lw=FRAME_PT * 0.75, ls=dashes)
        for place, dashes in DASHES.items()
        if place in set(cells.table["place"])
    }
    if LATE in set(cells.table["state"]):
        handles["half not finished"] = Patch(facecolor=UNSOLVED)
    return style.end(figure, sheet, TITLE, caption(cells, sheet), handles)


def _draw_cells(axes: Axes, cells: Cells, rows: Mapping[str, float], shades: ScalarMappable, places: Layout) -> None:
    """Draw the cells of the strategies that have a place in ``rows``."""
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set_xlim(-0.5, len(cells.collections) - 0.5)
    axes.set_ylim(max(rows.values()) + 0.5, -0.5)
    columns = {name: i for i, name in enumerate(cells.collections)}
    table = cells.table
    inside = table["collection"].isin(cells.collections) & table["strategy"].isin(rows)
    for line in table[inside].to_dict("records"):
        x, y = columns[line["collection"]], rows[line["strategy"]]
        face = face_of(line, shades)
        edge, hatch = (HATCH, "////") if is_blank(line["state"]) else ("#ffffff", None)
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor=edge, hatch=hatch, lw=0.8))
        if line["place"]:
            frame = (x - 0.46, y - 0.45), 0.92, 0.9
            axes.add_patch(Rectangle(*frame, fill=False, lw=FRAME_PT, ls=DASHES[line["place"]], zorder=4))
        if places.size_pt:
            _write(axes, line, (x, y), places, ink_on(face))


def shades_of(cells: Cells) -> ScalarMappable:
    """Return the colours of ratios, from light to dark on a log scale up to the highest, or ``HIGHEST``."""
    highest = cells.table.loc[cells.table["state"] == "", "ratio"].max()
    highest = min(HIGHEST, max(2.0, highest)) if math.isfinite(highest) else 2.0
    colours = ListedColormap(mpl.colormaps[COLOURS](np.linspace(0, DARKEST, 256)))
    return ScalarMappable(LogNorm(1.0, highest, clip=True), colours)


def face_of(line: Mapping[Any, Any], shades: ScalarMappable) -> Any:
    """Return the colour of a cell."""
    if is_blank(line["state"]):
        return EMPTY
    return UNSOLVED if line["state"] == LATE else shades.to_rgba(line["ratio"])


def ink_on(face: Any) -> str:
    """Return black or white, whichever has the higher contrast (as defined by WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(face)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "#ffffff"


def _write(axes: Axes, line: Mapping[Any, Any], place: tuple[float, float], places: Layout, ink: str) -> None:
    """Write the median and the ratio below it into a cell; or why it is empty, if that fits."""
    text, empty = "\n".join(filter(None, texts_of(line, places.has_ratios))), is_blank(line["state"])
    text = text.replace(" ", "\n") if empty else text
    if empty and style.width_of(text, places.size_pt) > places.cell_in:
        return
    axes.text(
        *place, text, fontsize=places.size_pt, color=ink, ha="center", va="center",
        fontweight="bold" if line["place"] else "normal", linespacing=1.1,
        bbox={"facecolor": EMPTY, "edgecolor": "none", "pad": 0.5} if empty else None,
    )  # fmt: skip


def text_size(table: pd.DataFrame, cell_in: float, sheet: Sheet, has_ratios: bool) -> float:
    """Return the largest font size in which the texts of every cell fit, in points."""
    timed = table[~table["state"].map(is_blank)].to_dict("records")
    texts = (text for line in timed for text in texts_of(line, has_ratios))
    widest_in = 1.1 * max((style.width_of(text, 1.0) for text in texts), default=0.05)  # bold
    return min(sheet.small_pt, 0.92 * cell_in / widest_in)


def texts_of(line: Mapping[Any, Any], has_ratio: bool = True) -> tuple[str, str]:
    """Return the median of a cell and below it the ratio, or how many it solved of those tried; or why it has none."""
    late = line["state"] == LATE
    if line["state"] and not late:
        return str(line["state"]), ""
    time = f"> {seconds(line['limit_s'])}" if late else rounded(line["median_s"])
    if not has_ratio:
        number, _, unit = time.rpartition(" ")
        return number, unit
    return time, f"{line['finished']:.0f}/{line['n_tried']:.0f}" if late else ratio_text(line["ratio"])


def ratio_text(ratio: float) -> str:
    """Format a ratio to the lowest median: 1×, 1.1×, 34×."""
    return f"{ratio:,.0f}×" if ratio >= 9.95 or ratio == 1 else f"{ratio:.1f}×"


def rounded(value: float) -> str:
    """Return a time with three digits, including trailing zeros: 3.00 ms."""
    number, unit = seconds(value).split()
    return f"{float(number):#.3g}".rstrip(".") + f" {unit}" if float(number) < 1000 else f"{number} {unit}"
