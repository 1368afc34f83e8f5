"""Clauses for pairs of peers: cells that share a row, column or box, each pair once."""

from __future__ import annotations

from datasets.shape import Shape
from solvers.sat.encodings.cells import CellCode
from solvers.sat.encodings.parts import Part, Table, side_by_side


def peer_pairs(shape: Shape) -> list[tuple[int, int]]:
    """The P = N²(3N-2n-1)/2 pairs of peers (for boxes of n rows and columns), as cells, the lower first."""
    return [(cell, peer) for cell, peers in enumerate(shape.peers) for peer in peers if cell < peer]


def pair_table(shape: Shape, code: CellCode) -> Table:
    """For each pair of peers the variables of the first, then those of the second."""
    table = code.table(shape)
    return [table[a] + table[b] for a, b in peer_pairs(shape)]


def conflicts(shape: Shape, code: CellCode, first: int) -> Part:
    """For each pair of peers and each value: they do not both have it."""
    pattern = [side_by_side(denied, denied, code.width) for word in code.words if (denied := [-x for x in word])]
    return Part("no two peers have the same value", pair_table(shape, code), pattern, first)
