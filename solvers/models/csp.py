"""``csp:alldifferent@...``: python-constraint (G. Niemeyer; kept by F.-J. Willemsen) with each of its other solvers.

The library's default solver orders the variables once, before searching; it is ``seed:python-constraint``.
``backtracking`` and ``recursive`` look again at every step for the variable with the most constraints and the
smallest domain.

The other two are what the library offers, not what one would choose. ``min-conflicts`` is a local search (S. Minton and
others, 1992) that stops after 1,000 rounds with nothing found and nothing refuted. ``parallel`` lists all solutions
before it answers, without forward checking; it shares out the values of the variable with the smallest domain, which
is one job where there is a clue.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any, ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.strategy import GaveUp, Strategy, Task


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


@register
class MinConflicts(AllDifferentStrategy):
    """Random numbers start from the same seed for every puzzle."""

    name = "csp:alldifferent@min-conflicts"
    tasks = ("first",)
    complete = False

    def encode(self, puzzle: Puzzle) -> Any:
        return all_different_problem(self.constraint, puzzle, self.constraint.MinConflictsSolver(rand=Random(0)))

    def search(self, model: Any, task: Task) -> list[dict[int, int]]:
        found = solutions(model, task)
        if not found:
            raise GaveUp("a local search without success")
        return found


@register
class Parallel(AllDifferentStrategy):
    """In threads, as is the solver's default. Whatever is asked for, all solutions are found first."""

    name = "csp:alldifferent@parallel"
    solver = "ParallelSolver"

    def search(self, model: Any, task: Task) -> list[dict[int, int]]:
        found: list[dict[int, int]] = model.getSolutions()
        return found[: task.limit]


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
