"""Encodings with one variable for each cell and value that take an at-most-one scheme."""

from __future__ import annotations

from collections.abc import Callable

from datasets.shape import Shape
from solvers.sat.amo import SCHEMES, Pattern, Scheme, Table, at_least_one
from solvers.sat.encodings.cell_codes import direct
from solvers.sat.encodings.encoding import Encoding
from solvers.sat.encodings.parts import Part


def minimal(shape: Shape, scheme: Scheme) -> Encoding:
    """Each cell has at least one value; no value occurs twice in a unit (Lynce & Ouaknine 2006, there called
    minimal)."""
    return _encoding("minimal", shape, scheme, cells="at least", units="at most")


def natural(shape: Shape, scheme: Scheme) -> Encoding:
    """``minimal``, and each cell has at most one value (Kwon & Jain 2006, there called efficient)."""
    return _encoding("natural", shape, scheme, cells="exactly", units="at most")


def no_cell_amo(shape: Shape, scheme: Scheme) -> Encoding:
    """``complete`` without at most one value in each cell: an ablation that shows the effect of this redundancy."""
    return _encoding("no-cell-amo", shape, scheme, cells="at least", units="exactly")


def complete(shape: Shape, scheme: Scheme) -> Encoding:
    """Exactly one value in each cell, and exactly one place for each value in a unit (Lynce & Ouaknine 2006, there
    called extended)."""
    return _encoding("complete", shape, scheme, cells="exactly", units="exactly")


def cell_groups(shape: Shape) -> Table:
    """The variables of each cell: N² rows of N."""
    return direct(shape.size).table(shape)


def unit_groups(shape: Shape) -> Table:
    """The variables of the places of each value in each unit: 3N² rows of N, unit after unit."""
    cells = cell_groups(shape)
    return [[cells[cell][v] for cell in unit] for unit in shape.units for v in range(shape.size)]


def constraint(kind: str, meaning: str, groups: Table, scheme: Scheme, first: int) -> Part:
    """``at least``, ``at most`` or ``exactly`` one literal of each row is true."""
    patterns: dict[str, Callable[[int], Pattern]] = {
        "at least": at_least_one,
        "at most": scheme.at_most_one,
        "exactly": scheme.exactly_one,
    }
    pattern = patterns[kind]
    return Part(meaning.format(kind), groups, pattern(len(groups[0])), first, pattern)


def rules(shape: Shape, scheme: Scheme, first: int, cells: str, units: str) -> list[Part]:
    """The constraints on cells and on units, each of a kind as in ``constraint``; auxiliaries from ``first`` on."""
    of_cells = constraint(cells, "{} one value in each cell", cell_groups(shape), scheme, first)
    of_units = constraint(units, "{} one place for each value in each unit", unit_groups(shape), scheme, of_cells.next)
    return [of_cells, of_units]


def _encoding(name: str, shape: Shape, scheme: Scheme, cells: str, units: str) -> Encoding:
    groups = ((cells, cell_groups(shape)), (units, unit_groups(shape)))
    limited = [table for kind, table in groups if kind != "at least"]
    return Encoding(
        name=name if scheme is SCHEMES["pairwise"] else f"{name}+{scheme.name}",
        shape=shape,
        code=direct(shape.size),
        parts=tuple(rules(shape, scheme, shape.size**3 + 1, cells, units)),
        at_mosts=[row for table in limited for row in table] if scheme.native else None,
    )
