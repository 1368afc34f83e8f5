"""Aligned pair exclusion (6.2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tests.datasets.difficulty.slow_explainer.grid import PEERS, Candidates, Cells, Digits, Grid, bits, mask_of
from tests.datasets.difficulty.slow_explainer.step import Step


def aligned_pairs(grid: Grid) -> Iterator[Step]:
    """Pairs of cells of which common peers with two candidates exclude some values."""
    bivalue = mask_of(cell for cell, digits in enumerate(grid.left) if digits.bit_count() == 2)
    candidates = [cell for cell, digits in enumerate(grid.left) if digits and PEERS[cell] & bivalue]
    for one, other in combinations(candidates, 2):
        common = PEERS[one] & PEERS[other] & bivalue
        if common:
            eliminated = _excluded(grid, one, other, common)
            if eliminated:
                yield Step(62, "aligned pair exclusion", None, eliminated)


def _excluded(grid: Grid, one: int, other: int, common: Cells) -> Candidates:
    """The candidates of two cells that are in no pair of values that the common peers allow."""
    forbidden: set[Digits] = {grid.left[cell] for cell in bits(common)}
    peers = PEERS[one] >> other & 1
    allowed_one = allowed_other = 0
    for a in bits(grid.left[one]):
        for b in bits(grid.left[other]):
            if not (peers and a == b) and 1 << a | 1 << b not in forbidden:
                allowed_one |= 1 << a
                allowed_other |= 1 << b
    pairs = ((one, grid.left[one] & ~allowed_one), (other, grid.left[other] & ~allowed_other))
    return {cell: digits for cell, digits in pairs if digits}
