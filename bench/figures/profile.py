"""Performance profiles: share of puzzles that each strategy solves within a factor of the fastest strategy.

Dolan & Moré 2002, "Benchmarking optimization software with performance profiles"; for their limits, see Gould & Scott
2016, "A note on performance profiles for benchmarking software".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bench.figures.panels import grey_line, grey_note, highlighted, line
from bench.figures.style import NothingToDrawError, Sheet, begin, end, log_scale
from bench.verdicts.matrix import matrix
from bench.verdicts.run_tables import Run

TITLE = "Performance profile: share of puzzles within a factor of the fastest"
HEIGHT_IN = 4.4
CAVEAT = (
    " Only the highest line at a factor is meaningful there: the order of the others can change when a strategy is"
    " removed (Gould & Scott 2016)."
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Profiles:
    """The profile of each strategy.

    Attributes:
        ratios: for each strategy, its time divided by the shortest time on the same puzzle, ascending, over the puzzles
            that it solved. Strategies are ordered by how often they are the fastest, then by puzzles solved, then by
            the mean ratio.
        notes: note on each strategy for the legend.
        puzzles: number of puzzles that every strategy was measured on; shares refer to it.
        unsolved: number of these that no strategy solved.
        omitted: number of puzzles that at least one strategy was not measured on.
    """

    ratios: dict[str, Floats]
    notes: dict[str, str]
    puzzles: int
    unsolved: int
    omitted: int


def data(run: Run) -> Profiles:
    """Compute the profiles over all collections."""
    table = matrix(run)
    if len(table.strategies) < 2:
        raise NothingToDrawError("a performance profile needs two strategies")
    solved_by_any = np.isfinite(table.best)
    if not solved_by_any.any():
        raise NothingToDrawError("none of the puzzles measured with all strategies was solved")
    ratios = table.seconds[:, solved_by_any] / table.best[solved_by_any]
    solved = {name: np.sort(row[np.isfinite(row)]) for name, row in zip(table.strategies, ratios, strict=True)}
    wins = {name: int((row == 1).sum()) for name, row in solved.items()}
    order = sorted(solved, key=lambda name: (-wins[name], -len(solved[name]), float(np.log(solved[name]).sum()), name))
    total = table.seconds.shape[1]
    fastest = {name: f"fastest on {number} of {total}" for name, number in wins.items() if number}
    notes = {name: "; ".join(note for note in (fastest.get(name), table.note(name)) if note) for name in order}
    return Profiles({name: solved[name] for name in order}, notes, total, int((~solved_by_any).sum()), table.omitted)


def caption(profiles: Profiles, sheet: Sheet) -> str:
    """Return the caption."""
    caveat = CAVEAT if len(profiles.ratios) > 2 else ""
    unsolved = f" Puzzles that no strategy solved are included ({profiles.unsolved})." if profiles.unsolved else ""
    omitted = f" Puzzles not measured with all strategies are omitted ({profiles.omitted})." if profiles.omitted else ""
    return (
        f"Share of {profiles.puzzles} puzzles that a strategy solves within a factor of the fastest strategy on the"
        " same puzzle. The value at 1 is the share on which it is the fastest; the value at the right end is the share"
        f" it solves; a line ends at 100%.{grey_note(list(profiles.ratios), sheet)}{caveat}{unsolved}{omitted}"
    )


def draw(profiles: Profiles, sheet: Sheet) -> Figure:
    """Draw a line per strategy."""
    figure, [axes] = begin(sheet, HEIGHT_IN)
    largest = max(1.5, max(float(ratios[-1]) for ratios in profiles.ratios.values() if len(ratios)) * 1.15)
    shown = highlighted(list(profiles.ratios), sheet)
    for number, (name, ratios) in enumerate(profiles.ratios.items()):
        factors, share = steps(ratios, profiles.puzzles, largest)
        if name in shown:
            line(axes, factors, share, sheet.looks[name], sheet, number, style="steps-post")
        else:
            grey_line(axes, factors, share, sheet, style="steps-post")
    _scale(axes, largest)
    axes.set_xlabel("CPU time relative to the fastest strategy on the same puzzle (log scale)")
    axes.set_ylabel("share of puzzles")
    return end(figure, sheet, TITLE, caption(profiles, sheet), {name: profiles.notes[name] for name in shown})


def steps(ratios: Floats, puzzles: int, largest: float) -> tuple[Floats, Floats]:
    """Return factors and the share of puzzles within each, up to 100% or to the largest factor drawn.

    Args:
        ratios: ratios of the solved puzzles, ascending.
        puzzles: number of puzzles that shares refer to.
        largest: the end of the axis.
    """
    places, numbers = np.unique(ratios, return_counts=True)
    if not len(places):
        return places, places
    share = np.cumsum(numbers) / puzzles
    last = places[-1] if len(ratios) == puzzles else largest
    return np.concatenate([places[:1], places, [last]]), np.concatenate([[0.0], share, share[-1:]])


def _scale(axes: Axes, largest: float) -> None:
    log_scale(axes, "x", 1.0, largest, factor_text)
    axes.set_ylim(-0.02, 1.04)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")


def factor_text(factor: float) -> str:
    """Format a factor: 1×, 2.5×, 1,000×."""
    return f"{factor:.3g}×" if factor < 1000 else f"{factor:,.0f}×"
