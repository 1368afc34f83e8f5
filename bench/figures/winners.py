"""Winner by difficulty: a strip from easy to hard, coloured by the strategy that is fastest, grey where undecided.

Below it, the same without the strategies that win above, which shows what to choose where these cannot be used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from bench.figures.panels import DIFFICULTY, scale_difficulty
from bench.figures.sheet import other_sizes_note
from bench.figures.style import NothingToDrawError, Sheet, begin, end, name_rows
from bench.figures.wrapping import widest, width_of, wrap
from bench.verdicts.board_size import most_common
from bench.verdicts.difficulty.fields import GUESSES, fields
from bench.verdicts.difficulty.winners import PUZZLES, Stretch, stretches
from bench.verdicts.run_tables import Run

TITLE = "Winner by difficulty"
STRIPS = 4  # maximum number
STRIP_IN = 0.42
NAME_SHARE = 0.27  # maximum width of the names of strips, as a share of the figure
LINE = 1.35  # height of a line of text, in font sizes
UNDECIDED = "#d9d9d9"
TEXT = "not decided"


@dataclass(frozen=True)
class Strip:
    """The winners among some strategies.

    Attributes:
        name: which strategies take part.
        winners: the winner of each stretch; empty where it is undecided.
    """

    name: str
    winners: tuple[str, ...]


@dataclass(frozen=True)
class Strips:
    """The data of the figure, for boards of one size.

    Attributes:
        stretches: the stretches of difficulty, from easy to hard.
        strips: the first one of all strategies, the others of those that did not win in any strip before.
        strategies: number of strategies of the first strip.
        omitted: number of puzzles of other board sizes.
    """

    stretches: tuple[Stretch, ...]
    strips: tuple[Strip, ...]
    strategies: int
    omitted: int = 0

    @property
    def won(self) -> tuple[str, ...]:
        """The winners of all strips, each once, and the empty text if a stretch is undecided."""
        return tuple(dict.fromkeys(name for strip in self.strips for name in strip.winners))


def data(run: Run) -> Strips:
    """Decide the winners on boards of the most common size, along guesses."""
    size, omitted = most_common(run.puzzles)
    strips = by_size(run).get(size)
    if strips is None or len(strips.stretches) < 2 or not any(strips.won):
        need = f"{2 * PUZZLES} puzzles of different, known difficulty and a decided stretch"
        raise NothingToDrawError(f"winners need two strategies, three repetitions, {need}")
    return replace(strips, omitted=omitted)


def by_size(run: Run) -> dict[int, Strips]:
    """Decide the winners on boards of each size that has enough data, along guesses."""
    parts = [(field, stretches(field, GUESSES)) for field in fields(run)]
    return {field.size or 0: _strips(field.strategies, found) for field, found in parts if found}


def _strips(strategies: Sequence[str], parts: Sequence[Stretch]) -> Strips:
    among, won, strips = list(range(len(strategies))), list[str](), list[Strip]()
    while len(among) > 1 and len(strips) < STRIPS:
        places = [stretch.winner(among) for stretch in parts]
        winners = tuple("" if place is None else strategies[place] for place in places)
        fresh = sorted({name for name in winners if name})
        if strips and not fresh:
            break
        strips.append(Strip(_name(won, len(strips)), winners))
        won = fresh
        among = [place for place in among if strategies[place] not in fresh]
        if not fresh:
            break
    return Strips(tuple(parts), tuple(strips), len(strategies))


def _name(won: Sequence[str], number: int) -> str:
    """Return the name of a strip: the strategies left out that won the strip above."""
    return f"{'also ' if number > 1 else ''}without {', '.join(won)}" if won else "all strategies"


def caption(strips: Strips, _sheet: Sheet) -> str:
    """Return the caption."""
    undecided = " Grey: not decided." if "" in strips.won else ""
    more = " Each further strip leaves out the winners of those above it." if len(strips.strips) > 1 else ""
    return (
        f"Coloured: the strategy shown to be faster than all others (of {strips.strategies}) on the puzzles of this"
        f" difficulty.{undecided} All wins are true together with 95% (Bonferroni); a stretch has at least"
        f" {PUZZLES} puzzles.{more}{other_sizes_note(strips.omitted)}"
    )


def draw(strips: Strips, sheet: Sheet) -> Figure:
    """Draw the strips, the first on top."""
    labels = [wrap(strip.name, sheet.width_in * NAME_SHARE, sheet.small_pt) for strip in strips.strips]
    line_in = LINE * sheet.small_pt / 72
    row_in = max(STRIP_IN * sheet.scale, line_in * max(label.count("\n") + 1 for label in labels))
    figure, [axes] = begin(sheet, (row_in * len(labels) + 0.55) / sheet.scale)
    scale_difficulty(axes, np.array([stretch.hi for stretch in strips.stretches]))
    edges = edges_of(strips.stretches, axes.get_xlim())
    width_in = sheet.width_in - widest(labels, sheet.small_pt)
    for number, strip in enumerate(strips.strips):
        _draw_strip(axes, strip, number, edges, width_in - 0.3, sheet)
    axes.set_ylim(len(labels), 0)
    name_rows(axes, np.arange(len(labels)) + 0.5, labels, sheet)
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(DIFFICULTY)
    handles = _handles(strips, sheet)
    return end(figure, sheet, TITLE, caption(strips, sheet), handles)


def edges_of(parts: Sequence[Stretch], limits: tuple[float, float]) -> list[float]:
    """Return where stretches begin and end on the axis: halfway between their puzzles on its scale."""
    middles = [(np.log1p(one.hi) + np.log1p(other.lo)) / 2 for one, other in pairwise(parts)]
    return [limits[0], *(float(np.expm1(middle)) for middle in middles), limits[1]]


def _draw_strip(axes: Axes, strip: Strip, number: int, edges: Sequence[float], width_in: float, sheet: Sheet) -> None:
    """Draw the stretches of a strip; neighbours with the same winner become one rectangle with its name or marker."""
    for winner, group in groupby(range(len(strip.winners)), key=lambda place: strip.winners[place]):
        places = list(group)
        left, right = edges[places[0]], edges[places[-1] + 1]
        colour = sheet.looks[winner].colour if winner else UNDECIDED
        axes.add_patch(
            Rectangle(
                (left, number + 0.06), right - left, 0.88, facecolor=colour, edgecolor="#ffffff", lw=1.0, zorder=2
            )
        )
        for inner in (edges[place] for place in places[1:]):
            axes.plot([inner, inner], [number + 0.06, number + 0.94], "-", color="#ffffff", lw=0.4, zorder=3)
        to_share = axes.transData + axes.transAxes.inverted()
        ends = [float(to_share.transform((edge, 0.0))[0]) for edge in (left, right)]
        middle = (ends[0] + ends[1]) / 2
        frame: Any = {"transform": axes.get_yaxis_transform(), "zorder": 4}
        room_in = (ends[1] - ends[0]) * width_in - 0.1
        if winner and width_of(winner, sheet.small_pt) <= room_in:
            axes.text(
                middle, number + 0.5, winner, fontsize=sheet.small_pt, ha="center", va="center", color="#000000",
                bbox={"facecolor": "#ffffff", "edgecolor": "none", "pad": 1.2, "alpha": 0.85}, **frame,
            )  # fmt: skip
        elif winner:
            look = sheet.looks[winner]
            axes.plot(
                [middle], [number + 0.5], look.marker, color="#ffffff", mec="#000000", mew=0.6, ms=5 * sheet.scale,
                **frame,
            )  # fmt: skip


def _handles(strips: Strips, sheet: Sheet) -> dict[str, Line2D | Patch]:
    """Return the legend: the winners, and grey if a stretch is undecided."""
    handles: dict[str, Line2D | Patch] = {}
    for name in filter(None, strips.won):
        look = sheet.looks[name]
        handles[name] = Line2D(
            [], [], color=look.colour, lw=6, marker=look.marker, mfc="#ffffff", mec="#000000", mew=0.6, ms=5
        )
    if "" in strips.won:
        handles[TEXT] = Patch(color=UNDECIDED)
    return handles
