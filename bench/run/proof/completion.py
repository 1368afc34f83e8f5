"""Whether every grid is part of a model: clauses follow from the rules, and auxiliary variables satisfy the others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from sudoku_bench.bench.run.proof.rules import Rules
from sudoku_bench.bench.run.proof.solver import Clock, core, require_model, satisfiable, solver_of
from sudoku_bench.solvers.sat.amo import Clause

if TYPE_CHECKING:
    from pysat.solvers import Solver

WORK = 800_000  # clauses that examples of values of cells are held against, for a part with auxiliary variables ...
EXAMPLES = 2_500  # ... and the most examples


class Completion:
    """Proves that no grid violates clauses, whose auxiliary variables are chosen part by part.

    Attributes:
        known: the variables of cells, and auxiliary variables that were chosen by the clauses that define them.
        about: what holds of these and of the values of cells, by the first variable of each clause.
        behind: for a known variable, those that it depends on.
        decided: for the form of a part, whether it can be completed.
    """

    def __init__(self, rules: Rules, pairwise: list[Clause], grids: Solver, clock: Clock) -> None:
        self.rules, self.grids, self.clock, self.free = rules, grids, clock, rules.free
        self.rule = {frozenset(clause) for clause in pairwise}
        self.known = set(range(1, rules.encoding.cell_variables + 1))
        self.about: dict[int, list[Clause]] = {}
        for clause in [*pairwise, *rules.definitions]:
            self.about.setdefault(abs(clause[0]), []).append(clause)
        self.behind = dict[int, set[int]]()
        width = rules.encoding.code.width
        for cell, values in enumerate(rules.y if rules.definitions else ()):
            own = range(cell * width + 1, (cell + 1) * width + 1)
            self.behind |= {x: {*own, *values} for x in own}
        self.decided: dict[Hashable, bool] = {}

    def undecided(self, clauses: Sequence[Clause]) -> int:
        """Return how many clauses were not decided.

        Raises:
            Violation: a grid violates one.
        """
        plain, parts = _split(clauses, self.known)
        asked = [list(clause) for clause in {frozenset(clause) for clause in plain} - self.rule]
        count = sum(not self._impossible([-x for x in clause], "the clause ({})") for clause in asked)
        return count + sum(map(self._undecided_of_part, parts))

    def _undecided_of_part(self, part: list[Clause]) -> int:
        variables = self.known.intersection(abs(x) for clause in part for x in clause)
        is_in_unit = len(variables) <= self.rules.shape.n_cells  # other parts are first split
        if is_in_unit and self._completes(part):
            return 0
        defined, others = _defined(part, self.known)
        if not defined:
            return 0 if not is_in_unit and self._completes(part) else len(part)
        if not all(map(self._completes, defined.values())):
            return len(part)
        for x, clauses in defined.items():
            self.behind[x] = self._behind(clauses)
            self.grids.append_formula(clauses)
            for clause in clauses:
                self.about.setdefault(abs(clause[0]), []).append(clause)
        self.known |= defined.keys()
        return self.undecided(others)

    def _behind(self, clauses: Iterable[Clause]) -> set[int]:
        variables = {abs(x) for clause in clauses for x in clause}
        return variables.union(*(self.behind.get(x, ()) for x in variables))

    def _completes(self, part: list[Clause]) -> bool:
        """Whether this was proved: auxiliary variables satisfy a part of the clauses, whatever the grid."""
        number = {x: place for place, x in enumerate(sorted(self._behind(part)), start=1)}
        about = [clause for x in number for clause in self.about.get(x, ()) if all(abs(y) in number for y in clause)]
        among = list(dict.fromkeys(map(tuple, about)))
        form = tuple(tuple(number[abs(x)] * (1 if x > 0 else -1) for x in clause) for clause in [*part, *among])
        key = len(part), tuple(place for x, place in number.items() if x in self.known), form
        if (is_decided := self.decided.get(key)) is None:
            learned = self._learned(part, among)
            is_decided = learned is not None
            if not learned:  # so it is the same for other cells
                self.decided[key] = is_decided
        return is_decided

    def _learned(self, part: list[Clause], among: Sequence[Sequence[int]]) -> list[Clause] | None:
        """Prove that a part can be completed.

        Values of cells are refined by counterexamples, as for quantified formulas (Janota et al., 2016).

        Args:
            among: what holds of the known variables of the part alone, from which the refinement starts.

        Returns:
            What else of the rules was needed; None if it was not decided.
        """
        known, clock, learned = self.known, self.clock, list[Clause]()
        variables = sorted({abs(x) for clause in part for x in clause if abs(x) in known})
        with solver_of(among) as cells, solver_of(part) as completions:
            for _ in range(min(EXAMPLES, WORK // len(part))):
                if not (answer := satisfiable(cells, [], clock)):
                    return None if answer is None else learned
                true = set(cells.get_model() or ())
                values = [x if x in true else -x for x in variables]
                answer = satisfiable(completions, values, clock)
                if answer:  # whatever else these auxiliary variables satisfy violates a clause that they leave open
                    fixed = {x for x in completions.get_model() if abs(x) not in known}
                    left = [clause for clause in part if fixed.isdisjoint(clause)]
                    if not left:
                        return learned
                    for number, clause in enumerate(left, start=self.free + 1):
                        cells.append_formula([[-number, -x] for x in clause if abs(x) in known])
                    cells.add_clause(list(range(self.free + 1, self.free + 1 + len(left))))
                    self.free += len(left)
                    continue
                if answer is None:
                    return None
                reason = core(completions, values)
                if not self._impossible(reason):
                    return None
                learned.append([-x for x in core(self.grids, reason)])
                cells.add_clause(learned[-1])
        return None

    def _impossible(self, reason: Sequence[int], how: str = "({}) follows, which") -> bool:
        """Whether this was proved: no grid has literals that contradict the clauses.

        Raises:
            Violation: one has, and no other auxiliary variables that were chosen before help.
        """
        answer = satisfiable(self.grids, reason, self.clock)
        if answer:
            model = self.grids.get_model()
            if all(abs(x) <= self.rules.encoding.cell_variables for x in reason):
                raise self.rules.excluded(reason, model, how)
            with solver_of(self.rules.clauses, self.rules.definitions) as whole:
                require_model(self.rules, whole, set(model), self.clock)
        return answer is False


def _defined(part: list[Clause], known: set[int]) -> tuple[dict[int, list[Clause]], list[Clause]]:
    """Find new variables that clauses without further ones make true and false; these clauses, and all others."""
    new = [{abs(x) for x in clause} - known for clause in part]
    alone: dict[int, list[Clause]] = {}
    for clause, (x, *more) in zip(part, new, strict=True):
        if not more:
            alone.setdefault(x, []).append(clause)
    defined = {x: clauses for x, clauses in alone.items() if {x, -x} <= {y for clause in clauses for y in clause}}
    others = [
        clause for clause, variables in zip(part, new, strict=True) if len(variables) > 1 or variables - defined.keys()
    ]
    return defined, others


def _split(clauses: Sequence[Clause], known: set[int]) -> tuple[list[Clause], list[list[Clause]]]:
    """Split clauses into those over known variables, and parts of the others that share no other variable."""
    leaders: dict[int, int] = {}

    def leader(x: int) -> int:
        while (above := leaders.setdefault(x, x)) != x:
            leaders[x] = leaders[above]
            x = above
        return x

    auxiliary = [[abs(x) for x in clause if abs(x) not in known] for clause in clauses]
    for first, x in ((variables[0], x) for variables in auxiliary for x in variables):
        leaders[leader(x)] = leader(first)
    parts: dict[int, list[Clause]] = {0: []}
    for clause, variables in zip(clauses, auxiliary, strict=True):
        parts.setdefault(leader(variables[0]) if variables else 0, []).append(clause)
    return parts.pop(0), list(parts.values())
