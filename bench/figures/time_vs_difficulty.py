"""Solve time versus difficulty: one finding as the title, a point per puzzle, and median curves with their bands.

The title is the answer on this board (``bench/say/speech``). Strategies that stand apart
(``groups.apart``) have a narrow panel of their own: otherwise they would squeeze the others into a narrow band.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import style
from sudoku_bench.bench.figures.panels import grey_line, scale_difficulty
from sudoku_bench.bench.figures.sheet import other_sizes_note
from sudoku_bench.bench.figures.style import NothingToDrawError, Sheet
from sudoku_bench.bench.say import speech
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.verdicts.answer import answers
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.difficulty.crossovers import place_texts
from sudoku_bench.bench.verdicts.groups import apart, lead
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "Solve time versus difficulty"
HEIGHT_IN, APART_IN = 3.8, 0.95  # of both panels


@dataclass(frozen=True)
class Lines:
    """The data of the figure, for boards of one size.

    Attributes:
        points: a row per strategy and puzzle: strategy, guesses (x), cpu_s (y; infinite if the solve was not finished),
            collection.
        curves: rows of ``bench/verdicts/difficulty/curves`` over guesses.
        crossing: the row of the crossover over guesses that the title names; None without.
        apart: the strategies with a panel of their own, from fast to slow; none of them crosses there.
        lead: how far these are ahead, as a sentence with a leading space.
        omitted: number of puzzles of other board sizes.
    """

    points: pd.DataFrame
    curves: pd.DataFrame
    crossing: Mapping[Any, Any] | None = None
    title: str = speech.NO_CHANGE
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
    rows = run.per_puzzle[run.per_puzzle["guesses"].notna()]
    if rows.empty:
        raise NothingToDrawError("no strategy has a time on a puzzle of known difficulty")
    common, omitted = most_common(rows)
    size = size or common
    rows = rows[rows["size"] == size]
    if len(rows.drop_duplicates(["collection", "puzzle"])) < style.MIN_POINTS:
        raise NothingToDrawError(
            f"fewer than {style.MIN_POINTS} puzzles of one board size have a time and a difficulty"
        )
    points = rows[["strategy", "guesses", "cpu_s", "collection"]].reset_index(drop=True)
    shape = f"{size}x{size}"
    changes = [row for part in answers(run) for row in part.changes]
    crossing = next((row for row in changes if (row["axis"], row["shape"]) == ("guesses", shape)), None)
    curves = run.curves[(run.curves["axis"] == "guesses") & (run.curves["shape"] == shape)]
    lines = Lines(points, curves, crossing, title=speech.title(run, set(points["strategy"]), shape), omitted=omitted)
    ahead = tuple(name for name in apart(run) if name in lines.strategies)
    if not ahead or {*ahead} & {*lines.pair}:
        return lines
    return replace(lines, apart=ahead, lead=lead(run) if size == common else "")  # the group is that of this size


def caption(lines: Lines, sheet: Sheet) -> str:
    """Return the caption; in a column of a paper, which has no title, it begins with the finding."""
    shown = [name for name in lines.strategies if sheet.is_named(name)]
    others = len(set(lines.curves["strategy"].astype(str)) & set(lines.strategies) - set(shown))
    grey = f" Grey: {counted(others, 'other strategy', 'other strategies')}." if others else ""
    is_late = np.isinf(lines.points.loc[lines.points["strategy"].isin(shown), "cpu_s"]).any()
    has_bands = lines.curves[["lo_s", "hi_s"]].notna().all(axis=1).any()
    panel = " Lower panel: the leading group." if lines.apart else ""
    return (
        f"{f'{lines.title}. ' if sheet.column else ''}Lines: medians{' with 95% bands' if has_bands else ''}."
        f" Points: puzzles{', hollow: not finished' if is_late else ''}.{grey}{panel}{lines.lead}"
        f"{other_sizes_note(lines.omitted)}"
    )


def draw(lines: Lines, sheet: Sheet, whole: bool = False) -> Figure:
    """Draw a panel, and a narrow one below it for those apart, with the names at the right ends of their lines.

    Axes of a script hold all strategies together.

    Args:
        whole: draw points and bands of all strategies in the colours of the sheet, for a reader who chooses among them.
    """
    shown, notes = [name for name in lines.strategies if sheet.is_named(name)], late_notes(lines)
    others = [name for name in lines.strategies if name not in lines.apart]
    groups = [lines.strategies] if sheet.axes else [names for names in (others, lines.apart) if names]
    named = [[name for name in names if name in shown] for names in groups]
    least = zip(named, (HEIGHT_IN, APART_IN), strict=False)
    heights = [max(least_in, style.ends_height(names, sheet, notes)) for names, least_in in least]
    more: Any = {"sharex": True, "height_ratios": heights} if len(groups) > 1 else {}
    figure, panels = style.begin(sheet, sum(heights), len(groups), **more)
    for axes, names in zip(panels, groups, strict=True):
        for name in names:
            _draw_strategy(axes, lines, name, whole or name in shown, sheet)
        inside = lines.points[lines.points["strategy"].isin(names)]
        style.time_scale(axes, inside["cpu_s"].to_numpy(), sheet, 3 if names is lines.apart else 7)
        style.rasterize_cloud(axes, 0 if whole else len(inside))
    scale_difficulty(panels[-1], lines.points["guesses"], sheet)
    if lines.crossing:
        _draw_crossing(panels[0], lines.crossing, lines.curves, sheet)
    panels[0].set_ylabel("CPU time per solve")
    style.end(figure, sheet, lines.title, caption(lines, sheet))
    for axes, names in zip(panels, named, strict=True):
        style.name_ends(axes, {name: _end(lines, name, sheet) for name in names}, sheet.looks, sheet, notes)
    return figure


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
            finished["guesses"], finished["cpu_s"], look.marker, mew=0, alpha=0.25, zorder=style.CLOUD_ZORDER,
            gid=group, **marks,
        )  # fmt: skip
    if curve[["lo_s", "hi_s"]].notna().all(axis=1).any():  # Matplotlib cannot place a band without points
        band: Any = {"color": look.colour, "alpha": 0.18, "lw": 0, "zorder": 2, "gid": f"band-{number}"}
        axes.fill_between(curve["x"], curve["lo_s"], curve["hi_s"], **band)
    line: Any = {"color": look.colour, "lw": (2.6 if name in lines.pair else 1.5) * sheet.scale, "zorder": 3}
    axes.plot(curve["x"], curve["median_s"], look.dashes, gid=f"curve-{number}", **line)


def _draw_crossing(axes: Axes, crossing: Mapping[Any, Any], curves: pd.DataFrame, sheet: Sheet) -> None:
    """Mark a crossover and its interval on the curve that is faster above it, and name it at the bottom of the axes.

    Args:
        axes: with its final limits.
    """
    x, (at, ends) = crossing["crossover"], place_texts(crossing)
    height = height_at(curves[curves["strategy"] == crossing["faster_above"]], x)
    if math.isnan(height):
        return
    axes.plot([crossing["lo"], crossing["hi"]], [height, height], "|-", color="#000000", lw=1.6, ms=9, zorder=5)
    axes.plot([x], [height], "o", color="#000000", ms=6, mfc="#ffffff", zorder=5)
    axes.plot([x, x], [axes.get_ylim()[0], height], ":", color="#000000", lw=0.8, zorder=4)
    is_left = axes.transLimits.transform(axes.transScale.transform((x, height)))[0] < 0.5
    at_edge = sheet.width_in < style.NARROW_IN  # where the text is nearly as wide as the axes
    is_left = is_left and not at_edge
    across = (1.0, "axes fraction") if at_edge else (x, "data")
    axes.annotate(
        f"crossover: {at} guesses\n95%: {ends}", (across[0], 0.02), xycoords=(across[1], "axes fraction"),
        xytext=(3 if is_left else -3, 0), textcoords="offset points", ha="left" if is_left else "right", va="bottom",
        fontsize=sheet.small_pt, zorder=6, bbox={"facecolor": "#ffffff", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
    )  # fmt: skip


def height_at(curve: pd.DataFrame, x: float) -> float:
    """Return the median of a curve at a difficulty, in seconds, interpolated on the log scale; NaN without a median."""
    known = curve[curve["median_s"].notna()]
    return math.exp(float(np.interp(x, known["x"], np.log(known["median_s"])))) if len(known) else math.nan


def late_notes(lines: Lines) -> dict[str, str]:
    """Return how many puzzles each strategy did not finish, if any."""
    late = np.isinf(lines.points["cpu_s"]).groupby(lines.points["strategy"].astype(str)).agg(["sum", "size"])
    return {str(name): f"{number} of {of} not finished" for name, (number, of) in late.iterrows() if number}


def _end(lines: Lines, name: str, sheet: Sheet) -> tuple[float, float]:
    """Return where the curve of a strategy ends; without a curve, its hardest point."""
    curve = lines.curves[(lines.curves["strategy"] == name) & lines.curves["median_s"].notna()]
    points = lines.points[lines.points["strategy"] == name].rename(columns={"guesses": "x", "cpu_s": "median_s"})
    x, y = (curve if len(curve) else points).sort_values("x").iloc[-1][["x", "median_s"]]
    return float(x), min(float(y), sheet.limit_s)
