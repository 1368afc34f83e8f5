"""``exact-cover:xcover`` and ``exact-cover:c``: exact cover by packages.

The packages are xcover (Rudge) and exact-cover (Easwaran, Grahl). The latter is under the GNU GPL, so only ``make
setup-gpl`` installs it.
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
    """Knuth's dancing cells (sparse sets in place of links), compiled by numba (Rudge's xcover).

    Ties between items with equally few options are broken by the order of the package's sparse sets.
    """

    name = "exact-cover:xcover"
    requires = ("xcover",)

    def prepare(self, shape: Shape) -> None:
        import numpy as np
        from xcover import algorithm_c

        super().prepare(shape)
        self.np, self.algorithm = np, algorithm_c
        self.table = np.array(self.options, dtype=np.uint32)
        next(algorithm_c(*self.problem(allowed(Puzzle(shape, (0,) * shape.n_cells)))))  # loads the compiled code

    def load(self, model: list[int]) -> Any:
        return self.problem(model)

    def problem(self, rows: list[int]) -> tuple[Any, Any, Any, int, int]:
        """The items of all options, the start of each option, colours (none), and the numbers of items and of optional
        items."""
        np = self.np
        items = self.table[rows].ravel()
        begins = np.arange(0, len(items) + 1, 4, dtype=np.uint32)
        return items, begins, np.zeros(len(items), dtype=np.uint32), 4 * self.shape.n_cells, 0

    def search(self, model: Any, task: Task) -> list[list[int]]:
        covers = islice(self.algorithm(*model), task.limit)
        return [[self.rows[int(place)] for place in places] for places in covers]


@register
class ExactCover(CoverStrategy):
    """Dancing links in C (Knuth 2000)."""

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

    def load(self, model: list[int]) -> Any:
        return self.matrix[model]

    def search(self, model: Any, task: Task) -> list[list[int]]:
        try:
            if task.limit == 1:
                covers = [self.package.get_exact_cover(model)]
            else:
                covers = sorted(self.package.get_all_solutions(model, max_count=task.limit))
                if covers == [()]:  # the package's answer if the solution consists of all options: every cell is a clue
                    covers = [range(len(self.rows))]
        except self.no_solution:
            return []
        return [[self.rows[int(place)] for place in places] for places in covers]
