"""Whether the models of an encoding are exactly the grids: a proof by a SAT solver, or a counterexample.

Rules and clauses are asked one by one: is this implied? ``Violation`` shows what is not, and a grid, or what is none.
Nothing here trusts the code that made the clauses.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations, product
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

from bench.worker.clocks import wall_s
from solvers.sat.amo import Clause
from solvers.sat.encodings.encoding import Encoding

if TYPE_CHECKING:
    from pysat.solvers import Solver

    from datasets.shape import Shape

ENGINE = "glucose4"  # takes assumptions and limits of conflicts
# Of the tries, the first without search: rules that follow by counting, not by resolution, take very many conflicts.
CONFLICTS = (0, 1_000, -1)
SLICE_CONFLICTS = 20_000  # between looks at the clock
WORK = 50_000  # clauses that examples of values of cells are held against, for a part with auxiliary variables


class Violation(Exception):
    """A model that is no grid, or a grid that is no model."""


class Group(NamedTuple):
    """Literals of which one is true, and what they are, such as "5 in row 3"."""

    name: str
    literals: list[int]


class Family(NamedTuple):
    """Groups of one kind.

    Attributes:
        is_full: exactly one literal of each group is true; at most one otherwise.
    """

    groups: list[Group]
    is_full: bool = True

    def clauses(self, is_least: bool) -> Iterator[Clause]:
        """At least one literal of each group is true, or at most one."""
        for group in self.groups:
            yield from [group.literals] if is_least else ([-a, -b] for a, b in combinations(group.literals, 2))


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
    rules = _Rules(encoding)
    return f"{_models_are_grids(rules, limit_s)}; {_grids_are_models(rules, grids, limit_s)}"


class _Rules:
    """The rules of Sudoku over ``y``: variables that are true if a cell has a value, defined by the encoding's own."""

    def __init__(self, encoding: Encoding) -> None:
        shape = self.shape = encoding.shape
        self.encoding = encoding
        pairs = ([-a, -b] for row in encoding.at_most_ones() for a, b in combinations(row, 2))
        self.clauses = [*encoding.clauses(), *pairs]
        self.definitions: list[Clause] = []
        self.free = encoding.size.variables
        self.y = [
            [self._defined(encoding.value_literals(cell, value)) for value in range(1, shape.size + 1)]
            for cell in range(shape.n_cells)
        ]
        self.families = tuple(self._families())

    def _defined(self, literals: Clause) -> int:
        if len(literals) == 1:
            return literals[0]
        self.free += 1
        self.definitions += [*([-self.free, x] for x in literals), [self.free, *(-x for x in literals)]]
        return self.free

    def _families(self) -> Iterator[Family]:
        shape, y = self.shape, self.y
        yield Family([Group(f"value in {cell_name(shape, cell)}", y[cell]) for cell in range(shape.n_cells)])
        for kind, units in shape.kinds:
            groups = [
                Group(f"{value} in {kind} {number}", [y[cell][value - 1] for cell in unit])
                for number, unit in enumerate(units, start=1)
                for value in range(1, shape.size + 1)
            ]
            yield Family(groups, all(len(unit) == shape.size for unit in units))

    def pairwise(self) -> list[Clause]:
        """All rules as clauses without auxiliary variables."""
        kinds = ((family, is_least) for family in self.families for is_least in (True, False))
        return [
            clause
            for family, is_least in kinds
            if family.is_full or not is_least
            for clause in family.clauses(is_least)
        ]

    def require_grid(self, model: Sequence[int]) -> None:
        """Check the values in a model.

        Raises:
            Violation: it breaks a rule.
        """
        true = set(model)
        for groups, is_full in self.families:
            for group in groups:
                number = len(true.intersection(group.literals))
                if number > 1 or number < is_full:
                    what = f"{'more than one' if number else 'no'} {group.name}"
                    raise Violation(f"{self.shape.name}: the clauses allow {what}: {self.board(model)}")

    def board(self, model: Sequence[int]) -> str:
        """The values of each cell that are true in a model, as text: ``.`` for none, ``(12)`` for several."""
        true, symbols = set(model), self.shape.symbols
        cells = ["".join(symbol for x, symbol in zip(row, symbols, strict=True) if x in true) or "." for row in self.y]
        return "".join(text if len(text) == 1 else f"({text})" for text in cells)

    def excluded(self, reason: Sequence[int], model: Sequence[int]) -> Violation:
        """The fault that literals of a grid contradict the clauses."""
        words = self.words([-x for x in reason])
        return Violation(f"{self.shape.name}: ({words}) follows, which excludes the grid {self.board(model)}")

    def words(self, clause: Clause) -> str:
        """A clause with the meaning of its literals where they have one, at most eight of them."""
        meaning = {x: f"{cell_name(self.shape, i)}={v}" for i, row in enumerate(self.y) for v, x in enumerate(row, 1)}
        texts = [meaning.get(x) or (f"not {meaning[-x]}" if -x in meaning else str(x)) for x in clause]
        return " or ".join(texts[:8]) + (f" or {len(texts) - 8} more" if len(texts) > 8 else "")


def cell_name(shape: Shape, cell: int) -> str:
    return f"r{cell // shape.size + 1}c{cell % shape.size + 1}"


class _Clock:
    """Ends questions at a deadline."""

    def __init__(self, limit_s: float) -> None:
        self._end_s = wall_s() + limit_s

    def is_over(self) -> bool:
        return wall_s() > self._end_s


@contextmanager
def _solver(*parts: Sequence[Clause]) -> Iterator[Solver]:
    from pysat.solvers import Solver

    with Solver(name=ENGINE) as solver:
        for clauses in parts:
            solver.append_formula(clauses)
        yield solver


def _satisfiable(solver: Solver, assumptions: Sequence[int], clock: _Clock, conflicts: int = -1) -> bool | None:
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


def _follows(rules: _Rules, solver: Solver, clause: Clause, clock: _Clock, conflicts: int) -> bool:
    """Whether a rule was shown to follow from an encoding.

    Raises:
        Violation: it does not.
    """
    answer = _satisfiable(solver, [-x for x in clause], clock, conflicts)
    if answer:
        rules.require_grid(solver.get_model())
    return answer is False


def _models_are_grids(rules: _Rules, limit_s: float) -> str:
    """Prove that each group has one true literal in every model.

    A counting argument saves questions on which resolution takes exponential time (Haken, 1985). Cells, rows, columns
    and boxes have N² groups each, with the same number of true literals. So if one of them has at least one in each
    group, and one has at most one, then any that has either has exactly one; and so has any other unit of N cells.
    """
    clock, known = _Clock(limit_s), {frozenset(clause) for clause in rules.clauses}
    with _solver(rules.clauses, rules.definitions) as solver:
        if _satisfiable(solver, [], clock, SLICE_CONFLICTS):  # most wrong encodings are found out by any model
            rules.require_grid(solver.get_model())
        least, most = ([False] * len(rules.families) for _ in range(2))
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


def _grids_are_models(rules: _Rules, grids: Iterable[Sequence[int]], limit_s: float) -> str:
    undecided = _undecided(rules, _Clock(limit_s / 2))
    if not undecided:
        return "proved that every grid is a model"
    number, clauses = _tried(rules, grids, _Clock(limit_s / 2)), len(rules.clauses)
    return f"proved that no grid violates {clauses - undecided} of {clauses} clauses; {number} grids are models"


def _undecided(rules: _Rules, clock: _Clock) -> int:
    """Prove that no grid violates the clauses; return for how many this was not decided."""
    pairwise = rules.pairwise()
    known = {frozenset(clause) for clause in pairwise}
    plain, parts = _split(rules.clauses, rules.encoding.cell_variables)
    undecided = 0
    with _solver(pairwise, rules.definitions) as solver:
        for clause in [list(clause) for clause in {frozenset(clause) for clause in plain} - known]:
            answer = _satisfiable(solver, [-x for x in clause], clock)
            if answer:
                board = rules.board(solver.get_model())
                raise Violation(f"{rules.shape.name}: the clause ({rules.words(clause)}) excludes the grid {board}")
            undecided += answer is None
        return undecided + (_uncompleted(rules, solver, pairwise, parts, clock) if parts else 0)


def _uncompleted(
    rules: _Rules, grids: Solver, pairwise: list[Clause], parts: Sequence[list[Clause]], clock: _Clock
) -> int:
    """Prove that auxiliary variables satisfy each part of the clauses; return how many clauses were not decided."""
    about: dict[int, list[Clause]] = {}
    for clause in pairwise:
        about.setdefault(abs(clause[0]), []).append(clause)
    undecided, decided = 0, dict[Hashable, bool]()
    for part in parts:
        number = {x: place for place, x in enumerate(sorted({abs(x) for clause in part for x in clause}), start=1)}
        among = [clause for x in number for clause in about.get(x, ()) if all(abs(y) in number for y in clause)]
        form = tuple(tuple(number[abs(x)] * (1 if x > 0 else -1) for x in clause) for clause in [*part, *among])
        key = len(part), sum(x <= rules.encoding.cell_variables for x in number), form
        if (is_decided := decided.get(key)) is None:
            learned = _completed(rules, grids, part, among, clock)
            is_decided = learned is not None
            if not learned:  # so it is the same for other cells
                decided[key] = is_decided
        undecided += 0 if is_decided else len(part)
    return undecided


def _split(clauses: Sequence[Clause], own: int) -> tuple[list[Clause], list[list[Clause]]]:
    """Split clauses into those over the variables 1 .. own, and parts of the others that share no other variable."""
    leaders: dict[int, int] = {}

    def leader(x: int) -> int:
        while (above := leaders.setdefault(x, x)) != x:
            leaders[x] = leaders[above]
            x = above
        return x

    auxiliary = [[abs(x) for x in clause if abs(x) > own] for clause in clauses]
    for first, x in ((variables[0], x) for variables in auxiliary for x in variables):
        leaders[leader(x)] = leader(first)
    parts: dict[int, list[Clause]] = {0: []}
    for clause, variables in zip(clauses, auxiliary, strict=True):
        parts.setdefault(leader(variables[0]) if variables else 0, []).append(clause)
    return parts.pop(0), list(parts.values())


def _completed(
    rules: _Rules, grids: Solver, part: list[Clause], among: list[Clause], clock: _Clock
) -> list[Clause] | None:
    """Prove that auxiliary variables satisfy a part of the clauses, whatever the grid.

    Values of cells are refined by counterexamples, as for quantified formulas (Janota et al., 2016).

    Args:
        grids: holds the rules.
        among: the rules about the variables of the part alone, from which the refinement starts.

    Returns:
        What else of the rules was needed; None if it was not decided.

    Raises:
        Violation: a grid cannot be completed.
    """
    own, free, learned = rules.encoding.cell_variables, rules.free, list[Clause]()
    variables = sorted({abs(x) for clause in part for x in clause if abs(x) <= own})
    with _solver(among) as cells, _solver(part) as completions:
        for _ in range(WORK // len(part)):
            if not (answer := _satisfiable(cells, [], clock)):
                return None if answer is None else learned
            true = set(cells.get_model() or ())
            values = [x if x in true else -x for x in variables]
            answer = _satisfiable(completions, values, clock)
            if answer:  # whatever else these auxiliary variables satisfy violates a clause that they leave open
                fixed = {x for x in completions.get_model() if abs(x) > own}
                left = [clause for clause in part if fixed.isdisjoint(clause)]
                if not left:
                    return learned
                for number, clause in enumerate(left, start=free + 1):
                    cells.append_formula([[-number, -x] for x in clause if abs(x) <= own])
                cells.add_clause(list(range(free + 1, free + 1 + len(left))))
                free += len(left)
                continue
            if answer is None:
                return None
            reason = _core(completions, values)
            is_grid = _satisfiable(grids, reason, clock)
            if is_grid:
                raise rules.excluded(reason, grids.get_model())
            if is_grid is None:
                return None
            learned.append([-x for x in _core(grids, reason)])
            cells.add_clause(learned[-1])
    return None


def _core(solver: Solver, assumptions: Sequence[int]) -> list[int]:
    """Return assumptions that together contradict a formula."""
    solver.solve(assumptions=assumptions)
    return solver.get_core() or []


def _tried(rules: _Rules, grids: Iterable[Sequence[int]], clock: _Clock) -> int:
    """Try full grids; return how many were part of a model before time was up."""
    number = 0
    with _solver(rules.clauses, rules.definitions) as solver:
        for cells in grids:
            if clock.is_over():
                break
            true = {rules.y[cell][value - 1] for cell, value in enumerate(cells)}
            assumptions = [x if x in true else -x for row in rules.y for x in row]
            if _satisfiable(solver, assumptions, clock) is False:
                raise rules.excluded(_core(solver, assumptions), assumptions)
            number += 1
    return number
