"""Read puzzles from files, pipes and texts of many formats; docs/formats.md describes them.

The first bytes of a file show whether it is a binary file. If it is not, the first line that is neither blank nor a
comment, and the ending of the file's name, determine the format: a table has a header, a document that begins with a
bracket is JSON or a list, and everything else is lines of text. Files are read lazily, and memory is bounded for any
content.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading import (
    boards,
    csv_table,
    f_puzzles,
    facts,
    json_lists,
    layout,
    minizinc,
    numpy_files,
    open_sudoku,
    parquet,
    sources,
    text_lines,
)
from sudoku_bench.datasets.reading.blocks import MAX_LINE, Block, Line, lines
from sudoku_bench.datasets.reading.blocks import pieces as split_blocks
from sudoku_bench.datasets.reading.complete import COMPLETE, without_solutions
from sudoku_bench.datasets.reading.items import BadLine, BrokenSource, Entry, Grid
from sudoku_bench.datasets.reading.symbols import SHAPES, SIZES

__all__ = [
    "COMPLETE",
    "MAX_LINE",
    "SHAPES",
    "SIZES",
    "BadLine",
    "Entry",
    "load_file",
    "parse",
    "read_file",
    "read_lines",
]

MAX_HEAD = 1000  # comment lines that may precede the line that determines the format
MAX_FAULTS = 50  # a text that begins with so many faults is of another format

_BRACKETS = re.compile(r"(?:[A-Za-z_]\w*\s*=\s*)?(?:\{|\[(?![A-Za-z ]+\]\s*$)|\(\s*[\[(\d])")
_RECORD = re.compile(r"\{.*:.*\}\s*,?\s*")


def read_file(path: str | Path) -> Iterator[Entry | BadLine]:
    """Read a file, or standard input for ``-``.

    ``FILE::COLUMN`` names the column (of a table) or the field (of JSON) that contains the puzzles. For a zip archive
    of several files, use ``FILE::MEMBER`` or ``FILE::MEMBER::COLUMN``.

    Yields:
        an ``Entry`` for each puzzle and a ``BadLine`` for each line that should contain a puzzle but does not, and for
        each complete grid (of kind ``COMPLETE``) that is not the solution of a puzzle near it.

    Raises:
        InputError: the file cannot be opened, is not text or is damaged, or its syntax is broken as a whole.
    """
    file, parts = split(str(path))
    with sources.opened(file, parts) as source:
        if len(source.parts) > 1:
            raise InputError(f"{path}: names more than one column; write FILE::COLUMN")
        column = source.parts[0] if source.parts else None
        name = sources.display_name(file)
        try:
            yield from without_solutions(_of_kind(source, name, column))
        except BrokenSource as error:
            raise InputError(f"{name}:{error.line}: {error.message}") from None


def load_file(path: str | Path) -> list[Entry]:
    """Return all puzzles of a file, which must not contain bad lines.

    Raises:
        InputError: as ``read_file``; or a line is bad, or there is no puzzle.
    """
    entries = []
    for item in read_file(path):
        if isinstance(item, BadLine):
            raise InputError(f"{split(str(path))[0]}:{item.line}: {item.message}")
        entries.append(item)
    if not entries:
        raise InputError(f"{path}: holds no puzzle; write one per line")
    return entries


def parse(text: str) -> Puzzle:
    """Return the only puzzle in a text.

    Raises:
        InputError: the text contains no puzzle, a bad line, or more than one puzzle.
    """
    block = "".join(f"{line}\n" for line in text.splitlines())
    items = list(itertools.islice(_of_blocks([(1, block)] if block else []), 1000))
    if len(items) > 1:
        items = list(without_solutions(items))
    for item in items:
        if isinstance(item, BadLine):
            raise InputError(f"line {item.line}: {item.message}")
    if len(items) != 1 or not isinstance(items[0], Entry):
        raise InputError(f"expected one puzzle, found {len(items)}")
    return items[0].puzzle


def read_lines(lines: Iterable[str]) -> Iterator[Entry | BadLine]:
    """Read the lines of a text in the same way as ``read_file`` reads those of a file."""
    return _of_blocks(
        (number, line if line.endswith("\n") else line + "\n") for number, line in enumerate(lines, start=1)
    )


def _of_blocks(blocks: Iterable[Block]) -> Iterator[Entry | BadLine]:
    try:
        yield from _read(blocks)
    except BrokenSource as error:
        yield BadLine(error.line, error.message, "broken document")


def split(path: str) -> tuple[str, tuple[str, ...]]:
    """Split ``FILE::MEMBER::COLUMN`` into the file and the rest. An existing file may have ``::`` in its name."""
    if "::" not in path or sources.exists(path):
        return path, ()
    file, *parts = path.split("::")
    return file, tuple(parts)


def _of_kind(source: sources.Source, name: str, column: str | None) -> Iterator[Entry | BadLine]:
    """Read a binary file, or text."""
    head = source.stream.peek(len(numpy_files.MAGIC))
    if head.startswith(numpy_files.MAGIC):
        yield from numpy_files.read(source.stream, name)
    elif head.startswith(parquet.MAGIC):
        with sources.seekable(source.stream, name) as file:
            yield from parquet.read(file, name, column)
    else:
        yield from _read(sources.blocks(source.stream, name), Path(source.file_name).suffix.lower(), column)


def _read(blocks: Iterable[Block], suffix: str = "", column: str | None = None) -> Iterator[Entry | BadLine]:
    """Determine the format, then read."""
    blocks = iter(blocks)
    head: list[Block] = []
    pieces = split_blocks(_remembered(blocks, head))
    number, raw = _first_line(pieces)
    first = raw.strip()
    if boards.is_layout(first):
        rest = [(at, text) for block in head for at, text in split_blocks([block]) if at != number]
        return boards.with_layout(_read(itertools.chain(rest, blocks), suffix, column), first, number)
    is_table = csv_table.is_header(first)
    if is_table and not any(sign in first for sign in csv_table.DELIMITERS):
        # A table of one column and a grid with a title begin alike.
        following = next(pieces, (0, ""))
        is_table = isinstance(text_lines.single_grid(following[1], following[0]), Grid)
    rewrite = layout.rewriter(raw, (line for _, line in pieces), suffix)
    arrived = (line.strip() for at, line in split_blocks(head[:]) if at > number)  # without waiting for more
    is_board = boards.is_start(first, next(arrived, ""))
    blocks = itertools.chain(head, blocks)
    if is_board:
        return _known(boards.read(lines(blocks)))
    if rewrite:
        return _known(text_lines.read(layout.rewritten(split_blocks(blocks), rewrite)))
    if read_lines_of := _reader_of_lines(first, suffix):
        return read_lines_of(lines(blocks))
    if _BRACKETS.match(first) or suffix in (".json", ".jsonl", ".ndjson"):
        if suffix in (".jsonl", ".ndjson") or (suffix != ".json" and _RECORD.fullmatch(first)):
            return json_lists.read_records(lines(blocks), column)
        return json_lists.read(split_blocks(blocks), column)
    if column is not None or is_table:
        return csv_table.read(lines(blocks), column)
    if suffix in (".csv", ".tsv") and not text_lines.has_cells(raw.strip(" \r\n")):
        return csv_table.read(lines(blocks))
    return _known(text_lines.read(blocks, headers=suffix == ".sdk"))


def _first_line(pieces: Iterator[Block]) -> Block:
    """Return the first line that is neither blank nor a comment; empty if there is none near the beginning.

    A comment that says the layout is one, too.
    """
    for number, line in itertools.islice(pieces, MAX_HEAD):
        text = line.strip()
        is_comment = text.startswith(("#", "%", "sep=")) and not facts.is_start(text)
        if text and (not is_comment or boards.is_layout(text)):
            return number, line
    return 0, ""


def _reader_of_lines(first: str, suffix: str) -> Callable[[Iterable[Line]], Iterator[Entry | BadLine]] | None:
    """Return the reader of a program's own format that a text begins with; None for the general formats."""
    if suffix == ".dzn":
        return minizinc.read
    return next((module.read for module in (f_puzzles, open_sudoku, facts) if module.is_start(first)), None)


def _remembered(blocks: Iterable[Block], head: list[Block]) -> Iterator[Block]:
    for block in blocks:
        head.append(block)
        yield block


def _known(items: Iterator[Entry | BadLine]) -> Iterator[Entry | BadLine]:
    """Yield the items of lines of text.

    Raises:
        BrokenSource: the first items are all faults; one message says so instead of one for each line.
    """
    first: list[Entry | BadLine] = []
    try:
        for item in items:
            first.append(item)
            if isinstance(item, Entry) or len(first) == MAX_FAULTS:
                break
    except (InputError, BrokenSource):  # the source broke: what was found until then comes first
        yield from first
        raise
    if len(first) == MAX_FAULTS and isinstance(first[-1], BadLine):
        message = f"{MAX_FAULTS} lines without a puzzle; docs/formats.md lists the formats that can be read"
        raise BrokenSource(first[0].line, message)
    yield from first
    yield from items
