"""Reference implementation of the rules of Sudoku, independent of the package."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from sudoku_bench.datasets import Puzzle, Shape

Cells = tuple[int, ...]

SHAPES = [Shape(1, 2), Shape(1, 3), Shape(2, 1), Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4), Shape(3, 3)]
SHAPES += [Shape(2, 5), Shape(3, 4), Shape(4, 3), Shape(4, 4), Shape(5, 5)]

# The puzzles that the starting documents print, with their solutions (printed there or computed by other programs).
PRINTED = {
    "000a": (
        ".73...8....413..5..85..631.5...9..3...8.1.5...1..6...7.516..28..4..529....2...64.",
        "173529864694138752285476319567294138428713596319865427951647283846352971732981645",
    ),
    "000b": (
        "6..3.2....5.....1..........7.26............543.........8.15........4.2........7..",
        "614382579953764812827591436742635198168279354395418627286157943579843261431926785",
    ),
    "000c": (
        "38.6.......9.......2..3.51......5....3..1..6....4......17.5..8.......9.......7.32",
        "385621497179584326426739518762395841534812769891476253917253684243168975658947132",
    ),
    "001": (
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        "812753649943682175675491283154237896369845721287169534521974368438526917796318452",
    ),
    "002": (
        ".2..3.9.7.1.......4.7...2.8..52...9....18.7...4...3.......6..71.7.......9.3.2.6.5",
        "628534917519872436437916258865247193392185764741693582254369871176458329983721645",
    ),
    "004": (
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
        "417369825632158947958724316825437169791586432346912758289643571573291684164875293",
    ),
}

shapes = st.sampled_from(SHAPES)
small_shapes = st.sampled_from([Shape(2, 2), Shape(2, 3), Shape(3, 2)])
seeds = st.integers(0, 2**32)


def board(text: str) -> Puzzle:
    """A puzzle with at most nine digits, from its text."""
    return Puzzle(Shape.of_size(math.isqrt(len(text))), tuple(int(c) if c.isdigit() else 0 for c in text))


def empty(shape: Shape) -> Puzzle:
    return Puzzle(shape, (0,) * shape.n_cells)


def any_cells(shape: Shape, seed: int) -> Cells:
    """Random cells, some empty, some clashing."""
    rng = random.Random(seed)
    filled = rng.random()
    return tuple(rng.randint(1, shape.size) if rng.random() < filled else 0 for _ in range(shape.n_cells))


def full_grid(shape: Shape, seed: int) -> Cells:
    """A completed grid: each row is the one above shifted by a box, and each band is shifted by one more cell."""
    n = shape.size
    digits = random.Random(seed).sample(range(1, n + 1), n)
    moves = [r % shape.box_rows * shape.box_cols + r // shape.box_rows for r in range(n)]
    return tuple(digits[(c + move) % n] for move in moves for c in range(n))


def clue_set(shape: Shape, seed: int) -> Puzzle:
    """Some cells of a completed grid, sometimes with one cell changed, so that there may be no solution."""
    rng = random.Random(seed)
    grid = full_grid(shape, seed)
    clue_cells = set(rng.sample(range(shape.n_cells), rng.randint(shape.n_cells // 4, shape.n_cells)))
    cells = [v if c in clue_cells else 0 for c, v in enumerate(grid)]
    if rng.random() < 0.3:
        cells[rng.randrange(shape.n_cells)] = rng.randint(1, shape.size)
    return Puzzle(shape, tuple(cells))


def units(shape: Shape) -> Iterator[list[int]]:
    n, height, width = shape.size, shape.box_rows, shape.box_cols
    for i in range(n):
        yield [n * i + k for k in range(n)]
        yield [n * k + i for k in range(n)]
    for top in range(0, n, height):
        for left in range(0, n, width):
            yield [n * (top + r) + left + c for r in range(height) for c in range(width)]


def is_solution(puzzle: Puzzle, cells: Sequence[int]) -> bool:
    digits = list(range(1, puzzle.shape.size + 1))
    return (
        len(cells) == puzzle.shape.n_cells
        and all(clue in (0, value) for clue, value in zip(puzzle.cells, cells, strict=True))
        and all(sorted(cells[c] for c in unit) == digits for unit in units(puzzle.shape))
    )


def all_solutions(puzzle: Puzzle) -> Iterator[Cells]:
    """All solutions by brute force: try each digit that no peer has, in the cell with the fewest such digits."""
    n, height, width = puzzle.shape.size, puzzle.shape.box_rows, puzzle.shape.box_cols

    def sees(a: int, b: int) -> bool:
        (r, c), (s, d) = divmod(a, n), divmod(b, n)
        return r == s or c == d or (r // height == s // height and c // width == d // width)

    near = [[b for b in range(n * n) if b != a and sees(a, b)] for a in range(n * n)]
    cells = list(puzzle.cells)
    if any(cells[a] and cells[a] == cells[b] for a in range(n * n) for b in near[a]):
        return

    def left(cell: int) -> set[int]:
        return set(range(1, n + 1)) - {cells[b] for b in near[cell]}

    def extend() -> Iterator[Cells]:
        if 0 not in cells:
            yield tuple(cells)
            return
        cell = min((c for c in range(n * n) if not cells[c]), key=lambda c: len(left(c)))
        for digit in left(cell):
            cells[cell] = digit
            yield from extend()
        cells[cell] = 0

    yield from extend()
