"""Pairs of strategies: a point per puzzle, the time of one strategy against that of the other."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sudoku_bench.bench.figures import style
from sudoku_bench.bench.figures.sheet import collection_handles, collection_looks, other_sizes_note
from sudoku_bench.bench.figures.style import NothingToDrawError, Sheet
from sudoku_bench.bench.verdicts.answer import crossings
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.groups import apart, left_out, rest, scope
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "Pairs of strategies, puzzle by puzzle"
PANELS, IN_COLUMN = 6, 4  # maximum number, and the same in a narrow column
CHANGING = 3  # maximum number of panels for pairs whose winner changes with difficulty
EDGE = 2.2  # position of unfinished solves, relative to the time limit
FACTORS = ((2.0, (0, (4, 2))), (10.0, (0, (1, 2))))  # lines parallel to the diagonal, and their dashes


@dataclass(frozen=True)
class PairPanel:
    """A panel: ``a`` on the y axis, ``b`` on the x axis.

    Attributes:
        points: a row per puzzle measured with both: collection, a_s, b_s (infinite if not finished).
    """

    a: str
    b: str
    points: pd.DataFrame


@dataclass(frozen=True)
class Pairs:
    """The data of the figure.

    Attributes:
        panels: the pairs shown.
        selection: how they were chosen, as a sentence; empty if all pairs are shown.
        scope: of which strategies they are, if not of all, as the end of the title.
        omitted: number of puzzles of other board sizes.
    """

    panels: tuple[PairPanel, ...]
    selection: str
    omitted: int = 0
    scope: str = ""

    def within(self, sheet: Sheet) -> Pairs:
        """Return the first pairs, as many as fit into a figure."""
        most = len(sheet.axes) or (IN_COLUMN if sheet.width_in < style.NARROW_IN else PANELS)
        return replace(self, panels=self.panels[:most])


def data(run: Run) -> Pairs:
    """Collect the points of all pairs on boards of the most common size, or of the first ``PANELS`` by ``choose``."""
    size, omitted = most_common(run.per_puzzle)
    times = run.per_puzzle[run.per_puzzle["size"] == size]
    names = run.selection.ordered(dict.fromkeys(times["strategy"]))
    if len(names) < 2:
        raise NothingToDrawError("a pair needs two strategies with comparable times")
    within = set(times["collection"])
    others = rest(run)
    crossing = [(str(a), str(b)) for a, b in crossings(run, apart(run))[["a", "b"]].to_numpy() if {a, b} <= set(names)]
    ranked = others.summary[others.summary["collection"].isin(within)].dropna(subset="par2_s").sort_values("par2_s")
    chosen, selection = choose(ranked, crossing, names)
    selection += left_out(run) if selection else ""
    wide = times.pivot(index=["collection", "puzzle"], columns="strategy", values="cpu_s").reset_index("collection")
    panels = []
    for a, b in chosen:
        points = wide[["collection", a, b]].dropna().set_axis(["collection", "a_s", "b_s"], axis=1)
        if len(points) >= style.MIN_POINTS:
            panels.append(PairPanel(a, b, points.reset_index(drop=True)))
    if not panels:
        raise NothingToDrawError(f"no two strategies were measured on the same {style.MIN_POINTS} puzzles")
    return Pairs(tuple(panels), selection, omitted, scope(run) if selection else "")


def choose(
    ranked: pd.DataFrame, crossing: Sequence[tuple[str, str]], names: Sequence[str]
) -> tuple[list[tuple[str, str]], str]:
    """Choose at most ``PANELS`` pairs, and describe the choice in a sentence; empty if all are chosen.

    If there are more, ``CHANGING`` pairs that cross come first, then the best strategy of each collection with others,
    those with the nearest scores first.

    Args:
        ranked: rows of ``summary.csv``, best PAR-2 first; crossing: the pairs of the crossovers that are told, those
            with the largest stakes first.
    """
    pairs = list(itertools.combinations(names, 2))
    if len(pairs) <= PANELS:
        return pairs, ""
    near = [
        (score / group["par2_s"].iloc[0], str(group["strategy"].iloc[0]), str(other))
        for _, group in ranked.groupby("collection", sort=False)
        for other, score in group[["strategy", "par2_s"]].to_numpy()[1:]
    ]
    chosen: dict[frozenset[str], tuple[str, str]] = {}
    for pair in (*list(dict.fromkeys(crossing))[:CHANGING], *((best, other) for _, best, other in sorted(near))):
        chosen.setdefault(frozenset(pair), pair)
    selection = (
        f"Selected from {len(pairs)} pairs: up to {CHANGING} whose winner changes with difficulty, the largest stakes"
        " first; then the best of a collection by PAR-2 with those nearest to it."
    )
    return list(chosen.values())[:PANELS], selection


def caption(pairs: Pairs, sheet: Sheet) -> str:
    """Return the caption."""
    pairs = pairs.within(sheet)
    late = any(np.isinf(pair.points[["a_s", "b_s"]]).any(axis=None) for pair in pairs.panels)
    edges = " Hollow marks beyond the time limit: not finished." if late else ""
    selection = f" {pairs.selection}" if pairs.selection else ""
    return (
        "Each point is a puzzle (median over its forms): CPU time of A on the y axis, of B on the x axis, with the same"
        " scales in all panels. A is slower above the diagonal; lines mark factors of 2 (dashed) and 10 (dotted)."
        f"{edges}{selection}{other_sizes_note(pairs.omitted)}"
    )


def draw(pairs: Pairs, sheet: Sheet) -> Figure:
    """Draw a panel for each pair."""
    pairs = pairs.within(sheet)
    number = len(pairs.panels)
    is_narrow = sheet.width_in < style.NARROW_IN
    figure, panels = style.begin_panels(sheet, number, 2.7 if is_narrow else 2.1)
    values = np.concatenate([pair.points[["a_s", "b_s"]].to_numpy().ravel() for pair in pairs.panels])
    finished = values[np.isfinite(values)]
    late = len(finished) < len(values)
    low = (finished.min() if len(finished) else sheet.limit_s / 10) / 1.5
    high = sheet.limit_s * EDGE**1.7 if late else finished.max() * 1.5
    room_in = sheet.width_in / (2 if is_narrow else 3) * 0.7
    for axes, pair in zip(panels, pairs.panels, strict=True):
        _draw_frame(axes, (low, high), late, sheet)
        _draw_points(axes, pair.points, sheet)
        style.rasterize_cloud(axes, len(pair.points) * number)
        axes.set_xlabel(style.wrap(f"{pair.b} (B)", room_in, sheet.small_pt), fontsize=sheet.small_pt)
        axes.set_ylabel(style.wrap(f"{pair.a} (A)", room_in, sheet.small_pt), fontsize=sheet.small_pt)
    drawn = {name for pair in pairs.panels for name in pair.points["collection"]}
    handles = collection_handles([name for name in sheet.collections if name in drawn], sheet)
    return style.end(figure, sheet, TITLE, caption(pairs, sheet), handles)


def _draw_frame(axes: Axes, ends: tuple[float, float], late: bool, sheet: Sheet) -> None:
    """Draw equal scales, the diagonal, and the lines of factors and of the time limit."""
    most = 3 if sheet.width_in < style.NARROW_IN else 5
    style.log_scale(axes, "x", *ends, most=most)
    style.log_scale(axes, "y", *ends, most=most)
    axes.set_box_aspect(1)
    low, high = axes.get_xlim()
    axes.plot([low, high], [low, high], "-", color=style.GREY, lw=0.9, zorder=1)
    for factor, dashes in FACTORS:
        for first, second in ((factor, 1.0), (1.0, factor)):
            axes.plot(
                [low * first, high * first], [low * second, high * second], color=style.GREY, lw=0.7, linestyle=dashes,
                zorder=1, scalex=False, scaley=False,
            )  # fmt: skip
    if late:
        axes.axhline(sheet.limit_s, color=style.GREY, lw=0.9, zorder=1)
        axes.axvline(sheet.limit_s, color=style.GREY, lw=0.9, zorder=1)


def _draw_points(axes: Axes, points: pd.DataFrame, sheet: Sheet) -> None:
    """Draw a point per puzzle in the look of its collection; hollow beyond the limit if a solve was not finished."""
    looks, edge = collection_looks(sheet.collections), sheet.limit_s * EDGE
    for collection, group in points.groupby("collection", sort=False):
        look = looks[str(collection)]
        finished = np.isfinite(group[["a_s", "b_s"]]).all(axis=1)
        for part, face, size in ((group[finished], look.colour, 3.6), (group[~finished], "none", 4.4)):
            if len(part):
                axes.plot(
                    part["b_s"].clip(upper=edge), part["a_s"].clip(upper=edge), look.marker, color=look.colour,
                    mfc=face, mew=0.0 if face != "none" else 0.8, ms=size * sheet.scale, alpha=0.75, linestyle="",
                    zorder=style.CLOUD_ZORDER,
                )  # fmt: skip
