"""``cp:pumpkin``: the constraint solver Pumpkin (Demirović and others, TU Delft), which learns clauses.

The model has an integer for each cell, whose domain is one value if there is a clue, and an all-different constraint
for each unit, which the solver decomposes into pairs. A row of a negative table excludes a solution.
"""

from __future__ import annotations

from typing import Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating


@register
class Pumpkin(Enumerating):
    """Lazy clause generation; all-different as pairwise inequalities (Ohrimenko, Stuckey & Codish 2009)."""

    name = "cp:pumpkin"
    takes = ANY_BOARD
    requires = ("pumpkin-solver",)

    def prepare(self, shape: Shape) -> None:
        import pumpkin_solver
        from pumpkin_solver import constraints

        self.package, self.constraints = pumpkin_solver, constraints

    def encode(self, puzzle: Puzzle) -> Any:
        model, n = self.package.Model(seed=0), puzzle.shape.size
        self.cells = [model.new_integer_variable(clue or 1, clue or n) for clue in puzzle.cells]
        for unit in puzzle.shape.units:
            rule = self.constraints.AllDifferent([self.cells[cell] for cell in unit], model.new_constraint_tag())
            model.add_constraint(rule)
        for cell, value in puzzle.forbidden:
            self.forbid(model, [self.cells[cell]], [value])
        return model

    def forbid(self, model: Any, cells: list[Any], values: list[int]) -> None:
        model.add_constraint(self.constraints.NegativeTable(cells, [values], model.new_constraint_tag()))

    def find(self, model: Any) -> list[int] | None:
        answer = model.satisfy()
        if isinstance(answer, self.package.SatisfactionResult.Unsatisfiable):
            return None
        return [answer._0.int_value(cell) for cell in self.cells]

    def exclude(self, model: Any, cells: list[int]) -> None:
        self.forbid(model, self.cells, cells)

    def release(self) -> None:
        self.cells = []
