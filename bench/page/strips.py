"""Strips of the winners by difficulty: coloured where one strategy is shown to be faster than all others."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import groupby

import numpy as np

from bench.figures import sheet, winners
from bench.figures.panels import TICKS
from bench.figures.style import Look
from bench.say.phrases import counted
from bench.verdicts.board_size import most_common
from bench.verdicts.run_tables import Run


def strips(run: Run) -> str:
    """Return the strips of each board size as HTML, the axis below them; empty if there are none."""
    looks = sheet.of_run(run).looks
    by_size = winners.by_size(run)
    if not by_size:
        return ""
    common, _ = most_common(run.puzzles)
    blocks = {size: _of_size(size, found, looks) for size, found in by_size.items()}
    shown = blocks.pop(common, "")
    others = f"<details><summary>Other board sizes</summary>{''.join(blocks.values())}</details>" if blocks else ""
    return (
        f'<div id="winners"><h3>Winner by difficulty</h3>{shown}{others}'
        '<p class="note">Coloured: shown to be faster, by CPU time, than all other strategies on the puzzles of this'
        " difficulty (mean guesses of a singles-only search), over all collections. Grey: not decided. All wins on"
        " boards of one size hold together with 95%. Each further strip leaves out the winners above it.</p></div>"
    )


def _of_size(size: int, found: winners.Strips, looks: Mapping[str, Look]) -> str:
    first, last = found.stretches[0].lo, found.stretches[-1].hi
    inner = winners.edges_of(found.stretches, (first, last))[1:-1]
    edges = [0.0, *(_share(edge, first, last) for edge in inner), 100.0]
    lines = []
    for strip in found.strips:
        bars = []
        for winner, group in groupby(range(len(strip.winners)), key=lambda place: strip.winners[place]):
            inside = list(group)
            left, right = edges[inside[0]], edges[inside[-1] + 1]
            ends = f"{found.stretches[inside[0]].lo:.3g} to {found.stretches[inside[-1]].hi:.3g} guesses"
            puzzles = counted(sum(found.stretches[place].puzzles for place in inside), "puzzle")
            title = escape(f"{ends} ({puzzles}): {winner or winners.TEXT}")
            face = f" background: {looks[winner].colour};" if winner else ""
            name = f"<b>{escape(winner)}</b>" if winner else f'<b class="visually-hidden">{winners.TEXT}</b>'
            style = f"left: {left:.2f}%; width: {right - left:.2f}%;{face}"
            bars.append(f'<li style="{style}" title="{title}">{name}</li>')
        lines.append(f'<p>{escape(strip.name)}</p><ol class="strip">{"".join(bars)}</ol>')
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
