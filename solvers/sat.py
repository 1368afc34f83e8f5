"""``sat:ENCODING+pairwise@ENGINE``: CNF encodings through python-sat and pycosat, a fresh solver for each puzzle.

The clauses of the rules are built once per shape; a puzzle adds unit clauses for its clues. Further solutions are
found by excluding each one found (``pycosat.itersolve`` does the same inside).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.encodings import ENCODINGS, Clause, clue_units, solution_of
from solvers.registry import register, register_family
from solvers.strategy import Strategy, Task

PYSAT_ENGINES = ("cadical195", "glucose4", "minisat22")
DEFAULTS = (
    *(f"sat:complete+pairwise@{engine}" for engine in (*PYSAT_ENGINES, "pycosat")),
    "sat:natural+pairwise@cadical195",
    "sat:minimal+pairwise@cadical195",
)


class CnfStrategy(Strategy):
    """Rules as clauses, built once per shape; what a puzzle adds is its clues."""

    encoding: ClassVar[str]
    engine: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        self.shape = shape
        self.rules = ENCODINGS[self.encoding](shape)

    def encode(self, puzzle: Puzzle) -> list[Clause]:
        return self.rules + clue_units(puzzle.shape, puzzle.cells)

    def decode(self, answer: list[Sequence[int]]) -> list[list[int]]:
        return [solution_of(self.shape, model) for model in answer]


class PySatStrategy(CnfStrategy):
    requires = ("python-sat",)

    def prepare(self, shape: Shape) -> None:
        from pysat.solvers import Solver

        self.make_solver = Solver
        self.statistics: Mapping[str, int] = {}
        super().prepare(shape)

    def load(self, model: list[Clause]) -> Any:
        self.solver = self.make_solver(name=self.engine, bootstrap_with=model)
        return self.solver

    def search(self, model: Any, task: Task) -> list[list[int]]:
        return pysat_models(model, task.limit, self.shape)

    def release(self) -> None:
        self.statistics = self.solver.accum_stats() or {}
        self.solver.delete()

    def counters(self) -> Mapping[str, int]:
        return self.statistics


class PycosatStrategy(CnfStrategy):
    requires = ("pycosat",)

    def prepare(self, shape: Shape) -> None:
        import pycosat

        self.solve_one, self.solve_all = pycosat.solve, pycosat.itersolve
        super().prepare(shape)

    def search(self, model: list[Clause], task: Task) -> list[list[int]]:
        if task.limit > 1:
            return list(islice(self.solve_all(model), task.limit))
        answer = self.solve_one(model)
        return [] if answer == "UNSAT" else [answer]


def pysat_models(solver: Any, limit: int, shape: Shape) -> list[list[int]]:
    """Up to ``limit`` models of a PySAT solver that differ in the cell variables, each excluded once it is found."""
    models: list[list[int]] = []
    last = shape.n_cells * shape.size
    while len(models) < limit and solver.solve():
        models.append(solver.get_model())
        if len(models) < limit:
            solver.add_clause([-literal for literal in models[-1] if 0 < literal <= last])
    return models


def strategy_of(full_name: str) -> type[Strategy] | None:
    """The strategy of an exact name, or None if no encoding, scheme or engine is called so."""
    model, _, engine = full_name.removeprefix("sat:").partition("@")
    encoding, _, scheme = model.partition("+")
    if encoding not in ENCODINGS or scheme != "pairwise" or engine not in (*PYSAT_ENGINES, "pycosat"):
        return None
    base = PycosatStrategy if engine == "pycosat" else PySatStrategy
    return type(full_name, (base,), {"name": full_name, "encoding": encoding, "engine": engine})


for _name in DEFAULTS:
    _strategy = strategy_of(_name)
    assert _strategy is not None, _name
    register(_strategy)
register_family("sat", strategy_of)
