"""What an encoding derives from a state of the board: the candidates that unit propagation or failed literals leave.

Encodings that derive the same in every state are a class.

Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

import numpy as np

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import pairs
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.strength import kernel
from sudoku_bench.solvers.sat.strength.kernel import index, indices

Candidates = int  # a bit for each cell and value, cell by cell: it is still possible


@dataclass(frozen=True)
class State:
    """A partial assignment in terms of the board, which means the same under every encoding.

    Attributes:
        cells: N·N numbers, 0 for an open cell.
        excluded: cells (0 .. N²-1) and values that they do not have.
    """

    cells: tuple[int, ...]
    excluded: frozenset[tuple[int, int]] = frozenset()


def state_of(puzzle: Puzzle) -> State:
    """The clues of a puzzle."""
    return State(puzzle.cells)


def random_state(shape: Shape, solution: Sequence[int], seed: int, wrong: bool = False) -> State:
    """A random partial assignment around a solution.

    A random share of the cells is filled, up to half of them, and a random share of the wrong candidates of the others
    is excluded.

    Args:
        solution: a completed grid.
        wrong: one filled cell gets another value, so that propagation may find a contradiction.
    """
    random = Random(seed)
    filled, kept = random.random() / 2, random.random()
    cells = [value if random.random() < filled else 0 for value in solution]
    if wrong and any(cells):
        cell = random.choice([cell for cell, value in enumerate(cells) if value])
        cells[cell] = cells[cell] % shape.size + 1
    others = product((cell for cell, value in enumerate(cells) if not value), range(1, shape.size + 1))
    excluded = frozenset((c, v) for c, v in others if v != solution[c] and random.random() > kept)
    return State(tuple(cells), excluded)


class Prober:
    """The clauses of an encoding, ready to propagate from one state after another."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding, self.shape = encoding, encoding.shape
        self.one_hot = encoding.code.one_hot
        clauses = encoding.clauses() + [pair for row in encoding.at_most_ones() for pair in pairs(row)]
        last = encoding.size.variables
        if not self.one_hot:  # a further variable for each candidate, which excludes it
            clauses += [[-(last + k), *(-x for x in stated)] for k, stated in enumerate(self._stated(), start=1)]
        self.net = kernel.net_of(clauses, last + (0 if self.one_hot else self.shape.size**3))
        stated_by = [[index(-x) for x in stated] for stated in self._stated()]
        width = max(map(len, stated_by))
        self.denials = np.array([[*row, *row[:1] * (width - len(row))] for row in stated_by])
        probed = range(1, encoding.cell_variables + 1)
        self.probes = indices(sign * x for x in probed for sign in (1, -1))
        units = indices(clause[0] for clause in clauses if len(set(clause)) == 1)
        assert kernel.assume(self.net, units), "the rules alone are a contradiction"
        self.root = int(self.net.ends[1])

    def unit_propagation(self, state: State) -> Candidates:
        """The candidates that unit propagation leaves: those whose literals can all still be true; 0 on a conflict."""
        return self._derive(state, failed=False)

    def failed_literals(self, state: State) -> Candidates:
        """The candidates left when no literal of a cell's variable fails under unit propagation; 0 on a conflict.

        A literal fails if assuming it leads to a conflict; its negation then holds. Both literals of each variable of
        the cells are assumed, those of auxiliary variables are not.
        """
        return self._derive(state, failed=True)

    def _derive(self, state: State, failed: bool) -> Candidates:
        try:
            if not kernel.assume(self.net, indices(self._literals(state))):
                return 0
            if failed and not kernel.assume_failed(self.net, self.probes):
                return 0
            left = ~self.net.true[self.denials].any(axis=1)
            return int.from_bytes(np.packbits(left, bitorder="little").tobytes(), "little")
        finally:
            kernel.undo(self.net, self.root)

    def _literals(self, state: State) -> Iterator[int]:
        for cell, value in enumerate(state.cells):
            if value:
                yield from self.encoding.value_literals(cell, value)
        for cell, value in sorted(state.excluded):
            place = cell * self.shape.size + value
            yield -place if self.one_hot else self.encoding.size.variables + place

    def _stated(self) -> Iterator[list[int]]:
        """The literals that together state each value of each cell."""
        for cell, value in product(range(self.shape.n_cells), range(1, self.shape.size + 1)):
            yield self.encoding.value_literals(cell, value)


def is_solved(left: Candidates, shape: Shape) -> bool:
    """Whether each cell has one candidate."""
    if left.bit_count() != shape.n_cells:
        return False
    full = (1 << shape.size) - 1
    return all(left >> (cell * shape.size) & full for cell in range(shape.n_cells))


def is_at_least_as_strong(a: Iterable[Candidates], b: Iterable[Candidates]) -> bool:
    """Whether, in each state, everything that ``b`` has excluded is excluded by ``a``."""
    return all(not here & ~there for here, there in zip(a, b, strict=True))


@dataclass(frozen=True)
class StrengthClass:
    """Encodings that left the same candidates in every state that was tried.

    Attributes:
        names: the encodings.
        left: the mean number of candidates left in a state.
        weaker: the places (0, 1, ...) of the classes that derive less, or the same, in each state and less in some.
    """

    names: tuple[str, ...]
    left: float
    weaker: tuple[int, ...]


def classes(derived: Mapping[str, Sequence[Candidates]]) -> list[StrengthClass]:
    """Group encodings by what they derive in the same states; those that leave the fewest candidates come first.

    Args:
        derived: for each encoding the candidates that it leaves in each state, all in the same order.
    """
    members: dict[tuple[Candidates, ...], list[str]] = {}
    for name, lefts in derived.items():
        members.setdefault(tuple(lefts), []).append(name)
    ranked = sorted(members, key=lambda lefts: (total(lefts), members[lefts]))
    return [
        StrengthClass(
            tuple(members[lefts]),
            total(lefts) / max(1, len(lefts)),
            tuple(k for k, other in enumerate(ranked) if other != lefts and is_at_least_as_strong(lefts, other)),
        )
        for lefts in ranked
    ]


def total(lefts: Sequence[Candidates]) -> int:
    return sum(left.bit_count() for left in lefts)
