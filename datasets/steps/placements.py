"""Steps that fill a cell. Each function returns the first step of its kind, or None.

A *direct* step fills the cell that its eliminations would leave as the only place for a digit, and eliminates nothing
itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from sudoku_bench.datasets.naming import listed
from sudoku_bench.datasets.steps.board import Board, Step, bits, is_single

KINDS = {2: "pair", 3: "triplet", 4: "quad"}


def last_cell(board: Board) -> Step | None:
    """Return the step that fills the only open cell of a unit."""
    for unit in (*board.lines, *board.boxes):
        cells = board.units[unit]
        open_cells = [cell for cell in cells if board.candidates[cell]]
        if len(open_cells) == 1:
            cell = open_cells[0]
            reason = f"{board.cell_name(cell)} is the last open cell of {board.unit_name(unit)}."
            return placed(board, 1.0, "last cell", cell, bits(board.candidates[cell])[0], cells, reason)
    return None


def hidden_single(board: Board, in_boxes: bool) -> Step | None:
    """Return the step that fills the only place for a digit in a box, or in a line."""
    rating = 1.2 if in_boxes else 1.5
    for unit in board.boxes if in_boxes else board.lines:
        for digit in range(board.size):
            if is_single(board.spots[unit][digit]):
                [cell] = board.cells_at(unit, board.spots[unit][digit])
                reason = only_place(board, cell, digit, unit) + "."
                kind = board.unit_name(unit).partition(" ")[0] if in_boxes else "line"
                technique = f"hidden single in a {kind}"
                return placed(board, rating, technique, cell, digit, board.units[unit], reason)
    return None


def naked_single(board: Board) -> Step | None:
    """Return the step that fills a cell with its only candidate."""
    for cell, mask in enumerate(board.candidates):
        if is_single(mask):
            [digit] = bits(mask)
            reason = f"{board.digit_name(digit)} is the only candidate of {board.cell_name(cell)}."
            return placed(board, 2.3, "naked single", cell, digit, (cell,), reason)
    return None


def direct_locked(board: Board, in_boxes: bool) -> Step | None:
    """Return the step that fills the place that locked candidates of a box (pointing) or a line (claiming) leave."""
    rating, technique = (1.7, "direct pointing") if in_boxes else (1.9, "direct claiming")
    for unit, other, digit in locked_units(board, in_boxes):
        first = unit // board.size * board.size
        for third in board.boxes if in_boxes else range(first, first + board.size):
            places, crossings = board.spots[third][digit], board.crossings[third]
            outside = places & ~(crossings.get(other, 0) & ~crossings.get(unit, 0))
            if third != unit and outside != places and is_single(outside):
                [cell] = board.cells_at(third, outside)
                reason = f"{locked_reason(board, unit, other, digit)}; {only_place(board, cell, digit, third)}."
                because = board.cells_at(unit, board.spots[unit][digit])
                return placed(board, rating, technique, cell, digit, because, reason)
    return None


def direct_set(board: Board, count: int) -> Step | None:
    """Return the step that fills the only place that a hidden set of a unit leaves for another digit."""
    for unit in (*board.lines, *board.boxes):
        for members, union in closed_sets(board.spots[unit], count):
            for digit in range(board.size):
                places = board.spots[unit][digit]
                if digit not in members and places & union and is_single(places & ~union):
                    [cell] = board.cells_at(unit, places & ~union)
                    because = board.cells_at(unit, union)
                    reason = f"{hidden_reason(board, unit, members, union)}; {only_place(board, cell, digit, unit)}."
                    rating, technique = 2.0 if count == 2 else 2.5, f"direct hidden {KINDS[count]}"
                    return placed(board, rating, technique, cell, digit, because, reason)
    return None


def placed(
    board: Board, rating: float, technique: str, cell: int, digit: int, because: Iterable[int], reason: str
) -> Step:
    """Return a step that fills a cell with a digit, numbered from 0."""
    return Step(rating, technique, (cell, digit + 1), (), tuple(because), reason)


def locked_units(board: Board, in_boxes: bool) -> Iterator[tuple[int, int, int]]:
    """Yield a unit, another unit and a digit, where all places for the digit in the first are also in the second."""
    for unit in board.boxes if in_boxes else board.lines:
        crossings = board.crossings[unit].items()
        others = [(other, ~shared) for other, shared in crossings if in_boxes or other >= len(board.lines)]
        for digit, places in enumerate(board.spots[unit]):
            for other, outside in others if places else ():
                if not places & outside:
                    yield unit, other, digit


def closed_sets(masks: list[int], count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield sets of ``count`` items whose masks have ``count`` bits together, and these bits.

    Each item has two bits or more, and some item outside the set has one of them too.
    """
    able = [item for item, mask in enumerate(masks) if 2 <= mask.bit_count() <= count]
    for members in combinations(able, count):
        union = 0
        for item in members:
            union |= masks[item]
        if union.bit_count() == count and any(mask & union and mask & ~union for mask in masks):
            yield members, union


def only_place(board: Board, cell: int, digit: int, unit: int) -> str:
    """Say that a cell is the only place for a digit in a unit."""
    return f"{board.cell_name(cell)} is the only place for {board.digit_name(digit)} in {board.unit_name(unit)}"


def locked_reason(board: Board, unit: int, other: int, digit: int) -> str:
    """Say that the places for a digit in a unit are all in another unit."""
    value = board.digit_name(digit)
    return f"in {board.unit_name(unit)}, all places for {value} are in {board.unit_name(other)}"


def hidden_reason(board: Board, unit: int, digits: Iterable[int], places: int) -> str:
    """Say that some digits have only these places in a unit."""
    cells = listed(board.cell_name(cell) for cell in board.cells_at(unit, places))
    return f"in {board.unit_name(unit)}, {listed(map(board.digit_name, digits))} can only be in {cells}"
