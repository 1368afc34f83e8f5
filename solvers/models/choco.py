"""``cp:choco``: the constraint solver Choco through pychoco (C. Prud'homme & J.-G. Fages, "Choco-solver", 2022).

Compiled ahead of time from Java; no Java is needed. An integer for each cell whose domain is one value where there is
a clue, an all-different constraint for each unit, propagated to arc consistency (Régin 1994) or to bounds; the
solver's default search (domain over weighted degree, with the last conflict first).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.strategy import Strategy, Task


class ChocoStrategy(Strategy):
    requires = ("pychoco",)
    consistency: ClassVar[str]  # what the package calls the propagator of all-different

    def prepare(self, shape: Shape) -> None:
        from pychoco.model import Model

        self.shape, self.make_model = shape, Model
        self.statistics: Mapping[str, int] = {}

    def encode(self, puzzle: Puzzle) -> Any:
        model, n = self.make_model(), puzzle.shape.size
        cells = [model.intvar(clue, clue) if clue else model.intvar(1, n) for clue in puzzle.cells]
        for unit in puzzle.shape.units:
            model.all_different([cells[cell] for cell in unit], self.consistency).post()
        return model, cells

    def search(self, model: Any, task: Task) -> list[list[int]]:
        problem, cells = model
        solver = problem.get_solver()
        found: list[list[int]] = []
        while len(found) < task.limit and solver.solve():
            found.append([cell.get_value() for cell in cells])
        self.statistics = {"backtracks": solver.get_backtrack_count(), "failures": solver.get_fail_count()}
        return found

    def counters(self) -> Mapping[str, int]:
        """Not the nodes: some versions of the package answer with a time when asked for them."""
        return self.statistics


@register
class ArcConsistent(ChocoStrategy):
    name = "cp:choco"
    consistency = "AC"


@register
class BoundsConsistent(ChocoStrategy):
    name = "cp:choco+bounds"
    consistency = "BC"
