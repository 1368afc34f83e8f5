"""The solving steps of the explainer scale, each taken once where it applies (9×9 only; ``datasets.difficulty.explainer``).

A cell that is filled has no candidates here, and its digit no spots in its units: what is left is what is open. Each
function looks for the first step of its kind, takes it, and says whether there was one. Importing this module imports
numba.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numba import njit

from datasets.difficulty.board import Board, Cells, Masks, lowest, number_of
from datasets.difficulty.singles import common_unit
from datasets.search import ONE, ZERO, _popcount

PAIRS = np.array(list(combinations(range(9), 2)))
TRIPLETS = np.array(list(combinations(range(9), 3)))
LINES, BOXES = (0, 18), (18, 27)  # numbers of units


@njit(cache=True)
def fill(board: Board, cell: int, digit: int) -> None:
    for d in range(9):
        eliminate(board, cell, d)
    for peer in board.peers[cell]:
        eliminate(board, peer, digit)


@njit(cache=True)
def eliminate(board: Board, cell: int, digit: int) -> None:
    board.cand[cell] &= ~(ONE << np.uint64(digit))
    for k in range(3):
        board.spots[board.homes[cell, k], digit] &= ~(ONE << np.uint64(board.homes[cell, 3 + k]))


@njit(cache=True)
def _eliminate_all(board: Board, cell: int, digits: Any) -> None:
    while digits:
        bit = lowest(digits)
        digits ^= bit
        eliminate(board, cell, number_of(bit))


@njit(cache=True)
def _lone(mask: Any) -> bool:
    return bool(mask != ZERO and mask & (mask - ONE) == ZERO)


@njit(cache=True)
def last_cell(board: Board) -> bool:
    """Fill the only open cell of a unit."""
    for unit in range(27):
        count, last = 0, 0
        for cell in board.units[unit]:
            if board.cand[cell]:
                count, last = count + 1, cell
        if count == 1:
            fill(board, last, number_of(board.cand[last]))
            return True
    return False


@njit(cache=True)
def hidden_single(board: Board, among: tuple[int, int]) -> bool:
    """Fill the only place for a digit in one of these units."""
    for unit in range(among[0], among[1]):
        for digit in range(9):
            if _lone(board.spots[unit, digit]):
                fill(board, board.units[unit, number_of(board.spots[unit, digit])], digit)
                return True
    return False


@njit(cache=True)
def naked_single(board: Board) -> bool:
    """Fill a cell with its only candidate."""
    for cell in range(81):
        if _lone(board.cand[cell]):
            fill(board, cell, number_of(board.cand[cell]))
            return True
    return False


@njit(cache=True)
def locked(board: Board, among: tuple[int, int], direct: bool) -> bool:
    """Pointing (among boxes) or claiming (among lines): all places of a digit in one unit lie in a second one as well.

    Eliminate it from the rest of the second, or, if ``direct``, fill the one place that this would leave to the digit
    in a third unit, which is of the kind of the first.
    """
    for unit in range(among[0], among[1]):
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


@njit(cache=True)
def _fill_beside(board: Board, unit: int, other: int, digit: int) -> bool:
    """Fill a cell where, without the cells of ``other``, a unit of the kind of ``unit`` has one place for the digit."""
    first = unit // 9 * 9
    for third in range(first, first + 9):
        places = board.spots[third, digit]
        outside = places & ~_places_within(board, third, other)
        if third != unit and outside != places and _lone(outside):
            fill(board, board.units[third, number_of(outside)], digit)
            return True
    return False


@njit(cache=True)
def _eliminate_beside(board: Board, unit: int, other: int, digit: int) -> bool:
    """Eliminate the digit from the cells of ``other`` outside of ``unit``."""
    outside = board.spots[other, digit] & ~_places_within(board, other, unit)
    for place in range(9):
        if outside & (ONE << np.uint64(place)):
            eliminate(board, board.units[other, place], digit)
    return bool(outside != ZERO)


@njit(cache=True)
def _places_within(board: Board, unit: int, other: int) -> Any:
    """The places of a unit that lie in another one too."""
    mask = ZERO
    for place in range(9):
        if board.homes[board.units[unit, place], other // 9] == other:
            mask |= ONE << np.uint64(place)
    return mask


@njit(cache=True)
def _shared(masks: Masks, members: Cells) -> Any:
    """What these of the masks hold together, if it is as many bits as they are masks, and each has two or more.

    Zero if it is not so, or if none of the other masks has any of these bits.
    """
    union = ZERO
    for member in members:
        if _popcount(masks[member]) < 2:
            return ZERO
        union |= masks[member]
    if _popcount(union) != members.shape[0]:
        return ZERO
    for item in range(9):
        if masks[item] & union and masks[item] & ~union:
            return union
    return ZERO


@njit(cache=True)
def _is_in(item: int, members: Cells) -> bool:
    return bool((members == item).any())


@njit(cache=True)
def direct_set(board: Board, sets: Cells) -> bool:
    """Digits of a unit that have as many places together leave one place for another digit there: fill that one."""
    for unit in range(27):
        for members in sets:
            taken = _shared(board.spots[unit], members)
            if taken == ZERO:
                continue
            for digit in range(9):
                left = board.spots[unit, digit] & ~taken
                if not _is_in(digit, members) and left != board.spots[unit, digit] and _lone(left):
                    fill(board, board.units[unit, number_of(left)], digit)
                    return True
    return False


@njit(cache=True)
def hidden_set(board: Board, sets: Cells) -> bool:
    """Digits of a unit that have as many places together: no other digit goes there."""
    for unit in range(27):
        for members in sets:
            taken = _shared(board.spots[unit], members)
            if taken == ZERO:
                continue
            kept = ZERO
            for digit in members:
                kept |= ONE << np.uint64(digit)
            for place in range(9):
                if taken & (ONE << np.uint64(place)):
                    cell = board.units[unit, place]
                    _eliminate_all(board, cell, board.cand[cell] & ~kept)
            return True
    return False


@njit(cache=True)
def naked_set(board: Board, sets: Cells) -> bool:
    """Cells of a unit that have as many candidates together: these go nowhere else in the unit."""
    for unit in range(27):
        masks = board.cand[board.units[unit]]
        for members in sets:
            taken = _shared(masks, members)
            if taken == ZERO:
                continue
            for place in range(9):
                if not _is_in(place, members):
                    _eliminate_all(board, board.units[unit, place], masks[place] & taken)
            return True
    return False


@njit(cache=True)
def fish(board: Board, sets: Cells) -> bool:
    """Rows whose places for a digit lie in as many columns, or the reverse: it goes nowhere else in these."""
    for base in (0, 9):
        for digit in range(9):
            masks = board.spots[base : base + 9, digit].copy()
            for members in sets:
                taken = _shared(masks, members)
                if taken == ZERO:
                    continue
                for line in range(9):
                    for place in range(9):
                        if not _is_in(line, members) and taken & (ONE << np.uint64(place)):
                            eliminate(board, board.units[base + line, place], digit)
                return True
    return False


@njit(cache=True)
def wing(board: Board, count: int) -> bool:
    """XY-wing (``count`` 2) or XYZ-wing (3): a pivot with that many candidates and two pincers with two each, so that
    one of the three has the digit which the pincers share. It goes nowhere that sees all that may have it."""
    for pivot in range(81):
        if _popcount(board.cand[pivot]) != count:
            continue
        for first in board.peers[pivot]:
            for second in board.peers[pivot]:
                if first < second and _are_pincers(board.cand[pivot], board.cand[first], board.cand[second]):
                    digit = number_of(board.cand[first] & board.cand[second])
                    if _eliminate_seen(board, digit, pivot, first, second):
                        return True
    return False


@njit(cache=True)
def _are_pincers(pivot: Any, first: Any, second: Any) -> bool:
    """Whether two cells with two candidates share one, the others being those of the pivot, which may have it too."""
    common = first & second
    pairs = _popcount(first) == 2 and _popcount(second) == 2 and _popcount(common) == 1
    return bool(pairs and pivot & ~common == first ^ second)


@njit(cache=True)
def _eliminate_seen(board: Board, digit: int, pivot: int, first: int, second: int) -> bool:
    """Eliminate a digit from the cells that see both pincers, and the pivot if it has the digit."""
    bit = ONE << np.uint64(digit)
    found = False
    for cell in board.peers[first]:
        if cell == pivot or board.cand[cell] & bit == ZERO or not _sees(board, cell, second):
            continue
        if board.cand[pivot] & bit == ZERO or _sees(board, cell, pivot):
            eliminate(board, cell, digit)
            found = True
    return found


@njit(cache=True)
def _sees(board: Board, a: int, b: int) -> bool:
    return bool(a != b and (board.homes[a, :3] == board.homes[b, :3]).any())
