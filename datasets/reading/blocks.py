"""Text in blocks of lines, which take a tenth of the time of single lines.

A block is the number of its first line (1 is the first of the source) and its text: whole lines, or part of a long one.
"""

from __future__ import annotations

import codecs
import io
import itertools
from collections.abc import Iterable, Iterator

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.files import CHUNK, errors_named
from sudoku_bench.datasets.reading.items import BrokenSource

MAX_LINE = 1 << 16  # characters; the largest board needs 1296

MAX_DOCUMENT = 1 << 26  # characters that are parsed as a whole, which takes ten times the memory

Block = tuple[int, str]
Line = tuple[int, str | None]  # number and text; None: the line has MAX_LINE characters or more


def blocks(stream: io.BufferedReader, name: str) -> Iterator[Block]:
    """Yield the text of a stream in blocks, each as soon as it has arrived.

    Raises:
        InputError: the stream is not text, or is damaged. The message gives the line if it is known.
    """
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")("surrogateescape"), translate=True)
    number, rest, is_end = 1, "", False
    while not is_end:
        with errors_named(f"{name}:{number}"):
            data = stream.read1(CHUNK)
        is_end = not data
        text, nul, _ = (rest + decoder.decode(data, final=is_end)).partition("\0")
        end = len(text) if is_end and not nul else text.rfind("\n") + 1
        if end:
            yield number, text[:end]
            number += text.count("\n")
        if nul:
            location = name if number == 1 else f"{name}:{number}"
            raise InputError(f"{location}: is not a text file; save it as text (UTF-8), one puzzle per line")
        rest = text[end:]
        if len(rest) >= MAX_LINE:
            yield number, rest
            rest = ""


def pieces(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield lines with their numbers; a line of ``MAX_LINE`` characters or more may come in several pieces."""
    return itertools.chain.from_iterable(enumerate(io.StringIO(text).readlines(), number) for number, text in blocks)


def lines(blocks: Iterable[Block]) -> Iterator[Line]:
    """Yield whole lines with their numbers; None for a line that is too long."""
    long_line = 0
    for number, piece in pieces(blocks):
        if number == long_line:
            continue
        if len(piece) >= MAX_LINE:
            long_line = number
            yield number, None
        else:
            yield number, piece


def whole(blocks: Iterable[Block]) -> str:
    """Return the text of a document that is parsed as a whole.

    Raises:
        BrokenSource: it is too large.
    """
    text = ""
    for _, block in blocks:
        text += block
        if len(text) > MAX_DOCUMENT:
            raise BrokenSource(1, f"a document of more than {MAX_DOCUMENT >> 20} MiB; write a puzzle per line")
    return text
