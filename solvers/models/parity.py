"""``parity:complete``: CryptoMiniSat with exclusive-or constraints.

Exactly one of N means "at most one, and an odd number": the pairs of the complete encoding, with a parity constraint in
place of each clause "at least one". The solver handles parity constraints natively, by Gauss-Jordan elimination.
"""

from __future__ import annotations

from typing import Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating


@register
class Parity(Enumerating):
    """Pairwise at most one, with "an odd number" in place of "at least one": exclusive-or constraints and Gauss-Jordan
    elimination (Soos, Nohl & Castelluccia 2009)."""

    name = "parity:complete"
    takes = ANY_BOARD
    requires = ("pycryptosat",)

    def prepare(self, shape: Shape) -> None:
        from pycryptosat import Solver

        self.shape, self.make_solver = shape, Solver
        n = shape.size
        self.cell = [[cell * n + v + 1 for v in range(n)] for cell in range(shape.n_cells)]
        self.groups = self.cell + [[self.cell[c][v] for c in unit] for unit in shape.full_units for v in range(n)]
        smaller = [[self.cell[c][v] for c in unit] for unit in shape.small_units for v in range(n)]
        self.pairs = [[-x, -y] for group in self.groups + smaller for k, x in enumerate(group) for y in group[:k]]

    def encode(self, puzzle: Puzzle) -> list[list[int]]:
        clues = [[self.cell[cell][clue - 1]] for cell, clue in enumerate(puzzle.cells) if clue]
        return clues + [[-self.cell[cell][value - 1]] for cell, value in puzzle.forbidden]

    def load(self, model: list[list[int]]) -> Any:
        solver = self.make_solver()
        solver.add_clauses(model)
        solver.add_clauses(self.pairs)
        for group in self.groups:
            solver.add_xor_clause(group, True)
        return solver

    def find(self, model: Any) -> list[int] | None:
        satisfiable, values = model.solve()
        return [next(v for v, x in enumerate(xs, start=1) if values[x]) for xs in self.cell] if satisfiable else None

    def exclude(self, model: Any, cells: list[int]) -> None:
        model.add_clause([-self.cell[cell][value - 1] for cell, value in enumerate(cells)])
