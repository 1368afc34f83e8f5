"""The tables of a run folder as records, and the checks of tables that were edited or damaged."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from sudoku_bench.bench.folder.rows import Count, DecoyKind, Seconds, checked_fields, shown
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape, size_of_text

Record = Mapping[str, Any]  # the text of each field, by column

BLOCK = 1 << 16  # bytes of a table that are read at a time: their columns fit into the caches of a core
SIZES = ("variables", "clauses", "literals", "at_mosts")  # columns of encodings.csv

Rating = Annotated[str, Meta(pattern=r"^>?[0-9]{1,3}(\.[0-9]{1,3})?$")]
Board = Annotated[str, Meta(pattern=r"^[1-9][0-9]?x[1-9][0-9]?( [ -~]{1,9999})?$")]  # also ``9x9 windoku``


class PuzzleFields(msgspec.Struct, kw_only=True):
    """The fields of a row of ``puzzles.csv`` that are looked at."""

    collection: str
    puzzle: str
    grid: str
    solution: str = ""
    clues: Seconds = 0.0
    guesses: Seconds = 0.0
    guesses_se: Seconds = 0.0
    te_rounds: Seconds = 0.0
    te_depth: Seconds = 0.0
    unsolved_singles: Seconds = 0.0
    unsolved_locked: Seconds = 0.0
    er: Rating = ""
    ep: Rating = ""
    ed: Rating = ""
    group: Count = 0
    solutions: Count = 0
    decoy: DecoyKind | None = None
    board: Board = ""


class EncodingFields(msgspec.Struct, kw_only=True):
    """The fields of a row of ``encodings.csv``."""

    encoding: str
    shape: Board
    variables: Count
    clauses: Count
    literals: Count
    at_mosts: Count


def whole_lines(data: bytes) -> bytes:
    """Return the data up to the end of the last complete line (fields of a row contain no line breaks)."""
    return data[: data.rfind(b"\n") + 1]


def require_file(path: Path) -> Path:
    """Return the path of a file of a run folder.

    Raises:
        InputError: it is a pipe or a device, which may never end.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is not a file; restore it as the run wrote it")
    return path


def content(path: Path) -> bytes:
    """Return the content of a file of a run folder.

    Raises:
        InputError: as ``require_file``.
        OSError: it cannot be read.
    """
    return require_file(path).read_bytes()


def blocks(path: Path, size: int = BLOCK) -> Iterator[str]:
    """Yield the complete lines of a table of a run folder, which others may have filled, so many bytes at a time.

    Raises:
        InputError: it cannot be read, or holds letters that are not printable: a terminal would obey them.
    """
    rest, number = b"", 1
    try:
        with require_file(path).open("rb") as file:
            while data := file.read(size):
                lines, newline, rest = (rest + data).rpartition(b"\n")
                text = (lines + newline).decode("utf-8")
                if not text.replace("\n", "").isprintable():
                    number, line = next(e for e in enumerate(text.split("\n"), start=number) if not e[1].isprintable())
                    letter = next(letter for letter in line if not letter.isprintable())
                    raise InputError(
                        f"{path}:{number}: contains {letter!a}, which no run writes; correct or remove that line"
                    )
                number += text.count("\n")
                if text:
                    yield text
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def records(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield the number of the line and the fields of each complete line of a table below its header.

    Raises:
        InputError: as ``blocks``, or a column stands twice.
    """
    reader = csv.DictReader(io.StringIO("".join(blocks(path)), newline=""), strict=True)
    try:
        columns = reader.fieldnames or []
        for column in columns:
            if columns.count(column) > 1:
                raise InputError(f"{path}:1: the column {shown(column)} stands twice; remove one of the two")
        for record in reader:
            yield reader.line_num, record
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: {error}; restore it as the run wrote it") from None


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
    fields = checked_fields(record, PuzzleFields)
    size = size_of_text(fields.grid)
    if len(fields.grid) not in (size**2, size**3) or not fields.grid.isprintable():
        raise ValueError(f"grid is {shown(fields.grid)}")
    if fields.solution and len(fields.solution) != size**2:
        raise ValueError(f"solution is {shown(fields.solution)}")
    if fields.board and Shape.of_code(fields.board).size != size:
        raise ValueError(f"board is {shown(fields.board)}, of another size than its grid")


def encoding(record: Record) -> None:
    """Check a row of ``encodings.csv``."""
    checked_fields(record, EncodingFields)
