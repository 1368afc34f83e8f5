"""Encodings with one variable for each cell and value, in which an at-most-one scheme can be chosen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from datasets.shape import Shape
from solvers.sat.amo import SCHEMES, Scheme, at_least_one
from solvers.sat.encodings.cells import direct
from solvers.sat.encodings.encoding import Encoding
from solvers.sat.encodings.parts import Part, Pattern, Table


def minimal(shape: Shape, scheme: Scheme) -> Encoding:
    """Each cell holds at least one value, no value stands twice in a unit (Lynce & Ouaknine 2006, "Sudoku as a SAT
    problem", there called minimal)."""
    return _encoding("minimal", shape, scheme, cells="at least", units="at most")


def natural(shape: Shape, scheme: Scheme) -> Encoding:
    """``minimal``, and each cell holds at most one value (Kwon & Jain 2006, "Optimized CNF encoding for Sudoku
    puzzles", there called efficient)."""
    return _encoding("natural", shape, scheme, cells="exactly", units="at most")


def no_cell_amo(shape: Shape, scheme: Scheme) -> Encoding:
    """Exactly one place for each value in a unit, but cells only at least one value: ``complete`` without what is said
    of cells holding at most one, to see what that redundancy is worth."""
    return _encoding("no-cell-amo", shape, scheme, cells="at least", units="exactly")


def complete(shape: Shape, scheme: Scheme) -> Encoding:
    """Exactly one everywhere: values per cell, and places per value and unit (Lynce & Ouaknine 2006, "Sudoku as a SAT
    problem", there called extended)."""
    return _encoding("complete", shape, scheme, cells="exactly", units="exactly")


SOURCES = {
    "minimal": "Lynce & Ouaknine 2006, Sudoku as a SAT problem (there: minimal)",
    "natural": "Kwon & Jain 2006, Optimized CNF encoding for Sudoku puzzles (there: efficient)",
    "no-cell-amo": "an ablation of complete",
    "complete": "Lynce & Ouaknine 2006, Sudoku as a SAT problem (there: extended)",
}


def cell_groups(shape: Shape) -> Table:
    """The variables of each cell: N² rows of N."""
    return direct(shape.size).table(shape)


def unit_groups(shape: Shape) -> Table:
    """The variables of the places of each value in each unit: 3N² rows of N, unit after unit."""
    cells = cell_groups(shape)
    return [[cells[cell][v] for cell in unit] for unit in shape.units for v in range(shape.size)]


def constraint(kind: str, what: str, groups: Table, scheme: Scheme, first: int) -> Part:
    """``at least``, ``at most`` or ``exactly`` one literal of each row."""
    makes: dict[str, Callable[[int], Pattern]] = {
        "at least": at_least_one,
        "at most": scheme.at_most_one,
        "exactly": scheme.exactly_one,
    }
    make = makes[kind]
    return Part(what.format(kind), groups, make(len(groups[0])), first, make)


def rules(shape: Shape, scheme: Scheme, first: int, cells: str, units: str) -> list[Part]:
    """What is said of cells and of units, each by ``constraint``; auxiliary variables from ``first`` on."""
    of_cells = constraint(cells, "{} one value in each cell", cell_groups(shape), scheme, first)
    of_units = constraint(units, "{} one place for each value in each unit", unit_groups(shape), scheme, of_cells.next)
    return [of_cells, of_units]


def _encoding(name: str, shape: Shape, scheme: Scheme, cells: str, units: str) -> Encoding:
    groups = ((cells, cell_groups(shape)), (units, unit_groups(shape)))
    limited = [table for kind, table in groups if kind != "at least"]
    suffix = "" if scheme is SCHEMES["pairwise"] else f"+{scheme.name}"
    return Encoding(
        name=name + suffix,
        shape=shape,
        code=direct(shape.size),
        parts=tuple(rules(shape, scheme, shape.size**3 + 1, cells, units)),
        source="; ".join(chain([SOURCES[name]], [f"at most one: {scheme.source}"] if suffix else [])),
        at_mosts=[row for table in limited for row in table] if scheme.native else None,
    )
