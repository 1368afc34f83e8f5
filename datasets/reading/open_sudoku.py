"""OpenSudoku's files: XML whose elements ``<game data="..."/>`` hold 81 digits each, with 0 for empty cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sudoku_bench.datasets.reading.blocks import Line
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid
from sudoku_bench.datasets.reading.symbols import parse_grid
from sudoku_bench.datasets.reading.text_lines import too_long

_START = re.compile(r"(?:<\?xml\b[^>]*>\s*)?<opensudoku\b|<\?xml\b[^>]*>\s*$")
_GAME = re.compile(r"<game\b[^>]*?\bdata\s*=\s*[\"']([^\"']*)[\"']")


def is_start(line: str) -> bool:
    """Return whether a file that begins with this line is XML that may be OpenSudoku's."""
    return _START.match(line) is not None


def read(lines: Iterable[Line]) -> Iterator[Entry | BadLine]:
    """Read the games of a file; text around them is skipped. A file without games is a fault."""
    any_game = False
    for number, line in lines:
        if line is None:
            yield too_long(number)
            continue
        for game in _GAME.finditer(line):
            any_game = True
            yield parse_grid(Grid(game[1], number))
    if not any_game:
        yield BadLine(1, "XML without a game of OpenSudoku; docs/formats.md lists the formats", "no game")
