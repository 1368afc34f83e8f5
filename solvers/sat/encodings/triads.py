"""Encodings with variables for triads: the cells that a box shares with a row or column.

Such a variable states that a value occurs in one of the cells of the triad.
"""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import SCHEMES, Table, split
from sudoku_bench.solvers.sat.encodings.cell_codes import direct, numbered
from sudoku_bench.solvers.sat.encodings.direct import cell_groups, one_place, one_value, rules, unit_groups
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.encodings.parts import Part


def augmented(shape: Shape) -> Encoding:
    """Exactly one value in each cell; units by triads, the cells that a box shares with a row or column (Dillon 2019,
    tdoku).

    A value occurs in one cell of a triad or not in the triad; exactly one triad of a row, of a column, and of a box in
    either direction, contains the value. At most one is expressed by pairs. Further units of a layout are those of
    ``complete``.
    """
    parts = [one_value(shape), *_triads(shape, shape.size**3 + 1)]
    parts += one_place(shape, parts[-1].next, unit_groups(shape, shape.full_units[3 * shape.size :]))
    return Encoding("augmented", shape, direct(shape.size), tuple(parts), notes=_notes(shape))


def complete_augmented(shape: Shape) -> Encoding:
    """The clauses of ``complete`` and ``augmented``, with those of cells twice (Lynce & Ouaknine 2006; Dillon 2019)."""
    base = rules(shape, SCHEMES["pairwise"], shape.size**3 + 1, "exactly", "exactly")
    triads = augmented(shape)
    return Encoding("complete-augmented", shape, triads.code, (*base, *triads.parts), notes=triads.notes)


def _triads(shape: Shape, first: int) -> list[Part]:
    """Triads of rows, then of columns, each numbered triad by triad and value by value from ``first`` on."""
    n = shape.size
    row_triads = numbered(first, n * shape.box_rows, n)  # for each triad a variable for each value
    column_triads = numbered(first + n * n * shape.box_rows, n * shape.box_cols, n)
    after = first + n * n * (shape.box_rows + shape.box_cols)
    meaning = "a value is in a cell of a triad of a {}, or not in that triad"
    tables = {
        meaning.format("row"): _with_triad(shape, split_all(shape.rows, shape.box_cols), row_triads),
        meaning.format("column"): _with_triad(shape, split_all(shape.columns, shape.box_rows), column_triads),
        "exactly one triad of each row for each value": _lines(row_triads, shape.box_rows),
        "exactly one triad of each column for each value": _lines(column_triads, shape.box_cols),
        "exactly one row triad of each box for each value": _boxes(row_triads, shape.box_rows),
        "exactly one column triad of each box for each value": _boxes(column_triads, shape.box_cols),
    }
    exactly_one = SCHEMES["pairwise"].exactly_one
    return [Part(meaning, table, exactly_one(len(table[0])), after) for meaning, table in tables.items()]


def _notes(shape: Shape) -> tuple[str, ...]:
    """The meaning of the variables of the triads."""
    n = shape.size
    middle, last = n**3 + n * n * shape.box_rows, n**3 + n * n * (shape.box_rows + shape.box_cols)
    note = "x{} to x{}: a value (1 to {}) is in a triad, the {} cells that a {} shares with a box; {} by {}"
    return (
        note.format(n**3 + 1, middle, n, shape.box_cols, "row", "row", "row"),
        note.format(middle + 1, last, n, shape.box_rows, "column", "column", "column"),
    )


def split_all(lines: Sequence[Sequence[int]], length: int) -> list[Sequence[int]]:
    """The cells of each triad, line by line, each along its line."""
    return [triad for line in lines for triad in split(line, length)]


def _with_triad(shape: Shape, cells: Sequence[Sequence[int]], triads: Table) -> Table:
    """For each triad and value the variables of its cells, and the negated one of the triad."""
    of_cell = cell_groups(shape)
    return [
        [*(of_cell[cell][v] for cell in triad), -variables[v]]
        for triad, variables in zip(cells, triads, strict=True)
        for v in range(shape.size)
    ]


def _lines(triads: Table, per_line: int) -> Table:
    """For each line and value the variables of its triads."""
    return [list(of_value) for line in split(triads, per_line) for of_value in zip(*line, strict=True)]


def _boxes(triads: Table, per_line: int) -> Table:
    """For each box and value the variables of its triads: the same place in each of the lines that cross the box.

    The number of triads in a line equals the number of lines in a box: both are N divided by a triad's length.
    """
    bands = split(triads, per_line * per_line)
    boxes = [band[place::per_line] for band in bands for place in range(per_line)]
    return [list(of_value) for box in boxes for of_value in zip(*box, strict=True)]
