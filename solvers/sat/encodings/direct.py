"""Encodings with one variable for each cell and value and no others but those of an at-most-one scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import SCHEMES, Pattern, Scheme, Table, at_least_one
from sudoku_bench.solvers.sat.encodings.cell_codes import direct
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.encodings.parts import Part, pair_table

CELLS, UNITS = "{} one value in each cell", "{} one place for each value in each unit"
SMALL_UNITS = "{} one place for each value in each unit of fewer cells"


def minimal(shape: Shape, scheme: Scheme) -> Encoding:
    """Each cell has at least one value; no value occurs twice in a unit (Lynce & Ouaknine 2006, there called
    minimal)."""
    return _encoding("minimal", shape, scheme, cells="at least", units="at most")


def natural(shape: Shape, scheme: Scheme) -> Encoding:
    """``minimal``, and each cell has at most one value (Weber 2005; Kwon & Jain 2006, there called efficient)."""
    return _encoding("natural", shape, scheme, cells="exactly", units="at most")


def no_cell_amo(shape: Shape, scheme: Scheme) -> Encoding:
    """``complete`` without at most one value in each cell: an ablation that shows the effect of this redundancy."""
    return _encoding("no-cell-amo", shape, scheme, cells="at least", units="exactly")


def complete(shape: Shape, scheme: Scheme) -> Encoding:
    """Exactly one value in each cell, and exactly one place for each value in a unit (Lynce & Ouaknine 2006, there
    called extended)."""
    return _encoding("complete", shape, scheme, cells="exactly", units="exactly")


def irredundant(shape: Shape, scheme: Scheme) -> Encoding:
    """``complete`` without the units that the others imply: the last row of each band, the last column of each stack
    (Demoen & García de la Banda 2014).

    The boxes of a band hold each value once per row of the band; so if all its other rows hold a value once, the last
    one does, too. At 9×9, 21 of the 27 units are left; leaving out more would admit other grids.
    """
    return _encoding("irredundant", shape, scheme, cells="exactly", units="exactly", kept=needed_units(shape))


def support(shape: Shape) -> Encoding:
    """Exactly one value in each cell; each value needs a different value in each peer (Kasif 1990; Gent 2002).

    Unit propagation then achieves arc consistency on pairs of cells.
    """
    n, code = shape.size, direct(shape.size)
    needs = [
        [-(here + v), *(there + w for w in range(1, n + 1) if w != v)]
        for here, there in ((0, n), (n, 0))
        for v in range(1, n + 1)
    ]
    peers = Part("a value is supported by another in each peer", pair_table(shape, code), needs, n**3 + 1)
    return Encoding("support", shape, code, (one_value(shape), peers))


def needed_units(shape: Shape) -> Iterator[Sequence[int]]:
    """The 3N - n - m units of a board with boxes of n rows and m columns that imply the others, and further ones."""
    yield from (row for number, row in enumerate(shape.rows, start=1) if number % shape.box_rows)
    yield from (column for number, column in enumerate(shape.columns, start=1) if number % shape.box_cols)
    yield from shape.full_units[2 * shape.size :]


def cell_groups(shape: Shape) -> Table:
    """The variables of each cell: N² rows of N."""
    return direct(shape.size).table(shape)


def unit_groups(shape: Shape, units: Iterable[Sequence[int]] | None = None) -> Table:
    """The variables of the places of each value in each unit: N rows for each unit (all of N cells if none are
    given)."""
    cells = cell_groups(shape)
    chosen = shape.full_units if units is None else units
    return [[cells[cell][v] for cell in unit] for unit in chosen for v in range(shape.size)]


def constraint(kind: str, meaning: str, groups: Table, scheme: Scheme, first: int) -> Part:
    """``at least``, ``at most`` or ``exactly`` one literal of each row is true."""
    patterns: dict[str, Callable[[int], Pattern]] = {
        "at least": at_least_one,
        "at most": scheme.at_most_one,
        "exactly": scheme.exactly_one,
    }
    pattern = patterns[kind]
    return Part(meaning.format(kind), groups, pattern(len(groups[0])), first, pattern)


def one_value(shape: Shape) -> Part:
    """Exactly one value in each cell, by pairs."""
    return constraint("exactly", CELLS, cell_groups(shape), SCHEMES["pairwise"], shape.size**3 + 1)


def one_place(shape: Shape, first: int, places: Table | None = None) -> list[Part]:
    """Exactly one place for each value in each unit of N cells, at most one in each smaller unit, by pairs."""
    return of_units("exactly", shape, SCHEMES["pairwise"], first, places)


def of_units(kind: str, shape: Shape, scheme: Scheme, first: int, places: Table | None = None) -> list[Part]:
    """A constraint on each value in each unit of N cells, and at most one place in each smaller unit.

    ``places`` are the groups of the units of N cells, if not those of all.
    """
    tables = [(kind, UNITS, unit_groups(shape) if places is None else places)]
    for length in sorted(set(map(len, shape.small_units))):
        units = [unit for unit in shape.small_units if len(unit) == length]
        tables.append(("at most", SMALL_UNITS, unit_groups(shape, units)))
    parts: list[Part] = []
    for each, meaning, table in tables:
        if table:
            parts.append(constraint(each, meaning, table, scheme, parts[-1].next if parts else first))
    return parts


def rules(shape: Shape, scheme: Scheme, first: int, cells: str, units: str, places: Table | None = None) -> list[Part]:
    """The constraints on cells and on units, each of a kind as in ``constraint``; auxiliaries from ``first`` on.

    ``places`` are the groups of the units, if not those of all units.
    """
    of_cells = constraint(cells, CELLS, cell_groups(shape), scheme, first)
    return [of_cells, *of_units(units, shape, scheme, of_cells.next, places)]


def _encoding(
    name: str, shape: Shape, scheme: Scheme, cells: str, units: str, kept: Iterable[Sequence[int]] | None = None
) -> Encoding:
    places = unit_groups(shape, kept)
    smaller = unit_groups(shape, shape.small_units)
    kinds = (cells, cell_groups(shape)), (units, places), ("at most", smaller)
    limited = [table for kind, table in kinds if kind != "at least"]
    return Encoding(
        name=name if scheme is SCHEMES["pairwise"] else f"{name}+{scheme.name}",
        shape=shape,
        code=direct(shape.size),
        parts=tuple(rules(shape, scheme, shape.size**3 + 1, cells, units, places)),
        at_mosts=[row for table in limited for row in table] if scheme.native else None,
    )
