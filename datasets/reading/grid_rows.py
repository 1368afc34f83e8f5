"""Collect the rows of a grid from lines of text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from sudoku_bench.datasets.reading import cells
from sudoku_bench.datasets.reading.items import BadLine, Grid, joined
from sudoku_bench.datasets.reading.symbols import CERTAINLY_EMPTY, SHAPES, SIZES
from sudoku_bench.datasets.shape import EMPTY, Shape

SYMBOLS_4X4 = frozenset(("1", "2", "3", "4", *EMPTY, *CERTAINLY_EMPTY))


class Rows:
    """Collects rows until a grid is complete.

    16 cells are a row of a 16×16 board if they have borders, or exactly 16 such lines follow each other and one has a
    symbol that 4×4 boards lack; else each line is a 4×4 puzzle. A first row 1, 2, 3, ... or 0, 1, 2, ... is the heading
    of the columns if one row more than a grid has follows it.
    """

    def __init__(self) -> None:
        self._rows: list[Sequence[str]] = []
        self._lines: list[int] = []
        self._shape: Shape | None = None
        self._ambiguous = False
        self._is_after_grid = False  # where a row of empty fields separates it from the next grid
        self._are_4x4 = False  # more than 16 lines of 16 cells followed each other, so they are 4×4 puzzles

    def add(self, found: cells.Cells, line: int) -> Iterator[Grid | BadLine]:
        """Add the cells of a line; yield the grids that are complete, and faults."""
        texts, shape, is_row = found
        if len(texts) not in SIZES:
            yield from self.end()
            yield Grid(texts, line)
            return
        if self._is_after_grid and not self._rows and not any(texts):
            return
        ambiguous = len(texts) in SHAPES and not is_row
        is_next_heading = len(self._rows) == len(texts) + 1 and texts == self._rows[0] and self._begins_with_heading
        if self._rows and (len(texts) != len(self._rows[0]) or ambiguous != self._ambiguous or is_next_heading):
            yield from self.end()
        if ambiguous and self._are_4x4:
            yield Grid(texts, line)
            return
        if not self._rows:
            self._shape, self._ambiguous = shape, ambiguous
        self._is_after_grid = False
        self._rows.append(texts)
        self._lines.append(line)
        if ambiguous and len(self._rows) > len(texts) + self._begins_with_heading:
            yield from self._separate_puzzles()
            self._are_4x4 = True
        elif not ambiguous and len(self._rows) == len(texts) * (1 + self._begins_with_heading):
            yield from self._grids()

    def rule(self) -> Iterator[Grid | BadLine]:
        """Handle a rule: it ends a grid of 16 ambiguous rows, which nothing else separates from the next grid."""
        if self._ambiguous and len(self._rows) == len(self._rows[0]):
            yield from self.end()

    def end(self) -> Iterator[Grid | BadLine]:
        """Handle the end of the rows: yield the remaining grids, or the fault of an incomplete one."""
        self._are_4x4 = False
        if not self._rows:
            return
        if self._begins_with_heading and len(self._rows) == len(self._rows[0]) + 1:
            del self._rows[0], self._lines[0]
        if not self._ambiguous:
            yield from self._grids()
        elif len(self._rows) == len(self._rows[0]) and any(not SYMBOLS_4X4.issuperset(row) for row in self._rows):
            yield self._joined(len(self._rows))
        else:
            yield from self._separate_puzzles()

    def has_sign(self, line: str) -> bool:
        """Return whether a line of one sign is a row, because the sign is an empty cell of the pending rows."""
        signs = "".join(line.split())
        is_row = bool(self._rows) and len(signs) == len(self._rows[0]) and len(set(signs)) == 1
        return is_row and any(signs[0] in row for row in self._rows)

    def __bool__(self) -> bool:
        """Whether rows are pending."""
        return bool(self._rows) or self._are_4x4

    @property
    def _begins_with_heading(self) -> bool:
        """Whether the first pending row may be the heading of the columns."""
        size = len(self._rows[0]) if self._rows else 0
        return size > 0 and list(self._rows[0]) in ([str(n + first) for n in range(size)] for first in (0, 1))

    def _grids(self) -> Iterator[Grid | BadLine]:
        """Yield the grids that the rows make up, and the fault of one that is incomplete."""
        size, self._is_after_grid = len(self._rows[0]), True
        while len(self._rows) >= size:
            yield self._joined(size)
        if self._rows:
            message = f"the grid that begins here has {len(self._rows)} of {size} rows; add the missing rows"
            yield BadLine(self._lines[0], message, "grid that is cut off")
        self._rows, self._lines = [], []

    def _joined(self, size: int) -> Grid:
        """Return the grid of the first rows."""
        rows, lines = self._rows[:size], tuple(self._lines[:size])
        self._rows, self._lines = self._rows[size:], self._lines[size:]
        return Grid(joined(list(itertools.chain.from_iterable(rows))), lines[0], self._shape, lines)

    def _separate_puzzles(self) -> Iterator[Grid]:
        grids = list(map(Grid, self._rows, self._lines))
        self._rows, self._lines = [], []
        yield from grids
