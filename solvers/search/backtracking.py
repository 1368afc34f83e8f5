"""``backtracking:...``: depth-first search without propagation, the naive baseline.

``plain`` fills the open cells row by row; ``fewest`` chooses at each step a cell with the fewest values that no peer
has. Both keep for each unit the values that are still missing, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.strategy import Strategy, Task


@dataclass
class Grid:
    """A board that is being filled.

    Attributes:
        cells: N·N values, 0 where open.
        missing: for each of the 3N units the values that are still missing, as bits 0 .. N-1.
        open_cells: cells without a clue, in the order in which they are filled.
    """

    cells: list[int]
    missing: list[int]
    open_cells: list[int]


@register
class Plain(Strategy):
    """Depth first, cell by cell in reading order, values from 1 up: the naive baseline (Golomb & Baumert 1965)."""

    name = "backtracking:plain"

    def prepare(self, shape: Shape) -> None:
        n = shape.size
        self.full = (1 << n) - 1
        self.homes = [(r, n + c, 2 * n + shape.box_of(r, c)) for r in range(n) for c in range(n)]
        self.nodes = self.backtracks = 0

    def encode(self, puzzle: Puzzle) -> Grid | None:
        """The board with its clues, None if two clues clash."""
        missing = [self.full] * (3 * puzzle.shape.size)
        for cell, clue in enumerate(puzzle.cells):
            if clue:
                bit = 1 << clue - 1
                for unit in self.homes[cell]:
                    if not missing[unit] & bit:
                        return None
                    missing[unit] ^= bit
        return Grid(list(puzzle.cells), missing, [cell for cell, clue in enumerate(puzzle.cells) if not clue])

    def search(self, model: Grid | None, task: Task) -> list[list[int]]:
        self.nodes = self.backtracks = 0
        return [] if model is None else list(islice(self.fillings(model), task.limit))

    def fillings(self, grid: Grid) -> Iterator[list[int]]:
        """All ways to fill the board. ``untried`` contains the values still to try in each cell chosen so far."""
        cells, missing, open_cells = grid.cells, grid.missing, grid.open_cells
        if not open_cells:
            yield list(cells)
            return
        untried = [self.choose(grid, 0)]
        while untried:
            cell = open_cells[len(untried) - 1]
            a, b, c = self.homes[cell]
            if cells[cell]:  # undo the last value
                bit = 1 << cells[cell] - 1
                cells[cell] = 0
                missing[a] |= bit
                missing[b] |= bit
                missing[c] |= bit
            bit = untried[-1] & -untried[-1]
            if not bit:
                untried.pop()
                self.backtracks += 1
                continue
            untried[-1] ^= bit
            self.nodes += 1
            cells[cell] = bit.bit_length()
            missing[a] ^= bit
            missing[b] ^= bit
            missing[c] ^= bit
            if len(untried) == len(open_cells):
                yield list(cells)
            else:
                untried.append(self.choose(grid, len(untried)))

    def choose(self, grid: Grid, depth: int) -> int:
        """The values that the cell at this depth can have."""
        a, b, c = self.homes[grid.open_cells[depth]]
        return grid.missing[a] & grid.missing[b] & grid.missing[c]

    def counters(self) -> dict[str, int]:
        """``nodes``: values placed; ``backtracks``: cells abandoned after all of their values had been tried."""
        return {"nodes": self.nodes, "backtracks": self.backtracks}


@register
class Fewest(Plain):
    """Depth first, at each step on a cell with the fewest values left (Bitner & Reingold 1975).

    If there are several, the first in the order of the list.
    """

    name = "backtracking:fewest"

    def choose(self, grid: Grid, depth: int) -> int:
        """Move the cell with the fewest values to this depth of the list, and return its values."""
        missing, open_cells = grid.missing, grid.open_cells
        best, fewest, values = depth, self.full.bit_length() + 1, 0
        for place in range(depth, len(open_cells)):
            a, b, c = self.homes[open_cells[place]]
            left = missing[a] & missing[b] & missing[c]
            count = left.bit_count()
            if count < fewest:
                best, fewest, values = place, count, left
                if count < 2:
                    break
        open_cells[depth], open_cells[best] = open_cells[best], open_cells[depth]
        return values
