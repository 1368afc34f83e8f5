"""``cdcl:complete+substituted``: conflict-driven clause learning in plain Python, with the package simplesat.

simplesat (Enthought) is a SAT solver after MiniSat, written for a package manager; it also backjumps. Its own search is
not used: it branches on the first open variable, and explains an unsatisfiable problem in terms of packages. The search
here branches on the variable with the highest activity, as in MiniSat, and tries true first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.sat.cnf import CnfStrategy, distinct_models
from sudoku_bench.solvers.strategy import Task

if TYPE_CHECKING:
    from sudoku_bench.solvers.sat.encodings.clues import Formula

DECAY = 0.95
MAX_ACTIVITY = 1e100  # beyond this, activities are scaled down


@register
class Simplesat(CnfStrategy):
    """Clause learning in plain Python: watched literals, first unique implication point, no restarts or clause deletion
    (Eén & Sörensson 2003)."""

    name = "cdcl:complete+substituted@simplesat"
    requires = ("simplesat",)
    encoding, clues = "complete", "substituted"

    def prepare(self, shape: Shape) -> None:
        from simplesat.errors import SatisfiabilityError
        from simplesat.sat import MiniSATSolver

        self.make_solver, self.contradiction = MiniSATSolver, SatisfiabilityError
        self.conflicts = self.decisions = 0
        super().prepare(shape)

    def search(self, model: Formula, task: Task) -> list[Sequence[int]]:
        self.conflicts = self.decisions = 0
        clauses = list(model.clauses)
        return distinct_models(lambda: self.find_model(clauses), clauses.append, task.limit, model.readout)

    def find_model(self, clauses: list[list[int]]) -> list[int] | None:
        """Find a model with a fresh solver; literals, or None if there is none."""
        solver = self.make_solver()
        try:
            for clause in clauses:
                solver.add_clause(clause)
        except self.contradiction:  # between unit clauses
            return None
        solver._setup_assignments()  # the only way to declare the variables
        return list(solver.trail) if self.is_satisfiable(solver) else None

    def is_satisfiable(self, solver: Any) -> bool:
        """Search until all variables are assigned (True) or the formula is refuted (False)."""
        activity = dict.fromkeys(solver.assignments.keys(), 0.0)
        bump = 1.0
        while True:
            conflict = solver.propagate()
            if conflict is None:
                if solver.number_assigned == solver.number_variables:
                    return True
                self.decisions += 1
                solver.assume(max(sorted(solver.assignments.unassigned_ids), key=activity.__getitem__))
            elif solver.decision_level == 0:
                return False
            else:
                self.conflicts += 1
                learned, level = solver.analyze(conflict)
                bump = increase(activity, learned, bump)
                solver.cancel_until(level)
                solver.record(learned)

    def counters(self) -> Mapping[str, int]:
        return {**super().counters(), "conflicts": self.conflicts, "decisions": self.decisions}


def increase(activity: dict[int, float], learned: Any, bump: float) -> float:
    """Increase the activities of a learnt clause's variables; return the increment for the next clause."""
    for literal in learned:
        activity[abs(literal)] += bump
    if bump > MAX_ACTIVITY:
        for variable in activity:
            activity[variable] /= MAX_ACTIVITY
        bump /= MAX_ACTIVITY
    return bump / DECAY
