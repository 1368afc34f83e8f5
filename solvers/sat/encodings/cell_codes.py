"""How variables represent the value of a cell (one variable per value, a unary scale, binary digits), and the way back.

Each cell has its own block of ``width`` variables, cell after cell from variable 1 on. A cell's value is ``base`` plus
the weights of its true variables, so that one way of decoding fits every code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import Clause, Table, bits_for


@dataclass(frozen=True)
class CellCode:
    """The variables of a cell and their meaning.

    Attributes:
        base, weights: a cell's value is ``base`` plus the weights of its true variables.
        value_literals: for each value 1 .. N the literals over 1 .. ``width`` that together state it.
        truth: for each value 1 .. N which of the variables are true.
    """

    base: int
    weights: tuple[int, ...]
    value_literals: tuple[tuple[int, ...], ...]
    truth: tuple[tuple[bool, ...], ...]

    @property
    def width(self) -> int:
        return len(self.weights)

    @property
    def one_hot(self) -> bool:
        """Whether each value has a variable of its own."""
        return all(len(literals) == 1 and literals[0] > 0 for literals in self.value_literals)

    def table(self, shape: Shape) -> Table:
        """The variables of each cell: N² rows of ``width``."""
        return numbered(1, shape.n_cells, self.width)

    def literals(self, cell: int, value: int) -> Clause:
        """The literals that together state that the cell (0 .. N²-1) has the value (1 .. N)."""
        start = cell * self.width
        return [x + start if x > 0 else x - start for x in self.value_literals[value - 1]]


def numbered(first: int, rows: int, width: int) -> Table:
    """Consecutive variables from ``first`` on, row by row."""
    return [list(range(start, start + width)) for start in range(first, first + rows * width, width)]


def direct(n: int) -> CellCode:
    """Variable v of a cell states that the cell has the value v."""
    values = range(1, n + 1)
    return CellCode(0, tuple(values), tuple((v,) for v in values), tuple(tuple(k == v for k in values) for v in values))


def order(n: int) -> CellCode:
    """Variable k = 1 .. N-1 of a cell states that the value is greater than k."""
    values = range(1, n + 1)
    steps = range(1, n)
    literals = tuple((*((v - 1,) if v > 1 else ()), *((-v,) if v < n else ())) for v in values)
    return CellCode(1, (1,) * (n - 1), literals, tuple(tuple(k < v for k in steps) for v in values))


def log(n: int) -> CellCode:
    """The b = ⌈log₂N⌉ variables of a cell are the binary digits of its value minus one, the lowest first."""
    bits = range(bits_for(n))
    truth = tuple(tuple(bool(number >> bit & 1) for bit in bits) for number in range(n))
    literals = tuple(tuple(bit + 1 if row[bit] else -bit - 1 for bit in bits) for row in truth)
    return CellCode(1, tuple(1 << bit for bit in bits), literals, truth)


@dataclass(frozen=True)
class Readout:
    """Decodes models: from the variables 1, 2, ... that belong to cells to the values of the cells.

    Attributes:
        base: for each cell its value if none of its variables is true.
        adds: for each variable its cell, and the weight that it adds to the cell's value if it is true.
        one_hot: whether the true variables alone determine the cells.
    """

    base: tuple[int, ...]
    adds: tuple[tuple[int, int], ...]
    one_hot: bool

    def cells(self, model: Iterable[int]) -> list[int]:
        """The N² cells of a model, given as literals in any order; literals of other variables are ignored."""
        cells, adds, last = list(self.base), self.adds, len(self.adds)
        for literal in [literal for literal in model if literal > 0]:  # a few of many
            if literal <= last:
                cell, weight = adds[literal - 1]
                cells[cell] += weight
        return cells

    def other_cells(self, model: Iterable[int]) -> list[int]:
        """A clause that excludes the cells of a model, whatever its auxiliary variables; empty if no cell is open."""
        last = len(self.adds)
        if self.one_hot:
            return [-literal for literal in model if 0 < literal <= last]
        return [-literal for literal in model if -last <= literal <= last]
