"""The kernel of ``bitboard:bands``: it searches 9×9 boards that ``bitboard_rounds`` propagates.

This kernel is separate from ``datasets/making/bands``: that one places naked and hidden singles only, and its guesses
and random numbers define the embedded collections, so the stronger propagation of this kernel would change them.

When a round finds nothing more, the search branches; both sides of a branch are propagated together, because a single
round mostly waits for its own results. The search branches on a cell with two candidates that touch many others, and
whose digits have failed often in its band (an idea from dom/wdeg: Boussemart and others 2004). But while little fails
on a board that probably has several solutions, any cell will do. If at most two are asked for, a single round
after each branch is then enough, and the second side is propagated only if the search returns to it; if more are, the
search remembers the solutions of a first side by its undecided cells, and copies them where these return with the same
candidates. If such a search becomes long and finds few solutions, it begins again without that. A board is taken for
one with several solutions if it has many candidates, or if branches do not fail: a single one where few cells are
undecided at first, since a wrong digit would show there. Where three
digits are confined to two cells that have further candidates, no branch on a cell comes near the contradiction. A long
search therefore branches on a digit with two places in a unit, in the cell where most such digits and units meet, at
every other branch and without a cell of two candidates; so does a search on a board that probably has many solutions,
without such a cell.

The hardest puzzles have no cell of two candidates at first, where a choice matters most. There the search takes, of the
cells with the fewest candidates, the one with a digit that most peers can have.

Functions here are compiled without reference counts of arrays (``_nrt``): numba counted with atomic operations at each
branch, a twentieth of the time on hard puzzles.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.search.bitboard_lanes import (
    DIGITS,
    LANES,
    add_empty,
    cells_equal,
    every_band,
    fetch,
    lane_of,
    lowest_in,
    merge_cells,
    occupied,
    ones_in,
    only_band,
    only_lane,
    open_cells,
    put,
    put_cells,
    put_digits,
    word_of,
)
from sudoku_bench.solvers.search.bitboard_rounds import (
    ALL,
    Board,
    is_open,
    once_twice,
    pairs_of,
    settle,
    settle_both,
    settle_little,
)

Words = NDArray[np.int32]
Counts = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Work = tuple[Words, Counts, Bytes, Counts, Counts, Words]  # boards, rows, cells, halves, meeting, failed

PLAIN = {"_nrt": False}
DEPTH = 82  # a guess decides at least one cell
SHARED = 4  # additional weight of a peer with two candidates
MANY = 288  # candidates before the first branch: of 11 lists with one solution, 98% have fewer in each
UNTROUBLED = 10  # guesses without a contradiction, after which none is expected
FEW_OPEN = (
    50  # undecided cells before the first branch, with which one without a contradiction is enough to expect none
)
PLACES = 256  # boards whose solutions are remembered while a search for many goes on
MEETING = 4  # units in which digits must have one of their two places in such a cell: with fewer, searches are longer
LONG = 2000  # guesses from which on a search alternates between cells with two candidates and digits with two places
SOLUTIONS, GUESSES, FAILURES, BACKTRACKS = range(4)  # columns of a tally
FIRST_SIDES, KNOWN = DEPTH + 1, 2 * DEPTH + 1  # rows of boards, after the second sides of branches and the first board
SETTLED, SINCE, START, STOP = range(4)  # of a branch: is its second side settled, solutions before; rows of known ones

LANE = np.array([[27 + band, *(lane_of(digit, band) for digit in range(9))] for band in range(3)])
DIGIT = np.array([lane % 8 if lane < 24 else 8 for lane in range(LANES)], dtype=np.uint64)


def _halves_of(groups: Sequence[Sequence[int]]) -> Counts:
    """The cells of each group: bits of those among the first 54 cells, and among the last 27."""
    return np.array(
        [[sum(1 << cell % 54 for cell in group if cell // 54 == half) for half in (0, 1)] for group in groups]
    )


PEERS, UNITS = _halves_of(Shape(3, 3).peers), _halves_of(Shape(3, 3).units)


@njit(forceinline=True, **PLAIN)
def _pair_that_touches_most(x: Board, pairs: Board, halves: Counts, failed: Words) -> tuple[int, int]:
    """The cell with two candidates whose peers have the most candidates of the same digits, and the lane of the first.

    Failures of these digits in the band of the cell are added.
    """
    put_digits(halves, x)
    low_pairs, high_pairs = word_of(pairs, 0) | word_of(pairs, 8) << 27, word_of(pairs, 16)
    most, best, best_lane = -1, 0, 0
    for band in range(3):
        cells, here = word_of(pairs, 8 * band), x & only_band(band)
        while cells:
            lanes = occupied(here & (cells & -cells))
            cell = 27 * band + lowest_in(cells)
            cells &= cells - 1
            lane_a, lane_b = lowest_in(lanes), lowest_in(lanes & (lanes - 1))
            weight = np.int64(failed[0, np.uint64(lane_a)]) + np.int64(failed[0, np.uint64(lane_b)])
            a, b = DIGIT[np.uint64(lane_a)], DIGIT[np.uint64(lane_b)]
            low, high = PEERS[np.uint64(cell), 0], PEERS[np.uint64(cell), 1]
            low_a, high_a, low_b, high_b = (
                low & halves[0, a],
                high & halves[1, a],
                low & halves[0, b],
                high & halves[1, b],
            )
            weight += ones_in(low_a) + ones_in(high_a) + ones_in(low_b) + ones_in(high_b)
            weight += SHARED * (ones_in(low_a & low_pairs) + ones_in(high_a & high_pairs))
            weight += SHARED * (ones_in(low_b & low_pairs) + ones_in(high_b & high_pairs))
            if weight > most:
                most, best, best_lane = weight, cell, lane_a
    return best, best_lane


@njit(forceinline=True, **PLAIN)
def _digit_with_two_places(halves: Counts, meeting: Counts) -> tuple[int, int]:
    """The cell in which digits have one of their two places in most units, and such a digit; -1 if too few."""
    meeting[0] = 0
    best = -1
    for digit in range(9):
        low, high = halves[0, digit], halves[1, digit]
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
                meeting[0, cell] += 1
                meeting[1, cell] = digit
                if best < 0 or meeting[0, cell] > meeting[0, best]:
                    best = cell
    return (best, meeting[1, best]) if best >= 0 and meeting[0, best] >= MEETING else (-1, 0)


@njit(forceinline=True, **PLAIN)
def _digit_that_touches_most(x: Board, halves: Counts, failed: Words) -> tuple[int, int]:
    """Of the cells with the fewest candidates, one whose digit is possible in most peers, and the lane of the digit.

    Failures of the digit in the band of the cell are added.
    """
    several = once_twice(x)[1]
    fewest, most, best, best_lane = 10, -1, 0, 0
    for band in range(3):
        cells, here = word_of(several, 8 * band), x & only_band(band)
        while cells:
            lanes = occupied(here & (cells & -cells))
            cell = 27 * band + lowest_in(cells)
            cells &= cells - 1
            candidates = ones_in(lanes)
            if candidates > fewest:
                continue
            if candidates < fewest:
                fewest, most = candidates, -1
            low, high = PEERS[np.uint64(cell), 0], PEERS[np.uint64(cell), 1]
            while lanes:
                lane = lowest_in(lanes)
                lanes &= lanes - 1
                digit = DIGIT[np.uint64(lane)]
                weight = np.int64(failed[0, np.uint64(lane)])
                weight += ones_in(low & halves[0, digit]) + ones_in(high & halves[1, digit])
                if weight > most:
                    most, best, best_lane = weight, cell, lane
    return best, best_lane


@njit(**PLAIN)  # inlined, its registers would slow down every branch
def _cell_and_lane(x: Board, halves: Counts, meeting: Counts, failed: Words, two_places: bool) -> tuple[int, int]:
    """Choose without regard to pairs: if asked for, a digit with two places, otherwise a cell with few candidates."""
    put_digits(halves, x)
    if two_places:
        cell, digit = _digit_with_two_places(halves, meeting)
        if cell >= 0:
            return cell, LANE[cell // 27, digit + 1]
    return _digit_that_touches_most(x, halves, failed)


@njit(forceinline=True, **PLAIN)
def _split(x: Board, cell: int, lane: int) -> tuple[Board, Board]:
    """The board with a digit, given by its lane, in a cell, and the board without it."""
    here = only_band(cell // 27) & 1 << cell % 27
    placed = here & only_lane(lane)
    return x & ~here | placed, x & ~placed


@njit(forceinline=True, **PLAIN)
def _first_branch(x: Board, cells: Board) -> tuple[Board, Board]:
    """Split a board at the first of some cells: any choice will do."""
    band = lowest_in(occupied(cells) & 0x10101) >> 3
    cell = 27 * band + lowest_in(word_of(cells, 8 * band))
    return _split(x, cell, lowest_in(occupied(x & only_band(band) & 1 << cell % 27)))


@njit(forceinline=True, **PLAIN)
def _branch(x: Board, several: Board, work: Work, guesses: int, many: bool, expected: bool) -> tuple[Board, Board]:
    """Split the solutions of an undecided board between two boards: a digit is in a cell, or it is not."""
    _, _, _, halves, meeting, failed = work
    pairs, long = pairs_of(x), guesses > LONG
    if expected:
        return _first_branch(x, pairs if occupied(pairs) else several & every_band())
    if occupied(pairs) == 0 or (long and guesses & 2):
        cell, lane = _cell_and_lane(x, halves, meeting, failed, long or many)
    else:
        cell, lane = _pair_that_touches_most(x, pairs, halves, failed)
    return _split(x, cell, lane)


@njit(forceinline=True, **PLAIN)
def _open(several: Board) -> int:
    """How many cells are undecided?"""
    return int(ones_in(word_of(several, 0)) + ones_in(word_of(several, 8)) + ones_in(word_of(several, 16)))


@njit(**PLAIN)
def _has_many(x: Board, boards: Words) -> bool:
    """Has an undecided board so many candidates that it probably has many solutions?"""
    put(boards, 0, x)
    candidates = 0
    for band in range(3):
        for digit in range(1, 10):
            candidates += ones_in(np.int64(boards[0, LANE[band, digit]]))
    return candidates > MANY


@njit(**PLAIN)
def _load(cells: Bytes, boards: Words) -> Board:
    if cells.size > 81:
        _load_candidates(cells, boards)
    else:
        for band in range(3):
            start = min(27 * band, 81 - 32)
            for value in range(10):
                boards[0, LANE[band, value]] = cells_equal(cells, start, value) >> 27 * band - start & ALL
    given: Board = fetch(boards, 0)
    return (given | open_cells(given)) & ALL


@njit(**PLAIN)  # inlined, it would slow down the loading of clues
def _load_candidates(masks: Bytes, boards: Words) -> None:
    """Load pencilmarks: for each cell eight bytes, the lowest first, with bit v-1 for the digit v."""
    for lane in range(LANES):
        boards[0, lane] = 0
    for cell in range(81):
        mask = np.int64(masks[8 * cell]) | np.int64(masks[8 * cell + 1]) << 8
        for digit in range(9):
            boards[0, LANE[cell // 27, digit + 1]] |= (mask >> digit & 1) << cell % 27


@njit(forceinline=True, **PLAIN)
def _place(several: Board) -> int:
    """Where are boards with these undecided cells remembered? A hash."""
    key = word_of(several, 0) * 0x9E3779B1 ^ word_of(several, 8) * 0x85EBCA77 ^ word_of(several, 16) * 0xC2B2AE3D
    return int(key >> 13 & PLACES - 1)


@njit(**PLAIN)
def _remember(work: Work, depth: int, n_solutions: int) -> None:
    """Remember where the solutions of the first side of a branch are, if it has several."""
    boards, rows = work[0], work[1]
    if n_solutions > rows[SINCE, depth] + 1:
        x = fetch(boards, FIRST_SIDES + depth)
        several = once_twice(x)[1]
        place = _place(several)
        put(boards, KNOWN + place, x & several)
        rows[START, place], rows[STOP, place] = rows[SINCE, depth], n_solutions


@njit(forceinline=True, **PLAIN)
def _recall(x: Board, several: Board, work: Work, out: Bytes, n_solutions: int) -> int:
    """If the solutions of the undecided cells are known, copy them with the other cells of a board, as far as there is
    space; return how many solutions there are then."""
    boards, rows, cells = work[0], work[1], work[2]
    place = _place(several)
    if rows[STOP, place] == 0 or occupied((fetch(boards, KNOWN + place) ^ x & several) & every_band()):
        return n_solutions
    put_cells(cells[0], x)
    put_cells(cells[1], several)
    start = rows[START, place]
    for row in range(start, min(rows[STOP, place], start + out.shape[0] - n_solutions)):
        merge_cells(out[n_solutions], out[row], cells[0], cells[1])
        n_solutions += 1
    return n_solutions


@njit(forceinline=True, **PLAIN)
def _second_side(work: Work, depth: int) -> tuple[Board, Board, bool]:
    x = fetch(work[0], depth)
    if work[1][SETTLED, depth]:
        return x, once_twice(x)[1], True
    x, several, alive = settle_little(x)
    add_empty(work[5], x)
    return x, several, alive


@njit(**PLAIN)
def _search(puzzle: Bytes, out: Bytes, tally: Counts, work: Work) -> None:
    boards, rows, _, _, _, failed = work
    x, several, alive = settle(_load(puzzle, boards))
    depth, n_solutions, guesses, failures, backtracks = 0, 0, 0, 0, 0
    failed[:] = 0
    remembers, first_open = out.shape[0] > 2, _open(several) if alive else 0
    many = first_open > 0 and _has_many(x, boards)
    put(boards, DEPTH, x)
    while True:
        undecided, before = alive and is_open(several), n_solutions
        if undecided and remembers:
            n_solutions = _recall(x, several, work, out, n_solutions)
        if undecided and n_solutions == before:
            if many and guesses > LONG * (1 + n_solutions):  # so there are few: begin again with better branches
                x, several, alive = settle(fetch(boards, DEPTH))
                depth, n_solutions, many = 0, 0, False
                rows[STOP] = 0
            expected = many or guesses >= UNTROUBLED or (guesses > 0 and first_open <= FEW_OPEN)
            expected = expected and failures < max(1, n_solutions)
            first, second = _branch(x, several, work, guesses, many, expected)
            if expected and not remembers:
                put(boards, depth, second)
                rows[SETTLED, depth] = False
                depth += 1
                x, several, alive = settle_little(first)
                guesses += 1
                add_empty(failed, x)
                continue
            x, several, alive, y, y_several, y_alive = settle_both(first, second)
            guesses += 2
            add_empty(failed, x)
            add_empty(failed, y)
            if alive and y_alive:
                put(boards, depth, y)
                put(boards, FIRST_SIDES + depth, x)
                rows[SETTLED, depth], rows[SINCE, depth] = True, n_solutions
                depth += 1
                continue
            failures += 1
            x, several, alive = (x, several, alive) if alive else (y, y_several, y_alive)
            continue
        failures += not alive
        if alive and not undecided:
            put_cells(out[n_solutions], x)
            n_solutions += 1
        if depth == 0 or n_solutions == out.shape[0]:
            break
        depth -= 1
        backtracks += 1
        if remembers:
            _remember(work, depth, n_solutions)
        guesses += 1 - rows[SETTLED, depth]
        x, several, alive = _second_side(work, depth)
    tally[SOLUTIONS], tally[GUESSES], tally[FAILURES], tally[BACKTRACKS] = n_solutions, guesses, failures, backtracks


@njit(nogil=True)
def solve_many(puzzles: Bytes, out: Bytes, tally: Counts) -> None:
    """Solve puzzles of 81 cells one by one; calls may run at the same time.

    Args:
        puzzles: the cells (n × 81), 0 for an empty one; or their candidates (n × 648), 8 bytes each.
        out: receives up to K solutions for each puzzle, one after another (n·K × 81).
        tally: receives for each puzzle (n × 4) the numbers of solutions (fewer than K: there are no more), of values
            tried, of contradictions, and of boards returned to.
    """
    work = (
        np.empty((KNOWN + PLACES, LANES), dtype=np.int32),
        np.empty((4, PLACES), dtype=np.int64),
        np.empty((2, 81), dtype=np.uint8),
        np.empty((2, DIGITS), dtype=np.int64),
        np.empty((2, 81), dtype=np.int64),
        np.empty((1, LANES), dtype=np.int32),
    )
    limit, row = out.shape[0] // puzzles.shape[0], 0
    for i in range(puzzles.shape[0]):
        if limit > 2:
            work[1][STOP] = 0
        _search(puzzles[i], out[row : row + limit], tally[i], work)
        row += tally[i, SOLUTIONS]
