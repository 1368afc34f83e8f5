"""Read puzzles from files, pipes and texts of many formats; docs/formats.md describes them.

The first bytes show whether a file is binary; if not, its first line that is neither blank nor a comment and the ending
of its name determine the format. Memory is bounded for any content; all but workbooks and documents is read lazily.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sudoku_bench.datasets import files
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Packed, Puzzle
from sudoku_bench.datasets.reading import blocks as text_blocks
from sudoku_bench.datasets.reading import boards, f_puzzles, foreign, json_documents, tables, text_lines
from sudoku_bench.datasets.reading.blocks import Block, lines
from sudoku_bench.datasets.reading.blocks import pieces as split_blocks
from sudoku_bench.datasets.reading.cells import split as cells_in
from sudoku_bench.datasets.reading.complete import COMPLETE, without_solutions
from sudoku_bench.datasets.reading.items import BadLine, BrokenSource, Entry, Grid, unpacked

__all__ = ["COMPLETE", "BadLine", "Entry", "load_file", "parse", "read_file", "read_lines", "read_packed", "unpacked"]

MAX_HEAD = 1000  # comment lines that may precede the line that determines the format
MAX_FAULTS, FEW_FAULTS = 20, 4  # a text that begins with so many faults, or has more alone, is of another format
MAX_SAMPLE = 1 << 14  # characters by which the kind of a text is recognised

_BRACKETS = re.compile(r"\{|\[(?!(?=[^\]]*[A-Za-z])[\w ]+\]\s*$)")
_COUNT = re.compile(r"\d{1,7}|(\d{1,2})[ x×,;\t]+\1")  # or a size: 3x3
_SIZE = re.compile(r"(\d{1,2})[ x×,;\t]+(\d{1,2})")


def read_file(path: str | Path) -> Iterator[Entry | BadLine]:
    """Read a file like ``read_packed``, one item for each puzzle."""
    return unpacked(read_packed(path))


def read_packed(path: str | Path) -> Iterator[Entry | BadLine | Packed]:
    """Read a file, or standard input for ``-``.

    ``FILE::COLUMN`` names the column (of a table) or the field (of JSON) that contains the puzzles. For a zip archive
    of several files, use ``FILE::MEMBER`` or ``FILE::MEMBER::COLUMN``.

    Yields:
        an ``Entry`` for each puzzle (``Packed`` for plain ones that arrive together) and a ``BadLine`` for each line
        that should contain a puzzle but does not, and for each complete grid (of kind ``COMPLETE``) that is not the
        solution of a puzzle near it.

    Raises:
        InputError: the file cannot be opened, is not text or is damaged, or its syntax is broken as a whole.
    """
    file, parts = split(str(path))
    with files.opened(file, parts) as source:
        if len(source.parts) > 1:
            raise InputError(f"{path}: names more than one column; write FILE::COLUMN")
        path_of_puzzle = source.parts[0] if source.parts else None
        name = files.display_name(file)
        try:
            yield from without_solutions(_of_kind(source, name, path_of_puzzle))
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
    items = list(itertools.islice(read_lines(["\n".join(text.splitlines())]), 1000))  # as one block
    if len(items) > 1:
        items = list(unpacked(without_solutions(items)))
    for item in items:
        if isinstance(item, BadLine):
            raise InputError(f"line {item.line}: {item.message}")
    if len(items) != 1 or not isinstance(items[0], Entry):
        raise InputError(f"expected one puzzle, found {len(items)}")
    return items[0].puzzle


def read_lines(lines: Iterable[str]) -> Iterator[Entry | BadLine]:
    """Read the lines of a text in the same way as ``read_file`` reads those of a file."""
    try:
        yield from unpacked(_read((number, line.removesuffix("\n") + "\n") for number, line in enumerate(lines, 1)))
    except BrokenSource as error:
        yield BadLine(error.line, error.message, "broken document")


def split(path: str) -> tuple[str, tuple[str, ...]]:
    """Split ``FILE::MEMBER::COLUMN`` into the file and the rest. An existing file may have ``::`` in its name."""
    if "::" not in path or files.exists(path):
        return path, ()
    file, *parts = path.split("::")
    return file, tuple(parts)


def _of_kind(source: files.Source, name: str, path: str | None) -> Iterator[Entry | BadLine | Packed]:
    """Read a binary file, or text."""
    head = source.stream.peek(len(tables.PARQUET))
    if head.startswith(tables.PARQUET):
        with files.seekable(source.stream, name) as file:
            yield from tables.read_parquet(file, name, path)
    elif source.is_workbook:
        with files.seekable(source.stream, name) as file:
            for sheet in tables.sheets(file, name):
                yield from _read([(1, sheet)], ".tsv", path)
    else:
        yield from _read(text_blocks.blocks(source.stream, name), Path(source.file_name).suffix.lower(), path)


def _read(blocks: Iterable[Block], suffix: str = "", path: str | None = None) -> Iterator[Entry | BadLine | Packed]:
    """Determine the format by the first lines, then read."""
    blocks = iter(blocks)
    head: list[Block] = []
    pieces = split_blocks(_remembered(blocks, head))
    number, raw = _first_line(pieces)
    first = raw.strip()
    if boards.is_layout(first):
        return boards.with_layout(unpacked(_read(_without(number, head, blocks), suffix, path)), first, number)
    is_table = path is not None or _is_table(raw.strip(" \r\n"), pieces, suffix)
    arrived = [line.strip() for at, line in split_blocks(head[:]) if at > number]  # without waiting for more
    everything = itertools.chain(head, blocks)
    for source in (boards, f_puzzles):
        if source.is_start(first, arrived[0] if arrived else ""):
            return _known(source.read(lines(everything)))
    second = next(filter(None, arrived), "")
    in_lines = suffix in (".jsonl", ".ndjson")
    in_lines |= bool(second or first[:1] == "{") and json_documents.is_complete(first)
    if in_lines or suffix == ".json" or _BRACKETS.match(first):
        return json_documents.read_lines(lines(everything), path) if in_lines else json_documents.read(everything, path)
    if is_table:
        return tables.read_csv(lines(everything), path)
    sample = "".join(text for _, text in head)[:MAX_SAMPLE]
    if foreign.OPEN_SUDOKU.match(sample):
        return foreign.read_open_sudoku(everything)
    if kind := foreign.kind_of(sample):
        raise BrokenSource(number, f"seems to be {kind}; {files.ADVICE}")
    if second and (size := _SIZE.fullmatch(first)) and size[1] != size[2]:
        raise BrokenSource(number, f"two numbers before the first puzzle ({first}), maybe a box size; remove the line")
    if len(second) not in (0, len(first)) and _COUNT.fullmatch(first):
        return _known(text_lines.read(_without(number, head, blocks)))
    return _known(text_lines.read(everything, headers=suffix == ".sdk"))


def _is_table(first: str, rest: Iterator[Block], suffix: str) -> bool:
    """Return whether a text that begins with this line is a table: the line names columns."""
    if tables.is_header(first) and not any(sign in first for sign in tables.DELIMITERS):
        second = tables.plain(next(rest, (0, ""))[1])  # a table of one column and a grid with a title begin alike
        return isinstance(text_lines.single_grid(second, 1), Grid) or text_lines.is_rounded(second)
    is_text = cells_in(first) is not None or text_lines.puzzle(first, 1) is not None
    return tables.is_header(first) or (suffix in (".csv", ".tsv") and not is_text)


def _without(number: int, head: list[Block], blocks: Iterator[Block]) -> Iterator[Block]:
    """Return blocks without one of the first lines."""
    rest = [(at, text) for at, text in split_blocks(head[:]) if at != number]
    return itertools.chain(rest, blocks)


def _first_line(pieces: Iterator[Block]) -> Block:
    """Return the first line that is neither blank nor a comment, or says the layout; empty if none is near."""
    for number, line in itertools.islice(pieces, MAX_HEAD):
        text = line.strip()
        is_comment = text.startswith(text_lines.COMMENT) or (text[:2] == "<?" and text[-2:] == "?>")
        if text and (not is_comment or boards.is_layout(text)):
            return number, line
    return 0, ""


def _remembered(blocks: Iterable[Block], head: list[Block]) -> Iterator[Block]:
    for block in blocks:
        head.append(block)
        yield block


def _known(items: Iterator[Entry | BadLine | Packed]) -> Iterator[Entry | BadLine | Packed]:
    """Yield the items of lines of text.

    Raises:
        BrokenSource: the first items, or all of several, are faults; one message says so instead of one for each line.
    """
    first: list[Entry | BadLine | Packed] = []
    try:
        for item in items:
            first.append(item)
            if not isinstance(item, BadLine) or len(first) == MAX_FAULTS:
                break
    except (InputError, BrokenSource):  # the source broke: what was found until then comes first
        yield from first
        raise
    if len(first) > FEW_FAULTS and isinstance(fault := first[0], BadLine) and isinstance(first[-1], BadLine):
        message = f"{fault.message} (no puzzle in {len(first)} lines; docs/formats.md lists what is read)"
        raise BrokenSource(fault.line, message)
    yield from first
    yield from items
