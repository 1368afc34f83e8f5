"""How the puzzles of the data set are made, in chunks that can each be made again alone.

A *chunk* is a recipe and a number; its random numbers depend on both, and on nothing else. Puzzles that come from the
same full grid belong to one *lineage* and are not independent of each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from datasets.bits import random_state
from datasets.difficulty.explainer import explain
from datasets.making.canonical import canonical
from datasets.making.climb import climb
from datasets.making.generator import PuzzleSpec, make, strip
from datasets.making.grids import uniform_grids
from datasets.making.hardest import CDCL, cdcl_start
from datasets.making.vicinity import LEAST_ER, WORK, neighbour
from datasets.puzzle import Puzzle
from datasets.search import solve
from datasets.shape import Shape

NINE = Shape(3, 3)
GRID_STEPS = 50  # of the chain that draws a full grid
MOST_MORE_CLUES = 12
CLIMB_STEPS, CLIMB_EVERY = 2000, 200  # ten puzzles of one lineage
RECENT = 10  # puzzles of a walk among the hardest that a step may begin from

Made = Iterator[tuple[Puzzle, str]]  # puzzles with their lineages


@dataclass(frozen=True)
class Recipe:
    """A way to make puzzles.

    Attributes:
        share: puzzles per 1,000 of the boards of its kind (9×9, or other sizes).
        chunk: puzzles of a chunk.
        make: yields the puzzles of a chunk, given its name (the seed and the lineages' prefix) and random numbers.
    """

    name: str
    shape: Shape
    share: int
    chunk: int
    make: Callable[[str, random.Random], Made]


def made(recipe: Recipe, number: int) -> list[tuple[Puzzle, str]]:
    """Make the puzzles of a chunk."""
    name = f"{recipe.name}-{number}"
    return list(islice(recipe.make(name, random.Random(f"sudoku-bench/dataset/{name}")), recipe.chunk))


def _minimal(name: str, rng: random.Random) -> Made:
    """Minimal puzzles, each from a nearly uniform grid of its own."""
    for number, grid in enumerate(uniform_grids(NINE, rng, GRID_STEPS)):
        yield strip(grid, rng), f"{name}-{number}"


def _more_clues(name: str, rng: random.Random) -> Made:
    """Minimal puzzles with 1 to ``MOST_MORE_CLUES`` more clues."""
    for number, grid in enumerate(uniform_grids(NINE, rng, GRID_STEPS)):
        cells = list(strip(grid, rng).cells)
        empty = [cell for cell, value in enumerate(cells) if not value]
        for cell in rng.sample(empty, rng.randint(1, MOST_MORE_CLUES)):
            cells[cell] = grid.cells[cell]
        yield Puzzle(NINE, tuple(cells)), f"{name}-{number}"


def _climbed(name: str, rng: random.Random) -> Made:
    """Puzzles on walks towards those that look-ahead solves late, ten of each walk."""
    for number, grid in enumerate(uniform_grids(NINE, rng, GRID_STEPS)):
        walk = climb(strip(grid, rng), grid.cells, rng.getrandbits(63), CLIMB_STEPS, CLIMB_EVERY)
        yield from ((puzzle, f"{name}-{number}") for puzzle in walk)


def _near_hardest(name: str, rng: random.Random) -> Made:
    """Puzzles of ER ``LEAST_ER`` or more near a puzzle that look-ahead does not solve, without isomorphs of it."""
    start, state = cdcl_start(), random_state(rng.getrandbits(63))
    path = [(start, solve(start, limit=1).solutions[0])]
    forms = {canonical(start).text}
    while True:
        changed = neighbour(*rng.choice(path[-RECENT:]), state)
        if changed is None or (form := canonical(changed[0]).text) in forms:
            continue
        forms.add(form)
        if explain(changed[0], WORK).er >= LEAST_ER:
            path.append(changed)
            yield changed[0], CDCL


def _of_shape(shape: Shape) -> Callable[[str, random.Random], Made]:
    """Puzzles of another size, (nearly) minimal or with any number of clues up to half of the cells."""

    def generate(name: str, rng: random.Random) -> Made:
        number = 0
        while True:
            number += 1
            clues = rng.choice((0, rng.randrange(shape.n_cells // 2)))
            spec = PuzzleSpec(shape)
            puzzle = make(spec, rng) if not clues else strip(next(uniform_grids(shape, rng, GRID_STEPS)), rng, clues)
            yield puzzle, f"{name}-{number}"

    return generate


NINES = (
    Recipe("9x9-minimal", NINE, 390, 10, _minimal),
    Recipe("9x9-more-clues", NINE, 200, 10, _more_clues),
    Recipe("9x9-climbed", NINE, 400, 10, _climbed),
    Recipe("9x9-near-hardest", NINE, 10, 100, _near_hardest),
)
OTHERS = tuple(
    Recipe(shape.name, shape, share, chunk, _of_shape(shape))
    for shape, share, chunk in (
        (Shape(2, 3), 490, 10),
        (Shape(2, 2), 10, 10),
        (Shape(3, 4), 490, 5),
        (Shape(4, 4), 10, 2),
    )
)
RECIPES = {recipe.name: recipe for recipe in (*NINES, *OTHERS)}
