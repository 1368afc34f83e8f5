"""Puzzles of the embedded collections on other boards: ladders from easy to hard, each puzzle made on its own.

- Pencilmarks: minimal puzzles, and such with so many further forbidden candidates. Those are random, so what they tell
  may follow from the others.
- Layouts: the puzzle with most guesses of a pool of random minimal ones.
- Latin squares: uniform ones with holes, balanced and random in turn. The rungs are holes / n^1.55, on which the peak
  of difficulty has the same place for all orders (Achlioptas et al. 2000), with balanced holes 1.7 (Kautz et al. 2001).

Importing this module imports numba.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from sudoku_bench.datasets.difficulty.rating import guesses
from sudoku_bench.datasets.layouts import JIGSAW, LETTERS
from sudoku_bench.datasets.making.generator import PuzzleSpec, make, minimal_pencilmarks
from sudoku_bench.datasets.making.grids import latin_square, with_holes
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape

SURPLUS = (160, 80, 40, 20, 10, 0)  # forbidden candidates beyond a minimal puzzle
POOLS = (1, 4, 16, 64)  # puzzles of which the hardest is taken
RATIOS = (1.4, 1.55, 1.6, 1.65, 1.7, 1.75, 1.8, 2.0)  # holes / n^1.55
EXPONENT = 1.55
EACH, EACH_POOL, EACH_LATIN = 12, 15, 8  # puzzles of a rung: of pencilmarks, of pools, of Latin squares
MAPS = 6  # of regions, in turn
SWAPS = 20_000  # tried for a map
ORDERS = 10  # of the rating that chooses from a pool
GRID_GUESSES = 100_000  # until a map counts as one without a grid

Maker = Callable[[int, random.Random], Puzzle]


def pencilmark(number: int, rng: random.Random) -> Puzzle:
    """Make a 9×9 puzzle of pencilmarks; ``number``, from 1, decides on its rung, as in all functions here."""
    return minimal_pencilmarks(Shape(3, 3), rng, surplus_of(number))


def surplus_of(number: int) -> int:
    """Return how many candidates are forbidden beyond those of a minimal puzzle."""
    return SURPLUS[(number - 1) // EACH]


def on_layout(layout: str) -> Maker:
    """Return the maker of 9×9 puzzles with a layout."""
    return lambda number, rng: _hardest(Shape(3, 3, layout), pool_of(number), rng)


def jigsaw(number: int, rng: random.Random) -> Puzzle:
    """Make a 9×9 puzzle with regions in place of boxes, of one of the ``MAPS``."""
    return _hardest(jigsaw_shape(map_of(number)), pool_of(number), rng)


def pool_of(number: int) -> int:
    """Return the size of the pool that a puzzle is the hardest of."""
    return POOLS[(number - 1) // EACH_POOL]


def map_of(number: int) -> int:
    """Return the number of the map of regions, from 1."""
    return (number - 1) % MAPS + 1


def _hardest(shape: Shape, pool: int, rng: random.Random) -> Puzzle:
    puzzles = [make(PuzzleSpec(shape), rng) for _ in range(pool)]
    return max(puzzles, key=lambda puzzle: guesses(puzzle, 1, ORDERS).mean or 0.0)


@cache
def jigsaw_shape(number: int) -> Shape:
    """Return a 9×9 board with random connected regions that has a grid; maps are not equally likely."""
    rng = random.Random(f"sudoku-bench/jigsaw/map/{number}")
    while True:
        shape = Shape.of_size(9, JIGSAW + "".join(LETTERS[region] for region in random_regions(Shape(3, 3), rng)))
        if solve(Puzzle(shape, [0] * shape.n_cells), limit=1, max_guesses=GRID_GUESSES).solutions:
            return shape


def random_regions(shape: Shape, rng: random.Random) -> list[int]:
    """Return the region of each cell: boxes after random exchanges of two cells that keep all regions connected."""
    cells = range(shape.n_cells)
    regions = [shape.box_of(*divmod(cell, shape.size)) for cell in cells]
    for _ in range(SWAPS):
        a, b = rng.choice(cells), rng.choice(cells)
        regions[a], regions[b] = regions[b], regions[a]
        if not all(_is_connected({c for c in cells if regions[c] == regions[at]}, shape.size) for at in (a, b)):
            regions[a], regions[b] = regions[b], regions[a]
    return regions


def _is_connected(region: set[int], size: int) -> bool:
    left, waiting = set(region), [min(region)]
    while waiting:
        cell = waiting.pop()
        if cell in left:
            left.remove(cell)
            beside = [cell - size, cell + size, *[cell - 1] * (cell % size > 0), *[cell + 1] * (cell % size < size - 1)]
            waiting += [other for other in beside if other in left]
    return not left


def latin(size: int) -> Maker:
    """Return the maker of Latin squares of an order with holes."""

    def make_next(number: int, rng: random.Random) -> Puzzle:
        square, holes = latin_square(size, rng), round(ratio_of(number) * size**EXPONENT)
        return (with_holes if is_balanced(number) else with_random_holes)(square, holes, rng)

    return make_next


def with_random_holes(square: Puzzle, holes: int, rng: random.Random) -> Puzzle:
    """Return a Latin square with this many empty cells, each set of cells with the same probability."""
    cells = list(square.cells)
    for cell in rng.sample(range(len(cells)), holes):
        cells[cell] = 0
    return Puzzle(square.shape, cells)


def ratio_of(number: int) -> float:
    """Return holes / n^1.55 of a Latin square."""
    return RATIOS[(number - 1) // EACH_LATIN]


def is_balanced(number: int) -> bool:
    return number % 2 == 1
