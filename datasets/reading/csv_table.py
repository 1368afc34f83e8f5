"""Tables with a header: CSV, also with semicolons or tabs.

The column of puzzles is the requested one, or else the first that has one of the usual names (``grid``, ``puzzle``,
``quizzes``, ...) and no complete grid in the first record, or else the only one that has a puzzle there. Headers
identify names and solutions; all other columns, including ratings, are kept as facts.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence

from sudoku_bench.datasets.reading.blocks import Line
from sudoku_bench.datasets.reading.cells import advised, boards, has_empty_cell
from sudoku_bench.datasets.reading.items import (
    LINEAGE_KEY,
    NAME_KEYS,
    PUZZLE_KEYS,
    SOLUTION_KEYS,
    BadLine,
    BrokenSource,
    Entry,
    facts_of,
    printable_line,
)
from sudoku_bench.datasets.reading.symbols import SHAPES, parse_grid
from sudoku_bench.datasets.reading.text_lines import single_grid, too_long

DELIMITERS = ",;\t"


def is_header(line: str) -> bool:
    """Return whether a line names a column of puzzles, with or without other columns."""
    return any(_column(_fields(line, delimiter), PUZZLE_KEYS) is not None for delimiter in DELIMITERS)


def read(lines: Iterable[Line], column: str | None = None) -> Iterator[Entry | BadLine]:
    """Read a table; its header is the first line that is neither blank nor a comment.

    Raises:
        BrokenSource: there is no column of this name, or no column is known to contain puzzles, or several may.
    """
    table_lines = _TableLines(lines)
    start, header = table_lines.header()
    delimiter = max(DELIMITERS, key=header.count)
    names, columns = _fields(header, delimiter), None
    records = csv.reader(table_lines, delimiter=delimiter)
    while True:
        first = table_lines.number + 1
        try:
            record = next(records)
        except StopIteration:
            yield from table_lines.too_long()
            columns or Columns(names, column, start)  # without records, the header may still be a fault
            return
        except csv.Error:
            yield BadLine(first, "a field that is too long, or a quote that is not closed; close it", "broken record")
            continue
        for fault in table_lines.too_long():
            yield fault
            first = fault.line + 1
        if any(field.strip() for field in record):
            columns = columns or Columns(names, column, start, record)
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
            if line.strip() and not line.startswith(("#", "sep=")):  # Excel writes sep=;
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

    def __init__(self, header: list[str], puzzle_column: str | None, line: int, record: Sequence[str] = ()) -> None:
        self.header = header
        names = printable_line(", ".join(header))
        if puzzle_column is not None and puzzle_column not in header:
            raise BrokenSource(line, f"no column {puzzle_column}; the columns are {names}")
        texts = [field.strip() for field in record] if len(record) == len(header) else []
        grids = [column for column, text in enumerate(texts) if boards(text) == [text]]
        puzzles = [column for column in grids if has_empty_cell(texts[column])]
        puzzle = header.index(puzzle_column) if puzzle_column is not None else _column(header, PUZZLE_KEYS)
        if puzzle is None or (puzzle_column is None and puzzle in grids and puzzle not in puzzles and puzzles):
            puzzle = _column([header[k] if k in puzzles else "" for k in range(len(header))], PUZZLE_KEYS)
            if puzzle is None and len(puzzles) > 1:
                both = printable_line(" and ".join(header[column] for column in puzzles))
                raise BrokenSource(line, f"{both} could each be the puzzle; name one: FILE::COLUMN")
            puzzle = puzzles[0] if puzzle is None and puzzles else puzzle
        if puzzle is None:
            raise BrokenSource(line, f"no column is known to contain puzzles ({names}); name it: FILE::COLUMN")
        self.puzzle = puzzle
        others = [name if column != puzzle else "" for column, name in enumerate(header)]
        self.solution = _column(others, SOLUTION_KEYS)
        if self.solution is None and puzzle in puzzles:
            same_length = (k for k in grids if k not in puzzles and len(texts[k]) == len(texts[puzzle]))
            self.solution = next((k for k in same_length if header[k].lower() != LINEAGE_KEY), None)
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
        item = parse_grid(grid, solution if len(solution) in SHAPES else "", name, facts)
        return advised(item, record[self.puzzle])


def _fields(line: str, delimiter: str) -> list[str]:
    try:
        return [field.strip() for field in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _column(header: list[str], names: tuple[str, ...]) -> int | None:
    """Return the index of the first of these names that the header contains, ignoring case."""
    lower_case = [name.lower() for name in header]
    return next((lower_case.index(name) for name in names if name in lower_case), None)
