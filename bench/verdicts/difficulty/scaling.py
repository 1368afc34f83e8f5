"""Growth: how much longer a strategy takes when guesses double, and when boards grow.

Time is taken for a power of guesses, or of the number of cells: a line through medians on logarithmic scales, where
what was not finished is only known to be longer. A power is a summary; whether it holds, the curve shows.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from bench.verdicts.difficulty.fields import GUESSES, Field, Floats, calibrated, fields
from bench.verdicts.difficulty.local import MIN_PUZZLES, Lookout, Slope, median_line, stretch
from bench.verdicts.run_data import RunData

SCALING_COLUMNS = (
    "strategy",
    "over",  # what grows: guesses, or cells
    "shape",  # 9x9; empty where the run does not tell, and over cells
    "n_puzzles",  # the line's
    "from",  # the range of what grows in which the median is known
    "to",
    "power",  # time grows as this power of what grows (of cells; over the side of the board it is twice that)
    "power_lo",
    "power_hi",  # its 95% interval; empty where nothing bounds it
    "per_doubling",  # by this factor when what grows doubles
    "per_doubling_lo",
    "per_doubling_hi",
    "at_least",  # power from the largest size with a known median to the next, where the limit cut it
    "largest_solved",  # the largest board of which a puzzle was solved, such as 16x16
    "marked",  # "yes" where what grows is nearly the strategy's own work
)
SPAN = math.log(2)  # of what grows: less than a doubling is too little to speak of one
WIDTH = 80  # of the terminal
TOLD = 8  # strategies in a list of words


def scaling(run: RunData) -> pd.DataFrame:
    """Rows of ``SCALING_COLUMNS``: each strategy and shape over guesses, and each strategy over sizes of boards.

    Guesses are those of puzzles that need one at least. Sizes are those of which more than half of the puzzles were
    finished; collections of different size are not equally hard, so that a power speaks of these collections only.
    """
    places = fields(run)
    found = [line for field in places for line in over_guesses(field)]
    found += over_cells([field for field in places if field.size is not None])
    text = ("strategy", "over", "shape", "n_puzzles", "largest_solved", "marked")
    kinds = {column: float for column in SCALING_COLUMNS if column not in text}
    return pd.DataFrame(found, columns=list(SCALING_COLUMNS)).astype(kinds)


def over_guesses(field: Field) -> Iterator[dict[str, Any]]:
    """How times grow with the guesses of a field, as rows of ``SCALING_COLUMNS``."""
    guesses, errors = field.column(GUESSES.name), field.column("guesses_se")
    with np.errstate(divide="ignore", invalid="ignore"):
        x = np.where(guesses >= 1, np.log(guesses), np.nan)
        x = calibrated(x, errors / guesses)
    lookout = Lookout(x, field.clusters)
    for strategy, y in zip(field.strategies, field.hi, strict=True):
        chosen = np.isfinite(x) & ~np.isnan(y)
        near = lookout.over(chosen)
        if near is None:
            continue
        known = stretch(x[chosen], y[chosen], field.clusters[chosen], near)
        own = x[chosen][known.known]
        enough = len(np.unique(field.clusters[chosen][known.known])) >= MIN_PUZZLES and np.ptp(own) >= SPAN
        if known.line is not None and enough:
            yield _line(strategy, "guesses", own, known.line) | {
                "shape": field.shape,
                "marked": "yes" if strategy in field.searchers else "",
            }


def over_cells(places: list[Field]) -> Iterator[dict[str, Any]]:
    """How times grow from board to board, as rows of ``SCALING_COLUMNS``; the fields are in order of size."""
    for strategy in dict.fromkeys(name for field in places for name in field.strategies):
        sizes = [_Size(field, strategy) for field in places if strategy in field.strategies]
        solved = [size for size in sizes if np.isfinite(size.hi).any()]
        known = [size for size in sizes if math.isfinite(size.median)]
        if len(known) < 2 or sum(len(size.hi) for size in known) < MIN_PUZZLES:
            continue
        x = np.concatenate([np.full(len(size.hi), math.log(size.cells)) for size in known])
        y = np.concatenate([size.hi for size in known])
        # Clusters are numbered from 0 in each size.
        clusters = np.concatenate([size.clusters + number * len(y) for number, size in enumerate(known)])
        line = median_line(x, y, clusters)
        if line is not None:
            yield _line(strategy, "cells", x, line) | {
                "shape": "",
                "at_least": _at_least(known[-1], sizes),
                "largest_solved": solved[-1].shape,
                "marked": "",
            }


class _Size:
    """One strategy on the boards of one size: bounds of log seconds, as in ``Field``, of what was measured."""

    def __init__(self, field: Field, strategy: str) -> None:
        number = field.strategies.index(strategy)
        there = ~np.isnan(field.lo[number])
        self.shape, self.cells = field.shape, (field.size or 0) ** 2
        self.lo, self.hi = field.lo[number, there], field.hi[number, there]
        self.clusters = field.clusters[there]
        self.median = float(np.median(self.hi)) if there.any() else math.nan


def _at_least(largest: _Size, sizes: list[_Size]) -> float:
    """The least power from the largest size with a known median to the next size, whose median is beyond the limit."""
    beyond = [size for size in sizes if size.cells > largest.cells and math.isinf(size.median)]
    if not beyond:
        return math.nan
    return (float(np.median(beyond[0].lo)) - largest.median) / math.log(beyond[0].cells / largest.cells)


def _line(strategy: str, over: str, x: Floats, line: Slope) -> dict[str, Any]:
    """What a slope on logarithmic scales comes to."""
    powers = [value if math.isfinite(value) else math.nan for value in (line.slope, line.lo, line.hi)]
    return {
        "strategy": strategy,
        "over": over,
        "n_puzzles": len(x),
        "from": math.exp(x.min()),
        "to": math.exp(x.max()),
        **dict(zip(("power", "power_lo", "power_hi"), powers, strict=True)),
        **dict(
            zip(("per_doubling", "per_doubling_lo", "per_doubling_hi"), (2**power for power in powers), strict=True)
        ),
    }


def words(table: pd.DataFrame) -> list[str]:
    """By how much times grow, steepest first, in lines for the terminal; strategies that are marked have a star."""
    lines = []
    for (over, shape), group in table.groupby(["over", "shape"], sort=False):
        told = group.sort_values("power", ascending=False, kind="stable").head(TOLD).to_dict("records")
        each = [
            f"{line['strategy']}{'*' if line['marked'] else ''} ×{line['per_doubling']:.2f}"
            f" [{line['per_doubling_lo']:.2f}, {line['per_doubling_hi']:.2f}]"
            for line in told
        ]
        more = f", and {len(group) - TOLD} more" if len(group) > TOLD else ""
        start = f"When {over} double{f' ({shape})' if shape else ''}, times grow: "
        text = start + ", ".join(each) + more
        lines += textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return lines
