"""Facts of clingo and Prolog: ``given(1,3,5).``, the row, the column and the digit of a clue, in any order of facts.

A predicate is a puzzle. Rows and columns count from 1, or from 0 if one of them is 0. Comments (``%``) are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sudoku_bench.datasets.reading.blocks import Line
from sudoku_bench.datasets.reading.items import BadLine, Entry, Grid, printable_line
from sudoku_bench.datasets.reading.symbols import SIZES, parse_grid
from sudoku_bench.datasets.reading.text_lines import too_long

_FACT = re.compile(r"\b([a-z]\w*)\(\(?\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)?,\s*(\d{1,2})\s*\)")


def is_start(line: str) -> bool:
    """Return whether a text that begins with this line holds facts."""
    return line.startswith("#const") or _FACT.match(line) is not None


def read(lines: Iterable[Line]) -> Iterator[Entry | BadLine]:
    """Read the puzzle of each predicate; the rest of a program is skipped."""
    predicates: dict[str, tuple[int, dict[tuple[int, int], int]]] = {}
    for number, line in lines:
        if line is None:
            yield too_long(number)
            continue
        for name, *numbers in _FACT.findall(line.partition("%")[0]):
            row, column, digit = map(int, numbers)
            clues = predicates.setdefault(name, (number, {}))[1]
            if clues.setdefault((row, column), digit) != digit:
                yield BadLine(
                    number, f"a second digit in row {row}, column {column}; remove one", "two digits in a cell"
                )
    for name, (number, clues) in predicates.items():
        yield _entry(name, number, clues)
    if not predicates:
        yield BadLine(1, "no facts such as given(1,3,5), which are row, column and digit", "no fact")


def _entry(name: str, line: int, clues: dict[tuple[int, int], int]) -> Entry | BadLine:
    first = min(1, *(min(place) for place in clues))
    largest = max(*(max(place) + 1 - first for place in clues), *clues.values())
    size = next((size for size in SIZES if size >= max(largest, 9 if largest > 4 and largest != 6 else 0)), 0)
    if not size:
        return BadLine(
            line, f"{name}: no board has {largest} rows; it has {', '.join(map(str, SIZES))}", "wrong length"
        )
    places = [divmod(place, size) for place in range(size * size)]
    cells = [str(clues.get((row + first, column + first), ".")) for row, column in places]
    return parse_grid(Grid(cells, line), (), printable_line(name))
