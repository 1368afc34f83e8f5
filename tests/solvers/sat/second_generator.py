"""A second generator of the newer encodings and schemes, written from their definitions and sharing no code.

Variables are tuples such as ``("x", row, column, value)``, numbered when they first occur, so only sizes, solutions and
what propagation derives can be compared with the project's own clauses, not the clauses themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations

Literal = tuple[Hashable, bool]
AtMostOne = Callable[["Formula", Sequence[Literal], Hashable], None]


class Formula:
    """Clauses over named variables."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.clauses: list[list[int]] = []

    def add(self, *literals: Literal) -> None:
        self.clauses.append([self.number(name) if true else -self.number(name) for name, true in literals])

    def number(self, name: Hashable) -> int:
        return self.numbers.setdefault(name, len(self.numbers) + 1)

    @property
    def size(self) -> tuple[int, int, int]:
        """Variables, clauses, literals."""
        return len(self.numbers), len(self.clauses), sum(map(len, self.clauses))


def negated(literals: Iterable[Literal]) -> list[Literal]:
    return [(name, not true) for name, true in literals]


def by_pairs(formula: Formula, literals: Sequence[Literal], name: Hashable) -> None:
    for a, b in combinations(literals, 2):
        formula.add(*negated([a, b]))


def by_heule(formula: Formula, literals: Sequence[Literal], name: Hashable) -> None:
    """At most one of the first three and "not y"; at most one of y and the rest."""
    if len(literals) <= 4:
        by_pairs(formula, literals, name)
        return
    y = ("y", name, len(literals))
    by_pairs(formula, [*literals[:3], (y, False)], name)
    by_heule(formula, [(y, True), *literals[3:]], name)


def by_tree(formula: Formula, literals: Sequence[Literal], name: Hashable) -> None:
    """Two halves, each with a variable that its literals imply (a half of one literal needs none), not both true."""

    def node(part: Sequence[Literal], path: str) -> Literal:
        if len(part) == 1:
            return part[0]
        children = halves(part, path)
        here = (("node", name, path), True)
        for child in children:
            formula.add(*negated([child]), here)
        formula.add(*negated(children))
        return here

    def halves(part: Sequence[Literal], path: str) -> list[Literal]:
        middle = len(part) // 2
        return [node(part[:middle], path + "a"), node(part[middle:], path + "b")]

    formula.add(*negated(halves(literals, "")))


def x(row: int, column: int, value: int) -> Literal:
    return ("x", row, column, value), True


def cells(n: int) -> list[tuple[int, int]]:
    return [(row, column) for row in range(n) for column in range(n)]


def units(box_rows: int, box_columns: int) -> dict[str, list[list[tuple[int, int]]]]:
    n = box_rows * box_columns
    return {
        "rows": [[(row, column) for column in range(n)] for row in range(n)],
        "columns": [[(row, column) for row in range(n)] for column in range(n)],
        "boxes": [
            [(top + i, left + j) for i in range(box_rows) for j in range(box_columns)]
            for top in range(0, n, box_rows)
            for left in range(0, n, box_columns)
        ],
    }


def exactly_one(formula: Formula, literals: Sequence[Literal], at_most_one: AtMostOne, name: Hashable) -> None:
    formula.add(*literals)
    at_most_one(formula, literals, name)


def complete(box_rows: int, box_columns: int, at_most_one: AtMostOne = by_pairs, drop: bool = False) -> Formula:
    """Exactly one value in each cell and one place in each unit; ``drop`` leaves out a row per band, a column per
    stack."""
    n, formula = box_rows * box_columns, Formula()
    for row, column in cells(n):
        exactly_one(formula, [x(row, column, v) for v in range(n)], at_most_one, ("cell", row, column))
    for kind, some in units(box_rows, box_columns).items():
        every = {"rows": box_rows, "columns": box_columns}.get(kind)
        for number, unit in enumerate(some):
            if drop and every and number % every == every - 1:
                continue
            for v in range(n):
                exactly_one(formula, [x(*place, v) for place in unit], at_most_one, (kind, number, v))
    return formula


def order_hints(box_rows: int, box_columns: int) -> Formula:
    """("more", row, column, k): the value, from 0 on, is more than k."""
    n, formula = box_rows * box_columns, Formula()

    def more(place: tuple[int, int], k: int) -> Literal:
        return ("more", *place, k), True

    def differs(place: tuple[int, int], v: int) -> list[Literal]:
        below = [] if v == 0 else negated([more(place, v - 1)])
        above = [] if v == n - 1 else [more(place, v)]
        return [*below, *above]

    for place in cells(n):
        for k in range(1, n - 1):
            formula.add(*negated([more(place, k)]), more(place, k - 1))
    every_unit = [unit for some in units(box_rows, box_columns).values() for unit in some]
    for a, b in {tuple(sorted(pair)) for unit in every_unit for pair in combinations(unit, 2)}:
        for v in range(n):
            formula.add(*differs(a, v), *differs(b, v))
    for unit in every_unit:
        formula.add(*(more(place, n - 2) for place in unit))
        formula.add(*negated(more(place, 0) for place in unit))
    return formula


def hall_pairs(box_rows: int, box_columns: int) -> Formula:
    """``complete``; ("holds", row, column, v, w): the cell has one of two values, which holds for two of each unit."""
    n, formula = box_rows * box_columns, complete(box_rows, box_columns)
    pairs = list(combinations(range(n), 2))
    for place in cells(n):
        for v, w in pairs:
            holds = (("holds", *place, v, w), True)
            others = [x(*place, u) for u in range(n) if u not in (v, w)]
            formula.add(*negated([holds]), x(*place, v), x(*place, w))
            formula.add(holds, *others)
            for u in range(n):
                formula.add(holds if u in (v, w) else negated([holds])[0], *negated([x(*place, u)]))
    for kind, some in units(box_rows, box_columns).items():
        for number, unit in enumerate(some):
            for v, w in pairs:
                exactly_two(formula, [(("holds", *place, v, w), True) for place in unit], (kind, number, v, w))
    return formula


def exactly_two(formula: Formula, literals: Sequence[Literal], name: Hashable) -> None:
    """At least one of all but any one; ("count", name, i, k): more than k of the first i + 1 are true, k < 2."""
    n = len(literals)

    def count(i: int, k: int) -> Literal:
        return ("count", name, i, k), True

    for left_out in range(n):
        formula.add(*(one for i, one in enumerate(literals) if i != left_out))
    for i, literal in enumerate(literals[:-1]):
        formula.add(*negated([literal]), count(i, 0))
        if i:
            formula.add(*negated([count(i - 1, 0)]), count(i, 0))
            formula.add(*negated([literal, count(i - 1, 0)]), count(i, 1))
        if i > 1:
            formula.add(*negated([count(i - 1, 1)]), count(i, 1))
            formula.add(*negated([literal, count(i - 1, 1)]))
    formula.add(*negated([literals[-1], count(n - 2, 1)]))


def diagrams(box_rows: int, box_columns: int) -> Formula:
    """Exactly one value in each cell; each unit is a path in its diagram."""
    n, formula = box_rows * box_columns, Formula()
    for row, column in cells(n):
        exactly_one(formula, [x(row, column, v) for v in range(n)], by_pairs, ("cell", row, column))
    for kind, some in units(box_rows, box_columns).items():
        for number, unit in enumerate(some):
            path(formula, unit, (kind, number))
    return formula


def path(formula: Formula, unit: Sequence[tuple[int, int]], name: Hashable) -> None:
    """A path from 0 to the full bit mask of values used: each step, at a place of the unit, adds a value."""
    n = len(unit)
    full = (1 << n) - 1

    def node(mask: int) -> list[Literal]:
        return [(("node", name, mask), True)] if 0 < mask < full else []

    def edge(mask: int, v: int) -> Literal:
        return ("edge", name, mask, v), True

    steps = [(mask, v) for mask in range(full) for v in range(n) if not mask >> v & 1]
    for mask, v in steps:
        for needed in (*node(mask), *node(mask | 1 << v), x(*unit[mask.bit_count()], v)):
            formula.add(*negated([edge(mask, v)]), needed)
    for mask in range(full + 1):
        if mask:
            formula.add(*negated(node(mask)), *(edge(mask & ~(1 << v), v) for v in range(n) if mask >> v & 1))
        if mask < full:
            formula.add(*negated(node(mask)), *(edge(mask, v) for v in range(n) if not mask >> v & 1))
    for layer, place in enumerate(unit):
        for v in range(n):
            here = [edge(mask, w) for mask, w in steps if w == v and mask.bit_count() == layer]
            formula.add(*negated([x(*place, v)]), *here)


def irredundant(box_rows: int, box_columns: int) -> Formula:
    return complete(box_rows, box_columns, drop=True)


def complete_heule(box_rows: int, box_columns: int) -> Formula:
    return complete(box_rows, box_columns, by_heule)


def complete_tree(box_rows: int, box_columns: int) -> Formula:
    return complete(box_rows, box_columns, by_tree)
