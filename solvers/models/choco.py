"""``cp:choco``: the constraint solver Choco through pychoco.

Choco is compiled ahead of time from Java, so no Java is needed. The model has an integer for each cell, whose domain is
one value if there is a clue, and an all-different constraint for each unit. The search is the solver's default: domain
over weighted degree, with the last conflict first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy, Task


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
