"""``cp:flow`` and ``cp:flow+shaving``: constraint models with matchings and shaving, in plain Python.

Every rule of Sudoku is a perfect matching: the cells of a unit with the values; for one value, the rows with the
columns, the rows of a band with its boxes, and the columns of a stack with its boxes. An edge that is in no perfect
matching is removed (Régin 1994), until none is left in any of them. Shaving assumes each candidate in turn, and removes
it if that leads to a contradiction. What is left is searched depth first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy, Task

Masks = list[int]  # for each cell its candidates: bit v for the value v + 1
Candidate = tuple[int, int]  # a cell, and the bit of a value


@dataclass(frozen=True)
class Matching:
    """A rule: each of n things goes with another of n things.

    Attributes:
        supports: for each pair the candidates one of which must hold if the pair is chosen.
        missing: how many further things go with any: of a unit with fewer cells than there are values.
    """

    supports: tuple[tuple[tuple[Candidate, ...], ...], ...]
    missing: int

    def removed(self, masks: Masks) -> list[Candidate] | None:
        """The candidates of pairs that are in no perfect matching; None if there is no perfect matching."""
        domains = [
            sum(1 << j for j, pair in enumerate(row) if any(masks[cell] & bit for cell, bit in pair))
            for row in self.supports
        ]
        consistent = in_perfect_matchings(domains + [(1 << len(domains) + self.missing) - 1] * self.missing)
        if consistent is None:
            return None
        lost = ((i, j) for i, domain in enumerate(domains) for j in bits(domain & ~consistent[i]))
        return [(cell, bit) for i, j in lost for cell, bit in self.supports[i][j] if masks[cell] & bit]


def in_perfect_matchings(domains: list[int]) -> list[int] | None:
    """The edges of a bipartite graph of n and n nodes that are in a perfect matching; None if there is none.

    An edge is in one if it lies on a cycle that alternates with any perfect matching (Régin 1994).

    Args:
        domains: for each node of one side the mask of its neighbours.
    """
    owner: dict[int, int] = {}

    def assign(node: int, tried: set[int]) -> bool:
        for j in bits(domains[node]):
            if j not in tried:
                tried.add(j)
                if j not in owner or assign(owner[j], tried):
                    owner[j] = node
                    return True
        return False

    if not all(assign(node, set()) for node in range(len(domains))):
        return None
    reach = [sum(1 << owner[j] for j in bits(domain)) for domain in domains]
    for middle in range(len(domains)):  # Warshall
        for node, mask in enumerate(reach):
            if mask >> middle & 1:
                reach[node] |= reach[middle]
    return [sum(1 << j for j in bits(domain) if reach[owner[j]] >> node & 1) for node, domain in enumerate(domains)]


def bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def matchings(shape: Shape) -> list[Matching]:
    """All rules of a board."""
    n, values = shape.size, range(shape.size)
    rules = [[[[(cell, 1 << v)] for v in values] for cell in unit] for unit in shape.units]
    chutes = ((shape.rows, shape.box_rows), (shape.columns, shape.box_cols)) if shape.has_boxes else ()
    for v in values:
        rules.append([[[(cell, 1 << v)] for cell in row] for row in shape.rows])
        for lines, chute in chutes:
            for start in range(0, n, chute):
                band = lines[start : start + chute]
                boxes = [box for box in shape.boxes if not set(box).isdisjoint(band[0])]
                rules.append([[[(cell, 1 << v) for cell in line if cell in box] for box in boxes] for line in band])
    return [Matching(tuple(tuple(map(tuple, row)) for row in rule), len(rule[0]) - len(rule)) for rule in rules]


class Propagator:
    """All matchings of one shape, each looked at again when one of its candidates is removed."""

    def __init__(self, shape: Shape) -> None:
        self.rules = matchings(shape)
        self.watching: dict[Candidate, list[int]] = {}
        for number, rule in enumerate(self.rules):
            for candidate in {one for row in rule.supports for pair in row for one in pair}:
                self.watching.setdefault(candidate, []).append(number)

    def settle(self, masks: Masks, waiting: Iterable[int]) -> bool:
        """Remove what the waiting rules, and those that then change, exclude; False on a contradiction."""
        queue = dict.fromkeys(waiting)
        while queue:
            number, _ = queue.popitem()
            removed = self.rules[number].removed(masks)
            if removed is None:
                return False
            for cell, bit in removed:
                masks[cell] &= ~bit
                queue.update(dict.fromkeys(self.watching[cell, bit]))
        return True

    def place(self, masks: Masks, cell: int, bit: int) -> Masks | None:
        """The masks with a value placed; None on a contradiction."""
        after = list(masks)
        after[cell] = bit
        lost = (number for j in bits(masks[cell] & ~bit) for number in self.watching[cell, 1 << j])
        return after if self.settle(after, lost) else None

    def shave(self, masks: Masks) -> bool:
        """Remove candidates that lead to a contradiction, until none does; False on a contradiction."""
        again = True
        while again:
            again = False
            for cell in sorted(open_cells(masks), key=lambda cell: masks[cell].bit_count()):
                for j in bits(masks[cell]):
                    if masks[cell] >> j & 1 and self.place(masks, cell, 1 << j) is None:
                        masks[cell] &= ~(1 << j)
                        again = True
                        if not self.settle(masks, self.watching[cell, 1 << j]):
                            return False
        return True


def open_cells(masks: Masks) -> list[int]:
    return [cell for cell, mask in enumerate(masks) if mask & (mask - 1)]


class MatchingStrategy(Strategy):
    takes = ANY_BOARD
    shaves: ClassVar[bool]

    def prepare(self, shape: Shape) -> None:
        self.propagator = Propagator(shape)
        self.guesses = 0

    def encode(self, puzzle: Puzzle) -> Masks | None:
        self.guesses = 0
        masks = list(puzzle.board.candidates)
        return masks if self.propagator.settle(masks, range(len(self.propagator.rules))) else None

    def search(self, model: Masks | None, task: Task) -> list[Masks]:
        return list(islice(self.solutions(model), task.limit))

    def solutions(self, masks: Masks | None) -> Iterator[Masks]:
        if masks is None or (self.shaves and not self.propagator.shave(masks)):
            return
        cells = open_cells(masks)
        if not cells:
            yield masks
            return
        cell = min(cells, key=lambda cell: masks[cell].bit_count())
        for j in bits(masks[cell]):
            self.guesses += 1
            yield from self.solutions(self.propagator.place(masks, cell, 1 << j))

    def decode(self, answer: list[Masks]) -> list[list[int]]:
        return [[mask.bit_length() for mask in masks] for masks in answer]

    def counters(self) -> dict[str, int]:
        """``guesses``: values tried at branch cells."""
        return {"guesses": self.guesses}


@register
class Flow(MatchingStrategy):
    """Matchings of cells with values, and for each value of rows, columns and boxes, each with domain consistency
    (Simonis 2005; Régin 1994)."""

    name = "cp:flow"
    shaves = False


@register
class FlowShaving(MatchingStrategy):
    """The same matchings; at each node of the search, candidates that fail when tried are removed (Simonis 2005)."""

    name = "cp:flow+shaving"
    shaves = True
