"""MiniZinc data (``.dzn``): arrays such as ``puzzle = [| 5, 3, 0 | ... |];`` or ``array2d(1..9, 1..9, [...])``.

Empty cells are ``0`` or ``_``. Assignments without an array, such as ``n = 3;``, are skipped; so are comments (``%``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sudoku_bench.datasets.reading.blocks import Line
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid, joined, printable_line
from sudoku_bench.datasets.reading.symbols import SHAPES, parse_grid
from sudoku_bench.datasets.reading.text_lines import too_long

_TOKEN = re.compile(r"(?P<name>[A-Za-z]\w*)\s*=|(?P<bracket>[\[\]])|(?P<cell>\w+|\.)(?!\.\.)|\S")
MAX_CELLS = max(SHAPES)


def read(lines: Iterable[Line]) -> Iterator[Entry | BadLine]:
    """Read the arrays of a file; an array that is no board is a fault."""
    cells: list[str] | None = None  # of the array that is open
    name, begin = "", 0
    for number, line in lines:
        if line is None:
            yield too_long(number)
            continue
        for token in _TOKEN.finditer(line.partition("%")[0]):
            if token["name"]:
                name = token["name"]
            elif token[0] == "[":
                cells, begin = [], number
            elif token[0] == "]" and cells is not None:
                yield parse_grid(Grid(joined(cells), begin), (), printable_line(name))
                cells = None
            elif token["cell"] and cells is not None and len(cells) <= MAX_CELLS:
                cells.append(token["cell"])
    if cells is not None:
        yield BadLine(begin, "an array without its closing bracket; add ]", "array that is cut off")
