"""Engines of python-sat: a fresh solver for each puzzle, or a persistent one.

Engines differ in their abilities, and python-sat raises ``NotImplementedError`` for what an engine lacks. A strategy
probes its engine once, in ``prepare``, and avoids whatever would crash it: a second call of an engine that is not
incremental, an empty formula.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat import names, pysat_options
from sudoku_bench.solvers.sat.cnf import CnfStrategy, distinct_models
from sudoku_bench.solvers.sat.encodings import encoding_and_scheme
from sudoku_bench.solvers.strategy import Task, Unsupported

if TYPE_CHECKING:
    from sudoku_bench.solvers.sat.amo import Clause
    from sudoku_bench.solvers.sat.encodings.cell_codes import Readout

HOLES = range(1, 5)
WORK = [  # five pigeons, four holes: every engine needs conflicts, decisions and propagations to refute this
    *([4 * pigeon + hole for hole in HOLES] for pigeon in range(5)),
    *([-4 * a - hole, -4 * b - hole] for hole in HOLES for a in range(5) for b in range(a)),
]
COUNTERS = ("conflicts", "decisions", "propagations")
IDLE = [[1], [2]]  # needs no decision
TAUTOLOGY = [[1, -1]]  # in place of an empty formula, on which some engines crash
RENEWED = 256  # puzzles: of 17 clues, 64 and fewer cost more for loading, 512 and more for what was learnt


class PySatStrategy(CnfStrategy):
    """A fresh solver for each puzzle, or for each answer if the engine is not incremental."""

    requires = ("python-sat",)

    @classmethod
    def refused_options(cls, engine: str, options: names.Options) -> str:
        return pysat_options.refusal(engine, options)

    def prepare(self, shape: Shape) -> None:
        from pysat.solvers import Solver

        self.make_solver = Solver
        self.settings = pysat_options.settings(self.engine, self.options)
        self.statistics: Mapping[str, int] = {}
        self.probe_engine()
        super().prepare(shape)

    def probe_engine(self) -> None:
        """Determine the abilities of the engine.

        Raises:
            Unsupported: the engine does not start, or lacks an ability that the encoding or the clue handling needs.
        """
        try:
            trial = self.new_solver([[1, 2]], variables=2)
            self.is_incremental = offers(trial.solver.enum_models)
            self.has_statistics = offers(trial.accum_stats)
            self.idle_decisions = statistics_of(self.new_solver, IDLE).get("decisions", 0) if self.has_statistics else 0
            work = statistics_of(self.new_solver, WORK) if self.has_statistics else {}
            self.uncounted = [name for name in COUNTERS if not work.get(name)]
        except Unsupported:
            raise
        except Exception as error:
            message = " ".join(str(error).split()) or type(error).__name__
            raise Unsupported(f"{self.engine} does not start: {message}") from None
        if encoding_and_scheme(self.encoding)[1] == "native" and not trial.supports_atmost():
            raise Unsupported(f"{self.engine} takes no native at-most-one constraints")
        self.probe_further(trial)
        trial.delete()

    def new_solver(self, clauses: list[Clause], variables: int = 0) -> Any:
        """A solver with the clauses; options of the engine apply, a phase to the first so many variables."""
        if not self.options:
            return self.make_solver(name=self.engine, bootstrap_with=clauses)
        solver = self.make_solver(name=self.engine)
        solver.configure(self.settings.parameters)  # some engines refuse that once they have clauses
        solver.append_formula(clauses)
        if self.settings.phase is not None:
            sign = 1 if self.settings.phase else -1
            solver.set_phases([sign * variable for variable in range(1, variables + 1)])
        return solver

    def probe_further(self, trial: Any) -> None:
        """Probe what a subclass needs, on a solver with the clause ``1 or 2``."""

    def load(self, model: Any) -> Any:
        self.statistics = {}
        self.solver = self.new_solver(model.clauses or TAUTOLOGY, model.size.variables)
        for literals in model.at_mosts:
            self.solver.add_atmost(literals, 1)
        return model

    def search(self, model: Any, task: Task) -> list[Sequence[int]]:
        if self.is_incremental:
            return pysat_models(self.solver, task.limit, self.readout)
        clauses = list(model.clauses)

        def restart(clause: Clause) -> None:
            self.release()
            clauses.append(clause)
            self.solver = self.new_solver(clauses, model.size.variables)

        return distinct_models(lambda: next_model(self.solver), restart, task.limit, model.readout)

    def decode(self, answer: list[Sequence[int]]) -> list[list[int]]:
        self.models = len(answer)
        return super().decode(answer)

    def release(self) -> None:
        if self.has_statistics:
            before, found = self.statistics, self.solver.accum_stats() or {}
            self.statistics = {name: value + before.get(name, 0) for name, value in found.items()}
        self.solver.delete()

    def counters(self) -> Mapping[str, int]:
        """The size of the formula, and the statistics of the engine without those that it leaves at 0."""
        counted = {name: value for name, value in self.statistics.items() if name not in self.uncounted}
        return {**super().counters(), **true_decisions(counted, self.idle_decisions, self.models)}


class PersistentStrategy(PySatStrategy):
    """One solver with the rules for many puzzles; clues are assumptions.

    It becomes slower with all that it learns, so a new one takes over after ``RENEWED`` puzzles. A clause
    that excludes a solution must hold for its own puzzle only: it has an additional literal, which is assumed false
    while that puzzle is solved, and set to true afterwards.
    """

    persistent = True

    def prepare(self, shape: Shape) -> None:
        super().prepare(shape)
        if shape.pencilmarks and not self.rules.encoding.code.one_hot:
            raise Unsupported(f"no literal of {self.encoding} excludes a value alone, so none can be assumed")
        self.shape = shape
        self.renew()

    def renew(self) -> None:
        """Load the rules into a new solver."""
        formula = self.rules.with_units((0,) * self.shape.n_cells)
        self.size, self.readout = formula.size, formula.readout
        super().load(formula)
        self.last_variable = self.size.variables
        self.totals_before: Mapping[str, int] = {}
        self.puzzles = 0  # that this solver has been given

    def probe_further(self, trial: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not self.is_incremental or trial.solve(assumptions=[-1, -2]) or not trial.solve():
                raise Unsupported(f"{self.engine} takes no assumptions")

    def encode(self, puzzle: Any) -> Any:
        excluded = [x for clause in self.rules.exclusions(puzzle.forbidden) for x in clause]
        return self.rules.clue_literals(puzzle.cells) + excluded

    def load(self, model: Any) -> Any:
        if self.puzzles == RENEWED:
            self.solver.delete()
            self.renew()
        self.puzzles += 1
        return model

    def search(self, model: Any, task: Task) -> list[Sequence[int]]:
        if task.limit == 1:
            return [self.solver.get_model()] if self.solver.solve(assumptions=model) else []
        retired = self.last_variable + 1
        assumed = list(model)

        def exclude(clause: Clause) -> None:
            self.solver.add_clause([*clause, retired])
            if self.last_variable < retired:  # some engines refuse to assume a variable that is in no clause
                self.last_variable = retired
                assumed.append(-retired)

        models = distinct_models(lambda: next_model(self.solver, assumed), exclude, task.limit, self.readout)
        if self.last_variable == retired:
            self.solver.add_clause([retired])
        return models

    def release(self) -> None:
        totals = (self.solver.accum_stats() or {}) if self.has_statistics else {}
        self.statistics = {name: value - self.totals_before.get(name, 0) for name, value in totals.items()}
        self.totals_before = totals


def pysat_models(solver: Any, limit: int, readout: Readout) -> list[Sequence[int]]:
    """Return up to ``limit`` models of a PySAT solver that differ in their cells."""
    return distinct_models(lambda: next_model(solver), solver.add_clause, limit, readout)


def next_model(solver: Any, assumptions: Clause | tuple[()] = ()) -> list[int] | None:
    """Return a model under assumptions, or None if there is none."""
    model: list[int] | None = solver.get_model() if solver.solve(assumptions=assumptions) else None
    return model


def statistics_of(new_solver: Callable[[list[Clause]], Any], clauses: list[Clause]) -> Mapping[str, int]:
    """The statistics of an engine after it has solved a formula."""
    with new_solver(clauses) as solver:
        solver.solve()
        statistics: Mapping[str, int] = solver.accum_stats() or {}
        return statistics


def true_decisions(statistics: Mapping[str, int], idle: int, models: int) -> Mapping[str, int]:
    """Correct statistics so that a decision is one that assigned a variable.

    MiniSat and its descendants also count, for each model, the last step, which finds no variable left, and a variable
    0 that python-sat adds. The decisions that they count for ``IDLE`` are therefore subtracted for each model.
    """
    return {name: value - idle * models * (name == "decisions") for name, value in statistics.items()}


def offers(method: Callable[[], Any]) -> bool:
    """Whether python-sat implements a method for this engine. (If it returns a generator, that has not started.)"""
    try:
        method()
    except NotImplementedError:
        return False
    return True
