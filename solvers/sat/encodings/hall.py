"""Hall sets of two values: unit propagation finds naked and hidden pairs.

Two values occur in exactly two cells of each unit. If two cells can hold nothing else, no other cell holds these values
(a naked pair); if no other cells can hold them, these two hold nothing else (a hidden pair).
"""

from __future__ import annotations

from itertools import combinations

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import SCHEMES, Pattern, Table
from sudoku_bench.solvers.sat.encodings.cell_codes import direct
from sudoku_bench.solvers.sat.encodings.direct import cell_groups, rules
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.encodings.parts import Part


def hall_pairs(shape: Shape) -> Encoding:
    """``complete``, and for any two values exactly two cells of each unit hold one of them (compare Bessiere,
    Katsirelos, Narodytska, Quimper & Walsh 2009).

    The source counts the cells whose value is in an interval. Here the sets are all pairs of values, because the values
    of Sudoku have no order. At most two is a sequential counter (Sinz 2005).
    """
    n = shape.size
    pairs = list(combinations(range(1, n + 1), 2))
    base = rules(shape, SCHEMES["pairwise"], n**3 + 1, "exactly", "exactly")
    holds = Part("a cell holds one of two values", cell_groups(shape), _holds_one_of(n, pairs), base[-1].next)
    counts = Part(
        "exactly two cells of a unit hold one of two values", _places(shape, holds), _exactly_two(n), holds.next
    )
    return Encoding("hall-pairs", shape, direct(n), (*base, holds, counts))


def _holds_one_of(n: int, pairs: list[tuple[int, int]]) -> Pattern:
    """For each pair of values a variable that is true exactly if the cell holds one of them.

    The other values imply that it is false, and it is true if all of them are false.
    """
    clauses: Pattern = []
    for one, (v, w) in enumerate(pairs, start=n + 1):
        others = [x for x in range(1, n + 1) if x not in (v, w)]
        clauses += [[-v, one], [-w, one], [-one, v, w], [one, *others], *([-one, -x] for x in others)]
    return clauses


def _places(shape: Shape, holds: Part) -> Table:
    """For each unit and pair of values the variables of its cells."""
    step, first = holds.auxiliary, holds.first
    return [[first + cell * step + pair for cell in unit] for unit in shape.full_units for pair in range(step)]


def _exactly_two(n: int) -> Pattern:
    """At least two: one of any n-1; at most two: one(i) and two(i) count the true literals among the first i.

    6n-10 clauses, 2n-3 auxiliary variables, for n of 3 and more.
    """
    literals = range(1, n + 1)
    clauses = [[x for x in literals if x != left_out] for left_out in literals]
    if n < 3:
        return clauses
    one = {i: n + i for i in range(1, n)}
    two = {i: 2 * n - 2 + i for i in range(2, n)}
    clauses.append([-1, one[1]])
    for i in range(2, n):
        clauses += [[-i, one[i]], [-one[i - 1], one[i]], [-i, -one[i - 1], two[i]]]
        if i > 2:
            clauses += [[-two[i - 1], two[i]], [-i, -two[i - 1]]]
    clauses.append([-n, -two[n - 1]])
    return clauses
