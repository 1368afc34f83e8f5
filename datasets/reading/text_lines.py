"""Text files: one puzzle per line, or grids with one row per line, with or without borders, in any order.

On a line, the puzzle is the only word that is a board with empty cells; a complete board as long is its solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sudoku_bench.datasets.puzzle import Packed
from sudoku_bench.datasets.reading import cells
from sudoku_bench.datasets.reading.blocks import MAX_LINE, Block, pieces
from sudoku_bench.datasets.reading.grid_rows import Rows
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid, facts_of, printable_line
from sudoku_bench.datasets.reading.symbols import SHAPES, SIZES, parse_grid, plain_puzzles, wrong_length

ROUNDED = "a number, which loses leading zeros or digits; write the puzzle as text"
COMMENT = ("#", "%", "sep=")  # Excel writes sep=;

_WORD = re.compile(r"[^\s,;#|]+")
_AROUND_NAME = "\t ,;|#."
_RULE = re.compile(r"[\s|+*]*[-=][\s|+*=\-:]*|[.:'|+]-{2,}[-.:'|+]*")  # the second form: HoDoKu's frames
_HEADING = re.compile(r"\[(?=.*[^\W\d_])[^\[\],]{1,60}\]|={1,9}(?=.*[^\W\d_])[^=]{1,60}=+|[^\W\d_][^|]{0,60}:|`{3}\w*")
_TITLE = re.compile(r"(?:Grid|Puzzle|Sudoku|Game)(?: #?\d{1,9})?:?", re.IGNORECASE)
_EXCHANGE = re.compile(r"([0-9a-f]{12})\s+([0-9.]{81})(?:\s+(\d{1,2}\.\d))?")
_RATINGS = re.compile(r"\bED\s*=\s*(\d{1,2}\.\d)/(\d{1,2}\.\d)/(\d{1,2}\.\d)\b")
_SECTIONS = ("[puzzle]", "[state]", "[pencilmarks]")  # of .sdk files; other texts in brackets are headings


def read(blocks: Iterable[Block], headers: bool = False) -> Iterator[Entry | BadLine | Packed]:
    """Read text; ``headers``: lines such as ``#D`` are headers of an ``.sdk`` file, not comments."""
    rows, sdk, long_line = Rows(), _Sdk(headers), 0
    for block in blocks:
        is_pending = rows or sdk.has_headers or block[0] == long_line
        if not is_pending and (puzzles := plain_puzzles(*block)):
            yield puzzles
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


def _line(raw: str, number: int, rows: Rows, sdk: _Sdk) -> Iterator[Entry | BadLine]:
    line = raw.strip()
    if not line:
        yield from _entries(rows.end(), sdk)
    elif sdk.consume(line):
        yield from _entries(rows.end(), sdk) if line.startswith("[") else ()
    elif line.startswith(COMMENT):
        return
    elif entry := puzzle(line, number):
        yield from _entries(rows.end(), sdk)
        yield entry
    else:
        line = (raw.strip(" \r\n") if "\t" in raw else line).translate(cells.IN_ASCII)
        if _RULE.fullmatch(line) and not rows.has_sign(line):
            yield from _entries(rows.rule(), sdk)
        elif (found := cells.split(line)) and not _TITLE.fullmatch(line):
            yield from _entries(rows.add(found, number), sdk)
        else:
            yield from _entries(rows.end(), sdk)
            if _TITLE.fullmatch(line):
                sdk.name = line
            elif line.strip() and not _HEADING.fullmatch(line):
                yield _fault(line, number)


def too_long(line: int) -> BadLine:
    """Return the fault of a line that is too long to be read."""
    return BadLine(line, f"longer than {MAX_LINE} characters; write one puzzle per line", "line that is too long")


def single_grid(text: str, line: int) -> Grid | BadLine | None:
    """Return the only grid in the text of a table field or string, None if there is none, or a fault if several.

    The lines of the text are counted from ``line`` on.
    """
    text = text.strip()
    if len(text) in SHAPES and _WORD.fullmatch(text):
        return Grid(text, line)
    rows, grids = Rows(), list[Grid | BadLine]()
    for number, part in enumerate(map(str.strip, text.splitlines()), start=line):
        is_rule = _RULE.fullmatch(part) and not rows.has_sign(part)
        if part and not is_rule:
            found = cells.split(part)
            grids += rows.add(found, number) if found else [*rows.end(), _fault(part, number)]
    grids += rows.end()
    if len(grids) > 1:
        return BadLine(line, f"{len(grids)} grids in one field; write one", "more than one grid in a field")
    return grids[0] if grids else None


def _entries(grids: Iterable[Grid | BadLine], sdk: _Sdk) -> Iterator[Entry | BadLine]:
    for grid in grids:
        yield grid if isinstance(grid, BadLine) else parse_grid(grid, (), printable_line(sdk.name))
        sdk.name = ""


def puzzle(line: str, number: int) -> Entry | BadLine | None:
    """Read a line in which a word is a puzzle; another may be its solution, and the rest is its name."""
    word, _, rest = line.partition(" ")
    if len(word) in SHAPES and len(word) != 16 and len(rest) < len(word):  # the usual case, quickly
        item = parse_grid(Grid(word, number), (), *_name(rest))
        if isinstance(item, Entry):
            return item
    if exchange := _EXCHANGE.fullmatch(line):
        name, board, rating = exchange.groups()
        return parse_grid(Grid(board, number), (), name, (("rating", rating),) if rating else ())
    words = _WORD.findall(line)
    boards = [word for word in words if cells.is_board(word) or (word is words[0] and len(word) in SHAPES)]
    if not boards or words == boards[:1] == [line] or _RULE.fullmatch(line):
        return None  # or a row of 16 cells
    puzzles = list(dict.fromkeys(filter(cells.has_empty_cell, boards))) or boards[:1]
    if len(puzzles) > 1:
        message = f"{len(puzzles)} puzzles in a line; write one per line"
        return BadLine(number, message, "more than one puzzle in a line")
    (board,) = puzzles
    solution = next((word for word in words if word != board and len(word) == len(board) and word.isalnum()), "")
    rest = line.replace(board, "\0", 1).replace(solution or "\0", "\0", 1)
    return parse_grid(Grid(board, number), solution, *_name(" ".join(rest.split("\0"))))


def _name(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the name and the facts in the text around a puzzle: ``ED=7.2/1.2/1.2`` are the ratings ER, EP and ED."""
    facts: tuple[tuple[str, str], ...] = ()
    if "ED" in text and (ratings := _RATINGS.search(text)):
        facts = facts_of(zip(("er", "ep", "ed"), ratings.groups(), strict=True))
        text = f"{text[: ratings.start()].rstrip(_AROUND_NAME)} {text[ratings.end() :].lstrip(_AROUND_NAME)}"
    return printable_line(text.strip(_AROUND_NAME)), facts


def _fault(line: str, number: int) -> BadLine:
    """Describe a line that is neither a puzzle nor a row."""
    word = cells.BORDERS.sub("", line) if "|" in line else (_WORD.findall(line) or [line])[0]
    item = parse_grid(Grid(word, number))
    fault = item if isinstance(item, BadLine) else wrong_length(len(line), number)
    tokens = cells.words(line)
    if is_rounded(line):
        return replace(fault, message=ROUNDED)
    if len(tokens) in SIZES and all(map(str.isdecimal, tokens)):
        return replace(fault, message="cells hold candidates; write only the clues")
    if any(70 <= len(token) <= 80 and token.isdecimal() for token in tokens):
        return replace(fault, message=f"{fault.message}; leading zeros may be lost, so write it as text")
    return fault


def is_rounded(text: str) -> bool:
    """Return whether a text is a puzzle that a spreadsheet took for a number: ``4.01E+77``."""
    return re.search(r"\d(?:\.\d+)?[eE]\+\d", text) is not None


class _Sdk:
    """The sections of ``.sdk`` files, and the name of the next puzzle, which is also a title such as ``Grid 01``."""

    def __init__(self, headers: bool) -> None:
        self.has_headers, self._section, self.name = headers, "", ""

    def consume(self, line: str) -> bool:
        """Record a name and skip the lines of other sections; return whether the line was one of these."""
        if line.lower() in _SECTIONS:
            self.has_headers, self._section = True, line.lower()
            return True
        if not self.has_headers or self._section not in ("", "[puzzle]"):
            return self.has_headers
        if line.startswith("#D"):
            self.name = line[2:]
        return line.startswith("#")
