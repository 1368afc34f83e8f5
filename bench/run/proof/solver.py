"""Questions to a SAT solver, which end at a deadline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sudoku_bench.bench.run.proof.rules import Rules
from sudoku_bench.bench.worker.clocks import wall_s

if TYPE_CHECKING:
    from pysat.solvers import Solver

ENGINE = "glucose4"  # takes assumptions and limits of conflicts
CONFLICTS = 1_000  # of a short search; rules that follow by counting, not by resolution, take very many
SLICE_CONFLICTS = 20_000  # between looks at the clock


class Clock:
    """Ends questions at a deadline."""

    def __init__(self, limit_s: float) -> None:
        self._end_s = wall_s() + limit_s

    def is_over(self) -> bool:
        return wall_s() > self._end_s


@contextmanager
def solver_of(*parts: Iterable[Sequence[int]]) -> Iterator[Solver]:
    from pysat.solvers import Solver

    with Solver(name=ENGINE) as solver:
        for clauses in parts:
            solver.append_formula(clauses)
        yield solver


def satisfiable(solver: Solver, assumptions: Sequence[int], clock: Clock, conflicts: int = -1) -> bool | None:
    """Whether a formula has a model under assumptions; None if conflicts (-1: any number) or time did not suffice."""
    holds, _ = solver.propagate(assumptions=assumptions)
    if not holds:
        return False
    answer: bool | None = None
    while answer is None and conflicts and not clock.is_over():
        solver.conf_budget(SLICE_CONFLICTS if conflicts < 0 else conflicts)
        answer = solver.solve_limited(assumptions=assumptions)
        conflicts = min(conflicts, 0)
    return answer


def core(solver: Solver, assumptions: Sequence[int]) -> list[int]:
    """Return assumptions that together contradict a formula."""
    solver.solve(assumptions=assumptions)
    return solver.get_core() or []


def require_model(rules: Rules, whole: Solver, true: set[int], clock: Clock) -> bool:
    """Whether a grid, given as its true literals, is part of a model; False if time was up.

    Raises:
        Violation: it is not.
    """
    grid = [x if x in true else -x for row in rules.y for x in row]
    answer = satisfiable(whole, grid, clock)
    if answer is False:
        raise rules.excluded(core(whole, grid), grid)
    return answer is True
