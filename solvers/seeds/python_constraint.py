"""``seed:python-constraint``: the library's default solver on 81 variables (starting document 002)."""

from __future__ import annotations

from typing import Any

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.models.csp import all_different_problem, solutions
from solvers.registry import register
from solvers.strategy import Strategy, Task


@register
class SeedPythonConstraint(Strategy):
    """A variable per cell, clues as one-value domains, all-different per row, column and box; the default solver
    (Niemeyer's python-constraint).

    The default solver orders its variables once, before the search. Some puzzles therefore take minutes for which the
    same library with a dynamic order (``csp:alldifferent@backtracking``) needs a fraction of a second.

    Changed: the document is Python 2 and imports a package that is no longer maintained; python-constraint2 is its
    successor. Its default solver has been rewritten since (it was ``csp:alldifferent@backtracking``).
    """

    name = "seed:python-constraint"
    requires = ("python-constraint2",)

    def prepare(self, shape: Shape) -> None:
        import constraint

        self.shape = shape
        self.constraint = constraint

    def encode(self, puzzle: Puzzle) -> Any:
        return all_different_problem(self.constraint, puzzle)

    def search(self, model: Any, task: Task) -> list[dict[int, int]]:
        return solutions(model, task)

    def decode(self, answer: list[dict[int, int]]) -> list[list[int]]:
        return [[values[cell] for cell in range(self.shape.n_cells)] for values in answer]
