"""From a model back to cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Readout:
    """From the variables 1, 2, ... that belong to cells back to cells.

    Attributes:
        base: for each cell the value that it has if none of its variables is true.
        adds: for each variable its cell, and what the cell's value is more by if it is true.
        one_hot: whether the true variables alone say everything.
    """

    base: tuple[int, ...]
    adds: tuple[tuple[int, int], ...]
    one_hot: bool

    def cells(self, model: Iterable[int]) -> list[int]:
        """The N² cells of a model, given as literals in any order; literals of other variables are passed over."""
        cells, adds, last = list(self.base), self.adds, len(self.adds)
        for literal in model:
            if 0 < literal <= last:
                cell, weight = adds[literal - 1]
                cells[cell] += weight
        return cells

    def other_cells(self, model: Iterable[int]) -> list[int]:
        """A clause that excludes the cells of a model, whatever its auxiliary variables; empty if nothing is open."""
        last = len(self.adds)
        if self.one_hot:
            return [-literal for literal in model if 0 < literal <= last]
        return [-literal for literal in model if -last <= literal <= last]
