"""Isomorphs: the same puzzle with digits relabelled, bands, stacks, rows and columns permuted, or transposed.

On boards with a layout rows and columns move as the layout's units allow (``datasets/symmetries``). Puzzles of Latin
squares also have conjugates: row, column and value of each clue exchange their parts.

A *form* is one concrete isomorph. It depends only on a seed, the grid and the form's number; number 0 is the stored
form. Solving forms instead of the stored grid removes the effect of one presentation, by chance or by tuning.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import isqrt

from sudoku_bench.datasets.layouts import LATIN
from sudoku_bench.datasets.puzzle import Puzzle, puzzles_of
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.symmetries import random_move

IN_TABLE = 256  # cells of a board, or digits, that fit into a table of ``bytes.translate``
CELLS_STAY = (0, 1, 2)
NUMBERS = 2 * bytes(range(IN_TABLE))  # from ``r`` on, a table that adds ``r`` to cell numbers


@dataclass(frozen=True)
class Isomorph:
    """A symmetry of the rules.

    Attributes:
        source: cell ``i`` of the form is cell ``source[i]`` of the original; bytes, unless a board has too many cells.
        relabel: digit ``v`` becomes ``relabel[v]``; ``relabel[0]`` is 0.
        axes: a conjugate: the last step, after which row, column and value are these of the three before it.
    """

    source: Sequence[int]
    relabel: bytes
    axes: tuple[int, ...] = CELLS_STAY

    def apply(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Map the cells of the original (a puzzle or a solution) to those of the form."""
        return tuple(self.apply_to_bytes(bytes(cells)))

    def apply_to_bytes(self, cells: bytes) -> bytes:
        """Map cells, a byte each."""
        relabelled = cells.translate(self.relabel.ljust(IN_TABLE))
        if isinstance(self.source, bytes):  # the cells are the table, and their numbers what is looked up
            moved = self.source.translate(relabelled.ljust(IN_TABLE))
        else:
            moved = bytes([relabelled[i] for i in self.source])
        return moved if self.axes == CELLS_STAY else _conjugate(moved, self.axes)

    def undo(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Map the cells of the form back to those of the original."""
        original_digit = [0] * len(self.relabel)
        for digit, new in enumerate(self.relabel):
            original_digit[new] = digit
        original = [0] * len(cells)
        if self.axes != CELLS_STAY:
            cells = _conjugate(bytes(cells), tuple(map(self.axes.index, CELLS_STAY)))
        for cell, source_cell in enumerate(self.source):
            original[source_cell] = original_digit[cells[cell]]
        return tuple(original)


def isomorph(seed: int, puzzle: Puzzle, number: int) -> Isomorph:
    """Return the symmetry that produces form ``number`` of a puzzle; number 0 is the identity."""
    shape = puzzle.shape
    if number == 0:
        return Isomorph(_cells_in_place(shape), bytes(range(shape.size + 1)))
    # Python specifies seeding from text (SHA-512), so the result is the same on all versions and machines.
    return random_isomorph(shape, random.Random(f"{seed}/{shape.code}/{puzzle.text}/{number}"))


def form(puzzle: Puzzle, symmetry: Isomorph) -> Puzzle:
    """Return the isomorph of a puzzle under a symmetry."""
    if puzzle.shape.pencilmarks:
        masks = puzzle.board.candidates
        new = [sum(1 << new - 1 for v, new in enumerate(symmetry.relabel[1:]) if mask >> v & 1) for mask in masks]
        return Puzzle.of_candidates(puzzle.shape, [new[cell] for cell in symmetry.source])
    cells = symmetry.apply_to_bytes(puzzle.cell_bytes)
    if symmetry.axes != CELLS_STAY and cells.count(0) != puzzle.cell_bytes.count(0):
        # Two clues clash and would be in one cell of the conjugate. There is no solution, in no form.
        cells = replace(symmetry, axes=CELLS_STAY).apply_to_bytes(puzzle.cell_bytes)
    return next(puzzles_of(puzzle.shape, (cells,)))


def random_isomorph(shape: Shape, rng: random.Random) -> Isomorph:
    """Return a random symmetry of the board, each with the same probability.

    These are all that relabel digits, move rows and columns as wholes, and transpose; without boxes or other further
    units also the conjugates, of puzzles whose clues are values.
    """
    n = shape.size
    if shape.layout and (shape.layout != LATIN or shape.pencilmarks):
        move = random_move(shape, rng)
        rows, cols = ([line // 2 for line in move[side::2]] for side in (0, 1))
        is_transposed = move[0] % 2 == 1
    else:
        rows = _shuffled_lines(shape.box_rows, n // shape.box_rows, rng)
        cols = _shuffled_lines(shape.box_cols, n // shape.box_cols, rng)
        is_transposed = shape.box_rows == shape.box_cols and rng.random() < 0.5
    if is_transposed:
        cols = [c * n for c in cols]
    else:
        rows = [r * n for r in rows]
    source: Sequence[int]
    if shape.n_cells <= IN_TABLE:
        line = bytes(cols)
        source = b"".join([line.translate(NUMBERS[r : r + IN_TABLE]) for r in rows])
    else:
        source = [r + c for r in rows for c in cols]
    relabel = bytes([0, *_shuffled(range(1, n + 1), rng)])
    if shape.layout == LATIN and not shape.pencilmarks:
        return Isomorph(source, relabel, rng.choice(list(permutations(CELLS_STAY))))
    return Isomorph(source, relabel)


def _conjugate(cells: Sequence[int], axes: tuple[int, ...]) -> bytes:
    """Return the cells after row, column and value of each clue have changed places."""
    n = isqrt(len(cells))
    conjugate = bytearray(len(cells))
    for cell, value in enumerate(cells):
        if value:
            clue = cell // n, cell % n, value - 1
            conjugate[clue[axes[0]] * n + clue[axes[1]]] = clue[axes[2]] + 1
    return bytes(conjugate)


def _cells_in_place(shape: Shape) -> Sequence[int]:
    """Return the source of a symmetry that moves no cell."""
    cells = range(shape.n_cells)
    return bytes(cells) if shape.n_cells <= IN_TABLE else cells


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
