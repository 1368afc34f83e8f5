"""Unique rectangles and loops of types 1 to 4 (from 4.5).

A loop alternates between two digits; if all its cells had only these two, the puzzle would have a second solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tests.datasets.difficulty.slow_explainer.grid import (
    ALL_DIGITS,
    CELL_UNITS,
    Candidates,
    Cells,
    Digits,
    Grid,
    bits,
    common_peers,
    mask_of,
)
from tests.datasets.difficulty.slow_explainer.step import Step

MAX_EXTRA = 2  # cells with further candidates, unless these all have the same one
MAX_SET = 7  # digits of a naked or hidden set of type 3


@dataclass
class Loop:
    """A closed path.

    Attributes:
        pair: the two digits.
        extra: the cells with further candidates.
        others: these further candidates.
    """

    cells: list[int]
    pair: Digits
    extra: list[int]
    others: Digits

    @property
    def rating(self) -> int:
        """The rating of a loop with this many cells, in tenths."""
        return 45 + len(self.cells) // 2 - 2

    def step(self, number: int, eliminated: Candidates, *, added: int = 0) -> Iterator[Step]:
        """Yield the step of a type if it eliminates anything."""
        if eliminated:
            yield Step(self.rating + added, f"unique loop type {number}", None, eliminated, (number,))


def unique_loops(grid: Grid) -> Iterator[Step]:
    """All steps by unique loops."""
    for start, pair in enumerate(grid.left):
        if pair.bit_count() == 2:
            for cells in _paths(grid, [start], pair, MAX_EXTRA, 0, 0):
                if _alternates(cells):
                    extra = [cell for cell in cells if grid.left[cell] != pair]
                    others = grid.digits_in(mask_of(extra)) & ~pair
                    yield from _steps(grid, Loop(cells, pair, extra, others))


def _paths(grid: Grid, path: list[int], pair: Digits, allowed: int, others: Digits, last: Cells) -> Iterator[list[int]]:
    """Extend a path along units, never twice along one of the same kind, until it is back at its start."""
    for kind, unit in enumerate(CELL_UNITS[path[-1]]):
        if kind + 1 == last:
            continue
        for cell in bits(unit & grid.places[(pair & -pair).bit_length() - 1] & grid.places[pair.bit_length() - 1]):
            if cell == path[0] and len(path) >= 4:
                yield list(path)
            elif cell not in path:
                others |= grid.left[cell] & ~pair
                is_extra = grid.left[cell] != pair
                if not is_extra or others.bit_count() == 1 or allowed > 0:
                    yield from _paths(grid, [*path, cell], pair, allowed - is_extra, others, kind + 1)


def _alternates(cells: list[int]) -> bool:
    """Whether each unit of the loop holds one of its even and one of its odd cells."""
    even = [unit for cell in cells[::2] for unit in CELL_UNITS[cell]]
    odd = [unit for cell in cells[1::2] for unit in CELL_UNITS[cell]]
    return len(set(even)) == len(even) and len(set(odd)) == len(odd) and set(even) == set(odd)


def _steps(grid: Grid, loop: Loop) -> Iterator[Step]:
    extra = mask_of(loop.extra)
    if len(loop.extra) == 1:
        yield from loop.step(1, grid.present(extra, loop.pair))
    if len(loop.extra) >= 2 and loop.others.bit_count() == 1:
        yield from loop.step(2, grid.present(common_peers(extra), loop.others))
    if len(loop.extra) == 2:
        for unit in CELL_UNITS[loop.extra[0]]:
            if unit & extra == extra:
                yield from _type_3(grid, loop, unit)
                yield from _type_4(grid, loop, unit)


def _type_3(grid: Grid, loop: Loop, unit: Cells) -> Iterator[Step]:
    """The two cells count as one that has their further candidates: a naked or a hidden set with other cells.

    A naked set is rated by its digits, a hidden set by its other cells, one fewer. Neither has more digits than half
    the open cells of the unit, nor fewer than there are further candidates.
    """
    rest = [cell for cell in bits(unit & ~mask_of(loop.extra)) if grid.left[cell]]
    fewest = loop.others.bit_count()
    if fewest < 2:
        return
    for size in range(fewest, min((len(rest) + 2) // 2, MAX_SET) + 1):
        for cells in combinations(rest, size - 1):
            digits = _naked_digits(grid, loop, cells)
            if digits.bit_count() == size:
                yield from loop.step(3, grid.present(mask_of(rest) & ~mask_of(cells), digits), added=size - 1)
    for size in range(fewest, min((len(rest) + 1) // 2, MAX_SET) + 1):
        for cells in combinations(rest, size - 1):
            elsewhere = grid.digits_in(mask_of(rest) & ~mask_of(cells)) | loop.others
            digits = grid.digits_in(mask_of(rest)) & ~elsewhere | loop.pair
            if digits.bit_count() == size and not loop.pair & elsewhere:
                yield from loop.step(3, grid.present(mask_of(cells), ALL_DIGITS & ~digits), added=size - 2)


def _naked_digits(grid: Grid, loop: Loop, cells: Sequence[int]) -> Digits:
    """The digits of a naked set; 0 if a further candidate of one of the two cells only is in no other cell of it."""
    one, other = loop.extra
    inside = grid.digits_in(mask_of(cells)) | grid.left[one] & grid.left[other] & loop.others
    return 0 if loop.others & ~inside else inside


def _type_4(grid: Grid, loop: Loop, unit: Cells) -> Iterator[Step]:
    """One of the two digits has no other place in the unit of the two cells: the other digit is not in them."""
    extra = mask_of(loop.extra)
    for digit in bits(loop.pair):
        if unit & grid.places[digit] == extra:
            yield from loop.step(4, grid.present(extra, loop.pair & ~(1 << digit)))
