"""One look for all figures: colours that colour-blind readers can tell apart, a marker of its own for each strategy.

Colours: Okabe & Ito 2008, "Color universal design", without the yellow that vanishes on white.

A figure is begun with ``begin`` and ended with ``end``, which gives it its title, legend and caption, and the room that
they need. Both go by the ``Sheet``: what all figures of a run share.
"""

from __future__ import annotations

import functools
import io
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter

from bench.figures import pgf
from bench.say import phrases

Dashes = Literal["-", "--", "-.", ":"]

seconds = phrases.seconds

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h")
LINES: tuple[Dashes, ...] = ("-", "--", "-.", ":")
GREY = "#444444"
DPI = 200

RC: Any = {
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "svg.hashsalt": "sudoku-bench",  # the same bytes for the same run
    "pdf.fonttype": 42,  # whole TrueType fonts, which publishers ask for
    "text.hinting": "none",  # letters as wide as they are, whatever the resolution: lines are broken by their width
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
}
METADATA: Mapping[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}
KINDS = ("svg", "png", "pdf", "pgf")

SCREEN_WIDTH_IN = 6.6  # of a plot, without the legend beside it
SCREEN_PT = 9.0
JOINTS = re.compile(r"(?=[+@])|(?<=[:-])")  # where the name of a strategy is broken
NAME_SHARE = 0.42  # of the width of a plot: where a name in the legend goes on in the next line
POINTS = 1.2  # zorder of clouds of points, below everything else that is drawn
MANY_POINTS = 5000  # so many in one plot become an image in a drawing of lines, lest files be huge
ENTRIES_BELOW = 5  # in one column of a legend below a plot; more stand in two
BESIDE_NAMES = 5.5  # letters: the line of an entry in a legend, and the space around it
ENTRIES_BESIDE = 40  # in one column of a legend


@dataclass(frozen=True)
class Look:
    """How a strategy is drawn, in every figure of a run."""

    colour: str
    marker: str
    dashes: Dashes


@dataclass(frozen=True)
class Column:
    """The width of a column of text, in inches, and the size of letters in a figure that fills it, in points."""

    width_in: float
    font_pt: float


@dataclass(frozen=True)
class Sheet:
    """What all figures of a run share.

    Attributes:
        looks: of each strategy.
        collections: in the order of the puzzles, that is from easy to hard.
        limit_s: limit of CPU time of a solve.
        facts: what a reader must know of any figure: puzzles, limit, clock, machine.
        column: the place in a paper that the figure fills, without a title; None for a screen.
    """

    looks: Mapping[str, Look]
    collections: tuple[str, ...]
    limit_s: float
    facts: str
    column: Column | None = None

    @property
    def width_in(self) -> float:
        """Of the plot; on a screen a legend comes beside it, in a column below it."""
        return self.column.width_in if self.column else SCREEN_WIDTH_IN

    @property
    def font_pt(self) -> float:
        return self.column.font_pt if self.column else SCREEN_PT

    @property
    def small_pt(self) -> float:
        """Of notes, legends and captions."""
        return self.font_pt - 1.5

    @property
    def scale(self) -> float:
        """Of heights and marks: 1 on a screen, less in a narrow column."""
        return max(0.6, min(1.0, self.width_in / SCREEN_WIDTH_IN))

    @property
    def rc(self) -> Any:
        """Settings of matplotlib."""
        return {**RC, "font.size": self.font_pt, "axes.titlesize": self.font_pt, "legend.fontsize": self.small_pt}


class Layout(ConstrainedLayoutEngine):
    """Places that are the same in each process: the last digits of those that the solver finds are not."""

    def execute(self, fig: Figure) -> None:
        super().execute(fig)
        for axes in fig.axes:
            left, bottom, width, height = (round(edge, 6) for edge in axes.get_position(original=True).bounds)
            axes.set_position((left, bottom, width, height))
            axes.set_in_layout(True)  # which setting its position ends


class NothingToDrawError(Exception):
    """A figure says in words why this run has nothing to show in it."""


def looks(names: Sequence[str]) -> dict[str, Look]:
    """Colour, marker and line style of each strategy; no two share all three (up to 308 of them)."""
    return {
        name: Look(COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)], LINES[i // len(COLOURS) % len(LINES)])
        for i, name in enumerate(names)
    }


def begin(sheet: Sheet, height_in: float, rows: int = 1, columns: int = 1, **more: Any) -> tuple[Figure, list[Axes]]:
    """An empty figure and its axes, row by row.

    Args:
        height_in: of the plots together, on a screen; in a narrower column it shrinks, though less than the width.
        more: as ``Figure.subplots`` takes it.
    """
    figure = Figure(figsize=(sheet.width_in, height_in * sheet.scale), layout=Layout())
    return figure, list(figure.subplots(rows, columns, squeeze=False, **more).flat)


def end(
    figure: Figure, sheet: Sheet, title: str, words: str, names: Mapping[str, str] | Sequence[str] = (), **legend: Any
) -> Figure:
    """Give a figure its title (on a screen), its legend and its caption, and let it grow by the room that they take.

    Args:
        words: how to read the figure: on a screen before the facts of the caption.
        names: the strategies of the legend, or any labels with lines of their own in ``handles``; as a mapping, with
            what is to be said of each in a line below its name.
        legend: as ``Figure.legend`` takes it, such as ``handles``.
    """
    _wrap_labels(figure, sheet)
    below_in = _legend(figure, sheet, names, legend) if names or legend else 0.0
    width_in, height_in = figure.get_size_inches()
    if sheet.column is None:
        figure.suptitle(
            wrap(title, width_in * 0.97, sheet.font_pt + 2, bold=True),
            x=0.012, ha="left", fontsize=sheet.font_pt + 2, fontweight="bold",
        )  # fmt: skip
    caption = wrap(f"{words} {sheet.facts}" if sheet.column is None else sheet.facts, width_in * 0.97, sheet.small_pt)
    caption_in = ((caption.count("\n") + 1) * 1.25 + 0.8) * sheet.small_pt / 72
    height_in += caption_in + below_in
    figure.set_size_inches(width_in, height_in)
    if below_in:
        figure.legends[0].set_bbox_to_anchor((0.5, caption_in / height_in))
    share = (caption_in + below_in) / height_in
    figure.set_layout_engine(Layout(rect=(0, share, 1, 1 - share)))
    figure.text(0.012, 0.4 * sheet.small_pt / 72 / height_in, caption, fontsize=sheet.small_pt, color=GREY, va="bottom")
    return figure


def _wrap_labels(figure: Figure, sheet: Sheet) -> None:
    """Break the names of axes that are longer than their axes; scales take half an inch and more beside them."""
    width_in, height_in = figure.get_size_inches()
    for axes in figure.axes:
        spec = axes.get_subplotspec()
        rows, columns, *_ = spec.get_geometry() if spec else (1, 1)
        axes.set_xlabel(wrap(axes.get_xlabel(), width_in / columns - 0.85, sheet.font_pt))
        axes.set_ylabel(wrap(axes.get_ylabel(), height_in / rows - 0.6, sheet.font_pt))


def _legend(figure: Figure, sheet: Sheet, names: Mapping[str, str] | Sequence[str], settings: dict[str, Any]) -> float:
    """A legend beside the plots, for which the figure grows; or below them in a column: the inches that it takes."""
    width_in, height_in = figure.get_size_inches()
    notes = names if isinstance(names, Mapping) else dict.fromkeys(names, "")
    beside = sheet.column is None
    marks_in = BESIDE_NAMES * sheet.small_pt / 72
    across = 2 if len(notes) > ENTRIES_BELOW else 1
    room_in = width_in * NAME_SHARE if beside else width_in / across - marks_in - 0.03
    if notes:
        labels = [_label(name, note, room_in, sheet.small_pt) for name, note in notes.items()]
        handles = settings.pop("handles", None) or [line_of(sheet.looks[name]) for name in notes]
        settings |= {"handles": handles, "labels": labels}
    settings = {"labelspacing": 0.8, "handlelength": 3.0, "fontsize": sheet.small_pt, "borderpad": 0.2} | settings
    columns = 1 + len(settings["handles"]) // ENTRIES_BESIDE
    legend = figure.legend(loc="outside right upper", ncols=columns, **settings)
    renderer = _renderer(figure)
    box = legend.get_window_extent(renderer)
    if beside:
        width_in, height_in = width_in + box.width / figure.dpi + 0.1, max(height_in, box.height / figure.dpi + 0.5)
        figure.set_size_inches(width_in, height_in)
        return 0.0
    widest = max(text.get_window_extent(renderer).width for text in legend.get_texts()) / figure.dpi
    legend.remove()
    columns = max(1, int(width_in / (widest + marks_in)))
    legend = figure.legend(loc="lower center", bbox_to_anchor=(0.5, 0), ncols=columns, columnspacing=1.0, **settings)
    return float(legend.get_window_extent(renderer).height / figure.dpi) + 0.1


def _label(name: str, note: str, room_in: float, size_pt: float) -> str:
    """A name in a legend, and below it, set in by two spaces, what is said of it."""
    below = wrap(note, room_in - size_pt / 72, size_pt).splitlines() if note else []
    return "\n".join([wrap(name, room_in, size_pt), *(f"  {line}" for line in below)])


def cloud(axes: Axes, points: int) -> None:
    """Let what is drawn at ``POINTS`` become one image, if it is so many points."""
    axes.set_rasterization_zorder(POINTS + 0.1 if points > MANY_POINTS else None)


def line_of(look: Look) -> Line2D:
    """The line and marker of a strategy, for a legend."""
    return Line2D([], [], color=look.colour, marker=look.marker, linestyle=look.dashes, lw=1.6, ms=5)


@functools.lru_cache(maxsize=4096)
def wrap(text: str, width_in: float, size_pt: float, bold: bool = False) -> str:
    """The text in lines that are no wider than that, broken between words; words that are too long, where their parts
    join (``complete+pairwise`` and ``@cadical195``), or anywhere if that does not suffice.
    """
    font = FontProperties(family=RC["font.family"], size=size_pt, weight="bold" if bold else "normal")
    renderer = _measuring()

    def fits(line: str) -> bool:
        width: float = renderer.get_text_width_height_descent(line, font, False)[0]
        return width <= width_in * DPI

    whole = " ".join(text.split())
    if fits(whole):
        return whole
    lines = [""]
    for word in whole.split():
        joined = f"{lines[-1]} {word}".strip()
        if fits(joined):
            lines[-1] = joined
            continue
        lines.append("")
        for part in JOINTS.split(word):
            if fits(lines[-1] + part):
                lines[-1] += part
                continue
            rest = part
            while rest:  # a name of eighty letters knows no spaces
                number = max(1, bisect_right(range(1, len(rest) + 1), False, key=lambda n: not fits(rest[:n])))
                lines.append(rest[:number])
                rest = rest[number:]
    return "\n".join(line for line in lines if line)


@functools.cache
def _measuring() -> Any:
    """A renderer that measures letters: making one takes longer than measuring a hundred lines."""
    return _renderer(Figure(dpi=DPI))


def _renderer(figure: Figure) -> Any:
    canvas: Any = FigureCanvasAgg(figure)
    return canvas.get_renderer()


def log_scale(
    axes: Axes, which: Literal["x", "y"], low: float, high: float, words: Callable[[float], str] | None = None
) -> None:
    """A logarithmic axis of times (or of what ``words`` says) with these limits, and ticks that can be read.

    Args:
        low, high: positive and finite; they may be equal.
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
    axis.set_major_formatter(lambda value, _: (words or seconds)(value))
    axis.set_minor_formatter(NullFormatter())


def render(figure: Figure, kind: str) -> bytes:
    """A figure as the bytes of a file of one of ``KINDS``, without a time stamp.

    PGF needs a TeX program: ``pgf.must_work`` says in words whether there is one.
    """
    data = io.BytesIO()
    backend = pgf.BACKEND if kind == "pgf" else None
    with mpl.rc_context(RC | pgf.settings()):
        figure.savefig(data, format=kind, metadata=METADATA.get(kind), backend=backend)
    return data.getvalue()
