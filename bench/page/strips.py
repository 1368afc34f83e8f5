"""Rows of the fastest strategies by difficulty: filled where one is the fastest, pale where it may be."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import numpy as np

from sudoku_bench.bench.figures import sheet, winners
from sudoku_bench.bench.figures.panels import TICKS
from sudoku_bench.bench.figures.style import Look
from sudoku_bench.bench.figures.verdict_map import FASTEST
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.pairs.evidence import amount, together
from sudoku_bench.bench.verdicts.run_tables import Run


def strips(run: Run) -> str:
    """Return the rows for each board size as HTML, the axis below them; empty if there are none."""
    looks, by_size = sheet.of_run(run).looks, winners.by_size(run)
    if not by_size:
        return ""
    common, _ = most_common(run.puzzles)
    blocks = {size: _of_size(size, found, looks) for size, found in by_size.items()}
    shown = blocks.pop(common, "")
    others = f"<details><summary>Other board sizes</summary>{''.join(blocks.values())}</details>" if blocks else ""
    return (
        f'<div id="winners"><h3>{winners.TITLE}</h3>{shown}{others}'
        '<p class="note">By CPU time on the puzzles of this difficulty (mean guesses of a singles-only search), over'
        " all collections. Full colour: shown to be faster than all others. Pale: no other is shown to be faster."
        " Empty: another one is. All of this holds together with 95% for boards of one size."
        f"{escape(next(iter(by_size.values())).left_out)}</p></div>"
    )


def _of_size(size: int, found: winners.Winners, looks: Mapping[str, Look]) -> str:
    first, last = found.stretches[0].lo, found.stretches[-1].hi
    inner = winners.edges_of(found.stretches, (first, last))[1:-1]
    edges = [0.0, *(_share(edge, first, last) for edge in inner), 100.0]
    lines = []
    for name in found.rows:
        bars = []
        for state, inside in found.bars(name):
            left, right = edges[inside[0]], edges[inside[-1] + 1]
            low, high = together([found.stretches[inside[0]].lo, found.stretches[inside[-1]].hi], amount)
            puzzles = counted(sum(found.stretches[place].puzzles for place in inside), "puzzle")
            title = escape(f"{low} to {high} guesses ({puzzles}): {state}")
            look = ' class="pale"' if state != FASTEST else ""
            style = f"left: {left:.2f}%; width: {right - left:.2f}%"
            bars.append(f'<li{look} style="{style}" title="{title}"><b class="visually-hidden">{title}</b></li>')
        colour = looks[name].colour
        face = ' class="strip ink"' if colour == "#000000" else f' class="strip" style="color: {colour}"'
        lines.append(f"<p>{escape(name)}</p><ol{face}>{''.join(bars)}</ol>")
    ticks = [
        f'<span style="left: {_share(tick, first, last):.2f}%">{tick:,}</span>'
        for tick in TICKS
        if first <= tick <= last
    ]
    head = f"{size}×{size}, by guesses from easy to hard"
    return f'<h4>{head}</h4>{"".join(lines)}<div class="strip-ticks" aria-hidden="true">{"".join(ticks)}</div>'


def _share(guesses: float, first: float, last: float) -> float:
    """Return the place of a number of guesses on the axis, in percent."""
    return float(100 * (np.log1p(guesses) - np.log1p(first)) / ((np.log1p(last) - np.log1p(first)) or 1))
