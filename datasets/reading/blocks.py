"""Text in blocks of lines, which take a tenth of the time of single lines.

A block is the number of its first line (1 is the first of the source) and its text: whole lines, or a part of a line
that is too long. The last line of a source may have no line feed.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable, Iterator

MAX_LINE = 1 << 16  # characters; the largest board needs 1296

Block = tuple[int, str]
Line = tuple[int, str | None]  # number and text; None: the line has MAX_LINE characters or more


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
