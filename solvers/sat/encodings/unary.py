"""Order encodings: a cell's value as a scale of variables that say whether it is greater than 1, 2, ..., N-1."""

from __future__ import annotations

from itertools import pairwise

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import SCHEMES, Table
from sudoku_bench.solvers.sat.encodings.cell_codes import direct, order
from sudoku_bench.solvers.sat.encodings.direct import cell_groups, one_place
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.encodings.parts import Part, peers_differ


def order_only(shape: Shape) -> Encoding:
    """Only the scales *greater than 1, 2, …, N-1*; two peers never have the same value (Crawford & Baker 1994; Tamura,
    Taga, Kitagawa & Banbara 2009)."""
    code = order(shape.size)
    scale = [[-upper, lower] for lower, upper in pairwise(range(1, shape.size))]
    table = code.table(shape)
    after = shape.n_cells * code.width + 1
    scales = Part("more than k + 1 is more than k", table, scale, after)
    return Encoding("order", shape, code, (scales, peers_differ(shape, code, after)))


def order_hints(shape: Shape) -> Encoding:
    """``order``, and in each unit some cell is more than N-1 and some cell is not more than 1 (Tamura, Tanjo & Banbara
    2008).

    These are the pigeonhole hints that the source adds to each all-different constraint.
    """
    plain = order_only(shape)
    cells, after = plain.code.table(shape), plain.size.variables + 1
    any_true, none_false = [list(range(1, shape.size + 1))], [list(range(-1, -shape.size - 1, -1))]
    highest = Part("some cell of each unit has the highest value", _of_units(shape, cells, -1), any_true, after)
    lowest = Part("some cell of each unit has the lowest value", _of_units(shape, cells, 0), none_false, after)
    return Encoding("order-hints", shape, plain.code, (*plain.parts, highest, lowest))


def _of_units(shape: Shape, cells: Table, step: int) -> Table:
    """For each unit the variable of one step of each of its cells."""
    return [[cells[cell][step] for cell in unit] for unit in shape.full_units]


def direct_order(shape: Shape) -> Encoding:
    """Units as in ``complete+pairwise``; the values of a cell are channelled to a scale, the ladder (Gent & Nightingale
    2004)."""
    n = shape.size
    ladder = SCHEMES["ladder"].exactly_one
    channel = Part("a value is a step of the cell's scale", cell_groups(shape), ladder(n), n**3 + 1, remake=ladder)
    return Encoding("direct-order", shape, direct(n), (channel, *one_place(shape, channel.next)))
