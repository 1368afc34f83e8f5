"""``exact-cover:xcover``: exact cover by the package xcover (Rudge)."""

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
