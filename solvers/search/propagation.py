"""``propagation:bitmask``: the method of ``seed:norvig``, with a cell's candidates as the bits of one integer.

Naked and hidden singles are placed until none is left; then follows depth-first search on a cell with the fewest
candidates. Hidden singles are found unit by unit, in all units that have changed, with two masks: the candidates that
occur at least once, and at least twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy, Task

Masks = list[int]  # for each cell its candidates: bit v-1 for the value v


class Singles:
    """Propagation of naked and hidden singles on boards of one shape. Units of fewer than N cells only make peers."""

    def __init__(self, shape: Shape) -> None:
        n = shape.size
        self.shape, self.full = shape, (1 << n) - 1
        self.units, self.peers = shape.units, shape.peers
        self.homes = [tuple(unit for unit in units if len(self.units[unit]) == n) for units in shape.homes]

    def parse(self, puzzle: Puzzle) -> Masks | None:
        """The candidates after propagating the clues, None on a contradiction."""
        masks = [self.full] * self.shape.n_cells
        clues = [(cell, 1 << clue - 1) for cell, clue in enumerate(puzzle.cells) if clue]
        changed: set[int] = set()
        for cell, value in puzzle.forbidden:
            masks[cell] ^= 1 << value - 1
            changed.update(self.homes[cell])
        return masks if all(masks) and self.settle(masks, clues, changed) else None

    def settle(self, masks: Masks, placed: list[tuple[int, int]], changed: set[int] | None = None) -> bool:
        """Place values (cell and bit) and all singles that follow, also in units that have changed; False on a
        contradiction."""
        changed = set() if changed is None else changed
        while placed or changed:
            if placed:
                if not self.place(masks, placed, changed):
                    return False
            elif not self.hidden_singles(masks, changed.pop(), placed):
                return False
        return True

    def place(self, masks: Masks, placed: list[tuple[int, int]], changed: set[int]) -> bool:
        """Place all pending values and the naked singles that appear, and collect the units that change."""
        homes, peers = self.homes, self.peers
        while placed:
            cell, bit = placed.pop()
            if not masks[cell] & bit:
                return False
            if masks[cell] != bit:
                masks[cell] = bit
                changed.update(homes[cell])
            for peer in peers[cell]:
                left = masks[peer]
                if left & bit:
                    left ^= bit
                    masks[peer] = left
                    changed.update(homes[peer])
                    if not left & (left - 1):
                        if not left:
                            return False
                        placed.append((peer, left))
        return True

    def hidden_singles(self, masks: Masks, unit: int, placed: list[tuple[int, int]]) -> bool:
        """Append the values with one place left in a unit to ``placed``; False if a value has none."""
        once = twice = 0
        for cell in self.units[unit]:
            mask = masks[cell]
            twice |= once & mask
            once |= mask
        if once != self.full:
            return False
        single = once & ~twice
        if single:
            for cell in self.units[unit]:
                bit = masks[cell] & single
                if bit and bit != masks[cell]:
                    if bit & (bit - 1):  # the only place of two values
                        return False
                    placed.append((cell, bit))
        return True


class OutOfGuesses(Exception):
    """A search has reached its maximum number of guesses."""


class Tree:
    """Depth-first search over the cells that singles leave open, with at most ``most`` guesses.

    Attributes:
        guesses: values tried at branch cells.
        backtracks: guesses that singles refuted.
    """

    def __init__(self, singles: Singles, most: float = math.inf) -> None:
        self.singles, self.most = singles, most
        self.guesses = self.backtracks = 0

    def solutions(self, masks: Masks | None) -> Iterator[Masks]:
        """All solutions of a state; branches on the first cell with the fewest candidates.

        Modifies the state.

        Raises:
            OutOfGuesses: there may be more solutions, but no guess is left.
        """
        branches: list[tuple[Masks, int, int]] = []  # a state, the cell to branch on, the values still to try
        while True:
            if masks is not None:
                cell = fewest(masks)
                if cell < 0:
                    yield masks
                else:
                    branches.append((masks, cell, masks[cell]))
            if not branches:
                return
            masks, cell, untried = branches.pop()
            bit = untried & -untried
            if untried != bit:
                branches.append((masks, cell, untried ^ bit))
                masks = masks.copy()
            masks = self.tried(masks, cell, bit)

    def tried(self, masks: Masks, cell: int, bit: int) -> Masks | None:
        """The state after placing a value, None if singles refute the value."""
        if self.guesses >= self.most:
            raise OutOfGuesses
        self.guesses += 1
        if self.singles.settle(masks, [(cell, bit)]):
            return masks
        self.backtracks += 1
        return None

    def counters(self) -> dict[str, int]:
        return {"guesses": self.guesses, "backtracks": self.backtracks}


def fewest(masks: Masks) -> int:
    """The first open cell with the fewest candidates; -1 if no cell is open."""
    best, least = -1, len(masks)
    for cell, mask in enumerate(masks):
        if mask & (mask - 1):
            count = mask.bit_count()
            if count < least:
                if count == 2:
                    return cell
                best, least = cell, count
    return best


@register
class Bitmask(Strategy):
    """Naked and hidden singles, then depth first on a cell with the fewest candidates, which are bits of an integer
    (Norvig 2006)."""

    name = "propagation:bitmask"
    takes = ANY_BOARD

    def prepare(self, shape: Shape) -> None:
        self.singles = Singles(shape)

    def search(self, model: Puzzle, task: Task) -> list[Masks]:
        self.tree = Tree(self.singles)
        return list(islice(self.tree.solutions(self.singles.parse(model)), task.limit))

    def decode(self, answer: list[Masks]) -> list[list[int]]:
        return [[mask.bit_length() for mask in masks] for masks in answer]

    def counters(self) -> dict[str, int]:
        """``guesses``: values tried at branch cells; ``backtracks``: guesses that singles refuted immediately."""
        return self.tree.counters()
