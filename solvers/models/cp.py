"""``cp:choco`` and ``cp:pumpkin``: constraint solvers with an integer for each cell and all-different for each unit.

The domain of a cell is one value if there is a clue. Choco is compiled ahead of time from Java, so no Java is needed;
its search is the default one: domain over weighted degree, with the last conflict first. Pumpkin (Demirović and others,
TU Delft) learns clauses; a row of a negative table excludes a solution.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating, Strategy, Task


class ChocoStrategy(Strategy):
    takes = ANY_BOARD
    requires = ("pychoco",)
    consistency: ClassVar[str]  # of all-different, by the name of its propagator in the package

    def prepare(self, shape: Shape) -> None:
        from pychoco.model import Model

        self.shape, self.make_model = shape, Model
        self.statistics: Mapping[str, int] = {}

    def encode(self, puzzle: Puzzle) -> Any:
        model = self.make_model()
        cells = [
            model.intvar(values[0], values[-1]) if values[-1] - values[0] < len(values) else model.intvar([*values])
            for values in puzzle.domains
        ]
        for unit in puzzle.shape.units:
            model.all_different([cells[cell] for cell in unit], self.consistency).post()
        return model, cells

    def search(self, model: Any, task: Task) -> list[list[int]]:
        problem, cells = model
        solver = problem.get_solver()
        answers: list[list[int]] = []
        while len(answers) < task.limit and solver.solve():
            answers.append([cell.get_value() for cell in cells])
        self.statistics = {"backtracks": solver.get_backtrack_count(), "failures": solver.get_fail_count()}
        return answers

    def counters(self) -> Mapping[str, int]:
        """Without the number of nodes: some versions of the package return a time in its place."""
        return self.statistics


@register
class ArcConsistent(ChocoStrategy):
    """All-different with arc consistency; domain over weighted degree (Régin 1994; Prud'homme & Fages 2022)."""

    name = "cp:choco"
    consistency = "AC"


@register
class BoundsConsistent(ChocoStrategy):
    """All-different with bounds consistency; domain over weighted degree (Prud'homme & Fages 2022)."""

    name = "cp:choco+bounds"
    consistency = "BC"


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
