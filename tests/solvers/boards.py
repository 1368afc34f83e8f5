"""Puzzles of 4×4 boards of every layout, with clues or pencilmarks, and their numbers of solutions."""

from __future__ import annotations

import random
from functools import cache

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from tests.datasets.all_grids import FURTHER, grids


@cache
def cases(layout: str, pencilmarks: bool) -> list[tuple[Puzzle, int]]:
    """Puzzles of 4×4 boards, each with its number of solutions by enumeration: one, several, none."""
    shape, every, rng = Shape.of_size(4, layout), grids(FURTHER[layout]), random.Random(len(layout))
    found: dict[int, Puzzle] = {}
    while len(found) < 3:
        solution = rng.choice(every)
        if pencilmarks:
            share = rng.uniform(0.3, 0.7)
            masks = [sum(1 << v for v in range(4) if v + 1 == value or rng.random() < share) for value in solution]
            if 0 not in found and rng.random() < 0.3:
                masks[rng.randrange(16)] &= ~(1 << solution[0] - 1)
        else:
            masks = [1 << value - 1 if rng.random() < 0.4 else 15 for value in solution]
            masks[0] = rng.choice([15, masks[0], 1, 2])
        number = sum(all(mask >> v - 1 & 1 for mask, v in zip(masks, grid, strict=True)) for grid in every)
        puzzle = Puzzle.of_candidates(shape, masks)
        if number in (0, 1, 2) and puzzle.shape.pencilmarks == pencilmarks:
            found.setdefault(number, puzzle)
    if pencilmarks:
        found[-1] = Puzzle.of_candidates(shape, [0, *[15] * 15])
    return [(puzzle, max(0, number)) for number, puzzle in found.items()]
