"""``cdcl:complete+substituted``: conflict-driven clause learning in plain Python.

The solver is that of simplesat (Enthought), written after MiniSat (N. Eén & N. Sörensson, "An Extensible SAT-solver",
2003) for a package manager: watched literals, learning up to the first unique implication point, backjumping; no
restarts, and nothing learnt is forgotten. Its own search ends an unsatisfiable problem with an explanation in terms
of packages, which has no meaning here and is not asked for, and takes the first open variable; here the variable that
occurred most in recent conflicts is taken (activities, as in MiniSat), and it is tried as true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.registry import register
from solvers.sat.cnf import distinct_models
from solvers.sat.encodings import build
from solvers.strategy import Strategy, Task

if TYPE_CHECKING:
    from solvers.sat.encodings.clues import Formula

DECAY = 0.95
TOO_MUCH = 1e100  # where activities are scaled down


@register
class Simplesat(Strategy):
    name = "cdcl:complete+substituted@simplesat"
    requires = ("simplesat",)

    def prepare(self, shape: Shape) -> None:
        from simplesat.errors import SatisfiabilityError
        from simplesat.sat import MiniSATSolver

        from solvers.sat.encodings.clues import Rules

        self.make_solver, self.contradiction = MiniSATSolver, SatisfiabilityError
        self.rules = Rules(build("complete", shape))
        self.conflicts = self.decisions = 0

    def encode(self, puzzle: Puzzle) -> Formula:
        self.formula = self.rules.substituted(puzzle.cells)
        return self.formula

    def search(self, model: Formula, task: Task) -> list[Sequence[int]]:
        self.conflicts = self.decisions = 0
        clauses = list(model.clauses)
        return distinct_models(lambda: self.model_of(clauses), clauses.append, task.limit, model.readout)

    def model_of(self, clauses: list[list[int]]) -> list[int] | None:
        """A model as literals, None if there is none; a fresh solver each time."""
        solver = self.make_solver()
        try:
            for clause in clauses:
                solver.add_clause(clause)
        except self.contradiction:  # between clauses of one literal
            return None
        solver._setup_assignments()  # the only way to say which variables there are
        return list(solver.trail) if self.satisfies(solver) else None

    def satisfies(self, solver: Any) -> bool:
        """Search until all variables are assigned, or nothing is left to search."""
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
                bump = bumped(activity, learned, bump)
                solver.cancel_until(level)
                solver.record(learned)

    def decode(self, answer: list[list[int]]) -> list[list[int]]:
        return [self.formula.readout.cells(model) for model in answer]

    def counters(self) -> Mapping[str, int]:
        size = self.formula.size
        exact = {"variables": size.variables, "clauses": size.clauses, "literals": size.literals}
        return {**exact, "conflicts": self.conflicts, "decisions": self.decisions}


def bumped(activity: dict[int, float], learned: Any, bump: float) -> float:
    """Raise the activities of a learnt clause's variables; by how much the next will be raised."""
    for literal in learned:
        activity[abs(literal)] += bump
    if bump > TOO_MUCH:
        for variable in activity:
            activity[variable] /= TOO_MUCH
        bump /= TOO_MUCH
    return bump / DECAY
