"""Reading puzzles: one per line, or grids with borders.

One puzzle per line: the first word is the grid (``1-9``, then ``A-Z``, for digits; ``. 0 * _`` for empty), its
length says which board it is, and what follows is ignored. Blank lines and lines that start with ``#`` are skipped. A
bordered grid is N lines without a blank one, whose boxes are set apart by ``|`` (which say how wide boxes are), with or
without lines of dashes between the bands, or all of it in one line::

    .73|...|8..
    ..4|13.|.5.
    .85|..6|31.
    ---+---+---
    ...

Files are read lazily, line by line.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.shape import EMPTY, Shape

SIZES = (4, 6, 9, 12, 16, 25)
SHAPES = {size * size: Shape.of_size(size) for size in SIZES}
MAX_LINE = 1 << 16  # characters; the largest board needs 625

_WORD_END = re.compile(r"[\s,;#]")
_RULE = re.compile(r"[\s|+\"'()]*[-=][\s|+=\-\"'()]*")
_RULES_WITHIN = re.compile(r"[-+]")  # a line with rules in it is a whole grid (16 cells could be either)
_BORDERS = re.compile(r"[\s|+\-\"'()]")


@dataclass(frozen=True)
class Entry:
    """A puzzle and the line of its source (1 is the first) where it begins."""

    puzzle: Puzzle
    line: int


@dataclass(frozen=True)
class BadLine:
    """A line that holds no puzzle although it should; ``what`` says what is wrong and how to mend it."""

    line: int
    what: str


def read_file(path: str | Path) -> Iterator[Entry | BadLine]:
    """Read a file, or standard input for ``-``.

    Yields:
        an ``Entry`` for each puzzle and a ``BadLine`` for each line that should hold one and does not.

    Raises:
        InputError: the file cannot be opened, or is not text.
    """
    if str(path) == "-":
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
        yield from read_lines(_lines(sys.stdin, "standard input"))
        return
    try:
        with Path(path).open(encoding="utf-8-sig", errors="surrogateescape") as stream:
            yield from read_lines(_lines(stream, str(path)))
    except IsADirectoryError:
        raise InputError(f"{path}: is a directory; name a file of puzzles") from None
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def load_file(path: str | Path) -> list[Entry]:
    """All puzzles of a file that must be faultless.

    Raises:
        InputError: as ``read_file``; or a line is bad, or there is no puzzle at all.
    """
    entries = []
    for item in read_file(path):
        if isinstance(item, BadLine):
            raise InputError(f"{path}:{item.line}: {item.what}")
        entries.append(item)
    if not entries:
        raise InputError(f"{path}: holds no puzzle; write one per line")
    return entries


def parse(text: str) -> Puzzle:
    """The one puzzle in a text.

    Raises:
        InputError: the text holds no puzzle, a bad line, or more than one puzzle.
    """
    items = list(read_lines(text.splitlines()))
    for item in items:
        if isinstance(item, BadLine):
            raise InputError(f"line {item.line}: {item.what}")
    if len(items) != 1 or not isinstance(items[0], Entry):
        raise InputError(f"expected one puzzle, found {len(items)}")
    return items[0].puzzle


def read_lines(lines: Iterable[str]) -> Iterator[Entry | BadLine]:
    """Parse lines as ``read_file`` does."""
    grid: list[str] = []  # rows of the bordered grid being read
    start, shape = 0, SHAPES[81]  # where it began, and what its borders say
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if line.startswith("#") or _RULE.fullmatch(line):
            continue
        row = _bordered_row(line)
        if grid and (row is None or len(row) != len(grid[0])):
            yield _cut_off(start, grid)
            grid = []
        if row is None:
            if line:
                yield _entry(_WORD_END.split(line, maxsplit=1)[0], number)
        elif len(row) in SIZES and not _RULES_WITHIN.search(line):
            if not grid:
                start, shape = number, _shape_of_row(line, len(row))
            grid.append(row)
            if len(grid) == len(row):
                yield _entry("".join(grid), start, shape)
                grid = []
        else:
            yield _entry(row, number)
    if grid:
        yield _cut_off(start, grid)


def _lines(stream: TextIO, name: str) -> Iterator[str]:
    number = 0
    while line := stream.readline(MAX_LINE):
        number += 1
        if "\0" in line:
            raise InputError(f"{name}: is not a text file; write one puzzle per line")
        if len(line) == MAX_LINE:
            raise InputError(f"{name}:{number}: longer than {MAX_LINE} characters; write one puzzle per line")
        yield line


def _bordered_row(line: str) -> str | None:
    """The cells of a line with borders, or None if it has none (a ``|`` after a whole puzzle is trailing text)."""
    word = _WORD_END.split(line, maxsplit=1)[0]
    if "|" not in line or (len(word) in SHAPES and "|" not in word):
        return None
    return _BORDERS.sub("", line)


def _shape_of_row(line: str, size: int) -> Shape:
    """The shape whose boxes are as wide as the bars stand apart; the customary one if they part no boxes."""
    widths = {len(_BORDERS.sub("", part)) for part in line.strip("| \t").split("|")}
    width = widths.pop()
    return Shape(size // width, width) if not widths and 1 < width < size else Shape.of_size(size)


def _cut_off(start: int, grid: list[str]) -> BadLine:
    return BadLine(start, f"the grid that begins here has {len(grid)} of {len(grid[0])} rows; add what is missing")


def _entry(word: str, line: int, shape: Shape | None = None) -> Entry | BadLine:
    shape = shape or SHAPES.get(len(word))
    if shape is None:
        near = min(SHAPES, key=lambda cells: abs(cells - len(word)))
        board = SHAPES[near].name
        return BadLine(
            line,
            f"{len(word)} characters where a puzzle has {', '.join(map(str, SHAPES))}; a {board} board needs {near}",
        )
    digits = dict.fromkeys(EMPTY, 0)
    for value, symbol in enumerate(shape.symbols, start=1):
        digits[symbol] = digits[symbol.lower()] = value  # word.upper() would not do: it makes two letters of some
    cells = []
    for place, symbol in enumerate(word, start=1):
        if symbol not in digits:
            last = shape.symbols[-1]
            return BadLine(
                line,
                f"character {place} is {symbol!a}; a {shape.name} board has 1 to {last}, and . 0 * _ for empty cells",
            )
        cells.append(digits[symbol])
    return Entry(Puzzle(shape, tuple(cells)), line)
