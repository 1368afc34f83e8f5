"""Isomorphs: the same puzzle with digits relabelled, bands, stacks, rows and columns permuted, or transposed.

A *form* is one concrete isomorph. It depends only on a seed, the grid and the form's number; number 0 is the stored
form. Solving forms instead of the stored grid removes the effect of one presentation, by chance or by tuning.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from datasets.puzzle import Puzzle, puzzles_of
from datasets.shape import Shape

IN_TABLE = 256  # cells of a board, or digits, that fit into a table of ``bytes.translate``
NUMBERS = 2 * bytes(range(IN_TABLE))  # from ``r`` on, a table that adds ``r`` to cell numbers


@dataclass(frozen=True)
class Isomorph:
    """A symmetry of the rules.

    Attributes:
        source: cell ``i`` of the form is cell ``source[i]`` of the original; bytes, unless a board has too many cells.
        relabel: digit ``v`` becomes ``relabel[v]``; ``relabel[0]`` is 0.
    """

    source: Sequence[int]
    relabel: bytes

    def apply(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Map the cells of the original (a puzzle or a solution) to those of the form."""
        return tuple(self.apply_to_bytes(bytes(cells)))

    def apply_to_bytes(self, cells: bytes) -> bytes:
        """Map cells, a byte each."""
        relabelled = cells.translate(self.relabel.ljust(IN_TABLE))
        if isinstance(self.source, bytes):  # the cells are the table, and their numbers what is looked up
            return self.source.translate(relabelled.ljust(IN_TABLE))
        return bytes([relabelled[i] for i in self.source])

    def undo(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Map the cells of the form back to those of the original."""
        original_digit = [0] * len(self.relabel)
        for digit, new in enumerate(self.relabel):
            original_digit[new] = digit
        original = [0] * len(cells)
        for cell, source_cell in enumerate(self.source):
            original[source_cell] = original_digit[cells[cell]]
        return tuple(original)


def isomorph(seed: int, puzzle: Puzzle, number: int) -> Isomorph:
    """Return the symmetry that produces form ``number`` of a puzzle; number 0 is the identity."""
    shape = puzzle.shape
    if number == 0:
        cells = range(shape.n_cells)
        return Isomorph(bytes(cells) if shape.n_cells <= IN_TABLE else cells, bytes(range(shape.size + 1)))
    # Python specifies seeding from text (SHA-512), so the result is the same on all versions and machines.
    return random_isomorph(shape, random.Random(f"{seed}/{shape.box_rows}x{shape.box_cols}/{puzzle.text}/{number}"))


def form(puzzle: Puzzle, symmetry: Isomorph) -> Puzzle:
    """Return the isomorph of a puzzle under a symmetry."""
    return next(puzzles_of(puzzle.shape, (symmetry.apply_to_bytes(puzzle.cell_bytes),)))


def random_isomorph(shape: Shape, rng: random.Random) -> Isomorph:
    """Return a uniformly random symmetry. Only boards with square boxes are transposed."""
    n = shape.size
    rows = _shuffled_lines(shape.box_rows, n // shape.box_rows, rng)
    cols = _shuffled_lines(shape.box_cols, n // shape.box_cols, rng)
    if shape.box_rows == shape.box_cols and rng.random() < 0.5:
        cols = [c * n for c in cols]
    else:
        rows = [r * n for r in rows]
    source: Sequence[int]
    if shape.n_cells <= IN_TABLE:
        line = bytes(cols)
        source = b"".join([line.translate(NUMBERS[r : r + IN_TABLE]) for r in rows])
    else:
        source = [r + c for r in rows for c in cols]
    return Isomorph(source, bytes([0, *_shuffled(range(1, n + 1), rng)]))


def _shuffled_lines(width: int, groups: int, rng: random.Random) -> list[int]:
    """Return the rows or columns 0 .. width·groups-1, shuffled as groups (bands or stacks) and within each group."""
    lines = []
    for group in _shuffled(range(groups), rng):
        lines += _shuffled(range(group * width, group * width + width), rng)
    return lines


def _shuffled(numbers: range, rng: random.Random) -> list[int]:
    """Return numbers in the order in which ``Random.shuffle`` leaves them, in a third of its time."""
    order, draw = list(numbers), rng.getrandbits
    for last in range(len(order) - 1, 0, -1):
        bits = (last + 1).bit_length()
        place = draw(bits)
        while place > last:
            place = draw(bits)
        order[last], order[place] = order[place], order[last]
    return order
