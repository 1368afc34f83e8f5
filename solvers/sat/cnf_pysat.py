"""Clauses through python-sat: a fresh solver for each puzzle, or one that stays.

Engines differ in what they can do, and python-sat says so by raising ``NotImplementedError``. A strategy asks its
engine once, when it prepares; what would crash (a second call of an engine that is not incremental, an empty formula)
is not asked for.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from datasets.shape import Shape
from solvers.sat.cnf import CnfStrategy, distinct_models
from solvers.sat.encodings import named
from solvers.strategy import Task, Unsupported

if TYPE_CHECKING:
    from solvers.sat.encodings.parts import Clause
    from solvers.sat.encodings.readout import Readout

HOLES = range(1, 5)
WORK = [  # five pigeons, four holes: no engine refutes that without conflicts, decisions and propagations
    *([4 * pigeon + hole for hole in HOLES] for pigeon in range(5)),
    *([-4 * a - hole, -4 * b - hole] for hole in HOLES for a in range(5) for b in range(a)),
]
COUNTED = ("conflicts", "decisions", "propagations")
IDLE = [[1], [2]]  # nothing to decide
SOMETHING = [[1, -1]]  # for engines that crash on nothing at all; says nothing either


class PySatStrategy(CnfStrategy):
    """A fresh solver for each puzzle; for each answer, if the engine can be asked only once."""

    requires = ("python-sat",)

    def prepare(self, shape: Shape) -> None:
        from pysat.solvers import Solver

        self.make_solver = Solver
        self.statistics: Mapping[str, int] = {}
        self.ask_engine()
        super().prepare(shape)

    def ask_engine(self) -> None:
        """Find out what the engine can do.

        Raises:
            Unsupported: it does not start, or lacks what the encoding needs.
        """
        try:
            trial = self.new_solver([[1, 2]])
            self.is_incremental = offers(trial.solver.enum_models)
            self.tells = offers(trial.accum_stats)
            self.idle_decisions = told_of(self.new_solver, IDLE).get("decisions", 0) if self.tells else 0
            work = told_of(self.new_solver, WORK) if self.tells else {}
            self.uncounted = [name for name in COUNTED if not work.get(name)]
        except Exception as error:
            words = " ".join(str(error).split()) or type(error).__name__
            raise Unsupported(f"{self.engine} does not start: {words}") from None
        if named(self.encoding)[1] == "native" and not trial.supports_atmost():
            raise Unsupported(f"{self.engine} takes no native at-most-one constraints")
        self.ask_trial(trial)
        trial.delete()

    def new_solver(self, clauses: list[Clause]) -> Any:
        return self.make_solver(name=self.engine, bootstrap_with=clauses)

    def ask_trial(self, trial: Any) -> None:
        """Find out what else is needed, on a solver that has the clause ``1 or 2``."""

    def load(self, model: Any) -> Any:
        self.statistics = {}
        self.solver = self.new_solver(model.clauses or SOMETHING)
        for literals in model.at_mosts:
            self.solver.add_atmost(literals, 1)
        return model

    def search(self, model: Any, task: Task) -> list[Sequence[int]]:
        if self.is_incremental:
            return pysat_models(self.solver, task.limit, self.formula.readout)
        clauses = list(model.clauses)

        def start_again(clause: Clause) -> None:
            self.release()
            clauses.append(clause)
            self.solver = self.new_solver(clauses)

        return distinct_models(lambda: next_model(self.solver), start_again, task.limit, model.readout)

    def decode(self, answer: list[Sequence[int]]) -> list[list[int]]:
        self.models = len(answer)
        return super().decode(answer)

    def release(self) -> None:
        if self.tells:
            self.statistics = total(self.statistics, self.solver.accum_stats() or {})
        self.solver.delete()

    def counters(self) -> Mapping[str, int]:
        """Sizes, and what the engine tells; what an engine always calls 0 is not known."""
        told = {name: value for name, value in self.statistics.items() if name not in self.uncounted}
        return {**super().counters(), **true_decisions(told, self.idle_decisions, self.models)}


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

    def ask_trial(self, trial: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not self.is_incremental or trial.solve(assumptions=[-1, -2]) or not trial.solve():
                raise Unsupported(f"{self.engine} takes no assumptions")

    def encode(self, puzzle: Any) -> Any:
        return self.rules.clue_literals(puzzle.cells)

    def load(self, model: Any) -> Any:
        return model

    def search(self, model: Any, task: Task) -> list[Sequence[int]]:
        if task.limit == 1:
            return [self.solver.get_model()] if self.solver.solve(assumptions=model) else []
        retired = self.last_variable + 1
        assumed = list(model)

        def exclude(clause: Clause) -> None:
            self.solver.add_clause([*clause, retired])
            if self.last_variable < retired:  # some engines refuse to assume what no clause has
                self.last_variable = retired
                assumed.append(-retired)

        found = distinct_models(lambda: next_model(self.solver, assumed), exclude, task.limit, self.formula.readout)
        if self.last_variable == retired:
            self.solver.add_clause([retired])
        return found

    def release(self) -> None:
        now = (self.solver.accum_stats() or {}) if self.tells else {}
        self.statistics = {name: value - self.before.get(name, 0) for name, value in now.items()}
        self.before = now


def pysat_models(solver: Any, limit: int, readout: Readout) -> list[Sequence[int]]:
    """Up to ``limit`` models of a PySAT solver that differ in their cells."""
    return distinct_models(lambda: next_model(solver), solver.add_clause, limit, readout)


def next_model(solver: Any, assumptions: Clause | tuple[()] = ()) -> list[int] | None:
    """A model under assumptions, or None if there is none."""
    model: list[int] | None = solver.get_model() if solver.solve(assumptions=assumptions) else None
    return model


def told_of(new_solver: Callable[[list[Clause]], Any], clauses: list[Clause]) -> Mapping[str, int]:
    """What an engine counts while it solves a formula."""
    with new_solver(clauses) as solver:
        solver.solve()
        told: Mapping[str, int] = solver.accum_stats() or {}
        return told


def true_decisions(told: Mapping[str, int], idle: int, models: int) -> Mapping[str, int]:
    """Statistics in which a decision is one that gave a variable its value.

    MiniSat and its kin count the last look before a model, which finds no variable left, and a variable 0 that
    python-sat adds: as many as they count for ``IDLE`` are taken off for each model.
    """
    return {name: value - idle * models * (name == "decisions") for name, value in told.items()}


def offers(method: Callable[[], Any]) -> bool:
    """Does python-sat have it for that engine? (A generator that it returns has not begun yet.)"""
    try:
        method()
    except NotImplementedError:
        return False
    return True


def total(a: Mapping[str, int], b: Mapping[str, int]) -> Mapping[str, int]:
    return {name: value + a.get(name, 0) for name, value in b.items()}
