"""``bdd:digits+substituted@...``: all solutions at once, as a binary decision diagram (R. E. Bryant, 1986).

A variable for each candidate that the clues leave. First a diagram for each digit alone (all ways to place it), then
their conjunction, the digit with the smallest diagram first; with each digit goes the rule that it shares no cell
with those before. What comes out says everything: no node means no solution, one path means one. Diagrams grow
without bound where there are few clues; the strategy gives up beyond ``MAX_NODES``.

The package is dd (California Institute of Technology): ``autoref`` in plain Python, ``cudd`` around the C library CUDD
(F. Somenzi), where the package was built with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.strategy import GaveUp, Strategy, Task, Unsupported

MAX_NODES = 200_000  # plain Python takes some ten seconds to come that far

Variables = dict[tuple[int, int], Any]  # by cell and digit, digit by digit: the order of the diagram


class Diagrams(Strategy):
    requires = ("dd",)
    complete = False
    module: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        from importlib import import_module

        self.shape = shape
        try:
            self.package = import_module(self.module)
        except ImportError as error:
            raise Unsupported(f"{self.module} is not part of this build of dd: {error}") from None
        self.largest = 0

    def load(self, model: Puzzle) -> Puzzle:
        self.bdd = self.package.BDD()
        self.bdd.configure(reordering=False)
        self.largest = 0
        return model

    def search(self, model: Puzzle, task: Task) -> list[list[int]]:
        if any(model.clashes()):
            return []
        candidates = candidates_of(model)
        x = {pair: self.declare(*pair) for pair in sorted(candidates, key=lambda pair: pair[::-1])}
        solutions = self.conjunction(model, x)
        names = {f"x{cell}_{digit}": (cell, digit) for cell, digit in x}
        found = []
        for point in islice(self.bdd.pick_iter(solutions, care_vars=set(names)), task.limit):
            cells = list(model.cells)
            for name, true in point.items():
                if true:
                    cell, digit = names[name]
                    cells[cell] = digit
            found.append(cells)
        return found

    def declare(self, cell: int, digit: int) -> Any:
        name = f"x{cell}_{digit}"
        self.bdd.declare(name)
        return self.bdd.var(name)

    def conjunction(self, puzzle: Puzzle, x: Variables) -> Any:
        """All rules at once.

        Raises:
            GaveUp: a diagram outgrew ``MAX_NODES``.
        """
        n = puzzle.shape.size
        alone = {digit: self.digit(puzzle, x, digit) for digit in range(1, n + 1)}
        solutions, before = self.bdd.true, list[int]()
        for digit in sorted(alone, key=lambda digit: len(alone[digit])):
            solutions = self.grown(solutions & alone[digit])
            for cell in range(puzzle.shape.n_cells):
                others = [x[cell, other] for other in before if (cell, other) in x]
                if others and (cell, digit) in x:
                    apart = self.bdd.ite(x[cell, digit], self.none_of(others), self.bdd.true)
                    solutions = self.grown(solutions & apart)
            before.append(digit)
        for cell, clue in enumerate(puzzle.cells):
            if not clue:
                solutions &= self.exactly_one([x[cell, digit] for digit in before if (cell, digit) in x])
        return solutions

    def digit(self, puzzle: Puzzle, x: Variables, digit: int) -> Any:
        """All ways to place a digit, each other being left out."""
        places = (
            [x[cell, digit] for cell in unit if (cell, digit) in x]
            for unit in puzzle.shape.units
            if all(puzzle.cells[cell] != digit for cell in unit)
        )
        ways = self.bdd.true
        for group in sorted(places, key=len):
            ways &= self.exactly_one(group)
        return self.grown(ways)

    def grown(self, diagram: Any) -> Any:
        """The diagram itself, if it is not too large."""
        size = len(diagram)
        self.largest = max(self.largest, size)
        if size > MAX_NODES:
            raise GaveUp(f"a diagram has grown beyond {MAX_NODES} nodes")
        return diagram

    def none_of(self, variables: list[Any]) -> Any:
        none = self.bdd.true
        for variable in variables:
            none &= ~variable
        return none

    def exactly_one(self, variables: list[Any]) -> Any:
        bdd = self.bdd
        none, one = bdd.true, bdd.false
        for variable in sorted(variables, key=lambda variable: variable.level, reverse=True):
            none, one = bdd.ite(variable, bdd.false, none), bdd.ite(variable, none, one)
        return one

    def release(self) -> None:
        del self.bdd

    def counters(self) -> Mapping[str, int]:
        """``diagram_nodes``: the size of the largest diagram on the way."""
        return {"diagram_nodes": self.largest}


def candidates_of(puzzle: Puzzle) -> Iterator[tuple[int, int]]:
    """Cells without a clue, with each digit that is no clue of a peer."""
    for cell, clue in enumerate(puzzle.cells):
        if not clue:
            seen = {puzzle.cells[peer] for peer in puzzle.shape.peers[cell]}
            yield from ((cell, digit) for digit in range(1, puzzle.shape.size + 1) if digit not in seen)


@register
class Autoref(Diagrams):
    name = "bdd:digits+substituted@autoref"
    module = "dd.autoref"


@register
class Cudd(Diagrams):
    name = "bdd:digits+substituted@cudd"
    module = "dd.cudd"
