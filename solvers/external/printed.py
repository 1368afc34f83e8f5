"""What programs of other people print for a puzzle: plain lines, decorated lines, or a grid of several lines."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import SYMBOLS, Shape
from sudoku_bench.datasets.verify import solution_fault
from sudoku_bench.solvers.external.program import CommandFault, got
from sudoku_bench.solvers.strategy import GaveUp

Grid = list[int]

MOST = 100  # drawn grids of a text

FROM_TEXT = bytes(max(SYMBOLS.find(chr(code).upper()) + 1, 0) for code in range(256))  # by character
_COLOUR = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")
_GAVE_UP = re.compile(rb"\s*(gave up|unknown)\W*", re.IGNORECASE)
_NONE = re.compile(rb"\b(no solutions?|unsolvable|unsatisfiable|unsat)\b", re.IGNORECASE)
_WORD = re.compile(rb"[0-9A-Za-z@.]+")  # a dot is an empty cell, so the puzzle beside a solution is a word of its own
_NO_CELL = re.compile(rb"[^0-9A-Za-z@.?*_]+")  # borders
_NO_LIST = re.compile(rb"[^]\[\s\d,\"'.]+")  # what is around a list of numbers, or of texts


def solutions_in(text: bytes, puzzle: Puzzle, limit: int) -> list[Grid]:
    """The solutions of a puzzle in a text; none if it is blank or says that there is none.

    Complete grids count, as words of N·N characters, as lists, or as N successive lines of N cells within any borders;
    what is incomplete (the puzzle itself) and headings do not. Of several, those that solve it count if any does.

    Raises:
        GaveUp: the text is ``gave up`` or ``unknown``.
        CommandFault: it holds more than ``limit`` grids; or none, and does not say that there is none.
    """
    found = grids_in(text, puzzle.shape)
    if not found and text.strip() and not _NONE.search(text):
        raise CommandFault(f"the command prints no complete grid; {got(text)}")
    if len(found) > 1:
        found = [grid for grid in found if solution_fault(puzzle, grid) is None] or found
    if len(found) > limit:
        raise CommandFault(f"the command prints {len(found)} grids for a puzzle; {got(text)}")
    return found


def is_answer(text: bytes, shape: Shape) -> bool:
    """Whether a text holds a complete grid, or says that there is none."""
    try:
        return bool(grids_in(text, shape) or _NONE.search(text))
    except GaveUp:
        return True


def grids_in(text: bytes, shape: Shape) -> list[Grid]:
    """The complete grids in a text, also those that begin with a heading of the columns.

    Raises:
        GaveUp: the text is ``gave up`` or ``unknown``.
    """
    if grids := _complete(text.split(), shape):
        return grids
    if _GAVE_UP.fullmatch(text):
        raise GaveUp("the command gave up")
    text = _COLOUR.sub(b"", text)
    return _complete(_WORD.findall(text), shape) or list(islice(_drawn(text, shape), MOST))


def _complete(words: list[bytes], shape: Shape) -> list[Grid]:
    values = (word.translate(FROM_TEXT) for word in words if len(word) == shape.n_cells)
    return [list(cells) for cells in values if 0 < min(cells) <= max(cells) <= shape.size]


def _drawn(text: bytes, shape: Shape) -> Iterator[Grid]:
    """Yield the complete grids that are drawn with a line for each row, or listed cell by cell in a line or in JSON."""
    rows, size = deque[Grid](maxlen=shape.size), shape.size
    lists = (_row(_NO_CELL.sub(b" ", part).split(), shape.n_cells) for part in _NO_LIST.split(text) if b"[" in part)
    if grids := [grid for grid in lists if grid and 0 < min(grid) <= max(grid) <= size]:
        yield from grids
        return
    for line in text.splitlines():
        cells = _NO_CELL.sub(b" ", line).split()
        if not cells:
            continue  # a border, or a blank line
        grid = _row(cells, shape.n_cells)
        rows.append(_row(cells, size) or _row(cells[1:], size))  # the first may be the name of the row
        if len(rows) == size and all(rows):  # what is no row is empty
            grid = [cell for each in rows for cell in each]
        if grid and 0 < min(grid) <= max(grid) <= size:
            yield grid


def _row(cells: list[bytes], number: int) -> Grid:
    """The values of so many cells as numbers or as characters; empty if there are others."""
    if len(cells) == number and all(cell.isdigit() for cell in cells):
        return [int(cell[:3]) for cell in cells]
    row = b"".join(cells)
    return list(row.translate(FROM_TEXT)) if len(row) == number else []
