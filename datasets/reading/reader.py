"""Reading puzzles from files, pipes and texts of many formats. docs/formats.md shows what they may look like.

The format is known by the first line that is neither blank nor a comment, and by the ending of the file's name: a
table has a header, what begins with a bracket is JSON or a list, and all else is lines of text. Files are read
lazily, and memory is bounded whatever they hold.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.reading import nested, sources, table, text
from datasets.reading.cells import SHAPES, SIZES
from datasets.reading.items import BadLine, Broken, Entry, Grid
from datasets.reading.sources import Pieces
from datasets.reading.text import MAX_LINE

__all__ = ["MAX_LINE", "SHAPES", "SIZES", "BadLine", "Entry", "load_file", "parse", "read_file", "read_lines"]

SNIFFED = 1000  # comment lines at the beginning that may precede what tells the format

_BRACKETS = re.compile(r"(?:[A-Za-z_]\w*\s*=\s*)?(?:\{|\[(?![A-Za-z ]+\]\s*$)|\(\s*[\[(\d])")
_RECORD = re.compile(r"\{.*\}\s*,?\s*")


def read_file(path: str | Path) -> Iterator[Entry | BadLine]:
    """Read a file, or standard input for ``-``.

    ``FILE::COLUMN`` names the column (of a table) or the field (of JSON) that holds the puzzles; in a zip archive of
    several files it is ``FILE::MEMBER``, and ``FILE::MEMBER::COLUMN``.

    Yields:
        an ``Entry`` for each puzzle and a ``BadLine`` for each line that should hold one and does not.

    Raises:
        InputError: the file cannot be opened, is not text, is damaged, or its form as a whole cannot be read.
    """
    file, parts = split(str(path))
    with sources.opened(file, parts) as source:
        if len(source.parts) > 1:
            raise InputError(f"{path}: names more than one column; write FILE::COLUMN")
        column = source.parts[0] if source.parts else None
        name = sources.name_of(file)
        try:
            yield from _read(sources.pieces(source.stream, name), Path(source.file_name).suffix.lower(), column)
        except Broken as error:
            raise InputError(f"{name}:{error.line}: {error.what}") from None


def load_file(path: str | Path) -> list[Entry]:
    """All puzzles of a file that must be faultless.

    Raises:
        InputError: as ``read_file``; or a line is bad, or there is no puzzle at all.
    """
    entries = []
    for item in read_file(path):
        if isinstance(item, BadLine):
            raise InputError(f"{split(str(path))[0]}:{item.line}: {item.what}")
        entries.append(item)
    if not entries:
        raise InputError(f"{path}: holds no puzzle; write one per line")
    return entries


def parse(text: str) -> Puzzle:
    """The one puzzle in a text.

    Raises:
        InputError: the text holds no puzzle, a bad line, or more than one puzzle.
    """
    items = list(itertools.islice(read_lines(text.splitlines()), 1000))
    for item in items:
        if isinstance(item, BadLine):
            raise InputError(f"line {item.line}: {item.what}")
    if len(items) != 1 or not isinstance(items[0], Entry):
        raise InputError(f"expected one puzzle, found {len(items)}")
    return items[0].puzzle


def read_lines(lines: Iterable[str]) -> Iterator[Entry | BadLine]:
    """Read the lines of a text as ``read_file`` does those of a file."""
    numbered = ((number, line if line.endswith("\n") else line + "\n") for number, line in enumerate(lines, start=1))
    try:
        yield from _read(numbered)
    except Broken as error:
        yield BadLine(error.line, error.what, "broken document")


def split(path: str) -> tuple[str, tuple[str, ...]]:
    """The file of ``FILE::MEMBER::COLUMN``, and the rest. A file whose own name has ``::`` in it is that file."""
    if "::" not in path or sources.exists(path):
        return path, ()
    file, *parts = path.split("::")
    return file, tuple(parts)


def _read(pieces: Pieces, suffix: str = "", column: str | None = None) -> Iterator[Entry | BadLine]:
    """Find out the format, then read."""
    head, first = [], ""
    for piece in pieces:
        head.append(piece)
        first = piece[1].strip()
        if (first and not first.startswith("#")) or len(head) > SNIFFED:
            break
    is_table = table.is_header(first)
    if is_table and not any(sign in first for sign in table.DELIMITERS):
        following = list(itertools.islice(pieces, 1))  # a column alone and the title of a grid look the same
        is_table = any(isinstance(text.whole(line, number), Grid) for number, line in following)
        head += following
    pieces = itertools.chain(head, pieces)
    if _BRACKETS.match(first) or suffix in (".json", ".jsonl", ".ndjson"):
        if suffix in (".jsonl", ".ndjson") or (suffix != ".json" and _RECORD.fullmatch(first)):
            return nested.read_records(sources.lines(pieces), column)
        return nested.read(pieces, column)
    lines = sources.lines(pieces)
    if column is not None or is_table:
        return table.read(lines, column)
    if suffix in (".csv", ".tsv") and not any(isinstance(item, Entry) for item in text.read([(1, first)])):
        return table.read(lines)
    return text.read(lines, headers=suffix == ".sdk")
