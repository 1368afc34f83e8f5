"""``exact-cover:xcover`` and ``exact-cover:c``: exact cover by packages.

The packages are xcover (Rudge) and exact-cover (Easwaran, Grahl). The latter is under the GNU GPL, so only ``make
setup-gpl`` installs it.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.search.cover import CoverStrategy, padded
from sudoku_bench.solvers.strategy import Task


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
        options, needed, self.n_items = padded(self.options)
        self.table, self.n_optional = np.array(options, dtype=np.uint32), self.n_items - needed
        next(algorithm_c(*self.problem([*range(len(options))])), None)  # loads the compiled code

    def load(self, model: list[int]) -> Any:
        return self.problem(model)

    def problem(self, rows: list[int]) -> tuple[Any, Any, Any, int, int]:
        """The items of all options, the start of each option, colours (none), and the numbers of items and of optional
        items."""
        np = self.np
        items = self.table[rows].ravel()
        begins = np.arange(0, len(items) + 1, self.table.shape[1], dtype=np.uint32)
        return items, begins, np.zeros(len(items), dtype=np.uint32), self.n_items, self.n_optional

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
        self.matrix = np.zeros((len(self.options), 1 + max(map(max, self.options))), dtype=DTYPE_FOR_ARRAY)
        for row, option in zip(self.matrix, self.options, strict=True):
            row[list(option)] = 1

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
