"""Whether the models of an encoding are exactly the grids: a proof by a SAT solver, or a counterexample.

Rules and clauses are asked one by one: is this implied? ``Violation`` shows what is not, and a grid, or what is none.
Nothing here trusts the code that made the clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sudoku_bench.bench.run.proof.completion import Completion
from sudoku_bench.bench.run.proof.counting import Facts
from sudoku_bench.bench.run.proof.rules import Group, Rules, Violation
from sudoku_bench.bench.run.proof.solver import CONFLICTS, Clock, require_model, satisfiable, solver_of
from sudoku_bench.solvers.sat.encodings.encoding import Encoding

if TYPE_CHECKING:
    from pysat.solvers import Solver

__all__ = ["Violation", "prove"]


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


def _follows(
    rules: Rules, known: set[frozenset[int]], solver: Solver, clock: Clock, conflicts: int, group: Group, is_least: bool
) -> bool:
    """Whether a rule was shown to follow from an encoding, whose clauses are ``known``.

    Raises:
        Violation: it does not.
    """
    for clause in group.clauses(is_least):
        if frozenset(clause) not in known:
            answer = satisfiable(solver, [-x for x in clause], clock, conflicts)
            if answer:
                rules.require_grid(solver.get_model())
            if answer is not False:
                return False
    return True


def _models_are_grids(rules: Rules, limit_s: float) -> str:
    """Prove that each group has one true literal in every model."""
    clock, facts = Clock(limit_s), Facts(rules)
    with solver_of(rules.clauses, rules.definitions) as solver:
        if satisfiable(solver, [], clock, CONFLICTS):  # most wrong encodings are found out by any model
            rules.require_grid(solver.get_model())
        facts.least[0] = [_cells_have_values(rules, clock)] * rules.shape.n_cells
        ask = partial(_follows, rules, {frozenset(clause) for clause in rules.clauses}, solver, clock)
        without_search, shortly, long = (partial(ask, conflicts) for conflicts in (0, CONFLICTS, -1))
        kinds = [(place, is_least) for is_least in (False, True) for place in range(len(rules.families))]
        for way in (without_search, shortly, partial(facts.imply, clock), long):
            for place, is_least in kinds:
                if place in facts.open():
                    facts.show(place, is_least, way, is_quick=way is without_search)
                if not facts.open():
                    return "proved that every model is a grid"
    return f"not decided in {limit_s:g} s whether every model is a grid"


def _cells_have_values(rules: Rules, clock: Clock) -> bool:
    """Whether this follows from clauses that are about one cell each, where no search goes astray."""
    width = rules.encoding.code.width
    of_one = [clause for clause in rules.clauses if len({(abs(x) - 1) // width for x in clause}) == 1]
    with solver_of(of_one, rules.definitions) as solver:
        return all(satisfiable(solver, [-x for x in row], clock, CONFLICTS) is False for row in rules.y)


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
