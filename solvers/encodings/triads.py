"""Encodings with variables for triads: whether a value stands in the cells that a box shares with a row or column."""

from __future__ import annotations

import numpy as np

from datasets.shape import Shape
from solvers.amo import SCHEMES
from solvers.encodings.cells import direct
from solvers.encodings.direct import cell_groups, constraint, rules
from solvers.encodings.encoding import Encoding
from solvers.encodings.parts import Part, Table

SOURCE = "Dillon 2019, tdoku (there: augmented, with its triads)"


def augmented(shape: Shape) -> Encoding:
    """Exactly one value in each cell; a value stands in one cell of a triad or not in the triad; exactly one triad of a
    row, of a column, and of a box in either direction, holds the value (Dillon 2019, tdoku). All by pairs."""
    n3 = shape.size**3
    cells = constraint("exactly", "{} one value in each cell", cell_groups(shape), SCHEMES["pairwise"], n3 + 1)
    parts = (cells, *_triads(shape, n3 + 1))
    return Encoding("augmented", shape, direct(shape.size), parts, SOURCE, notes=_notes(shape))


def complete_augmented(shape: Shape) -> Encoding:
    """The clauses of ``complete`` and those of ``augmented``, what both say of cells twice."""
    base = rules(shape, SCHEMES["pairwise"], shape.size**3 + 1, "exactly", "exactly")
    triads = augmented(shape)
    parts = (*base, *triads.parts)
    return Encoding("complete-augmented", shape, triads.code, parts, f"complete, and {SOURCE}", notes=triads.notes)


def _triads(shape: Shape, first: int) -> list[Part]:
    """Triads of rows, then of columns, each numbered triad by triad and value by value from ``first`` on."""
    n = shape.size
    in_rows = _triad_cells(shape.rows, shape.box_cols)
    in_columns = _triad_cells(shape.columns, shape.box_rows)
    row_triads = first + np.arange(len(in_rows) * n, dtype=np.int32).reshape(-1, n)  # triad, value
    column_triads = first + row_triads.size + np.arange(len(in_columns) * n, dtype=np.int32).reshape(-1, n)
    after = first + row_triads.size + column_triads.size
    says = "a value stands in a cell of a triad of a {}, or not in that triad"
    return [
        _part(says.format("row"), _with_triad(shape, in_rows, row_triads), after),
        _part(says.format("column"), _with_triad(shape, in_columns, column_triads), after),
        _part("exactly one triad of each row for each value", _lines(row_triads, shape.box_rows), after),
        _part("exactly one triad of each column for each value", _lines(column_triads, shape.box_cols), after),
        _part("exactly one row triad of each box for each value", _boxes(row_triads, shape.box_rows), after),
        _part("exactly one column triad of each box for each value", _boxes(column_triads, shape.box_cols), after),
    ]


def _notes(shape: Shape) -> tuple[str, ...]:
    """What the variables of the triads stand for."""
    n = shape.size
    middle, last = n**3 + n * n * shape.box_rows, n**3 + n * n * (shape.box_rows + shape.box_cols)
    says = "x{} to x{}: a value (1 to {}) stands in a triad, the {} cells that a {} shares with a box; {} by {}"
    return (
        says.format(n**3 + 1, middle, n, shape.box_cols, "row", "row", "row"),
        says.format(middle + 1, last, n, shape.box_rows, "column", "column", "column"),
    )


def _part(says: str, groups: Table, first: int) -> Part:
    return constraint("exactly", says, groups, SCHEMES["pairwise"], first)


def _triad_cells(lines: tuple[tuple[int, ...], ...], length: int) -> Table:
    """The cells of each triad, line by line, each along its line."""
    return np.array(lines, dtype=np.int32).reshape(-1, length)


def _with_triad(shape: Shape, cells: Table, triads: Table) -> Table:
    """For each triad and value the variables of its cells, and the negated one of the triad."""
    places = cell_groups(shape)[cells].transpose(0, 2, 1).reshape(-1, cells.shape[1])
    return np.concatenate([places, -triads.reshape(-1, 1)], axis=1)


def _lines(triads: Table, per_line: int) -> Table:
    """For each line and value its triads."""
    n = triads.shape[1]
    return triads.reshape(-1, per_line, n).transpose(0, 2, 1).reshape(-1, per_line)


def _boxes(triads: Table, per_line: int) -> Table:
    """For each box and value its triads: the same place in as many neighbouring lines as a box is thick.

    There are as many triads in a line as lines in a box, since both are N divided by a triad's length.
    """
    n = triads.shape[1]
    by_band = triads.reshape(-1, per_line, per_line, n)  # band, line in the band, triad in the line, value
    return by_band.transpose(0, 2, 3, 1).reshape(-1, per_line)
