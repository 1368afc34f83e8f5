"""``seed:pyeda``: PyEDA's Boolean expressions, as in its Sudoku tutorial (starting document 000)."""

from __future__ import annotations

import sys
from itertools import islice
from typing import Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import Strategy, Task


@register
class SeedPyeda(Strategy):
    """Boolean expressions: ``OneHot`` over cells, rows, columns and boxes; clues by assumption (``with``);
    ``satisfy_one``, which calls PicoSAT (Drake 2015; Biere 2008).

    The formula of the rules is built once per shape, as in the document. Changed:

    - The document prints ``len(S.args)``; PyEDA 0.29 has ``S.xs``, which keeps repeated clauses (11988 at 9×9; 10530
      are distinct, which is the number that the document prints).
    - The variables of each shape have their own name. PyEDA orders variables by age, so a board would otherwise get the
      variables of smaller boards in the same process first, and search in another order.
    - Tasks other than ``first`` are not in the document: ``satisfy_all`` ignores assumptions, so they conjoin the clues
      to the rules.
    - From CPython 3.12 on, PyEDA's ``satisfy_one`` crashes under Python's own allocator. Its process then runs with
      ``PYTHONMALLOC=malloc``, which can make it slightly slower or faster.
    """

    name = "seed:pyeda"
    requires = ("pyeda",)
    environ = {"PYTHONMALLOC": "malloc"} if sys.version_info >= (3, 12) else {}

    def prepare(self, shape: Shape) -> None:
        from pyeda.inter import And, OneHot, exprvars

        n = shape.size
        values = range(1, n + 1)
        name = f"x{shape.box_rows}x{shape.box_cols}"  # PyEDA keeps one variable of a name and index per process
        x = exprvars(name, (1, n + 1), (1, n + 1), (1, n + 1))
        cells = [x[r, c, v] for r in values for c in values for v in values]
        self.shape, self.conjoin = shape, And
        self.cell = [cells[start : start + n] for start in range(0, len(cells), n)]
        one_value = [OneHot(*self.cell[cell]) for cell in range(shape.n_cells)]
        one_place = [OneHot(*[self.cell[cell][v] for cell in unit]) for unit in shape.units for v in range(n)]
        self.rules = And(*one_value, *one_place)

    def encode(self, puzzle: Puzzle) -> Any:
        return self.conjoin(*[self.cell[cell][clue - 1] for cell, clue in enumerate(puzzle.cells) if clue])

    def search(self, model: Any, task: Task) -> list[Any]:
        if task.limit > 1:
            return list(islice(self.conjoin(self.rules, model).satisfy_all(), task.limit))
        if model.is_one():  # an empty grid: a constant cannot be assumed
            point = self.rules.satisfy_one()
        else:
            with model:
                point = self.rules.satisfy_one()
        return [] if point is None else [point]

    def decode(self, answer: list[Any]) -> list[list[int]]:
        return [[next((v for v, x in enumerate(xs, 1) if point[x]), 0) for xs in self.cell] for point in answer]
