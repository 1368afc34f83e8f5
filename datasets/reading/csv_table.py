"""Tables with a header: CSV, also with semicolons or tabs.

The column of puzzles is the requested one, or else the first that has one of the usual names (``grid``, ``puzzle``,
``quizzes``, ...). Headers identify names and solutions; all other columns, including ratings, are kept as facts.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from datasets.reading.blocks import Line
from datasets.reading.items import (
    NAME_KEYS,
    PUZZLE_KEYS,
    SOLUTION_KEYS,
    BadLine,
    BrokenSource,
    Entry,
    facts_of,
    printable_line,
)
from datasets.reading.symbols import SHAPES, parse_grid
from datasets.reading.text_lines import single_grid, too_long

DELIMITERS = ",;\t"


def is_header(line: str) -> bool:
    """Return whether a line names a column of puzzles, with or without other columns."""
    return any(_column(_fields(line, delimiter), PUZZLE_KEYS) is not None for delimiter in DELIMITERS)


def read(lines: Iterable[Line], column: str | None = None) -> Iterator[Entry | BadLine]:
    """Read a table; its header is the first line that is neither blank nor a comment.

    Raises:
        BrokenSource: there is no column of this name, or no column with one of the usual names.
    """
    table_lines = _TableLines(lines)
    start, header = table_lines.header()
    delimiter = max(DELIMITERS, key=header.count)
    columns = Columns(_fields(header, delimiter), column, start)
    records = csv.reader(table_lines, delimiter=delimiter)
    while True:
        first = table_lines.number + 1
        try:
            record = next(records)
        except StopIteration:
            yield from table_lines.too_long()
            return
        except csv.Error:
            yield BadLine(first, "a field that is too long, or a quote that is not closed; close it", "broken record")
            continue
        for fault in table_lines.too_long():
            yield fault
            first = fault.line + 1
        if any(field.strip() for field in record):
            yield columns.entry(record, first)


class _TableLines:
    """Iterates over the lines of a table and counts them; lines that are too long are skipped and recorded."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = iter(lines)
        self._too_long: list[int] = []
        self.number = 0

    def header(self) -> tuple[int, str]:
        """Return the number and text of the header; 0 and an empty text if there is none."""
        for number, line in self._lines:
            self.number = number
            if line is None:
                raise BrokenSource(number, "a header that is too long; name the columns in the first line")
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
        """Yield the faults of the recorded lines and forget them."""
        numbers, self._too_long = self._too_long, []
        for number in numbers:
            yield too_long(number)


class Columns:
    """The columns of puzzles, names, solutions and facts."""

    def __init__(self, header: list[str], puzzle_column: str | None, line: int) -> None:
        self.header = header
        names = printable_line(", ".join(header))
        if puzzle_column is not None and puzzle_column not in header:
            raise BrokenSource(line, f"no column {puzzle_column}; the columns are {names}")
        puzzle = header.index(puzzle_column) if puzzle_column is not None else _column(header, PUZZLE_KEYS)
        if puzzle is None:
            raise BrokenSource(line, f"no column is known to contain puzzles ({names}); name it: FILE::COLUMN")
        self.puzzle = puzzle
        others = [name if column != puzzle else "" for column, name in enumerate(header)]
        self.solution = _column(others, SOLUTION_KEYS)
        self.name = _column(others, NAME_KEYS)
        self.facts = [column for column in range(len(header)) if column not in (puzzle, self.solution, self.name)]

    def entry(self, record: list[str], line: int) -> Entry | BadLine:
        """Convert a record to a puzzle, or describe its fault."""
        if len(record) != len(self.header):
            message = f"{len(record)} fields where the header names {len(self.header)}; add or remove fields"
            return BadLine(line, message, "wrong number of fields")
        grid = single_grid(record[self.puzzle], line)
        if grid is None:
            message = f"the field {printable_line(self.header[self.puzzle])} is empty; fill it"
            return BadLine(line, message, "empty field")
        if isinstance(grid, BadLine):
            return grid
        solution = record[self.solution].strip() if self.solution is not None else ""
        name = printable_line(record[self.name]) if self.name is not None else ""
        facts = facts_of((self.header[column], record[column]) for column in self.facts)
        return parse_grid(grid, solution if len(solution) in SHAPES else "", name, facts)


def _fields(line: str, delimiter: str) -> list[str]:
    try:
        return [field.strip() for field in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _column(header: list[str], names: tuple[str, ...]) -> int | None:
    """Return the index of the first of these names that the header contains, ignoring case."""
    lower_case = [name.lower() for name in header]
    return next((lower_case.index(name) for name in names if name in lower_case), None)
