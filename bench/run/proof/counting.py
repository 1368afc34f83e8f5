"""What follows by counting, which resolution takes exponential time to see (Haken, 1985)."""

from __future__ import annotations

from collections.abc import Callable
from operator import and_
from typing import Any

from sudoku_bench.bench.run.proof.rules import Group, Rules
from sudoku_bench.bench.run.proof.solver import Clock


class Facts:
    """The rules that were shown to hold in every model.

    Attributes:
        least, most: for each family and group, whether at least or at most one of its literals is true.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.least, self.most = ([[False] * len(family.groups) for family in rules.families] for _ in range(2))

    def show(self, place: int, is_least: bool, follows: Callable[[Group, bool], bool], is_quick: bool) -> None:
        """Ask for what is not known of a family whether it follows; unless this is quick, until something does not."""
        family, shown = self.rules.families[place], (self.least if is_least else self.most)[place]
        for number, group in enumerate(family.groups if family.is_full or not is_least else ()):
            shown[number] = shown[number] or follows(group, is_least)
            if not shown[number] and not is_quick:
                return

    def open(self) -> list[int]:
        """The families to ask about; none if every model is a grid.

        Cells, rows, columns and boxes have N² groups each, with the same number of true literals. So if one of them has
        at least one in each group, and one has at most one, then any that has either has exactly one; and so has any
        other unit of N cells.
        """
        counts = [len(family.groups) == self.rules.shape.n_cells for family in self.rules.families]
        least, most = list(map(all, self.least)), list(map(all, self.most))
        is_counted = any(map(and_, counts, least)) and any(map(and_, counts, most))
        return [place for place in range(len(counts)) if not (is_counted and (least[place] or most[place]))]

    def imply(self, clock: Clock, group: Group, is_least: bool) -> bool:
        """Whether the known numbers of true literals imply a rule, even for fractions: by linear programming."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        column = {y: number for number, y in enumerate(y for row in self.rules.y for y in row)}
        rows = [
            (sign, other.literals)
            for sign, known in ((-1, self.least), (1, self.most))
            for family, shown in zip(self.rules.families, known, strict=True)
            for other, is_shown in zip(family.groups, shown, strict=True)
            if is_shown
        ]
        places = [(number, column[y]) for number, (_, literals) in enumerate(rows) for y in literals]
        signs = [sign for sign, literals in rows for _ in literals]
        if not rows or clock.is_over():
            return False
        limits: Any = csr_array((signs, tuple(zip(*places, strict=True))), shape=(len(rows), len(column)))
        objective = [0] * len(column)
        for y in group.literals:
            objective[column[y]] = 1 if is_least else -1
        best: Any = linprog(objective, A_ub=limits, b_ub=[sign for sign, _ in rows], bounds=(0, 1))
        return bool(best.status == 0 and best.fun > (0.5 if is_least else -1.5))
