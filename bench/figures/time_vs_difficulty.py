"""Solve time versus difficulty: a point per puzzle, median curves with bands, and the crossovers between strategies.

Strategies whose curves lie far from all others have a panel of their own, with the same axis of difficulty: otherwise a
strategy that takes a hundred times as long would squeeze the others, and where they cross, into a narrow band.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures.difficulty_lines import (
    DIFFICULTY,
    Lines,
    all_lines,
    draw_crossing,
    draw_strategy,
    scale,
    scale_difficulty,
    unfinished,
)
from bench.figures.line_ends import LineEnd, height_of, label_line_ends
from bench.figures.panels import grey_line
from bench.figures.sheet import other_sizes_note
from bench.figures.style import Sheet, begin, end, rasterize_cloud
from bench.say.phrases import counted
from bench.verdicts.pairs.evidence import significant
from bench.verdicts.run_tables import Run

TITLE = "Solve time versus difficulty"
HEIGHT_IN = 4.7
NAMED = 8  # maximum number of strategies in colour, with their names; the points of more would hide the curves
CROSSINGS_DRAWN = 5  # maximum number of crossovers: those between the fastest strategies, which come first
GAP = 2.0  # least ratio of times between the curves of two panels
MAX_LEVELS = 3
MAIN_SHARE = 3  # height of the panel with the most strategies; the others have 1


def data(run: Run) -> Lines:
    """Collect points, curves and the first crossovers."""
    lines = all_lines(run)
    return replace(lines, crossings=lines.crossings.head(CROSSINGS_DRAWN))


def named(lines: Lines) -> list[str]:
    """Return the strategies that are drawn in colour: those that cross, then the fastest by their median."""
    medians = lines.points.groupby("strategy")["cpu_s"].median().sort_values(kind="stable")
    crossing = lines.crossings[["faster_above", "faster_below"]].to_numpy().ravel()
    return [str(name) for name in dict.fromkeys([*crossing, *medians.index]) if name in medians.index][:NAMED]


def caption(lines: Lines, sheet: Sheet) -> str:
    """Return the caption."""
    shown = lines.of(named(lines))
    others = len(lines.strategies) - len(shown.strategies)
    grey = f" Grey: {counted(others, 'other strategy', 'other strategies')}." if others else ""
    claims = [
        f"above {significant(row['crossover'], 2)} [{significant(row['lo'], 2)}, {significant(row['hi'], 2)}] guesses"
        f" {row['faster_above']} is faster than {row['faster_below']}"
        for row in lines.crossings.to_dict("records")
    ]
    rings = f" Rings: {'; '.join(claims)}." if claims else ""
    late = " Hollow marks at the time limit: not finished." if np.isinf(shown.points["cpu_s"]).any() else ""
    bands = " with 95% bands" if (lines.curves["lo_s"].notna() & lines.curves["hi_s"].notna()).any() else ""
    apart = " Strategies far slower or faster than the others have a panel of their own."
    return (
        f"Each point is a puzzle (median over its forms). Lines: local medians{bands}.{rings}"
        f"{apart if len(levels(lines)) > 1 else ''}{late}{grey}{other_sizes_note(lines.omitted)}"
    )


def draw(lines: Lines, sheet: Sheet) -> Figure:
    """Draw the strategies of each level in a panel, with their names at the right ends of their lines."""
    panels, shown = levels(lines), named(lines)
    shares = [MAIN_SHARE if names == max(panels, key=len) else 1 for names in panels]
    ends = [[_end_of(lines, name, sheet) for name in names if name in shown] for names in panels]
    needed = [1.2 * height_of(of_panel, sheet) / share for of_panel, share in zip(ends, shares, strict=True)]
    height_in = sum(shares) * max(HEIGHT_IN / MAIN_SHARE, *(height / sheet.scale for height in needed))
    figure, all_axes = begin(sheet, height_in, len(panels), sharex=True, height_ratios=shares)
    for axes, names in zip(all_axes, panels, strict=True):
        _draw_level(axes, lines.of(names), shown, sheet)
    scale_difficulty(all_axes[-1], lines.points["guesses"])
    for axes, of_panel, share in zip(all_axes, ends, shares, strict=True):
        label_line_ends(axes, of_panel, sheet, height_in * sheet.scale * 0.85 * share / sum(shares))
    all_axes[-1].set_xlabel(DIFFICULTY)
    all_axes[shares.index(MAIN_SHARE)].set_ylabel("CPU time per solve (log scale)")
    return end(figure, sheet, TITLE, caption(lines, sheet))


def _draw_level(axes: Axes, lines: Lines, shown: list[str], sheet: Sheet) -> None:
    """Draw the strategies of a panel, those that are not shown in grey."""
    for name in lines.strategies:
        if name in shown:
            draw_strategy(axes, lines, name, sheet.looks[name], sheet)
        else:
            curve = lines.curves[lines.curves["strategy"] == name]
            grey_line(axes, curve["x"], curve["median_s"], sheet)
    for line in lines.crossings.to_dict("records"):
        draw_crossing(axes, line, lines.curves)
    scale(axes, lines.points, sheet)
    rasterize_cloud(axes, len(lines.points))


def _end_of(lines: Lines, name: str, sheet: Sheet) -> LineEnd:
    """Return the right end of a strategy's curve, or without a curve its hardest point, up to the limit."""
    curve = lines.curves[(lines.curves["strategy"] == name) & lines.curves["median_s"].notna()]
    if len(curve):
        x, y = curve.sort_values("x").iloc[-1][["x", "median_s"]]
    else:
        x, y = lines.points[lines.points["strategy"] == name].sort_values("guesses").iloc[-1][["guesses", "cpu_s"]]
    return LineEnd(float(x), min(float(y), sheet.limit_s), name, unfinished(lines.points, name), sheet.looks[name])


def levels(lines: Lines) -> list[list[str]]:
    """Return the strategies of each panel, the slowest first: panels are separated where no curve is.

    A curve that reaches the time limit ends there, and a strategy without a curve extends as far as its points.
    """
    spans = sorted((span(lines, name) for name in set(lines.points["strategy"])), reverse=True)
    lowest = np.minimum.accumulate([low for low, _, _ in spans])
    gaps = {place: lowest[place - 1] / max(high for _, high, _ in spans[place:]) for place in range(1, len(spans))}
    widest = sorted((place for place in gaps if gaps[place] >= GAP), key=lambda place: -gaps[place])
    ends = [0, *sorted(widest[: MAX_LEVELS - 1]), len(spans)]
    return [sorted(name for _, _, name in spans[start:stop]) for start, stop in pairwise(ends)]


def span(lines: Lines, name: str) -> tuple[float, float, str]:
    """Return the shortest and the longest time of a strategy's curve (or of its points, without a curve), and its name.

    A strategy that never finished is as slow as the slowest of the others; if none ever finished, all are alike.
    """
    curve = lines.curves.loc[lines.curves["strategy"] == name, "median_s"].dropna()
    times = curve if len(curve) else lines.points.loc[lines.points["strategy"] == name, "cpu_s"]
    finished = times[np.isfinite(times)]
    if finished.empty:
        finished = lines.points.loc[np.isfinite(lines.points["cpu_s"]), "cpu_s"].nlargest(1)
    return (float(finished.min()), float(finished.max()), name) if len(finished) else (1.0, 1.0, name)
