"""Bivalue universal graves of types 1 to 4 (from 5.6).

A grave: every open cell has two candidates, and each of them has two places in each unit. It never has one solution,
so that one of the further candidates is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tests.datasets.difficulty.slow_explainer.grid import (
    ALL_DIGITS,
    CELL_UNITS,
    DIGITS,
    UNITS,
    Candidates,
    Grid,
    bits,
    common_peers,
    mask_of,
)
from tests.datasets.difficulty.slow_explainer.step import Step


def graves(grid: Grid) -> Iterator[Step]:
    """All steps by a grave."""
    further = further_candidates(grid)
    if not further:
        return
    cells, digits = mask_of(further), 0
    for extra in further.values():
        digits |= extra
    if len(further) == 1:
        eliminated = {cell: grid.left[cell] & ~extra for cell, extra in further.items()}
        yield Step(56, "grave type 1", None, eliminated)
        return
    if digits.bit_count() == 1:
        yield from _worthy(Step(57, "grave type 2", None, grid.present(common_peers(cells), digits)))
    if len(further) == 2:
        yield from _type_4(grid, further)
    if digits.bit_count() > 1:
        yield from _type_3(grid, further)


def further_candidates(grid: Grid) -> Candidates | None:
    """The candidates without which the grid is a grave; None if there is no such set that units identify."""
    left = list(grid.left)
    further: Candidates = {}
    for unit in UNITS:
        for digit in DIGITS:
            holders = [cell for cell in bits(unit & grid.places[digit]) if left[cell] >> digit & 1]
            if len(holders) in (0, 2):
                continue
            rich = [cell for cell in holders if grid.left[cell].bit_count() > 2]
            if not rich:
                return None
            if len(rich) == 1:
                further[rich[0]] = further.get(rich[0], 0) | 1 << digit
                left[rich[0]] &= ~(1 << digit)
    return further if further and _is_grave(left) else None


def _is_grave(left: list[int]) -> bool:
    if any(digits.bit_count() not in (0, 2) for digits in left):
        return False
    return all(sum(left[cell] >> digit & 1 for cell in bits(unit)) in (0, 2) for unit in UNITS for digit in DIGITS)


def _type_3(grid: Grid, further: Candidates) -> Iterator[Step]:
    """A naked set of the further candidates, as if in one cell, with common peers."""
    cells = list(further)
    extra = 0
    for digits in further.values():
        extra |= digits
    seen = common_peers(mask_of(cells))
    for unit in UNITS:
        rest = [cell for cell in bits(unit & seen) if grid.left[cell]]
        for size in range(extra.bit_count(), len(rest) + 1):
            for chosen in combinations(rest, size - 1):
                digits = grid.digits_in(mask_of(chosen)) | extra
                if digits.bit_count() == size:
                    eliminated = grid.present(mask_of(rest) & ~mask_of(chosen), digits)
                    yield from _worthy(Step(56 + size, "grave type 3", None, eliminated))


def _type_4(grid: Grid, further: Candidates) -> Iterator[Step]:
    """Another digit is locked in the two cells: they hold it and a further candidate."""
    one, other = further
    shared = grid.left[one] & grid.left[other] & ~(further[one] | further[other])
    if shared.bit_count() == 1 and set(CELL_UNITS[one]) & set(CELL_UNITS[other]):
        eliminated = {cell: grid.left[cell] & ALL_DIGITS & ~(extra | shared) for cell, extra in further.items()}
        yield from _worthy(Step(57, "grave type 4", None, eliminated))


def _worthy(step: Step) -> Iterator[Step]:
    if step.eliminated:
        yield step
