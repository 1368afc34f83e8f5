"""An encoding of the rules of Sudoku for one shape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import Clause, Table
from sudoku_bench.solvers.sat.encodings.cell_codes import CellCode, Readout
from sudoku_bench.solvers.sat.encodings.parts import Part


@dataclass(frozen=True)
class Size:
    """The size of an encoding or a formula, duplicates counted.

    ``literals`` are those of the clauses; ``at_mosts`` are constraints that a solver takes natively.
    """

    variables: int
    clauses: int
    literals: int
    at_mosts: int = 0


@dataclass(frozen=True, eq=False)
class Encoding:
    """The rules of Sudoku for one shape, without clues.

    Attributes:
        name: as in ``complete+product``.
        code: the meaning of the variables of the cells; these come first, from 1 on.
        parts: the clauses, as patterns applied to tables.
        at_mosts: rows of literals of which at most one is true, where no clauses say so (``native``).
        notes: the meaning of auxiliary variables that belong to several parts.
    """

    name: str
    shape: Shape
    code: CellCode
    parts: tuple[Part, ...]
    at_mosts: Table | None = None
    notes: tuple[str, ...] = ()

    @property
    def cell_variables(self) -> int:
        """The variables 1 .. this belong to cells; those above are auxiliary."""
        return self.shape.n_cells * self.code.width

    @property
    def size(self) -> Size:
        """Exact, from tables and patterns; no clause is generated."""
        return Size(
            variables=self.parts[-1].next - 1,
            clauses=sum(part.n_clauses for part in self.parts),
            literals=sum(part.n_literals for part in self.parts),
            at_mosts=0 if self.at_mosts is None else len(self.at_mosts),
        )

    @property
    def remarks(self) -> list[str]:
        """The meaning of the auxiliary variables, in lines."""
        of_parts = [
            f"x{p.first} to x{p.next - 1}: auxiliary, {p.auxiliary} for each constraint in order, for {p.meaning}"
            for p in self.parts
            if p.auxiliary
        ]
        return [*self.notes, *of_parts]

    def clauses(self) -> list[Clause]:
        """All clauses as lists of Python integers, part by part."""
        return [clause for part in self.parts for clause in part.clauses()]

    def at_most_ones(self) -> list[Clause]:
        return [] if self.at_mosts is None else self.at_mosts

    def value_literals(self, cell: int, value: int) -> Clause:
        """The literals that together state that the cell (0 .. N²-1) has the value (1 .. N); none is auxiliary."""
        return self.code.literals(cell, value)

    @cached_property
    def readout(self) -> Readout:
        adds = tuple((cell, weight) for cell in range(self.shape.n_cells) for weight in self.code.weights)
        return Readout((self.code.base,) * self.shape.n_cells, adds, self.code.one_hot)

    def decode(self, model: Iterable[int]) -> list[int]:
        """The N² cells of a model, given as literals in any order."""
        return self.readout.cells(model)
