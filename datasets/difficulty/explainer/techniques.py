"""The easier solving steps of the explainer scale: singles, locked candidates, sets, fish and wings (up to 5.4).

Here a filled cell has no candidates, and its digit has no spots in its units. Each function finds the first step of its
kind, applies it, and returns whether there was one. Importing this module imports numba.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from sudoku_bench.datasets.bits import ONE, ZERO, bit_index, lowest_bit, popcount
from sudoku_bench.datasets.difficulty.board import Board, Cells, Masks
from sudoku_bench.datasets.difficulty.singles import common_unit
from sudoku_bench.datasets.kernels import njit

PAIRS, TRIPLETS, QUADS = (  # all sets of so many of nine items, as masks
    np.array([sum(1 << item for item in items) for items in combinations(range(9), size)]) for size in (2, 3, 4)
)
LINES, BOXES = (0, 18), (18, 27)  # numbers of units


@njit()
def fill(board: Board, cell: int, digit: int) -> None:
    """Fill a cell with a digit and eliminate the digit from its peers."""
    for d in range(9):
        eliminate(board, cell, d)
    for peer in board.peers[cell]:
        eliminate(board, peer, digit)


@njit()
def eliminate(board: Board, cell: int, digit: int) -> None:
    """Eliminate a candidate."""
    board.cand[cell] &= ~(ONE << np.uint64(digit))
    for k in range(3):
        board.spots[board.homes[cell, k], digit] &= ~(ONE << np.uint64(board.homes[cell, 3 + k]))


@njit()
def _eliminate_all(board: Board, cell: int, digits: Any) -> None:
    while digits:
        bit = lowest_bit(digits)
        digits ^= bit
        eliminate(board, cell, bit_index(bit))


@njit()
def _is_single_bit(mask: Any) -> bool:
    return bool(mask != ZERO and mask & (mask - ONE) == ZERO)


@njit()
def last_cell(board: Board) -> bool:
    """Fill the only open cell of a unit."""
    for unit in range(27):
        count, last = 0, 0
        for cell in board.units[unit]:
            if board.cand[cell]:
                count, last = count + 1, cell
        if count == 1:
            fill(board, last, bit_index(board.cand[last]))
            return True
    return False


@njit()
def hidden_single(board: Board, unit_range: tuple[int, int]) -> bool:
    """Fill the only place for a digit in one of these units."""
    for unit in range(unit_range[0], unit_range[1]):
        for digit in range(9):
            if _is_single_bit(board.spots[unit, digit]):
                fill(board, board.units[unit, bit_index(board.spots[unit, digit])], digit)
                return True
    return False


@njit()
def naked_single(board: Board) -> bool:
    """Fill a cell with its only candidate."""
    for cell in range(81):
        if _is_single_bit(board.cand[cell]):
            fill(board, cell, bit_index(board.cand[cell]))
            return True
    return False


@njit()
def locked(board: Board, unit_range: tuple[int, int], direct: bool) -> bool:
    """Pointing (boxes) or claiming (lines): all places of a digit in one unit are also in a second unit.

    Eliminate the digit from the rest of the second unit. If ``direct``, instead fill the only place that this would
    leave for the digit in a third unit of the same kind as the first.
    """
    for unit in range(unit_range[0], unit_range[1]):
        for digit in range(9):
            for kind in range(3):
                if (unit < 18) != (kind == 2):
                    continue
                other = common_unit(board, unit, board.spots[unit, digit], kind)
                if other < 0:
                    continue
                if direct and _fill_beside(board, unit, other, digit):
                    return True
                if not direct and _eliminate_beside(board, unit, other, digit):
                    return True
    return False


@njit()
def _fill_beside(board: Board, unit: int, other: int, digit: int) -> bool:
    """Fill a cell if, without the cells of ``other``, some unit of the kind of ``unit`` has one place for the digit."""
    first = unit // 9 * 9
    for third in range(first, first + 9):
        places = board.spots[third, digit]
        outside = places & ~_common_places(board, third, other)
        if third != unit and outside != places and _is_single_bit(outside):
            fill(board, board.units[third, bit_index(outside)], digit)
            return True
    return False


@njit()
def _eliminate_beside(board: Board, unit: int, other: int, digit: int) -> bool:
    """Eliminate the digit from the cells of ``other`` outside ``unit``."""
    outside = board.spots[other, digit] & ~_common_places(board, other, unit)
    for place in range(9):
        if outside & (ONE << np.uint64(place)):
            eliminate(board, board.units[other, place], digit)
    return bool(outside != ZERO)


@njit()
def _common_places(board: Board, unit: int, other: int) -> Any:
    """Return the places of a unit that are also in another unit."""
    mask = ZERO
    for place in range(9):
        if board.homes[board.units[unit, place], other // 9] == other:
            mask |= ONE << np.uint64(place)
    return mask


@njit()
def _fitting(masks: Masks, size: int) -> int:
    """Return the items, as a mask, that sets of a size may hold: those with 2 to ``size`` bits; 0 if too few."""
    fitting = 0
    for item in range(9):
        if 2 <= popcount(masks[item]) <= size:
            fitting |= 1 << item
    return fitting if popcount(fitting) >= size else 0


@njit()
def _closed_set(masks: Masks, members: int, size: int) -> Any:
    """Return the union of the member masks if it has as many bits as there are members; else zero.

    The result is also zero if no mask outside the set contains any of these bits, because the step would then eliminate
    nothing.
    """
    union = ZERO
    for item in range(9):
        if members >> item & 1:
            union |= masks[item]
    if popcount(union) != size:
        return ZERO
    for item in range(9):
        if masks[item] & union and masks[item] & ~union:
            return union
    return ZERO


@njit()
def direct_set(board: Board, sets: Cells) -> bool:
    """Fill the only place that a direct hidden set (k digits with k places in a unit) leaves for another digit."""
    size = popcount(sets[0])
    for unit in range(27):
        fitting = _fitting(board.spots[unit], size)
        for members in sets if fitting else sets[:0]:
            union = _closed_set(board.spots[unit], members, size) if members & ~fitting == 0 else ZERO
            if union == ZERO:
                continue
            for digit in range(9):
                left = board.spots[unit, digit] & ~union
                if not members >> digit & 1 and left != board.spots[unit, digit] and _is_single_bit(left):
                    fill(board, board.units[unit, bit_index(left)], digit)
                    return True
    return False


@njit()
def _first_set(masks: Masks, sets: Cells) -> tuple[int, Any]:
    """Return the first closed set (see ``_closed_set``) and its union; zeros if there is none."""
    size = popcount(sets[0])
    fitting = _fitting(masks, size)
    for members in sets if fitting else sets[:0]:
        if members & ~fitting == 0:
            union = _closed_set(masks, members, size)
            if union:
                return members, union
    return 0, ZERO


@njit()
def hidden_set(board: Board, sets: Cells) -> bool:
    """Hidden set: k digits of a unit have k places together; eliminate all other digits from these places."""
    for unit in range(27):
        members, union = _first_set(board.spots[unit], sets)
        if members:
            for place in range(9):
                if union & (ONE << np.uint64(place)):
                    cell = board.units[unit, place]
                    _eliminate_all(board, cell, board.cand[cell] & ~np.uint64(members))
            return True
    return False


@njit()
def naked_set(board: Board, sets: Cells) -> bool:
    """Naked set: k cells of a unit have k candidates together; eliminate these from the rest of the unit."""
    masks = np.empty(9, dtype=np.uint64)
    for unit in range(27):
        for place in range(9):
            masks[place] = board.cand[board.units[unit, place]]
        members, union = _first_set(masks, sets)
        if members:
            for place in range(9):
                if not members >> place & 1:
                    _eliminate_all(board, board.units[unit, place], masks[place] & union)
            return True
    return False


@njit()
def fish(board: Board, sets: Cells) -> bool:
    """Fish: the places of a digit in k rows are in k columns, or vice versa; eliminate it from the rest of these."""
    masks = np.empty(9, dtype=np.uint64)
    for base in (0, 9):
        for digit in range(9):
            for line in range(9):
                masks[line] = board.spots[base + line, digit]
            members, union = _first_set(masks, sets)
            if not members:
                continue
            for line in range(9):
                for place in range(9):
                    if not members >> line & 1 and union & (ONE << np.uint64(place)):
                        eliminate(board, board.units[base + line, place], digit)
            return True
    return False


@njit()
def wing(board: Board, count: int) -> bool:
    """XY-wing (``count`` 2) or XYZ-wing (``count`` 3): a pivot with ``count`` candidates and two pincers with two each.

    One of these cells must contain the digit that the pincers share. Eliminate it from the cells that see all of them
    in which it is a candidate.
    """
    for pivot in range(81):
        if popcount(board.cand[pivot]) != count:
            continue
        for first in board.peers[pivot]:
            if popcount(board.cand[first]) != 2:
                continue
            for second in board.peers[pivot]:
                if first < second and _are_wing(board.cand[pivot], board.cand[first], board.cand[second]):
                    digit = bit_index(board.cand[first] & board.cand[second])
                    if _eliminate_seen(board, digit, pivot, first, second):
                        return True
    return False


@njit()
def _are_wing(pivot: Any, first: Any, second: Any) -> bool:
    """Return whether two cells are pincers: they have two candidates each and share one, and the pivot has the others.

    The pivot may also have the shared candidate, and no further ones.
    """
    common = first & second
    pairs = popcount(first) == 2 and popcount(second) == 2 and popcount(common) == 1
    return bool(pairs and pivot & ~common == first ^ second)


@njit()
def _eliminate_seen(board: Board, digit: int, pivot: int, first: int, second: int) -> bool:
    """Eliminate a digit from the cells that see both pincers, and also the pivot if the digit is a candidate of it."""
    bit = ONE << np.uint64(digit)
    eliminated = False
    for cell in board.peers[first]:
        if cell == pivot or board.cand[cell] & bit == ZERO or not _sees(board, cell, second):
            continue
        if board.cand[pivot] & bit == ZERO or _sees(board, cell, pivot):
            eliminate(board, cell, digit)
            eliminated = True
    return eliminated


@njit()
def _sees(board: Board, a: int, b: int) -> bool:
    """Return whether two different cells share a unit."""
    return bool(a != b and (board.homes[a, :3] == board.homes[b, :3]).any())
