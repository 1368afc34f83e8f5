"""Reference implementation of the logical difficulty measures: slow, and written from their definitions.

A state is a list of sets: the candidates of each cell.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

from datasets import Puzzle, Shape
from datasets.search import solve
from tests.datasets.rules import PRINTED, Cells, board, units

State = list[set[int]]


class Logic:
    """Units and peers of a board, and the effect of one round of singles."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.cells, self.size = puzzle.cells, puzzle.shape.size
        self.units = list(units(puzzle.shape))
        self.peers = [{p for u in self.units if c in u for p in u} - {c} for c in range(len(self.cells))]

    def start(self) -> State:
        """The clues, and all digits for the other cells."""
        return [{v} if v else set(range(1, self.size + 1)) for v in self.cells]

    def places(self, state: State, unit: list[int], digit: int) -> list[int]:
        return [cell for cell in unit if digit in state[cell]]

    def contradicts(self, state: State) -> bool:
        digits = range(1, self.size + 1)
        return not all(state) or not all(self.places(state, unit, d) for unit in self.units for d in digits)

    def round(self, state: State) -> State:
        """Find all naked and hidden singles, then place them all at once."""
        singles = {(cell, digit) for cell, left in enumerate(state) if len(left) == 1 for digit in left}
        for unit in self.units:
            for digit in range(1, self.size + 1):
                places = self.places(state, unit, digit)
                if len(places) == 1:
                    singles.add((places[0], digit))
        after = [set(left) for left in state]
        for cell, digit in singles:
            after[cell] &= {digit}
            for peer in self.peers[cell]:
                after[peer].discard(digit)
        return after

    def settle(self, state: State) -> State:
        while (after := self.round(state)) != state:
            state = after
        return state

    def open_cells(self, state: State) -> list[int]:
        return [cell for cell, left in enumerate(state) if len(left) > 1]

    def suffices(self, values: dict[int, int]) -> bool:
        """Whether singles solve the puzzle if these cells have these values."""
        state = [{values[c]} if c in values else left for c, left in enumerate(self.start())]
        return not self.open_cells(self.settle(state))


def unsolved_cells(puzzle: Puzzle) -> tuple[int, int]:
    """Open cells after singles, and after singles and locked candidates."""
    logic = Logic(puzzle)
    state = logic.settle(logic.start())
    singles = len(logic.open_cells(state))
    changed = True
    while changed:
        changed = False
        for one in logic.units:
            for digit in range(1, logic.size + 1):
                places = set(logic.places(state, one, digit))
                for other in logic.units:
                    if other != one and places <= set(other):
                        for cell in set(other) - set(one):
                            changed |= digit in state[cell]
                            state[cell].discard(digit)
        state = logic.settle(state)
    return singles, len(logic.open_cells(state))


def trial_and_error(puzzle: Puzzle) -> tuple[int, int]:
    """Rounds and depth."""
    logic = Logic(puzzle)
    state, most = logic.settle(logic.start()), 0
    while logic.open_cells(state):
        costs = {
            (cell, digit): cost
            for cell in logic.open_cells(state)
            for digit in state[cell]
            if (cost := refutation(logic, state, cell, digit))
        }
        if not costs:
            return most, 2
        cheapest = min(costs.values())
        most = max(most, cheapest)
        for (cell, digit), cost in costs.items():
            if cost == cheapest:
                state[cell].discard(digit)
        state = logic.settle(state)
    return most, 1


def refutation(logic: Logic, before: State, cell: int, digit: int) -> int:
    """The round that finds a contradiction if a candidate is assumed; 0 if no round does."""
    state = [set(left) for left in before]
    state[cell] = {digit}
    for peer in logic.peers[cell]:
        state[peer].discard(digit)
    number = 1
    while not logic.contradicts(state):
        after = logic.round(state)
        if after == state:
            return 0
        state, number = after, number + 1
    return number


def backdoor_size(puzzle: Puzzle, solution: Cells) -> int:
    """Size of the smallest set of cells whose values let singles solve the puzzle, by trying all sets."""
    logic = Logic(puzzle)
    missing = logic.open_cells(logic.settle(logic.start()))
    number = 0
    while True:
        if any(logic.suffices({c: solution[c] for c in chosen}) for chosen in combinations(missing, number)):
            return number
        number += 1


class Explainer:
    """Applies one step at a time, the easiest kind first. Filled cells have no candidates."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.logic = Logic(puzzle)
        rows, columns = self.logic.units[0:18:2], self.logic.units[1:18:2]
        self.kinds = {"row": rows, "column": columns, "box": self.logic.units[18:]}
        self.state = [set(range(1, 10)) for _ in range(81)]
        for cell, value in enumerate(puzzle.cells):
            if value:
                self.fill(cell, value)

    def ratings(self) -> tuple[float, float, float]:
        """ER (infinite beyond 4.4), EP, ED."""
        er = ep = ed = 0
        while any(self.state):
            step = next(self.steps(), None)
            if step is None:
                return math.inf, ep / 10, ed / 10
            rating, cell, eliminated = step
            er, ed = max(er, rating), ed or rating
            if cell:
                ep = ep or er
                self.fill(*cell)
            for where, digit in eliminated:
                self.state[where].discard(digit)
        return er / 10, ep / 10, ed / 10

    def fill(self, cell: int, digit: int) -> None:
        self.state[cell] = set()
        for peer in self.logic.peers[cell]:
            self.state[peer].discard(digit)

    def at(self, unit: list[int], digit: int) -> set[int]:
        return {cell for cell in unit if digit in self.state[cell]}

    def steps(self) -> Iterator[tuple[int, tuple[int, int] | None, set[tuple[int, int]]]]:
        """Rating in tenths, the cell filled (with its digit) or None, and what is eliminated; easiest first."""
        yield from ((rating, (cell, digit), set()) for rating, cell, digit in self.fills())
        for rating, gone in self.eliminations():
            there = {(cell, digit) for cell, digit in gone if digit in self.state[cell]}
            if there:
                yield rating, None, there

    def fills(self) -> Iterator[tuple[int, int, int]]:
        for unit in self.logic.units:
            open_cells = [cell for cell in unit if self.state[cell]]
            if len(open_cells) == 1:
                yield 10, open_cells[0], min(self.state[open_cells[0]])
        for rating, kind in ((12, "box"), (15, "row"), (15, "column")):
            for unit in self.kinds[kind]:
                for digit in range(1, 10):
                    if len(places := self.at(unit, digit)) == 1:
                        yield rating, min(places), digit
        yield from self.direct_locked(17, ("box",))
        yield from self.direct_locked(19, ("row", "column"))
        yield from ((20, cell, digit) for cell, digit in self.direct_sets(2))
        yield from ((23, cell, min(left)) for cell, left in enumerate(self.state) if len(left) == 1)
        yield from ((25, cell, digit) for cell, digit in self.direct_sets(3))

    def direct_locked(self, rating: int, kinds: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
        for kind, one, other, digit in self.locked(kinds):
            for third in self.kinds[kind]:
                left = self.at(third, digit) - set(other)
                if third != one and len(left) == 1 and left < self.at(third, digit):
                    yield rating, min(left), digit

    def direct_sets(self, degree: int) -> Iterator[tuple[int, int]]:
        for unit, digits, places in self.hidden(degree):
            for digit in set(range(1, 10)) - set(digits):
                before, left = self.at(unit, digit), self.at(unit, digit) - places
                if len(left) == 1 and left < before:
                    yield min(left), digit

    def locked(self, kinds: tuple[str, ...]) -> Iterator[tuple[str, list[int], list[int], int]]:
        for first, second in (("box", "row"), ("box", "column"), ("row", "box"), ("column", "box")):
            for one, other in product(self.kinds[first], self.kinds[second]):
                for digit in range(1, 10):
                    if first in kinds and self.at(one, digit) and self.at(one, digit) <= set(other):
                        yield first, one, other, digit

    def hidden(self, degree: int) -> Iterator[tuple[list[int], tuple[int, ...], set[int]]]:
        for unit in self.logic.units:
            for digits in combinations(range(1, 10), degree):
                places = [self.at(unit, digit) for digit in digits]
                union = set().union(*places)
                if len(union) == degree and all(len(each) > 1 for each in places):
                    yield unit, digits, union

    def eliminations(self) -> Iterator[tuple[int, set[tuple[int, int]]]]:
        for rating, kinds in ((26, ("box",)), (28, ("row", "column"))):
            for _, one, other, digit in self.locked(kinds):
                yield rating, {(cell, digit) for cell in set(other) - set(one)}
        for rating, degree in ((30, 2), (36, 3)):
            yield from ((rating, gone) for gone in self.naked(degree))
            yield from ((rating + 2, gone) for gone in self.fish(degree))
            for _, digits, union in self.hidden(degree):
                yield rating + 4, {(c, d) for c in union for d in set(range(1, 10)) - set(digits)}
        yield from ((42, gone) for gone in self.wings(2))
        yield from ((44, gone) for gone in self.wings(3))

    def naked(self, degree: int) -> Iterator[set[tuple[int, int]]]:
        for unit in self.logic.units:
            for cells in combinations(unit, degree):
                union = set().union(*(self.state[cell] for cell in cells))
                if len(union) == degree and all(len(self.state[cell]) > 1 for cell in cells):
                    yield {(cell, digit) for cell in set(unit) - set(cells) for digit in union}

    def fish(self, degree: int) -> Iterator[set[tuple[int, int]]]:
        for base, cover in (("row", "column"), ("column", "row")):
            for digit in range(1, 10):
                for lines in combinations(self.kinds[base], degree):
                    places = [self.at(line, digit) for line in lines]
                    union = set().union(*places)
                    across = [line for line in self.kinds[cover] if union & set(line)]
                    if len(across) == degree and all(len(each) > 1 for each in places):
                        yield {(cell, digit) for line in across for cell in set(line) - union}

    def wings(self, count: int) -> Iterator[set[tuple[int, int]]]:
        for pivot, left in enumerate(self.state):
            if len(left) != count:
                continue
            near = sorted(p for p in self.logic.peers[pivot] if len(self.state[p]) == 2)
            for a, b in combinations(near, 2):
                shared = self.state[a] & self.state[b]
                ends = (self.state[a] | self.state[b]) - shared
                if len(shared) == 1 and ends == left - shared and bool(shared & left) == (count == 3):
                    seen = self.logic.peers[a] & self.logic.peers[b] - {pivot}
                    yield {(cell, min(shared)) for cell in (seen & self.logic.peers[pivot] if count == 3 else seen)}


def minimal(shape: Shape, seed: int) -> tuple[Puzzle, Cells]:
    """A minimal puzzle and its solution."""
    rng = random.Random(seed)
    empty = Puzzle(shape, (0,) * shape.n_cells)
    solution = solve(empty, limit=1, seed=seed).solutions[0]
    cells = list(solution)
    for cell in rng.sample(range(shape.n_cells), shape.n_cells):
        cells[cell] = 0
        if len(solve(Puzzle(shape, tuple(cells)), limit=2).solutions) > 1:
            cells[cell] = solution[cell]
    return Puzzle(shape, tuple(cells)), solution


@cache
def printed(name: str) -> tuple[Puzzle, Cells]:
    """A printed puzzle and its solution."""
    puzzle, solution = PRINTED[name]
    return board(puzzle), board(solution).cells


SMALL_SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4)]
SMALL_CASES = [(shape, seed) for shape in SMALL_SHAPES for seed in range(6)]
