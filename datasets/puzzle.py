"""A puzzle, its one-line text and its printed grid with box borders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from struct import Struct

from datasets.shape import LARGEST_IN_BYTES, Shape

OUTSIDE = bytes([LARGEST_IN_BYTES + 1])

_set = object.__setattr__


@dataclass(frozen=True, init=False)
class Puzzle:
    """A shape and its N·N cells, row by row; 0 is an empty cell, 1 .. N are clues.

    A strategy sees nothing else. Clues may contradict each other; only a solver decides whether a puzzle has a
    solution.

    Attributes:
        cell_bytes: the cells, one byte each, which compiled code and text take without converting them one by one.

    Raises:
        ValueError: the number of cells is not N·N, or a cell is not within 0 .. N.
    """

    shape: Shape
    cell_bytes: bytes

    def __init__(self, shape: Shape, cells: Sequence[int]) -> None:
        if len(cells) != shape.n_cells:
            raise ValueError(f"a {shape.name} board has {shape.n_cells} cells, not {len(cells)}")
        cell_bytes = cells if type(cells) is bytes else _as_bytes(cells)
        if cell_bytes.translate(None, shape.cell_values):
            raise ValueError(f"a cell of a {shape.name} board is 0 (empty) or 1 to {shape.size}")
        _set(self, "shape", shape)
        _set(self, "cell_bytes", cell_bytes)
        if type(cells) is tuple:
            _set(self, "cells", cells)

    def __hash__(self) -> int:  # forms are looked up by their puzzle before each solve; bytes know their hash
        return hash(self.cell_bytes)

    def __repr__(self) -> str:
        return f"Puzzle({self.shape!r}, {self.cells!r})"

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The cells as integers."""
        return tuple(self.cell_bytes)

    @property
    def clues(self) -> int:
        """The number of clues."""
        return len(self.cell_bytes) - self.cell_bytes.count(0)

    @property
    def text(self) -> str:
        """The puzzle in one line, ``.`` for an empty cell."""
        return cells_text(self.shape, self.cell_bytes)

    @property
    def bordered(self) -> str:
        """The puzzle as a printed grid with borders between boxes."""
        return bordered(self.shape, self.cells)

    def clashes(self) -> Iterator[str]:
        """Describe each digit that occurs more than once in a unit; yield nothing if no two clues clash."""
        size, shape = self.shape.size, self.shape
        for kind, units in (("row", shape.rows), ("column", shape.columns), ("box", shape.boxes)):
            for number, unit in enumerate(units, start=1):
                counts = Counter(self.cells[cell] for cell in unit if self.cells[cell])
                for digit, count in counts.items():
                    if count > 1:
                        places = [divmod(c, size) for c in unit if self.cells[c] == digit]
                        cells = " and ".join(f"r{r + 1}c{c + 1}" for r, c in places)
                        yield f"{shape.symbols[digit - 1]} occurs {count} times in {kind} {number} ({cells})"


def puzzles_of(shape: Shape, boards: Iterable[bytes]) -> Iterator[Puzzle]:
    """Yield the puzzles of boards whose cells have been checked, which takes half the time of checking each."""
    for cell_bytes in boards:
        puzzle = Puzzle.__new__(Puzzle)
        _set(puzzle, "shape", shape)
        _set(puzzle, "cell_bytes", cell_bytes)
        yield puzzle


def _as_bytes(cells: Sequence[int]) -> bytes:
    try:
        return bytes(cells)
    except ValueError:  # a cell is not within 0 .. 255
        return OUTSIDE


def cells_text(shape: Shape, cells: Iterable[int]) -> str:
    """Format cells as one character each, ``.`` for 0."""
    return bytes(cells).translate(shape.text_table).decode("ascii")


def bordered(shape: Shape, cells: Sequence[int]) -> str:
    """Format cells as N lines with ``|`` between boxes and a line of ``---+---+---`` between bands."""
    parts, frame = _frame(shape)
    return (frame % parts.unpack(bytes(cells).translate(shape.text_table))).decode("ascii")


@cache
def _frame(shape: Shape) -> tuple[Struct, bytes]:
    """Return how to cut a grid into the rows of its boxes, and the printed grid with a ``%b`` for each of these."""
    width, height = shape.box_cols, shape.box_rows
    row = "|".join(["%b"] * height)
    rule = "+".join(["-" * width] * height)
    bands = [f"{row}\n" * height] * width
    frame = f"{rule}\n".join(bands).removesuffix("\n")
    return Struct(f"{width}s" * (shape.size * height)), frame.encode()
