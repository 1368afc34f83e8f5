"""How variables stand for the value of a cell: one for each value, a unary scale, or binary digits.

Each cell has a block of ``width`` variables of its own, cell after cell from variable 1 on. A true variable adds its
weight, so that a value is ``base`` plus the weights of the true ones: the same way back from every code.
"""

from __future__ import annotations

from dataclasses import dataclass

from datasets.shape import Shape
from solvers.sat.amo import bits_for
from solvers.sat.encodings.parts import Clause, Table


@dataclass(frozen=True)
class CellCode:
    """The variables of a cell, and what they say.

    Attributes:
        base, weights: a cell's value is ``base`` plus the weights of its true variables.
        words: for each value 1 .. N the literals over 1 .. ``width`` that together say that a cell has it.
        rows: for each value 1 .. N which of the variables are true.
    """

    base: int
    weights: tuple[int, ...]
    words: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[bool, ...], ...]

    @property
    def width(self) -> int:
        return len(self.weights)

    @property
    def one_hot(self) -> bool:
        """Whether each value has a variable of its own."""
        return all(len(word) == 1 and word[0] > 0 for word in self.words)

    def table(self, shape: Shape) -> Table:
        """The variables of each cell: N² rows of ``width``."""
        return numbered(1, shape.n_cells, self.width)

    def literals(self, cell: int, value: int) -> Clause:
        """Together these say that the cell (0 .. N²-1) has the value (1 .. N)."""
        start = cell * self.width
        return [x + start if x > 0 else x - start for x in self.words[value - 1]]


def numbered(first: int, rows: int, width: int) -> Table:
    """Variables from ``first`` on, row by row."""
    return [list(range(start, start + width)) for start in range(first, first + rows * width, width)]


def direct(n: int) -> CellCode:
    """Variable v of a cell says: it has the value v."""
    values = range(1, n + 1)
    return CellCode(0, tuple(values), tuple((v,) for v in values), tuple(tuple(k == v for k in values) for v in values))


def order(n: int) -> CellCode:
    """Variable k = 1 .. N-1 of a cell says: its value is more than k."""
    values = range(1, n + 1)
    steps = range(1, n)
    words = tuple((*((v - 1,) if v > 1 else ()), *((-v,) if v < n else ())) for v in values)
    return CellCode(1, (1,) * (n - 1), words, tuple(tuple(k < v for k in steps) for v in values))


def log(n: int) -> CellCode:
    """The b = ⌈log₂N⌉ variables of a cell are the binary digits of its value less one, the lowest first."""
    bits = range(bits_for(n))
    rows = tuple(tuple(bool(number >> bit & 1) for bit in bits) for number in range(n))
    words = tuple(tuple(bit + 1 if row[bit] else -bit - 1 for bit in bits) for row in rows)
    return CellCode(1, tuple(1 << bit for bit in bits), words, rows)
