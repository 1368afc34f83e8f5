"""``seed:pysat``: a proof of concept with PySAT's default solver (starting document 003)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.sat.cnf_pysat import IDLE, pysat_models, statistics_of, true_decisions
from sudoku_bench.solvers.sat.encodings import build
from sudoku_bench.solvers.strategy import Strategy, Task


@register
class SeedPysat(Strategy):
    """Exactly one, by pairs, over cells, rows, columns and boxes; unit clauses for clues; PySAT's default solver
    minisat22 (Ignatiev, Morgado & Marques-Silva 2018).

    The clauses are generated anew for every puzzle, as in the document's program. ``unique`` is the document's check:
    for each open cell, forbid the value of the first solution and solve again. Changed: forbidding is an assumption on
    the same solver; ``count:K`` is not in the document.
    """

    name = "seed:pysat"
    requires = ("python-sat",)

    def prepare(self, shape: Shape) -> None:
        from pysat.formula import CNF
        from pysat.solvers import Solver

        self.shape = shape
        self.readout = build("complete", shape).readout
        self.make_cnf, self.make_solver = CNF, Solver
        self.statistics: Mapping[str, int] = {}
        self.idle_decisions = statistics_of(lambda clauses: Solver(bootstrap_with=clauses), IDLE)["decisions"]

    def encode(self, puzzle: Puzzle) -> Any:
        clauses = rules(self.shape)
        n = self.shape.size
        self.open_cells = [cell for cell, clue in enumerate(puzzle.cells) if not clue]
        for cell, clue in enumerate(puzzle.cells):
            if clue:
                clauses.append([literal(n, cell // n, cell % n, clue)])
        return self.make_cnf(from_clauses=clauses)

    def load(self, model: Any) -> Any:
        self.solver = self.make_solver(bootstrap_with=model.clauses)
        return self.solver

    def search(self, model: Any, task: Task) -> list[Sequence[int]]:
        if task.name != "unique":
            return pysat_models(model, task.limit, self.readout)
        if not model.solve():
            return []
        first = model.get_model()
        values = self.decode([first])[0]
        n = self.shape.size
        for cell in self.open_cells:
            if model.solve(assumptions=[-literal(n, cell // n, cell % n, values[cell])]):
                return [first, model.get_model()]
        return [first]

    def decode(self, answer: list[Sequence[int]]) -> list[list[int]]:
        n, self.models = self.shape.size, len(answer)
        return [[(true - 1) % n + 1 for true in model if 0 < true <= n**3] for model in answer]

    def release(self) -> None:
        self.statistics = self.solver.accum_stats()
        self.solver.delete()

    def counters(self) -> Mapping[str, int]:
        return true_decisions(self.statistics, self.idle_decisions, self.models)


def literal(n: int, row: int, col: int, value: int) -> int:
    """The variable of a value (1 .. N) in a cell (row and column from 0): 1 .. N³."""
    return row * n * n + col * n + value


def exactly_one(literals: list[int]) -> list[list[int]]:
    clauses = [list(literals)]
    for i in range(len(literals)):
        for j in range(i + 1, len(literals)):
            clauses.append([-literals[i], -literals[j]])
    return clauses


def rules(shape: Shape) -> list[list[int]]:
    """The document's clauses: cells, rows, columns, boxes, each exactly one."""
    n = shape.size
    clauses: list[list[int]] = []
    for row in range(n):
        for col in range(n):
            clauses += exactly_one([literal(n, row, col, value) for value in range(1, n + 1)])
    for unit in shape.units:
        for value in range(1, n + 1):
            clauses += exactly_one([literal(n, cell // n, cell % n, value) for cell in unit])
    return clauses
