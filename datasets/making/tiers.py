"""Tiers: ranges of mean guesses, and puzzles of the hard ones, which random puzzles rarely reach."""

from __future__ import annotations

import random
from dataclasses import dataclass

from sudoku_bench.datasets.difficulty.rating import guesses
from sudoku_bench.datasets.making.mining import NINE, advance, begin
from sudoku_bench.datasets.puzzle import Puzzle

RATING_ORDERS = 200  # random orders that decide whether a puzzle belongs to a tier
CLIMB = 2000  # steps of the climb to a hard puzzle before another grid is tried
LEAST_CLIMBED = 10.0  # mean guesses: tiers from here on are reached by a climb


@dataclass(frozen=True)
class Tier:
    """A range of mean guesses, including both ends."""

    name: str
    low: float
    high: float

    def contains(self, mean: float | None) -> bool:
        """Return whether a mean is known and within the range."""
        return mean is not None and self.low <= mean <= self.high


TIERS = {
    tier.name: tier
    for tier in (Tier("easy", 0, 0), Tier("medium", 1, 5), Tier("hard", 10, 25), Tier("expert", 50, 100))
}


def climbed(tier: Tier, name: str, rng: random.Random) -> Puzzle:
    """Make a minimal 9×9 puzzle of a tier by climbs in guesses (``datasets/making/mining``) from random grids.

    ``name`` is part of the seed of the climbs.
    """
    while True:
        walk = begin(name, rng.getrandbits(32), steps=0, climb=CLIMB, floor=int(tier.low))
        while walk.climbed < 0:
            walk = advance(walk, chunk=CLIMB)
        puzzle = Puzzle(NINE, walk.best_cells)
        if tier.contains(guesses(puzzle, rng.getrandbits(63), RATING_ORDERS).mean):
            return puzzle
