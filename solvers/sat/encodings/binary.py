"""Log encodings: a cell's value less one in binary."""

from __future__ import annotations

from datasets.shape import Shape
from solvers.sat.amo import SCHEMES, bits_for, implied_bits
from solvers.sat.encodings.cells import direct, log
from solvers.sat.encodings.direct import cell_groups, constraint, unit_groups
from solvers.sat.encodings.encoding import Encoding
from solvers.sat.encodings.parts import Clause, Part
from solvers.sat.encodings.peers import conflicts, pair_table

SOURCE = "Iwama & Miyazaki 1994, SAT-variable complexity of hard combinatorial problems"
DIFFERENCE_SOURCE = (
    "compare Biere & Brummayer 2008, Consistency checking of all different constraints over bit-vectors within a SAT "
    "solver"
)


def log_only(shape: Shape) -> Encoding:
    """No variables but the digits; two peers never have the same value: a clause for each pair and value (Iwama &
    Miyazaki 1994, "SAT-variable complexity of hard combinatorial problems")."""
    code = log(shape.size)
    after = shape.n_cells * code.width + 1
    return Encoding("log", shape, code, (_no_other_digits(shape, after), conflicts(shape, code, after)), SOURCE)


def log_difference(shape: Shape) -> Encoding:
    """Some digit of two peers differs: a variable for each pair and digit, which implies that this one does (compare
    Biere & Brummayer 2008, for all-different constraints over bit-vectors)."""
    code = log(shape.size)
    bits = code.width
    differ: list[Clause] = []
    for bit in range(1, bits + 1):
        a, b, d = bit, bits + bit, 2 * bits + bit
        differ += [[-d, a, b], [-d, -a, -b]]
    differ.append([2 * bits + bit for bit in range(1, bits + 1)])
    after = shape.n_cells * bits + 1
    pairs = Part("two peers differ in a binary digit", pair_table(shape, code), differ, after)
    return Encoding("log-difference", shape, code, (_no_other_digits(shape, after), pairs), DIFFERENCE_SOURCE)


def direct_log(shape: Shape) -> Encoding:
    """Rows, columns and boxes as in ``complete`` by pairs; the values of a cell are channelled to binary digits, which
    say that it has exactly one (Walsh 2000, "SAT v CSP", for the log encoding)."""
    n, bits = shape.size, bits_for(shape.size)
    digits = [
        *(clause for v in range(1, n + 1) for clause in implied_bits([v], v - 1, n + 1, bits)),
        *([v, *(-x for x in _number(v - 1, n + 1, bits))] for v in range(1, n + 1)),
        *([-x for x in _number(number, n + 1, bits)] for number in range(n, 1 << bits)),
    ]
    channel = Part("a value is a number in binary", cell_groups(shape), digits, n**3 + 1)
    units = constraint(
        "exactly", "{} one place for each value in each unit", unit_groups(shape), SCHEMES["pairwise"], channel.next
    )
    return Encoding("direct-log", shape, direct(n), (channel, units), "Walsh 2000, SAT v CSP (for the log encoding)")


def _no_other_digits(shape: Shape, first: int) -> Part:
    code = log(shape.size)
    unused = [[-x for x in _number(number, 1, code.width)] for number in range(shape.size, 1 << code.width)]
    return Part("no number beyond the largest value", code.table(shape), unused, first)


def _number(number: int, first: int, bits: int) -> Clause:
    """Literals that together say: the digits from ``first`` on, the lowest first, are this number."""
    return [first + bit if number >> bit & 1 else -(first + bit) for bit in range(bits)]
