"""The rules of Sudoku as clauses: CNF encodings as pure functions from a shape.

Variable (r-1)·N² + (c-1)·N + v, from 1 to N³, says that the cell in row r, column c holds v. At most one of several is
said pair by pair. Names and counts: docs/encodings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from datasets.shape import Shape

Clause = list[int]


@dataclass(frozen=True)
class Size:
    """How big an encoding is for one shape: rules only, duplicates counted."""

    variables: int
    clauses: int
    literals: int


def variable(shape: Shape, cell: int, value: int) -> int:
    """The variable that says: this cell (0 .. N²-1) holds this value (1 .. N)."""
    return cell * shape.size + value


def at_least_one(literals: Sequence[int]) -> Iterator[Clause]:
    yield list(literals)


def at_most_one(literals: Sequence[int]) -> Iterator[Clause]:
    """Pairwise (also: binomial, naive): no two together."""
    for a, b in combinations(literals, 2):
        yield [-a, -b]


def exactly_one(literals: Sequence[int]) -> Iterator[Clause]:
    yield from at_least_one(literals)
    yield from at_most_one(literals)


def minimal(shape: Shape) -> list[Clause]:
    """Each cell holds at least one value, no value stands twice in a unit (Lynce & Ouaknine 2006, "Sudoku as a SAT
    problem", there called minimal)."""
    return _rules(shape, cells=at_least_one, units=at_most_one)


def natural(shape: Shape) -> list[Clause]:
    """``minimal``, and each cell holds at most one value (Kwon & Jain 2006, "Optimized CNF encoding for Sudoku
    puzzles", there called efficient)."""
    return _rules(shape, cells=exactly_one, units=at_most_one)


def complete(shape: Shape) -> list[Clause]:
    """Exactly one everywhere: values per cell, and places per value and unit (Lynce & Ouaknine 2006, there called
    extended)."""
    return _rules(shape, cells=exactly_one, units=exactly_one)


ENCODINGS: dict[str, Callable[[Shape], list[Clause]]] = {
    "minimal": minimal,
    "natural": natural,
    "complete": complete,
}


def size(clauses: Sequence[Clause]) -> Size:
    """Exact numbers of variables, clauses and literals."""
    return Size(
        variables=max(abs(literal) for clause in clauses for literal in clause),
        clauses=len(clauses),
        literals=sum(map(len, clauses)),
    )


def clue_units(shape: Shape, cells: Sequence[int]) -> list[Clause]:
    """A unit clause for each clue."""
    return [[variable(shape, cell, value)] for cell, value in enumerate(cells) if value]


def solution_of(shape: Shape, model: Sequence[int]) -> list[int]:
    """The cells of a model (its literals, the cell variables among them; 0 where a cell has no true variable)."""
    cells = [0] * shape.n_cells
    last = shape.n_cells * shape.size
    for literal in model:
        if 0 < literal <= last:
            cell, value = divmod(literal - 1, shape.size)
            cells[cell] = value + 1
    return cells


def _rules(
    shape: Shape,
    cells: Callable[[Sequence[int]], Iterator[Clause]],
    units: Callable[[Sequence[int]], Iterator[Clause]],
) -> list[Clause]:
    values = range(1, shape.size + 1)
    clauses: list[Clause] = []
    for cell in range(shape.n_cells):
        clauses += cells([variable(shape, cell, value) for value in values])
    for unit in shape.units:
        for value in values:
            clauses += units([variable(shape, cell, value) for cell in unit])
    return clauses
