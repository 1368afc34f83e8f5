"""Strategies × collections: the median time in each cell, and as its colour how many times the fastest one's it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.textpath import TextToPath

from bench.figures.profile import times_words
from bench.figures.style import RC, NothingToDrawError, Sheet, begin, end, log_scale, seconds, wrap
from bench.verdicts.frames import Run
from bench.verdicts.spreads import medians

TITLE = "Median time of each strategy on each collection"
COLOURS = "YlGnBu"  # from light to dark, also for the colour-blind and in grey (Brewer 2003)
HIGHEST = 1000.0  # ratios beyond it have one colour
NAMES_SHARE = 0.4  # of the width, at most, for the names of strategies
CELL_IN = 0.86  # width on a screen
BAR_IN, AROUND_BAR_IN = 0.13, 0.7  # heights of the scale of colours, and of its names and the space around
LEAST_ROW_IN = 0.16
HEADING_IN = 1.6  # of a name of a collection that stands upright
LINE = 1.3  # the distance of lines, in sizes of letters
SMALLEST_PT = 4.5  # of letters that are still printed
SMALLER = 0.8  # letters of intervals
EMPTY, HATCH = "#f4f4f4", "#cccccc"
UNFINISHED = {"timeouts": "late", "errors": "error", "memouts": "no memory", "gave_up": "gave up"}
LATE = "late"


@dataclass(frozen=True)
class Cells:
    """What is drawn.

    Attributes:
        table: a row per strategy and collection: strategy, collection, n_puzzles, finished, median_s, lo_s, hi_s (as in
            ``bench.verdicts.spreads``), ratio (to the fastest of the collection; of what was mostly not finished, at
            least), limit_s, and state: empty where the median is known, else why it is not.
        strategies: from fast to slow.
        collections: in the order of the run.
    """

    table: pd.DataFrame
    strategies: tuple[str, ...]
    collections: tuple[str, ...]


@dataclass(frozen=True)
class Letters:
    """How much is written into cells.

    Attributes:
        size_pt: of medians, 0 where nothing is written; of what stands below them it is a little less.
        both: whether intervals stand below the medians.
        room_in: of a line in a cell.
    """

    size_pt: float
    both: bool
    room_in: float

    @property
    def height_in(self) -> float:
        """That a cell needs."""
        return self.size_pt * (2.9 if self.both else 1.8) / 72


def data(run: Run) -> Cells:
    """Medians of ``summary.csv`` with their intervals, relative to the fastest strategy of each collection."""
    known = medians(run)[["strategy", "collection", "finished", "lo_s", "hi_s"]]
    table = run.summary.merge(known, on=["strategy", "collection"], how="left")
    if table.empty:
        raise NothingToDrawError("nothing was measured")
    every = pd.MultiIndex.from_product([sorted(set(table["strategy"])), run.collections])
    table = table.drop_duplicates(["strategy", "collection"]).set_index(["strategy", "collection"]).reindex(every)
    table = table.rename_axis(["strategy", "collection"]).reset_index()
    table["state"] = [_state(line) for line in table.to_dict("records")]
    best = table.groupby("collection")["median_s"].transform("min")
    table["ratio"] = table["median_s"].mask(table["state"] == LATE, table["limit_s"]) / best
    columns = [
        "strategy",
        "collection",
        "n_puzzles",
        "finished",
        "median_s",
        "lo_s",
        "hi_s",
        "ratio",
        "limit_s",
        "state",
    ]
    used = tuple(name for name in run.collections if table.loc[table["collection"] == name, "n_puzzles"].notna().any())
    return Cells(table[columns], _from_fast_to_slow(table), used)


def _state(line: Mapping[Any, Any]) -> str:
    """Why a cell has no median; empty if it has one."""
    if math.isnan(line["n_puzzles"]):
        return "not run"
    for reason in ("wrong", "unsupported"):
        if line[reason]:
            return reason
    if not math.isnan(line["median_s"]):
        return ""
    most = max(UNFINISHED, key=lambda status: line[status])
    return UNFINISHED[most] if line[most] else "not timed"


def _from_fast_to_slow(table: pd.DataFrame) -> tuple[str, ...]:
    """By the geometric mean of ratios; without a ratio, a strategy is as slow as the slowest there."""
    ratios = np.log(table.pivot(index="strategy", columns="collection", values="ratio").astype(float))
    filled = ratios.fillna(ratios.max() + math.log(2)).mean(axis=1)
    order = filled.where(ratios.notna().any(axis=1), math.inf).fillna(math.inf)
    return tuple(str(name) for name in order.sort_values(kind="stable").index)


def words(cells: Cells, _sheet: Sheet) -> str:
    """How to read it."""
    states = set(cells.table["state"])
    late = " >: half of the puzzles or more were not finished, coloured as if at the limit." if LATE in states else ""
    bound = ", and its 95% interval (sign test)" if _bounded(cells.table) else " (too few puzzles for an interval)"
    other = " Hatched: no time, as the word there says (wrong answers, unsupported, not run)." if _blank(states) else ""
    return (
        f"In a cell the median over puzzles of CPU seconds per solve{bound}; darker: more times the median of the"
        f" fastest strategy of the collection, which is bold.{late}{other} Where cells are too small, less is written."
    )


def _bounded(table: pd.DataFrame) -> bool:
    return bool(table[["lo_s", "hi_s"]].notna().any(axis=None))


def _blank(states: set[str]) -> set[str]:
    return states - {"", LATE}


def draw(cells: Cells, sheet: Sheet) -> Figure:
    """The figure of ``Cells``."""
    names = [wrap(name, sheet.width_in * NAMES_SHARE, sheet.small_pt) for name in cells.strategies]
    names_in = max(width_of(line, sheet.small_pt) for name in names for line in name.splitlines()) + 0.15
    width_in = sheet.width_in
    if sheet.column is None:
        width_in = max(width_in, names_in + CELL_IN * len(cells.collections) + 0.2)
    cell_in = (width_in - names_in - 0.15) / len(cells.collections)
    letters = letters_for(cells.table, cell_in, sheet)
    lines_in = max(name.count("\n") + 1 for name in names) * LINE * sheet.small_pt / 72
    row_in = max(lines_in, LEAST_ROW_IN, letters.height_in)
    headings, heading_in, turned = headings_for(cells.collections, cell_in, sheet)
    heights = [row_in * len(names), BAR_IN]
    figure, [axes, bar] = begin(sheet, 1.0, 2, height_ratios=heights)
    figure.set_size_inches(width_in, sum(heights) + heading_in + AROUND_BAR_IN)
    axes.set_yticks(range(len(names)), names, fontsize=sheet.small_pt)
    axes.set_xticks(range(len(headings)), headings, fontsize=sheet.small_pt, rotation=90 if turned else 0)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    _draw_cells(axes, cells, letters)
    _draw_bar(bar, cells.table)
    return end(figure, sheet, TITLE, words(cells, sheet))


def _draw_cells(axes: Axes, cells: Cells, letters: Letters) -> None:
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
        hatch = {"hatch": "////", "edgecolor": HATCH} if empty else {"edgecolor": "#ffffff"}
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, lw=0.8, **hatch))
        _write(axes, line, (x, y), letters, _ink(face))


def _norm(table: pd.DataFrame) -> LogNorm:
    highest = table["ratio"].max()
    return LogNorm(1.0, min(HIGHEST, max(2.0, highest)) if math.isfinite(highest) else 2.0, clip=True)


def _ink(face: Any) -> str:
    """Black or white, whichever is easier to read on it (contrast as WCAG 2.2 reckons it)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(face)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "#ffffff"


def _write(axes: Axes, line: Mapping[Any, Any], place: tuple[int, int], letters: Letters, ink: str) -> None:
    """The median and, below it, the interval; as far as there is room."""
    first, second = texts_of(line)
    if not letters.size_pt or (_blank({line["state"]}) and width_of(first, letters.size_pt) > letters.room_in):
        return
    below = second if letters.both else ""
    x, y = place
    behind = {"facecolor": EMPTY, "edgecolor": "none", "pad": 0.5} if _blank({line["state"]}) else None
    axes.text(
        x, y - (0.19 if below else 0.0), first, ha="center", va="center", fontsize=letters.size_pt, color=ink,
        fontweight="bold" if line["ratio"] == 1 and not line["state"] else "normal", bbox=behind,
    )  # fmt: skip
    if below:
        axes.text(x, y + 0.21, below, ha="center", va="center", fontsize=letters.size_pt * SMALLER, color=ink)


def _draw_bar(bar: Axes, table: pd.DataFrame) -> None:
    """What the colours mean."""
    norm = _norm(table)
    edges = np.geomspace(float(norm.vmin or 1), float(norm.vmax or 2), 101)
    bar.pcolormesh(edges, [0, 1], np.sqrt(edges[1:] * edges[:-1])[None], cmap=COLOURS, norm=norm, rasterized=True)
    log_scale(bar, "x", edges[0], edges[-1], times_words)
    bar.set_yticks([])
    bar.grid(False)
    bar.set_xlabel("times the median of the fastest strategy of the collection (log scale)")


def headings_for(collections: Sequence[str], cell_in: float, sheet: Sheet) -> tuple[list[str], float, bool]:
    """The names above the columns, the inches that they take in height, and whether they are turned to stand upright."""
    widths = [width_of(word, sheet.small_pt) for name in collections for word in name.split()]
    turned = max(widths) > cell_in - 0.05
    names = [wrap(name, HEADING_IN if turned else cell_in - 0.05, sheet.small_pt) for name in collections]
    if turned:
        return names, max(width_of(line, sheet.small_pt) for name in names for line in name.splitlines()) + 0.1, True
    return names, max(name.count("\n") + 1 for name in names) * LINE * sheet.small_pt / 72 + 0.1, False


def letters_for(table: pd.DataFrame, cell_in: float, sheet: Sheet) -> Letters:
    """As much text, in letters as large, as fits into every cell; none (size 0) if it could not be read."""
    texts = [texts_of(line) for line in table[~table["state"].isin(_blank(set(table["state"])))].to_dict("records")]
    room_in = cell_in - 0.06
    firsts, seconds_ = [first for first, _ in texts] or ["1 ms"], [second for _, second in texts if second]
    wide = max(width_of(first, 1.0, bold=True) for first in firsts)
    wider = max([wide, *(width_of(second, SMALLER) for second in seconds_)])
    if seconds_ and room_in / wider >= SMALLEST_PT / SMALLER:
        return Letters(min(sheet.small_pt, room_in / wider), True, room_in)
    size = min(sheet.small_pt, room_in / wide)
    return Letters(size if size >= SMALLEST_PT else 0.0, False, room_in)


def texts_of(line: Mapping[Any, Any]) -> tuple[str, str]:
    """What a cell says, and what stands below it."""
    if line["state"] == LATE:
        return f"> {seconds(line['limit_s'])}", f"{line['finished']:.0f}/{line['n_puzzles']:.0f} solved"
    if line["state"]:
        return str(line["state"]), ""
    low, high = line["lo_s"], line["hi_s"]
    if math.isnan(low) or math.isnan(high):
        return seconds(line["median_s"]), "" if math.isnan(low) else f"from {seconds(low)}"
    ends = [seconds(low), seconds(high)]
    numbers, units = zip(*(end.split() for end in ends), strict=True)
    return seconds(line["median_s"]), f"{numbers[0]}–{ends[1]}" if len(set(units)) == 1 else "–".join(ends)


def width_of(text: str, size_pt: float, bold: bool = False) -> float:
    """The inches that a line of text takes."""
    font = FontProperties(family=RC["font.family"], size=100, weight="bold" if bold else "normal")
    width: float = TextToPath().get_text_width_height_descent(text, font, False)[0]
    return width / 100 * size_pt / 72
