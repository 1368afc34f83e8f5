"""The kernel of ``bitboard:bands``: it searches 9×9 boards that ``bitboard_rounds`` propagates.

This kernel is separate from ``datasets.making.bands``: that one places naked and hidden singles only, and its guesses
and random numbers define the embedded collections, so the stronger propagation of this kernel would change them.

When a round finds nothing more, the search branches; both sides of a branch are propagated together, because a single
round mostly waits for its own results. The search branches on a cell with two candidates that touch many others, and
whose digits have failed often in its band (an idea from dom/wdeg: Boussemart and others 2004). But while nothing fails
on a board that probably has many solutions, any cell with two candidates will do, and the second side of a branch is
propagated only if the search returns to it; if such a search becomes long, it begins again without that. Where three
digits are confined to two cells that have further candidates, no branch on a cell comes near the contradiction. Without
a cell of two candidates, and at every other branch of a long search, it therefore branches on a digit with two places
in a unit, in the cell where most such digits and units meet.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.kernels import njit
from datasets.shape import Shape
from solvers.search.bitboard_lanes import (
    EVERY_LANE,
    LANES,
    every_band,
    fetch,
    lane_of,
    lowest_in,
    occupied,
    ones_in,
    only_band,
    only_lane,
    open_cells,
    put,
    word_of,
)
from solvers.search.bitboard_rounds import ALL, Board, once_twice, pairs_of, settle, settle_both

Words = NDArray[np.int32]
Counts = NDArray[np.int64]
Bytes = NDArray[np.uint8]

DEPTH = 82  # a guess decides at least one cell
SHARED = 2  # additional weight of a peer with two candidates
MANY = 288  # candidates before the first branch: of 11 lists with one solution, 98% have fewer in each
UNTROUBLED = 10  # guesses without a contradiction, after which none is expected
MEETING = 4  # units in which such a cell is one of two places of a digit: with fewer, hard puzzles take more guesses
LONG = 2000  # guesses from which on a search alternates between cells with two candidates and digits with two places
SOLUTIONS, GUESSES, FAILURES, BACKTRACKS = range(4)  # columns of a tally

LANE = np.array([[27 + band, *(lane_of(digit, band) for digit in range(9))] for band in range(3)])
PEERS = np.zeros((81, 2), dtype=np.int64)  # of each cell: peers among the first 54 cells, and among the last 27
for _cell, _peers in enumerate(Shape(3, 3).peers):
    for _peer in _peers:
        PEERS[_cell, _peer // 54] |= 1 << _peer % 54

UNITS = np.zeros((27, 2), dtype=np.int64)  # cells of each unit, as in PEERS
for _unit, _cells in enumerate(Shape(3, 3).units):
    for _cell in _cells:
        UNITS[_unit, _cell // 54] |= 1 << _cell % 54


@njit(forceinline=True)
def _digit(lane: int) -> Any:
    return np.uint64(8 if lane >= 24 else lane & 7)


@njit(forceinline=True)
def _pair_that_touches_most(x: Board, pairs: Board, boards: Words, depth: int, halves: Counts, failed: Counts) -> int:
    """The cell with two candidates whose peers have the most candidates of the same digits.

    Failures of these digits in the band of the cell are added.
    """
    put(boards, depth, x)
    for digit in range(9):
        words = boards[depth, LANE[0, digit + 1]], boards[depth, LANE[1, digit + 1]]
        halves[digit, 0] = np.int64(words[0]) | np.int64(words[1]) << 27
        halves[digit, 1] = boards[depth, LANE[2, digit + 1]]
    low_pairs, high_pairs = word_of(pairs, 0) | word_of(pairs, 8) << 27, word_of(pairs, 16)
    most, best = -1, 0
    for half in range(2):
        cells = high_pairs if half else low_pairs
        while cells:
            place = lowest_in(cells)
            cells &= cells - 1
            cell = place + 54 * half
            band = 2 if half else np.int64(place >= 27)
            lanes = occupied(x & only_band(band) & 1 << (place - 27 if place >= 27 else place))
            lane_a, lane_b = lowest_in(lanes), lowest_in(lanes & (lanes - 1))
            weight = failed[np.uint64(lane_a)] + failed[np.uint64(lane_b)]
            a, b = _digit(lane_a), _digit(lane_b)
            low, high = PEERS[np.uint64(cell), 0], PEERS[np.uint64(cell), 1]
            low_a, high_a, low_b, high_b = (
                low & halves[a, 0],
                high & halves[a, 1],
                low & halves[b, 0],
                high & halves[b, 1],
            )
            weight += ones_in(low_a) + ones_in(high_a) + ones_in(low_b) + ones_in(high_b)
            weight += SHARED * (ones_in(low_a & low_pairs) + ones_in(high_a & high_pairs))
            weight += SHARED * (ones_in(low_b & low_pairs) + ones_in(high_b & high_pairs))
            if weight > most:
                most, best = weight, cell
    return best


@njit()
def _digit_with_two_places(x: Board, boards: Words, depth: int) -> tuple[int, int]:
    """The cell in which digits have one of their two places in most units, and such a digit; -1 if too few."""
    put(boards, depth, x)
    meeting = np.zeros(81, dtype=np.int64)
    digit_of = np.zeros(81, dtype=np.int64)
    best = -1
    for digit in range(9):
        low = np.int64(boards[depth, LANE[0, digit + 1]]) | np.int64(boards[depth, LANE[1, digit + 1]]) << 27
        high = np.int64(boards[depth, LANE[2, digit + 1]])
        for unit in range(27):
            low_places, high_places = low & UNITS[unit, 0], high & UNITS[unit, 1]
            if ones_in(low_places) + ones_in(high_places) != 2:
                continue
            for _ in range(2):
                cell = lowest_in(low_places) if low_places else 54 + lowest_in(high_places)
                if low_places:
                    low_places &= low_places - 1
                else:
                    high_places &= high_places - 1
                meeting[cell] += 1
                digit_of[cell] = digit
                if best < 0 or meeting[cell] > meeting[best]:
                    best = cell
    return (best, digit_of[best]) if best >= 0 and meeting[best] >= MEETING else (-1, 0)


@njit(forceinline=True)
def _split(x: Board, cell: int, lane: int) -> tuple[Board, Board]:
    """The board with a digit, given by its lane, in a cell, and the board without it."""
    here = only_band(cell // 27) & 1 << cell % 27
    placed = here & only_lane(lane)
    return x & ~here | placed, x & ~placed


@njit(forceinline=True)
def _first_lane(x: Board, cell: int) -> int:
    """The lane of the first candidate of a cell."""
    lane: int = lowest_in(occupied(x & only_band(cell // 27) & 1 << cell % 27))
    return lane


@njit(forceinline=True)
def _branch(
    x: Board, several: Board, boards: Words, depth: int, halves: Counts, failed: Counts, guesses: int
) -> tuple[Board, Board]:
    """Split the solutions of an undecided board between two boards: a digit is in a cell, or it is not."""
    pairs = pairs_of(x)
    cell, digit = -1, 0
    if occupied(pairs) == 0 or (guesses > LONG and guesses & 2):
        cell, digit = _digit_with_two_places(x, boards, depth)
    if cell >= 0:
        lane = LANE[cell // 27, digit + 1]
    else:
        if occupied(pairs):
            cell = _pair_that_touches_most(x, pairs, boards, depth, halves, failed)
        else:
            band = lowest_in(occupied(several) & 0x10101) >> 3
            cell = 27 * band + lowest_in(word_of(several, 8 * band))
        lane = _first_lane(x, cell)
    return _split(x, cell, lane)


@njit(forceinline=True)
def _first_branch(x: Board, several: Board) -> tuple[Board, Board]:
    """Like ``_branch``, at the first cell with two candidates: for a board on which any choice will do."""
    pairs = pairs_of(x)
    cells = pairs if occupied(pairs) else several
    band = lowest_in(occupied(cells) & 0x10101) >> 3
    cell = 27 * band + lowest_in(word_of(cells, 8 * band))
    return _split(x, cell, _first_lane(x, cell))


@njit()
def _has_many(x: Board, boards: Words) -> bool:
    """Has an undecided board so many candidates that it probably has many solutions?"""
    put(boards, 0, x)
    candidates = 0
    for band in range(3):
        for digit in range(1, 10):
            candidates += ones_in(np.int64(boards[0, LANE[band, digit]]))
    return candidates > MANY


@njit(forceinline=True)
def _count_failures(x: Board, alive: bool, failed: Counts) -> None:
    """Count for each lane the contradictions in which its digit has no place in its band."""
    empty = 0 if alive else EVERY_LANE & ~occupied(x)
    while empty:
        failed[np.uint64(lowest_in(empty))] += 1
        empty &= empty - 1


@njit()
def _load(cells: Bytes, boards: Words) -> Board:
    boards[0] = 0
    for band in range(3):
        for place in range(27):
            boards[0, np.uint64(LANE[band, cells[27 * band + place]])] |= 1 << place
    given: Board = fetch(boards, 0)
    return given | open_cells(given) & ALL


@njit()
def _unload(x: Board, boards: Words, depth: int, out: Bytes) -> None:
    put(boards, depth, x)
    for band in range(3):
        for digit in range(1, 10):
            word = np.int64(boards[depth, LANE[band, digit]])
            while word:
                out[np.uint64(27 * band + lowest_in(word))] = digit
                word &= word - 1


@njit()
def _search(cells: Bytes, out: Bytes, tally: Counts, boards: Words, halves: Counts, failed: Counts) -> None:
    x, several, alive = settle(_load(cells, boards))
    depth, n_solutions, guesses, failures, backtracks = 0, 0, 0, 0, 0
    failed[:] = 0
    unsettled_from, unsettled_to = DEPTH, 0
    many = alive and occupied(several & every_band()) > 0 and _has_many(x, boards)
    put(boards, DEPTH, x)
    while True:
        if alive:
            if occupied(several & every_band()):
                if many and guesses > LONG:  # so there are few or no solutions: begin again with better branches
                    x, several, alive = settle(fetch(boards, DEPTH))
                    depth, n_solutions, many, unsettled_to = 0, 0, False, 0
                if failures == 0 and (many or guesses >= UNTROUBLED):
                    first, second = _first_branch(x, several)
                    put(boards, depth, second)
                    unsettled_from, unsettled_to = min(unsettled_from, depth), depth + 1
                    depth += 1
                    x, several, alive = settle(first)
                    guesses += 1
                    _count_failures(x, alive, failed)
                    continue
                first, second = _branch(x, several, boards, depth, halves, failed, guesses)
                x, several, alive, y, y_several, y_alive = settle_both(first, second)
                guesses += 2
                _count_failures(x, alive, failed)
                _count_failures(y, y_alive, failed)
                if alive and y_alive:
                    put(boards, depth, y)
                    depth += 1
                elif not alive:
                    x, several, alive = y, y_several, y_alive
                    failures += 1
                else:
                    failures += 1
                continue
            _unload(x, boards, depth, out[n_solutions])
            n_solutions += 1
        else:
            failures += 1
        if depth == 0 or n_solutions == out.shape[0]:
            break
        depth -= 1
        backtracks += 1
        x, alive = fetch(boards, depth), True
        if unsettled_from <= depth < unsettled_to:
            unsettled_to = depth
            x, several, alive = settle(x)
            guesses += 1
            _count_failures(x, alive, failed)
        else:
            several = once_twice(x)[1]
    tally[SOLUTIONS], tally[GUESSES], tally[FAILURES], tally[BACKTRACKS] = n_solutions, guesses, failures, backtracks


@njit(nogil=True)
def solve_many(puzzles: Bytes, out: Bytes, tally: Counts) -> None:
    """Solve puzzles of 81 cells one by one; calls may run at the same time.

    Args:
        puzzles: the cells (n × 81), 0 for an empty one.
        out: receives up to K solutions for each puzzle, one after another (n·K × 81).
        tally: receives for each puzzle (n × 4) the numbers of solutions (fewer than K: there are no more), of values
            tried, of contradictions, and of boards returned to.
    """
    boards = np.empty((DEPTH + 1, LANES), dtype=np.int32)
    halves, failed = np.empty((9, 2), dtype=np.int64), np.empty(LANES, dtype=np.int64)
    limit, row = out.shape[0] // puzzles.shape[0], 0
    for i in range(puzzles.shape[0]):
        _search(puzzles[i], out[row : row + limit], tally[i], boards, halves, failed)
        row += tally[i, SOLUTIONS]
