"""Solve time versus difficulty: a point per puzzle, median curves with bands, and the crossovers between strategies.

A few strategies share a plot, with their names at the ends of their lines. Many have a panel per family, with all
others in grey behind it (``family_panels``).

Strategies whose curves lie far from all others have a panel of their own, with the same axis of difficulty: otherwise a
strategy that takes a hundred times as long would squeeze the others, and where they cross, into a narrow band.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures import family_panels
from bench.figures.difficulty_lines import (
    CLEAR,
    DIFFICULTY,
    Lines,
    all_lines,
    banded,
    draw_crossing,
    draw_strategy,
    scale,
    scale_difficulty,
    unfinished,
    without_bands,
)
from bench.figures.line_ends import ROOM_SHARE, LineEnd, height_of, label_line_ends
from bench.figures.panels import grey_line, grey_note, highlighted, most_panels
from bench.figures.sheet import other_sizes_note
from bench.figures.style import Sheet, begin, end, rasterize_cloud
from bench.verdicts.run_tables import Run

TITLE = "Solve time versus difficulty"
HEIGHT_IN = 4.7
CROSSINGS_DRAWN = 5  # maximum number of crossovers: those between the fastest strategies, which come first
GAP = 2.0  # least ratio of times between the curves of two panels
MAX_LEVELS = 3
MAIN_SHARE = 3  # height of the panel with the most strategies; the others have 1


def data(run: Run) -> Lines:
    """Collect points, curves and the first crossovers, without bands if there are too many to be readable."""
    lines = all_lines(run)
    return replace(lines, crossings=lines.crossings.head(CROSSINGS_DRAWN))


def caption(lines: Lines, sheet: Sheet) -> str:
    """Return the caption."""
    families = family_panels.families(lines, most_panels(sheet))
    if families:
        return family_panels.caption(families, sheet)
    bands = " with 95% bands" if banded(_curves(lines).curves) else ""
    rings = family_panels.rings_note(lines)
    late = " Hollow marks at the time limit: not finished." if np.isinf(lines.points["cpu_s"]).any() else ""
    apart = (
        " Strategies far slower or faster than the others have a panel of their own." if len(levels(lines)) > 1 else ""
    )
    text = f"Each point is a puzzle (median over its forms). Lines: local medians{bands}.{rings}{apart}{late}"
    return text + grey_note(lines.strategies, sheet) + other_sizes_note(lines.omitted)


def draw(lines: Lines, sheet: Sheet) -> Figure:
    """Draw one plot, or a panel for each family if there are many strategies."""
    families = family_panels.families(lines, most_panels(sheet))
    if families:
        return family_panels.draw(families, sheet, TITLE)
    lines = _curves(lines)
    panels = levels(lines)
    shares = [MAIN_SHARE if names == max(panels, key=len) else 1 for names in panels]
    height_in = HEIGHT_IN * sum(shares) / MAIN_SHARE
    shown = highlighted(lines.strategies, sheet)
    named = [[name for name in names if name in shown] for names in panels]
    notes = [[unfinished(lines.points, name) for name in names] for names in named]
    for names, texts, share in zip(named, notes, shares, strict=True):
        height_in = max(height_in, 1.2 * height_of(names, texts, sheet) * sum(shares) / share / sheet.scale)
    figure, all_axes = begin(sheet, height_in, len(panels), sharex=True, height_ratios=shares)
    for axes, names in zip(all_axes, panels, strict=True):
        _draw_level(axes, lines.of(names), shown, sheet)
    scale_difficulty(all_axes[-1], lines.points["guesses"], sheet.width_in * (1 - ROOM_SHARE) - 0.7)
    for axes, names, texts, share in zip(all_axes, named, notes, shares, strict=True):
        ends = [
            LineEnd(*_end_of(lines, name, sheet), name, text, sheet.looks[name])
            for name, text in zip(names, texts, strict=True)
        ]
        label_line_ends(axes, ends, sheet, height_in * sheet.scale * 0.85 * share / sum(shares))
    all_axes[-1].set_xlabel(DIFFICULTY)
    all_axes[shares.index(MAIN_SHARE)].set_ylabel("CPU time per solve (log scale)")
    return end(figure, sheet, TITLE, caption(lines, sheet))


def _draw_level(axes: Axes, lines: Lines, shown: Sequence[str], sheet: Sheet) -> None:
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


def _curves(lines: Lines) -> Lines:
    """Return the lines without bands if these would hide each other."""
    return replace(lines, curves=without_bands(lines.curves)) if len(lines.strategies) > CLEAR else lines


def _end_of(lines: Lines, name: str, sheet: Sheet) -> tuple[float, float]:
    """Return the right end of a strategy's curve, or without a curve its hardest point, up to the limit."""
    curve = lines.curves[(lines.curves["strategy"] == name) & lines.curves["median_s"].notna()]
    if len(curve):
        last = curve.sort_values("x").iloc[-1]
        return float(last["x"]), float(last["median_s"])
    hardest = lines.points[lines.points["strategy"] == name].sort_values("guesses").iloc[-1]
    return float(hardest["guesses"]), min(float(hardest["cpu_s"]), sheet.limit_s)


def levels(lines: Lines) -> list[list[str]]:
    """Return the strategies of each panel, the slowest first: panels are separated where no curve is.

    A curve that reaches the time limit ends there, and a strategy without a curve extends as far as its points.
    """
    spans = sorted((span(lines, name) for name in set(lines.points["strategy"])), reverse=True)
    lowest = np.minimum.accumulate([low for low, _, _ in spans])
    gaps = {place: lowest[place - 1] / max(high for _, high, _ in spans[place:]) for place in range(1, len(spans))}
    widest = sorted((place for place in gaps if gaps[place] >= GAP), key=lambda place: -gaps[place])
    ends = [0, *sorted(widest[: MAX_LEVELS - 1]), len(spans)]
    return [sorted(name for _, _, name in spans[first:last]) for first, last in pairwise(ends)]


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
