"""Decision diagrams: each unit as the diagram of all ways to fill it, on which unit propagation loses nothing.

The cells of a unit are the layers of its diagram. A node is the set of values that the cells before have used, so a
layer has a node for each set of its size; an edge adds the value of one cell. The root and the end are the empty and
the full set, which need no variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import Pattern
from sudoku_bench.solvers.sat.encodings.cell_codes import direct
from sudoku_bench.solvers.sat.encodings.direct import cell_groups, one_place, one_value
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.encodings.parts import Part

Values = frozenset[int]


def diagrams(shape: Shape) -> Encoding:
    """Exactly one value in each cell; each unit as a decision diagram of its N! fillings (Abío, Gange,
    Mayer-Eichberger & Stuckey 2016).

    Unit propagation finds every candidate that one unit alone excludes (domain consistency, as Régin 1994). A diagram
    has N·2^(N-1) edges and 2^N - 2 nodes with variables, so boards are limited to 12×12.
    """
    n, cells = shape.size, cell_groups(shape)
    values = one_value(shape)
    table = [[x for cell in unit for x in cells[cell]] for unit in shape.full_units]
    units = Part("a filling of a unit is a path in its diagram", table, _diagram(n), values.next)
    return Encoding("diagrams", shape, direct(n), (values, units, *one_place(shape, units.next, [])))


def _diagram(n: int) -> Pattern:
    """The diagram over n·n literals, the n values of each layer: 3n·2^(n-1) - 2n + 2^(n+1) - 2 + n² clauses.

    An edge needs its two nodes and its value; a node needs an edge to it and one from it; a value needs an edge.
    """
    node = {used: number for number, used in enumerate(_inner_nodes(n), start=n * n + 1)}
    arriving: dict[Values, list[int]] = {}
    leaving: dict[Values, list[int]] = {}
    supports: dict[int, list[int]] = {}
    clauses: Pattern = []
    edge = n * n + len(node)
    for used in (Values(), *node):
        for v in sorted(set(range(n)) - used):
            edge += 1
            after, value = used | {v}, len(used) * n + v + 1
            clauses += [[-edge, needed] for needed in (node.get(used), node.get(after), value) if needed]
            leaving.setdefault(used, []).append(edge)
            arriving.setdefault(after, []).append(edge)
            supports.setdefault(value, []).append(edge)
    for edges in (arriving, leaving):
        clauses += [[*([-node[used]] if used in node else []), *ways] for used, ways in edges.items()]
    return clauses + [[-value, *ways] for value, ways in supports.items()]


def _inner_nodes(n: int) -> Iterator[Values]:
    """All sets of values but the empty and the full one, the small ones first."""
    return (Values(used) for size in range(1, n) for used in combinations(range(n), size))
