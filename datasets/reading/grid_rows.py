"""Grids that come row by row, whether the rows are lines of text or lists."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from datasets.reading.cells import SHAPES
from datasets.reading.items import BadLine, Grid
from datasets.shape import EMPTY, Shape

FOUR = frozenset("1234" + EMPTY)  # what a 4×4 puzzle is written with


class Rows:
    """Collects rows until a grid is whole.

    16 cells are a row of a 16×16 board or a 4×4 puzzle. They are a row if exactly 16 of them follow each other and
    some cell is more than a 4×4 board has; otherwise each is a puzzle. (``sure`` rows have borders and need no guess.)
    """

    def __init__(self) -> None:
        self._cells: list[Sequence[str]] = []
        self._lines: list[int] = []
        self._shape: Shape | None = None
        self._unsure = False
        self._fours = False  # so many lines of 16 cells followed each other that they are 4×4 puzzles

    def add(
        self, cells: Sequence[str], line: int, shape: Shape | None = None, sure: bool = False
    ) -> Iterator[Grid | BadLine]:
        """Take a row of 4, 6, 9, 12, 16 or 25 cells; yields what it completes."""
        unsure = len(cells) in SHAPES and not sure
        if self._cells and (len(cells) != len(self._cells[0]) or unsure != self._unsure):
            yield from self.end()
        if unsure and self._fours:
            yield Grid(cells, line)
            return
        if not self._cells:
            self._shape, self._unsure = shape, unsure
        self._cells.append(cells)
        self._lines.append(line)
        if unsure and len(self._cells) > len(cells):
            yield from self._singly()
            self._fours = True
        elif not unsure and len(self._cells) == len(cells):
            yield self._whole()

    def rule(self) -> Iterator[Grid | BadLine]:
        """A rule follows: it parts two grids of 16 rows, where nothing else would."""
        if self._unsure and len(self._cells) == len(self._cells[0]):
            yield from self.end()

    def end(self) -> Iterator[Grid | BadLine]:
        """There are no more rows; yields what is left."""
        self._fours = False
        if not self._cells:
            return
        if not self._unsure:
            size, start = len(self._cells[0]), self._lines[0]
            what = f"the grid that begins here has {len(self._cells)} of {size} rows; add what is missing"
            self._clear()
            yield BadLine(start, what, "grid that is cut off")
        elif len(self._cells) == len(self._cells[0]) and any(not FOUR.issuperset(row) for row in self._cells):
            yield self._whole()
        else:
            yield from self._singly()

    def __bool__(self) -> bool:
        return bool(self._cells) or self._fours

    def _whole(self) -> Grid:
        rows, lines = self._cells, tuple(self._lines)
        shape = self._shape
        self._clear()
        if all(isinstance(row, str) for row in rows):
            return Grid("".join(map(str, rows)), lines[0], shape, lines)
        return Grid(list(itertools.chain.from_iterable(rows)), lines[0], shape, lines)

    def _singly(self) -> Iterator[Grid]:
        found = [Grid(cells, line) for cells, line in zip(self._cells, self._lines, strict=True)]
        self._clear()
        yield from found

    def _clear(self) -> None:
        self._cells, self._lines, self._unsure = [], [], False
