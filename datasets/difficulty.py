"""How hard is a puzzle for a machine? Mean guesses, the x-axis of the plots.

Search difficulty is the mean number of guesses of a depth-first search that knows only naked and hidden singles,
over random orders (see ``datasets.search``). It predicts the solve times of search-based programs of every kind far
better than the number of clues, which says nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from datasets.puzzle import Puzzle

ORDERS = 30
MAX_GUESSES = 100_000  # per order; beyond that the mean is not known


@dataclass(frozen=True)
class Guesses:
    """Mean guesses and the standard error of that mean; None where a search gave up."""

    mean: float | None
    standard_error: float | None


def guesses(puzzle: Puzzle, seed: int, orders: int = ORDERS, max_guesses: int = MAX_GUESSES) -> Guesses:
    """The search difficulty of a puzzle from ``orders`` >= 2 random orders (30: a standard error of about 12%)."""
    from datasets.search import count_guesses

    counts = count_guesses(puzzle, orders, seed, max_guesses)
    if (counts < 0).any():
        return Guesses(None, None)
    return Guesses(float(counts.mean()), float(counts.std(ddof=1)) / math.sqrt(orders))
