"""Collect the rows of a grid, from lines of text or from lists."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from sudoku_bench.datasets.reading.cells import counts_up
from sudoku_bench.datasets.reading.items import BadLine, Grid
from sudoku_bench.datasets.reading.symbols import CERTAINLY_EMPTY, SHAPES
from sudoku_bench.datasets.shape import EMPTY, Shape

SYMBOLS_4X4 = frozenset(("1", "2", "3", "4", *EMPTY, *CERTAINLY_EMPTY))


class Rows:
    """Collects rows until a grid is complete.

    16 cells are either a row of a 16×16 board or a 4×4 puzzle. They are rows if exactly 16 of them follow each other
    and some cell has a symbol that a 4×4 board does not have; otherwise each of them is a puzzle. Rows with borders
    (``is_row``) are unambiguous.

    A first row 1, 2, 3, ... or 0, 1, 2, ... is the heading of the columns if one row more than a grid has follows it.
    """

    def __init__(self) -> None:
        self._rows: list[Sequence[str]] = []
        self._lines: list[int] = []
        self._shape: Shape | None = None
        self._ambiguous = False
        self._are_4x4 = False  # more than 16 lines of 16 cells followed each other, so they are 4×4 puzzles

    def add(
        self, cells: Sequence[str], line: int, shape: Shape | None = None, is_row: bool = False
    ) -> Iterator[Grid | BadLine]:
        """Add a row of 4, 6, 9, 12, 16 or 25 cells; yield the grids that are complete, and faults."""
        ambiguous = len(cells) in SHAPES and not is_row
        is_next_heading = len(self._rows) == len(cells) + 1 and cells == self._rows[0] and self.begins_with_heading
        if self._rows and (len(cells) != len(self._rows[0]) or ambiguous != self._ambiguous or is_next_heading):
            yield from self.end()
        if ambiguous and self._are_4x4:
            yield Grid(cells, line)
            return
        if not self._rows:
            self._shape, self._ambiguous = shape, ambiguous
        self._rows.append(cells)
        self._lines.append(line)
        if ambiguous and len(self._rows) > len(cells) + self.begins_with_heading:
            yield from self._separate_puzzles()
            self._are_4x4 = True
        elif not ambiguous and len(self._rows) == len(cells) * (1 + self.begins_with_heading):
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
        if self.begins_with_heading and len(self._rows) == len(self._rows[0]) + 1:
            del self._rows[0], self._lines[0]
        if not self._ambiguous:
            yield from self._grids()
        elif len(self._rows) == len(self._rows[0]) and any(not SYMBOLS_4X4.issuperset(row) for row in self._rows):
            yield self._joined_grid()
        else:
            yield from self._separate_puzzles()

    @property
    def position(self) -> int:
        """Number of pending rows."""
        return len(self._rows)

    @property
    def begins_with_heading(self) -> bool:
        """Whether the first pending row may be the heading of the columns."""
        return bool(self._rows) and counts_up(self._rows[0])

    def has_sign(self, line: str) -> bool:
        """Return whether a line of one sign is a row, because the sign is an empty cell of the pending rows."""
        signs = "".join(line.split())
        if not self._rows or len(signs) != len(self._rows[0]) or len(set(signs)) > 1:
            return False
        return any(signs[0] in row for row in self._rows)

    def __bool__(self) -> bool:
        """Whether rows are pending."""
        return bool(self._rows) or self._are_4x4

    def _grids(self) -> Iterator[Grid | BadLine]:
        """Yield the grids that the rows make up, and the fault of one that is incomplete."""
        rows, lines, size = self._rows, self._lines, len(self._rows[0])
        while len(rows) >= size:
            self._rows, self._lines = rows[:size], lines[:size]
            yield self._joined_grid()
            rows, lines = rows[size:], lines[size:]
        self._clear()
        if rows:
            message = f"the grid that begins here has {len(rows)} of {size} rows; add the missing rows"
            yield BadLine(lines[0], message, "grid that is cut off")

    def _joined_grid(self) -> Grid:
        rows, lines = self._rows, tuple(self._lines)
        shape = self._shape
        self._clear()
        if all(isinstance(row, str) for row in rows):
            return Grid("".join(map(str, rows)), lines[0], shape, lines)
        return Grid(list(itertools.chain.from_iterable(rows)), lines[0], shape, lines)

    def _separate_puzzles(self) -> Iterator[Grid]:
        grids = [Grid(cells, line) for cells, line in zip(self._rows, self._lines, strict=True)]
        self._clear()
        yield from grids

    def _clear(self) -> None:
        self._rows, self._lines, self._ambiguous = [], [], False
