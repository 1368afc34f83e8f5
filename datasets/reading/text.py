"""Lines of text: a puzzle on each, or grids of one row per line, with or without borders; in any order.

Read here are the plain list (``.sdm``), Simple Sudoku's ``.ss``, SadMan's ``.sdk`` (header lines ``#A`` author, ``#D``
description, ...; of its sections only ``[Puzzle]``), the list of the Sudoku Exchange (hash, puzzle, rating) and cells
as numbers with blanks or commas between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from datasets.reading.cells import SHAPES, SIZES, entry
from datasets.reading.grid_rows import Rows
from datasets.reading.items import BadLine, Entry, Grid, facts_of, words
from datasets.shape import EMPTY, Shape

Line = tuple[int, str | None]  # number and text; None: it has MAX_LINE characters or more
MAX_LINE = 1 << 16  # the largest board needs 625

_WORD_END = re.compile(r"[\s,;#]")
_RULE = re.compile(r"[\s|+*\"'()]*[-=][\s|+*=\-\"'()]*")
_RULES_WITHIN = re.compile(r"[-+]")  # a line with rules in it is a whole grid (16 cells could be either)
_BORDERS = re.compile(r"[\s|+\-\"'()]")
_BETWEEN = re.compile(r"[\s|,;]+")
_NUMBER = re.compile(rf"\d\d?|[{re.escape(EMPTY)}]")
_SMALL = re.compile(rf"[0-9{re.escape(EMPTY)}]+")
_LARGE = re.compile(rf"[0-9A-Za-z{re.escape(EMPTY)}]+")
_EXCHANGE = re.compile(r"([0-9a-f]{12})\s+([0-9.]{81})(?:\s+(\d{1,2}\.\d))?")
_SECTION = re.compile(r"\[([A-Za-z ]{1,40})\]")
_TITLE = re.compile(r"(?:Grid|Puzzle|Sudoku|Game)(?: #?\d{1,9})?:?", re.IGNORECASE)
_HEADER = re.compile(r"#([A-Z])(.*)")
_HEADERS = {"A": "author", "C": "comment", "B": "date", "S": "source", "U": "url", "L": "level"}
_BOX_DRAWING = dict.fromkeys(range(9472, 9600), "|")  # corners and crossings stand in rules or between cells
_BOX_DRAWING |= dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉"), "-")


class _Row(NamedTuple):
    cells: Sequence[str]
    shape: Shape | None = None
    sure: bool = False


def read(lines: Iterable[Line], headers: bool = False) -> Iterator[Entry | BadLine]:
    """Read lines; ``headers``: lines such as ``#D`` are those of an ``.sdk`` file, not comments."""
    rows, sdk = Rows(), _Sdk(headers)
    for number, raw in lines:
        line = raw.strip() if raw else ""
        if raw is None:
            yield from _entries(rows.end(), sdk)
            yield too_long(number)
        elif not line:
            if rows:
                yield from _entries(rows.end(), sdk)
        elif sdk.takes(line, number):
            yield from _entries(rows.end(), sdk) if line.startswith("[") else ()
        elif not rows and (quick := _quick(line, number)):
            yield quick
        else:
            yield from _line(line, number, rows, sdk)
    yield from _entries(rows.end(), sdk)
    yield from sdk.end()


def _line(line: str, number: int, rows: Rows, sdk: _Sdk) -> Iterator[Entry | BadLine]:
    """A line that is not simply a puzzle."""
    if not line.isascii():
        line = line.translate(_BOX_DRAWING)
    if line.startswith("#"):
        return
    if _RULE.fullmatch(line):
        yield from _entries(rows.rule(), sdk)
        return
    is_title = _TITLE.fullmatch(line)
    row = None if is_title else _row(line)
    if row is not None:
        yield from _entries(rows.add(row.cells, number, row.shape, row.sure), sdk)
        return
    yield from _entries(rows.end(), sdk)
    if is_title:
        sdk.is_called(line)
    else:
        yield _single(line, number)


def too_long(line: int) -> BadLine:
    """The fault of a line that was not even looked at."""
    return BadLine(line, f"longer than {MAX_LINE} characters; write one puzzle per line", "line that is too long")


def whole(text: str, line: int) -> Grid | BadLine | None:
    """The one grid in a text that stands in a field of a table or a string, or None if there is none.

    Its lines, if it has several, are counted from ``line`` on.
    """
    text = text.strip()
    if len(text) in SHAPES and not _WORD_END.search(text) and "|" not in text:
        return Grid(text, line)
    rows, found = Rows(), []
    for number, part in enumerate(text.splitlines(), start=line):
        part = part.strip()
        row = None if _RULE.fullmatch(part) else _row(part)
        if row:
            found += list(rows.add(row.cells, number, row.shape, row.sure))
        elif part and not _RULE.fullmatch(part):
            found += [*rows.end(), _one_line(part, number)[0]]
    found += list(rows.end())
    if len(found) > 1:
        return BadLine(line, f"{len(found)} grids where one belongs; write one", "more than one grid in a field")
    return found[0] if found else None


def _entries(found: Iterable[Grid | BadLine], sdk: _Sdk) -> Iterator[Entry | BadLine]:
    for grid in found:
        yield grid if isinstance(grid, BadLine) else entry(grid, (), *sdk.describe())


def _quick(line: str, number: int) -> Entry | None:
    """The usual case, one puzzle per line, without further ado; None where more must be looked at."""
    word, _, rest = line.partition(" ")
    if len(word) not in SHAPES or len(word) == 16:
        return None
    name, solution = _beside(rest, len(word)) if rest else ("", "")
    found = entry(Grid(word, number), solution, name)
    return found if isinstance(found, Entry) else None


def _single(line: str, number: int) -> Entry | BadLine:
    """A puzzle, and what stands beside it, in one line."""
    exchange = _EXCHANGE.fullmatch(line)
    if exchange:
        name, cells, rating = exchange.groups()
        return entry(Grid(cells, number), (), name, (("rating", rating),) if rating else ())
    grid, rest = _one_line(line, number)
    name, solution = _beside(rest, len(grid.cells))
    return entry(grid, solution, name)


def _one_line(line: str, number: int) -> tuple[Grid, str]:
    """The cells of a line, and the text beside them."""
    word = _WORD_END.split(line, maxsplit=1)[0]
    if _has_borders(line, word):
        return Grid(_BORDERS.sub("", line), number), ""
    tokens = _tokens(line)
    if len(tokens) in SHAPES and all(map(_NUMBER.fullmatch, tokens)):
        return Grid("".join(tokens) if max(map(len, tokens)) == 1 else tokens, number), ""
    if len({len(token) for token in tokens}) == 1 and sum(map(len, tokens)) in SHAPES:
        return Grid("".join(tokens), number), ""
    return Grid(word, number), line[len(word) :]


def _beside(rest: str, cells: int) -> tuple[str, str]:
    """The name and the solution in the text beside a puzzle: a word as long as the puzzle is its solution."""
    rest = rest.lstrip(" \t,;|#")
    word = _WORD_END.split(rest, maxsplit=1)[0]
    if len(word) == cells and word.isalnum() and word.isascii():
        return words(rest[cells:].lstrip(" \t,;|#")), word
    return words(rest), ""


def _row(line: str) -> _Row | None:
    """The row of a grid that stands on a line, if it is one."""
    tokens = _tokens(line)
    numbers = len(tokens) in SIZES and all(map(_NUMBER.fullmatch, tokens))
    if _has_borders(line, _WORD_END.split(line, maxsplit=1)[0]):
        if numbers and max(map(len, tokens)) > 1:
            return _Row(tokens, _shape_of_row([len(_tokens(part)) for part in _parts(line)], len(tokens)), sure=True)
        cells = _BORDERS.sub("", line)
        if len(cells) not in SIZES or _RULES_WITHIN.search(line):
            return None
        return _Row(cells, _shape_of_row([len(_BORDERS.sub("", part)) for part in _parts(line)], len(cells)), sure=True)
    if numbers:
        return _Row("".join(tokens) if max(map(len, tokens)) == 1 else tokens)
    cells = "".join(tokens)
    if len(cells) not in SIZES or len({len(token) for token in tokens}) != 1:
        return None
    plausible = _SMALL if len(cells) <= 9 else _LARGE
    return _Row(cells) if plausible.fullmatch(cells) else None


def _has_borders(line: str, word: str) -> bool:
    """Are there bars between cells? (Those after a whole puzzle are text beside it.)"""
    return "|" in line and not (len(word) in SHAPES and "|" not in word)


def _tokens(line: str) -> list[str]:
    return [token for token in _BETWEEN.split(line) if token]


def _parts(line: str) -> list[str]:
    return line.strip("| \t\"'(),").split("|")


def _shape_of_row(widths: list[int], size: int) -> Shape:
    """The shape whose boxes are as wide as the bars stand apart; the customary one if they part no boxes."""
    width = widths[0]
    return Shape(size // width, width) if {width} == set(widths) and 1 < width < size else Shape.of_size(size)


class _Sdk:
    """The header lines and sections of ``.sdk`` files."""

    def __init__(self, headers: bool) -> None:
        self._headers = headers
        self._section = ""
        self._first_section = 0
        self._any_puzzle = False
        self._kept: dict[str, str] = {}
        self._told = False  # the kept headers belong to a puzzle that has been read

    def takes(self, line: str, number: int) -> bool:
        """Is this line a header, or in a section that holds no puzzle? Then it is remembered or passed over."""
        if line.startswith("[") and (section := _SECTION.fullmatch(line)):
            self._headers, self._section = True, section[1].lower()
            self._first_section = self._first_section or number
            self._any_puzzle |= self._section == "puzzle"
            return True
        if not self._headers:
            return False
        if self._section not in ("", "puzzle"):
            return True
        header = _HEADER.fullmatch(line)
        if header:
            self._keep(header[1], header[2])
        return header is not None

    def is_called(self, title: str) -> None:
        """A line such as ``Grid 01`` names the puzzle that follows."""
        self._keep("D", title)

    def _keep(self, key: str, said: str) -> None:
        if self._told:
            self._kept, self._told = {}, False
        self._kept[key] = said

    def describe(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Name and facts of the puzzle that has just been read."""
        if not self._kept:
            return "", ()
        self._told = True
        facts = facts_of((_HEADERS[key], text) for key, text in self._kept.items() if key in _HEADERS)
        return words(self._kept.get("D", "")), facts

    def end(self) -> Iterator[BadLine]:
        if self._first_section and not self._any_puzzle:
            what = "sections, but none called [Puzzle]; put the grid below a line [Puzzle]"
            yield BadLine(self._first_section, what, "no section [Puzzle]")
