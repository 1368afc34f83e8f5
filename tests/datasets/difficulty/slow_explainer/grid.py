"""Units and peers of the 9x9 board, and a grid of candidates.

Cells are 0 to 80, digits 0 to 8. A set of cells or of digits is an integer with one bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

Cells = int
Digits = int
Candidates = dict[int, Digits]

ALL_DIGITS: Digits = 0b111_111_111
DIGITS = range(9)


def bits(mask: int) -> Iterator[int]:
    """Yield the members of a set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(members: Iterable[int]) -> int:
    """The set of these members."""
    return reduce(or_, (1 << member for member in members), 0)


_BOXES = [[27 * (b // 3) + 3 * (b % 3) + 9 * (i // 3) + i % 3 for i in range(9)] for b in range(9)]
_ROWS = [[9 * row + column for column in range(9)] for row in range(9)]
_COLUMNS = [[9 * row + column for row in range(9)] for column in range(9)]

BOXES: list[Cells] = [mask_of(unit) for unit in _BOXES]
ROWS: list[Cells] = [mask_of(unit) for unit in _ROWS]
COLUMNS: list[Cells] = [mask_of(unit) for unit in _COLUMNS]
UNITS: list[Cells] = BOXES + ROWS + COLUMNS
CELL_UNITS: list[list[Cells]] = [[unit for unit in UNITS if unit >> cell & 1] for cell in range(81)]
PEERS: list[Cells] = [reduce(or_, CELL_UNITS[cell]) & ~(1 << cell) for cell in range(81)]


class Grid:
    """The candidates of the empty cells; filled cells have none.

    Attributes:
        left: the candidates of each cell.
        places: for each digit, the cells that have it as a candidate.
    """

    def __init__(self, clues: Sequence[int]) -> None:
        self.left: list[Digits] = [ALL_DIGITS] * 81
        self.places: list[Cells] = [(1 << 81) - 1] * 9
        for cell, clue in enumerate(clues):
            if clue:
                self.fill(cell, clue - 1)

    def fill(self, cell: int, digit: int) -> None:
        """Place a digit and eliminate it from the peers."""
        self.eliminate({cell: self.left[cell]})
        self.eliminate(dict.fromkeys(bits(PEERS[cell] & self.places[digit]), 1 << digit))

    def eliminate(self, candidates: Candidates) -> None:
        """Eliminate candidates."""
        for cell, digits in candidates.items():
            for digit in bits(self.left[cell] & digits):
                self.left[cell] ^= 1 << digit
                self.places[digit] ^= 1 << cell

    def open_cells(self) -> Cells:
        """The cells that are not filled."""
        return mask_of(cell for cell, digits in enumerate(self.left) if digits)

    def present(self, cells: Cells, digits: Digits) -> Candidates:
        """Those of these digits that are candidates of these cells."""
        return {cell: self.left[cell] & digits for cell in bits(cells) if self.left[cell] & digits}

    def digits_in(self, cells: Cells) -> Digits:
        """The digits that are candidates of any of these cells."""
        return reduce(or_, (self.left[cell] for cell in bits(cells)), 0)


def common_peers(cells: Cells) -> Cells:
    """The cells that are peers of all of these."""
    seen = (1 << 81) - 1
    for cell in bits(cells):
        seen &= PEERS[cell]
    return seen
