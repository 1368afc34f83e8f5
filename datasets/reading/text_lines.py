"""Text files: one puzzle per line, or grids with one row per line, with or without borders, in any order.

Supported formats: the plain list (``.sdm``), Simple Sudoku's ``.ss``, SadMan's ``.sdk`` (header lines ``#A`` author,
``#D`` description, ...; only its section ``[Puzzle]``), the list of the Sudoku Exchange (hash, puzzle, rating),
HoDoKu's library (fields separated by colons) and frames, and cells as numbers separated by blanks or commas.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from sudoku_bench.datasets.reading import cells
from sudoku_bench.datasets.reading.blocks import MAX_LINE, Block, pieces
from sudoku_bench.datasets.reading.grid_rows import Rows
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid, facts_of, printable_line
from sudoku_bench.datasets.reading.symbols import SHAPES, parse_grid, plain_puzzles

_WORD_END = re.compile(r"[\s,;#]")
_RULE = re.compile(r"[\s|+*\"'()]*[-=][\s|+*=\-:\"'()]*|[.:'|+]-{2,}[-.:'|+]*")  # the second form: HoDoKu's frames
_SYNTAX = re.compile(
    r"[\[\](){}<>\"'`;:,/=]+|\\.*|</?(?:pre|code)>"
)  # brackets and quotes of a program, commands of LaTeX
_CODE = re.compile(r"[A-Za-z_@][^|]*\(.*\)[;:{ ]*|[A-Za-z_@].*[=\[({]")
_AROUND_NAME = "\t ,;:.|=*\"'()[]{}"
_QUOTED = re.compile(r"(?:>\s?)+")  # the beginning of a line in an answer to a mail
_EXCHANGE = re.compile(r"([0-9a-f]{12})\s+([0-9.]{81})(?:\s+(\d{1,2}\.\d))?")
_LIBRARY = re.compile(r":([0-9A-Za-z-]{4,8}):([^:]*):([0-9.+]{81,162})(?::[^:]*){0,2}((?::.*)?)")
_SET_CELL = re.compile(r"\+[1-9]")  # a cell that was filled while solving, not a clue
_RATINGS = re.compile(r"\bED\s*=\s*(\d{1,2}\.\d)/(\d{1,2}\.\d)/(\d{1,2}\.\d)\b")
_SECTION = re.compile(r"\[([A-Za-z ]{1,40})\]")
_SECTIONS = ("puzzle", "state", "pencilmarks")  # of .sdk files; in other texts, any other name is a heading
_LEVELS = "easy|simple|medium|moderate|hard|expert|evil|extreme|fiendish|diabolical|tough|insane"
_TITLE = re.compile(rf"(?:(?:Grid|Puzzle|Sudoku|Game)(?: #?\d{{1,9}})?:?|{_LEVELS})", re.IGNORECASE)
_HEADER = re.compile(r"#([A-Z])(.*)")
_HEADERS = {"A": "author", "C": "comment", "B": "date", "S": "source", "U": "url", "L": "level"}


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
                yield from _line(raw, number, rows, sdk)
    yield from _entries(rows.end(), sdk)
    yield from sdk.end()


def _line(raw: str, number: int, rows: Rows, sdk: _Sdk) -> Iterator[Entry | BadLine]:
    """Read a line."""
    line = raw.strip()
    if line.startswith(">"):
        raw = line = _QUOTED.sub("", line, count=1).strip()
        if line.rstrip(",.!").isalpha() and cells.row(line) is None:  # a greeting
            line = ""
    if not line:
        if rows:
            yield from _entries(rows.end(), sdk)
    elif sdk.consume(line, number):
        yield from _entries(rows.end(), sdk) if line.startswith("[") else ()
    elif not rows and (entry := _plain_puzzle(line, number)):
        yield entry
    else:
        yield from _other_line(raw.strip(" \r\n") if "\t" in raw else line, number, rows, sdk)


def _other_line(line: str, number: int, rows: Rows, sdk: _Sdk) -> Iterator[Entry | BadLine]:
    """Read a line that is not a plain puzzle: a comment, a rule, a row of a grid, a heading, or another format."""
    line = cells.in_ascii(line)
    if line.startswith(("#", "%", "//", "sep=")):
        return
    if _RULE.fullmatch(line) and not rows.has_sign(line):
        yield from _entries(rows.rule(), sdk)
        return
    is_title = _TITLE.fullmatch(line)
    row = None if is_title else cells.row(line, rows.position, rows.begins_with_heading)
    if row is not None:
        yield from _entries(rows.add(row.cells, number, row.shape, row.is_row), sdk)
        return
    yield from _entries(rows.end(), sdk)
    if is_title:
        sdk.add_title(line)
    elif not (_SYNTAX.fullmatch(line) or _is_prose(line) or cells.is_heading(line)):
        yield _line_entry(line.strip(), number)


def _is_prose(line: str) -> bool:
    """Return whether a line is a heading, a sentence or code, mostly letters, in which there is no clue."""
    text = line.strip("=-*_#~[](){}:! ")
    is_marked = " " in text or line.endswith(":") or not (line[0].isalnum() or line[0] in "<._")
    is_mostly_letters = 2 * sum(map(str.isalpha, text)) > len("".join(text.split()))
    return ((is_marked and is_mostly_letters) or _CODE.fullmatch(line) is not None) and not cells.boards(line)


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
        is_rule = _RULE.fullmatch(part) and not rows.has_sign(part)
        row = None if is_rule else cells.row(part, rows.position, rows.begins_with_heading)
        if row:
            grids += list(rows.add(row.cells, number, row.shape, row.is_row))
        elif part and not is_rule:
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
    if len(rest) >= len(word) and any(map(cells.has_empty_cell, cells.boards(rest))):
        return None  # two puzzles
    item = parse_grid(Grid(word, number), *_text_after(rest, len(word))) if rest else parse_grid(Grid(word, number))
    return item if isinstance(item, Entry) else None


def _line_entry(line: str, number: int) -> Entry | BadLine:
    """Read a puzzle and the text after it from one line."""
    exchange = _EXCHANGE.fullmatch(line)
    if exchange:
        name, board, rating = exchange.groups()
        return parse_grid(Grid(board, number), (), name, (("rating", rating),) if rating else ())
    library = _LIBRARY.fullmatch(line)
    if library:
        technique, digits, board, comment = library.groups()
        facts = facts_of((("technique", technique), ("candidates", digits)))
        return parse_grid(Grid(_SET_CELL.sub(".", board), number), (), printable_line(comment.strip(":")), facts)
    if (words := cells.boards(line)) and len(cells.without_borders(line)) not in SHAPES:
        return _among_words(line, number, words)
    grid, rest = _line_grid(line, number)
    return cells.advised(parse_grid(grid, *_text_after(rest, len(grid.cells))), line)


def _among_words(line: str, number: int, words: Sequence[str]) -> Entry | BadLine:
    """Read a line in which a word is a puzzle; another may be its solution, and the rest is its name."""
    puzzles = list(dict.fromkeys(filter(cells.has_empty_cell, words))) or words[:1]
    if len(puzzles) > 1:
        return BadLine(
            number, f"{len(puzzles)} puzzles in a line; write one per line", "more than one puzzle in a line"
        )
    (puzzle,) = puzzles
    solution = next((word for word in words if word != puzzle and len(word) == len(puzzle)), "")
    rest = line.replace(puzzle, "\0", 1).replace(solution or "\0", "\0", 1)
    _, name, facts = _text_after(" ".join(part.strip(_AROUND_NAME) for part in rest.split("\0")), 0)
    return parse_grid(Grid(puzzle, number), solution, name, facts)


def _line_grid(line: str, number: int) -> tuple[Grid, str]:
    """Return the cells of a line, and the text after them."""
    word = _WORD_END.split(line, maxsplit=1)[0]
    if "|" in line and not cells.has_text_after_board(line):
        return Grid(cells.without_borders(line), number), ""
    whole = cells.grid(line)
    return (Grid(whole, number), "") if whole else (Grid(word, number), line[len(word) :])


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
    """Return whether a line holds a puzzle or a row of a grid, or is the heading of one."""
    return cells.row(line) is not None or cells.is_heading(line) or isinstance(_line_entry(line, 1), Entry)


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
        section = _SECTION.fullmatch(line) if line.startswith("[") else None
        if section and (self.has_headers or section[1].lower() in _SECTIONS):
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
