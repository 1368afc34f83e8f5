"""What encodings are made of: a pattern of clauses laid over many tuples of literals.

All rules of Sudoku are repetitions, so an encoding is a handful of parts, and a part is a table and a pattern: its
size is known without its clauses, which are made when they are asked for, by NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Clause = list[int]
Pattern = list[Clause]
Table = NDArray[np.int32]

LITERALS_AT_ONCE = 1 << 22  # of a part's clauses made at a time: 16 MiB


@dataclass(frozen=True, eq=False)
class Part:
    """The same clauses for each row of a table.

    Attributes:
        says: in words, for people.
        table: k rows of m literals, int32.
        pattern: clauses over 1 .. m (the columns of the table) and m+1 .. m+a (auxiliary variables).
        first: the first auxiliary variable; each row has a of its own, row by row.
        remake: the pattern for another number of literals, where all literals of a row play the same part.
    """

    says: str
    table: Table
    pattern: Pattern
    first: int
    remake: Callable[[int], Pattern] | None = None

    @property
    def auxiliary(self) -> int:
        """a, the number of auxiliary variables of each row."""
        highest = max((abs(literal) for clause in self.pattern for literal in clause), default=0)
        return max(0, highest - int(self.table.shape[1]))

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

    def arrays(self) -> Iterator[Table]:
        """The literals of all clauses: arrays with one row for each row of the table, its clauses end to end."""
        flat = np.array([x for clause in self.pattern for x in clause], dtype=np.int32)
        columns, signs = np.abs(flat) - 1, np.sign(flat)
        step = max(1, LITERALS_AT_ONCE // max(1, flat.size))
        for start in range(0, len(self.table), step):
            rows = self.table[start : start + step]
            numbers = np.arange(start, start + len(rows), dtype=np.int32)[:, None] * self.auxiliary
            own = self.first + numbers + np.arange(self.auxiliary, dtype=np.int32)
            yield np.concatenate([rows, own.astype(np.int32)], axis=1)[:, columns] * signs

    def clauses(self) -> list[Clause]:
        """All clauses as lists of Python's own integers, row by row in the order of the pattern."""
        spans = list(pairwise(accumulate(map(len, self.pattern), initial=0)))
        return [row[a:b] for rows in self.arrays() for row in rows.tolist() for a, b in spans]

    def widths(self) -> NDArray[np.int64]:
        """The number of literals of each clause, in the order of ``clauses``."""
        return np.tile(np.array([len(clause) for clause in self.pattern], dtype=np.int64), len(self.table))


def part(says: str, table: Any, first: int, make: Callable[[int], Pattern]) -> Part:
    """A part whose literals all play the same role, so that its pattern can be made for fewer of them."""
    rows = np.asarray(table, dtype=np.int32)
    return Part(says, rows, make(rows.shape[1]), first, make)


def side_by_side(pattern_a: Sequence[int], pattern_b: Sequence[int], width: int) -> Clause:
    """A clause over two neighbours: the second's literals are numbered from ``width`` + 1 on."""
    return [*pattern_a, *(x + width if x > 0 else x - width for x in pattern_b)]
