"""The state of a board with pencil marks, and what one step does to it.

Digits are numbered from 0 inside, candidates and places are bit masks. A filled cell has no candidates, and its digit
has no places in its units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sudoku_bench.datasets import naming
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

Candidate = tuple[int, int]  # a cell, and a digit from 1


@dataclass(frozen=True)
class Step:
    """A step of a solution. Cells are numbered row by row from 0, digits from 1.

    Attributes:
        rating: on the explainer scale; 0.0 for a guess, which has none.
        technique: its name.
        placed: the cell that it fills, and the digit; None if it only eliminates.
        eliminated: the candidates that it eliminates; empty if it fills a cell.
        because: the cells that show why.
        reason: why, as a sentence.
    """

    rating: float
    technique: str
    placed: Candidate | None
    eliminated: tuple[Candidate, ...]
    because: tuple[int, ...]
    reason: str


class Board:
    """A board during its solution.

    Attributes:
        values: the digit of each cell, 0 where it is open.
        candidates: the candidates of each cell, as a mask.
        spots: for each unit and digit, the places that are left, as a mask.
        homes: the units of each cell (on ordinary boards row, column, box) and its place in each of them.
        crossings: for each unit, those that share cells with it, and its places that are shared, as a mask.
        lines, boxes: numbers of the units that hold each digit: rows and columns, and all others of N cells.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        shape = self.shape = puzzle.shape
        self.size, self.units, self.peers = shape.size, shape.units, shape.peers
        self.homes, self.crossings = tables(shape)
        full = (1 << shape.size) - 1
        self.values = [0] * shape.n_cells
        self.candidates = [full] * shape.n_cells
        self.spots = [[full] * shape.size for _ in self.units]
        self.lines = range(2 * shape.size)
        self.boxes = [unit for unit in range(2 * shape.size, len(self.units)) if len(self.units[unit]) == shape.size]
        for cell, digit in enumerate(puzzle.cells):
            if digit:
                self.fill(cell, digit - 1)
        for cell, digit in puzzle.forbidden:
            self.eliminate(cell, digit - 1)

    def fill(self, cell: int, digit: int) -> None:
        """Fill a cell and eliminate the digit from its peers."""
        self.values[cell] = digit + 1
        for other in range(self.size):
            self.eliminate(cell, other)
        for peer in self.peers[cell]:
            self.eliminate(peer, digit)

    def eliminate(self, cell: int, digit: int) -> None:
        """Eliminate a candidate."""
        self.candidates[cell] &= ~(1 << digit)
        for unit, place in self.homes[cell]:
            self.spots[unit][digit] &= ~(1 << place)

    def apply(self, step: Step) -> None:
        """Do what a step does."""
        if step.placed:
            self.fill(step.placed[0], step.placed[1] - 1)
        for cell, digit in step.eliminated:
            self.eliminate(cell, digit - 1)

    def cells_at(self, unit: int, places: int) -> tuple[int, ...]:
        """Return the cells of a unit at these places."""
        return tuple(self.units[unit][place] for place in bits(places))

    def sees(self, one: int, other: int) -> bool:
        """Return whether two different cells share a unit."""
        return other in self.peers[one]

    def cell_name(self, cell: int) -> str:
        """Name a cell by row and column: ``r1c5``."""
        return naming.cell_name(self.shape, cell)

    def unit_name(self, unit: int) -> str:
        """Name a unit: ``row 3``."""
        return naming.unit_name(self.shape, unit)

    def digit_name(self, digit: int) -> str:
        """Name a digit, numbered from 0, by its symbol."""
        return self.shape.symbols[digit]


@lru_cache(maxsize=16)
def tables(shape: Shape) -> tuple[Sequence[Sequence[tuple[int, int]]], Sequence[Mapping[int, int]]]:
    """Return homes and crossings of a board."""
    homes: list[list[tuple[int, int]]] = [[] for _ in range(shape.n_cells)]
    crossings: list[dict[int, int]] = [{} for _ in shape.units]
    for unit, cells in enumerate(shape.units):
        for place, cell in enumerate(cells):
            homes[cell].append((unit, place))
    for crossed in homes:
        for unit, place in crossed:
            for other, _ in crossed:
                if other != unit:
                    crossings[unit][other] = crossings[unit].get(other, 0) | 1 << place
    return homes, [dict(sorted(of_unit.items())) for of_unit in crossings]


def bits(mask: int) -> list[int]:
    """Return the positions of the bits of a mask, the lowest first."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def is_single(mask: int) -> bool:
    """Return whether a mask has exactly one bit."""
    return mask != 0 and mask & (mask - 1) == 0
