"""The common style of all figures: colours for colour-blind readers, a marker per strategy, layout, scales.

Colours: Okabe & Ito 2008, "Color universal design", without yellow, which is hard to see on white.

A figure starts with ``begin`` and finishes with ``end``, which adds title, legend and caption and the space for them.
Both take the ``Sheet``: the settings that all figures of a run share.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter
from numpy.typing import NDArray

from sudoku_bench.bench.figures.wrapping import FAMILY, widest, wrap
from sudoku_bench.bench.folder.method import CLOCKS, CPU
from sudoku_bench.bench.say.phrases import seconds

Dashes = Literal["-", "--", "-.", ":"]


COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h")
LINES: tuple[Dashes, ...] = ("-", "--", "-.", ":")
GREY = "#444444"
DPI = 200

RC: Any = {
    # Matplotlib's own settings first, whatever a matplotlibrc or a notebook has set.
    **{key: value for key, value in mpl.rcParamsDefault.items() if not key.startswith("backend")},
    "font.family": FAMILY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "text.parse_math": False,  # a dollar sign in a name is text
    "svg.hashsalt": "sudoku-bench",  # same bytes for the same run
    "pdf.fonttype": 42,  # embedded TrueType fonts, as publishers require
    "text.hinting": "none",  # text widths independent of the resolution: lines are wrapped by width
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
}
MIN_POINTS = 3  # fewer puzzles have neither a distribution nor a trend to draw
SMALLEST_PT = 6.0  # journals ask for letters of at least this size
HEIGHT_SHARE = 0.6  # maximum height of a figure, as a share of the height of its column

SCREEN_WIDTH_IN = 6.6  # of a plot without the legend beside it
SCREEN_PT = 9.0
NAME_SHARE = 0.42  # maximum width of a name in the legend, as a share of the plot's width
CLOUD_ZORDER = 1.2  # of clouds of points: below all lines and other marks
MANY_POINTS = 5000  # larger clouds are rasterized in vector formats, which keeps the files small
ENTRIES_BELOW = 5  # a legend below a plot has two columns if it has more entries
HANDLE_EM = 5.5  # width of the line in a legend entry and the space around it, in font sizes
LABEL = 1.3  # height of a tick label, in font sizes
ENTRIES_BESIDE = 40  # in one column of a legend beside a plot


@dataclass(frozen=True)
class Look:
    """The colour, marker and line style of a strategy, the same in every figure (see ``looks``)."""

    colour: str
    marker: str
    dashes: Dashes


@dataclass(frozen=True)
class Column:
    """The size of a text column in inches, and the font size in points of a figure that fills its width."""

    width_in: float
    height_in: float
    font_pt: float


@dataclass(frozen=True)
class Sheet:
    """The settings that all figures of a run share.

    Attributes:
        looks: the look of each strategy.
        collections: in the order of the run, from easy to hard.
        limit_s: CPU time limit of a solve.
        facts: the line below every figure: puzzles, limit, clock, machine; may be empty.
        column: the column of a paper that the figure fills, without a title; None for a screen.
        clock: what times are, in titles, captions and labels that say CPU time.
        axes: what a figure of one panel is drawn into, without title and caption; None for a figure of its own.
    """

    looks: Mapping[str, Look]
    collections: tuple[str, ...]
    limit_s: float
    facts: str
    column: Column | None = None
    clock: str = CLOCKS[CPU]
    axes: Axes | None = None

    def within(self, axes: Axes) -> Sheet:
        """Return the sheet of a figure that is drawn into axes of a script or notebook."""
        box, dpi = axes.get_window_extent(), axes.figure.dpi
        column = Column(box.width / dpi, box.height / dpi / HEIGHT_SHARE, float(mpl.rcParams["font.size"]))
        return replace(self, column=column, axes=axes)

    def in_clock(self, text: str) -> str:
        """Return a text with the name of the clock in place of CPU time."""
        return text.replace(CLOCKS[CPU], self.clock)

    @property
    def width_in(self) -> float:
        """Width of the plot. The legend is beside it on a screen and below it in a column."""
        return self.column.width_in if self.column else SCREEN_WIDTH_IN

    @property
    def max_height_in(self) -> float:
        """Maximum height of a figure; on a screen it may be as high as it needs."""
        return HEIGHT_SHARE * self.column.height_in if self.column else math.inf

    def rows_that_fit(self, row_in: float, around_in: float) -> int:
        """Return how many rows of a height fit into a figure, which needs some height for everything else."""
        room_in = self.max_height_in - around_in
        return max(1, int(room_in / row_in)) if math.isfinite(room_in) else sys.maxsize

    @property
    def font_pt(self) -> float:
        return self.column.font_pt if self.column else SCREEN_PT

    @property
    def small_pt(self) -> float:
        """Font size of notes, legends and captions."""
        return max(SMALLEST_PT, self.font_pt - 1.5)

    @property
    def scale(self) -> float:
        """Factor for heights and marker sizes: 1 on a screen, less in a narrow column."""
        return max(0.6, min(1.0, self.width_in / SCREEN_WIDTH_IN))

    @property
    def rc(self) -> Any:
        """Settings for matplotlib."""
        return {**RC, "font.size": self.font_pt, "axes.titlesize": self.font_pt, "legend.fontsize": self.small_pt}


def renderer_of(figure: Figure) -> Any:
    """Return a new renderer for a figure."""
    canvas: Any = FigureCanvasAgg(figure)
    return canvas.get_renderer()


def settle(figure: Figure) -> None:
    """Lay out a figure for the last time: all formats share the places of its plots.

    Places are rounded, as the last digits of the solver differ between processes.
    """
    engine = figure.get_layout_engine()
    if engine is None:
        return
    engine.execute(figure)
    figure.set_layout_engine(None)  # with one, even one without effect, matplotlib draws a figure twice
    for axes in figure.axes:
        left, bottom, width, height = axes.get_position(original=True).bounds
        axes.set_position((round(left, 6), round(bottom, 6), round(width, 6), round(height, 6)))


class NothingToDrawError(Exception):
    """The run has no data for a figure; the message gives the reason."""


def begin(sheet: Sheet, height_in: float, rows: int = 1, columns: int = 1, **more: Any) -> tuple[Figure, list[Axes]]:
    """Return an empty figure and its axes, row by row.

    Args:
        height_in: height of all plots together on a screen; it shrinks with the width of a narrow column, but less.
        more: further arguments of ``Figure.subplots``.

    Raises:
        NothingToDrawError: there are several panels, but one place for them.
    """
    if sheet.axes is not None:
        if rows * columns > 1:
            raise NothingToDrawError(f"it has {rows * columns} panels, which one ax cannot hold")
        return sheet.axes.figure.figure, [sheet.axes]
    figure = Figure(figsize=(sheet.width_in, height_in * sheet.scale), layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False, **more).flat)


def end(
    figure: Figure,
    sheet: Sheet,
    title: str,
    caption: str,
    handles: Mapping[str, Artist] | None = None,
    notes: Mapping[str, str] | None = None,
) -> Figure:
    """Add title (on a screen), legend and caption to a figure, and enlarge it by the space they need.

    In a column of a paper it grows up to ``sheet.max_height_in`` only; beyond that the plots become lower. Of axes with
    fixed ticks, those remain whose labels do not touch.

    Args:
        caption: how to read the figure; printed on a screen only, followed by the facts of the sheet.
        handles: the entries of the legend: names, and the lines, markers or patches before them.
        notes: of some entries, what stands below the name.
    """
    if sheet.axes is not None:
        _end_in(sheet.axes, sheet, handles or {}, notes or {})
        return figure
    title, caption = sheet.in_clock(title), sheet.in_clock(caption)
    _wrap_labels(figure, sheet)
    below_in = _legend(figure, sheet, handles, notes or {}) if handles else 0.0
    width_in, height_in = figure.get_size_inches()
    if sheet.column is None:
        figure.suptitle(
            wrap(title, width_in * 0.97, sheet.font_pt + 2, bold=True),
            x=0.012, ha="left", fontsize=sheet.font_pt + 2, fontweight="bold",
        )  # fmt: skip
    text = wrap(f"{caption} {sheet.facts}" if sheet.column is None else sheet.facts, width_in * 0.97, sheet.small_pt)
    text_in = ((text.count("\n") + 1) * 1.25 + 0.8) * sheet.small_pt / 72 if text else 0.05
    height_in = min(height_in + text_in + below_in, sheet.max_height_in)
    figure.set_size_inches(width_in, height_in)
    if below_in:
        figure.legends[0].set_bbox_to_anchor((0.5, text_in / height_in))
    share = (text_in + below_in) / height_in
    engine = ConstrainedLayoutEngine(rect=(0, share, 1, 1 - share))
    figure.set_layout_engine(engine)
    figure.text(0.012, 0.4 * sheet.small_pt / 72 / height_in, text, fontsize=sheet.small_pt, color=GREY, va="bottom")
    engine.execute(figure)
    for axes in figure.axes:
        _thin(axes, axes.xaxis)
        _thin(axes, axes.yaxis)
    return figure


def _end_in(axes: Axes, sheet: Sheet, handles: Mapping[str, Artist], notes: Mapping[str, str]) -> None:
    """Finish a figure within axes: labels, and the legend inside."""
    axes.set_xlabel(wrap(sheet.in_clock(axes.get_xlabel()), sheet.width_in, sheet.font_pt))
    axes.set_ylabel(wrap(sheet.in_clock(axes.get_ylabel()), sheet.max_height_in, sheet.font_pt))
    if handles:
        room_in = sheet.width_in * NAME_SHARE
        labels = [_label(name, notes.get(name, ""), room_in, sheet.small_pt) for name in handles]
        axes.legend(list(handles.values()), labels, fontsize=sheet.small_pt, frameon=True, edgecolor="none")
    _thin(axes, axes.xaxis)
    _thin(axes, axes.yaxis)


def _thin(axes: Axes, axis: Axis) -> None:
    """Keep as many fixed ticks of an axis that is not linear as have room for their labels, from its beginning."""
    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    if not isinstance(locator, FixedLocator) or axis.get_scale() == "linear":
        return
    low, high = axis.get_view_interval()
    places = [float(place) for place in locator.tick_values(low, high) if low <= place <= high]
    size_pt = float(axis.get_tick_params().get("labelsize", 0) or mpl.rcParams["font.size"])
    across = axis is axes.xaxis
    kept: list[float] = []
    taken_in = -math.inf
    for place, label in zip(places, formatter.format_ticks(places), strict=True):
        x, y = axes.transData.transform((place, axes.get_ylim()[0]) if across else (axes.get_xlim()[0], place))
        half_in = (widest([label], size_pt) + 0.5 * size_pt / 72 if across else LABEL * size_pt / 72) / 2
        at_in = (x if across else y) / axes.figure.dpi
        if at_in - half_in >= taken_in:
            kept.append(place)
            taken_in = at_in + half_in
    axis.set_major_locator(FixedLocator(kept))


def _wrap_labels(figure: Figure, sheet: Sheet) -> None:
    """Wrap axis labels that are longer than their axes, leaving at least half an inch for tick labels."""
    width_in, height_in = figure.get_size_inches()
    for axes in figure.axes:
        spec = axes.get_subplotspec()
        rows, columns, *_ = spec.get_geometry() if spec else (1, 1)
        axes.set_xlabel(wrap(sheet.in_clock(axes.get_xlabel()), width_in / columns - 0.85, sheet.font_pt))
        label, up_in = sheet.in_clock(axes.get_ylabel()), height_in / rows - 0.6
        if axes.get_box_aspect() and sheet.column is None and wrap(label, up_in, sheet.font_pt).count("\n") > 1:
            up_in = 0.75 * (width_in / columns - 0.85)  # on a screen, so many lines make a square panel lower
        axes.set_ylabel(wrap(label, up_in, sheet.font_pt))


def _legend(figure: Figure, sheet: Sheet, handles: Mapping[str, Artist], notes: Mapping[str, str]) -> float:
    """Add a legend beside the plots (enlarging the figure) or, in a column, below them; return its height there."""
    width_in, height_in = figure.get_size_inches()
    beside = sheet.column is None
    marks_in = HANDLE_EM * sheet.small_pt / 72
    room_in = width_in * NAME_SHARE if beside else width_in / (2 if len(handles) > ENTRIES_BELOW else 1) - marks_in
    labels = [_label(name, notes.get(name, ""), room_in - 0.03, sheet.small_pt) for name in handles]
    settings: Any = {
        "handles": list(handles.values()), "labels": labels, "labelspacing": 0.8, "handlelength": 3.0,
        "fontsize": sheet.small_pt, "borderpad": 0.2,
    }  # fmt: skip
    if beside:
        legend = figure.legend(loc="outside right upper", ncols=1 + len(handles) // ENTRIES_BESIDE, **settings)
    else:
        columns = max(1, int(width_in / (widest(labels, sheet.small_pt) + marks_in)))
        legend = figure.legend(
            loc="lower center", bbox_to_anchor=(0.5, 0), ncols=columns, columnspacing=1.0, **settings
        )  # fmt: skip
    box = legend.get_window_extent(renderer_of(figure))
    if beside:
        figure.set_size_inches(width_in + box.width / figure.dpi + 0.1, max(height_in, box.height / figure.dpi + 0.5))
        return 0.0
    return float(box.height / figure.dpi) + 0.1


def _label(name: str, note: str, room_in: float, size_pt: float) -> str:
    """Return a legend entry: the name, and below it the note, indented by two spaces."""
    below = wrap(note, room_in - size_pt / 72, size_pt).splitlines() if note else []
    return "\n".join([wrap(name, room_in, size_pt), *(f"  {line}" for line in below)])


def rasterize_cloud(axes: Axes, points: int) -> None:
    """Rasterize everything drawn at ``CLOUD_ZORDER`` if there are more than ``MANY_POINTS`` points."""
    axes.set_rasterization_zorder(CLOUD_ZORDER + 0.1 if points > MANY_POINTS else None)


def legend_lines(names: Iterable[str], sheet: Sheet) -> dict[str, Line2D]:
    """Return the legend handles of strategies."""
    return {name: legend_line(sheet.looks[name]) for name in names}


def legend_line(look: Look) -> Line2D:
    """Return the line and marker of a strategy for a legend."""
    return Line2D([], [], color=look.colour, marker=look.marker, linestyle=look.dashes, lw=1.6, ms=5)


def log_scale(
    axes: Axes, which: Literal["x", "y"], low: float, high: float, text_of: Callable[[float], str] | None = None
) -> None:
    """Make an axis logarithmic, with these limits and readable ticks.

    Args:
        low, high: positive and finite; they may be equal.
        text_of: formats the tick labels; times in seconds by default.
    """
    if high < low * 1.1:
        low, high = low / 1.5, high * 1.5
    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)
    for ticks in (LogLocator(subs=(1.0,)), LogLocator(subs=(1.0, 2.0, 5.0)), MaxNLocator(4)):
        places = [value for value in ticks.tick_values(low, high) if low <= value <= high]
        if len(places) >= 3:
            break
    axis.set_major_locator(FixedLocator(places))
    axis.set_major_formatter(lambda value, _: (text_of or seconds)(value))
    axis.set_minor_formatter(NullFormatter())


def factor_text(factor: float) -> str:
    """Format a factor: 1×, 2.5×, 1,000×."""
    return f"{factor:.3g}×" if factor < 1000 else f"{factor:,.0f}×"


def limit_line(axes: Axes, sheet: Sheet, text: str = "") -> None:
    """Draw a dashed horizontal line at the time limit, with a text above its left end."""
    axes.axhline(sheet.limit_s, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    if text:
        axes.annotate(
            text, (0.01, sheet.limit_s), xycoords=("axes fraction", "data"), xytext=(0, 4), textcoords="offset points",
            fontsize=sheet.small_pt, color=GREY, va="bottom",
        )  # fmt: skip


def time_scale(axes: Axes, times: NDArray[np.float64], sheet: Sheet) -> None:
    """Scale the y axis to hold all times, and the time limit with its line if a solve reached it (infinite)."""
    finished = times[np.isfinite(times)]
    has_late = len(finished) < times.size
    low, high = (finished.min(), finished.max()) if len(finished) else (sheet.limit_s / 10, sheet.limit_s)
    log_scale(axes, "y", float(low) / 1.6, sheet.limit_s * 2.5 if has_late else float(high) * 1.6)
    if has_late:
        limit_line(axes, sheet, f"time limit {seconds(sheet.limit_s)}")


def name_rows(axes: Axes, places: Any, labels: Sequence[str], sheet: Sheet) -> None:
    """Name the rows of a plot at the left."""
    axes.set_yticks(places, labels, fontsize=sheet.small_pt)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
