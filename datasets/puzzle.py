"""A puzzle, its board, its one-line text and its printed grid with box borders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from struct import Struct, iter_unpack
from typing import NamedTuple

from sudoku_bench.datasets.layouts import Units
from sudoku_bench.datasets.shape import LARGEST_IN_BYTES, MASK_BYTES, Shape

OUTSIDE = bytes([LARGEST_IN_BYTES + 1])

_set = object.__setattr__


class Board(NamedTuple):
    """What a puzzle asks: a value 1 .. N for each cell.

    Attributes:
        size: N.
        units: sets of cells whose values differ; those of N cells hold each value once.
        peers: for each cell the cells that share a unit with it.
        candidates: for each cell the values that its clue leaves, bit v-1 for the value v: one of them where the clue
            is a value, all where there is none.
    """

    size: int
    units: Units
    peers: Units
    candidates: tuple[int, ...]


@dataclass(frozen=True, init=False)
class Puzzle:
    """A shape and its N·N cells, row by row; 0 is an empty cell, 1 .. N are clues.

    A strategy sees nothing else. Clues may contradict each other; only a solver decides whether a puzzle has a
    solution. ``of_candidates`` makes puzzles whose clues are pencilmarks.

    Attributes:
        cell_bytes: the cells, one byte each, which compiled code and text take without converting them one by one;
            if the shape has pencilmarks, the candidates of each cell, as little-endian integers of 64 bits.

    Raises:
        ValueError: the number of cells is not N·N, a cell is not within 0 .. N, or the shape has pencilmarks.
    """

    shape: Shape
    cell_bytes: bytes

    def __init__(self, shape: Shape, cells: Sequence[int]) -> None:
        if shape.pencilmarks:
            raise ValueError("clues that are pencilmarks are candidates; use Puzzle.of_candidates")
        if len(cells) != shape.n_cells:
            raise ValueError(f"a {shape.name} board has {shape.n_cells} cells, not {len(cells)}")
        cell_bytes = cells if type(cells) is bytes else _as_bytes(cells)
        if cell_bytes.translate(None, shape.cell_values):
            raise ValueError(f"a cell of a {shape.name} board is 0 (empty) or 1 to {shape.size}")
        _set(self, "shape", shape)
        _set(self, "cell_bytes", cell_bytes)
        if type(cells) is tuple:
            _set(self, "cells", cells)

    @classmethod
    def of_candidates(cls, shape: Shape, candidates: Sequence[int]) -> Puzzle:
        """Return the puzzle that leaves each cell these candidates, masks as in ``Board``; none at all is no solution.

        A clue and a cell with one candidate are the same, so without other pencilmarks the puzzle is one with clues.

        Raises:
            ValueError: the number of cells is not N·N, or a candidate is not within 1 .. N.
        """
        full = (1 << shape.size) - 1
        if len(candidates) != shape.n_cells or not all(0 <= mask <= full for mask in candidates):
            raise ValueError(f"a {shape.name} board has {shape.n_cells} cells with candidates 1 to {shape.size}")
        plain = replace(shape, pencilmarks=False)
        if all(mask == full or mask.bit_count() == 1 for mask in candidates):
            return cls(plain, tuple(0 if mask == full else mask.bit_length() for mask in candidates))
        masks = b"".join([mask.to_bytes(MASK_BYTES, "little") for mask in candidates])
        return next(puzzles_of(replace(shape, pencilmarks=True), (masks,)))

    def __hash__(self) -> int:  # forms are looked up by their puzzle before each solve; bytes know their hash
        return hash(self.cell_bytes)

    def __repr__(self) -> str:
        return f"Puzzle({self.shape!r}, {self.cells!r})"

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The cells as integers; among pencilmarks, a cell with one candidate is a clue."""
        if self.shape.pencilmarks:
            return tuple(mask.bit_length() * (mask.bit_count() == 1) for mask in self.board.candidates)
        return tuple(self.cell_bytes)

    @cached_property
    def board(self) -> Board:
        """The rules and the clues, without their names."""
        shape = self.shape
        if shape.pencilmarks:
            steps = range(0, len(self.cell_bytes), MASK_BYTES)
            masks = [int.from_bytes(self.cell_bytes[k : k + MASK_BYTES], "little") for k in steps]
        else:
            masks = [1 << clue - 1 if clue else (1 << shape.size) - 1 for clue in self.cell_bytes]
        return Board(shape.size, shape.units, shape.peers, tuple(masks))

    @property
    def forbidden(self) -> tuple[tuple[int, int], ...]:
        """The cells and values that pencilmarks exclude, without the cells that they decide; empty without any."""
        return self._forbidden if self.shape.pencilmarks else ()

    @cached_property
    def _forbidden(self) -> tuple[tuple[int, int], ...]:
        values = range(self.shape.size)
        undecided = ((cell, mask) for cell, mask in enumerate(self.board.candidates) if mask.bit_count() != 1)
        return tuple((cell, v + 1) for cell, mask in undecided for v in values if not mask >> v & 1)

    @cached_property
    def domains(self) -> tuple[Sequence[int], ...]:
        """For each cell the values that its clue leaves; if a cell has none, 1 for every cell, which no rule allows."""
        values = range(1, self.shape.size + 1)
        if not self.shape.pencilmarks:
            return tuple((clue,) if clue else values for clue in self.cells)
        domains = tuple(tuple(v for v in values if mask >> v - 1 & 1) for mask in self.board.candidates)
        return domains if all(domains) else ((1,),) * len(domains)

    def on(self, shape: Shape) -> Puzzle:
        """Return the same clues on a board of the same size with another layout.

        Raises:
            ValueError: the board has another size.
        """
        if self.shape.pencilmarks:
            return Puzzle.of_candidates(shape, self.board.candidates)
        return Puzzle(replace(shape, pencilmarks=False), self.cell_bytes)

    @property
    def clues(self) -> int:
        """The number of clues; pencilmarks are those candidates that are excluded."""
        if self.shape.pencilmarks:
            return self.shape.size**3 - sum(mask.bit_count() for mask in self.board.candidates)
        return len(self.cell_bytes) - self.cell_bytes.count(0)

    @property
    def text(self) -> str:
        """The puzzle in one line, ``.`` for an empty cell; with pencilmarks, N characters for each cell."""
        if self.shape.pencilmarks:
            symbols, masks = self.shape.symbols, self.board.candidates
            return "".join(symbol if mask >> v & 1 else "." for mask in masks for v, symbol in enumerate(symbols))
        return cells_text(self.shape, self.cell_bytes)

    @property
    def bordered(self) -> str:
        """The puzzle as a printed grid with borders between boxes."""
        return bordered(self.shape, self.cells)

    def clashes(self) -> Iterator[str]:
        """Describe each digit that occurs more than once in a unit; yield nothing if no two clues clash."""
        size, shape = self.shape.size, self.shape
        for kind, units in shape.kinds:
            for number, unit in enumerate(units, start=1):
                counts = Counter(self.cells[cell] for cell in unit if self.cells[cell])
                for digit, count in counts.items():
                    if count > 1:
                        places = [divmod(c, size) for c in unit if self.cells[c] == digit]
                        cells = " and ".join(f"r{r + 1}c{c + 1}" for r, c in places)
                        yield f"{shape.symbols[digit - 1]} occurs {count} times in {kind} {number} ({cells})"


@dataclass(frozen=True)
class Packed:
    """Puzzles of one shape, with their ``cell_bytes`` one after another, and the line of each in its source."""

    shape: Shape
    cells: bytes
    lines: Sequence[int]

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[Puzzle]:
        return puzzles_of(self.shape, self.boards)

    @property
    def boards(self) -> list[bytes]:
        return in_parts(self.cells, len(self))


def in_parts(cells: bytes, number: int) -> list[bytes]:
    """Cut the cells of so many boards."""
    return [board for (board,) in iter_unpack(f"{len(cells) // number}s", cells)] if number else []


def puzzles_of(shape: Shape, boards: Iterable[bytes]) -> Iterator[Puzzle]:
    """Yield the puzzles with such ``cell_bytes``, which have been checked; that takes half the time of checking."""
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
    width, height = (shape.box_cols, shape.box_rows) if shape.has_boxes else (shape.size, shape.size)
    stacks = shape.size // width
    row = "|".join(["%b"] * stacks)
    rule = "+".join(["-" * width] * stacks)
    bands = [f"{row}\n" * height] * (shape.size // height)
    frame = f"{rule}\n".join(bands).removesuffix("\n")
    return Struct(f"{width}s" * (shape.size * stacks)), frame.encode()
