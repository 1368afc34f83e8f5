"""``backtracking:...``: depth-first search without propagation, the naive baseline.

``plain`` fills the open cells row by row; ``fewest`` chooses at each step a cell with the fewest values that no peer
has. Both keep for each unit the values that are still missing, and nothing else. What a clue leaves a cell is a unit of
that cell alone. On ordinary boards a cell has three units, which are treated apart, as loops would take longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy, Task


@dataclass
class Grid:
    """A board that is being filled.

    Attributes:
        cells: N·N values, 0 where open.
        missing: for each unit the values that are still missing, as bits 0 .. N-1.
        open_cells: cells without a clue, in the order in which they are filled.
    """

    cells: list[int]
    missing: list[int]
    open_cells: list[int]


@register
class Plain(Strategy):
    """Depth first, cell by cell in reading order, values from 1 up: the naive baseline (Golomb & Baumert 1965)."""

    name = "backtracking:plain"
    takes = ANY_BOARD

    def prepare(self, shape: Shape) -> None:
        self.full = (1 << shape.size) - 1
        homes, self.n_units = shape.homes, len(shape.units)
        if not shape.is_ordinary:
            homes = tuple((*units, self.n_units + cell) for cell, units in enumerate(homes))
        self.every_home, self.homes = homes, [(units[0], units[1], units[2]) for units in homes]
        self.further = None if shape.is_ordinary else [units[3:] for units in homes]
        self.nodes = self.backtracks = 0

    def encode(self, puzzle: Puzzle) -> Grid | None:
        """The board with its clues, None if two clues clash."""
        missing = [self.full] * self.n_units
        if not puzzle.shape.is_ordinary:
            missing += puzzle.board.candidates
        for cell, clue in enumerate(puzzle.cells):
            if clue:
                bit = 1 << clue - 1
                for unit in self.every_home[cell]:
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
        homes, further, choose = self.homes, self.further, self.choose
        untried = [choose(grid, 0)]
        while untried:
            cell = open_cells[len(untried) - 1]
            a, b, c = homes[cell]
            if cells[cell]:  # undo the last value
                bit = 1 << cells[cell] - 1
                cells[cell] = 0
                missing[a] |= bit
                missing[b] |= bit
                missing[c] |= bit
                if further is not None:
                    for unit in further[cell]:
                        missing[unit] |= bit
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
            if further is not None:
                for unit in further[cell]:
                    missing[unit] ^= bit
            if len(untried) == len(open_cells):
                yield list(cells)
            else:
                untried.append(choose(grid, len(untried)))

    def choose(self, grid: Grid, depth: int) -> int:
        """The values that the cell at this depth can have."""
        cell, missing = grid.open_cells[depth], grid.missing
        a, b, c = self.homes[cell]
        values = missing[a] & missing[b] & missing[c]
        if self.further is not None:
            for unit in self.further[cell]:
                values &= missing[unit]
        return values

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
        missing, open_cells, homes = grid.missing, grid.open_cells, self.homes
        best, fewest, values = depth, self.full.bit_length() + 1, 0
        if self.further is not None:
            left_in = super().choose
            every = [(left_in(grid, place), place) for place in range(depth, len(open_cells))]
            values, best = min(every, key=lambda each: each[0].bit_count())
        for place in range(depth, len(open_cells) if self.further is None else depth):
            a, b, c = homes[open_cells[place]]
            left = missing[a] & missing[b] & missing[c]
            count = left.bit_count()
            if count < fewest:
                best, fewest, values = place, count, left
                if count < 2:
                    break
        open_cells[depth], open_cells[best] = open_cells[best], open_cells[depth]
        return values
