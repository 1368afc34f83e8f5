"""What encodings are made of: a pattern of clauses laid over many rows of literals.

All rules of Sudoku are repetitions, so an encoding is a handful of parts, and a part is a table and a pattern: its
size is known without its clauses, which are made when they are asked for. All in plain lists: a solver takes its
clauses as Python's own integers anyway, and importing NumPy would cost more than making them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Clause = list[int]
Pattern = list[Clause]
Table = list[list[int]]


@dataclass(frozen=True, eq=False)
class Part:
    """The same clauses for each row of a table.

    Attributes:
        says: in words, for people.
        table: k rows of m literals.
        pattern: clauses over 1 .. m (the columns of the table) and m+1 .. m+a (auxiliary variables).
        first: the first auxiliary variable; each row has a of its own, row by row.
        remake: the pattern for another number of literals, where the literals of a row are values of one cell, or
            places of a value in one unit, so that one that is true makes all others false.
    """

    says: str
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
        """The first variable that is free after this part."""
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
        made: list[Clause] = []
        for row in self.table:
            made += lay(self.pattern, row, range(first, first + step))
            first += step
        return made


def auxiliary(pattern: Pattern, width: int) -> int:
    """How many variables a pattern needs beside its 1 .. ``width``."""
    highest = max((abs(literal) for clause in pattern for literal in clause), default=0)
    return max(0, highest - width)


def lay(pattern: Pattern, row: Sequence[int], own: Sequence[int]) -> list[Clause]:
    """The clauses of a pattern over the literals of a row, and auxiliary variables of their own."""
    literals = [*row, *own]
    signed = [0, *literals, *(-x for x in reversed(literals))]  # -k counts from the end: the k-th literal negated
    return [[signed[x] for x in clause] for clause in pattern]


def side_by_side(pattern_a: Sequence[int], pattern_b: Sequence[int], width: int) -> Clause:
    """A clause over two neighbours: the second's literals are numbered from ``width`` + 1 on."""
    return [*pattern_a, *(x + width if x > 0 else x - width for x in pattern_b)]
