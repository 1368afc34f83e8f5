"""``portfolio:probe``: estimates the difficulty of a puzzle, then selects the solver; the time of the probe counts.

Algorithm selection by features of the instance is due to Rice (1976); the progress of a short run as a feature is due
to Xu, Hutter, Hoos & Leyton-Brown (2008). The features here are the cells that singles leave open, and whether
``propagation:bitmask`` finishes within ``PROBE`` guesses. If it does not, a SAT solver starts anew, with all cells that
singles filled as clues.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.sat.strategies import strategy_of
from sudoku_bench.solvers.search.propagation import Masks, OutOfGuesses, Singles, Tree
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy, Task

SAT = "sat:complete+pairwise+substituted@cadical195"
PROBE = 100  # guesses; on 9×9 and 16×16 boards they take about as long as the SAT solver


@register
class Probe(Strategy):
    """Singles and up to 100 guesses of ``propagation:bitmask``; if that is not enough, CaDiCaL with the cells that
    singles filled (Rice 1976; Xu, Hutter, Hoos & Leyton-Brown 2008)."""

    name = "portfolio:probe"
    takes = ANY_BOARD
    requires = ("python-sat",)

    def prepare(self, shape: Shape) -> None:
        self.shape, self.singles = shape, Singles(shape)
        self.sat = strategy_of(SAT)()
        self.sat.prepare(shape)

    def encode(self, puzzle: Puzzle) -> Masks | None:
        """The candidates that singles leave, None on a contradiction."""
        return self.singles.parse(puzzle)

    def search(self, model: Masks | None, task: Task) -> list[list[int]]:
        self.tree, self.picked_sat = Tree(self.singles, PROBE), False
        if model is None:
            return []
        try:
            solutions = islice(self.tree.solutions(model.copy()), task.limit)
            return [[mask.bit_length() for mask in masks] for masks in solutions]
        except OutOfGuesses:
            self.picked_sat = True
            return self.by_sat(model, task)

    def by_sat(self, masks: Masks, task: Task) -> list[list[int]]:
        """Solve a state with the SAT solver."""
        if self.shape.pencilmarks:
            puzzle = Puzzle.of_candidates(self.shape, masks)
        else:
            puzzle = Puzzle(self.shape, tuple(0 if mask & (mask - 1) else mask.bit_length() for mask in masks))
        solver = self.sat.load(self.sat.encode(puzzle))
        return [list(cells) for cells in self.sat.decode(self.sat.search(solver, task))]

    def release(self) -> None:
        if self.picked_sat:
            self.sat.release()

    def counters(self) -> Mapping[str, float]:
        """The counters of the probe and, if it was selected, of the SAT solver (``picked_sat`` is 1)."""
        of_sat = self.sat.counters() if self.picked_sat else {}
        return {**of_sat, **self.tree.counters(), "picked_sat": int(self.picked_sat)}
