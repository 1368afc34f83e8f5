"""``ilp:...``: integer linear programming, with a 0-1 variable for each value of each cell.

The variables of each cell, and of each value in each unit, sum to 1; clues are bounds; a cut excludes a solution.
``highs`` is HiGHS as contained in scipy. It computes in floating point, so its proofs hold within its tolerances; all
coefficients here are 0 or 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.search.cover import cells_of, options_of
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating, Task

OPTIMAL, INFEASIBLE = 0, 2  # statuses of scipy's milp


@register
class Highs(Enumerating):
    """0-1 programming by branch and cut; a cut excludes each solution before the search for the next one (Bartlett and
    others 2008; Huangfu & Hall 2018)."""

    name = "ilp:highs"
    takes = ANY_BOARD
    requires = ("scipy",)

    def prepare(self, shape: Shape) -> None:
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        self.shape, self.np, self.milp, self.bounds, self.constraint = shape, np, milp, Bounds, LinearConstraint
        options = options_of(shape)
        items = [item for option in options for item in option]
        variables = np.repeat(np.arange(len(options)), [*map(len, options)])
        ones = csr_array((np.ones(len(items)), (items, variables)))
        self.rules = LinearConstraint(ones, 1, 1)
        self.zeros, self.integral = np.zeros(len(options)), np.ones(len(options), np.int64)
        self.nodes = 0

    def encode(self, puzzle: Puzzle) -> Any:
        n, lower = puzzle.shape.size, self.zeros.copy()
        lower[[cell * n + clue - 1 for cell, clue in enumerate(puzzle.cells) if clue]] = 1
        if not puzzle.forbidden:
            return self.bounds(lower, 1)
        upper = self.np.ones(len(lower))
        upper[[cell * n + value - 1 for cell, value in puzzle.forbidden]] = 0
        return self.bounds(lower, upper)

    def search(self, model: Any, task: Task) -> list[list[int]]:
        self.nodes, self.constraints = 0, [self.rules]
        return super().search(model, task)

    def find(self, model: Any) -> list[int] | None:
        answer: Any = self.milp(self.zeros, integrality=self.integral, bounds=model, constraints=self.constraints)
        self.nodes += answer.get("mip_node_count") or 0
        if answer.status == INFEASIBLE:
            return None
        if answer.status != OPTIMAL:
            raise RuntimeError(f"HiGHS ended with: {answer.message}")
        return cells_of(self.shape, self.np.flatnonzero(answer.x > 0.5).tolist())

    def exclude(self, model: Any, cells: list[int]) -> None:
        cut = self.zeros.copy()
        cut[[cell * self.shape.size + value - 1 for cell, value in enumerate(cells)]] = 1
        self.constraints.append(self.constraint(cut, ub=self.shape.n_cells - 1))

    def counters(self) -> Mapping[str, int]:
        """``nodes`` of branch and bound, summed over all programs solved."""
        return {"nodes": self.nodes}
