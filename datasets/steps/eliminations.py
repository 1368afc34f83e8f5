"""Steps that eliminate candidates. Each function returns the first step of its kind, or None."""

from __future__ import annotations

from collections.abc import Iterable

from sudoku_bench.datasets.naming import listed
from sudoku_bench.datasets.steps.board import Board, Candidate, Step, bits
from sudoku_bench.datasets.steps.placements import KINDS, closed_sets, hidden_reason, locked_reason, locked_units

NAKED, HIDDEN = {2: 3.0, 3: 3.6, 4: 5.0}, {2: 3.4, 3: 4.0, 4: 5.4}  # ratings
FISH = {2: (3.2, "X-wing"), 3: (3.8, "swordfish"), 4: (5.2, "jellyfish")}


def locked(board: Board, in_boxes: bool) -> Step | None:
    """Return pointing (boxes) or claiming (lines): what locked candidates exclude from the rest of the other unit."""
    rating, technique = (2.6, "pointing") if in_boxes else (2.8, "claiming")
    for unit, other, digit in locked_units(board, in_boxes):
        inside = set(board.units[unit])
        gone = [
            (cell, digit + 1)
            for cell in board.units[other]
            if cell not in inside and board.candidates[cell] >> digit & 1
        ]
        if gone:
            because = board.cells_at(unit, board.spots[unit][digit])
            reason = f"{locked_reason(board, unit, other, digit)}."
            return Step(rating, technique, None, tuple(gone), because, reason)
    return None


def naked_set(board: Board, count: int) -> Step | None:
    """Return the step by which cells of a unit with few candidates together exclude these from the rest of it."""
    for unit, cells in enumerate(board.units):
        masks = [board.candidates[cell] for cell in cells]
        for members, union in closed_sets(masks, count):
            gone = candidates(board, [(cell, union) for place, cell in enumerate(cells) if place not in members])
            because = tuple(cells[place] for place in members)
            names, digits = listed(map(board.cell_name, because)), listed(map(board.digit_name, bits(union)))
            reason = f"in {board.unit_name(unit)}, {names} together hold {digits}."
            return Step(NAKED[count], f"naked {KINDS[count]}", None, gone, because, reason)
    return None


def hidden_set(board: Board, count: int) -> Step | None:
    """Return the step by which digits of a unit with few places together exclude all others from these."""
    for unit in (*board.lines, *board.boxes):
        for members, union in closed_sets(board.spots[unit], count):
            digits = sum(1 << digit for digit in members)
            because = board.cells_at(unit, union)
            gone = candidates(board, [(cell, ~digits) for cell in because])
            reason = f"{hidden_reason(board, unit, members, union)}."
            return Step(HIDDEN[count], f"hidden {KINDS[count]}", None, gone, because, reason)
    return None


def fish(board: Board, count: int) -> Step | None:
    """Return the step by which the places of a digit in some rows lie in as many columns, or the reverse."""
    for base in (0, board.size):
        for digit in range(board.size):
            masks = [board.spots[base + line][digit] for line in range(board.size)]
            for members, union in closed_sets(masks, count):
                others = [line for line in range(board.size) if line not in members]
                gone = candidates(
                    board, [(cell, 1 << digit) for line in others for cell in board.cells_at(base + line, union)]
                )
                because = tuple(cell for line in members for cell in board.cells_at(base + line, masks[line]))
                lines = listed(board.unit_name(base + line) for line in members)
                across = listed(board.unit_name(board.size - base + place) for place in bits(union))
                reason = f"in {lines}, {board.digit_name(digit)} can only be in {across}."
                return Step(*FISH[count], None, gone, because, reason)
    return None


def wing(board: Board, count: int) -> Step | None:
    """Return an XY-wing (``count`` 2) or XYZ-wing (3): a pivot and two pincers, one of which holds a shared digit."""
    for pivot, mask in enumerate(board.candidates):
        if mask.bit_count() != count:
            continue
        pairs = [peer for peer in sorted(board.peers[pivot]) if board.candidates[peer].bit_count() == 2]
        for first in pairs:
            for second in pairs:
                one, other = board.candidates[first], board.candidates[second]
                common = one & other
                if first >= second or common.bit_count() != 1 or mask & ~common != one ^ other:
                    continue
                step = _wing(board, pivot, first, second, common)
                if step:
                    return step
    return None


def _wing(board: Board, pivot: int, first: int, second: int, common: int) -> Step | None:
    """Return the step by which the cells that see all holders of the common digit lose it; None if none has it."""
    [digit] = bits(common)
    holders = [first, second, *([pivot] if board.candidates[pivot] & common else [])]
    seeing = [
        cell for cell in sorted(board.peers[first]) if cell != pivot and all(board.sees(cell, one) for one in holders)
    ]
    gone = candidates(board, [(cell, common) for cell in seeing])
    if not gone:
        return None
    rating, technique = (4.2, "XY-wing") if len(holders) == 2 else (4.4, "XYZ-wing")
    names = listed((board.cell_name(cell) for cell in holders), "or")
    reason = f"whatever {board.cell_name(pivot)} holds, {names} is {board.digit_name(digit)}."
    return Step(rating, technique, None, gone, (pivot, first, second), reason)


def candidates(board: Board, masks: Iterable[tuple[int, int]]) -> tuple[Candidate, ...]:
    """Return which candidates of cells are in their masks."""
    return tuple((cell, digit + 1) for cell, mask in masks for digit in bits(board.candidates[cell] & mask))
