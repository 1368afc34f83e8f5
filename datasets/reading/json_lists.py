"""Puzzles in brackets: JSON, JSON lines, and nested lists as programs print them.

A puzzle is a list of N rows (each a list of N numbers, or a text of N characters), one list of N·N numbers, or a text
as in ``datasets/reading/text_lines``. If an object (a JSON record) contains the puzzle, its other fields are the
puzzle's name, solution and facts. Lists and objects may contain any number of puzzles, which are read one at a time.
Braces without colons, as in C, are lists.

The puzzle of an object is the field with one of the usual names that has an empty cell, or else the only text that is a
board with an empty cell. A table that pandas writes column by column has numbers as keys: each value is a puzzle, or a
column of one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sudoku_bench.datasets.reading.cells import NULLS, boards, cell, has_empty_cell
from sudoku_bench.datasets.reading.grid_rows import Rows
from sudoku_bench.datasets.reading.items import (
    LINEAGE_KEY,
    NAME_KEYS,
    PUZZLE_KEYS,
    SOLUTION_KEYS,
    BadLine,
    BrokenSource,
    Entry,
    Grid,
    facts_of,
    printable_line,
)
from sudoku_bench.datasets.reading.json_tokens import Token, tokens
from sudoku_bench.datasets.reading.symbols import SHAPES, SIZES, parse_grid, wrong_length
from sudoku_bench.datasets.reading.text_lines import single_grid, too_long

MAX_DEPTH = 32
MAX_SCALARS = 100_000  # in one list; numbers beyond the size of a puzzle are counted, but not stored
MAX_FIELDS = 100
LONG_NUMBER = 16  # digits from which a number is a puzzle that should have been a text
LISTS_OF_NAMES = ("columns", "index", "schema")  # fields of pandas' tables
CLOSES = {"[": "]", "(": ")", "{": "}"}


class Flat(NamedTuple):
    """A list without lists in it: a row, or a whole puzzle."""

    cells: list[str]
    length: int
    line: int

    def grid(self) -> Grid | BadLine:
        """Return the list as a whole puzzle."""
        return Grid(self.cells, self.line) if self.length in SHAPES else wrong_length(self.length, self.line)


Value = Flat | Grid | BadLine | Entry


def read(pieces: Iterable[tuple[int, str]], field: str | None = None) -> Iterator[Entry | BadLine]:
    """Read one document, or several consecutive ones; ``field`` names the field of objects that contains puzzles.

    Raises:
        BrokenSource: the brackets do not match or are nested too deeply, or the text contains an invalid token.
    """
    document = _Document(tokens(pieces), PUZZLE_KEYS if field is None else (field.lower(),))
    for value in document.list_of(None, 0):
        if isinstance(value, Grid):
            yield parse_grid(value)
        elif not isinstance(value, Flat):
            yield value


class _Document:
    """A document that is being read: each bracket yields its values as soon as they are complete."""

    def __init__(self, tokens: Iterator[Token], keys: Sequence[str]) -> None:
        self._tokens, self._keys = tokens, keys
        self._ahead: deque[Token] = deque()

    def _next(self) -> Token | None:
        return self._ahead.popleft() if self._ahead else next(self._tokens, None)

    def _is_list(self) -> bool:
        """Return whether a brace that has just been opened is a list as in C, not an object."""
        first = self._next()
        second = self._next() if first and first.kind not in ("open", "close") else None
        self._ahead.extend(token for token in (first, second) if token)
        return first is not None and (second.kind != "colon" if second else first.kind == "open")

    def _inside(self, opened: Token | None) -> Iterator[Token]:
        """Yield the tokens of a bracket until it is closed, without those that its inner brackets take."""
        while token := self._next():
            if token.kind == "close":
                if opened is None or CLOSES[opened.text] != token.text:
                    raise BrokenSource(token.line, f"a {token.text} that closes nothing; correct the brackets")
                return
            yield token
        if opened is not None:
            raise BrokenSource(opened.line, f"a {opened.text} that is not closed; the file may be cut short")

    def _bracket(self, opened: Token, depth: int, in_list: bool) -> Iterator[Value]:
        if depth >= MAX_DEPTH:
            raise BrokenSource(opened.line, f"brackets are nested deeper than {MAX_DEPTH}; write a plain list")
        is_object = opened.text == "{" and not self._is_list()
        return self._object(opened, depth + 1, in_list) if is_object else self.list_of(opened, depth + 1)

    def list_of(self, opened: Token | None, depth: int) -> Iterator[Value]:
        """Yield the values of a list; None: of the document as a whole. Lists without lists in it may be its rows."""
        rows, cells, length = Rows(), list[str](), 0
        for token in self._inside(opened):
            text = token.text.strip()
            if token.kind == "colon" or (token.kind == "name" and len(text) > 1 and text not in NULLS):
                continue
            if token.kind == "open":
                for value in self._bracket(token, depth, in_list=True):
                    if isinstance(value, Flat) and value.length in SIZES:
                        yield from rows.add(value.cells, value.line)
                    else:
                        yield from rows.end()
                        yield value.grid() if isinstance(value, Flat) else value
            elif token.kind == "string" and len(text) >= min(SIZES) and text not in NULLS:
                yield from _row_or_grid(rows, text, token.line)
            else:
                length += 1
                if length > MAX_SCALARS:
                    message = f"a list of more than {MAX_SCALARS} numbers; write one puzzle per list"
                    raise BrokenSource(token.line, message)
                if length <= max(SHAPES):
                    cells.append(cell(text))
        yield from rows.end()
        if length:
            yield Flat(cells, length, opened.line if opened else 1)

    def _object(self, opened: Token, depth: int, in_list: bool) -> Iterator[Value]:
        """Yield what an object contains and does not keep, then its puzzle.

        An object without a puzzle is a fault if it is an element of a list and contains nothing else.
        """
        record, key, is_empty = _Record(self._keys, opened.line), "", True
        for token in self._inside(opened):
            if token.kind == "colon":
                continue
            if not key and token.kind != "open":
                key = printable_line(token.text) or " "
                continue
            values = self._bracket(token, depth, in_list=False) if token.kind == "open" else record.scalar(key, token)
            for value in values:
                for outgoing in record.keep(key.lower(), value):
                    is_empty = False
                    yield outgoing
            key = ""
        found = list(record.found(is_nested=depth > 1))
        yield from found
        if not found and is_empty and in_list:
            fields = printable_line(", ".join(key for key, _ in record.facts))
            message = f"no field is known to contain a puzzle ({fields}); name it: FILE::FIELD"
            yield BadLine(opened.line, message, "record without a puzzle")


def _row_or_grid(rows: Rows, text: str, line: int) -> Iterator[Grid | BadLine]:
    """Add a text to the rows of a grid, or yield the grid that it is."""
    if len(text) in SIZES and not set(text) & set("|-+ \n,"):
        yield from rows.add(text, line)
        return
    yield from rows.end()
    if grid := single_grid(text, line):
        yield grid


class _Record:
    """The puzzle, the solution and the other fields of an object."""

    def __init__(self, keys: Sequence[str], line: int) -> None:
        self._keys, self._line = keys, line
        self.facts: list[tuple[str, str]] = []
        self._grids: dict[str, Grid] = {}  # by the name of the field, if it is known
        self._others: dict[str, Grid] = {}  # texts that are boards, in other fields
        self._solution: Sequence[str] = ""
        self._columns = Rows()

    def scalar(self, key: str, token: Token) -> Iterable[Value]:
        """Return the grid in a text; keep any other number, name or string as a fact."""
        lower_case, text = key.lower(), token.text
        if (lower_case in self._keys and token.kind == "string") or lower_case in SOLUTION_KEYS:
            grid = single_grid(text, token.line) if token.kind == "string" else None
            return [grid] if grid else []
        if token.kind == "number" and lower_case in self._keys and len(text) >= LONG_NUMBER:
            message = f"{printable_line(key)} is a number, which has lost its leading zeros; write it as text"
            return [BadLine(token.line, message, "number in place of a text")]
        if token.kind == "string" and boards(text) == [text]:
            self._others[key] = Grid(text, token.line)
        if len(self.facts) < MAX_FIELDS and text not in NULLS:
            self.facts.append((key, printable_line(text)))
        return []

    def keep(self, key: str, value: Value) -> Iterator[Value]:
        """Keep a value if it is the solution or the puzzle; yield any other one, or the puzzle kept before."""
        if key in LISTS_OF_NAMES and key not in self._keys:
            return
        if isinstance(value, Flat) and key.isdecimal() and value.length in SIZES:
            yield from self._columns.add(value.cells, value.line)
        elif isinstance(value, Flat) and key not in self._keys and key not in SOLUTION_KEYS:
            return
        elif isinstance(grid := value.grid() if isinstance(value, Flat) else value, Grid):
            if key in SOLUTION_KEYS and key not in self._keys and not self._solution:
                self._solution = grid.cells
            elif key in self._keys:
                if before := self._grids.get(key):
                    yield before
                self._grids[key] = grid
            else:
                yield grid
        else:
            yield grid

    def found(self, is_nested: bool) -> Iterator[Value]:
        """Yield the puzzle with what else is known about it, and any further grids.

        The outermost object gives names to its puzzles if all of its fields are puzzles.
        """
        yield from self._columns.end()
        names = [key for key, _ in self.facts]
        if not self._grids and names and all(map(str.isdecimal, names)):
            if self._others:
                yield from map(parse_grid, self._others.values())
            elif len(names) in SIZES and names == [str(number) for number in range(len(names))]:
                yield Flat([cell(text) for _, text in self.facts], len(names), self._line)
            return
        grids = self._grids or self._others
        ranked = [key for key in self._keys if key in grids] or list(grids)
        puzzles = [key for key in ranked if _has_empty_cell(grids[key])] or ranked[:1]
        if not is_nested and not self._grids and len(puzzles) == len(self.facts):
            yield from (parse_grid(grids[key], (), key) for key in puzzles)
            return
        if not self._grids and len(puzzles) > 1:
            message = f"{printable_line(' and '.join(puzzles))} could both be the puzzle; name it: FILE::FIELD"
            yield BadLine(grids[puzzles[0]].line, message, "two readings")
            return
        for key in puzzles[1:]:
            yield grids[key]
        if puzzles:
            others = [grids[key].cells for key in ranked if key not in puzzles and key.lower() != LINEAGE_KEY]
            same_length = (cells for cells in others if len(cells) == len(grids[puzzles[0]].cells))
            yield self._entry(grids[puzzles[0]], puzzles[0], self._solution or next(same_length, ""))

    def _entry(self, grid: Grid, field: str, solution: Sequence[str]) -> Entry | BadLine:
        texts = {key.lower(): text for key, text in reversed(self.facts)}
        name = next((texts[key] for key in NAME_KEYS if key in texts and key != field), "")
        facts = facts_of(
            (key, text) for key, text in self.facts if key.lower() not in NAME_KEYS and key not in self._others
        )
        return parse_grid(grid, solution, name, facts)


def _has_empty_cell(grid: Grid) -> bool:
    return has_empty_cell(
        "".join(cell if len(cell) == 1 else "." if cell in ("", "-1") else "1" for cell in grid.cells)
    )


def read_records(lines: Iterable[tuple[int, str | None]], field: str | None = None) -> Iterator[Entry | BadLine]:
    """Read JSON lines: each line is a separate document, and a fault affects only its own line."""
    for number, line in lines:
        if line is None:
            yield too_long(number)
            continue
        try:
            yield from list(read([(number, line)], field))
        except BrokenSource as error:
            yield BadLine(number, error.message, "broken record")
