"""What programs of other people print for a puzzle: plain lines, decorated lines, or a grid of several lines."""

from __future__ import annotations

import re

from sudoku_bench.datasets.shape import SYMBOLS, Shape
from sudoku_bench.solvers.external.program import CommandFault, got
from sudoku_bench.solvers.strategy import GaveUp

Grid = list[int]

FROM_TEXT = bytes(max(SYMBOLS.find(chr(code).upper()) + 1, 0) for code in range(256))  # by character
_GAVE_UP = re.compile(rb"\s*(gave up|unknown)\W*", re.IGNORECASE)
_NONE = re.compile(rb"\b(no solutions?|unsolvable|unsatisfiable|unsat)\b", re.IGNORECASE)
_WORD = re.compile(rb"[0-9A-Za-z.]+")  # a dot is an empty cell, so the puzzle beside a solution is a word of its own
_NUMBER = re.compile(rb"[0-9A-Za-z]+")
_NO_CELL = re.compile(rb"[^0-9A-Za-z.?*_]+")  # borders


def is_plain(text: bytes, n_cells: int) -> bool:
    """Whether a text is one line of grids separated by blanks, or an empty line."""
    return text.find(b"\n", 0, -1) < 0 and all(len(word) == n_cells for word in text.split())


def plain(text: bytes) -> list[Grid]:
    """The grids of plain lines; anything but a digit becomes 0, which is in no solution."""
    return [list(word.translate(FROM_TEXT)) for word in text.split()]


def has_too_much(text: bytes, shape: Shape, limit: int) -> bool:
    """Whether several lines hold more than an answer: too many grids, or anything after a plain line."""
    first, _, rest = text.partition(b"\n")
    is_answered = first.strip() and is_plain(first, shape.n_cells)
    return bool(is_answered and _NUMBER.search(rest)) or len(solutions_in(text, shape)) > limit


def solutions_in(text: bytes, shape: Shape) -> list[Grid]:
    """The solutions in a text; none if it says that there is none.

    Complete grids count, as words of N·N characters or as N successive lines of N cells within any borders; what is
    incomplete (the puzzle itself) and headings do not.

    Raises:
        GaveUp: the text is ``gave up`` or ``unknown``.
        CommandFault: it holds no complete grid and does not say that there is none.
    """
    if all(len(word) == shape.n_cells for word in text.split()):
        return plain(text)
    if _GAVE_UP.fullmatch(text):
        raise GaveUp("the command gave up")
    words = (word for word in _WORD.findall(text) if len(word) == shape.n_cells)
    grids = [grid for grid in map(list, (word.translate(FROM_TEXT) for word in words)) if _is_whole(grid, shape)]
    grids = grids or _drawn(text, shape)
    if grids or _NONE.search(text):
        return grids
    raise CommandFault(f"the command prints no complete grid; {got(text)}")


def _drawn(text: bytes, shape: Shape) -> list[Grid]:
    """The complete grids that are drawn with a line for each row."""
    grids, rows = list[Grid](), list[Grid]()
    for line in text.splitlines():
        cells = _NO_CELL.sub(b" ", line).split()
        if not cells:
            continue  # a border, or a blank line
        row = _row(cells, shape.size)
        rows = [*rows, row] if row else []  # a heading, or an unfinished row
        if len(rows) == shape.size:
            grids.append([cell for each in rows for cell in each])
            rows = []
    return [grid for grid in grids if _is_whole(grid, shape)]


def _row(cells: list[bytes], size: int) -> Grid:
    """The values of a row as numbers or as characters; empty if it is none."""
    if len(cells) == size and all(cell.isdigit() for cell in cells):
        return [int(cell[:3]) for cell in cells]
    row = b"".join(cells)
    return list(row.translate(FROM_TEXT)) if len(row) == size else []


def _is_whole(grid: Grid, shape: Shape) -> bool:
    return all(0 < value <= shape.size for value in grid)
