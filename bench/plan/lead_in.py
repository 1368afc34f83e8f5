"""The puzzles that lead a strategy in before each measurement: made for each board, so no collection has them.

Up to ``MINIMAL`` rows they are minimal, so that solving them takes the same code as other puzzles: after puzzles
without a guess, the next search of a compiled solver takes half as long again. On larger boards more of the cells are
clues, so that slow strategies, which solve one of them before each measurement, spend little time on it, and so that
they are made within seconds. Each round solves other forms of them, the same for all strategies.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from sudoku_bench.bench.plan import kept
from sudoku_bench.bench.process.solve_request import Solved
from sudoku_bench.datasets.puzzle import Puzzle, puzzles_of
from sudoku_bench.datasets.shape import Shape

PUZZLES = 16  # of each board
MINIMAL = 9  # rows
CLUES = 0.55  # share of the cells of larger boards,
HUGE, CLUES_OF_HUGE = 25, 0.75  # and of those with more rows than that
PENCILMARKS = 0.2  # share of the wrong candidates of open cells that are forbidden, on boards with pencilmarks


def lead_ins(shapes: Sequence[Shape]) -> dict[Shape, tuple[Solved, ...]]:
    """Return the puzzles for boards of each shape, with their solutions. Those that were made before are kept.

    Raises:
        InputError: the layout of a shape has no full grid.
    """
    keys = [f"lead-in {shape.code}" for shape in shapes]
    made = kept.results(keys, lambda place: [[a.cell_bytes.hex(), b.hex()] for a, b in make(shapes[place])])
    solved: dict[Shape, tuple[Solved, ...]] = {}
    for shape, texts in zip(shapes, made, strict=True):
        puzzles = puzzles_of(shape, (bytes.fromhex(cells) for cells, _ in texts))
        solved[shape] = tuple(zip(puzzles, (bytes.fromhex(solution) for _, solution in texts), strict=True))
    return solved


def make(shape: Shape) -> list[Solved]:
    """Make the puzzles of a shape."""
    from sudoku_bench.datasets.making.generator import full_grid, strip

    plain = replace(shape, pencilmarks=False)
    rng = random.Random(f"sudoku-bench/lead-in/{plain.code}")
    share = 0.0 if plain.size <= MINIMAL else CLUES if plain.size <= HUGE else CLUES_OF_HUGE
    solved = []
    for _ in range(PUZZLES):
        grid = full_grid(plain, rng)
        puzzle = strip(grid, rng, round(share * plain.n_cells))
        solved.append((with_pencilmarks(puzzle, grid, rng) if shape.pencilmarks else puzzle, grid.cell_bytes))
    return solved


def with_pencilmarks(puzzle: Puzzle, solution: Puzzle, rng: random.Random) -> Puzzle:
    """Forbid some wrong candidates of a puzzle."""
    masks = list(puzzle.board.candidates)
    wrong = [
        (cell, value)
        for cell, right in enumerate(solution.cells)
        for value in range(1, puzzle.shape.size + 1)
        if value != right and masks[cell].bit_count() > 1
    ]
    for cell, value in rng.sample(wrong, max(1, round(PENCILMARKS * len(wrong)))):
        masks[cell] &= ~(1 << value - 1)
    return Puzzle.of_candidates(puzzle.shape, masks)
