"""``exact-cover:xcover`` and ``exact-cover:c``: exact cover by packages.

xcover (J. F. Rudge) is Knuth's "dancing cells" (sparse sets in place of links), compiled by numba. exact-cover
(M. Easwaran, J. Grahl) is dancing links in C; it is under the GNU GPL, so only ``make setup-gpl`` installs it.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.search.cover import CoverStrategy, allowed
from solvers.strategy import Task


@register
class Xcover(CoverStrategy):
    """Where two items have equally few options, the order of the package's sparse sets decides."""

    name = "exact-cover:xcover"
    requires = ("xcover",)

    def prepare(self, shape: Shape) -> None:
        import numpy as np
        from xcover import algorithm_c

        super().prepare(shape)
        self.np, self.algorithm = np, algorithm_c
        self.table = np.array(self.options, dtype=np.uint32)
        next(algorithm_c(*self.problem(allowed(Puzzle(shape, (0,) * shape.n_cells)))))  # numba loads what it compiled

    def encode(self, puzzle: Puzzle) -> list[int]:
        self.rows = super().encode(puzzle)
        return self.rows

    def load(self, model: list[int]) -> Any:
        return self.problem(model)

    def problem(self, rows: list[int]) -> tuple[Any, Any, Any, int, int]:
        """Items of all options, where each option begins, colours (none), how many items, how many optional ones."""
        np = self.np
        items = self.table[rows].ravel()
        begins = np.arange(0, len(items) + 1, 4, dtype=np.uint32)
        return items, begins, np.zeros(len(items), dtype=np.uint32), 4 * self.shape.n_cells, 0

    def search(self, model: Any, task: Task) -> list[list[int]]:
        found = islice(self.algorithm(*model), task.limit)
        return [[self.rows[int(place)] for place in places] for places in found]


@register
class ExactCover(CoverStrategy):
    name = "exact-cover:c"
    requires = ("exact-cover",)

    def prepare(self, shape: Shape) -> None:
        import exact_cover
        import numpy as np
        from exact_cover.error import NoSolution
        from exact_cover.io import DTYPE_FOR_ARRAY

        super().prepare(shape)
        self.package, self.no_solution = exact_cover, NoSolution
        self.matrix = np.zeros((len(self.options), 4 * shape.n_cells), dtype=DTYPE_FOR_ARRAY)
        self.matrix[np.arange(len(self.options))[:, None], np.array(self.options)] = 1

    def encode(self, puzzle: Puzzle) -> list[int]:
        self.rows = super().encode(puzzle)
        return self.rows

    def load(self, model: list[int]) -> Any:
        return self.matrix[model]

    def search(self, model: Any, task: Task) -> list[list[int]]:
        try:
            if task.limit == 1:
                found = [self.package.get_exact_cover(model)]
            else:
                found = sorted(self.package.get_all_solutions(model, max_count=task.limit))
                if found == [()]:  # what the package says where a solution takes all options: every cell is a clue
                    found = [range(len(self.rows))]
        except self.no_solution:
            return []
        return [[self.rows[int(place)] for place in places] for places in found]
