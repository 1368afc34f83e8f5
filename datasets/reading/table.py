"""Tables with a header: CSV, also with semicolons or tabs.

The column of puzzles is the one that is asked for, or else the first of the names that such columns usually have
(``grid``, ``puzzle``, ``quizzes``, ...). Names, solutions and ratings are found by their headers; every other column
is kept as a fact.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from datasets.reading.cells import SHAPES, entry
from datasets.reading.items import NAME_KEYS, PUZZLE_KEYS, SOLUTION_KEYS, BadLine, Broken, Entry, facts_of, words
from datasets.reading.text import Line, too_long, whole

DELIMITERS = ",;\t"


def is_header(line: str) -> bool:
    """Does a line name a column of puzzles, beside others or alone?"""
    return any(_find(_fields(line, delimiter), PUZZLE_KEYS) is not None for delimiter in DELIMITERS)


def read(lines: Iterable[Line], column: str | None = None) -> Iterator[Entry | BadLine]:
    """Read a table whose first line that is neither blank nor a comment is its header.

    Raises:
        Broken: there is no such column, or none whose name tells that it holds puzzles.
    """
    feed = _Feed(lines)
    start, header = feed.header()
    delimiter = max(DELIMITERS, key=header.count)
    columns = _Columns(_fields(header, delimiter), column, start)
    records = csv.reader(feed, delimiter=delimiter)
    while True:
        first = feed.number + 1
        try:
            record = next(records)
        except StopIteration:
            yield from feed.too_long()
            return
        except csv.Error:
            yield BadLine(first, "a field that is too long, or a quote that is not closed; close it", "broken record")
            continue
        for fault in feed.too_long():
            yield fault
            first = fault.line + 1
        if any(field.strip() for field in record):
            yield columns.entry(record, first)


class _Feed:
    """The lines of a table, counted; those that are too long are left out and remembered."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = iter(lines)
        self._too_long: list[int] = []
        self.number = 0

    def header(self) -> tuple[int, str]:
        for number, line in self._lines:
            self.number = number
            if line is None:
                raise Broken(number, "a header that is too long; name the columns in the first line")
            if line.strip() and not line.startswith("#"):
                return number, line.strip("\r\n")
        return 0, ""

    def __iter__(self) -> Iterator[str]:
        for number, line in self._lines:
            self.number = number
            if line is None:
                self._too_long.append(number)
            else:
                yield line if line.endswith("\n") else line + "\n"

    def too_long(self) -> Iterator[BadLine]:
        found, self._too_long = self._too_long, []
        for number in found:
            yield too_long(number)


class _Columns:
    """Which column holds what."""

    def __init__(self, header: list[str], asked: str | None, line: int) -> None:
        self.header = header
        names = words(", ".join(header))
        if asked is not None and asked not in header:
            raise Broken(line, f"no column {asked}; the columns are {names}")
        found = header.index(asked) if asked is not None else _find(header, PUZZLE_KEYS)
        if found is None:
            raise Broken(line, f"no column is known to hold puzzles ({names}); name it: FILE::COLUMN")
        self.puzzle = found
        others = [name if place != found else "" for place, name in enumerate(header)]
        self.solution = _find(others, SOLUTION_KEYS)
        self.name = _find(others, NAME_KEYS)
        self.facts = [p for p in range(len(header)) if p not in (found, self.solution, self.name)]

    def entry(self, record: list[str], line: int) -> Entry | BadLine:
        if len(record) != len(self.header):
            what = f"{len(record)} fields where the header names {len(self.header)}; add what is missing"
            return BadLine(line, what, "wrong number of fields")
        grid = whole(record[self.puzzle], line)
        if grid is None:
            return BadLine(line, f"the field {words(self.header[self.puzzle])} is empty; fill it", "empty field")
        if isinstance(grid, BadLine):
            return grid
        solution = record[self.solution].strip() if self.solution is not None else ""
        name = words(record[self.name]) if self.name is not None else ""
        facts = facts_of((self.header[place], record[place]) for place in self.facts)
        return entry(grid, solution if len(solution) in SHAPES else "", name, facts)


def _fields(line: str, delimiter: str) -> list[str]:
    try:
        return [field.strip() for field in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _find(header: list[str], wanted: tuple[str, ...]) -> int | None:
    small = [name.lower() for name in header]
    return next((small.index(name) for name in wanted if name in small), None)
