"""Text files: one puzzle per line, or grids with one row per line, with or without borders, in any order.

Supported formats: the plain list (``.sdm``), Simple Sudoku's ``.ss``, SadMan's ``.sdk`` (header lines ``#A`` author,
``#D`` description, ...; only its section ``[Puzzle]``), the list of the Sudoku Exchange (hash, puzzle, rating),
HoDoKu's library (fields separated by colons) and frames, and cells as numbers separated by blanks or commas.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from datasets.reading.blocks import MAX_LINE, Block, pieces
from datasets.reading.grid_rows import Rows
from datasets.reading.items import BadLine, Entry, Grid, facts_of, joined, printable_line
from datasets.reading.symbols import SHAPES, SIZES, parse_grid, plain_puzzles
from datasets.shape import EMPTY, Shape

_WORD_END = re.compile(r"[\s,;#]")
_RULE = re.compile(r"[\s|+*\"'()]*[-=][\s|+*=\-\"'()]*|[.:'|+]-{2,}[-.:'|+]*")  # the second form: HoDoKu's frames
_INNER_RULES = re.compile(r"[-+]")  # a line with rules in it is a whole grid (16 cells could be either)
_BORDERS = re.compile(r"[\s|+\-\"'()]")
_SEPARATORS = re.compile(r"[\s|,;]+")
_NUMBER = re.compile(rf"\d\d?|[{re.escape(EMPTY)}]")
_SMALL_BOARD = re.compile(rf"[0-9{re.escape(EMPTY)}]+")
_LARGE_BOARD = re.compile(rf"[0-9A-Za-z{re.escape(EMPTY)}]+")
_EXCHANGE = re.compile(r"([0-9a-f]{12})\s+([0-9.]{81})(?:\s+(\d{1,2}\.\d))?")
_LIBRARY = re.compile(r":([0-9A-Za-z-]{4,8}):([^:]*):([0-9.+]{81,162})(?::[^:]*){0,2}((?::.*)?)")
_SET_CELL = re.compile(r"\+[1-9]")  # a cell that was filled while solving, not a clue
_RATINGS = re.compile(r"\bED\s*=\s*(\d{1,2}\.\d)/(\d{1,2}\.\d)/(\d{1,2}\.\d)\b")
_SECTION = re.compile(r"\[([A-Za-z ]{1,40})\]")
_TITLE = re.compile(r"(?:Grid|Puzzle|Sudoku|Game)(?: #?\d{1,9})?:?", re.IGNORECASE)
_HEADER = re.compile(r"#([A-Z])(.*)")
_HEADERS = {"A": "author", "C": "comment", "B": "date", "S": "source", "U": "url", "L": "level"}
_BOX_DRAWING = dict.fromkeys(range(9472, 9600), "|")  # corners and crossings occur in rules or between cells
_BOX_DRAWING |= dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉"), "-")


class _Row(NamedTuple):
    """A row of a grid; ``is_row``: borders show that it is not a 4×4 puzzle."""

    cells: Sequence[str]
    shape: Shape | None = None
    is_row: bool = False


def read(blocks: Iterable[Block], headers: bool = False) -> Iterator[Entry | BadLine]:
    """Read text; ``headers``: lines such as ``#D`` are headers of an ``.sdk`` file, not comments."""
    rows, sdk, long_line = Rows(), _Sdk(headers), 0
    for block in blocks:
        is_pending = rows or sdk.has_headers or block[0] == long_line
        if not is_pending and (puzzles := plain_puzzles(block[1])):
            yield from map(Entry, puzzles, itertools.count(block[0]))
            continue
        for number, raw in pieces([block]):
            if number == long_line:
                continue
            if len(raw) >= MAX_LINE:
                long_line = number
                yield from _entries(rows.end(), sdk)
                yield too_long(number)
            else:
                yield from _line(raw.strip(), number, rows, sdk)
    yield from _entries(rows.end(), sdk)
    yield from sdk.end()


def _line(line: str, number: int, rows: Rows, sdk: _Sdk) -> Iterator[Entry | BadLine]:
    """Read a line without the blanks around it."""
    if not line:
        if rows:
            yield from _entries(rows.end(), sdk)
    elif sdk.consume(line, number):
        yield from _entries(rows.end(), sdk) if line.startswith("[") else ()
    elif not rows and (entry := _plain_puzzle(line, number)):
        yield entry
    else:
        yield from _other_line(line, number, rows, sdk)


def _other_line(line: str, number: int, rows: Rows, sdk: _Sdk) -> Iterator[Entry | BadLine]:
    """Read a line that is not a plain puzzle: a comment, a rule, a row of a grid, a title, or another format."""
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
        yield from _entries(rows.add(row.cells, number, row.shape, row.is_row), sdk)
        return
    yield from _entries(rows.end(), sdk)
    if is_title:
        sdk.add_title(line)
    else:
        yield _line_entry(line, number)


def too_long(line: int) -> BadLine:
    """Return the fault of a line that is too long to be read."""
    return BadLine(line, f"longer than {MAX_LINE} characters; write one puzzle per line", "line that is too long")


def single_grid(text: str, line: int) -> Grid | BadLine | None:
    """Return the only grid in the text of a table field or string, None if there is none, or a fault if several.

    The lines of the text are counted from ``line`` on.
    """
    text = text.strip()
    if len(text) in SHAPES and not _WORD_END.search(text) and "|" not in text:
        return Grid(text, line)
    rows, grids = Rows(), []
    for number, part in enumerate(text.splitlines(), start=line):
        part = part.strip()
        row = None if _RULE.fullmatch(part) else _row(part)
        if row:
            grids += list(rows.add(row.cells, number, row.shape, row.is_row))
        elif part and not _RULE.fullmatch(part):
            grids += [*rows.end(), _line_grid(part, number)[0]]
    grids += list(rows.end())
    if len(grids) > 1:
        return BadLine(line, f"{len(grids)} grids in one field; write one", "more than one grid in a field")
    return grids[0] if grids else None


def _entries(grids: Iterable[Grid | BadLine], sdk: _Sdk) -> Iterator[Entry | BadLine]:
    for grid in grids:
        yield grid if isinstance(grid, BadLine) else parse_grid(grid, (), *sdk.describe())


def _plain_puzzle(line: str, number: int) -> Entry | None:
    """Read the usual case, one puzzle per line, quickly; None if the line needs a closer look."""
    word, _, rest = line.partition(" ")
    if len(word) not in SHAPES or len(word) == 16:
        return None
    item = parse_grid(Grid(word, number), *_text_after(rest, len(word))) if rest else parse_grid(Grid(word, number))
    return item if isinstance(item, Entry) else None


def _line_entry(line: str, number: int) -> Entry | BadLine:
    """Read a puzzle and the text after it from one line."""
    exchange = _EXCHANGE.fullmatch(line)
    if exchange:
        name, cells, rating = exchange.groups()
        return parse_grid(Grid(cells, number), (), name, (("rating", rating),) if rating else ())
    library = _LIBRARY.fullmatch(line)
    if library:
        technique, digits, cells, comment = library.groups()
        facts = facts_of((("technique", technique), ("candidates", digits)))
        return parse_grid(Grid(_SET_CELL.sub(".", cells), number), (), printable_line(comment.strip(":")), facts)
    grid, rest = _line_grid(line, number)
    return parse_grid(grid, *_text_after(rest, len(grid.cells)))


def _line_grid(line: str, number: int) -> tuple[Grid, str]:
    """Return the cells of a line, and the text after them."""
    word = _WORD_END.split(line, maxsplit=1)[0]
    if _has_borders(line, word):
        return Grid(_BORDERS.sub("", line), number), ""
    tokens = _tokens(line)
    if len(tokens) in SHAPES and all(map(_NUMBER.fullmatch, tokens)):
        return Grid(joined(tokens), number), ""
    if len({len(token) for token in tokens}) == 1 and sum(map(len, tokens)) in SHAPES:
        return Grid("".join(tokens), number), ""
    return Grid(word, number), line[len(word) :]


def _text_after(rest: str, cells: int) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """Split the text after a puzzle into solution, name and facts.

    A word as long as the puzzle is its solution; ``ED=7.2/1.2/1.2`` are the ratings ER, EP and ED.
    """
    facts: tuple[tuple[str, str], ...] = ()
    rest, solution = rest.lstrip(" \t,;|#"), ""
    word = _WORD_END.split(rest, maxsplit=1)[0]
    if len(word) == cells and word.isalnum() and word.isascii():
        rest, solution = rest[cells:].lstrip(" \t,;|#"), word
    if "ED" in rest and (ratings := _RATINGS.search(rest)):
        facts = facts_of(zip(("er", "ep", "ed"), ratings.groups(), strict=True))
        rest = f"{rest[: ratings.start()].rstrip(' ,;|#')} {rest[ratings.end() :].lstrip(' ,;|#')}"
    return solution, printable_line(rest), facts


def has_cells(line: str) -> bool:
    """Return whether a line holds a puzzle or a row of a grid."""
    return _row(line) is not None or isinstance(_line_entry(line, 1), Entry)


def _row(line: str) -> _Row | None:
    """Return the row of a grid on a line; None if the line is not a row."""
    tokens = _tokens(line)
    numbers = len(tokens) in SIZES and all(map(_NUMBER.fullmatch, tokens))
    if _has_borders(line, _WORD_END.split(line, maxsplit=1)[0]):
        if numbers and max(map(len, tokens)) > 1:
            widths = [len(_tokens(part)) for part in _parts(line)]
            return _Row(tokens, _shape_of_row(widths, len(tokens)), is_row=True)
        cells = _BORDERS.sub("", line)
        if len(cells) not in SIZES or _INNER_RULES.search(line):
            return None
        widths = [len(_BORDERS.sub("", part)) for part in _parts(line)]
        return _Row(cells, _shape_of_row(widths, len(cells)), is_row=True)
    if numbers:
        return _Row(joined(tokens))
    cells = "".join(tokens)
    if len(cells) not in SIZES or len({len(token) for token in tokens}) != 1:
        return None
    plausible = _SMALL_BOARD if len(cells) <= 9 else _LARGE_BOARD
    return _Row(cells) if plausible.fullmatch(cells) else None


def _has_borders(line: str, word: str) -> bool:
    """Return whether a line has bars between cells; bars after a whole puzzle belong to the text after it."""
    return "|" in line and not (len(word) in SHAPES and "|" not in word)


def _tokens(line: str) -> list[str]:
    return [token for token in _SEPARATORS.split(line) if token]


def _parts(line: str) -> list[str]:
    return line.strip("| \t\"'(),").split("|")


def _shape_of_row(widths: list[int], size: int) -> Shape:
    """Return the shape whose boxes have the width between the bars; the usual shape if the bars separate no boxes."""
    width = widths[0]
    return Shape(size // width, width) if {width} == set(widths) and 1 < width < size else Shape.of_size(size)


class _Sdk:
    """The header lines and sections of ``.sdk`` files."""

    def __init__(self, headers: bool) -> None:
        self.has_headers = headers
        self._section = ""
        self._first_section = 0
        self._any_puzzle = False
        self._header_texts: dict[str, str] = {}
        self._is_used = False  # the headers belong to a puzzle that has been read

    def consume(self, line: str, number: int) -> bool:
        """Record a header and skip the lines of other sections; return whether the line was one of these."""
        if line.startswith("[") and (section := _SECTION.fullmatch(line)):
            self.has_headers, self._section = True, section[1].lower()
            self._first_section = self._first_section or number
            self._any_puzzle |= self._section == "puzzle"
            return True
        if not self.has_headers:
            return False
        if self._section not in ("", "puzzle"):
            return True
        header = _HEADER.fullmatch(line)
        if header:
            self._add(header[1], header[2])
        return header is not None

    def add_title(self, title: str) -> None:
        """Record a line such as ``Grid 01`` as the name of the next puzzle."""
        self._add("D", title)

    def _add(self, key: str, text: str) -> None:
        if self._is_used:
            self._header_texts, self._is_used = {}, False
        self._header_texts[key] = text

    def describe(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return name and facts of the puzzle that has just been read."""
        if not self._header_texts:
            return "", ()
        self._is_used = True
        facts = facts_of((_HEADERS[key], text) for key, text in self._header_texts.items() if key in _HEADERS)
        return printable_line(self._header_texts.get("D", "")), facts

    def end(self) -> Iterator[BadLine]:
        """Yield a fault if the file has sections, but no section of a puzzle."""
        if self._first_section and not self._any_puzzle:
            message = "sections, but none called [Puzzle]; put the grid below a line [Puzzle]"
            yield BadLine(self._first_section, message, "no section [Puzzle]")
