"""The building blocks of encodings: patterns of clauses, each applied to many rows of literals.

All rules of Sudoku are repetitions, so an encoding consists of a few parts, and a part is a table of literals and a
pattern: the size is known without generating the clauses. Everything is in plain lists, because solvers take clauses as
Python integers anyway, and importing NumPy would take longer than generating the clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import Clause, Pattern, Table
from sudoku_bench.solvers.sat.encodings.cell_codes import CellCode


@dataclass(frozen=True, eq=False)
class Part:
    """The same pattern of clauses for each row of a table.

    Attributes:
        meaning: the constraint in words.
        table: k rows of m literals.
        pattern: clauses over 1 .. m (the columns of the table) and m+1 .. m+a (auxiliary variables).
        first: the first auxiliary variable; each row has its own a variables, row by row.
        remake: generates the pattern for another number of literals. It is given where the literals of a row are the
            values of one cell, or the places of a value in one unit, so that a true one makes all others false.
    """

    meaning: str
    table: Table
    pattern: Pattern
    first: int
    remake: Callable[[int], Pattern] | None = None

    @property
    def auxiliary(self) -> int:
        """a, the number of auxiliary variables of each row."""
        return auxiliary(self.pattern, len(self.table[0]))

    @property
    def next(self) -> int:
        """The first free variable after this part."""
        return self.first + len(self.table) * self.auxiliary

    @property
    def n_clauses(self) -> int:
        return len(self.table) * len(self.pattern)

    @property
    def n_literals(self) -> int:
        return len(self.table) * sum(map(len, self.pattern))

    def clauses(self) -> list[Clause]:
        """All clauses, row by row in the order of the pattern."""
        step, first = self.auxiliary, self.first
        clauses: list[Clause] = []
        for row in self.table:
            clauses += instantiate(self.pattern, row, range(first, first + step))
            first += step
        return clauses


def auxiliary(pattern: Pattern, width: int) -> int:
    """The number of variables that a pattern needs in addition to 1 .. ``width``."""
    highest = max((abs(literal) for clause in pattern for literal in clause), default=0)
    return max(0, highest - width)


def instantiate(pattern: Pattern, row: Sequence[int], auxiliaries: Sequence[int]) -> list[Clause]:
    """The clauses of a pattern over the literals of a row and its auxiliary variables."""
    literals = [*row, *auxiliaries]
    signed = [0, *literals, *(-x for x in reversed(literals))]  # -k counts from the end: the k-th literal negated
    return [[signed[x] for x in clause] for clause in pattern]


def peer_pairs(shape: Shape) -> list[tuple[int, int]]:
    """The P = N²(3N-2n-1)/2 pairs of peers (for boxes of n rows and columns), as cells, the lower first."""
    return [(cell, peer) for cell, peers in enumerate(shape.peers) for peer in peers if cell < peer]


def pair_table(shape: Shape, code: CellCode) -> Table:
    """For each pair of peers the variables of the first cell, then those of the second."""
    table = code.table(shape)
    return [table[a] + table[b] for a, b in peer_pairs(shape)]


def peers_differ(shape: Shape, code: CellCode, first: int) -> Part:
    """For each pair of peers and each value: the two cells do not both have it."""
    pattern = [
        pair_clause(negated, negated, code.width)
        for literals in code.value_literals
        if (negated := [-x for x in literals])
    ]
    return Part("no two peers have the same value", pair_table(shape, code), pattern, first)


def pair_clause(literals_a: Sequence[int], literals_b: Sequence[int], width: int) -> Clause:
    """A clause over two cells: the variables of the second are numbered from ``width`` + 1 on."""
    return [*literals_a, *(x + width if x > 0 else x - width for x in literals_b)]
