"""Tiers: ranges of mean guesses, and a climb to hard 9×9 puzzles, which random puzzles rarely reach, compiled.

One step of the climb removes one or two clues of a minimal puzzle. If this allows another solution, that solution
becomes the target in half of the cases. The step then adds clues where a further solution differs from the target until
there is none, and removes the clues that became redundant. It is accepted if its score is at least a share of the
record; the share rises from 70% to 100% ("record-to-record travel": Dueck 1993).

*Winner's curse*: among the candidates that a search selects, a score from few random orders is too high by chance. A
candidate therefore passes three cheap tests, and 120 fresh orders alone decide. The best score of a climb is still
slightly biased upwards, so other orders decide whether its puzzle belongs to a tier.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from sudoku_bench.datasets.bits import RandomState, random_below
from sudoku_bench.datasets.difficulty.rating import guesses
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.making.bands import (
    Flags,
    Words,
    Workspace,
    guesses_sum,
    make_workspace,
    other_solution,
    repair,
    strip,
)
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape

NINE = Shape(3, 3)
RATING_ORDERS = 200  # random orders that decide whether a puzzle belongs to a tier
CLIMB = 2000  # steps of a climb before another grid is tried
LEAST_CLIMBED = 10.0  # mean guesses: tiers from here on are reached by a climb
ORDERS = 120  # fresh random orders that decide about a step
FIRST_SHARE, LAST_SHARE = 700, 1000  # per mille of the record that a step must reach, at the start and at the end
MARGIN = 1.2  # a climb ends at this multiple of the least guesses of its tier


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
    """Make a minimal 9×9 puzzle of a tier by climbs from random grids; ``name`` is part of the seed of the climbs."""
    while True:
        puzzle = climb(f"{name}/{rng.getrandbits(32)}", int(tier.low))
        if tier.contains(guesses(puzzle, rng.getrandbits(63), RATING_ORDERS).mean):
            return puzzle


def climb(seed: str, floor: int) -> Puzzle:
    """Return the hardest puzzle of a climb towards ``MARGIN`` times ``floor`` mean guesses."""
    state = np.array([random.Random(f"sudoku-bench/mine/{seed}").getrandbits(63)], dtype=np.uint64)
    full = solve(Puzzle(NINE, (0,) * NINE.n_cells), limit=1, seed=int(state[0])).solutions[0]
    grid, given = np.array(full, dtype=np.int64), np.ones(NINE.n_cells, dtype=np.bool_)
    strip(grid, given, state, make_workspace(), np.empty_like(grid))
    best = np.zeros_like(grid)
    _climb(grid, given, best, int(MARGIN * floor * ORDERS), state, make_workspace())
    return Puzzle(NINE, best.tolist())


@njit()
def _climb(grid: Words, given: Flags, best: Words, target: int, state: RandomState, workspace: Workspace) -> None:
    """Perform steps up to a puzzle of ``target`` guesses (a sum over the deciding orders); change all arrays.

    ``best`` receives the hardest puzzle, which is never the one at the start.
    """
    start = grid * given
    record, highest = ORDERS, -1
    other, to_grid, to_given = np.empty_like(grid), np.empty_like(grid), np.empty_like(given)
    for step in range(CLIMB):
        if highest >= target:
            break
        threshold = record * (FIRST_SHARE + (LAST_SHARE - FIRST_SHARE) * step // CLIMB) // 1000
        to_grid[:], to_given[:] = grid, given
        _change(to_grid, to_given, state, workspace, other)
        score = _score(to_grid, to_given, threshold, state, workspace)
        if score < threshold:
            continue
        grid[:], given[:] = to_grid, to_given
        record = max(record, score)
        if score > highest and (to_grid * to_given != start).any():
            highest = score
            best[:] = to_grid * to_given


@njit()
def _change(grid: Words, given: Flags, state: RandomState, workspace: Workspace, other: Words) -> None:
    """Perform one step: change the puzzle to a minimal puzzle that shares most of its clues."""
    order = np.flatnonzero(given)
    for k in range(1 + random_below(state, 2)):
        pick = k + random_below(state, order.size - k)
        order[k], order[pick] = order[pick], order[k]
        given[order[k]] = False
    if random_below(state, 2) == 0 and other_solution(grid, given, state, workspace, other):
        grid[:] = other
    repair(grid, given, state, workspace, other)
    strip(grid, given, state, workspace, other)


@njit()
def _score(grid: Words, given: Flags, threshold: int, state: RandomState, workspace: Workspace) -> int:
    """Return the guesses, summed over the deciding orders; -1 if they are clearly below the threshold."""
    total, orders = 0, 0
    for more, share in ((2, 45), (8, 70), (30, 85)):
        total += guesses_sum(grid, given, more, state, workspace)
        orders += more
        if 100 * ORDERS * total < share * orders * threshold:
            return -1
    return int(guesses_sum(grid, given, ORDERS, state, workspace))
