"""Steps that place a digit: singles, and what locked candidates or hidden sets leave as a single (1.0 to 2.5)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.datasets.difficulty.slow_explainer.grid import (
    ALL_DIGITS,
    BOXES,
    COLUMNS,
    DIGITS,
    ROWS,
    UNITS,
    Cells,
    Grid,
    bits,
)
from tests.datasets.difficulty.slow_explainer.patterns import hidden_sets, locked
from tests.datasets.difficulty.slow_explainer.step import Step


def hidden_singles(grid: Grid) -> Iterator[Step]:
    """Last cells of a unit, then hidden singles in boxes, columns and rows."""
    open_cells = grid.open_cells()
    for unit in UNITS:
        cells = unit & open_cells
        if cells.bit_count() == 1:
            cell = cells.bit_length() - 1
            yield Step(10, "last cell", (cell, grid.left[cell].bit_length() - 1))
    for rating, units in ((12, BOXES), (15, COLUMNS), (15, ROWS)):
        for unit in units:
            for digit in DIGITS:
                cells = unit & grid.places[digit]
                if cells.bit_count() == 1:
                    yield Step(rating, "hidden single", (cells.bit_length() - 1, digit))


def direct_locked(grid: Grid) -> Iterator[Step]:
    """A hidden single in a unit parallel to that whose candidates are locked, once the others are eliminated."""
    for inner, outer, digit in locked(grid):
        rating = 17 if inner in BOXES else 19
        for unit in next(units for units in (BOXES, ROWS, COLUMNS) if inner in units):
            if unit != inner and unit & outer:
                yield from _single_after(grid, unit, digit, outer & ~inner, Step(rating, "direct locked candidates"))


def direct_hidden_pairs(grid: Grid) -> Iterator[Step]:
    """A hidden single in the unit of a hidden pair."""
    return _direct_hidden_sets(grid, 2, Step(20, "direct hidden pair"))


def direct_hidden_triplets(grid: Grid) -> Iterator[Step]:
    """A hidden single in the unit of a hidden triplet."""
    return _direct_hidden_sets(grid, 3, Step(25, "direct hidden triplet"))


def _direct_hidden_sets(grid: Grid, size: int, like: Step) -> Iterator[Step]:
    for unit, digits, cells in hidden_sets(grid, size):
        for digit in bits(ALL_DIGITS & ~digits):
            yield from _single_after(grid, unit, digit, cells, like)


def _single_after(grid: Grid, unit: Cells, digit: int, gone: Cells, like: Step) -> Iterator[Step]:
    """The hidden single of a unit that loses a digit in some cells."""
    before = unit & grid.places[digit]
    after = before & ~gone
    if after != before and after.bit_count() == 1:
        yield Step(like.rating, like.technique, (after.bit_length() - 1, digit))


def naked_singles(grid: Grid) -> Iterator[Step]:
    """Cells with one candidate."""
    for cell, digits in enumerate(grid.left):
        if digits.bit_count() == 1:
            yield Step(23, "naked single", (cell, digits.bit_length() - 1))
