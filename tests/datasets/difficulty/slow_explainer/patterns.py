"""Locked candidates, naked and hidden sets, fish and wings (2.6 to 5.4)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from operator import or_

from tests.datasets.difficulty.slow_explainer.grid import (
    ALL_DIGITS,
    BOXES,
    COLUMNS,
    DIGITS,
    PEERS,
    ROWS,
    UNITS,
    Candidates,
    Cells,
    Digits,
    Grid,
    bits,
    mask_of,
)
from tests.datasets.difficulty.slow_explainer.step import Step

SET_NAMES = {2: "pair", 3: "triplet", 4: "quad"}
FISH_NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


def _steps(rating: int, technique: str, eliminations: Iterator[Candidates]) -> Iterator[Step]:
    return (Step(rating, technique, None, eliminated) for eliminated in eliminations if eliminated)


def locked(grid: Grid) -> Iterator[tuple[Cells, Cells, int]]:
    """A unit whose places of a digit all lie in another unit, that unit, and the digit; boxes first."""
    for inners, outers in ((BOXES, COLUMNS), (BOXES, ROWS), (COLUMNS, BOXES), (ROWS, BOXES)):
        for inner in inners:
            for outer in outers:
                if inner & outer:
                    for digit in DIGITS:
                        cells = inner & grid.places[digit]
                        if cells.bit_count() > 1 and not cells & ~outer:
                            yield inner, outer, digit


def locked_candidates(grid: Grid) -> Iterator[Step]:
    """Pointing and claiming."""
    for inner, outer, digit in locked(grid):
        eliminated = grid.present(outer & ~inner, 1 << digit)
        if eliminated:
            name, rating = ("pointing", 26) if inner in BOXES else ("claiming", 28)
            yield Step(rating, name, None, eliminated)


def hidden_sets(grid: Grid, size: int) -> Iterator[tuple[Cells, Digits, Cells]]:
    """A unit, some digits, and as many cells, the only places of these digits in the unit."""
    for unit in UNITS:
        places = {digit: unit & grid.places[digit] for digit in DIGITS}
        chosen = [digit for digit in DIGITS if 1 < places[digit].bit_count() <= size]
        for digits in combinations(chosen, size):
            cells = reduce(or_, (places[digit] for digit in digits))
            if cells.bit_count() == size:
                yield unit, mask_of(digits), cells


def hidden(grid: Grid, size: int, rating: int) -> Iterator[Step]:
    """Other digits in the cells of a hidden set."""
    found = (grid.present(cells, ALL_DIGITS & ~digits) for _, digits, cells in hidden_sets(grid, size))
    return _steps(rating, f"hidden {SET_NAMES[size]}", found)


def naked(grid: Grid, size: int, rating: int) -> Iterator[Step]:
    """Digits of a naked set in the other cells of its unit."""
    return _steps(rating, f"naked {SET_NAMES[size]}", _naked_eliminations(grid, size))


def _naked_eliminations(grid: Grid, size: int) -> Iterator[Candidates]:
    for unit in UNITS:
        chosen = [cell for cell in bits(unit) if 1 < grid.left[cell].bit_count() <= size]
        for cells in combinations(chosen, size):
            digits = grid.digits_in(mask_of(cells))
            if digits.bit_count() == size:
                yield grid.present(unit & ~mask_of(cells), digits)


def fish(grid: Grid, size: int, rating: int) -> Iterator[Step]:
    """X-wing, swordfish, jellyfish: lines whose places of a digit lie in as many lines across."""
    return _steps(rating, FISH_NAMES[size], _fish_eliminations(grid, size))


def _fish_eliminations(grid: Grid, size: int) -> Iterator[Candidates]:
    for lines, across in ((COLUMNS, ROWS), (ROWS, COLUMNS)):
        for digit in DIGITS:
            base = [cells for line in lines if 1 < (cells := line & grid.places[digit]).bit_count() <= size]
            for chosen in combinations(base, size):
                inside = reduce(or_, chosen)
                cover = [line for line in across if line & inside]
                if len(cover) == size:
                    yield grid.present(reduce(or_, cover) & ~inside, 1 << digit)


def xy_wings(grid: Grid) -> Iterator[Step]:
    """A pivot with two candidates and a pincer for each of them."""
    return _steps(42, "XY-wing", _wing_eliminations(grid, 2))


def xyz_wings(grid: Grid) -> Iterator[Step]:
    """The same, and the pivot has the digit of the pincers too."""
    return _steps(44, "XYZ-wing", _wing_eliminations(grid, 3))


def _wing_eliminations(grid: Grid, size: int) -> Iterator[Candidates]:
    for pivot, digits in enumerate(grid.left):
        if digits.bit_count() != size:
            continue
        pincers = [cell for cell in bits(PEERS[pivot]) if grid.left[cell].bit_count() == 2]
        for one, other in combinations(pincers, 2):
            shared = grid.left[one] & grid.left[other]
            ends = grid.left[one] ^ grid.left[other]
            if shared.bit_count() == 1 and digits == (ends if size == 2 else ends | shared):
                seen = PEERS[one] & PEERS[other] & ~(1 << pivot)
                yield grid.present(seen if size == 2 else seen & PEERS[pivot], shared)
