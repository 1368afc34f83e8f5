"""``cp-sat:...``: OR-tools' CP-SAT, a constraint solver that learns clauses (L. Perron & F. Didier, Google).

One thread, so that answers and counters are the same each time. The rules are a model that is built once per shape;
a puzzle gets a copy of it and fixes what its clues say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.strategy import Strategy, Task


class CpSatStrategy(Strategy):
    """What both models share: one search for one solution, or CP-SAT's own enumeration for several."""

    requires = ("ortools",)

    def prepare(self, shape: Shape) -> None:
        from ortools.sat.python import cp_model

        self.shape, self.package = shape, cp_model
        self.rules = cp_model.CpModel()
        self.state_rules()
        self.collector = type("Collector", (cp_model.CpSolverSolutionCallback,), {"on_solution_callback": keep})
        self.statistics: Mapping[str, int] = {}

    def state_rules(self) -> None:
        """Fill ``self.rules``."""
        raise NotImplementedError

    def fix(self, model: Any, cell: int, clue: int) -> None:
        """Say in a copy of the rules what a clue is."""
        raise NotImplementedError

    def value(self, values: list[int], cell: int) -> int:
        """A cell's value, given those of all variables in the order of the model."""
        raise NotImplementedError

    def encode(self, puzzle: Puzzle) -> Any:
        model = self.rules.clone()
        for cell, clue in enumerate(puzzle.cells):
            if clue:
                self.fix(model, cell, clue)
        return model

    def search(self, model: Any, task: Task) -> list[list[int]]:
        solver = self.package.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = task.limit > 1
        collector = self.collector()
        collector.found, collector.limit = [], task.limit
        status = solver.solve(model, collector)
        if status not in (self.package.OPTIMAL, self.package.FEASIBLE, self.package.INFEASIBLE):
            raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")
        self.statistics = {"conflicts": solver.num_conflicts, "decisions": solver.num_branches}
        found: list[list[int]] = collector.found
        return found

    def decode(self, answer: list[list[int]]) -> list[list[int]]:
        return [[self.value(values, cell) for cell in range(self.shape.n_cells)] for values in answer]

    def counters(self) -> Mapping[str, int]:
        """``decisions``: what the solver calls branches."""
        return self.statistics


def keep(collector: Any) -> None:
    """What happens at each solution: keep it, and stop when there are enough."""
    collector.found.append(list(collector.response_proto.solution))
    if len(collector.found) == collector.limit:
        collector.stop_search()


@register
class Booleans(CpSatStrategy):
    """N³ Booleans, an exactly-one constraint for each cell and for each value in each unit."""

    name = "cp-sat:booleans"

    def state_rules(self) -> None:
        n, rules = self.shape.size, self.rules
        x = [[rules.new_bool_var("") for _ in range(n)] for _ in range(self.shape.n_cells)]
        for cell in x:
            rules.add_exactly_one(cell)
        for unit in self.shape.units:
            for v in range(n):
                rules.add_exactly_one(x[cell][v] for cell in unit)

    def fix(self, model: Any, cell: int, clue: int) -> None:
        model.add_bool_or(model.get_bool_var_from_proto_index(cell * self.shape.size + clue - 1))

    def value(self, values: list[int], cell: int) -> int:
        n = self.shape.size
        return values.index(1, cell * n, cell * n + n) - cell * n + 1


@register
class AllDifferent(CpSatStrategy):
    """An integer for each cell, an all-different constraint for each unit."""

    name = "cp-sat:alldifferent"

    def state_rules(self) -> None:
        x = [self.rules.new_int_var(1, self.shape.size, "") for _ in range(self.shape.n_cells)]
        for unit in self.shape.units:
            self.rules.add_all_different(x[cell] for cell in unit)

    def fix(self, model: Any, cell: int, clue: int) -> None:
        model.add(model.get_int_var_from_proto_index(cell) == clue)

    def value(self, values: list[int], cell: int) -> int:
        return values[cell]
