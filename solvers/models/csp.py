"""``csp:alldifferent@...``: python-constraint (Niemeyer; maintained by Willemsen) with its other solvers.

The library's default solver orders the variables once, before the search; it is ``seed:python-constraint``.
``backtracking`` and ``recursive`` choose at every step the variable with the most constraints and the smallest domain.
``csp:alldifferent+no-forward-check@...`` switches their forward checking off; ``optimized`` is the default solver.

``min-conflicts`` is a local search that stops after 1,000 rounds without a solution or a refutation.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any, ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register, register_family
from sudoku_bench.solvers.strategy import ANY_BOARD, GaveUp, Strategy, Task


class AllDifferentStrategy(Strategy):
    """Base: a variable per cell, one-value domains for clues, an all-different constraint per unit."""

    takes = ANY_BOARD
    requires = ("python-constraint2",)
    solver: ClassVar[str] = ""  # the name of a solver class of the library; empty for its default

    def prepare(self, shape: Shape) -> None:
        import constraint

        self.shape, self.constraint = shape, constraint

    def new_solver(self) -> Any:
        return getattr(self.constraint, self.solver)() if self.solver else None

    def encode(self, puzzle: Puzzle) -> Any:
        problem = self.constraint.Problem(self.new_solver())
        for cell, values in enumerate(puzzle.domains):
            problem.addVariable(cell, values)
        for unit in puzzle.shape.units:
            problem.addConstraint(self.constraint.AllDifferentConstraint(), unit)
        return problem

    def search(self, model: Any, task: Task) -> list[dict[int, int]]:
        if task.limit > 1:
            return list(islice(model.getSolutionIter(), task.limit))
        solution = model.getSolution()
        return [solution] if solution else []

    def decode(self, answer: list[dict[int, int]]) -> list[list[int]]:
        return [[values[cell] for cell in range(self.shape.n_cells)] for values in answer]


@register
class Backtracking(AllDifferentStrategy):
    """Variables with domains and forward checking; the next variable by degree and domain, chosen at each step
    (Niemeyer's python-constraint)."""

    name = "csp:alldifferent@backtracking"
    solver = "BacktrackingSolver"


@register
class RecursiveBacktracking(AllDifferentStrategy):
    """The same search by recursion (Niemeyer's python-constraint)."""

    name = "csp:alldifferent@recursive"
    solver = "RecursiveBacktrackingSolver"


@register
class MinConflicts(AllDifferentStrategy):
    """Local search (Minton and others 1992).

    Random numbers start from the same seed for every puzzle.
    """

    name = "csp:alldifferent@min-conflicts"
    tasks = ("first",)
    complete = False

    def new_solver(self) -> Any:
        return self.constraint.MinConflictsSolver(rand=Random(0))

    def search(self, model: Any, task: Task) -> list[dict[int, int]]:
        answers = super().search(model, task)
        if not answers:
            raise GaveUp("the local search found no solution")
        return answers


NO_FORWARD_CHECK = "csp:alldifferent+no-forward-check@"
CHECKING = {
    "backtracking": "BacktrackingSolver",
    "recursive": "RecursiveBacktrackingSolver",
    "optimized": "OptimizedBacktrackingSolver",
}


class WithoutForwardCheck(AllDifferentStrategy):
    """A value is tried without removing it from the variables that it constrains (Niemeyer's python-constraint)."""

    def new_solver(self) -> Any:
        return getattr(self.constraint, self.solver)(forwardcheck=False)


def without_forward_check(name: str) -> type[Strategy] | None:
    solver = CHECKING.get(name.removeprefix(NO_FORWARD_CHECK))
    return type(name, (WithoutForwardCheck,), {"name": name, "solver": solver}) if solver else None


register_family(f"{NO_FORWARD_CHECK}*", without_forward_check)
