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


Value = Flat | Grid | BadLine | Entry


def read(pieces: Iterable[tuple[int, str]], field: str | None = None) -> Iterator[Entry | BadLine]:
    """Read one document, or several consecutive ones; ``field`` names the field of objects that contains puzzles.

    Raises:
        BrokenSource: the brackets do not match or are nested too deeply, or the text contains an invalid token.
    """
    keys = PUZZLE_KEYS if field is None else (field.lower(),)
    stack: list[_List | _Object] = [_List(1, "")]
    for token in tokens(pieces):
        if token.kind == "open":
            if len(stack) > MAX_DEPTH:
                raise BrokenSource(token.line, f"brackets are nested deeper than {MAX_DEPTH}; write a plain list")
            is_record = isinstance(stack[-1], _List)
            stack.append(_Object(token.line, keys, is_record) if token.text == "{" else _List(token.line, token.text))
        elif token.kind == "close":
            frame = stack.pop()
            if CLOSES.get(frame.bracket) != token.text:
                raise BrokenSource(token.line, f"a {token.text} that closes nothing; correct the brackets")
            yield from _propagate(frame.close(), stack)
            stack[-1].end_value()
        else:
            yield from _propagate(stack[-1].scalar(token), stack[:-1])
    if len(stack) > 1:
        raise BrokenSource(stack[-1].line, f"a {stack[-1].bracket} that is not closed; the file may be cut short")
    yield from _propagate(stack[0].close(), [])


def _propagate(values: Iterable[Value], stack: Sequence[_List | _Object]) -> Iterator[Entry | BadLine]:
    """Pass values from the innermost bracket outwards; each bracket keeps those that belong to it."""
    if not values:
        return
    for frame in reversed(stack):
        values = frame.receive(values)
    for value in values:
        if isinstance(value, Grid):
            yield parse_grid(value)
        elif not isinstance(value, Flat):
            yield value


class _List:
    """A list that is being read: cells, rows, or anything else."""

    def __init__(self, line: int, bracket: str) -> None:
        self.line, self.bracket = line, bracket
        self._cells: list[str] = []
        self._length = 0
        self._rows = Rows()

    def scalar(self, token: Token) -> Iterable[Value]:
        """Add a number, a name or a string; return the values that this completes."""
        text = token.text.strip()
        if token.kind == "string" and len(text) >= min(SIZES):
            return self._text(text, token.line)
        self._length += 1
        if self._length > MAX_SCALARS:
            raise BrokenSource(token.line, f"a list of more than {MAX_SCALARS} numbers; write one puzzle per list")
        if self._length <= max(SHAPES):
            self._cells.append(_cell(text, token.kind))
        return ()

    def _text(self, text: str, line: int) -> Iterable[Value]:
        """Add a text, which is a row or a puzzle."""
        if len(text) in SIZES and not set(text) & set("|-+ \n,"):
            return list(self._rows.add(text, line))
        grid = single_grid(text, line)
        return [*self._rows.end(), *([grid] if grid else [])]

    def receive(self, values: Iterable[Value]) -> Iterator[Value]:
        """Collect rows from inner lists; yield complete grids and all other values."""
        for value in values:
            if isinstance(value, Flat) and value.length in SIZES:
                yield from self._rows.add(value.cells, value.line)
                continue
            yield from self._rows.end()
            yield _grid(value) if isinstance(value, Flat) else value

    def end_value(self) -> None:
        """Handle the end of an inner bracket."""

    def close(self) -> Iterable[Value]:
        """Return the remaining values at the end of the list."""
        values: list[Value] = [*self._rows.end()]
        if self._length:
            values.append(Flat(self._cells, self._length, self.line))
        return values


class _Object:
    """A JSON object that is being read: a record with a puzzle, or a container of other values.

    ``is_record``: the object is an element of a list, where an object without a puzzle is a fault.
    """

    bracket = "{"

    def __init__(self, line: int, keys: Sequence[str], is_record: bool) -> None:
        self.line = line
        self._keys, self._is_record = keys, is_record
        self._key: str | None = None
        self._grid: Grid | None = None
        self._solution: Sequence[str] = ""
        self._facts: list[tuple[str, str]] = []
        self._has_inner_values = False

    def scalar(self, token: Token) -> Iterable[Value]:
        """Add a key, or the value of a key; return the values that this completes."""
        if self._key is None:
            self._key = printable_line(token.text)
            return ()
        key, text = self._key, token.text
        values: Iterable[Value] = ()
        if key.lower() in self._keys and token.kind == "string":
            grid = single_grid(text, token.line)
            values = list(self.receive([grid])) if grid else ()
        elif key.lower() in SOLUTION_KEYS:
            grid = single_grid(text, token.line)
            self._solution = grid.cells if isinstance(grid, Grid) else ""
        elif len(self._facts) < MAX_FIELDS and text not in EMPTY_NAMES:
            self._facts.append((key, printable_line(text)))
        self._key = None
        return values

    def receive(self, values: Iterable[Value]) -> Iterator[Value]:
        """Keep the grid and the solution of this record; yield all other values."""
        key = (self._key or "").lower()
        for value in values:
            if key in SOLUTION_KEYS:
                self._solution = value.cells if isinstance(value, Flat | Grid) else ""
            elif key in self._keys:
                outgoing: Value | None = _grid(value) if isinstance(value, Flat) else value
                if isinstance(outgoing, Grid):
                    outgoing, self._grid = self._grid, outgoing
                if outgoing:
                    self._has_inner_values = True
                    yield outgoing
            elif not isinstance(value, Flat):
                self._has_inner_values = True
                yield value

    def end_value(self) -> None:
        """Handle the end of an inner bracket, which was the value of a key."""
        self._key = None

    def close(self) -> Iterable[Value]:
        """Return the puzzle of the record, or its fault, at the end of the object."""
        if self._grid:
            texts = {key.lower(): text for key, text in reversed(self._facts)}
            name = next((texts[key] for key in NAME_KEYS if key in texts), "")
            facts = facts_of((key, text) for key, text in self._facts if key.lower() not in NAME_KEYS)
            return [parse_grid(self._grid, self._solution, name, facts)]
        if self._has_inner_values or not self._is_record:
            return []
        fields = ", ".join(key for key, _ in self._facts)
        message = f"no field is known to contain a puzzle ({printable_line(fields)}); name it: FILE::FIELD"
        return [BadLine(self.line, message, "record without a puzzle")]


def _grid(flat: Flat) -> Grid | BadLine:
    return Grid(flat.cells, flat.line) if flat.length in SHAPES else wrong_length(flat.length, flat.line)


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
