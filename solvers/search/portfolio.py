"""``portfolio:probe``: looks how hard a puzzle is, then picks who solves it; looking is part of the price.

Choosing an algorithm by features of the instance goes back to J. R. Rice ("The Algorithm Selection Problem", 1976); to
take how far a short run comes as a feature, to L. Xu, F. Hutter, H. Hoos & K. Leyton-Brown ("SATzilla", 2008). The
features here are what singles leave open, and whether ``propagation:bitmask`` is done within ``PROBE`` guesses. If it
is, that was the solve; if not, a SAT solver starts anew, with all that singles found as clues.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.sat.strategies import strategy_of
from solvers.search.propagation import Masks, OutOfGuesses, Singles, Tree
from solvers.strategy import Strategy, Task

SAT = "sat:complete+pairwise+substituted@cadical195"
PROBE = 100  # guesses: on 9×9 as on 16×16 boards about what the SAT solver costs


@register
class Probe(Strategy):
    name = "portfolio:probe"
    requires = ("python-sat",)

    def prepare(self, shape: Shape) -> None:
        self.shape, self.singles = shape, Singles(shape)
        self.sat = strategy_of(SAT)()
        self.sat.prepare(shape)

    def encode(self, puzzle: Puzzle) -> Masks | None:
        """What singles leave, None on a contradiction."""
        return self.singles.parse(puzzle)

    def search(self, model: Masks | None, task: Task) -> list[list[int]]:
        self.tree, self.picked_sat = Tree(self.singles, PROBE), False
        if model is None:
            return []
        try:
            found = islice(self.tree.solutions(model.copy()), task.limit)
            return [[mask.bit_length() for mask in masks] for masks in found]
        except OutOfGuesses:
            self.picked_sat = True
            return self.by_sat(model, task)

    def by_sat(self, masks: Masks, task: Task) -> list[list[int]]:
        """The solutions of a state, by the SAT solver."""
        clues = tuple(0 if mask & (mask - 1) else mask.bit_length() for mask in masks)
        solver = self.sat.load(self.sat.encode(Puzzle(self.shape, clues)))
        return [list(cells) for cells in self.sat.decode(self.sat.search(solver, task))]

    def release(self) -> None:
        if self.picked_sat:
            self.sat.release()

    def counters(self) -> Mapping[str, float]:
        """Those of the probe, those of the SAT solver where it was picked (``picked_sat`` is 1)."""
        of_sat = self.sat.counters() if self.picked_sat else {}
        return {**of_sat, **self.tree.counters(), "picked_sat": int(self.picked_sat)}
