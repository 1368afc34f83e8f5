"""Puzzles in brackets: JSON, JSON lines, and nested lists as programs print them.

A puzzle is a list of N rows (each a list of N numbers, or a text of N characters), one list of N·N numbers, or a text
as in ``datasets.reading.text_lines``. If an object (a JSON record) contains the puzzle, its other fields are the
puzzle's name, solution and facts. Lists and objects may contain any number of puzzles, which are read one at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from datasets.reading.grid_rows import Rows
from datasets.reading.items import (
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
from datasets.reading.json_tokens import Token, tokens
from datasets.reading.symbols import SHAPES, SIZES, parse_grid, wrong_length
from datasets.reading.text_lines import single_grid, too_long

MAX_DEPTH = 32
MAX_SCALARS = 100_000  # in one list; numbers beyond the size of a puzzle are counted, but not stored
MAX_FIELDS = 100
EMPTY_NAMES = frozenset({"null", "None", "nan", "NaN", "False", "false"})
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

    def _inside(self, opened: Token | None) -> Iterator[Token]:
        """Yield the tokens of a bracket until it is closed, without those that its inner brackets take."""
        for token in self._tokens:
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
        return self._object(opened, depth + 1, in_list) if opened.text == "{" else self.list_of(opened, depth + 1)

    def list_of(self, opened: Token | None, depth: int) -> Iterator[Value]:
        """Yield the values of a list; None: of the document as a whole. Lists without lists in it may be its rows."""
        rows, cells, length = Rows(), list[str](), 0
        for token in self._inside(opened):
            text = token.text.strip()
            if token.kind == "open":
                for value in self._bracket(token, depth, in_list=True):
                    if isinstance(value, Flat) and value.length in SIZES:
                        yield from rows.add(value.cells, value.line)
                    else:
                        yield from rows.end()
                        yield value.grid() if isinstance(value, Flat) else value
            elif token.kind == "string" and len(text) >= min(SIZES):
                yield from _row_or_grid(rows, text, token.line)
            else:
                length += 1
                if length > MAX_SCALARS:
                    message = f"a list of more than {MAX_SCALARS} numbers; write one puzzle per list"
                    raise BrokenSource(token.line, message)
                if length <= max(SHAPES):
                    cells.append(_cell(text, token.kind))
        yield from rows.end()
        if length:
            yield Flat(cells, length, opened.line if opened else 1)

    def _object(self, opened: Token, depth: int, in_list: bool) -> Iterator[Value]:
        """Yield what an object contains and does not keep, then its puzzle.

        An object without a puzzle is a fault if it is an element of a list and contains nothing else.
        """
        record, key, is_empty = _Record(self._keys), "", True
        for token in self._inside(opened):
            if not key and token.kind != "open":
                key = printable_line(token.text) or " "
                continue
            values = self._bracket(token, depth, in_list=False) if token.kind == "open" else record.scalar(key, token)
            for value in values:
                if outgoing := record.keep(key.lower(), value):
                    is_empty = False
                    yield outgoing
            key = ""
        if record.grid:
            yield record.entry(record.grid)
        elif is_empty and in_list:
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

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self.grid: Grid | None = None
        self.facts: list[tuple[str, str]] = []
        self._solution: Sequence[str] = ""

    def scalar(self, key: str, token: Token) -> Iterable[Value]:
        """Return the grid in a text; keep any other number, name or string as a fact."""
        lower_case = key.lower()
        if (lower_case in self._keys and token.kind == "string") or lower_case in SOLUTION_KEYS:
            grid = single_grid(token.text, token.line)
            return [grid] if grid else []
        if len(self.facts) < MAX_FIELDS and token.text not in EMPTY_NAMES:
            self.facts.append((key, printable_line(token.text)))
        return []

    def keep(self, key: str, value: Value) -> Value | None:
        """Keep a value if it is the solution or the puzzle; return any other one, or the puzzle kept before."""
        if key in SOLUTION_KEYS:
            self._solution = value.cells if isinstance(value, Flat | Grid) else ""
            return None
        if key not in self._keys:
            return None if isinstance(value, Flat) else value
        if isinstance(value, Flat):
            value = value.grid()
        if not isinstance(value, Grid):
            return value
        before, self.grid = self.grid, value
        return before

    def entry(self, grid: Grid) -> Entry | BadLine:
        """Return the puzzle with what else is known about it."""
        texts = {key.lower(): text for key, text in reversed(self.facts)}
        name = next((texts[key] for key in NAME_KEYS if key in texts), "")
        facts = facts_of((key, text) for key, text in self.facts if key.lower() not in NAME_KEYS)
        return parse_grid(grid, self._solution, name, facts)


def _cell(text: str, kind: str) -> str:
    """Normalise the text of a cell: 5.0 is 5, and an empty text or a null value is an empty cell."""
    if kind == "number":
        whole_number, _, fraction = text.partition(".")
        return whole_number if not fraction.strip("0") else text
    return "." if not text or text in EMPTY_NAMES else text


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
