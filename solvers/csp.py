"""``csp:alldifferent@...``: python-constraint with the solvers that choose their next variable while they search.

The library's default solver orders the variables once, before searching; it is ``seed:python-constraint``. The two
here look again at every step for the variable with the most constraints and the smallest domain.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.strategy import Strategy, Task


class AllDifferentStrategy(Strategy):
    """A variable per cell, one-value domains for clues, an all-different constraint per unit."""

    requires = ("python-constraint2",)
    solver: ClassVar[str]  # the name of a solver class of the library

    def prepare(self, shape: Shape) -> None:
        import constraint

        self.shape = shape
        self.constraint = constraint

    def encode(self, puzzle: Puzzle) -> Any:
        return all_different_problem(self.constraint, puzzle, getattr(self.constraint, self.solver)())

    def search(self, model: Any, task: Task) -> list[dict[int, int]]:
        return solutions(model, task)

    def decode(self, answer: list[dict[int, int]]) -> list[list[int]]:
        return [[values[cell] for cell in range(self.shape.n_cells)] for values in answer]


@register
class Backtracking(AllDifferentStrategy):
    name = "csp:alldifferent@backtracking"
    solver = "BacktrackingSolver"


@register
class RecursiveBacktracking(AllDifferentStrategy):
    name = "csp:alldifferent@recursive"
    solver = "RecursiveBacktrackingSolver"


def all_different_problem(constraint: Any, puzzle: Puzzle, solver: Any = None) -> Any:
    """A python-constraint problem for a puzzle, for one of its solvers (None: the library's default)."""
    problem = constraint.Problem(solver)
    values = range(1, puzzle.shape.size + 1)
    for cell, clue in enumerate(puzzle.cells):
        problem.addVariable(cell, [clue] if clue else values)
    for unit in puzzle.shape.units:
        problem.addConstraint(constraint.AllDifferentConstraint(), unit)
    return problem


def solutions(problem: Any, task: Task) -> list[dict[int, int]]:
    """Up to ``task.limit`` solutions, as value by variable."""
    if task.limit > 1:
        return list(islice(problem.getSolutionIter(), task.limit))
    found = problem.getSolution()
    return [found] if found else []
