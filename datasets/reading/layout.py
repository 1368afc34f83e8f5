"""Layouts whose lines mean something only together: blanks as empty cells, and the candidates of ``.sdx`` files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from sudoku_bench.datasets.reading.blocks import Block
from sudoku_bench.datasets.reading.cells import in_ascii
from sudoku_bench.datasets.reading.symbols import SHAPES, SIZES

MAX_BARS = 6  # between and around boxes
MAX_HEAD = 40  # lines that determine the columns of the cells

_BLANKS = re.compile(r"[1-9 |]*[1-9][1-9 |]*")
_ROW = re.compile(r"[1-9 |]+")
_RULE = re.compile(r"[-+|= ]*")
_TOKENS = re.compile(r"[ |]+")


def rewriter(first: str, following: Iterator[str], suffix: str) -> Callable[[str], str] | None:
    """Return what rewrites the lines of a text so that they can be read one by one; None if they can be already."""
    if suffix == ".sdx":
        return _clues_of_sdx
    if _RULE.fullmatch(in_ascii(first.strip())):  # the frame of a grid
        first = next(following, "")
    if " " in first and _BLANKS.fullmatch(in_ascii(first.rstrip("\r\n"))):
        return _dots_for_blanks([first, *islice(following, MAX_HEAD)])
    return None


def rewritten(pieces: Iterable[Block], rewrite: Callable[[str], str]) -> Iterator[Block]:
    """Yield lines as they are to be read."""
    return ((number, rewrite(line)) for number, line in pieces)


def _dots_for_blanks(lines: Iterable[str]) -> Callable[[str], str] | None:
    """Return what writes ``.`` for blanks that are empty cells; None if the first lines show no such cells."""
    rows = [line for line in (in_ascii(line.rstrip("\r\n")) for line in lines) if not _RULE.fullmatch(line)]
    if not all(map(_BLANKS.fullmatch, rows)):
        return None
    tokens = [[token for token in _TOKENS.split(row) if token] for row in rows]
    if {len(row) for row in tokens} <= {*SIZES, *SHAPES} and len({len(row) for row in tokens}) == 1:
        return None  # each cell has its sign
    columns = _columns(rows)
    if not columns:
        return None

    def with_dots(line: str) -> str:
        text = in_ascii(line.rstrip("\r\n"))
        is_row = _ROW.fullmatch(text) and (text.strip() or len(text) > columns[-1])
        if is_row and not text[columns[-1] + 1 :].strip(" |"):
            cells = text.ljust(columns[-1] + 1)
            return "".join(cells[column] for column in columns).replace(" ", ".") + "\n"
        return line

    return with_dots


def _columns(rows: list[str]) -> list[int]:
    """Return the columns of a text where the cells of a row, or of a board, are."""
    width = max(map(len, rows))
    used = sorted({column for row in rows for column, sign in enumerate(row) if sign.isdecimal()})
    if any(row.count("|") > MAX_BARS for row in rows):
        return []  # bars between all cells
    if any("|" in row for row in rows):
        inner = [column for column in range(width) if all(row[column : column + 1] != "|" for row in rows)]
        spaced = [column for column in inner if column % 2 == used[0] % 2]
        choices = (spaced, inner) if set(used) <= set(spaced) else (inner,)
        return next((columns for columns in choices if len(columns) in SIZES), [])
    if width in SHAPES or width in SIZES:
        return list(range(width))
    size = (width + 1) // 2
    return list(range(0, 2 * size, 2)) if size in SIZES and all(column % 2 == 0 for column in used) else []


def _clues_of_sdx(line: str) -> str:
    """Return a row of SudoCue's ``.sdx`` with its clues; candidates and ``u5``, which a person set, are none."""
    cells = line.split()
    is_row = len(cells) in SIZES and all(cell.removeprefix("u").isdecimal() for cell in cells)
    return " ".join(cell if len(cell) == 1 else "." for cell in cells) + "\n" if is_row else line
