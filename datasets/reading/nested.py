"""Puzzles in brackets: JSON, JSON lines, and lists of lists as programs write them.

A puzzle is a list of N rows (each a list of N numbers, or a text of N characters), one list of N·N numbers, or a text
as in ``datasets.reading.text``. Where an object (a JSON record) holds it, its other fields are its name, its solution
and its facts. Lists and objects may hold any number of puzzles; they are read one after the other, not all at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from datasets.reading.cells import SHAPES, SIZES, entry, wrong_length
from datasets.reading.grid_rows import Rows
from datasets.reading.items import NAME_KEYS, PUZZLE_KEYS, SOLUTION_KEYS, BadLine, Broken, Entry, Grid, facts_of, words
from datasets.reading.text import too_long, whole
from datasets.reading.tokens import Token, tokens

MAX_DEPTH = 32
MAX_SCALARS = 100_000  # of one list; numbers beyond those of a puzzle are counted and not kept
MAX_FIELDS = 100
EMPTY_NAMES = frozenset({"null", "None", "nan", "NaN", "False", "false"})
CLOSES = {"[": "]", "(": ")", "{": "}"}


class Flat(NamedTuple):
    """A list without lists in it: a row, or a whole puzzle."""

    cells: list[str]
    length: int
    line: int


Found = Flat | Grid | BadLine | Entry


def read(pieces: Iterable[tuple[int, str]], field: str | None = None) -> Iterator[Entry | BadLine]:
    """Read one document, or several one after the other; ``field``: where objects have their puzzles.

    Raises:
        Broken: the brackets do not match, or are nested too deeply, or something stands there that is no word.
    """
    keys = PUZZLE_KEYS if field is None else (field.lower(),)
    stack: list[_List | _Object] = [_List(1, "")]
    for token in tokens(pieces):
        if token.kind == "open":
            if len(stack) > MAX_DEPTH:
                raise Broken(token.line, f"brackets are nested deeper than {MAX_DEPTH}; write a plain list")
            record = isinstance(stack[-1], _List)
            stack.append(_Object(token.line, keys, record) if token.text == "{" else _List(token.line, token.text))
        elif token.kind == "close":
            frame = stack.pop()
            if CLOSES.get(frame.bracket) != token.text:
                raise Broken(token.line, f"a {token.text} that closes nothing; mind the brackets")
            yield from _pass_on(frame.close(), stack)
            stack[-1].is_done()
        else:
            yield from _pass_on(stack[-1].scalar(token), stack[:-1])
    if len(stack) > 1:
        raise Broken(stack[-1].line, f"a {stack[-1].bracket} that is not closed; is the file cut short?")
    yield from _pass_on(stack[0].close(), [])


def _pass_on(found: Iterable[Found], stack: Sequence[_List | _Object]) -> Iterator[Entry | BadLine]:
    """What was found goes from the innermost bracket outwards; each takes what is its own."""
    if not found:
        return
    for frame in reversed(stack):
        found = frame.take(found)
    for item in found:
        if isinstance(item, Grid):
            yield entry(item)
        elif not isinstance(item, Flat):
            yield item


class _List:
    """A list that is being read: cells, rows, or anything else."""

    def __init__(self, line: int, bracket: str) -> None:
        self.line, self.bracket = line, bracket
        self._cells: list[str] = []
        self._length = 0
        self._rows = Rows()

    def scalar(self, token: Token) -> Iterable[Found]:
        text = token.text.strip()
        if token.kind == "string" and len(text) >= min(SIZES):
            return self._word(text, token.line)
        self._length += 1
        if self._length > MAX_SCALARS:
            raise Broken(token.line, f"a list of more than {MAX_SCALARS} numbers; write one puzzle per list")
        if self._length <= max(SHAPES):
            self._cells.append(_cell(text, token.kind))
        return ()

    def _word(self, text: str, line: int) -> Iterable[Found]:
        """A text in a list is a row, or a puzzle."""
        if len(text) in SIZES and not set(text) & set("|-+ \n,"):
            return list(self._rows.add(text, line))
        grid = whole(text, line)
        return [*self._rows.end(), *([grid] if grid else [])]

    def take(self, found: Iterable[Found]) -> Iterator[Found]:
        for item in found:
            if isinstance(item, Flat) and item.length in SIZES:
                yield from self._rows.add(item.cells, item.line)
                continue
            yield from self._rows.end()
            yield _grid(item) if isinstance(item, Flat) else item

    def is_done(self) -> None:
        """The bracket within has been closed."""

    def close(self) -> Iterable[Found]:
        found: list[Found] = [*self._rows.end()]
        if self._length:
            found.append(Flat(self._cells, self._length, self.line))
        return found


class _Object:
    """A JSON object that is being read: a record with a puzzle, or a container of others.

    ``record`` says that it stands in a list, where a record without a puzzle is a fault.
    """

    bracket = "{"

    def __init__(self, line: int, keys: Sequence[str], record: bool) -> None:
        self.line = line
        self._keys, self._record = keys, record
        self._key: str | None = None
        self._held: Grid | None = None
        self._solution: Sequence[str] = ""
        self._facts: list[tuple[str, str]] = []
        self._passed = False  # something was found further within

    def scalar(self, token: Token) -> Iterable[Found]:
        if self._key is None:
            self._key = words(token.text)
            return ()
        key, text = self._key, token.text
        found: Iterable[Found] = ()
        if key.lower() in self._keys and token.kind == "string":
            grid = whole(text, token.line)
            found = list(self.take([grid])) if grid else ()
        elif key.lower() in SOLUTION_KEYS:
            grid = whole(text, token.line)
            self._solution = grid.cells if isinstance(grid, Grid) else ""
        elif len(self._facts) < MAX_FIELDS and text not in EMPTY_NAMES:
            self._facts.append((key, words(text)))
        self._key = None
        return found

    def take(self, found: Iterable[Found]) -> Iterator[Found]:
        key = (self._key or "").lower()
        for item in found:
            if key in SOLUTION_KEYS:
                self._solution = item.cells if isinstance(item, Flat | Grid) else ""
            elif key in self._keys:
                known: Found | None = _grid(item) if isinstance(item, Flat) else item
                if isinstance(known, Grid):
                    known, self._held = self._held, known
                if known:
                    self._passed = True
                    yield known
            elif not isinstance(item, Flat):
                self._passed = True
                yield item

    def is_done(self) -> None:
        """The bracket within, which was the value of a key, has been closed."""
        self._key = None

    def close(self) -> Iterable[Found]:
        if self._held:
            small = {key.lower(): text for key, text in reversed(self._facts)}
            name = next((small[key] for key in NAME_KEYS if key in small), "")
            facts = facts_of((key, text) for key, text in self._facts if key.lower() not in NAME_KEYS)
            return [entry(self._held, self._solution, name, facts)]
        if self._passed or not self._record:
            return []
        fields = ", ".join(key for key, _ in self._facts)
        what = f"no field is known to hold a puzzle ({words(fields)}); name it: FILE::FIELD"
        return [BadLine(self.line, what, "record without a puzzle")]


def _grid(flat: Flat) -> Grid | BadLine:
    return Grid(flat.cells, flat.line) if flat.length in SHAPES else wrong_length(flat.length, flat.line)


def _cell(text: str, kind: str) -> str:
    """The text of a cell: numbers may be written 5.0, and nothing is an empty cell."""
    if kind == "number":
        whole_number, _, fraction = text.partition(".")
        return whole_number if not fraction.strip("0") else text
    return "." if not text or text in EMPTY_NAMES else text


def read_records(lines: Iterable[tuple[int, str | None]], field: str | None = None) -> Iterator[Entry | BadLine]:
    """Read JSON lines: each line is a document of its own, and a bad one spoils only itself."""
    for number, line in lines:
        if line is None:
            yield too_long(number)
            continue
        try:
            yield from list(read([(number, line)], field))
        except Broken as error:
            yield BadLine(number, error.what, "broken record")
