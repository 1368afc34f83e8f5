"""Heat map of strategies × collections: cells show median times, coloured by the ratio to the fastest strategy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bench.figures.panels import width_of
from bench.figures.profile import factor_text
from bench.figures.style import GREY, NothingToDrawError, Sheet, begin, end, log_scale, wrap
from bench.say.phrases import seconds
from bench.verdicts.run_data import DISQUALIFYING
from bench.verdicts.run_tables import Run
from bench.verdicts.spread.distributions import medians

TITLE = "Median time of each strategy on each collection"
COLOURS = "YlGnBu"  # light to dark, also for colour-blind readers and in greyscale (Brewer 2003)
HIGHEST = 1000.0  # all larger ratios have the same colour
NAMES_SHARE = 0.34  # maximum width of the strategies' names, as a share of the figure
CELL_IN = 0.86  # width on a screen
BAR_IN, AROUND_BAR_IN = 0.13, 0.7  # height of the colour bar, and of its labels and the space around it
LEAST_ROW_IN = 0.16
HEADING_IN = 1.6  # maximum height of a vertical collection name
LINE = 1.3  # line spacing in font sizes
SMALLEST_PT = 4.5  # smallest font size used
SMALLER = 0.8  # font size of intervals relative to medians
EMPTY, HATCH = "#f4f4f4", "#cccccc"
UNFINISHED = {"timeouts": "late", "errors": "error", "memouts": "no memory", "gave_up": "gave up"}
LATE = "late"
CELL_COLUMNS = (
    *("strategy", "collection", "n_puzzles", "finished", "median_s", "lo_s", "hi_s"),
    "ratio",  # to the lowest median of the collection; a lower bound if most puzzles were not finished
    "limit_s",
    "state",  # empty if the median is known, otherwise the reason why it is not
)


Below = Literal["interval", "unit", ""]
BELOW: tuple[tuple[Below, float], ...] = (("interval", SMALLER), ("", 1.0), ("unit", 1.0))  # with relative font sizes


@dataclass(frozen=True)
class Cells:
    """The data of the figure.

    Attributes:
        table: a row per strategy and collection, columns ``CELL_COLUMNS``; times as in
            ``bench.verdicts.spread.distributions``.
        strategies: from fast to slow.
        collections: in the order of the run.
    """

    table: pd.DataFrame
    strategies: tuple[str, ...]
    collections: tuple[str, ...]


@dataclass(frozen=True)
class CellText:
    """The amount and size of the text in cells.

    Attributes:
        size_pt: font size of medians, 0 if cells have no text; intervals are slightly smaller.
        below: second line: the ``interval``, the ``unit`` in the narrowest cells, or nothing.
        room_in: maximum width of a line.
    """

    size_pt: float
    below: Below
    room_in: float

    @property
    def height_in(self) -> float:
        """The height that the text of a cell needs."""
        return self.size_pt * (2.9 if self.below else 1.8) / 72


def data(run: Run) -> Cells:
    """Collect the medians of ``summary.csv`` with their intervals, and their ratios to the lowest of the collection."""
    intervals = medians(run)[["strategy", "collection", "finished", "lo_s", "hi_s"]]
    table = run.summary.merge(intervals, on=["strategy", "collection"], how="left")
    if table.empty:
        raise NothingToDrawError("the run has no measurements")
    all_cells = pd.MultiIndex.from_product([sorted(set(table["strategy"])), run.collections])
    table = table.drop_duplicates(["strategy", "collection"]).set_index(["strategy", "collection"]).reindex(all_cells)
    table = table.rename_axis(["strategy", "collection"]).reset_index()
    table["state"] = [_state(line) for line in table.to_dict("records")]
    best = table.groupby("collection")["median_s"].transform("min")
    table["ratio"] = table["median_s"].mask(table["state"] == LATE, table["limit_s"]) / best
    used = tuple(name for name in run.collections if table.loc[table["collection"] == name, "n_puzzles"].notna().any())
    return Cells(table[list(CELL_COLUMNS)], _from_fast_to_slow(table), used)


def _state(line: Mapping[Any, Any]) -> str:
    """Return the reason why a cell has no median; empty if it has one."""
    if math.isnan(line["n_puzzles"]):
        return "not run"
    for reason in (*DISQUALIFYING, "unsupported"):
        if line[reason]:
            return reason
    if not math.isnan(line["median_s"]):
        return ""
    most = max(UNFINISHED, key=lambda status: line[status])
    return UNFINISHED[most] if line[most] else "not timed"


def _from_fast_to_slow(table: pd.DataFrame) -> tuple[str, ...]:
    """Order strategies by the geometric mean of ratios; a missing ratio counts as twice the largest one there."""
    ratios = table.pivot(index="strategy", columns="collection", values="ratio").astype(float).map(math.log)
    order = ratios.fillna(ratios.max() + math.log(2)).mean(axis=1).where(ratios.notna().any(axis=1))
    return tuple(str(name) for name in order.sort_values(kind="stable", na_position="last").index)


def caption(cells: Cells, sheet: Sheet) -> str:
    """Return the caption."""
    return _caption(cells, layout(cells, sheet).text)


def _caption(cells: Cells, text: CellText) -> str:
    states = set(cells.table["state"])
    late = " >: at least half of the puzzles not finished; coloured as if at the limit." if LATE in states else ""
    names = ", ".join(sorted(_blank(states)))
    blank = f" Hatched cells have no time: {names}." if names else ""
    if not text.size_pt:
        content = "Colours: median CPU time per solve over the puzzles; numbers omitted for lack of space."
    else:
        below = " with its 95% interval (sign test)" if text.below == "interval" else ""
        content = f"Cells: median CPU time per solve over the puzzles{below}; bold: lowest median of the collection."
    return f"{content} Darker: larger ratio to the lowest median of the collection.{late}{blank}"


def _blank(states: set[str]) -> set[str]:
    return states - {"", LATE}


@dataclass(frozen=True)
class Layout:
    """Positions and sizes, in inches.

    Attributes:
        names: wrapped names of the strategies.
        headings: wrapped names of the collections; vertical if ``turned``.
    """

    names: list[str]
    headings: list[str]
    turned: bool
    width_in: float
    row_in: float
    heading_in: float
    text: CellText


def layout(cells: Cells, sheet: Sheet) -> Layout:
    """Lay out names and cells: cells have a fixed width on a screen and share the rest of a column in a paper."""
    names = [wrap(name, sheet.width_in * NAMES_SHARE, sheet.small_pt) for name in cells.strategies]
    names_in = _widest(names, sheet) + 0.15
    width_in = sheet.width_in
    if sheet.column is None:
        width_in = max(width_in, names_in + CELL_IN * len(cells.collections) + 0.2)
    cell_in = (width_in - names_in - 0.15) / len(cells.collections)
    turned = max(width_of(name, sheet.small_pt) for name in cells.collections) > cell_in - 0.05
    headings = [wrap(name, HEADING_IN, sheet.small_pt) for name in cells.collections] if turned else cells.collections
    text = cell_text(cells.table, cell_in, sheet)
    line_in = LINE * sheet.small_pt / 72
    row_in = max(max(name.count("\n") + 1 for name in names) * line_in, LEAST_ROW_IN, text.height_in)
    heading_in = (_widest(headings, sheet) if turned else line_in) + line_in + 0.15
    return Layout(names, list(headings), turned, width_in, row_in, heading_in, text)


def _widest(texts: Sequence[str], sheet: Sheet) -> float:
    return max(width_of(line, sheet.small_pt) for text in texts for line in text.splitlines())


def draw(cells: Cells, sheet: Sheet) -> Figure:
    """Draw the heat map and its colour bar."""
    places = layout(cells, sheet)
    heights = [places.row_in * len(places.names), BAR_IN]
    figure, [axes, bar] = begin(sheet, 1.0, 2, height_ratios=heights)
    figure.set_size_inches(places.width_in, sum(heights) + places.heading_in + AROUND_BAR_IN)
    axes.set_yticks(range(len(places.names)), places.names, fontsize=sheet.small_pt)
    rotation = 90 if places.turned else 0
    axes.set_xticks(range(len(places.headings)), places.headings, fontsize=sheet.small_pt, rotation=rotation)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(
        "collection", fontsize=sheet.small_pt, color=GREY, labelpad=8
    )  # the gap separates it from the names
    _draw_cells(axes, cells, places.text)
    _draw_bar(bar, cells.table)
    return end(figure, sheet, TITLE, _caption(cells, places.text))


def _draw_cells(axes: Axes, cells: Cells, text: CellText) -> None:
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set_xlim(-0.5, len(cells.collections) - 0.5)
    axes.set_ylim(len(cells.strategies) - 0.5, -0.5)
    colours, norm = mpl.colormaps[COLOURS], _norm(cells.table)
    rows, columns = ({name: i for i, name in enumerate(names)} for names in (cells.strategies, cells.collections))
    for line in cells.table[cells.table["collection"].isin(cells.collections)].to_dict("records"):
        x, y = columns[line["collection"]], rows[line["strategy"]]
        empty = bool(_blank({line["state"]}))
        face = EMPTY if empty or math.isnan(line["ratio"]) else colours(norm(line["ratio"]))
        edge, hatch = (HATCH, "////") if empty else ("#ffffff", None)
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor=edge, hatch=hatch, lw=0.8))
        _write(axes, line, (x, y), text, _ink(face))


def _norm(table: pd.DataFrame) -> LogNorm:
    highest = table["ratio"].max()
    return LogNorm(1.0, min(HIGHEST, max(2.0, highest)) if math.isfinite(highest) else 2.0, clip=True)


def _ink(face: Any) -> str:
    """Return black or white, whichever has the higher contrast (as defined by WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(face)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "#ffffff"


def _write(axes: Axes, line: Mapping[Any, Any], place: tuple[int, int], text: CellText, ink: str) -> None:
    """Write the median and the line below it into a cell, if they fit."""
    first, below = texts_of(line, text.below)
    empty = bool(_blank({line["state"]}))
    if not text.size_pt or (empty and width_of(first, text.size_pt) > text.room_in):
        return
    x, y = place
    axes.text(
        x, y - (0.19 if below else 0.0), first, ha="center", va="center", fontsize=text.size_pt, color=ink,
        fontweight="bold" if line["ratio"] == 1 and not line["state"] else "normal",
        bbox={"facecolor": EMPTY, "edgecolor": "none", "pad": 0.5} if empty else None,
    )  # fmt: skip
    if below:
        size_pt = text.size_pt * (SMALLER if text.below == "interval" else 1)
        axes.text(x, y + 0.21, below, ha="center", va="center", fontsize=size_pt, color=ink)


def _draw_bar(bar: Axes, table: pd.DataFrame) -> None:
    """Draw the colour bar."""
    norm = _norm(table)
    edges = np.geomspace(float(norm.vmin or 1), float(norm.vmax or 2), 101)
    bar.pcolormesh(edges, [0, 1], np.sqrt(edges[1:] * edges[:-1])[None], cmap=COLOURS, norm=norm, rasterized=True)
    log_scale(bar, "x", edges[0], edges[-1], factor_text)
    bar.set_yticks([])
    bar.grid(False)
    bar.set_xlabel("ratio to the lowest median (log scale)")


def cell_text(table: pd.DataFrame, cell_in: float, sheet: Sheet) -> CellText:
    """Return the most text in the largest font that fits every cell; no text (size 0) if it were unreadable."""
    timed = table[~table["state"].isin(_blank(set(table["state"])))].to_dict("records")
    room_in = cell_in - 0.05
    for below, smaller in BELOW:
        pairs = [texts_of(line, below) for line in timed]
        if below and not any(second for _, second in pairs):
            continue
        widest = max(
            (max(width_of(first, 1.0, bold=True), width_of(second, smaller)) for first, second in pairs), default=0.05
        )
        size_pt = min(sheet.small_pt, room_in / widest)
        if size_pt >= SMALLEST_PT / smaller:
            return CellText(size_pt, below, room_in)
    return CellText(0.0, "", room_in)


def texts_of(line: Mapping[Any, Any], below: Below) -> tuple[str, str]:
    """Return the first and the second line of a cell."""
    late = line["state"] == LATE
    if line["state"] and not late:
        return str(line["state"]), ""
    time = f"> {seconds(line['limit_s'])}" if late else rounded(line["median_s"])
    if below == "unit":
        number, _, unit = time.rpartition(" ")
        return number, unit
    if not below:
        return time, ""
    return time, f"{line['finished']:.0f}/{line['n_puzzles']:.0f} solved" if late else _interval(line)


def _interval(line: Mapping[Any, Any]) -> str:
    """Return both ends, with one unit if they share it; only the lower end if there is no upper bound."""
    low, high = line["lo_s"], line["hi_s"]
    if math.isnan(low) or math.isnan(high):
        return "" if math.isnan(low) else f"from {rounded(low)}"
    ends = [rounded(low), rounded(high)]
    numbers, units = zip(*(end.split() for end in ends), strict=True)
    return f"{numbers[0]}–{ends[1]}" if len(set(units)) == 1 else "–".join(ends)


def rounded(value: float) -> str:
    """Return a time with three digits, including trailing zeros: 3.00 ms."""
    number, unit = seconds(value).split()
    return f"{float(number):#.3g}".rstrip(".") + f" {unit}" if float(number) < 1000 else f"{number} {unit}"
