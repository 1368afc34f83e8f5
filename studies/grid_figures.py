"""The figures of docs/encodings.md, from the tables of the grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from studies.grid import FACTORS, NEAR, TIED, near
from studies.grid_numbers import Grid, Row, model_of
from sudoku_bench.bench.figures.rendering import render
from sudoku_bench.bench.figures.style import COLOURS, MARKERS, RC, SCREEN_PT, Sheet, begin, end, factor_text, log_scale
from sudoku_bench.bench.figures.verdict_map import COLOURS as SHADES
from sudoku_bench.bench.figures.verdict_map import DARKEST, FRAME_PT, ink_on

HEADINGS = {
    "minimal": "9×9, minimal puzzles",
    "hardest": "9×9, hardest",
    "9x9-several": "9×9, up to 100 solutions",
    "size12": "12×12, 43 to 51 clues",
    "size16": "16×16, 89 to 101 clues",
    "16x16-105": "16×16, 105 clues",
    "16x16-125": "16×16, 125 clues",
    "size25": "25×25, 268 to 300 clues",
    "25x25-320": "25×25, 320 clues",
    "36x36-700": "36×36, 700 clues",
    "latin30": "Latin squares, order 30",
}
HIGHEST = 100.0  # all larger ratios have the same colour
ROW_IN, TOP_IN = 0.19, 1.2  # of a row of cells, and of heading and column names
SHEET_IN = 7.2
ALONE, NOT_ALONE = "-", (0, (2.5, 1.5))  # frames, as in the verdict map
READING = (
    "Cells: time as a multiple of the fastest combination of the panel (ratio of the pair, over puzzles; ≥: a lower"
    " bound, because solves were not finished). Solid frame: shown to be faster than all others; dashed: not shown to"
    f" be slower, and at most {NEAR - 1:.0%} above the fastest. Darker: slower."
)


SIZES = ("9x9", "12x12", "16x16", "25x25")


@dataclass(frozen=True)
class Panel:
    """A map of one collection of a block; ``across`` are the factors of its columns."""

    block: str
    collection: str
    task: str = ""
    across: tuple[str, ...] = ("engine",)

    @property
    def title(self) -> str:
        return HEADINGS[self.collection] + (f", {self.task}" if self.task else "")


def sheet(grid: Grid, blocks: Sequence[str]) -> Sheet:
    """The settings of a figure, with the facts of its blocks."""
    rows = [grid.row("blocks", block=block) for block in dict.fromkeys(blocks)]
    dates = sorted({str(row["started"])[:10] for row in rows})
    facts = (
        f"{sum(row['rows'] for row in rows):,} solves, {rows[0]['replicates']} forms of each puzzle,"
        f" limit {' or '.join(f'{limit_s:g}' for limit_s in sorted({row['limit_s'] for row in rows}))} s of CPU time;"
        f" {rows[0]['cpu']}, Python {rows[0]['python']}, python-sat {rows[0]['python_sat']}, {' to '.join(dates)}."
    )
    return Sheet({}, (), 0.0, facts)


class Maps(NamedTuple):
    """Maps side by side, so many in a row."""

    title: str
    columns: int
    panels: Sequence[Panel]


def map_figure(grid: Grid, maps: Maps) -> Figure:
    """Draw maps side by side, with a common colour bar in words."""
    title, columns, panels = maps
    of_figure = sheet(grid, [panel.block for panel in panels])
    tables = [placed(grid.rows("map", block=panel.block, collection=panel.collection), panel) for panel in panels]
    rows = [table["row"].nunique() for table in tables]
    heights = [max(rows[start : start + columns]) for start in range(0, len(rows), columns)]
    height_in = ROW_IN * sum(heights) + TOP_IN * len(heights)
    figure, places = begin(of_figure, height_in, len(heights), columns, height_ratios=heights)
    figure.set_size_inches(max(SHEET_IN, 3.1 * columns), height_in)
    for axes, panel, table in zip(places, panels, tables, strict=False):
        draw_map(axes, panel.title, table)
    for axes in places[len(panels) :]:
        axes.set_axis_off()
    return end(figure, of_figure, title, READING)


def placed(table: pd.DataFrame, panel: Panel) -> pd.DataFrame:
    """Return the cells of a map with the names of their row and column."""
    downwards = [name for name in FACTORS if name not in panel.across and table[name].notna().any()]
    cells, sides = table.to_dict("records"), {"row": downwards, "column": panel.across}
    return table.assign(**{side: [joined(cell, names) for cell in cells] for side, names in sides.items()})


def joined(row: Row, factors: Sequence[str]) -> str:
    """The levels of a row as text, such as ``complete+product`` or ``minimal@glucose4``."""
    model, (way, _, engine) = model_of(row, factors), str(row["engine"]).rpartition("@")
    loaded = f"{engine}, {way}" if way else f"{engine[1:]}, file" if engine.startswith("/") else engine
    return f"{model}@{loaded}" if "engine" in factors and model else model or loaded


def draw_map(axes: Axes, title: str, table: pd.DataFrame) -> None:
    """Draw a map: a row per combination of the other factors, a column per combination of those across."""
    rows, columns = list(table["row"].unique()), list(table["column"].unique())
    axes.set_title(title, fontsize=8.5, pad=4, loc="left", fontweight="bold")
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), rows, fontsize=7)
    axes.set_xticks(range(len(columns)), columns, fontsize=7, rotation=30, ha="right", rotation_mode="anchor")
    axes.tick_params(length=0)
    colours = ListedColormap(mpl.colormaps[SHADES](np.linspace(0, DARKEST, 256)))
    is_tied = (table["standing"] == TIED).any()
    for line in table.to_dict("records"):
        x, y = columns.index(line["column"]), rows.index(line["row"])
        text, ratio = behind_text(line, float(table["gmean_s"].min()))
        face = colours(shade(ratio))
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor="#ffffff", lw=0.8))
        if near(line):
            frame = NOT_ALONE if is_tied else ALONE
            axes.add_patch(Rectangle((x - 0.46, y - 0.43), 0.92, 0.86, fill=False, lw=FRAME_PT, ls=frame, zorder=4))
        axes.text(x, y, text, ha="center", va="center", fontsize=7, color=ink_on(face))


def shade(ratio: float) -> float:
    """Return the place of a ratio on the scale of shades, 0 to 1; it is widest between 1 and 2, where readers look."""
    return float(np.sqrt(np.clip(np.log(ratio) / np.log(HIGHEST), 0, 1)))


def behind_text(line: Row, lowest_s: float) -> tuple[str, float]:
    """How far a combination is behind the fastest, as text, and as the number of its colour."""
    if pd.notna(line["behind"]):
        return number(line["behind"]), line["behind"]
    bounds = [line["behind_at_least"], line["behind_lo"], line["gmean_s"] / lowest_s]
    least = max(bound for bound in bounds if pd.notna(bound))
    return f"≥{number(least)}", least


def number(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 9.95 or ratio == 1 else f"{ratio:.2f}" if ratio < 1.095 else f"{ratio:.1f}"


def shares_figure(grid: Grid) -> Figure:
    """Draw the shares of encoding, engine and their combination in the differences between strategies."""
    blocks = [*SIZES, "9x9-unique", "9x9-count"]
    of_figure = sheet(grid, blocks)
    table = grid.tables["shares"]
    table = table[table["block"].isin(blocks)]
    bars = list(table.groupby(["block", "collection"], sort=False))
    figure, [axes] = begin(of_figure, 0.8 + 0.26 * len(bars))
    looks = dict(zip(("encoding", "encoding x engine", "engine"), (COLOURS[0], COLOURS[5], COLOURS[6]), strict=True))
    for place, (_, group) in enumerate(bars):
        shares, left = dict(zip(group["factors"], group["share"], strict=True)), 0.0
        for factors, colour in looks.items():
            axes.barh(place, shares[factors], left=left, color=colour, height=0.72)
            if shares[factors] >= 0.06:
                middle, text = left + shares[factors] / 2, f"{shares[factors]:.0%}"
                axes.text(middle, place, text, ha="center", va="center", fontsize=7, color=ink_on(colour))
            left += shares[factors]
    tasks = {"9x9-unique": ", unique", "9x9-count": ""}
    labels = [f"{HEADINGS[str(name)]}{tasks.get(str(block), ', first')}" for (block, name), _ in bars]
    axes.set_yticks(range(len(bars)), labels, fontsize=7.5)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_xlabel("share of the variance of mean log times between combinations")
    entries = ("encoding", "combination: an engine suits an encoding", "engine")
    handles = {name: Patch(color=colour) for name, colour in zip(entries, looks.values(), strict=True)}
    caption = (
        "What makes the times of the combinations differ: the encoding whatever the engine, the engine whatever the"
        " encoding, or which of them meet. Seven encodings and five engines, at 25×25 five"
        " and three, for counting three and five. Unfinished solves enter as the limit."
    )
    return end(figure, of_figure, "Encoding or engine: which matters more", caption, handles)


def effects_figure(grid: Grid) -> Figure:
    """Draw the effects of encodings and engines with intervals, a mark per collection."""
    blocks = [block for block in SIZES if len(grid.rows("effects", block=block))]
    of_figure = sheet(grid, blocks)
    table = grid.tables["effects"]
    table = table[table["block"].isin(blocks)]
    collections = list(dict.fromkeys(table["collection"]))
    single = {"encoding": table[table["engine"].isna()], "engine": table[table["encoding"].isna()]}
    levels = {factor: list(dict.fromkeys(rows[factor])) for factor, rows in single.items()}
    heights = [len(each) for each in levels.values()]
    figure, places = begin(of_figure, 0.42 * sum(heights) + 1.2, 2, height_ratios=heights)
    colours = mpl.colormaps["viridis"](np.linspace(0, 0.88, len(collections)))
    ends: list[float] = []
    for axes, (factor, rows) in zip(places, single.items(), strict=True):
        for row in range(0, len(levels[factor]), 2):
            axes.axhspan(row - 0.5, row + 0.5, color="#000000", alpha=0.04, lw=0)
        axes.grid(False, axis="y")
        for line in rows.to_dict("records"):
            place, row = collections.index(line["collection"]), levels[factor].index(line[factor])
            beside = [collections.index(name) for name in rows.loc[rows[factor] == line[factor], "collection"]]
            y = row + (sorted(beside).index(place) - (len(beside) - 1) / 2) * 0.8 / len(collections)
            axes.plot([line["ratio_lo"], line["ratio_hi"]], [y, y], color=colours[place], lw=1.4)
            axes.plot(line["ratio"], y, MARKERS[place % len(MARKERS)], color=colours[place], ms=4)
            ends += [line["ratio_lo"], line["ratio_hi"]]
        axes.axvline(1, color="#444444", lw=0.9)
        axes.set_yticks(range(len(levels[factor])), levels[factor], fontsize=7.5)
        axes.set_ylim(len(levels[factor]) - 0.5, -0.5)
    for axes in places:
        log_scale(axes, "x", min(ends) / 1.1, max(ends) * 1.1, factor_text)
    places[1].set_xlabel("geometric mean time over the mean of all levels (log scale)")
    handles = {
        HEADINGS[name]: Line2D([], [], color=colours[place], marker=MARKERS[place % len(MARKERS)], lw=1.4, ms=4)
        for place, name in enumerate(collections)
    }
    caption = (
        "Effect of each encoding over all engines (above) and of each engine over all encodings (below), with 95%"
        " intervals: puzzles and processes are random, unfinished solves are censored. Compare marks of one kind only:"
        " the mean that they refer to is that of their own boards."
    )
    return end(figure, of_figure, "Effects of encodings and engines", caption, handles)


def panels_of(block: str, *collections: str, across: tuple[str, ...] = ("engine",), task: str = "") -> list[Panel]:
    return [Panel(block, collection, task, across) for collection in collections]


SIXTEENS = panels_of("16x16", "16x16-125", "16x16-105", "size16")
TWENTY_FIVES = panels_of("25x25", "25x25-320", "size25")
BY_SIZE = [*panels_of("12x12", "size12"), *SIXTEENS, *TWENTY_FIVES, *panels_of("36x36", "36x36-700")]
FIRST = panels_of("9x9", "minimal", "hardest", task="first")
UNIQUE = panels_of("9x9-unique", "minimal", "hardest", task="unique")
SCHEMES = panels_of("schemes", "hardest", "size16", across=("encoding", "engine"))
CLUES = panels_of("clues", "hardest", "size16")
NATIVE = panels_of("native", "hardest", "size16", "size25")
OPTIONS = panels_of("options", "size16")
WAYS = [Panel(f"ways-{size}", name) for size, name in (("9x9", "hardest"), ("16x16", "size16"), ("25x25", "25x25-320"))]
MAPS = {
    "map_ways": Maps("How clauses reach the solver: python-sat, directly, as a DIMACS file", 3, WAYS),
    "map_sizes": Maps("Which encoding under which engine, by size and filling", 3, BY_SIZE),
    "map_nine": Maps("9×9: which encoding under which engine, by task", 2, [*FIRST, *UNIQUE]),
    "map_schemes": Maps("Which at-most-one scheme", 2, SCHEMES),
    "map_clues": Maps("Which handling of clues", 2, CLUES),
    "map_native": Maps("Native at-most-one constraints against clauses", 3, NATIVE),
    "map_options": Maps("Options of CaDiCaL", 1, OPTIONS),
}
FIGURES: Mapping[str, Callable[[Grid], Figure]] = {
    **{name: partial(map_figure, maps=maps) for name, maps in MAPS.items()},
    "shares": shares_figure,
    "effects": effects_figure,
}


def draw() -> None:
    """Draw the figures of the grid in results/encodings/plots from its tables."""
    grid = Grid()
    for name, figure in FIGURES.items():
        with mpl.rc_context(RC | {"font.size": SCREEN_PT}):
            (grid.folder / "plots" / f"{name}.png").write_bytes(render(figure(grid), "png"))
