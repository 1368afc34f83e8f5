"""Shapes of Sudoku boards: size, boxes, units and peers.

A *unit* is a row, a column or a box. Cells that share a unit are *peers*. Cells are numbered 0 .. N*N-1, row by row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@"
EMPTY = ".0*_"
LARGEST_IN_BYTES = 254  # rows; the byte 255 is no value of a cell


@dataclass(frozen=True, order=True)
class Shape:
    """A board of N×N cells whose boxes have ``box_rows`` rows and ``box_cols`` columns (N = box_rows · box_cols).

    ``Shape(3, 3)`` is the usual board (order 3), ``Shape(2, 3)`` the 6×6 board with boxes of 2 rows and 3 columns.

    Raises:
        ValueError: a box side is less than 1, or the board has fewer than 2 rows.
    """

    box_rows: int
    box_cols: int

    def __post_init__(self) -> None:
        if min(self.box_rows, self.box_cols) < 1 or self.size < 2:
            raise ValueError(f"a board cannot have boxes of {self.box_rows}×{self.box_cols} cells")

    @classmethod
    def of_size(cls, size: int) -> Shape:
        """Return the usual shape of an N×N board: boxes as square as possible, wider than high (6: 2×3, 12: 3×4)."""
        rows = next((r for r in range(math.isqrt(size), 0, -1) if size % r == 0), 1)
        return cls(rows, size // rows)

    @cached_property
    def size(self) -> int:
        """N, the number of rows, columns, boxes and digits."""
        return self.box_rows * self.box_cols

    @cached_property
    def n_cells(self) -> int:
        return self.size**2

    @cached_property
    def cell_values(self) -> bytes:
        """The values of a cell, 0 .. N, a byte each.

        Raises:
            ValueError: they do not fit into bytes.
        """
        if self.size > LARGEST_IN_BYTES:
            raise ValueError(f"a {self.name} board is too large; the largest has {LARGEST_IN_BYTES} rows")
        return bytes(range(self.size + 1))

    @cached_property
    def name(self) -> str:
        """Size as text, such as ``9x9``; with the boxes if they are unusual: ``6x6 (3x2 boxes)``."""
        plain = f"{self.size}x{self.size}"
        return plain if self == Shape.of_size(self.size) else f"{plain} ({self.box_rows}x{self.box_cols} boxes)"

    @property
    def symbols(self) -> str:
        """The N characters for the digits 1 .. N: 1-9, then A-Z and @.

        Raises:
            ValueError: the board is larger than 36×36, so it has more digits than there are characters.
        """
        if self.size > len(SYMBOLS):
            raise ValueError(f"a {self.name} board has more digits than the {len(SYMBOLS)} characters 1-9, A-Z and @")
        return SYMBOLS[: self.size]

    @cached_property
    def text_table(self) -> bytes:
        """The character of each value of a cell, ``.`` for 0, as ``bytes.translate`` takes it; ``?`` for other values.

        Raises:
            ValueError: as ``symbols``.
        """
        return ("." + self.symbols).encode().ljust(256, b"?")

    def box_of(self, row: int, col: int) -> int:
        """Return the number of the box (0 .. N-1, row by row) that contains the cell."""
        return row // self.box_rows * self.box_rows + col // self.box_cols

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        n = self.size
        return tuple(tuple(range(r * n, r * n + n)) for r in range(n))

    @cached_property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        n = self.size
        return tuple(tuple(range(c, n * n, n)) for c in range(n))

    @cached_property
    def boxes(self) -> tuple[tuple[int, ...], ...]:
        n = self.size
        boxes: list[list[int]] = [[] for _ in range(n)]
        for cell in range(n * n):
            boxes[self.box_of(*divmod(cell, n))].append(cell)
        return tuple(map(tuple, boxes))

    @property
    def units(self) -> tuple[tuple[int, ...], ...]:
        """The 3N units of N cells each: rows, then columns, then boxes."""
        return self.rows + self.columns + self.boxes

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the cells that share a unit with it (20 at 9×9), in ascending order."""
        neighbours: list[set[int]] = [set() for _ in range(self.n_cells)]
        for unit in self.units:
            for cell in unit:
                neighbours[cell].update(unit)
        return tuple(tuple(sorted(cells - {cell})) for cell, cells in enumerate(neighbours))
