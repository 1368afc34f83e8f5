"""Whether the models of an encoding are exactly the grids: a proof by a SAT solver, or a counterexample.

Rules and clauses are asked one by one: is this implied? ``Violation`` shows what is not, and a grid, or what is none.
Nothing here trusts the code that made the clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from operator import and_, or_
from typing import TYPE_CHECKING

from bench.proof.completion import Completion
from bench.proof.rules import Rules, Violation
from bench.proof.solver import Clock, require_model, satisfiable, solver_of
from solvers.sat.amo import Clause
from solvers.sat.encodings.encoding import Encoding

if TYPE_CHECKING:
    from pysat.solvers import Solver

__all__ = ["Violation", "prove"]

# Of the tries, the first without search: rules that follow by counting, not by resolution, take very many conflicts.
CONFLICTS = (0, 1_000, -1)


def prove(encoding: Encoding, grids: Iterable[Sequence[int]], limit_s: float) -> str:
    """Prove that every model of an encoding is a grid, and that every grid is part of a model; return what was shown.

    The first is decided exactly. So is the second: clause by clause where there are no auxiliary variables, otherwise
    for each part that shares none with other clauses. Where this takes too much ``WORK``, grids are tried.

    Args:
        grids: full grids, each the values of N² cells, that are tried.
        limit_s: wall time in seconds, of each of the two; what was not decided by then is said.

    Raises:
        Violation: it does not hold.
    """
    rules = Rules(encoding)
    return f"{_models_are_grids(rules, limit_s)}; {_grids_are_models(rules, grids, limit_s)}"


def _follows(rules: Rules, solver: Solver, clause: Clause, clock: Clock, conflicts: int) -> bool:
    """Whether a rule was shown to follow from an encoding.

    Raises:
        Violation: it does not.
    """
    answer = satisfiable(solver, [-x for x in clause], clock, conflicts)
    if answer:
        rules.require_grid(solver.get_model())
    return answer is False


def _models_are_grids(rules: Rules, limit_s: float) -> str:
    """Prove that each group has one true literal in every model.

    A counting argument saves questions on which resolution takes exponential time (Haken, 1985). Cells, rows, columns
    and boxes have N² groups each, with the same number of true literals. So if one of them has at least one in each
    group, and one has at most one, then any that has either has exactly one; and so has any other unit of N cells.
    """
    clock, known = Clock(limit_s), {frozenset(clause) for clause in rules.clauses}
    with solver_of(rules.clauses, rules.definitions) as solver:
        if satisfiable(solver, [], clock, CONFLICTS[1]):  # most wrong encodings are found out by any model
            rules.require_grid(solver.get_model())
        least, most = ([False] * len(rules.families) for _ in range(2))
        least[0] = _cells_have_values(rules, clock)
        counts = [len(family.groups) == rules.shape.n_cells for family in rules.families]
        for conflicts, (proved, is_least), (place, family) in product(
            CONFLICTS, ((least, True), (most, False)), enumerate(rules.families)
        ):
            if not proved[place] and (family.is_full or not is_least):
                asked = (clause for clause in family.clauses(is_least) if frozenset(clause) not in known)
                proved[place] = all(_follows(rules, solver, clause, clock, conflicts) for clause in asked)
            is_counted = any(map(and_, counts, least)) and any(map(and_, counts, most))
            if is_counted and all(map(or_, least, most)):
                return "proved that every model is a grid"
    return f"not decided in {limit_s:g} s whether every model is a grid"


def _cells_have_values(rules: Rules, clock: Clock) -> bool:
    """Whether this follows from clauses that are about one cell each, where no search goes astray."""
    width = rules.encoding.code.width
    of_one = [clause for clause in rules.clauses if len({(abs(x) - 1) // width for x in clause}) == 1]
    with solver_of(of_one, rules.definitions) as solver:
        asked = rules.families[0].clauses(is_least=True)
        return all(satisfiable(solver, [-x for x in clause], clock, CONFLICTS[1]) is False for clause in asked)


def _grids_are_models(rules: Rules, grids: Iterable[Sequence[int]], limit_s: float) -> str:
    pairwise = rules.pairwise()
    with solver_of(pairwise, rules.definitions) as solver:
        undecided = Completion(rules, pairwise, solver, Clock(limit_s / 2)).undecided(rules.clauses)
    if not undecided:
        return "proved that every grid is a model"
    number, clauses = _tried(rules, grids, Clock(limit_s / 2)), len(rules.clauses)
    return f"proved that no grid violates {clauses - undecided} of {clauses} clauses; {number} grids are models"


def _tried(rules: Rules, grids: Iterable[Sequence[int]], clock: Clock) -> int:
    """Try full grids; return how many were part of a model before time was up."""
    number = 0
    with solver_of(rules.clauses, rules.definitions) as solver:
        for cells in grids:
            true = {rules.y[cell][value - 1] for cell, value in enumerate(cells)}
            if not require_model(rules, solver, true, clock):
                break
            number += 1
    return number
