"""Solve time versus difficulty: one finding as the title, a point per puzzle, and median curves with their bands.

The finding is the crossover with most at stake that no third strategy beats. Strategies that stand apart
(``groups.apart``) have a narrow panel of their own: otherwise they would squeeze the others into a narrow band.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sudoku_bench.bench.figures.groups import apart, lead, told
from sudoku_bench.bench.figures.panels import grey_line, scale_difficulty
from sudoku_bench.bench.figures.sheet import other_sizes_note
from sudoku_bench.bench.figures.style import (
    CLOUD_ZORDER,
    COLOURS,
    MIN_POINTS,
    Look,
    NothingToDrawError,
    Sheet,
    begin,
    end,
    rasterize_cloud,
    time_scale,
)
from sudoku_bench.bench.figures.wrapping import wrap
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.difficulty.crossovers import place_texts
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "Solve time versus difficulty"
AXIS = "easier  ←  guesses that a plain search needs  →  harder"
HEIGHT_IN, APART_IN = 3.8, 0.95  # of both panels
WIDTH_IN = 7.6  # on a screen
LINE, NAME_GAP = 1.25, 0.5  # height of a line of text, and what is between names, in font sizes
LEADER = 0.045  # width of the lines that lead to the names, as a share of the axes; grey and thin, unlike data
LEADER_GREY = "#b8b8b8"
ROOM_SHARE = 0.34  # maximum width of a name, as a share of the figure's width
NAMED = 5  # maximum number of strategies in colour, with their names; the points of more would hide the curves
CLEAR = 3.0  # least ratio of times to those that are named before, so that no two curves lie upon each other
NARROW_IN = 5.0  # width of a figure in one column of two
LOW = 0.16  # a mark in this part of the panel has its name above it
WORDS = {  # of a family, or of a strategy
    **{"sat": "SAT", "cp-sat": "CP-SAT", "smt": "SMT", "cp": "constraint programming", "asp": "answer set programming"},
    **{"propagation": "propagation in Python", "backtracking": "backtracking in Python", "bitboard": "compiled search"},
    **{"exact-cover": "exact cover", "exact-cover:dancing-links": "dancing links", "ilp": "integer programming"},
    **{"csp": "constraints in Python", "seed:pyeda": "PyEDA", "seed:pysat": "PySAT", "seed:norvig": "Norvig's search"},
    **{"seed:pycosat": "pycosat", "seed:python-constraint": "python-constraint", "cdcl": "clause learning in Python"},
}

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lines:
    """The data of the figure, for boards of one size.

    Attributes:
        points: a row per strategy and puzzle: strategy, guesses (x), cpu_s (y; infinite if the solve was not finished),
            collection.
        curves: rows of ``bench/verdicts/difficulty/curves`` over guesses.
        crossing: the row of the crossover over guesses with most at stake that no third strategy beats; None without.
        apart: the strategies with a panel of their own, from fast to slow; none of them crosses there.
        lead: how far these are ahead, as a sentence with a leading space.
        omitted: number of puzzles of other board sizes.
    """

    points: pd.DataFrame
    curves: pd.DataFrame
    crossing: Mapping[Any, Any] | None = None
    apart: tuple[str, ...] = ()
    lead: str = ""
    omitted: int = 0

    @cached_property
    def strategies(self) -> list[str]:
        """The strategies that have points, by name."""
        return sorted(set(self.points["strategy"].astype(str)))

    @property
    def pair(self) -> list[str]:
        """The strategies that cross: the faster one on easy, then on hard puzzles; empty if none do."""
        return [str(self.crossing[f"faster_{side}"]) for side in ("below", "above")] if self.crossing else []


def data(run: Run, size: int = 0) -> Lines:
    """Collect points, curves and the crossover with most at stake on boards of a size (0: the most common one).

    Boards of different sizes are never combined.

    Raises:
        NothingToDrawError: too few puzzles of known difficulty have a time.
    """
    rows = run.per_puzzle.merge(run.puzzles[["collection", "puzzle", "guesses"]], on=["collection", "puzzle"])
    rows = rows[rows["guesses"].notna()]
    if rows.empty:
        raise NothingToDrawError("no strategy has a time on a puzzle of known difficulty")
    common, omitted = most_common(rows)
    size = size or common
    rows = rows[rows["size"] == size]
    if len(rows.drop_duplicates(["collection", "puzzle"])) < MIN_POINTS:
        raise NothingToDrawError(f"fewer than {MIN_POINTS} puzzles of one board size have a time and a difficulty")
    points = rows[["strategy", "guesses", "cpu_s", "collection"]].reset_index(drop=True)
    curves, crossings = (on_guesses(table, f"{size}x{size}") for table in (run.curves, told(run)))
    crossing = next(iter(crossings[~crossings["beaten"]].to_dict("records")), None)
    lines = Lines(points, curves, crossing, omitted=omitted)
    ahead = tuple(name for name in apart(run) if name in lines.strategies)
    if not ahead or {*ahead} & {*lines.pair}:
        return lines
    return replace(lines, apart=ahead, lead=lead(run) if size == common else "")  # the group is that of this size


def on_guesses(table: pd.DataFrame, shape: str) -> pd.DataFrame:
    """Select the rows over guesses on boards of one shape from a table of curves or crossovers."""
    return table[(table["axis"] == "guesses") & (table["shape"] == shape)]


def named(lines: Lines) -> list[str]:
    """Return the strategies in colour: those that cross, the fastest one apart, and the fastest of the others whose
    times differ clearly from these on both sides of the crossover (without one: of the median difficulty).
    """
    if len(lines.strategies) <= NAMED:
        return lines.strategies
    middle = lines.crossing["crossover"] if lines.crossing else lines.points["guesses"].median()
    table = lines.points.assign(strategy=lines.points["strategy"].astype(str), hard=lines.points["guesses"] > middle)
    sides = table.groupby(["strategy", "hard"])["cpu_s"].median().unstack()
    chosen = lines.pair
    for name in table.groupby("strategy")["cpu_s"].median().sort_values(kind="stable").index:
        ratios = sides.loc[chosen] / sides.loc[name]
        is_clear = ((ratios >= CLEAR) | (ratios <= 1 / CLEAR)).all(axis=None)
        if is_clear and name not in (*chosen, *lines.apart) and len(chosen) + len(lines.apart[:1]) < NAMED:
            chosen.append(str(name))
    return [*chosen, *lines.apart[:1]]


def in_words(names: Sequence[str]) -> dict[str, str]:
    """Return each strategy in words: those of its family, with its model if several have the same family."""
    words = {name: WORDS.get(name, WORDS.get(name.partition(":")[0], name)) for name in names}
    times = Counter(words.values())
    return {name: word if times[word] == 1 else f"{word}: {name.partition(':')[2]}" for name, word in words.items()}


def finding(lines: Lines) -> str:
    """Return what the figure shows, as a sentence without its full stop."""
    if not lines.crossing:
        return "No crossover found between the fastest strategies"
    words, (below, above) = in_words(named(lines)), lines.pair
    at, ends = place_texts(lines.crossing)
    return f"Above {at} guesses {ends} {words[above]} is faster than {words[below]}"


def caption(lines: Lines, sheet: Sheet) -> str:
    """Return the caption; in a column of a paper, which has no title, it begins with the finding."""
    shown = named(lines)
    others = len(lines.strategies) - len(shown)
    grey = f" Grey: {counted(others, 'other strategy', 'other strategies')}." if others else ""
    is_late = np.isinf(lines.points.loc[lines.points["strategy"].isin(shown), "cpu_s"]).any()
    has_bands = lines.curves[["lo_s", "hi_s"]].notna().all(axis=1).any()
    panel = " Lower panel: the leading group." if lines.apart else ""
    return (
        f"{f'{finding(lines)}. ' if sheet.column else ''}Lines: medians{' with 95% bands' if has_bands else ''}."
        f" Points: puzzles{', hollow: not finished' if is_late else ''}.{grey}{panel}{lines.lead}"
        f"{other_sizes_note(lines.omitted)}"
    )


def draw(lines: Lines, sheet: Sheet, whole: bool = False) -> Figure:
    """Draw a panel, and a narrow one below it for those apart, with the names at the right ends of their lines.

    Args:
        whole: draw points and bands of all strategies in the colours of the sheet, for a reader who chooses among them.
    """
    shown = named(lines)
    sheet = sheet if whole else in_colours_that_differ(lines, sheet)
    others = [name for name in lines.strategies if name not in lines.apart]
    panels = [names for names in (others, lines.apart) if names]
    texts = [_texts(lines, [name for name in names if name in shown], sheet) for names in panels]
    heights = [
        max(least * sheet.scale, 1.2 * float(heights_in(of_panel.values(), sheet).sum()))
        for of_panel, least in zip(texts, (HEIGHT_IN, APART_IN), strict=False)
    ]
    figure, all_axes = begin(sheet, sum(heights) / sheet.scale, len(panels), sharex=True, height_ratios=heights)
    if sheet.column is None:
        figure.set_size_inches(WIDTH_IN, sum(heights))
    for axes, names in zip(all_axes, panels, strict=True):
        for name in names:
            _draw_strategy(axes, lines, name, whole or name in shown, sheet)
        inside = lines.points[lines.points["strategy"].isin(names)]
        time_scale(axes, inside["cpu_s"].to_numpy(), sheet)
        rasterize_cloud(axes, 0 if whole else len(inside))
    scale_difficulty(all_axes[-1], lines.points["guesses"])
    for axes, of_panel, height_in in zip(all_axes, texts, heights, strict=True):
        _name_lines(axes, lines, of_panel, sheet, height_in * 0.85)
    if lines.crossing:
        _draw_crossing(all_axes[0], lines.crossing, lines.curves, sheet)
    if len(panels) > 1:
        all_axes[0].spines["bottom"].set_visible(False)
        all_axes[0].tick_params(axis="x", length=0)
        for axes, y in zip(all_axes, (0.0, 1.0), strict=True):  # the scale of time is interrupted
            axes.plot(
                [0.0], [y], marker=[(-1, -0.5), (1, 0.5)], ms=8, mec="#000000", mew=1, linestyle="none", clip_on=False,
                transform=axes.transAxes, scalex=False, scaley=False,
            )  # fmt: skip
    all_axes[-1].set_xlabel(AXIS)
    all_axes[0].set_ylabel("CPU time per solve")
    return end(figure, sheet, finding(lines), caption(lines, sheet))


def in_colours_that_differ(lines: Lines, sheet: Sheet) -> Sheet:
    """Return a sheet on which no two of the strategies in colour are alike."""
    return replace(sheet, looks={**sheet.looks, **distinct({name: sheet.looks[name] for name in named(lines)})})


def distinct(looks: Mapping[str, Look]) -> dict[str, Look]:
    """Return looks of which no two have the same colour: where one is taken, the next free one takes its place."""
    result: dict[str, Look] = {}
    free = [colour for colour in COLOURS if colour not in {look.colour for look in looks.values()}]
    for name, look in looks.items():
        is_taken = look.colour in {other.colour for other in result.values()}
        result[name] = replace(look, colour=free.pop(0)) if is_taken else look
    return result


def _draw_strategy(axes: Axes, lines: Lines, name: str, is_shown: bool, sheet: Sheet) -> None:
    """Draw the points of a strategy, hollow at the limit, and its curve with the band; if not shown, a grey curve.

    In SVG, the groups of what is drawn are called ``curve-``, ``band-`` and ``points-`` with the number of the strategy
    and, of points, of the collection; those of its name, ``name-``.
    """
    look, number = sheet.looks[name], [*sheet.looks].index(name)
    points, curve = (table[table["strategy"] == name] for table in (lines.points, lines.curves))
    if not is_shown:
        grey_line(axes, curve["x"], curve["median_s"], sheet)
        return
    for collection, own in points.groupby("collection", sort=False, observed=True):
        marks: Any = {"color": look.colour, "ms": 4.5 * sheet.scale}
        group = f"points-{number}-{sheet.collections.index(str(collection))}"
        is_finite = np.isfinite(own["cpu_s"])
        finished, late = own[is_finite], own[~is_finite]
        if len(late):
            at_limit = [sheet.limit_s] * len(late)
            axes.plot(late["guesses"], at_limit, look.marker, mfc="none", alpha=0.5, gid=f"{group}-late", **marks)
        axes.plot(
            finished["guesses"], finished["cpu_s"], look.marker, mew=0, alpha=0.25, zorder=CLOUD_ZORDER, gid=group,
            **marks,
        )  # fmt: skip
    if curve[["lo_s", "hi_s"]].notna().all(axis=1).any():  # Matplotlib cannot place a band without points
        band: Any = {"color": look.colour, "alpha": 0.18, "lw": 0, "zorder": 2, "gid": f"band-{number}"}
        axes.fill_between(curve["x"], curve["lo_s"], curve["hi_s"], **band)
    line: Any = {"color": look.colour, "lw": (2.6 if name in lines.pair else 1.5) * sheet.scale, "zorder": 3}
    axes.plot(curve["x"], curve["median_s"], look.dashes, gid=f"curve-{number}", **line)


def _draw_crossing(axes: Axes, crossing: Mapping[Any, Any], curves: pd.DataFrame, sheet: Sheet) -> None:
    """Mark a crossover and its interval on the curve of the strategy that is faster above it.

    Its name stands where neither curve is: right of the mark and below it, or without room there left of it and above.
    A narrow panel has room below the mark only at its right end.

    Args:
        axes: with its final limits.
    """
    height = height_at(curves[curves["strategy"] == crossing["faster_above"]], crossing["crossover"])
    if math.isnan(height):
        return
    axes.plot([crossing["lo"], crossing["hi"]], [height, height], "|-", color="#000000", lw=1.6, ms=9, zorder=5)
    axes.plot([crossing["crossover"]], [height], "o", color="#000000", ms=6, mfc="#ffffff", zorder=5)
    x, y = axes.transLimits.transform(axes.transScale.transform((crossing["crossover"], height)))
    at, ends = place_texts(crossing)
    is_narrow = sheet.width_in < NARROW_IN
    is_below, at_end = y > LOW and (x < 0.65 or is_narrow), is_narrow and x >= 0.4
    axes.annotate(
        f"crossover: {at} guesses\n95%: {ends}", (1.0 if at_end else crossing["crossover"], height),
        xycoords=("axes fraction" if at_end else "data", "data"), xytext=(0, -12 if is_below else 12),
        textcoords="offset points", ha="right" if at_end or not is_below else "left",
        va="top" if is_below else "bottom", fontsize=sheet.small_pt, zorder=6,
        bbox={"facecolor": "#ffffff", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
    )  # fmt: skip


def height_at(curve: pd.DataFrame, x: float) -> float:
    """Return the median of a curve at a difficulty, in seconds, interpolated on the log scale; NaN without a median."""
    known = curve[curve["median_s"].notna()]
    return math.exp(float(np.interp(x, known["x"], np.log(known["median_s"])))) if len(known) else math.nan


def _texts(lines: Lines, names: Sequence[str], sheet: Sheet) -> dict[str, str]:
    """Return what is written at the end of each line: words, the name, and how many were not finished."""
    words, texts = in_words(named(lines)), {}
    for name in names:
        times = lines.points.loc[lines.points["strategy"] == name, "cpu_s"]
        late = int(np.isinf(times).sum())
        says_name = words[name].casefold().replace(": ", ":") == name
        late_text = f"{late} of {len(times)} not finished" if late else ""
        parts = filter(None, (words[name], "" if says_name else name, late_text))
        texts[name] = "\n".join(wrap(part, sheet.width_in * ROOM_SHARE, sheet.small_pt) for part in parts)
    return texts


def heights_in(texts: Iterable[str], sheet: Sheet) -> Floats:
    return np.array([(text.count("\n") + 1) * LINE + NAME_GAP for text in texts]) * sheet.small_pt / 72


def _name_lines(axes: Axes, lines: Lines, texts: Mapping[str, str], sheet: Sheet, height_in: float) -> None:
    """Write a text at the right end of each curve, or without a curve beside its hardest point, outside the axes.

    Args:
        axes: with its final limits.
        height_in: approximate height of the axes; all texts fit into it.
    """
    places = []
    for name in texts:
        curve = lines.curves[(lines.curves["strategy"] == name) & lines.curves["median_s"].notna()]
        points = lines.points[lines.points["strategy"] == name].rename(columns={"guesses": "x", "cpu_s": "median_s"})
        x, y = (curve if len(curve) else points).sort_values("x").iloc[-1][["x", "median_s"]]
        at = axes.transData.transform((float(x), min(float(y), sheet.limit_s)))
        places.append(axes.transAxes.inverted().transform(at))
    heights = heights_in(texts.values(), sheet) / height_in
    for (name, text), (x, y), to in zip(texts.items(), places, spread(np.array(places)[:, 1], heights), strict=True):
        look, group = sheet.looks[name], f"name-{[*sheet.looks].index(name)}"
        frame: Any = {"transform": axes.transAxes, "clip_on": False, "scalex": False, "scaley": False}
        axes.plot(
            [x, 1.0, 1 + LEADER], [y, y, to], "-", color=LEADER_GREY, lw=0.6, zorder=1, gid=f"{group}-line", **frame
        )
        mark: Any = {"color": look.colour, "ms": 0.6 * sheet.small_pt, "mew": 0, "gid": f"{group}-mark"}
        axes.plot([1 + LEADER], [to], look.marker, **mark, **frame)
        axes.annotate(
            text, (1 + LEADER, to), xycoords="axes fraction", xytext=(0.7 * sheet.small_pt, 0),
            textcoords="offset points", fontsize=sheet.small_pt, va="center", linespacing=1.1, annotation_clip=False,
            gid=group,
        )  # fmt: skip


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
