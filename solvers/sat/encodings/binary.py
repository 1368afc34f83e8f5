"""Log encodings: a cell's value minus one as a binary number."""

from __future__ import annotations

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import Clause, bits_for, implied_bits
from sudoku_bench.solvers.sat.encodings.cell_codes import direct, log
from sudoku_bench.solvers.sat.encodings.direct import cell_groups, one_place
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.encodings.parts import Part, pair_table, peers_differ


def log_only(shape: Shape) -> Encoding:
    """Only the binary digits of the value minus one; a clause for each pair of peers and each value (Iwama & Miyazaki
    1994)."""
    code = log(shape.size)
    after = shape.n_cells * code.width + 1
    return Encoding("log", shape, code, (_no_other_numbers(shape, after), peers_differ(shape, code, after)))


def log_difference(shape: Shape) -> Encoding:
    """Only the binary digits; a variable for each digit in which two peers differ (compare Biere & Brummayer 2008).

    The source is about all-different constraints over bit-vectors.
    """
    code = log(shape.size)
    bits = code.width
    differ: list[Clause] = []
    for bit in range(1, bits + 1):
        a, b, d = bit, bits + bit, 2 * bits + bit
        differ += [[-d, a, b], [-d, -a, -b]]
    differ.append([2 * bits + bit for bit in range(1, bits + 1)])
    after = shape.n_cells * bits + 1
    pairs = Part("two peers differ in a binary digit", pair_table(shape, code), differ, after)
    return Encoding("log-difference", shape, code, (_no_other_numbers(shape, after), pairs))


def direct_log(shape: Shape) -> Encoding:
    """Units as in ``complete+pairwise``; the values of a cell are channelled to binary digits (Walsh 2000).

    The digits imply that the cell has exactly one value. The source is about the log encoding.
    """
    n, bits = shape.size, bits_for(shape.size)
    digits = [
        *(clause for v in range(1, n + 1) for clause in implied_bits([v], v - 1, n + 1, bits)),
        *([v, *(-x for x in _number(v - 1, n + 1, bits))] for v in range(1, n + 1)),
        *([-x for x in _number(number, n + 1, bits)] for number in range(n, 1 << bits)),
    ]
    channel = Part("a value is a number in binary", cell_groups(shape), digits, n**3 + 1)
    return Encoding("direct-log", shape, direct(n), (channel, *one_place(shape, channel.next)))


def _no_other_numbers(shape: Shape, first: int) -> Part:
    code = log(shape.size)
    unused = [[-x for x in _number(number, 1, code.width)] for number in range(shape.size, 1 << code.width)]
    return Part("no number beyond the largest value", code.table(shape), unused, first)


def _number(number: int, first: int, bits: int) -> Clause:
    """The literals that together state that the digits from ``first`` on, the lowest first, are this number."""
    return [first + bit if number >> bit & 1 else -(first + bit) for bit in range(bits)]
