"""Shapes of Sudoku boards: size, boxes, layout, units and peers.

A *unit* is a set of cells whose values differ: a row, a column, a box, or what the layout adds (``datasets/layouts``).
Cells that share a unit are *peers*. Cells are numbered 0 .. N*N-1, row by row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from sudoku_bench.datasets.layouts import Units, canonical, further_units, regions_of, without_boxes

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@"
ALL_SYMBOLS = f"{SYMBOLS}abcdefghijklmnopqrstuvwxyz"  # the last are only written: boards so large are read as numbers
EMPTY = ".0*_"
LARGEST_IN_BYTES = 254  # rows; the byte 255 is no value of a cell
MASK_BYTES = 8  # of the candidates of a cell
LARGEST_WITH_PENCILMARKS = 62  # rows; the candidates of a cell are a mask in a signed integer of 64 bits


@dataclass(frozen=True, order=True)
class Shape:
    """A board of N×N cells whose boxes have ``box_rows`` rows and ``box_cols`` columns (N = box_rows · box_cols).

    ``Shape(3, 3)`` is the usual board (order 3), ``Shape(2, 3)`` the 6×6 board with boxes of 2 rows and 3 columns.

    Attributes:
        layout: which other units there are, such as ``x`` or ``latin`` (``datasets/layouts``); empty for an ordinary
            board. If it has no boxes, they are taken for 1×N.
        pencilmarks: whether the clues of a puzzle are candidates of each cell, in place of values.

    Raises:
        ValueError: a box side is less than 1, the board has fewer than 2 rows, or the layout is none of such a board.
    """

    box_rows: int
    box_cols: int
    layout: str = ""
    pencilmarks: bool = False

    def __post_init__(self) -> None:
        if min(self.box_rows, self.box_cols) < 1 or self.size < 2:
            raise ValueError(f"a board cannot have boxes of {self.box_rows}×{self.box_cols} cells")
        if self.pencilmarks and self.size > LARGEST_WITH_PENCILMARKS:
            raise ValueError(f"boards with pencilmarks have at most {LARGEST_WITH_PENCILMARKS} rows")
        if self.layout:
            object.__setattr__(self, "layout", canonical(self.layout, self.box_rows, self.box_cols))
            if not self.has_boxes:
                object.__setattr__(self, "box_cols", self.size)
                object.__setattr__(self, "box_rows", 1)

    def __hash__(self) -> int:  # shapes are looked up around each solve, and boxes tell most of them apart
        return hash((self.box_rows, self.box_cols))

    @classmethod
    def of_size(cls, size: int, layout: str = "") -> Shape:
        """Return the usual shape of an N×N board: boxes as square as possible, wider than high (6: 2×3, 12: 3×4)."""
        rows = next((r for r in range(math.isqrt(size), 0, -1) if size % r == 0), 1)
        return cls(rows, size // rows, layout)

    @cached_property
    def arguments(self) -> tuple[int | str | bool, ...]:
        """What makes an equal shape, without the defaults at its end; messages carry it."""
        sides = self.box_rows, self.box_cols
        return sides if self.is_ordinary else (*sides, self.layout, self.pencilmarks)

    @cached_property
    def code(self) -> str:
        """The shape as text, the same for equal shapes only: ``3x3`` for the usual board."""
        words = f"{self.box_rows}x{self.box_cols}", self.layout, "pencilmarks" * self.pencilmarks
        return " ".join(filter(None, words))

    @classmethod
    def of_code(cls, code: str) -> Shape:
        """Return the shape that has a code."""
        sides, *words = code.split(" ")
        rows, columns = map(int, sides.split("x"))
        return cls(rows, columns, "".join(word for word in words if word != "pencilmarks"), "pencilmarks" in words)

    @property
    def is_ordinary(self) -> bool:
        """Whether rows, columns and boxes are the units, and clues are values."""
        return not (self.layout or self.pencilmarks)

    @property
    def has_boxes(self) -> bool:
        """Whether the boxes are units, and not regions or nothing in their place."""
        return not without_boxes(self.layout)

    @cached_property
    def size(self) -> int:
        """N, the number of rows, columns, boxes and digits."""
        return self.box_rows * self.box_cols

    @cached_property
    def n_cells(self) -> int:
        return self.size**2

    @property
    def n_bytes(self) -> int:
        """The length of ``Puzzle.cell_bytes``."""
        return self.n_cells * (MASK_BYTES if self.pencilmarks else 1)

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
        """Size as text, such as ``9x9``; with the boxes if they are unusual: ``6x6 (3x2 boxes)``.

        Then the layout and ``pencilmarks``; in place of the cells of regions and of single units, digits of a checksum,
        so that different maps have different names: ``9x9 jigsaw+x 3f2a91``.
        """
        unusual = self.has_boxes and Shape(self.box_rows, self.box_cols) != Shape.of_size(self.size)
        boxes = f"({self.box_rows}x{self.box_cols} boxes)" * unusual
        layout = "+".join(dict.fromkeys(word.partition("=")[0] for word in self.layout.split("+")))
        cells = f"{crc32(self.layout.encode()):08x}"[:6] * ("=" in self.layout)
        words = f"{self.size}x{self.size}", boxes, layout, cells, "pencilmarks" * self.pencilmarks
        return " ".join(filter(None, words))

    @property
    def symbols(self) -> str:
        """The N characters for the digits 1 .. N: 1-9, A-Z, @, then a-z.

        Raises:
            ValueError: the board is larger than 62×62, so it has more digits than there are characters.
        """
        if self.size > len(ALL_SYMBOLS):
            raise ValueError(
                f"a {self.name} board has more digits than the {len(ALL_SYMBOLS)} characters 1-9, A-Z, @ and a-z"
            )
        return ALL_SYMBOLS[: self.size]

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
    def rows(self) -> Units:
        n = self.size
        return tuple(tuple(range(r * n, r * n + n)) for r in range(n))

    @cached_property
    def columns(self) -> Units:
        n = self.size
        return tuple(tuple(range(c, n * n, n)) for c in range(n))

    @cached_property
    def boxes(self) -> Units:
        """The boxes, or the regions that a layout has in their place (``latin``: none)."""
        if not self.has_boxes:
            return regions_of(self.layout)
        n = self.size
        boxes: list[list[int]] = [[] for _ in range(n)]
        for cell in range(n * n):
            boxes[self.box_of(*divmod(cell, n))].append(cell)
        return tuple(map(tuple, boxes))

    @cached_property
    def kinds(self) -> tuple[tuple[str, Units], ...]:
        """The units by kind, each kind with the name of one of its units."""
        ordinary = ("row", self.rows), ("column", self.columns), ("box" if self.has_boxes else "region", self.boxes)
        return *ordinary, *further_units(self.layout, self.boxes, self.box_rows, self.box_cols)

    @cached_property
    def borders(self) -> tuple[tuple[int, int, bool], ...]:
        """The borders of boxes or regions, a cell long: above row r, column c if ``(r, c, True)``, else at its left."""
        n = self.size
        owner = {cell: number for number, box in enumerate(self.boxes) for cell in box}
        return tuple(
            (*divmod(cell, n), across)
            for cell in range(n * n)
            for before, across in ((cell - n, True), (cell - 1 if cell % n else -1, False))
            if before >= 0 and owner.get(before) != owner.get(cell)
        )

    @cached_property
    def marked(self) -> tuple[int, ...]:
        """The cells of the units that a layout adds to rows, columns and boxes, each once."""
        return tuple(sorted({cell for _, units in self.kinds[3:] for unit in units for cell in unit}))

    @cached_property
    def units(self) -> Units:
        """All units (3N on ordinary boards): rows, then columns, then boxes or regions, then further ones."""
        return tuple(unit for _, units in self.kinds for unit in units)

    @cached_property
    def full_units(self) -> Units:
        """The units of N cells, which hold each value once; a smaller unit holds none twice."""
        return tuple(unit for unit in self.units if len(unit) == self.size)

    @cached_property
    def small_units(self) -> Units:
        """The units of fewer than N cells."""
        return tuple(unit for unit in self.units if len(unit) < self.size)

    @cached_property
    def homes(self) -> Units:
        """For each cell the places of its units in ``units``: on ordinary boards its row, column and box."""
        homes: list[list[int]] = [[] for _ in range(self.n_cells)]
        for number, unit in enumerate(self.units):
            for cell in unit:
                homes[cell].append(number)
        return tuple(map(tuple, homes))

    @cached_property
    def peers(self) -> Units:
        """For each cell, the cells that share a unit with it (20 on the usual board), in ascending order."""
        neighbours: list[set[int]] = [set() for _ in range(self.n_cells)]
        for unit in self.units:
            for cell in unit:
                neighbours[cell].update(unit)
        return tuple(tuple(sorted(cells - {cell})) for cell, cells in enumerate(neighbours))


def size_of_text(text: str) -> int:
    """Return the number of rows of the board of a puzzle's text; rounded down if it is the text of none."""
    size: int = round(len(text) ** (1 / 3))
    # Pencilmarks leave about a value for each cell; so many clues of a larger board would clash in this pattern.
    is_cube = size**3 == len(text) and size <= len(ALL_SYMBOLS) and len(text) - text.count(".") >= size**2
    if is_cube and all(sign in (".", ALL_SYMBOLS[place % size]) for place, sign in enumerate(text)):
        return size  # pencilmarks
    return math.isqrt(len(text))
