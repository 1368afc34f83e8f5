"""Forest plot: the pair that crosses with most at stake on each collection, and the fastest strategy of each collection
against those that come nearest to it; or a baseline against those.

A row is a pair: the ratio of their times, its interval, and the verdict as colour (Lewis & Clarke 2001,
"Forest plots: trying to see the wood and the trees").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from sudoku_bench.bench.figures import style
from sudoku_bench.bench.figures.style import NothingToDrawError, Sheet
from sudoku_bench.bench.verdicts.answer import answers
from sudoku_bench.bench.verdicts.between_runs.repeated import between_note, widened
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.groups import apart, left_out, rest, scope
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import Row, evidence, percent, turned
from sudoku_bench.bench.verdicts.pairs.pairs import all_pairs
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.verdicts.selection import require_measured

TITLE = "Ratios of CPU times with their verdicts"
AROUND_IN = 1.1  # height of axis and legend in a column of a paper
NEAREST = 3  # maximum number of pairs of a collection
NEAREST_BASELINE = 8  # the same with a baseline
BEYOND = 1.4  # the axis reaches this factor beyond the last ratio
MARGIN_COLOUR = "#e4e4e4"
SLOWER, MAYBE_SLOWER = "slower", "slower, maybe within the margin"
FASTER, MAYBE_FASTER = "faster", "faster, maybe within the margin"
UNDECIDED, EQUIVALENT = "not decided", "equivalent"
LOOKS = {  # finding -> colour, and whether the mark is filled
    SLOWER: (style.COLOURS[0], True),
    MAYBE_SLOWER: (style.COLOURS[0], False),
    UNDECIDED: (style.GREY, False),
    EQUIVALENT: (style.COLOURS[2], True),
    FASTER: (style.COLOURS[1], True),
    MAYBE_FASTER: (style.COLOURS[1], False),
}


@dataclass(frozen=True)
class Group:
    """Pairs with one reference.

    Attributes:
        head: what they are.
        rows: rows of the table of pairs, whose ``b`` is the reference; nearest first.
        by: the column that names them: ``a``, or ``collection`` if all are of the pair that crosses.
        left_out: sentences on strategies that take no part and on what intervals include, with a leading space; may be
            empty.
    """

    head: str
    rows: tuple[Row, ...]
    by: str = "a"
    left_out: str = ""


def data(run: Run, baseline: str = "") -> tuple[Group, ...]:
    """Select the pair that crosses with most at stake, and the pairs of the best strategy of each collection.

    Strategies that stand apart are left out. Times are CPU times.

    Args:
        baseline: the strategy whose pairs are selected on every collection instead.

    Raises:
        InputError: the run has no such strategy.
    """
    if baseline:
        require_measured(run, baseline)
    table = widened(all_pairs(run, baseline), run.between_runs) if baseline else rest(run).quoted
    note = between_note(run.between_runs)
    groups = [] if baseline else crossing(run)
    for collection, rows in table[table["clock"] == CPU].groupby("collection", sort=False):
        known = [row for row in rows.to_dict("records") if not math.isnan(place_of(row))]
        nearest = sorted(known, key=lambda row: (abs(math.log(place_of(row))), row["a"]))
        if known:
            among = f", {scope(run)}" if apart(run) and not baseline else ""
            head, most = f"{collection}{among}, against {known[0]['b']}", NEAREST_BASELINE if baseline else NEAREST
            groups.append(Group(head, tuple(nearest[:most]), left_out=("" if baseline else left_out(run)) + note))
    if not groups:
        raise NothingToDrawError(
            f"no collection has a pair with {baseline}"
            if baseline
            else "no collection has a fastest strategy that others are compared with"
        )
    return tuple(groups)


def between(table: pd.DataFrame, a: str, b: str) -> list[Row]:
    """Return the rows of a pair from the view of ``a``."""
    direct = table[(table["a"] == a) & (table["b"] == b)].to_dict("records")
    reverse = table[(table["a"] == b) & (table["b"] == a)].to_dict("records")
    return [*direct, *map(turned, reverse)]


def crossing(run: Run) -> list[Group]:
    """Return the pair that crosses with most at stake, on each collection of its board size; or nothing."""
    sizes = run.per_puzzle.groupby("collection", observed=True)["size"].first()
    for row in [row for part in answers(run) for row in part.changes][:1]:
        below, above, shape = row["faster_below"], row["faster_above"], row["shape"]
        every = widened(run.all_pairs, run.between_runs)
        rows = between(every[every["clock"] == CPU], below, above)
        alike = [row for row in rows if shape == "{0}x{0}".format(sizes.get(row["collection"]))]
        known = tuple(row for row in alike if not math.isnan(place_of(row)))
        return [Group(f"{below}, against {above}", known, "collection")] if known else []
    return []


def place_of(row: Row) -> float:
    """Return the ratio of a pair, or a bound of it; NaN if nothing is known."""
    known = (float(row[column]) for column in ("ratio", "at_least", "at_most") if not pd.isna(row[column]))
    return next(known, math.nan)


def finding(row: Row) -> str:
    """Return what ``a`` of a pair is, compared with ``b``; a key of ``LOOKS``."""
    if row["verdict"] == decision.EQUIVALENT:
        return EQUIVALENT
    is_clear = row["beyond_margin"] == "yes"
    if row["verdict"] == decision.A_FASTER:
        return FASTER if is_clear else MAYBE_FASTER
    if row["verdict"] == decision.B_FASTER:
        return SLOWER if is_clear else MAYBE_SLOWER
    return UNDECIDED


def caption(groups: Sequence[Group], sheet: Sheet) -> str:
    """Return the caption."""
    shown = fitting(groups, sheet)
    margin = percent(groups[0].rows[0]["margin"])
    most = max(len(group.rows) for group in shown if group.by == "a" or len(shown) == 1)
    first = "" if groups[0].by == "a" else " The pair that crosses comes first."
    missing = [group.rows[0]["collection"] for group in groups[len(shown) :]]
    omitted = f" Not shown: {', '.join(missing)}." if missing else ""
    return (
        "CPU time of each strategy divided by that of the one in the heading, with its interval, corrected for all"
        f" pairs of the run; an arrow has no bound. Shaded: the margin of {margin}.{first} Of each collection, the"
        f" nearest {most if most > 1 else 'one'}.{groups[-1].left_out}{omitted}"
    )


def fitting(groups: Sequence[Group], sheet: Sheet) -> list[Group]:
    """Return the groups and rows that fit into a figure: as many groups as possible, then as many of their rows.

    The rows of a collection are ordered by their ratios; those of the pair that crosses are all shown, in their order.
    """
    room_in = sheet.max_height_in - AROUND_IN
    for nearest in range(max(len(group.rows) for group in groups), 0, -1):
        shown = [
            replace(group, rows=tuple(sorted(group.rows[:nearest], key=place_of))) if group.by == "a" else group
            for group in groups
        ]
        if _height_in(shown, sheet) <= room_in:
            return shown
    while len(shown) > 1 and _height_in(shown, sheet) > room_in:
        shown.pop()
    return shown


def _height_in(groups: Sequence[Group], sheet: Sheet) -> float:
    """Return the height of all headings and rows, which are as high as the highest of them."""
    return _row_in(groups, sheet) * sum(1 + len(group.rows) for group in groups)


def _row_in(groups: Sequence[Group], sheet: Sheet) -> float:
    labels = [style.short(str(row[group.by]), sheet) for group in groups for row in group.rows]
    labels += [_head(group, sheet) for group in groups]
    return (max(label.count("\n") for label in labels) * style.LINE + 1.5) * sheet.small_pt / 72


def _head(group: Group, sheet: Sheet) -> str:
    return style.wrap(group.head, sheet.width_in * 0.95, sheet.small_pt * 1.1)


def _numbers(row: Row) -> str:
    shown = evidence(row)
    return " ".join(filter(None, (shown.ratio, shown.interval)))


def draw(groups: Sequence[Group], sheet: Sheet) -> Figure:
    """Draw a block of rows for each collection, with the numbers behind them."""
    shown = fitting(groups, sheet)
    figure, [axes] = style.begin(sheet, (_height_in(shown, sheet) + AROUND_IN) / sheet.scale)
    style.log_scale(axes, "x", *_limits(shown), style.factor_text, most=5)
    margin = 1 + float(shown[0].rows[0]["margin"])
    axes.axvspan(1 / margin, margin, color=MARGIN_COLOUR, lw=0, zorder=0)
    axes.axvline(1.0, color=style.GREY, lw=0.9, zorder=1)
    place, rows = 0, dict[int, tuple[str, str]]()
    for group in shown:
        axes.annotate(
            _head(group, sheet), (0, place), xytext=(3, 0),
            xycoords=("axes fraction" if sheet.axes else "figure fraction", "data"),
            textcoords="offset points", fontsize=sheet.small_pt, fontweight="bold", va="center", zorder=6,
            bbox={"facecolor": "#ffffff", "edgecolor": "none", "pad": 0.4}, annotation_clip=False,
        ).set_in_layout(False)  # fmt: skip
        for row in group.rows:
            place += 1
            rows[place] = style.short(str(row[group.by]), sheet), _numbers(row)
            colour, is_filled = LOOKS[finding(row)]
            draw_ratio(axes, place, row, colour, is_filled, 4.5 * sheet.scale)
        place += 1
    axes.set_ylim(place - 0.5, -0.6)
    style.name_rows(axes, list(rows), [label for label, _ in rows.values()], sheet)
    behind = axes.secondary_yaxis("right")
    behind.set_yticks(list(rows), [numbers for _, numbers in rows.values()], fontsize=sheet.small_pt)
    behind.tick_params(length=0)
    for spine in (axes.spines["left"], behind.spines["right"]):
        spine.set_visible(False)
    axes.set_xlabel("ratio of CPU times (log scale)")
    return style.end(figure, sheet, TITLE, caption(groups, sheet), _handles(shown))


def draw_ratio(axes: Axes, place: float, row: Row, colour: str, is_filled: bool, ms: float, marker: str = "o") -> None:
    """Draw a ratio and its interval; an arrow stands where the interval ends beyond the axis or has no bound (NaN)."""
    ends = float(row["ratio_lo"]), float(row["ratio_hi"])
    low, high = axes.get_xlim()
    if not all(map(math.isnan, ends)):
        left, right = (limit if math.isnan(end) else end for end, limit in zip(ends, (low, high), strict=True))
        axes.plot([left, right], [place, place], "-", color=colour, lw=1.4, zorder=3)
        for edge, is_beyond, arrow in ((low, left <= low, "<"), (high, right >= high, ">")):
            if is_beyond:
                axes.plot([edge], [place], arrow, color=colour, ms=0.89 * ms, clip_on=False, zorder=4)
    if low <= float(row["ratio"]) <= high:
        face = colour if is_filled else "#ffffff"
        axes.plot([row["ratio"]], [place], marker, color=colour, mfc=face, ms=ms, zorder=5)


def _limits(groups: Sequence[Group]) -> tuple[float, float]:
    """Return the limits of the axis: all ratios and ends of intervals fit, and 1 with the margin does."""
    columns = ("ratio", "at_least", "at_most", "ratio_lo", "ratio_hi")
    values = [float(row[column]) for group in groups for row in group.rows for column in columns]
    known = [value for value in values if math.isfinite(value) and value > 0]
    return min(1 / BEYOND, *known) / 1.05, max(BEYOND, *known) * 1.05


def _handles(groups: Sequence[Group]) -> dict[str, Any]:
    """Return the legend: the findings that occur, and the margin."""
    found = {finding(row) for group in groups for row in group.rows}
    margin = percent(groups[0].rows[0]["margin"])
    handles: dict[str, Any] = {}
    for name, (colour, filled) in LOOKS.items():
        if name in found:
            face = colour if filled else "#ffffff"
            handles[name] = Line2D([], [], color=colour, marker="o", mfc=face, ms=5, lw=1.4)
    return handles | {f"margin of {margin}": Patch(color=MARGIN_COLOUR, lw=0)}
