"""``sat:ENCODING[+AMO][+CLUES]@ENGINE``: CNF encodings through python-sat and pycosat.

The clauses of the rules are made once per shape; what a puzzle adds are its clues: unit clauses where nothing is
written, ``+substituted`` for clauses in which they are put in, ``+assumptions`` for one solver that keeps the rules
(and what it learnt) from puzzle to puzzle. Further solutions are found by excluding the cells of each one found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.encodings import HANDLINGS, build, named
from solvers.registry import register, register_family
from solvers.strategy import Strategy, Task

if TYPE_CHECKING:
    from solvers.encodings.clues import Formula
    from solvers.encodings.parts import Clause
    from solvers.encodings.readout import Readout

NATIVE_ENGINES = ("minicard", "gluecard3", "gluecard4")  # these take "at most k" as it is
PYSAT_ENGINES = ("cadical195", "glucose4", "minisat22", *NATIVE_ENGINES)
ENGINES = (*PYSAT_ENGINES, "pycosat")
DEFAULTS = (
    *(f"sat:complete+pairwise@{engine}" for engine in ("cadical195", "glucose4", "minisat22", "pycosat")),
    "sat:natural+pairwise@cadical195",
    "sat:minimal+pairwise@cadical195",
    "sat:complete+product@cadical195",
    "sat:complete+native@minicard",
    "sat:augmented@cadical195",
    "sat:order@cadical195",
    "sat:log@cadical195",
    "sat:complete+pairwise+substituted@cadical195",
    "sat:complete+pairwise+assumptions@glucose4",
)


class CnfStrategy(Strategy):
    """Rules as clauses, made once per shape; what a puzzle adds is its clues."""

    encoding: ClassVar[str]
    clues: ClassVar[str]  # empty for unit clauses
    engine: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        from solvers.encodings.clues import Rules

        self.rules = Rules(build(self.encoding, shape))
        self.formula_of = self.rules.substituted if self.clues == "substituted" else self.rules.with_units
        self.formula_of((0,) * shape.n_cells)  # what all puzzles share is made now

    def encode(self, puzzle: Puzzle) -> Any:
        self.formula = self.formula_of(puzzle.cells)
        return self.formula

    def decode(self, answer: list[Sequence[int]]) -> list[list[int]]:
        return [self.formula.readout.cells(model) for model in answer]

    def counters(self) -> Mapping[str, int]:
        size = self.formula.size
        exact = {"variables": size.variables, "clauses": size.clauses, "literals": size.literals}
        return exact | ({"at_mosts": size.at_mosts} if size.at_mosts else {})


class PySatStrategy(CnfStrategy):
    """A fresh solver for each puzzle."""

    requires = ("python-sat",)

    def prepare(self, shape: Shape) -> None:
        from pysat.solvers import Solver

        self.make_solver = Solver
        self.statistics: Mapping[str, int] = {}
        super().prepare(shape)

    def load(self, model: Any) -> Any:
        self.solver = self.make_solver(name=self.engine, bootstrap_with=model.clauses)
        for literals in model.at_mosts:
            self.solver.add_atmost(literals, 1)
        return self.solver

    def search(self, model: Any, task: Task) -> list[list[int]]:
        return pysat_models(model, task.limit, self.formula.readout)

    def release(self) -> None:
        self.statistics = self.solver.accum_stats() or {}
        self.solver.delete()

    def counters(self) -> Mapping[str, int]:
        return {**super().counters(), **self.statistics}


class PersistentStrategy(PySatStrategy):
    """One solver that has the rules, for all puzzles: clues are assumptions.

    A clause that excludes a solution holds for its own puzzle only: it has a literal more, which is assumed false as
    long as that puzzle is asked for, and true ever after.
    """

    persistent = True

    def prepare(self, shape: Shape) -> None:
        super().prepare(shape)
        self.formula = self.rules.with_units((0,) * shape.n_cells)
        super().load(self.formula)
        self.last_variable = self.formula.size.variables
        self.before: Mapping[str, int] = {}

    def encode(self, puzzle: Puzzle) -> Any:
        return self.rules.clue_literals(puzzle.cells)

    def load(self, model: Any) -> Any:
        return model

    def search(self, model: Any, task: Task) -> list[list[int]]:
        if task.limit == 1:
            return [self.solver.get_model()] if self.solver.solve(assumptions=model) else []
        self.last_variable += 1
        retired = self.last_variable

        def exclude(clause: Clause) -> None:
            self.solver.add_clause([*clause, retired])

        found = distinct_models(
            lambda: self.solver.get_model() if self.solver.solve(assumptions=[*model, -retired]) else None,
            exclude,
            task.limit,
            self.formula.readout,
        )
        self.solver.add_clause([retired])
        return found

    def release(self) -> None:
        now = self.solver.accum_stats() or {}
        self.statistics = {name: value - self.before.get(name, 0) for name, value in now.items()}
        self.before = now


class PycosatStrategy(CnfStrategy):
    """PicoSAT, a fresh solver for each answer; its own enumeration where no auxiliary variable could repeat cells."""

    requires = ("pycosat",)

    def prepare(self, shape: Shape) -> None:
        import pycosat

        self.solve_one, self.solve_all = pycosat.solve, pycosat.itersolve
        super().prepare(shape)

    def search(self, model: Formula, task: Task) -> list[list[int]]:
        clauses, readout = list(model.clauses), model.readout
        if task.limit > 1 and len(readout.adds) == model.size.variables > 0:
            return list(islice(self.solve_all(clauses), task.limit))
        return distinct_models(lambda: self.next_model(clauses), clauses.append, task.limit, readout)

    def next_model(self, clauses: list[Clause]) -> list[int] | None:
        answer = self.solve_one(clauses)
        return None if answer == "UNSAT" else answer


def distinct_models(
    next_model: Callable[[], list[int] | None], exclude: Callable[[Clause], Any], limit: int, readout: Readout
) -> list[list[int]]:
    """Up to ``limit`` models that differ in their cells, each excluded once it is found."""
    models: list[list[int]] = []
    while len(models) < limit and (model := next_model()) is not None:
        models.append(model)
        if len(models) == limit:
            break
        others = readout.other_cells(model)
        if not others:  # every cell is a clue
            break
        exclude(others)
    return models


def pysat_models(solver: Any, limit: int, readout: Readout) -> list[list[int]]:
    """Up to ``limit`` models of a PySAT solver that differ in their cells."""
    return distinct_models(lambda: solver.get_model() if solver.solve() else None, solver.add_clause, limit, readout)


def model_of(text: str) -> tuple[str, str]:
    """Encoding with its scheme, and clue handling, of a text such as ``complete+product+substituted``.

    Raises:
        InputError: there is no such encoding or scheme.
    """
    encoding, plus, clues = text.rpartition("+")
    if not plus or clues not in HANDLINGS:
        encoding, clues = text, ""
    named(encoding)
    return encoding, clues


def fault_of(encoding: str, clues: str, engine: str) -> str:
    """Why these do not make a strategy, or nothing."""
    scheme = named(encoding)[1]
    if scheme and "+" not in encoding:
        return f"say which at-most-one scheme, such as {encoding}+{scheme}"
    if clues == "units":
        return "unit clauses are what no clue handling stands for; leave out +units"
    if engine not in ENGINES:
        return f"no engine is called {engine!r}; choose one of {', '.join(ENGINES)}"
    if scheme == "native" and engine not in NATIVE_ENGINES:
        return f"{engine} has no native at-most-one constraints; choose one of {', '.join(NATIVE_ENGINES)}"
    if clues == "assumptions" and engine == "pycosat":
        return f"pycosat takes no assumptions; choose one of {', '.join(PYSAT_ENGINES)}"
    return ""


def strategy_of(full_name: str) -> type[Strategy]:
    """The strategy of an exact name.

    Raises:
        InputError: no encoding, scheme, clue handling or engine is called so, or they do not go together.
    """
    model, _, engine = full_name.removeprefix("sat:").partition("@")
    if engine.startswith("/"):  # a program on the PATH
        from solvers import outside_dimacs

        return outside_dimacs.on_path(full_name)
    try:
        encoding, clues = model_of(model)
        fault = fault_of(encoding, clues, engine)
    except InputError as error:
        fault = str(error)
    if fault:
        raise InputError(f"no strategy is called {full_name}: {fault}; see `sudoku-bench list strategies`")
    fresh = PycosatStrategy if engine == "pycosat" else PySatStrategy
    base = PersistentStrategy if clues == "assumptions" else fresh
    return type(full_name, (base,), {"name": full_name, "encoding": encoding, "clues": clues, "engine": engine})


for _name in DEFAULTS:
    register(strategy_of(_name))
register_family("sat", strategy_of)
