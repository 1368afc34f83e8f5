"""``cpmpy:alldifferent@SOLVER``: one model for every solver that the modelling language CPMpy supports.

CPMpy (Guns and others, KU Leuven) translates a model into the constraints of a solver: integers for CP-SAT and SCIP,
linear constraints over Booleans for Exact. It has an integer for each cell, whose domain is one value if there is a
clue, and an all-different constraint for each unit. SOLVER is CPMpy's own name, with a part of that solver after a
colon if there are several, such as ``minizinc:gecode``.

Three of its solvers are left out, because others here reach them: ``pysat`` needs a further package for models with
clues (``sat:``), ``choco`` keeps its search when a solution is excluded, and then overlooks others (``cp:choco``), and
the answers of ``z3`` depend on the puzzles before, in one context (``smt:``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register, register_family
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating, Strategy, Unsupported

FAMILY = "cpmpy"
MODEL = f"{FAMILY}:alldifferent@"
# The solvers, each with the distribution that contains it.
DISTRIBUTIONS = {
    "exact": "exact",
    "gcs": "gcspy",
    "highs": "highspy",
    "minizinc": "minizinc",
    "ortools": "ortools",
    "pindakaas": "pindakaas",
    "pumpkin": "pumpkin-solver",
    "scip": "pyscipopt",
}
DEFAULTS = ("ortools", "scip", "exact")
OPTIONS = {"ortools": {"num_search_workers": 1}}  # by default it uses all cores


class CpmpyStrategy(Enumerating):
    """An all-different constraint for each unit, translated by CPMpy for the solver after the @ (Guns 2019)."""

    takes = ANY_BOARD
    solver: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        import cpmpy

        self.cp = cpmpy
        self.options: Mapping[str, int] = OPTIONS.get(self.solver, {})
        if not cpmpy.SolverLookup.lookup(self.solver).supported():
            raise Unsupported(f"CPMpy cannot use {self.solver} here")

    def encode(self, puzzle: Puzzle) -> Any:
        n = puzzle.shape.size
        self.cells = [self.cp.intvar(clue or 1, clue or n) for clue in puzzle.cells]
        units = (self.cp.AllDifferent([self.cells[cell] for cell in unit]) for unit in puzzle.shape.units)
        return self.cp.Model([*units, *(self.cells[cell] != value for cell, value in puzzle.forbidden)])

    def load(self, model: Any) -> Any:
        return self.cp.SolverLookup.get(self.solver, model)

    def find(self, model: Any) -> list[int] | None:
        if model.solve(**self.options):
            return [int(cell.value()) for cell in self.cells]
        status = model.status().exitstatus.name
        if status != "UNSATISFIABLE":
            raise RuntimeError(f"{self.solver} reports {status}")
        return None

    def exclude(self, model: Any, cells: list[int]) -> None:
        model.add(self.cp.any([x != value for x, value in zip(self.cells, cells, strict=True)]))

    def release(self) -> None:
        self.cells = []


def strategy_of(full_name: str) -> type[Strategy] | None:
    """The strategy of an exact name; None if CPMpy has no such solver."""
    solver = full_name.removeprefix(MODEL)
    distribution = DISTRIBUTIONS.get(solver.partition(":")[0])
    if not full_name.startswith(MODEL) or distribution is None:
        return None
    attributes = {"name": full_name, "solver": solver, "requires": ("cpmpy", distribution), "__module__": __name__}
    return type(full_name, (CpmpyStrategy,), {**attributes, "__doc__": CpmpyStrategy.__doc__})


for _solver in DEFAULTS:
    _strategy = strategy_of(MODEL + _solver)
    assert _strategy
    register(_strategy)
register_family(f"{FAMILY}:*", strategy_of)
