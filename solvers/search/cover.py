"""``exact-cover:algorithm-x``: Sudoku as an exact cover, solved with dictionaries and sets in plain Python.

An *option* is "this cell has this value" and covers some *items*: that cell, and that value in each of its units (four
items on ordinary boards). A solution is a set of options that covers each item once (Knuth 2000, who also named
Algorithm X). Each step chooses the item with the fewest options, the first in the order of the dictionary if there are
several. A unit of fewer than N cells need not hold a value, so a further option covers each of its items alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy, Task

Items = tuple[int, ...]


def options_of(shape: Shape) -> list[Items]:
    """The items, numbered from 0, of each option.

    Option cell · N + v-1 places the value v. After these N³, there is one for each item of a unit of fewer cells.
    """
    n = shape.size
    options = [
        (cell, *((n + unit) * n + v for unit in units)) for cell, units in enumerate(shape.homes) for v in range(n)
    ]
    small = (unit for unit, cells in enumerate(shape.units) if len(cells) < n)
    return options + [((n + unit) * n + v,) for unit in small for v in range(n)]


def padded(options: list[Items]) -> tuple[list[Items], int, int]:
    """Return the options with equally many items each, the number of items that must be covered, and that of all.

    Options are padded with items of their own, numbered after all others, which need not be covered.
    """
    needed = own = 1 + max(map(max, options))
    width = max(map(len, options))
    result = []
    for option in options:
        after = own + width - len(option)
        result.append((*option, *range(own, after)))
        own = after
    return result, needed, own


def allowed(puzzle: Puzzle) -> list[int]:
    """The options consistent with the clues: one for a cell with a clue, N for any other. Clues may clash."""
    n = puzzle.shape.size
    options: list[int] = []
    for cell, clue in enumerate(puzzle.cells):
        if clue:
            options.append(cell * n + clue - 1)
        else:
            options += range(cell * n, cell * n + n)
    if puzzle.forbidden:
        options = sorted(set(options).difference(cell * n + value - 1 for cell, value in puzzle.forbidden))
    options += range(n**3, n**3 + n * len(puzzle.shape.small_units))
    return options


def cells_of(shape: Shape, options: Iterator[int] | list[int]) -> list[int]:
    """The cells of a solution, given as its options in any order."""
    cells = [0] * (shape.n_cells + len(shape.small_units))
    for option in options:
        cell, v = divmod(option, shape.size)
        cells[cell] = v + 1
    return cells[: shape.n_cells]


class CoverStrategy(Strategy):
    """Base of all exact covers: options, and decoding to cells."""

    takes = ANY_BOARD

    def prepare(self, shape: Shape) -> None:
        self.shape = shape
        self.options = options_of(shape)

    def encode(self, puzzle: Puzzle) -> list[int]:
        self.rows = allowed(puzzle)
        return self.rows

    def decode(self, answer: list[list[int]]) -> list[list[int]]:
        return [cells_of(self.shape, options) for options in answer]


class Sets:
    """Items, each with the options that can still cover it.

    Attributes:
        options: for each option its items.
        items: for each uncovered item its options.
        nodes: options chosen so far.
        backtracks: items abandoned so far, because all of their options had been tried.
    """

    def __init__(self, options: list[Items], allowed: list[int]) -> None:
        self.options = options
        self.items: dict[int, set[int]] = {item: set() for item in range(1 + max(map(max, options)))}
        for option in allowed:
            for item in options[option]:
                self.items[item].add(option)
        self.nodes = self.backtracks = 0

    def covers(self) -> Iterator[list[int]]:
        """All exact covers, each as its options."""
        chosen: list[int] = []
        covered: list[list[tuple[int, set[int]]]] = []
        untried = [self.choices()]
        while untried:
            if len(chosen) == len(untried):
                self.uncover(chosen.pop(), covered.pop())
            if not untried[-1]:
                untried.pop()
                self.backtracks += 1
                continue
            option = untried[-1].pop()
            chosen.append(option)
            covered.append(self.cover(option))
            self.nodes += 1
            if self.items:
                untried.append(self.choices())
            else:
                yield list(chosen)

    def choices(self) -> list[int]:
        """The options of the item with the fewest, in the reverse order of trying."""
        fewest: set[int] = min(self.items.values(), key=lambda options: len(options))
        return sorted(fewest, reverse=True)

    def cover(self, option: int) -> list[tuple[int, set[int]]]:
        """Remove an option's items, and clashing options from all other items; return the removed items."""
        removed = []
        for item in self.options[option]:
            clashing = self.items.pop(item)
            for other in clashing:
                for touched in self.options[other]:
                    if touched in self.items:
                        self.items[touched].discard(other)
            removed.append((item, clashing))
        return removed

    def uncover(self, option: int, removed: list[tuple[int, set[int]]]) -> None:
        """Undo ``cover`` in reverse order."""
        for item, clashing in reversed(removed):
            for other in clashing:
                for touched in self.options[other]:
                    if touched in self.items:
                        self.items[touched].add(other)
            self.items[item] = clashing


@register
class AlgorithmX(CoverStrategy):
    """Exact cover with options and items in dictionaries and sets (Knuth 2000)."""

    name = "exact-cover:algorithm-x"

    def load(self, model: list[int]) -> Any:
        self.sets: Any = Sets(self.options, model)
        return self.sets

    def search(self, model: Any, task: Task) -> list[list[int]]:
        return list(islice(model.covers(), task.limit))

    def counters(self) -> dict[str, int]:
        """``nodes``: options chosen; ``backtracks``: items abandoned after all of their options had been tried."""
        return {"nodes": self.sets.nodes, "backtracks": self.sets.backtracks}
