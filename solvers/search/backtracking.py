"""``backtracking:...``: depth-first search without propagation, the naive baseline.

``plain`` takes the open cells row by row (the textbook method: Golomb & Baumert, "Backtrack Programming", 1965);
``fewest`` takes at each step a cell with the fewest values that no peer has (Bitner & Reingold, "Backtrack Programming
Techniques", 1975). Both know at each step which values a cell's units still lack, and nothing more.
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
        lacking: for each of the 3N units the values that it still lacks, as bits 0 .. N-1.
        open_cells: cells without a clue, those that are filled first.
    """

    cells: list[int]
    lacking: list[int]
    open_cells: list[int]


@register
class Plain(Strategy):
    """Cell by cell in reading order, values from 1 up."""

    name = "backtracking:plain"

    def prepare(self, shape: Shape) -> None:
        n = shape.size
        self.full = (1 << n) - 1
        self.homes = [(r, n + c, 2 * n + shape.box_of(r, c)) for r in range(n) for c in range(n)]
        self.nodes = self.backtracks = 0

    def encode(self, puzzle: Puzzle) -> Grid | None:
        """The board with its clues, None if two of them clash."""
        lacking = [self.full] * (3 * puzzle.shape.size)
        for cell, clue in enumerate(puzzle.cells):
            if clue:
                bit = 1 << clue - 1
                for unit in self.homes[cell]:
                    if not lacking[unit] & bit:
                        return None
                    lacking[unit] ^= bit
        return Grid(list(puzzle.cells), lacking, [cell for cell, clue in enumerate(puzzle.cells) if not clue])

    def search(self, model: Grid | None, task: Task) -> list[list[int]]:
        self.nodes = self.backtracks = 0
        return [] if model is None else list(islice(self.fillings(model), task.limit))

    def fillings(self, grid: Grid) -> Iterator[list[int]]:
        """All ways to fill the board. ``untried`` holds, for each cell that was taken, the values still to try."""
        cells, lacking, open_cells = grid.cells, grid.lacking, grid.open_cells
        if not open_cells:
            yield list(cells)
            return
        untried = [self.take(grid, 0)]
        while untried:
            cell = open_cells[len(untried) - 1]
            a, b, c = self.homes[cell]
            if cells[cell]:  # its last value was tried
                bit = 1 << cells[cell] - 1
                cells[cell] = 0
                lacking[a] |= bit
                lacking[b] |= bit
                lacking[c] |= bit
            bit = untried[-1] & -untried[-1]
            if not bit:
                untried.pop()
                self.backtracks += 1
                continue
            untried[-1] ^= bit
            self.nodes += 1
            cells[cell] = bit.bit_length()
            lacking[a] ^= bit
            lacking[b] ^= bit
            lacking[c] ^= bit
            if len(untried) == len(open_cells):
                yield list(cells)
            else:
                untried.append(self.take(grid, len(untried)))

    def take(self, grid: Grid, depth: int) -> int:
        """The values that the cell at this depth can have."""
        a, b, c = self.homes[grid.open_cells[depth]]
        return grid.lacking[a] & grid.lacking[b] & grid.lacking[c]

    def counters(self) -> dict[str, int]:
        """``nodes``: values placed; ``backtracks``: cells left because no value was left to try."""
        return {"nodes": self.nodes, "backtracks": self.backtracks}


@register
class Fewest(Plain):
    """At each step a cell with the fewest values left, the first of them in the order of the list."""

    name = "backtracking:fewest"

    def take(self, grid: Grid, depth: int) -> int:
        """Bring the cell with the fewest values to this depth of the list; its values."""
        lacking, open_cells = grid.lacking, grid.open_cells
        best, fewest, values = depth, self.full.bit_length() + 1, 0
        for place in range(depth, len(open_cells)):
            a, b, c = self.homes[open_cells[place]]
            left = lacking[a] & lacking[b] & lacking[c]
            count = left.bit_count()
            if count < fewest:
                best, fewest, values = place, count, left
                if count < 2:
                    break
        open_cells[depth], open_cells[best] = open_cells[best], open_cells[depth]
        return values
