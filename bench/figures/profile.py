"""Performance profiles: how often a strategy is within a factor of whichever is best on the puzzle.

Dolan & Moré 2002, "Benchmarking optimization software with performance profiles"; what they do not say, Gould & Scott
2016, "A note on performance profiles for benchmarking software".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bench.figures.panels import foremost, grey_line, line, others
from bench.figures.style import NothingToDrawError, Sheet, begin, end, log_scale
from bench.verdicts.matrix import matrix
from bench.verdicts.run_tables import Run

TITLE = "Performance profile: share of puzzles within a factor of the fastest"
HEIGHT_IN = 4.4
CAVEAT = (
    " The line that is highest at a factor is best there; the order of the others does not rank them, as it can change"
    " when a strategy is taken out (Gould & Scott 2016)."
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Profiles:
    """The profile of each strategy.

    Attributes:
        ratios: for each strategy, its time divided by the shortest time of any on the same puzzle, ascending, of the
            puzzles that it solved; who is fastest most often comes first, of those who solved
            most, and of those who is nearest to the fastest.
        notes: what is to be said of a strategy.
        puzzles: that every strategy was asked; shares are of all of them.
        unsolved: of these, by any.
        omitted: puzzles that some strategy was not measured on.
    """

    ratios: dict[str, Floats]
    notes: dict[str, str]
    puzzles: int
    unsolved: int
    omitted: int


def data(run: Run) -> Profiles:
    """The profiles over all collections."""
    found = matrix(run)
    if len(found.strategies) < 2:
        raise NothingToDrawError("a profile compares strategies, and there are fewer than two")
    anybody = np.isfinite(found.best)
    if not anybody.any():
        raise NothingToDrawError("no puzzle that all strategies were measured on was solved")
    ratios = found.seconds[:, anybody] / found.best[anybody]
    solved = {name: np.sort(own[np.isfinite(own)]) for name, own in zip(found.strategies, ratios, strict=True)}
    wins = {name: int((own == 1).sum()) for name, own in solved.items()}
    order = sorted(solved, key=lambda name: (-wins[name], -len(solved[name]), float(np.log(solved[name]).sum()), name))
    total = found.seconds.shape[1]
    fastest = {name: f"fastest on {number} of {total}" for name, number in wins.items() if number}
    notes = {name: "; ".join(word for word in (fastest.get(name), found.note(name)) if word) for name in order}
    return Profiles({name: solved[name] for name in order}, notes, total, int((~anybody).sum()), found.omitted)


def words(profiles: Profiles, _sheet: Sheet) -> str:
    """How to read it."""
    caveat = CAVEAT if len(profiles.ratios) > 2 else ""
    unsolved = f" {profiles.unsolved} puzzles that nobody solved count as missed." if profiles.unsolved else ""
    omitted = f" {profiles.omitted} puzzles that some were not measured on are left out." if profiles.omitted else ""
    return (
        f"Share of {profiles.puzzles} puzzles on which a strategy takes at most so many times as long as the fastest"
        " one there: the height at 1 says how often it is the fastest itself, that at the right how many it solves; a"
        f" line ends where it has come to all of them.{others(list(profiles.ratios))}{caveat}{unsolved}{omitted}"
    )


def draw(profiles: Profiles, sheet: Sheet) -> Figure:
    """The figure of ``Profiles``."""
    figure, [axes] = begin(sheet, HEIGHT_IN)
    furthest = max(1.5, max(float(own[-1]) for own in profiles.ratios.values() if len(own)) * 1.15)
    shown = foremost(list(profiles.ratios))
    for number, (name, own) in enumerate(profiles.ratios.items()):
        factors, share = steps(own, profiles.puzzles, furthest)
        if name in shown:
            line(axes, factors, share, sheet.looks[name], sheet, number, style="steps-post")
        else:
            grey_line(axes, factors, share, sheet, style="steps-post")
    _scale(axes, furthest)
    axes.set_xlabel("time relative to the fastest strategy on the same puzzle (log scale)")
    axes.set_ylabel("share of puzzles")
    return end(figure, sheet, TITLE, words(profiles, sheet), {name: profiles.notes[name] for name in shown})


def steps(ratios: Floats, puzzles: int, furthest: float) -> tuple[Floats, Floats]:
    """Factors and the share of puzzles within each: from none to all of them, or else to the furthest factor.

    Args:
        ratios: of the puzzles that were solved, ascending.
        puzzles: of which shares are.
    """
    places, numbers = np.unique(ratios, return_counts=True)
    if not len(places):
        return places, places
    share = np.cumsum(numbers) / puzzles
    last = places[-1] if len(ratios) == puzzles else furthest
    return np.concatenate([places[:1], places, [last]]), np.concatenate([[0.0], share, share[-1:]])


def _scale(axes: Axes, furthest: float) -> None:
    log_scale(axes, "x", 1.0, furthest, times_words)
    axes.set_ylim(-0.02, 1.04)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")


def times_words(factor: float) -> str:
    """A factor as it is written: 1×, 2.5×, 1,000×."""
    return f"{factor:.3g}×" if factor < 1000 else f"{factor:,.0f}×"
