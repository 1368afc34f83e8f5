"""Winner by difficulty: a row per strategy, filled where it is the fastest, and pale where it may be.

Strategies that stand apart (``groups.apart``) take no part: the rows say what to choose where these cannot be used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from sudoku_bench.bench.figures.panels import DIFFICULTY, scale_difficulty
from sudoku_bench.bench.figures.sheet import other_sizes_note
from sudoku_bench.bench.figures.style import GREY, LINE, NothingToDrawError, Sheet, begin, end, name_rows, short
from sudoku_bench.bench.figures.verdict_map import FASTEST, SHARED
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.difficulty.fields import GUESSES, fields
from sudoku_bench.bench.verdicts.difficulty.winners import PUZZLES, Stretch, stretches
from sudoku_bench.bench.verdicts.groups import apart, left_out, scope
from sudoku_bench.bench.verdicts.run_tables import Run

TITLE = "Fastest strategies by difficulty"
ROWS = 8  # maximum number
ROW_IN = 0.3
PALE = 0.35  # opacity where a strategy may be the fastest
OPACITY = {FASTEST: 1.0, SHARED: PALE}


@dataclass(frozen=True)
class Winners:
    """The data of the figure, for boards of one size.

    Attributes:
        stretches: the stretches of difficulty, from easy to hard.
        rows: of each strategy that is or may be the fastest anywhere: for each stretch ``FASTEST``, ``SHARED``, or
            empty where another one is shown to be faster; those of easy puzzles first.
        strategies: number of those that take part.
        hidden: number of rows beyond ``ROWS``.
        left_out, scope: the sentences on the leading group, and the end of the title that names it; may be empty.
        omitted: number of puzzles of other board sizes.
    """

    stretches: tuple[Stretch, ...]
    rows: Mapping[str, tuple[str, ...]]
    strategies: int
    hidden: int = 0
    left_out: str = ""
    omitted: int = 0
    scope: str = ""

    @property
    def tells(self) -> bool:
        """Whether there is more than one stretch and row, and anything is decided."""
        decided = len(self.rows) + self.hidden < self.strategies or {*self.states} != {SHARED}
        return len(self.stretches) > 1 and len(self.rows) > 1 and decided

    @property
    def states(self) -> Iterator[str]:
        return (state for row in self.rows.values() for state in row)

    def bars(self, name: str) -> Iterator[tuple[str, list[int]]]:
        """Yield where a strategy is or may be the fastest: which of both, and neighbouring stretches."""
        row = self.rows[name]
        return ((state, list(places)) for state, places in groupby(range(len(row)), row.__getitem__) if state)


def data(run: Run) -> Winners:
    """Decide who is fastest on boards of the most common size, along guesses."""
    size, omitted = most_common(run.puzzles)
    found = by_size(run).get(size)
    if found is None:
        need = f"{2 * PUZZLES} puzzles of different, known difficulty, and a lead that changes"
        raise NothingToDrawError(f"winners need two strategies, three repetitions, {need}")
    return replace(found, omitted=omitted)


def by_size(run: Run) -> dict[int, Winners]:
    """Decide who is fastest on boards of each size of which there is anything to tell, along guesses."""
    found = ((field, stretches(field, GUESSES)) for field in fields(run))
    by_field = {field.size or 0: winners(field.strategies, parts, run) for field, parts in found}
    return {size: of_size for size, of_size in by_field.items() if of_size.tells}


def winners(strategies: Sequence[str], parts: Sequence[Stretch], run: Run) -> Winners:
    """Return the rows of the strategies of a field without the leading group."""
    among = [place for place, name in enumerate(strategies) if name not in apart(run)]
    rows = {strategies[place]: tuple(state(part, place, among) for part in parts) for place in among}
    some = sorted((row for row in rows.items() if any(row[1])), key=lambda row: -sum(map(bool, row[1])))
    shown = dict(sorted(some[:ROWS], key=lambda row: np.flatnonzero(row[1]).mean()))
    return Winners(tuple(parts), shown, len(among), len(some) - len(shown), left_out(run), scope=scope(run))


def state(stretch: Stretch, strategy: int, among: Sequence[int]) -> str:
    """Return what a strategy is on a stretch, compared with the others that take part."""
    if stretch.winner(among) == strategy:
        return FASTEST
    return "" if stretch.faster[among, strategy].any() else SHARED


def caption(found: Winners, _sheet: Sheet) -> str:
    """Return the caption."""
    states = {*found.states}
    full = " Full colour: shown to be faster than all others." if FASTEST in states else ""
    pale = " Pale: no other is shown to be faster." if SHARED in states else ""
    empty = " Empty: another one is shown to be faster." if "" in states else ""
    hidden = f" {found.hidden} more that may be the fastest are not shown." if found.hidden else ""
    return (
        f"Of {found.strategies} strategies, those that are or may be the fastest at some difficulty.{full}{pale}{empty}"
        f"{hidden} All of this is true together with 95% (Bonferroni); a stretch has at least {PUZZLES} puzzles."
        f"{found.left_out}{other_sizes_note(found.omitted)}"
    )


def draw(found: Winners, sheet: Sheet) -> Figure:
    """Draw a row for each strategy, that of easy puzzles on top."""
    labels = [short(name, sheet) for name in found.rows]
    line_in = LINE * sheet.small_pt / 72
    row_in = max(ROW_IN * sheet.scale, line_in * max(label.count("\n") + 1 for label in labels))
    figure, [axes] = begin(sheet, (row_in * len(labels) + 0.8) / sheet.scale)
    scale_difficulty(axes, np.array([found.stretches[0].lo, found.stretches[-1].hi]), sheet)
    edges = edges_of(found.stretches, axes.get_xlim())
    for number, name in enumerate(found.rows):
        for what, places in found.bars(name):
            left, right = edges[places[0]], edges[places[-1] + 1]
            box = (left, number + 0.1), right - left, 0.8
            colour = sheet.looks[name].colour
            axes.add_patch(Rectangle(*box, facecolor=colour, alpha=OPACITY[what], lw=0, zorder=2))
            axes.add_patch(Rectangle(*box, facecolor="none", edgecolor=colour, lw=0.8, zorder=3))
    for edge in edges[1:-1]:
        axes.axvline(edge, color=GREY, lw=0.4, ls=":", zorder=1)
    axes.set_ylim(len(labels), 0)
    name_rows(axes, np.arange(len(labels)) + 0.5, labels, sheet)
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(DIFFICULTY.partition(" (")[0] if sheet.column else DIFFICULTY)
    handles = {what: Patch(color=GREY, alpha=OPACITY[what]) for what in OPACITY if what in {*found.states}}
    return end(figure, sheet, TITLE, caption(found, sheet), handles)


def edges_of(parts: Sequence[Stretch], limits: tuple[float, float]) -> list[float]:
    """Return where stretches begin and end on the axis: halfway between their puzzles on its scale."""
    middles = [(np.log1p(one.hi) + np.log1p(other.lo)) / 2 for one, other in pairwise(parts)]
    return [limits[0], *(float(np.expm1(middle)) for middle in middles), limits[1]]
