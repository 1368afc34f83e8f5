"""The tables of a run folder as records, and the checks of tables that were edited or damaged."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder.rows import IDENTITY, LARGEST, LONGEST_SHOWN, number, parsed_fields, shown
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import size_of_text

Record = Mapping[str, Any]  # the text of each field, by column
Checks = Mapping[str, Callable[[str], Any]]  # whether a text can be that of a column

RATING = re.compile(r">?\d{1,3}(\.\d{1,3})?", re.ASCII)
SIZES = ("variables", "clauses", "literals", "at_mosts")  # columns of encodings.csv
BOARD = re.compile(r"[1-9]\d?x[1-9]\d?( [ -~]{1,99})?", re.ASCII)  # also ``9x9 windoku``


def whole_lines(data: bytes) -> bytes:
    """Return the data up to the end of the last complete line (fields of a row contain no line breaks)."""
    return data[: data.rfind(b"\n") + 1]


def records(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield the number of the line and the fields of each complete line of a table below its header.

    Raises:
        InputError: it cannot be read, or a column stands twice.
    """
    try:
        text = whole_lines(path.read_bytes()).decode("utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = reader.fieldnames or []
        for column in columns:
            if columns.count(column) > 1:
                raise InputError(f"{path}:1: the column {shown(column)} stands twice; remove one of the two")
        for record in reader:
            yield reader.line_num, record
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: {error}; restore it as the run wrote it") from None


def check_run(measurements: Path, puzzles: Path) -> None:
    """Refuse tables of a run whose fields cannot be what they are, whose rows stand twice, or which do not fit.

    Columns that this version does not know are not looked at.

    Raises:
        InputError: there is such a row; the message names the file, the line and the column.
    """
    known = puzzles_in(puzzles)
    for line, record in checked(measurements, IDENTITY, parsed_fields):
        if (record["collection"], record["puzzle"]) not in known:
            name = shown(str(record["puzzle"]))
            raise InputError(f"{measurements}:{line}: the puzzle {name} is not in {puzzles.name}; restore its row")


def puzzles_in(path: Path) -> set[tuple[str | None, str | None]]:
    """Return collection and name of the puzzles of a table of puzzles, checked.

    Raises:
        InputError: a field cannot be what it is, or a row stands twice.
    """
    return {(record["collection"], record["puzzle"]) for _, record in checked(path, ("collection", "puzzle"), puzzle)}


def check_encodings(path: Path) -> None:
    """Refuse a table of encodings whose fields cannot be what they are, or whose rows stand twice.

    Raises:
        InputError: there is such a row.
    """
    for _ in checked(path, ("encoding", "shape"), encoding):
        pass


def checked(path: Path, key: Iterable[str], check: Callable[[Record], Any]) -> Iterator[tuple[int, Record]]:
    """Yield line and fields of each row, checked; ``check`` raises ValueError.

    Raises:
        InputError: a field cannot be what it is, or two rows have the same key.
    """
    names, lines_of = tuple(key), dict[tuple[Any, ...], int]()
    for line, record in records(path):
        try:
            check(record)
        except ValueError as error:
            raise InputError(f"{path}:{line}: {error}; correct or remove that row") from None
        identity = tuple([record.get(name) for name in names])
        if None not in identity and lines_of.setdefault(identity, line) != line:
            raise InputError(f"{path}:{line}: stands in line {lines_of[identity]} already; remove one of the two")
        yield line, record


def puzzle(record: Record) -> None:
    """Check a row of ``puzzles.csv``."""
    _check_fields(record, ("collection", "puzzle", "grid"), PUZZLE)
    size, solution = size_of_text(record["grid"]), record.get("solution")
    if len(record["grid"]) not in (size**2, size**3) or not record["grid"].isprintable():
        raise ValueError(f"grid is {shown(record['grid'])}")
    if solution and len(solution) != size**2:
        raise ValueError(f"solution is {shown(solution)}")


def encoding(record: Record) -> None:
    """Check a row of ``encodings.csv``."""
    _check_fields(record, ("encoding", "shape", *SIZES), ENCODING)


def _check_fields(record: Record, required: Iterable[str], fields: Checks) -> None:
    """Require some fields; others are empty or missing, or as they must be."""
    if None in record or None in record.values():
        raise ValueError("it has another number of fields than there are columns")
    for name in required:
        if not record.get(name):
            raise ValueError(f"{name} is empty")
    for name, holds in fields.items():
        text = record.get(name) or ""
        if text and not holds(text):
            raise ValueError(f"{name} is {shown(text)}")


def is_measure(text: str) -> bool:
    """Is it a number of 0 or more?"""
    try:
        return number(text) >= 0
    except ValueError:
        return False


def is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < LONGEST_SHOWN // 2 and int(text) < LARGEST


PUZZLE: Checks = {
    **dict.fromkeys(("clues", "guesses", "guesses_se", "te_rounds", "te_depth"), is_measure),
    **dict.fromkeys(("unsolved_singles", "unsolved_locked"), is_measure),
    **dict.fromkeys(("er", "ep", "ed", "backdoor"), RATING.fullmatch),
    **dict.fromkeys(("group", "solutions"), is_count),
    "decoy": ("several", "none").__contains__,
}
ENCODING: Checks = {"shape": BOARD.fullmatch, **dict.fromkeys(SIZES, is_count)}
