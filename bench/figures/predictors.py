"""Which measure of difficulty predicts which strategy: rank correlations of times with measures, and intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bench.figures.sheet import other_sizes_note
from bench.figures.style import COLOURS, GREY, SMALLEST_PT, NothingToDrawError, Sheet, begin, end
from bench.figures.wrapping import widest, width_of, wrap
from bench.say.phrases import counted
from bench.verdicts.board_size import most_common
from bench.verdicts.difficulty.measures import MIN_PUZZLES
from bench.verdicts.difficulty.predictors import predictors
from bench.verdicts.run_tables import Run

NAMES = {
    "guesses": "mean guesses",
    "conflicts": "mean conflicts",
    "lookahead": "mean look-aheads",
    "te_rounds": "rounds of trial and error",
    "unsolved_singles": "cells open after singles",
    "unsolved_locked": "cells open after locked",
    "backdoor": "backdoor cells",
    "er": "ER rating",
    "clues": "clues",
}
TITLE = "Which measure of difficulty predicts which strategy"
NAMES_SHARE = 0.34  # maximum width of the strategies' names, as a share of the figure
HEAD_IN = 0.8  # height of headings that are turned
AROUND_IN = 1.5  # height of headings and facts in a column of a paper
LINE = 1.5  # height of a line of text, in font sizes
POSITIVE, NEGATIVE = COLOURS[0], COLOURS[1]
PAD_IN = 0.03  # left and right of the number in a cell
CELL_IN = 0.85  # least width of a cell on a screen
STRONGEST = 0.55  # opacity of the colour of a correlation of 1


@dataclass(frozen=True)
class Correlations:
    """The data of the figure, for boards of one size.

    Attributes:
        table: rows of ``bench.verdicts.difficulty.predictors``; strategies from the best predicted one on.
        measures: from the best predictor on, by the median over strategies.
        omitted: number of puzzles of other board sizes.
    """

    table: pd.DataFrame
    measures: tuple[str, ...]
    omitted: int

    @property
    def strategies(self) -> list[str]:
        return list(dict.fromkeys(self.table["strategy"]))


def data(run: Run) -> Correlations:
    """Compute the correlations on boards of the most common size."""
    size, omitted = most_common(run.puzzles)
    table = predictors(run, size)
    table = table[table["rho"].notna()]
    if table.empty:
        raise NothingToDrawError(f"correlations need {MIN_PUZZLES} puzzles of one size, with measures that vary")
    strength = table.assign(strength=table["rho"].abs())
    best = strength.groupby("strategy")["strength"].max().sort_values(ascending=False, kind="stable")
    measures = strength.groupby("measure")["strength"].median().sort_values(ascending=False, kind="stable")
    places = {name: place for place, name in enumerate(best.index)}
    ordered = table.assign(place=table["strategy"].map(places)).sort_values("place", kind="stable")
    return Correlations(ordered.drop(columns="place"), tuple(map(str, measures.index)), omitted)


@dataclass(frozen=True)
class Layout:
    """What fits into a figure, and sizes.

    Attributes:
        measures: from the best predictor on.
        labels: wrapped names of the strategies.
        number_pt, interval_pt: font size of cells without and with intervals, in points; 0 if they do not fit.
    """

    measures: tuple[str, ...]
    labels: list[str]
    names_in: float
    cell_in: float
    row_in: float
    number_pt: float
    interval_pt: float


def layout(shown: Correlations, sheet: Sheet) -> Layout:
    """Lay out the table: a column of a paper holds the best predictors with their numbers; a screen becomes wider."""
    labels = [wrap(name, sheet.width_in * NAMES_SHARE, sheet.small_pt) for name in shown.strategies]
    names_in = widest(labels, sheet.small_pt) + 0.25
    most = int((sheet.width_in - names_in) / (width_of(written(-0.88), SMALLEST_PT, bold=True) + PAD_IN))
    measures = shown.measures[: max(1, most)] if sheet.column else shown.measures
    cell_in = (sheet.width_in - names_in) / len(measures)
    cell_in = cell_in if sheet.column else max(CELL_IN, cell_in)
    number_pt, interval_pt = (
        min(sheet.small_pt, (cell_in - PAD_IN) / width_of(text, 1.0, bold=True))
        for text in (written(-0.88), written(-0.88, -0.81))
    )
    lines = max(2.0 if interval_pt >= SMALLEST_PT else 1.0, *(label.count("\n") + 1.0 for label in labels))
    row_in = LINE * sheet.small_pt / 72 * lines
    fitting = labels[: sheet.rows_that_fit(row_in, AROUND_IN)]
    sizes = (size_pt if size_pt >= SMALLEST_PT else 0.0 for size_pt in (number_pt, interval_pt))
    return Layout(measures, fitting, names_in, cell_in, row_in, *sizes)


def caption(shown: Correlations, sheet: Sheet) -> str:
    """Return the caption."""
    places = layout(shown, sheet)
    missing = [NAMES[name] for name in shown.measures[len(places.measures) :]]
    hidden = len(shown.strategies) - len(places.labels)
    less = f" {counted(hidden, 'strategy', 'strategies')} with weaker correlations not shown." if hidden else ""
    less += f" Not shown: {', '.join(missing)}." if missing else ""
    intervals = " with 95% interval" if places.interval_pt else ""
    return (
        f"Spearman's rank correlation{intervals} between a strategy's times on the puzzles and a measure of their"
        " difficulty; bold: the strongest of the strategy, if its interval excludes 0. A strategy whose times no"
        f" measure predicts depends on something else than these.{less}{other_sizes_note(shown.omitted)}"
    )


def draw(shown: Correlations, sheet: Sheet) -> Figure:
    """Draw a row per strategy and a column per measure."""
    places = layout(shown, sheet)
    names, columns = shown.strategies[: len(places.labels)], places.measures
    room_in = places.cell_in - 0.04
    turned = max(width_of(word, sheet.small_pt) for name in columns for word in NAMES[name].split()) > room_in
    heads = [wrap(NAMES[name], HEAD_IN if turned else room_in, sheet.small_pt) for name in columns]
    head_in = HEAD_IN if turned else (max(head.count("\n") for head in heads) + 1) * LINE * sheet.small_pt / 72
    figure, [axes] = begin(sheet, 1.0)
    height_in = places.row_in * len(names) + head_in + 0.45
    figure.set_size_inches(places.names_in + places.cell_in * len(columns), height_in)
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(names), 0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    rotation = 90 if turned else 0
    axes.set_xticks([place + 0.5 for place in range(len(columns))], heads, fontsize=sheet.small_pt, rotation=rotation)
    axes.set_yticks([place + 0.5 for place in range(len(names))], places.labels, fontsize=sheet.small_pt)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("measure of difficulty", fontsize=sheet.small_pt, color=GREY, labelpad=6)
    table = shown.table[shown.table["strategy"].isin(names) & shown.table["measure"].isin(columns)]
    best = table.assign(strength=table["rho"].abs()).groupby("strategy")["strength"].max()
    for line in table.to_dict("records"):
        place = columns.index(line["measure"]), names.index(line["strategy"])
        _draw_cell(axes, line, place, places, abs(line["rho"]) == best[line["strategy"]])
    return end(figure, sheet, TITLE, caption(shown, sheet))


def _draw_cell(axes: Axes, line: Mapping[Any, Any], place: tuple[int, int], places: Layout, strongest: bool) -> None:
    """Write a correlation and, if it fits, its interval, on a colour that is stronger the further it is from 0."""
    x, y = place
    rho, low, high = line["rho"], line["rho_lo"], line["rho_hi"]
    colour = to_rgba(POSITIVE if rho >= 0 else NEGATIVE, STRONGEST * abs(rho))
    axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="#ffffff", lw=1.0))
    below = bool(places.interval_pt) and not math.isnan(low)
    if not places.number_pt:
        return
    weight = "bold" if strongest and low * high > 0 else "normal"
    axes.text(
        x + 0.5, y + (0.28 if below else 0.5), written(rho), ha="center", va="center", fontweight=weight,
        fontsize=places.interval_pt or places.number_pt,
    )  # fmt: skip
    if below:
        axes.text(x + 0.5, y + 0.72, written(low, high), ha="center", va="center", fontsize=places.interval_pt)


def written(*values: float) -> str:
    """Format a correlation, or the two ends of its interval: 0.88; 0.81, 0.92; −0.30, 0.10."""
    return ", ".join(f"{value:.2f}" if abs(value) >= 0.005 else "0.00" for value in values).replace(
        "-", "\N{MINUS SIGN}"
    )
