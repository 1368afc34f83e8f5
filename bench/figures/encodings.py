"""Encodings: each against ``complete+pairwise`` under the same solver and loader, a panel for each collection and task.

A row is an encoding; its marks are ratios of CPU times with their intervals, of the whole solve and of search alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from sudoku_bench.bench.figures import style
from sudoku_bench.bench.figures.forest import draw_ratio
from sudoku_bench.bench.figures.style import COLOURS, GREY, LINE, MARKERS, NothingToDrawError, Sheet
from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.verdicts.between_runs.repeated import between_note
from sudoku_bench.bench.verdicts.encodings import SEARCH, WHOLE, base, ratios, ways
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "SAT encodings: CPU times"
MOST_WAYS = 4  # solvers and loaders that are shown
TICKS, WIDE = ((0.5, 1.0, 2.0), (0.25, 1.0, 4.0)), 8.0  # of an axis, and of one whose limits are so far apart
BAND = "#f4f4f4"  # behind every other row
FURTHEST, BEYOND = 8.0, 2.1  # ratios, or their inverses, up to which the axis reaches at most, and at least
MARK_PT, PITCH_PT = 3.2, 2.8  # size of marks, and distance of those of one encoding
LEAST, LEAST_IN = 4, 0.85  # encodings for which a panel has room, and its width
HEAD_SHARE = 0.8  # of the width of a panel, for its heading
LEGEND_IN = 1.7  # width of the legend on a screen
AROUND_IN = 0.75  # height of legend, axis and label in a column of a paper
ENDED_SHARE = 0.22  # maximum width of what stands right of a row, as a share of the figure


@dataclass(frozen=True)
class Panel:
    """The encodings on a collection under a task.

    Attributes:
        head: the collection, with the task if several are shown.
        rows: pairs with the reference, as ``verdicts/encodings.ratios`` has them.
        ended: how the unfinished solves of an encoding ended, those of the reference included; by encoding.
    """

    head: str
    rows: pd.DataFrame
    ended: Mapping[str, str]


@dataclass(frozen=True)
class Panels:
    """The data of the figure.

    Attributes:
        encodings: those that are compared, from fast to slow; ways: solvers and loaders, in the order of the run.
        scope: the end of the title: what they are compared with.
        note: what intervals include, with a leading space; may be empty.
    """

    panels: tuple[Panel, ...]
    encodings: tuple[str, ...]
    ways: tuple[str, ...]
    reference: str
    note: str = ""

    @property
    def scope(self) -> str:
        return f"relative to {self.reference}"


def data(*runs: Run) -> Panels:
    """Compare the encodings of a run, or of several, such as those of different tasks."""
    reference = base(*runs)
    tables = [ratios(run, reference) for run in runs]
    if all(table.empty for table in tables):
        raise NothingToDrawError("no two SAT encodings were measured under the same solver and loader")
    every = pd.concat(tables)
    if every[["ratio", "at_least", "at_most"]].isna().all(axis=None):
        raise NothingToDrawError("no encoding has a ratio: too few puzzles or repetitions")
    names = tuple(map(str, every["way"].value_counts(sort=False).sort_values(ascending=False, kind="stable").index))
    tasks = {run.manifest["suite"]["task"] for run in runs}
    panels = []
    for run, table in zip(runs, tables, strict=True):
        for collection, rows in table[table["way"].isin(names[:MOST_WAYS])].groupby("collection", sort=False):
            task = f", {run.manifest['suite']['task']}" if len(tasks) > 1 else ""
            panels.append(Panel(f"{collection}{task}", rows, ended(run, str(collection), names[:MOST_WAYS])))
    whole = every[every["part"] == WHOLE]
    middle = np.log(whole["ratio"].fillna(whole["at_least"])).groupby(whole["encoding"]).median()
    order = tuple(map(str, middle.sort_values(kind="stable", na_position="last").index))
    return Panels(tuple(panels), order, names, reference, between_note(runs[0].between_runs))


def ended(run: Run, collection: str, names: Sequence[str]) -> dict[str, str]:
    """Return how the solves of each encoding ended that were not finished, under all these solvers and loaders."""
    lines = run.summary[run.summary["collection"] == collection].set_index("strategy").to_dict("index")
    counts: dict[str, Counter[str]] = {}
    for way in (way for way in ways(run) if way.name in names):
        for encoding, strategy in way.strategies.items():
            counts[encoding] = counts.get(encoding, Counter()) + outcomes.of_line(lines[strategy])
    return {encoding: text for encoding, of in counts.items() if (text := outcomes.text(of))}


def caption(panels: Panels, sheet: Sheet) -> str:
    """Return the caption."""
    shown = layout(panels, sheet).panels
    hidden = len(panels.encodings) - len(shown.encodings)
    missing = [panel.head for panel in panels.panels[len(shown.panels) :]] + list(panels.ways[MOST_WAYS:])
    left_out = [*missing, *([counted(hidden, "slower encoding")] if hidden else [])]
    omitted = f" Not shown: {'; '.join(left_out)}." if left_out else ""
    solves = " Right of a row: solves that were not finished." if any(panel.ended for panel in shown.panels) else ""
    return (
        f"CPU time of each encoding divided by that of {panels.reference} under the same solver and loader, with its"
        " interval, corrected for all pairs of the run; left of 1 is faster. Filled: the whole solve; hollow: search"
        f" alone. An arrow has no bound or lies beyond the axis.{solves}{panels.note}{omitted}"
    )


@dataclass(frozen=True)
class Layout:
    """Where panels stand, their headings, and the height of the figure in inches."""

    panels: Panels
    rows: int
    columns: int
    heads: tuple[str, ...]
    height_in: float


def layout(panels: Panels, sheet: Sheet) -> Layout:
    """Lay out what fits into a figure: the fastest encodings, and as many panels as have room for ``LEAST`` of them."""
    names = [style.short(name, sheet) for name in panels.encodings]
    legend_in = 0.0 if sheet.column else LEGEND_IN
    room_in = sheet.width_in - legend_in - max(style.width_of(name, sheet.small_pt) for name in names)
    for number in range(len(panels.panels), 0, -1):
        shown = panels.panels[:number]
        rows = 1 if sheet.axes else math.ceil(number / max(1, int(room_in / LEAST_IN)))
        columns = math.ceil(number / rows)
        texts = [*names, *(_wrapped(text, sheet) for panel in shown for text in panel.ended.values())]
        marks_pt = 2 * len(panels.ways[:MOST_WAYS]) * PITCH_PT * sheet.scale
        row_pt = max(marks_pt, _lines(texts) * LINE * sheet.small_pt) + 0.5 * sheet.small_pt
        heads = tuple(_head(panel, panels.reference, HEAD_SHARE * room_in / columns, sheet) for panel in shown)
        beside_in = (_lines(heads) * LINE + 1) * sheet.small_pt / 72
        most = min(sheet.rows_that_fit(rows * row_pt / 72, AROUND_IN + rows * beside_in), len(names))
        if most >= min(LEAST, len(names)):
            break
    fitting = replace(panels, panels=shown, encodings=panels.encodings[:most])
    return Layout(fitting, rows, columns, heads, rows * (row_pt / 72 * most + beside_in) + AROUND_IN)


def _lines(texts: Sequence[str]) -> int:
    return max(text.count("\n") + 1 for text in texts)


def _wrapped(ended: str, sheet: Sheet) -> str:
    return style.wrap(ended, ENDED_SHARE * sheet.width_in, sheet.small_pt)


def _head(panel: Panel, reference: str, room_in: float, sheet: Sheet) -> str:
    """Return the heading of a panel, with the unfinished solves of the reference, which has no row."""
    ended = panel.ended.get(reference, "")
    texts = [panel.head, *([f"{reference}: {ended}"] if ended else [])]
    return "\n".join(style.wrap(text, room_in, sheet.small_pt) for text in texts)


def draw(panels: Panels, sheet: Sheet) -> Figure:
    """Draw a panel for each collection and task, with the same rows and the same axis."""
    places, names = layout(panels, sheet), panels.ways[:MOST_WAYS]
    shown, number = places.panels, len(places.panels.panels)
    figure, every = style.begin(sheet, places.height_in / sheet.scale, places.rows, places.columns, sharey=True)
    for unused in every[number:]:
        unused.remove()
    limits = _limits(shown)
    for place, (axes, panel) in enumerate(zip(every, shown.panels, strict=False)):
        style.log_scale(axes, "x", *limits, style.factor_text)
        axes.set_xticks([tick for tick in TICKS[int(limits[1] / limits[0] > WIDE)] if limits[0] < tick < limits[1]])
        axes.minorticks_off()
        axes.axvline(1.0, color=GREY, lw=0.9, zorder=1)
        _draw_rows(axes, panel, shown, names, sheet)
        axes.tick_params(labelbottom=place + places.columns >= number)  # the last in its column
        if place == (places.rows - 1) * places.columns:
            axes.set_xlabel(f"ratio to {panels.reference} (log scale)", fontsize=sheet.small_pt, loc="left")
        axes.set_title(places.heads[place], loc="left", fontsize=sheet.small_pt)
    handles: dict[str, Any] = {
        part: Line2D([], [], color=GREY, marker="o", mfc=GREY if part == WHOLE else "#ffffff", ms=5, lw=1.4)
        for part in (WHOLE, SEARCH)
    }
    for name, colour, marker in zip(names, COLOURS, MARKERS, strict=False):
        handles[name] = Line2D([], [], color=colour, marker=marker, ms=5, lw=0)
    return style.end(figure, sheet, TITLE, caption(panels, sheet), handles)


def _draw_rows(axes: Axes, panel: Panel, shown: Panels, names: Sequence[str], sheet: Sheet) -> None:
    """Draw a row for each encoding: below each other the marks of each way, the whole solve before search alone."""
    for row in panel.rows[panel.rows["encoding"].isin(shown.encodings)].to_dict("records"):
        way, is_whole = names.index(row["way"]), row["part"] == WHOLE
        within = (2 * way + (not is_whole) + 0.5) / (2 * len(names)) - 0.5
        place = shown.encodings.index(row["encoding"]) + 0.84 * within
        draw_ratio(axes, place, row, COLOURS[way], is_whole, MARK_PT, MARKERS[way])
    number = len(shown.encodings)
    axes.set_ylim(number - 0.5, -0.5)
    for place in range(0, number, 2):
        axes.axhspan(place - 0.5, place + 0.5, color=BAND, lw=0, zorder=0)
    style.name_rows(axes, range(number), [style.short(name, sheet) for name in shown.encodings], sheet)
    behind = axes.secondary_yaxis("right")
    ends = [_wrapped(panel.ended.get(name, ""), sheet) for name in shown.encodings]
    behind.set_yticks(range(number), ends, fontsize=sheet.small_pt)
    behind.tick_params(length=0)
    for spine in (axes.spines["left"], behind.spines["right"]):
        spine.set_visible(False)


def _limits(panels: Panels) -> tuple[float, float]:
    """Return the limits of the axis: it holds all ratios and ends of intervals up to ``FURTHEST``."""
    columns = ["ratio", "ratio_lo", "ratio_hi", "at_least", "at_most"]
    values = pd.concat([panel.rows for panel in panels.panels])[columns].to_numpy(dtype=np.float64)
    known = np.clip(values[np.isfinite(values)], 1 / FURTHEST, FURTHEST)
    return min(1 / BEYOND, *known) / 1.1, max(BEYOND, *known) * 1.1
