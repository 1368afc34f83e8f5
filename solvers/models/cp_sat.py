"""``cp-sat:...``: OR-tools' CP-SAT, a constraint solver that learns clauses (Perron & Didier, Google).

CP-SAT runs with one thread, so that answers and counters are the same each time. The model of the rules is built once
per shape; each puzzle copies it and fixes its clues.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy, Task


class CpSatStrategy(Strategy):
    """Base of both models: one search for one solution, or CP-SAT's own enumeration for several."""

    takes = ANY_BOARD
    requires = ("ortools",)

    def prepare(self, shape: Shape) -> None:
        from ortools.sat.python import cp_model

        self.shape, self.package = shape, cp_model
        self.rules = cp_model.CpModel()
        self.state_rules()
        self.collector = type("Collector", (cp_model.CpSolverSolutionCallback,), {"on_solution_callback": collect})
        self.statistics: Mapping[str, int] = {}

    def state_rules(self) -> None:
        """Fill ``self.rules``."""
        raise NotImplementedError

    def fix(self, model: Any, cell: int, clue: int) -> None:
        """Fix a clue in a copy of the rules."""
        raise NotImplementedError

    def forbid(self, model: Any, cell: int, value: int) -> None:
        """Exclude a value in a copy of the rules."""
        raise NotImplementedError

    def value(self, values: list[int], cell: int) -> int:
        """A cell's value, given those of all variables in the order of the model."""
        raise NotImplementedError

    def encode(self, puzzle: Puzzle) -> Any:
        model = self.rules.clone()
        for cell, clue in enumerate(puzzle.cells):
            if clue:
                self.fix(model, cell, clue)
        for cell, value in puzzle.forbidden:
            self.forbid(model, cell, value)
        return model

    def search(self, model: Any, task: Task) -> list[list[int]]:
        solver = self.package.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = task.limit > 1
        collector = self.collector()
        collector.solutions, collector.limit = [], task.limit
        status = solver.solve(model, collector)
        if status not in (self.package.OPTIMAL, self.package.FEASIBLE, self.package.INFEASIBLE):
            raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")
        self.statistics = {"conflicts": solver.num_conflicts, "decisions": solver.num_branches}
        solutions: list[list[int]] = collector.solutions
        return solutions

    def decode(self, answer: list[list[int]]) -> list[list[int]]:
        return [[self.value(values, cell) for cell in range(self.shape.n_cells)] for values in answer]

    def counters(self) -> Mapping[str, int]:
        """``decisions`` are called branches by the solver."""
        return self.statistics


def collect(collector: Any) -> None:
    """The callback for each solution: append it, and stop the search at the limit."""
    collector.solutions.append(list(collector.response_proto.solution))
    if len(collector.solutions) == collector.limit:
        collector.stop_search()


@register
class Booleans(CpSatStrategy):
    """CP-SAT on N³ Booleans, with an exactly-one constraint for each cell and for each value in each unit; one thread
    (Perron & Didier)."""

    name = "cp-sat:booleans"

    def state_rules(self) -> None:
        n, rules = self.shape.size, self.rules
        x = [[rules.new_bool_var("") for _ in range(n)] for _ in range(self.shape.n_cells)]
        for cell in x:
            rules.add_exactly_one(cell)
        for unit in self.shape.full_units:
            for v in range(n):
                rules.add_exactly_one(x[cell][v] for cell in unit)
        for unit in self.shape.small_units:
            for v in range(n):
                rules.add_at_most_one(x[cell][v] for cell in unit)

    def fix(self, model: Any, cell: int, clue: int) -> None:
        model.add_bool_or(model.get_bool_var_from_proto_index(cell * self.shape.size + clue - 1))

    def forbid(self, model: Any, cell: int, value: int) -> None:
        model.add_bool_or(~model.get_bool_var_from_proto_index(cell * self.shape.size + value - 1))

    def value(self, values: list[int], cell: int) -> int:
        n = self.shape.size
        return values.index(1, cell * n, cell * n + n) - cell * n + 1


@register
class AllDifferent(CpSatStrategy):
    """CP-SAT on an integer for each cell, with an all-different constraint for each unit; one thread (Perron &
    Didier)."""

    name = "cp-sat:alldifferent"

    def state_rules(self) -> None:
        x = [self.rules.new_int_var(1, self.shape.size, "") for _ in range(self.shape.n_cells)]
        for unit in self.shape.units:
            self.rules.add_all_different(x[cell] for cell in unit)

    def fix(self, model: Any, cell: int, clue: int) -> None:
        model.add(model.get_int_var_from_proto_index(cell) == clue)

    def forbid(self, model: Any, cell: int, value: int) -> None:
        model.add(model.get_int_var_from_proto_index(cell) != value)

    def value(self, values: list[int], cell: int) -> int:
        return values[cell]
