"""Solutions and redundant clues of many 9×9 puzzles, compiled, with the kernel of ``datasets.making.bands``.

A clue is needed if the puzzle without it has a solution that differs in its cell. Most needed clues show in the
solution itself: where exchanging two digits, two rows of a band or two columns of a stack in some cells gives another
full grid (an *unavoidable set*: McGuire, Tugemann & Civario 2014), a set with a single clue needs that clue. Only the
other clues are searched for, with the known value excluded from their cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.bits import bit_index
from datasets.kernels import njit
from datasets.making.bands import ALL, Flags, Words, Workspace, clear, fewest, guess, make_workspace, propagate
from datasets.making.bands import values as values_of
from datasets.shape import Shape

Boards = NDArray[np.uint8]

UNDECIDED = -1  # instead of a number of solutions


def _not_peers() -> Words:
    """Return for each cell the places, a word per band, that its digit may still have besides the cell itself."""
    words = np.full((81, 3), ALL, dtype=np.int64)
    for cell, peers in enumerate(Shape(3, 3).peers):
        for other in (*peers, cell):
            words[cell, other // 27] &= ~(1 << (other % 27))
    return words


_OTHERS = _not_peers()


class Validity(NamedTuple):
    """What is known of n puzzles.

    Attributes:
        solutions: the number of solutions, 0 to 2 (two or more), or ``UNDECIDED``; n values.
        redundant: whether the clue of a cell could be removed alone; n × 81, only for puzzles with one solution.
    """

    solutions: NDArray[np.int8]
    redundant: NDArray[np.bool_]


def validate(boards: Boards, max_guesses: int) -> Validity:
    """Check n puzzles of 81 cells each; one with more guesses than the limit is undecided. Releases Python's lock."""
    found = Validity(np.zeros(len(boards), dtype=np.int8), np.zeros(boards.shape, dtype=np.bool_))
    _validate(boards, max_guesses, make_workspace(), *found)
    return found


@njit(nogil=True)
def _validate(
    boards: Boards,
    max_guesses: int,
    workspace: Workspace,
    solutions: NDArray[np.int8],
    redundant: NDArray[np.bool_],
) -> None:
    grid, clues = np.zeros(81, dtype=np.int64), np.zeros(81, dtype=np.int64)
    needed, given = np.zeros(81, dtype=np.bool_), np.zeros(81, dtype=np.bool_)
    for k in range(boards.shape[0]):
        for cell in range(81):
            clues[cell] = boards[k, cell]
            given[cell] = clues[cell] != 0
        solutions[k] = count_solutions(clues, given, -1, 2, max_guesses, workspace, grid)
        if solutions[k] == 1:
            needed[:] = False
            _find_unavoidable(grid, given, needed)
            for cell in range(81):
                if given[cell] and not needed[cell]:
                    number = count_solutions(clues, given, cell, 1, 1 << 62, workspace, grid)
                    redundant[k, cell] = number == 0


@njit()
def count_solutions(
    clues: Words,
    given: Flags,
    without: int,
    limit: int,
    max_guesses: int,
    workspace: Workspace,
    first: Words,
) -> int:
    """Count solutions up to a limit (1 or 2); ``UNDECIDED`` after more than ``max_guesses`` guesses.

    The first solution is written to ``first`` (81 digits) if the limit is 2. If ``without`` is a cell, its clue is left
    out, and its value excluded.
    """
    stack, decided_stack, seen, ties, cells, untried = workspace
    alive = _start(clues, given, without, stack[0], decided_stack[0], seen)
    depth, found, guesses = 0, 0, 0
    while True:
        if alive:
            cell = _branch(stack[depth], ties)
            if cell >= 0:
                cells[depth] = cell
                untried[depth] = values_of(stack[depth], cell)
            else:
                found += 1
                if found == limit:
                    return found
                for cell in range(81):
                    first[cell] = bit_index(values_of(stack[depth], cell)) + 1
                depth -= 1
        else:
            depth -= 1
        while depth >= 0 and untried[depth] == 0:
            depth -= 1
        if depth < 0:
            return found
        if guesses == max_guesses:
            return UNDECIDED
        guesses += 1
        bit = untried[depth] & -untried[depth]
        untried[depth] ^= bit
        alive = guess(stack, decided_stack, seen, depth, cells[depth], bit)
        depth += 1


@njit(inline="always")
def _branch(cand: Words, ties: Words) -> int:
    """Return the first cell among those with the fewest candidates; -1 if no cell is open."""
    if not fewest(cand, ties):
        return -1
    for band in range(3):
        if ties[band]:
            return int(27 * band + bit_index(ties[band] & -ties[band]))
    return -1


@njit()
def _start(clues: Words, given: Flags, without: int, cand: Words, decided: Words, seen: Words) -> bool:
    """Place the clues and all singles on an empty board. Return False on a contradiction."""
    clear(cand, decided, seen)
    for cell in range(81):
        if given[cell] and cell != without:
            band, bit, digit = cell // 27, 1 << (cell % 27), clues[cell] - 1
            if not cand[3 * digit + band] & bit:
                return False
            decided[band] |= bit
            for b in range(3):
                cand[3 * digit + b] &= _OTHERS[cell, b]
    for band in range(3):
        for digit in range(9):
            cand[3 * digit + band] &= ~decided[band]
    for cell in range(81):
        if given[cell] and cell != without:
            cand[3 * (clues[cell] - 1) + cell // 27] |= 1 << (cell % 27)
    if without >= 0:
        cand[3 * (clues[without] - 1) + without // 27] &= ~(1 << (without % 27))
    return propagate(cand, decided, seen)


@njit()
def _find_unavoidable(grid: Words, given: Flags, needed: Flags) -> None:
    """Mark clues that are alone in an unavoidable set of two digits, two rows of a band or two columns of a stack."""
    lines = np.empty((3, 9, 9), dtype=np.int64)  # of a digit: its column in each row, its row in each column and box
    in_row, in_column, in_box = lines[0], lines[1], lines[2]
    for cell in range(81):
        row, column, digit = cell // 9, cell % 9, grid[cell] - 1
        in_row[digit, row] = column
        in_column[digit, column] = row
        in_box[digit, row // 3 * 3 + column // 3] = row
    pairs = np.empty((3, 9), dtype=np.int64)  # of cells that exchange their values: linked pairs, and the two cells
    links, one, two = pairs[0], pairs[1], pairs[2]
    for a in range(9):
        for b in range(a + 1, 9):
            for row in range(9):
                column = in_row[a, row]
                links[row] = 1 << in_column[b, column] | 1 << in_box[b, row // 3 * 3 + column // 3]
                one[row], two[row] = 9 * row + column, 9 * row + in_row[b, row]
            _mark_single_clues(links, one, two, given, needed)
    for a in range(9):
        for b in range(a + 1, a // 3 * 3 + 3):
            for k in range(9):
                links[k] = 1 << in_row[grid[9 * a + k] - 1, b]
                one[k], two[k] = 9 * a + k, 9 * b + k
            _mark_single_clues(links, one, two, given, needed)
            for k in range(9):
                links[k] = 1 << in_column[grid[9 * k + a] - 1, b]
                one[k], two[k] = 9 * k + a, 9 * k + b
            _mark_single_clues(links, one, two, given, needed)


@njit(inline="always")
def _mark_single_clues(links: Words, one: Words, two: Words, given: Flags, needed: Flags) -> None:
    """Mark the clue of each set of pairs of cells with one clue only; pairs that are linked are in one set.

    Each link leads along a cycle, so following them from one pair reaches its whole set.
    """
    left = 511
    while left:
        new, clue, number = left & -left, 0, 0
        while new:
            bit = new & -new
            left &= ~bit
            k = bit_index(bit)
            new = (new | links[k]) & left
            if given[one[k]]:
                clue, number = one[k], number + 1
            if given[two[k]]:
                clue, number = two[k], number + 1
        if number == 1:
            needed[clue] = True
