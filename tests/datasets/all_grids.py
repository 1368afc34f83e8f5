"""All grids of 4×4 boards under any layout, by plain enumeration: no code of the package takes part."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations, product

Units = Sequence[Sequence[int]]

BOXES = [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]
DIAGONALS = [[0, 5, 10, 15], [3, 6, 9, 12]]
GROUPS = [[0, 2, 8, 10], [1, 3, 9, 11], [4, 6, 12, 14], [5, 7, 13, 15]]
REGIONS = "aaabacbbccbdcddd"
# Units in addition to rows and columns, by layout.
FURTHER: dict[str, Units] = {
    "": BOXES,
    "latin": [],
    "x": [*BOXES, *DIAGONALS],
    "latin+x": DIAGONALS,
    "windoku": [*BOXES, [5, 6, 9, 10]],
    "disjoint": [*BOXES, *GROUPS],
    f"jigsaw={REGIONS}": [[cell for cell in range(16) if REGIONS[cell] == letter] for letter in "abcd"],
    "latin+unit=0,5,10": [[0, 5, 10]],
    "unit=1,6,11+unit=3,12": [*BOXES, [1, 6, 11], [3, 12]],
}


@cache
def latin_squares() -> tuple[tuple[int, ...], ...]:
    rows = list(permutations(range(1, 5)))
    grids = (a + b + c + d for a, b, c, d in product(rows, repeat=4))
    return tuple(grid for grid in grids if all(len({*grid[column::4]}) == 4 for column in range(4)))


def grids(further: Units) -> list[tuple[int, ...]]:
    """The grids of 4×4 boards with further units, besides rows and columns."""
    return [grid for grid in latin_squares() if all(len({grid[c] for c in unit}) == len(unit) for unit in further)]
