"""The common style of all figures: sizes, scales, names at the ends of lines, title, legend and caption.

A figure starts with ``begin`` and finishes with ``end``; matplotlib's constrained layout makes room for everything.
Both take the ``Sheet``: the settings that all figures of a run share.
"""

from __future__ import annotations

import math
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter
from numpy.typing import NDArray

from sudoku_bench.bench.folder.method import CLOCKS, CPU
from sudoku_bench.bench.say.phrases import counted, seconds

Dashes = Literal["-", "--", "-.", ":"]
Floats = NDArray[np.float64]

# Okabe & Ito 2008, "Color universal design", without yellow, which is hard to see on white, and two more.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00", "#882255", "#999933")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h")
LINES: tuple[Dashes, ...] = ("-", "--", "-.", ":")
GREY = "#444444"
DPI = 200

RC: Any = {
    # Matplotlib's own settings first, whatever a matplotlibrc or a notebook has set.
    **{key: value for key, value in mpl.rcParamsDefault.items() if not key.startswith("backend")},
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "text.parse_math": False,  # a dollar sign in a name is text
    "svg.hashsalt": "sudoku-bench",  # same bytes for the same run
    "svg.fonttype": "none",  # letters can be searched and edited
    "pdf.fonttype": 42,  # embedded TrueType fonts, as publishers require
    "text.hinting": "none",  # text widths independent of the resolution
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
}
MIN_POINTS = 3  # fewer puzzles have neither a distribution nor a trend to draw
SMALLEST_PT = 6.0  # journals ask for letters of at least this size
HEIGHT_SHARE = 0.6  # maximum height of a figure, as a share of the height of its column
SCREEN_WIDTH_IN, SCREEN_PT = 8.0, 9.0
NARROW_IN = 5.0  # a narrower figure fills one column of two
CLOUD_ZORDER = 1.2  # of clouds of points: below all lines and other marks
MANY_POINTS = 5000  # larger clouds are rasterized in vector formats, which keeps the files small
NAME_SHARE = 0.3  # maximum width of a strategy's name, as a share of the figure
LEADER_GREY = "#b8b8b8"
EM = 0.6  # mean width of letters, in font sizes
LINE = 1.3  # height of a line of text, in font sizes
BREAKS = re.compile(r"(?=[+@])|(?<=[:-])(?=\w)")  # where the name of a strategy may be broken


@dataclass(frozen=True)
class Look:
    """The colour, marker and line style of a strategy, the same in every figure of a run (see ``sheet.looks``)."""

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
        facts: puzzles, limit, clock and machine, below a figure for a screen; may be empty.
        facts_of_size: the same below a figure of the most common board size.
        scope: which strategies a figure shows; empty: all.
        column: the column of a paper that the figure fills, without title and caption; None for a screen.
        clock: what times are, in titles, captions and labels that say CPU time.
        named: the strategies that have a name and a colour where not all have room; None: all.
        axes: what a figure is drawn into, without title and caption; none for a figure of its own.
    """

    looks: Mapping[str, Look]
    collections: tuple[str, ...]
    limit_s: float
    facts: str
    column: Column | None = None
    clock: str = CLOCKS[CPU]
    named: tuple[str, ...] | None = None
    axes: tuple[Axes, ...] = ()
    facts_of_size: str = ""
    scope: str = ""

    def about(self, data: object) -> Sheet:
        """Return the sheet of a figure, whose facts and title are about the boards and strategies that it shows."""
        facts = self.facts_of_size if getattr(data, "omitted", 0) and self.facts else self.facts
        return replace(self, facts=facts, scope=getattr(data, "scope", ""))

    def titled(self, title: str) -> str:
        """Return the title of a figure with the clock and, unless all strategies take part, those that do."""
        return self.in_clock(f"{title}, {self.scope}" if self.scope else title)

    def within(self, axes: Sequence[Axes]) -> Sheet:
        """Return the sheet of a figure that is drawn into axes of a script or notebook."""
        boxes = [one.get_window_extent() for one in axes]
        dpi, size_pt = axes[0].figure.dpi, float(mpl.rcParams["font.size"])
        column = Column(boxes[0].width / dpi, boxes[0].height / dpi / HEIGHT_SHARE, size_pt)
        return replace(self, column=column, axes=tuple(axes))

    def in_clock(self, text: str) -> str:
        """Return a text with the name of the clock in place of CPU time."""
        return text.replace(CLOCKS[CPU], self.clock)

    def is_named(self, strategy: str) -> bool:
        return self.named is None or strategy in self.named

    @property
    def width_in(self) -> float:
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
        """Font size of notes, names, legends and captions."""
        return max(SMALLEST_PT, self.font_pt - 1.5)

    @property
    def scale(self) -> float:
        """Factor for heights and marker sizes: 1 on a screen, less in a narrow column."""
        return max(0.6, min(1.0, self.width_in / 6.6))

    @property
    def rc(self) -> Any:
        """Settings for matplotlib."""
        small = {"legend.fontsize": self.small_pt, "xtick.labelsize": self.small_pt, "ytick.labelsize": self.small_pt}
        return {
            **RC,
            "font.size": self.font_pt,
            "axes.titlesize": self.font_pt,
            "axes.labelsize": self.font_pt,
            **small,
        }


class NothingToDrawError(Exception):
    """The run has no data for a figure; the message gives the reason."""


def wrap(text: str, width_in: float, size_pt: float) -> str:
    """Break a text into lines of about this width: between words, and where the parts of longer names join."""
    width = max(6, int(width_in * 72 / size_pt / EM))
    words = [BREAKS.sub("\0", word) if len(word) > width else word for word in text.split()]
    wrapper = textwrap.TextWrapper(width)
    wrapper.wordsep_re = re.compile(r"(\s+)|\0")
    return wrapper.fill(" ".join(words))


def short(name: str, sheet: Sheet) -> str:
    """Return the name of a strategy on lines no wider than its share of a figure."""
    return wrap(name, sheet.width_in * NAME_SHARE, sheet.small_pt)


def width_of(text: str, size_pt: float) -> float:
    """Return the approximate width of a text in inches: that of its longest line."""
    return max(map(len, text.splitlines()), default=0) * EM * size_pt / 72


def begin(sheet: Sheet, height_in: float, rows: int = 1, columns: int = 1, **more: Any) -> tuple[Figure, list[Axes]]:
    """Return an empty figure and its axes, row by row.

    Args:
        height_in: height of all plots together on a screen; it shrinks with the width of a narrow column, but less.
        more: further arguments of ``Figure.subplots``.

    Raises:
        NothingToDrawError: axes are given, but not one for each panel.
    """
    if sheet.axes:
        if rows * columns != len(sheet.axes):
            raise NothingToDrawError(f"it has {counted(rows * columns, 'panel')}; give axes= with as many")
        return sheet.axes[0].figure.figure, list(sheet.axes)
    size = sheet.width_in, min(height_in * sheet.scale, sheet.max_height_in)
    figure = Figure(figsize=size, layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False, **more).flat)


def begin_panels(sheet: Sheet, number: int, row_in: float, **more: Any) -> tuple[Figure, list[Axes]]:
    """Return an empty figure and its axes, two or three in a row; ``row_in`` is the height of a row on a screen."""
    if sheet.axes:
        return begin(sheet, row_in, 1, number)
    columns = min(number, 2 if sheet.width_in < NARROW_IN else 3)
    rows = math.ceil(number / columns)
    figure, every = begin(sheet, row_in * rows, rows, columns, **more)
    for unused in every[number:]:
        unused.remove()
    return figure, every[:number]


def end(figure: Figure, sheet: Sheet, title: str, caption: str, handles: Mapping[str, Artist] | None = None) -> Figure:
    """Add a legend, and on a screen the title, the caption and the facts of the sheet, which make the figure higher.

    Args:
        caption: how to read the figure.
        handles: the entries of the legend: names, and the lines, markers or patches before them.
    """
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):  # labels keep their places
            axis.set_label_text(sheet.in_clock(axis.get_label_text()))
    labels = [wrap(name, sheet.width_in * NAME_SHARE, sheet.small_pt) for name in handles or ()]
    entries: Any = {"handles": [*(handles or {}).values()], "labels": labels, "borderpad": 0.2}
    if sheet.axes:
        if handles:
            sheet.axes[0].legend(**entries)
        return figure
    width_in, height_in = figure.get_size_inches()
    if sheet.column is None:
        heading = wrap(sheet.titled(title), width_in, sheet.font_pt + 3)
        text = wrap(sheet.in_clock(f"{caption} {sheet.facts}"), width_in, sheet.small_pt * 0.95)
        figure.suptitle(heading, x=0.01, ha="left", fontsize=sheet.font_pt + 2, fontweight="bold")
        figure.supxlabel(text, x=0.01, ha="left", fontsize=sheet.small_pt, color=GREY)
        lines_pt = text.count("\n") * sheet.small_pt + heading.count("\n") * sheet.font_pt
        figure.set_figheight(height_in + 0.5 + LINE * lines_pt / 72)
    if handles:
        longest_in = max(width_of(label, sheet.small_pt) for label in labels) + 4 * sheet.small_pt / 72
        columns = max(1, min(len(labels), int(width_in / longest_in))) if sheet.column else 1
        place: Any = "outside upper left" if sheet.column else "outside right upper"
        legend = figure.legend(loc=place, ncols=columns, **entries)
        legend_in = _height_in(legend, figure) + 0.1
        above_in = min(height_in + legend_in, sheet.max_height_in)
        figure.set_figheight(above_in if sheet.column else max(figure.get_figheight(), legend_in))
    return figure


def _height_in(artist: Artist, figure: Figure) -> float:
    canvas: Any = FigureCanvasAgg(figure)
    return float(artist.get_window_extent(canvas.get_renderer()).height) / figure.dpi


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


def name_ends(
    axes: Axes,
    ends: Mapping[str, tuple[float, float]],
    looks: Mapping[str, Look],
    sheet: Sheet,
    notes: Mapping[str, str],
) -> None:
    """Write a name beside the end of each line, right of the axes; in axes of a script a legend in the same order.

    Call this after ``end``. In SVG, the groups are called ``name-`` and the number of the strategy.

    Args:
        axes: with their final limits; ends: in their data.
        notes: of some strategies, what stands below the name.
    """
    order = sorted(ends, key=lambda name: -ends[name][1])
    if sheet.axes:
        axes.legend([legend_line(looks[name]) for name in order], order, fontsize=sheet.small_pt)
        return
    figure, size_pt = axes.figure.figure, sheet.small_pt
    places = axes.transAxes.inverted().transform(axes.transData.transform([ends[name] for name in order])).clip(0, 1)
    texts = [axes.annotate(
        end_text(name, sheet, notes), (1, place), xycoords="axes fraction", xytext=(2.2 * size_pt, 0),
        textcoords="offset points", fontsize=size_pt, va="center", linespacing=1.1, annotation_clip=False,
        gid=f"name-{[*looks].index(name)}",
    ) for name, place in zip(order, places[:, 1], strict=True)]  # fmt: skip
    engine = figure.get_layout_engine()
    if engine:
        engine.execute(figure)
    box = axes.get_window_extent()
    heights = np.array([end_height(text.get_text(), sheet) for text in texts]) * figure.dpi / box.height
    leader = 1.4 * size_pt / 72 * figure.dpi / box.width
    frame: Any = {"transform": axes.transAxes, "clip_on": False, "scalex": False, "scaley": False}
    for name, text, (x, y), to in zip(order, texts, places, spread(places[:, 1], heights), strict=True):
        text.xy = (1, to)
        group, look = text.get_gid(), looks[name]
        line: Any = {"color": LEADER_GREY, "lw": 0.6, "zorder": 1, "gid": f"{group}-line"}
        axes.plot([x, 1, 1 + leader], [y, y, to], "-", **line, **frame)
        mark: Any = {"color": look.colour, "ms": 0.6 * size_pt, "mew": 0, "gid": f"{group}-mark"}
        axes.plot([1 + leader], [to], look.marker or "s", **mark, **frame)


def end_text(name: str, sheet: Sheet, notes: Mapping[str, str]) -> str:
    """Return what stands at the end of a line: the name and below it a note."""
    return "\n".join(short(text, sheet) for text in (name, notes.get(name, "")) if text)


def end_height(text: str, sheet: Sheet) -> float:
    """Return the height in inches of a text at the end of a line, with the gap to the next one."""
    return ((text.count("\n") + 1) * LINE + 0.4) * sheet.small_pt / 72


def ends_height(names: Iterable[str], sheet: Sheet, notes: Mapping[str, str]) -> float:
    """Return the height on a screen of axes beside which the names of all lines have room, in inches."""
    return (sum(end_height(end_text(name, sheet, notes), sheet) for name in names) + 0.5) / sheet.scale


def spread(wanted: Floats, heights: Floats) -> Floats:
    """Return the centres of texts of these heights that do not overlap, near to where they are wanted, from 0 to 1.

    The order stays. Texts are moved up from below, and those that then reach beyond 1 down again.
    """
    order = np.argsort(wanted, kind="stable")
    below = np.cumsum(heights[order]) - heights[order] / 2
    lowest = np.maximum.accumulate(np.maximum(0.0, wanted[order] - below))
    result = np.empty(len(wanted))
    result[order] = np.minimum(lowest, max(0.0, 1.0 - float(heights.sum()))) + below
    return result


def rasterize_cloud(axes: Axes, points: int) -> None:
    """Rasterize everything drawn at ``CLOUD_ZORDER`` if there are more than ``MANY_POINTS`` points."""
    axes.set_rasterization_zorder(CLOUD_ZORDER + 0.1 if points > MANY_POINTS else None)


def legend_line(look: Look) -> Line2D:
    """Return the line and marker of a strategy for a legend."""
    return Line2D([], [], color=look.colour, marker=look.marker, linestyle=look.dashes, lw=1.6, ms=5)


def log_scale(
    axes: Axes,
    which: Literal["x", "y"],
    low: float,
    high: float,
    text_of: Callable[[float], str] = seconds,
    most: int = 7,
) -> None:
    """Make an axis logarithmic, with these limits and readable ticks.

    Args:
        low, high: positive and finite; they may be equal.
        text_of: formats the tick labels; times in seconds by default.
        most: maximum number of ticks.
    """
    if high < low * 1.1:
        low, high = low / 1.5, high * 1.5
    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)
    for ticks in (LogLocator(subs=(1.0,), numticks=99), LogLocator(subs=(1.0, 2.0, 5.0)), MaxNLocator(4)):
        places = [value for value in ticks.tick_values(low, high) if low <= value <= high]
        if len(places) >= min(3, most - 1):
            break
    axis.set_major_locator(FixedLocator(places[:: math.ceil(len(places) / most)]))
    axis.set_minor_locator(FixedLocator(places))  # those without a label
    axis.set_major_formatter(lambda value, _: text_of(value))
    axis.set_minor_formatter(NullFormatter())


def factor_text(factor: float) -> str:
    """Format a factor: 1×, 2.5×, 1,000×."""
    return f"{factor:.3g}×" if factor < 1000 else f"{factor:,.0f}×"


def limit_line(axes: Axes, sheet: Sheet, text: str = "") -> None:
    """Draw a dashed horizontal line at the time limit, with a text above its left end."""
    axes.axhline(sheet.limit_s, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    if text:
        axes.annotate(
            text, (0.01, sheet.limit_s), xycoords=("axes fraction", "data"), xytext=(0, 3), textcoords="offset points",
            fontsize=sheet.small_pt, color=GREY, va="bottom",
        )  # fmt: skip


def time_scale(axes: Axes, times: Floats, sheet: Sheet, most: int = 7) -> None:
    """Scale the y axis to hold all times, and the time limit with its line if a solve reached it (infinite).

    Args:
        most: maximum number of ticks.
    """
    finished = times[np.isfinite(times)]
    has_late = len(finished) < times.size
    low, high = (finished.min(), finished.max()) if len(finished) else (sheet.limit_s / 10, sheet.limit_s)
    log_scale(axes, "y", float(low) / 1.6, sheet.limit_s * 2.5 if has_late else float(high) * 1.6, most=most)
    if has_late:
        limit_line(axes, sheet, f"time limit {seconds(sheet.limit_s)}")


def name_rows(axes: Axes, places: Any, labels: Sequence[str], sheet: Sheet) -> None:
    """Name the rows of a plot at the left."""
    axes.set_yticks(places, labels, fontsize=sheet.small_pt, va="center")  # PGF aligns no others at the right
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
