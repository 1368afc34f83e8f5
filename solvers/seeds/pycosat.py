"""``seed:pycosat``: lists of Python integers for pycosat (starting document 001)."""

from __future__ import annotations

from itertools import combinations

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import Strategy, Task

Clauses = list[list[int] | tuple[int, int]]


@register
class SeedPycosat(Strategy):
    """Lists of Python integers for PicoSAT: each cell has exactly one digit, by pairs; blocks, rows and columns all
    different (Biere 2008).

    The clauses are generated anew for every puzzle, as in the document's program; all solutions are found by excluding
    each solution and solving again.

    Changed: a clause over all cells excludes a solution (what the document describes would exclude a digit from a cell,
    and lose solutions with it); its "9x9 block" is a 3×3 box. ``itersolve``, which converts the lists when it is called
    and searches when it is asked for a solution, replaces ``solve`` for the first solution: the document suspects that
    most of the time goes into the lists, and the phases show it.
    """

    name = "seed:pycosat"
    requires = ("pycosat",)

    def prepare(self, shape: Shape) -> None:
        import pycosat

        self.shape = shape
        self.solve, self.itersolve = pycosat.solve, pycosat.itersolve

    def encode(self, puzzle: Puzzle) -> Clauses:
        n = self.shape.size
        cells = [list(range(first, first + n)) for first in range(1, n**3 + 1, n)]
        clauses: Clauses = []
        for digits in cells:
            clauses.append(digits)
            clauses += [(-a, -b) for a, b in combinations(digits, 2)]
        for unit in self.shape.boxes + self.shape.rows + self.shape.columns:
            for a, b in combinations(unit, 2):
                clauses += [(-x, -y) for x, y in zip(cells[a], cells[b], strict=True)]
        clauses += [[cells[cell][clue - 1]] for cell, clue in enumerate(puzzle.cells) if clue]
        return clauses

    def load(self, model: Clauses) -> Clauses:
        self.converted = self.itersolve(model)
        return model

    def search(self, model: Clauses, task: Task) -> list[list[int]]:
        answers: list[list[int]] = []
        while len(answers) < task.limit:
            answer = self.solve(model) if answers else next(self.converted, None)
            if answer is None or answer == "UNSAT":
                break
            answers.append([literal for literal in answer if literal > 0])
            model.append([-literal for literal in answers[-1]])
        return answers

    def release(self) -> None:
        del self.converted

    def decode(self, answer: list[list[int]]) -> list[list[int]]:
        n = self.shape.size
        return [[(literal - 1) % n + 1 for literal in sorted(literals)] for literals in answer]
