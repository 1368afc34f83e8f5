"""The rules of Sudoku over the variables of an encoding, and what is said of clauses and grids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_bench.solvers.sat.amo import Clause
from sudoku_bench.solvers.sat.encodings.encoding import Encoding

if TYPE_CHECKING:
    from sudoku_bench.datasets.shape import Shape


class Violation(Exception):
    """A model that is no grid, or a grid that is no model."""


class Group(NamedTuple):
    """Literals of which one is true, and what they are, such as "5 in row 3"."""

    name: str
    literals: list[int]

    def clauses(self, is_least: bool) -> Iterator[Clause]:
        """At least one of the literals is true, or at most one."""
        yield from [self.literals] if is_least else ([-a, -b] for a, b in combinations(self.literals, 2))


class Family(NamedTuple):
    """Groups of one kind.

    Attributes:
        is_full: exactly one literal of each group is true; at most one otherwise.
    """

    groups: list[Group]
    is_full: bool = True


class Rules:
    """The rules of Sudoku over ``y``: variables that are true if a cell has a value, defined by the encoding's own."""

    def __init__(self, encoding: Encoding) -> None:
        shape = self.shape = encoding.shape
        self.encoding = encoding
        pairs = ([-a, -b] for row in encoding.at_most_ones() for a, b in combinations(row, 2))
        self.clauses = [*encoding.clauses(), *pairs]
        self.definitions: list[Clause] = []
        self.free = encoding.size.variables
        self.y = [
            [self._defined(encoding.value_literals(cell, value)) for value in range(1, shape.size + 1)]
            for cell in range(shape.n_cells)
        ]
        self.families = tuple(self._families())

    def _defined(self, literals: Clause) -> int:
        if len(literals) == 1:
            return literals[0]
        self.free += 1
        self.definitions += [*([-self.free, x] for x in literals), [self.free, *(-x for x in literals)]]
        return self.free

    def _families(self) -> Iterator[Family]:
        shape, y = self.shape, self.y
        yield Family([Group(f"value in {cell_name(shape, cell)}", y[cell]) for cell in range(shape.n_cells)])
        for kind, units in shape.kinds:
            groups = [
                Group(f"{value} in {kind} {number}", [y[cell][value - 1] for cell in unit])
                for number, unit in enumerate(units, start=1)
                for value in range(1, shape.size + 1)
            ]
            yield Family(groups, all(len(unit) == shape.size for unit in units))

    def pairwise(self) -> list[Clause]:
        """All rules as clauses without auxiliary variables."""
        kinds = ((family, is_least) for family in self.families for is_least in (True, False))
        return [
            clause
            for family, is_least in kinds
            if family.is_full or not is_least
            for group in family.groups
            for clause in group.clauses(is_least)
        ]

    def require_grid(self, model: Sequence[int]) -> None:
        """Check the values in a model.

        Raises:
            Violation: it breaks a rule.
        """
        true = set(model)
        for groups, is_full in self.families:
            for group in groups:
                number = len(true.intersection(group.literals))
                if number > 1 or number < is_full:
                    what = f"{'more than one' if number else 'no'} {group.name}"
                    raise Violation(f"{self.shape.name}: the clauses allow {what}: {self.board(model)}")

    def board(self, model: Sequence[int]) -> str:
        """The values of each cell that are true in a model, as text: ``.`` for none, ``(12)`` for several."""
        true, symbols = set(model), self.shape.symbols
        cells = ["".join(symbol for x, symbol in zip(row, symbols, strict=True) if x in true) or "." for row in self.y]
        return "".join(text if len(text) == 1 else f"({text})" for text in cells)

    def excluded(self, reason: Sequence[int], model: Sequence[int], how: str = "({}) follows, which") -> Violation:
        """The fault that literals of a grid contradict the clauses."""
        words = how.format(self.words([-x for x in reason]))
        return Violation(f"{self.shape.name}: {words} excludes the grid {self.board(model)}")

    def words(self, clause: Clause) -> str:
        """A clause with the meaning of its literals where they have one, at most eight of them."""
        meaning = {x: f"{cell_name(self.shape, i)}={v}" for i, row in enumerate(self.y) for v, x in enumerate(row, 1)}
        texts = [meaning.get(x) or (f"not {meaning[-x]}" if -x in meaning else str(x)) for x in clause]
        return " or ".join(texts[:8]) + (f" or {len(texts) - 8} more" if len(texts) > 8 else "")


def cell_name(shape: Shape, cell: int) -> str:
    return f"r{cell // shape.size + 1}c{cell % shape.size + 1}"
