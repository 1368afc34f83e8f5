"""``bdd:digits+substituted@...``: all solutions at once, as a binary decision diagram.

There is a variable for each candidate that the clues leave. The first step makes a diagram for each digit alone, with
all ways to place it; the second step is their conjunction, the digit with the smallest diagram first, each with the
rule that it shares no cell with the digits before. The result contains all solutions: a diagram without nodes means no
solution, one path means one. Diagrams become very large if there are few clues, so the strategy gives up beyond
``MAX_NODES``.

The package is dd (California Institute of Technology): ``autoref`` is plain Python, ``cudd`` wraps the C library CUDD
(Somenzi), if the package was built with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar

from sudoku_bench.datasets.layouts import Units
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, GaveUp, Strategy, Task, Unsupported

MAX_NODES = 200_000  # plain Python takes about ten seconds to reach this

Variables = dict[tuple[int, int], Any]  # by cell and digit, digit by digit: the order of the diagram


class Diagrams(Strategy):
    takes = ANY_BOARD
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
        answers = []
        for point in islice(self.bdd.pick_iter(solutions, care_vars=set(names)), task.limit):
            cells = list(model.cells)
            for name, true in point.items():
                if true:
                    cell, digit = names[name]
                    cells[cell] = digit
            answers.append(cells)
        return answers

    def declare(self, cell: int, digit: int) -> Any:
        name = f"x{cell}_{digit}"
        self.bdd.declare(name)
        return self.bdd.var(name)

    def conjunction(self, puzzle: Puzzle, x: Variables) -> Any:
        """The diagram of all rules.

        Raises:
            GaveUp: a diagram exceeds ``MAX_NODES``.
        """
        n = puzzle.shape.size
        alone = {digit: self.digit(puzzle, x, digit) for digit in range(1, n + 1)}
        solutions, before = self.bdd.true, list[int]()
        for digit in sorted(alone, key=lambda digit: len(alone[digit])):
            solutions = self.checked(solutions & alone[digit])
            for cell in range(puzzle.shape.n_cells):
                others = [x[cell, other] for other in before if (cell, other) in x]
                if others and (cell, digit) in x:
                    exclusive = self.bdd.ite(x[cell, digit], self.none_of(others), self.bdd.true)
                    solutions = self.checked(solutions & exclusive)
            before.append(digit)
        for cell, clue in enumerate(puzzle.cells):
            if not clue:
                solutions &= self.exactly_one([x[cell, digit] for digit in before if (cell, digit) in x])
        return solutions

    def digit(self, puzzle: Puzzle, x: Variables, digit: int) -> Any:
        """The diagram of all ways to place a digit, without the other digits."""
        shape, ways = puzzle.shape, self.bdd.true
        for group in sorted(places(puzzle, x, digit, shape.full_units), key=len):
            ways &= self.exactly_one(group)
        for group in places(puzzle, x, digit, shape.small_units):
            ways &= self.exactly_one(group) | self.none_of(group)
        return self.checked(ways)

    def checked(self, diagram: Any) -> Any:
        """Return the diagram if it is not too large.

        Raises:
            GaveUp: it exceeds ``MAX_NODES``.
        """
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
        """``diagram_nodes``: the size of the largest intermediate diagram."""
        return {"diagram_nodes": self.largest}


def places(puzzle: Puzzle, x: Variables, digit: int, units: Units) -> Iterator[list[Any]]:
    """The places of a digit in each unit where it is no clue."""
    for unit in units:
        if all(puzzle.cells[cell] != digit for cell in unit):
            yield [x[cell, digit] for cell in unit if (cell, digit) in x]


def candidates_of(puzzle: Puzzle) -> Iterator[tuple[int, int]]:
    """Pairs of a cell without a clue and a digit that is allowed there, and not the clue of a peer."""
    forbidden: dict[int, set[int]] = {}
    for cell, digit in puzzle.forbidden:
        forbidden.setdefault(cell, set()).add(digit)
    for cell, clue in enumerate(puzzle.cells):
        if not clue:
            seen = {puzzle.cells[peer] for peer in puzzle.shape.peers[cell]} | forbidden.get(cell, set())
            yield from ((cell, digit) for digit in range(1, puzzle.shape.size + 1) if digit not in seen)


@register
class Autoref(Diagrams):
    """One decision diagram with all solutions, joined digit by digit, in plain Python (Bryant 1986)."""

    name = "bdd:digits+substituted@autoref"
    module = "dd.autoref"


@register
class Cudd(Diagrams):
    """The same decision diagram with the C library CUDD (Bryant 1986; Somenzi)."""

    name = "bdd:digits+substituted@cudd"
    module = "dd.cudd"
