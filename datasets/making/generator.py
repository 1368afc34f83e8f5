"""Making puzzles, for boards of every shape: full grids, puzzles with one solution, with several, with none.

Everything follows from the ``random.Random`` passed in, on every machine. A puzzle is made from the top down: clues of
a random full grid are removed in random order as long as no other solution appears. A search that gives up after
``max_guesses`` counts as another solution, so the clue stays: on large boards a puzzle is then *nearly* minimal, but
its solution is always unique.

What comes out is not a fair sample: full grids are not uniformly distributed (the search places singles as it goes),
and puzzles made from the top down have fewer clues than minimal puzzles have on average (Berthier 2009, *Unbiased
Statistics of a CSP*).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from datasets.difficulty.rating import guesses
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.search import solve
from datasets.shape import Shape

MAX_GUESSES = 1000  # of one search that asks whether a clue is needed
ATTEMPTS = 300  # until an order is said to be out of reach
RATING_ORDERS = 200  # random orders that decide about a tier
MOST_SOLUTIONS = 100  # of a puzzle with several
Cell = tuple[int, int]

SYMMETRIES: dict[str, Callable[[int, int, int], list[Cell]]] = {
    "none": lambda n, r, c: [],
    "rotational": lambda n, r, c: [(n - 1 - r, n - 1 - c)],
    "quarter-turn": lambda n, r, c: [(c, n - 1 - r), (n - 1 - r, n - 1 - c), (n - 1 - c, r)],
    "horizontal": lambda n, r, c: [(n - 1 - r, c)],
    "vertical": lambda n, r, c: [(r, n - 1 - c)],
    "diagonal": lambda n, r, c: [(c, r)],
    "antidiagonal": lambda n, r, c: [(n - 1 - c, n - 1 - r)],
}


@dataclass(frozen=True)
class Tier:
    """A range of mean guesses, both ends included."""

    name: str
    low: float
    high: float

    def holds(self, mean: float | None) -> bool:
        return mean is not None and self.low <= mean <= self.high


TIERS = {
    tier.name: tier
    for tier in (Tier("easy", 0, 0), Tier("medium", 1, 5), Tier("hard", 10, 25), Tier("expert", 50, 100))
}


@dataclass(frozen=True)
class Order:
    """What kind of puzzle is wanted.

    Attributes:
        clues: exactly so many; None: as few as come.
        minimal: no clue can be removed (a symmetry: no group of clues that it maps to each other).
        tier: within its range of mean guesses; None: any.
        symmetry: of the pattern of clues, a name in ``SYMMETRIES``.
        solutions: ``one``, ``several`` or ``none``.
    """

    shape: Shape = Shape(3, 3)
    clues: int | None = None
    minimal: bool = False
    tier: Tier | None = None
    symmetry: str = "none"
    solutions: str = "one"


def generate(order: Order, seed: str) -> Iterator[Puzzle]:
    """Puzzles without end. The ``k``-th depends on the order, the seed and k only.

    Raises:
        InputError: ``ATTEMPTS`` attempts gave no such puzzle.
    """
    number = 0
    while True:
        number += 1
        yield make(order, random.Random(f"sudoku-bench/generate/{seed}/{order.shape.name}/{number}"))


def full_grids(shape: Shape, seed: str) -> Iterator[Puzzle]:
    """Full grids without end."""
    rng = random.Random(f"sudoku-bench/grids/{seed}/{shape.name}")
    while True:
        yield full_grid(shape, rng)


def make(order: Order, rng: random.Random) -> Puzzle:
    """One puzzle as ordered.

    Raises:
        InputError: ``ATTEMPTS`` attempts gave no such puzzle.
    """
    for _ in range(ATTEMPTS):
        grid = full_grid(order.shape, rng)
        puzzle = _attempt(order, grid, rng)
        if puzzle is not None and _fills(order, puzzle, rng):
            return puzzle
    raise InputError(
        f"no such {order.shape.name} puzzle in {ATTEMPTS} attempts; ask for less: another number of clues, another "
        "tier, no symmetry, or another seed"
    )


def _attempt(order: Order, grid: Puzzle, rng: random.Random) -> Puzzle | None:
    if order.solutions == "several":
        return several(strip(grid, rng, symmetry=order.symmetry), rng)
    if order.solutions == "none":
        return contradictory(strip(grid, rng, order.clues or 0, order.symmetry), grid.cells, rng)
    wanted = 0 if order.minimal else order.clues or 0
    if order.tier and order.clues is None and not order.minimal and order.shape != Shape(3, 3):
        wanted = rng.randrange(order.shape.n_cells // 2)  # where minimal puzzles are too hard, others may do
    return strip(grid, rng, wanted, order.symmetry)


def _fills(order: Order, puzzle: Puzzle, rng: random.Random) -> bool:
    if order.clues is not None and puzzle.clues != order.clues:
        return False
    if order.tier is None:
        return True
    enough = max(10_000, int(100 * order.tier.high))
    for orders in (10, RATING_ORDERS):  # few orders tell what is far off
        slack = 2 if orders == 10 else 1
        mean = guesses(puzzle, rng.getrandbits(63), orders, enough).mean
        if mean is None or not order.tier.low / slack <= mean <= order.tier.high * slack:
            return False
    return True


def full_grid(shape: Shape, rng: random.Random) -> Puzzle:
    """A random full grid."""
    empty = Puzzle(shape, (0,) * shape.n_cells)
    while True:
        found = solve(empty, limit=1, seed=rng.getrandbits(63), max_guesses=20 * shape.n_cells)
        if found.solutions:
            return Puzzle(shape, found.solutions[0])


def strip(
    grid: Puzzle, rng: random.Random, clues: int = 0, symmetry: str = "none", max_guesses: int = MAX_GUESSES
) -> Puzzle:
    """Remove clues of a full grid in random order while the solution stays unique, down to ``clues`` at least.

    With a symmetry, cells that it maps to each other are removed together or not at all.
    """
    cells = list(grid.cells)
    left = len(cells)
    groups = list(_groups(grid.shape.size, symmetry))
    rng.shuffle(groups)
    for group in groups:
        if left - len(group) < clues:
            continue
        for cell in group:
            cells[cell] = 0
        if any(is_needed(Puzzle(grid.shape, tuple(cells)), grid.cells, cell, max_guesses) for cell in group):
            for cell in group:
                cells[cell] = grid.cells[cell]
        else:
            left -= len(group)
    return Puzzle(grid.shape, tuple(cells))


def is_needed(puzzle: Puzzle, solution: Sequence[int], cell: int, max_guesses: int = MAX_GUESSES) -> bool:
    """Whether an empty cell can have another value than in the solution, or a search for that gave up."""
    size = puzzle.shape.size
    near = {puzzle.cells[peer] for peer in puzzle.shape.peers[cell]}
    for value in range(1, size + 1):
        if value == solution[cell] or value in near:
            continue
        other = Puzzle(puzzle.shape, (*puzzle.cells[:cell], value, *puzzle.cells[cell + 1 :]))
        found = solve(other, limit=1, max_guesses=max_guesses)
        if found.solutions or not found.complete:
            return True
    return False


def redundant(puzzle: Puzzle, max_guesses: int = MAX_GUESSES) -> list[int]:
    """The clues (cell numbers) of a puzzle with one solution that could be removed, each by itself.

    On large boards a clue is taken for needed where a search for another solution gives up. 9×9 boards, where none
    has to, have a kernel of their own.
    """
    solution = solve(puzzle, limit=1).solutions[0]
    clues = [cell for cell, value in enumerate(puzzle.cells) if value]
    if puzzle.shape == Shape(3, 3):
        import numpy as np

        from datasets.making.bands import redundant_clues

        grid, given = np.array(solution, dtype=np.int64), np.array(puzzle.cells, dtype=np.int64) > 0
        return [int(cell) for cell in np.flatnonzero(redundant_clues(grid, given))]
    return [cell for cell in clues if not is_needed(_without(puzzle, cell), solution, cell, max_guesses)]


def _without(puzzle: Puzzle, cell: int) -> Puzzle:
    return Puzzle(puzzle.shape, (*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :]))


@lru_cache(maxsize=16)
def _groups(size: int, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """The cells, grouped by what the symmetry maps to each other."""
    found = {}
    for cell in range(size * size):
        images = {cell, *(r * size + c for r, c in SYMMETRIES[symmetry](size, *divmod(cell, size)))}
        found[min(images)] = tuple(sorted(images))
    return tuple(found.values())


def several(puzzle: Puzzle, rng: random.Random) -> Puzzle | None:
    """A minimal puzzle without one of its clues: 2 to ``MOST_SOLUTIONS`` solutions; None if there are more, or if a
    search for them gives up."""
    clue = rng.choice([cell for cell, value in enumerate(puzzle.cells) if value])
    without = _without(puzzle, clue)
    found = solve(without, limit=MOST_SOLUTIONS + 1, max_guesses=100 * MAX_GUESSES)
    return without if found.complete and 2 <= len(found.solutions) <= MOST_SOLUTIONS else None


def contradictory(puzzle: Puzzle, solution: Sequence[int], rng: random.Random) -> Puzzle | None:
    """A puzzle with one of its clues changed, so that there is no solution although no digit stands twice in a unit.
    None if the change leaves a solution, or a search gives up."""
    cell = rng.choice([cell for cell, value in enumerate(puzzle.cells) if value])
    near = {puzzle.cells[peer] for peer in puzzle.shape.peers[cell]}
    values = [v for v in range(1, puzzle.shape.size + 1) if v != solution[cell] and v not in near]
    if not values:
        return None
    changed = Puzzle(puzzle.shape, (*puzzle.cells[:cell], rng.choice(values), *puzzle.cells[cell + 1 :]))
    found = solve(changed, limit=1, max_guesses=100 * MAX_GUESSES)
    return changed if found.complete and not found.solutions else None
