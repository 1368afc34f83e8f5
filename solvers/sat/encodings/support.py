"""The support encoding: each value of a cell needs another value in each of its peers."""

from __future__ import annotations

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.encodings.cell_codes import direct
from sudoku_bench.solvers.sat.encodings.direct import one_value
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.encodings.parts import Part, pair_table


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
