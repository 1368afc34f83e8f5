"""Puzzles on boards with other rules or with pencilmarks, jigsaws and quasigroups (docs/formats.md has examples)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sudoku_bench.datasets.layouts import JIGSAW, LATIN, LETTERS
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.blocks import Line
from sudoku_bench.datasets.reading.items import BadLine, BrokenSource, Entry, Grid, printable_line
from sudoku_bench.datasets.reading.symbols import SHAPES, SIZES, parse_grid
from sudoku_bench.datasets.reading.text_lines import too_long
from sudoku_bench.datasets.shape import ALL_SYMBOLS, Shape

_LAYOUT = re.compile(r"#\s*layout\s*[:=]\s*(\S+)\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;]+")
_ORDER = re.compile(r"order\s+(\d{1,3})", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d{1,3}")
_CUBES = {size**3: Shape.of_size(size) for size in SIZES}
LARGEST_ORDER = len(ALL_SYMBOLS)
END = "\0"  # of a source, or in place of a line that is too long


def is_layout(line: str) -> bool:
    """Return whether a comment says the layout of a source."""
    return _LAYOUT.fullmatch(line) is not None


def with_layout(items: Iterable[Entry | BadLine], line: str, number: int) -> Iterator[Entry | BadLine]:
    """Give the puzzles of a source the layout that its line says.

    Raises:
        BrokenSource: there is no such layout, or not on such a board.
    """
    shapes, layout = dict[Shape, Shape](), _LAYOUT.sub(r"\1", line)
    for item in items:
        if isinstance(item, Entry):
            shape = item.puzzle.shape
            if shape not in shapes:
                try:
                    shapes[shape] = replace(shape, layout=layout)
                except ValueError as error:
                    raise BrokenSource(number, str(error)) from None
            yield item._replace(puzzle=item.puzzle.on(shapes[shape]))
        else:
            yield item


def is_start(first: str, second: str) -> bool:
    """Return whether a source that begins with these lines holds such puzzles."""
    return bool(_ORDER.fullmatch(first) or _pencilmarks(first, 1) or _jigsaw(first, "", 1) or _jigsaw(first, second, 1))


def read(lines: Iterable[Line]) -> Iterator[Entry | BadLine]:
    """Read puzzles of these formats, in any order; blank lines and comments (``#``) are skipped."""
    rows, held = iter(lines), list[tuple[int, str]]()  # clues whose regions may follow
    for number, line in itertools.chain(rows, [(0, END)]):
        text = END if line is None else line.strip()
        if not text or text.startswith("#"):
            continue
        if held:
            at, clues = held.pop()
            if entry := _jigsaw(clues, text, at):
                yield entry
                continue
            yield BadLine(at, f"{len(clues)} clues without a line of regions; add it below")
        if line is None:
            yield too_long(number)
        elif order := _ORDER.fullmatch(text):
            yield _quasigroup(int(order[1]), number, rows)
        elif entry := _pencilmarks(text, number) or _jigsaw(text, "", number):
            yield entry
        elif len(text) in SHAPES:
            held.append((number, text))
        elif text != END:
            what = "no pencilmarks (N characters a cell), clues with regions, or `order N`"
            yield BadLine(number, f"{what}; docs/formats.md has examples")


def _pencilmarks(text: str, line: int) -> Entry | None:
    word, _, rest = text.partition(" ")
    shape = _CUBES.get(len(word))
    if shape is None:
        return None
    size = shape.size
    if any(sign not in (".", "0", shape.symbols[place % size]) for place, sign in enumerate(word.upper())):
        return None
    marks = [[sign not in ".0" for sign in word[start : start + size]] for start in range(0, len(word), size)]
    masks = [sum(1 << value for value, is_left in enumerate(cell) if is_left) for cell in marks]
    return Entry(Puzzle.of_candidates(shape, masks), line, printable_line(rest.lstrip("# ")))


def _jigsaw(first: str, second: str, line: int) -> Entry | BadLine | None:
    """Return the puzzle of clues and regions; None if the regions are none."""
    if second:
        clues, regions = first, second
    elif len(first) % 2 == 0 and len(first) // 2 in SHAPES:
        clues, regions = first[: len(first) // 2], first[len(first) // 2 :]
    elif len(words := _BETWEEN.split(first)) == 2:
        clues, regions = words
    else:
        return None
    if len(clues) not in SHAPES or len(regions) != len(clues) or not set(regions) <= set(LETTERS):
        return None
    size = SHAPES[len(clues)].size
    item = parse_grid(Grid(clues, line))
    if isinstance(item, BadLine):
        return item
    try:
        return item._replace(puzzle=item.puzzle.on(Shape.of_size(size, JIGSAW + regions)))
    except ValueError as error:
        return BadLine(line, str(error), "not a jigsaw")


def _quasigroup(size: int, number: int, rows: Iterator[Line]) -> Entry | BadLine:
    if not 2 <= size <= LARGEST_ORDER:
        return BadLine(number, f"order {size}: orders from 2 to {LARGEST_ORDER} can be read", "order out of range")
    values: list[int] = []
    for line, text in rows:
        words = (text or "").split()
        if not all(map(_NUMBER.fullmatch, words)):
            return BadLine(line, f"a row of order {size} holds numbers from -1 (a hole) to {size - 1}")
        values += map(int, words)
        if len(values) >= size**2:
            break
    if len(values) != size**2 or not -1 <= min(values) <= max(values) < size:
        message = f"order {size} is followed by {size} rows of {size} numbers from -1 (a hole) to {size - 1}"
        return BadLine(number, message, "not a quasigroup")
    return Entry(Puzzle(Shape.of_size(size, LATIN), [value + 1 for value in values]), number)
