"""Cycles and forcing chains of single digits, of bivalue cells, and of both (from 6.5).

A weak link leads from a true candidate to a false one, a strong link from a false candidate to a true one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.datasets.difficulty.slow_explainer.grid import CELL_UNITS, PEERS, Candidates, Grid, bits
from tests.datasets.difficulty.slow_explainer.step import Step

LENGTHS = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)

Pairs = list[list[tuple[int, int]]]


def longer(length: int) -> int:
    """Tenths that the length of a chain adds: candidates of the chain, two of which are free."""
    return sum(length - 2 > limit for limit in LENGTHS)


@dataclass(frozen=True)
class Kind:
    """Which links chains have.

    Attributes:
        cycle: rating of the shortest cycles, in tenths.
        chain: rating of the shortest forcing chains; None if there are none.
    """

    in_cells: bool
    in_units: bool
    cycle: int
    chain: int | None
    cycle_order: int
    chain_order: int


KINDS = (
    Kind(False, True, 65, 66, 1, 2),
    Kind(True, False, 65, None, 3, 0),
    Kind(True, True, 70, 70, 4, 5),
)


class Links:
    """The links of a grid; a candidate is 9 * cell + digit.

    Attributes:
        weak: the candidates that a true candidate makes false, in the order of the search.
        strong: the candidates that a false candidate makes true.
        pairs: both in a row: a false candidate, and one that it makes true.
        after: the candidates that such a pair of links leads to, as a set.
    """

    def __init__(self, grid: Grid, kind: Kind) -> None:
        self.candidates = [9 * cell + digit for cell, digits in enumerate(grid.left) for digit in bits(digits)]
        self.weak: dict[int, list[int]] = {}
        self.strong: dict[int, list[int]] = {}
        for candidate in self.candidates:
            cell, digit = divmod(candidate, 9)
            others = [9 * cell + other for other in bits(grid.left[cell] & ~(1 << digit))] if kind.in_cells else []
            weak, strong = list(others), list(others) if len(others) == 1 else []
            for unit in CELL_UNITS[cell]:
                places = [9 * place + digit for place in bits(unit & grid.places[digit] & ~(1 << cell))]
                weak += places
                if kind.in_units and len(places) == 1:
                    strong += places
            self.weak[candidate] = list(dict.fromkeys(weak))
            self.strong[candidate] = list(dict.fromkeys(strong))
        self.pairs = {
            start: [(false, true) for false in self.weak[start] for true in self.strong[false]]
            for start in self.candidates
        }
        self.after = {start: {true for _, true in pairs} for start, pairs in self.pairs.items()}


@dataclass(frozen=True)
class Found:
    """A candidate that a cycle comes to, with the false one before it.

    Attributes:
        false: the false candidates of the path, as a set.
    """

    candidate: int
    via: int
    before: Found | None
    false: int
    length: int


def chains(grid: Grid) -> Step | None:
    """The easiest step by a cycle or chain, of these the shortest, of these the first."""
    best: Step | None = None
    for kind in KINDS:
        links = Links(grid, kind)
        for start in links.candidates:
            if kind.in_units or len(links.strong[start]) == 1:
                for step in _from(grid, kind, links, start):
                    if best is None or (step.rating, step.order) < (best.rating, best.order):
                        best = step
    return best


def _from(grid: Grid, kind: Kind, links: Links, start: int) -> Iterator[Step]:
    for path in cycles(links, start):
        eliminated = cycle_eliminates(grid, path)
        if eliminated:
            length = path.length
            yield Step(kind.cycle + longer(length), "cycle", None, eliminated, (length, kind.cycle_order))
    if kind.chain is None:
        return
    cell, digit = divmod(start, 9)
    length = refuted(links, start)
    if length:
        yield Step(kind.chain + longer(length), "forcing chain", None, {cell: 1 << digit}, (length, kind.chain_order))
    length = proved(links, start)
    eliminated = grid.present(1 << cell, ~(1 << digit))
    if length and eliminated:
        yield Step(kind.chain + longer(length), "forcing chain", None, eliminated, (length, kind.chain_order))


def cycles(links: Links, start: int) -> Iterator[Found]:
    """Search breadth first for paths that come back to their start; each true candidate is reached once."""
    reached = {start}
    layer = [Found(start, -1, None, 0, 0)]
    length = 0
    while layer:
        length += 2
        following = []
        for path in layer:
            for false, true in links.pairs[path.candidate]:
                if path.false >> false & 1:
                    continue
                if true == start and length >= 4:
                    yield Found(start, false, path, 0, length)
                if true not in reached:
                    reached.add(true)
                    following.append(Found(true, false, path, path.false | 1 << false, length))
        layer = following


def cycle_eliminates(grid: Grid, path: Found) -> Candidates:
    """Candidates outside the cells of a cycle that see both a true and a false one of their digit."""
    seen_true, seen_false, cells = [0] * 9, [0] * 9, 0
    at: Found | None = path
    while at is not None and at.before is not None:
        cell, digit = divmod(at.candidate, 9)
        other, false = divmod(at.via, 9)
        seen_true[digit] |= PEERS[cell]
        seen_false[false] |= PEERS[other]
        cells |= 1 << cell | 1 << other
        at = at.before
    eliminated: Candidates = {}
    for digit in range(9):
        for cell in bits(seen_true[digit] & seen_false[digit] & grid.places[digit] & ~cells):
            eliminated[cell] = eliminated.get(cell, 0) | 1 << digit
    return eliminated


def refuted(links: Links, start: int) -> int:
    """Candidates in the shortest chain from a candidate to its being false; 0 if there is none."""
    ends = set(links.weak[start])
    reached, layer, length = {start}, {start}, 2
    while layer:
        layer = set().union(*(links.after[candidate] for candidate in layer)) - reached
        reached |= layer
        length += 2
        if layer & ends:
            return length
    return 0


def proved(links: Links, start: int) -> int:
    """Candidates in the shortest chain from a candidate's being false to its being true; 0 if there is none."""
    layer, length = set(links.strong[start]), 2
    reached = set(layer)
    while layer:
        layer = set().union(*(links.after[candidate] for candidate in layer)) - reached
        reached |= layer
        length += 2
        if start in layer:
            return length
    return 0
