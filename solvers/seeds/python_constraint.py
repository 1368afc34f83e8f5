"""``seed:python-constraint``: the library's default solver on 81 variables (starting document 002)."""

from __future__ import annotations

from sudoku_bench.solvers.models.csp import AllDifferentStrategy
from sudoku_bench.solvers.registry import register


@register
class SeedPythonConstraint(AllDifferentStrategy):
    """A variable per cell, clues as one-value domains, all-different per row, column and box; the default solver
    (Niemeyer's python-constraint).

    The default solver orders its variables once, before the search. Some puzzles therefore take minutes for which the
    same library with a dynamic order (``csp:alldifferent@backtracking``) needs a fraction of a second.

    Changed: the document is Python 2 and imports a package that is no longer maintained; python-constraint2 is its
    successor. Its default solver has been rewritten since (it was ``csp:alldifferent@backtracking``).
    """

    name = "seed:python-constraint"
    takes = ()
