"""The compiled search kernel of generator and mining, for 9×9 boards only.

A board is 27 words: for each digit and each band (three rows) a word of 27 bits, one for each cell where the digit may
still be placed. Naked and hidden singles are then a few operations on words (the idea comes from the fast solvers of
the Players' forum; this kernel leaves out their locked candidates). Clues are passed as a solution ``grid`` (81 digits,
1-9) and ``given`` (81 flags): the question is always whether there is a solution other than the known one.

Why this kernel stands alone: it is an order of magnitude faster than ``datasets/search``, and mining needs that speed.
The embedded collections depend on its guess counts and its sequence of random numbers, so a merge would change them.
Both kernels propagate to the same fixpoint and branch by the same rule, so their guesses have the same distribution;
``datasets/search`` remains the reference.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.bits import RandomState, bit_index, nth_bit, popcount, random_below, random_bit
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.shape import Shape

Words = NDArray[np.int64]
Flags = NDArray[np.bool_]
WordTable = NDArray[np.int64]
Workspace = tuple[WordTable, WordTable, Words, Words, Words, Words]

ALL = (1 << 27) - 1
ROW = 511
BOX = 7 | 7 << 9 | 7 << 18
COLUMN = 1 | 1 << 9 | 1 << 18
DEPTH = 82  # a guess decides at least one cell


@njit(inline="always")
def put(cand: Words, decided: Words, digit: int, band: int, bit: int) -> None:
    """Place a digit: eliminate other digits from its cell, and the digit from the rest of its row, column and box."""
    place = bit_index(bit)
    column = place % 9
    for d in range(9):
        cand[3 * d + band] &= ~bit
    column_cells = COLUMN << column
    row_and_box = (ROW << (place - column)) | (BOX << (column - column % 3))
    base = 3 * digit
    for b in range(3):
        cand[base + b] &= ~column_cells
    cand[base + band] = (cand[base + band] & ~row_and_box) | bit
    decided[band] |= bit


@njit()
def _naked(cand: Words, decided: Words) -> int:
    """Fill the cells with one candidate. Return 1 if there were any, 0 if there were none, -1 on a contradiction."""
    placed = 0
    for band in range(3):
        one, two = 0, 0
        for d in range(9):
            x = cand[3 * d + band]
            two |= one & x
            one |= x
        if one != ALL:
            return -1
        single = one & ~two & ~decided[band]
        while single:
            bit = single & -single
            single ^= bit
            digit = 0
            while digit < 9 and not cand[3 * digit + band] & bit:
                digit += 1
            if digit == 9:
                return -1  # two cells of a unit have the same single candidate
            put(cand, decided, digit, band, bit)
            placed = 1
    return placed


@njit(inline="always")
def _lone_columns(cand: Words, seen: Words, base: int) -> int:
    """Return the cells of all columns that have one place for a digit, -1 if a column has none. Update ``seen``."""
    one, two = 0, 0
    for b in range(3):
        seen[base + b] = cand[base + b]
        for shift in (0, 9, 18):
            row = (cand[base + b] >> shift) & ROW
            two |= one & row
            one |= row
    return (one & ~two) * COLUMN if one == ROW else -1


@njit(inline="always")
def _lone(places: int) -> int:
    """Return the places of a digit in a band that are alone in their row or box; -1 if a row or box has no place."""
    single = 0
    for k in range(3):
        for unit in (places & (ROW << (9 * k)), places & (BOX << (3 * k))):
            if unit == 0:
                return -1
            if unit & (unit - 1) == 0:
                single |= unit
    return single


@njit()
def _hidden(cand: Words, decided: Words, seen: Words) -> int:
    """Place the digits with one place in a unit; return as ``_naked``. Skip digits that are unchanged from ``seen``."""
    placed = 0
    for d in range(9):
        base = 3 * d
        if cand[base] == seen[base] and cand[base + 1] == seen[base + 1] and cand[base + 2] == seen[base + 2]:
            continue
        columns = _lone_columns(cand, seen, base)
        if columns < 0:
            return -1
        for b in range(3):
            single = _lone(cand[base + b])
            if single < 0:
                return -1
            single |= cand[base + b] & columns
            single &= ~decided[b]
            while single:
                bit = single & -single
                single ^= bit
                if not cand[base + b] & bit:
                    return -1
                put(cand, decided, d, b, bit)
                placed = 1
    return placed


@njit()
def propagate(cand: Words, decided: Words, seen: Words) -> bool:
    """Place singles until there are none. Return False on a contradiction."""
    while True:
        placed = _naked(cand, decided)
        if placed == 0:
            placed = _hidden(cand, decided, seen)
            if placed == 0:
                return True
        if placed < 0:
            return False


def _not_peers() -> Words:
    """Return for each cell the places, a word per band, that its digit may still have besides the cell itself."""
    words = np.full((81, 3), ALL, dtype=np.int64)
    for cell, peers in enumerate(Shape(3, 3).peers):
        for other in (*peers, cell):
            words[cell, other // 27] &= ~(1 << (other % 27))
    return words


_OTHERS = _not_peers()


@njit()
def start(grid: Words, given: Flags, without: int, cand: Words, decided: Words, seen: Words) -> bool:
    """Place the clues and all singles on an empty board. Return False on a contradiction.

    If ``without`` is a cell, its value is excluded.
    """
    cand[:], decided[:], seen[:] = ALL, 0, 0
    for cell in range(81):
        if given[cell]:
            band, bit, digit = cell // 27, 1 << (cell % 27), grid[cell] - 1
            if not cand[3 * digit + band] & bit:
                return False
            decided[band] |= bit
            for b in range(3):
                cand[3 * digit + b] &= _OTHERS[cell, b]
    for band in range(3):
        for digit in range(9):
            cand[3 * digit + band] &= ~decided[band]
    for cell in range(81):
        if given[cell]:
            cand[3 * (grid[cell] - 1) + cell // 27] |= 1 << (cell % 27)
    if without >= 0:
        cand[3 * (grid[without] - 1) + without // 27] &= ~(1 << (without % 27))
    return propagate(cand, decided, seen)


@njit()
def fewest(cand: Words, ties: Words) -> bool:
    """Set ``ties`` to the open cells with the fewest candidates, one word per band. Return False if no cell is open."""
    pairs, more = 0, 0
    for band in range(3):
        one, two, three = 0, 0, 0
        for d in range(9):
            x = cand[3 * d + band]
            three |= two & x
            two |= one & x
            one |= x
        ties[band] = two & ~three
        pairs |= ties[band]
        more |= three
    if pairs:
        return True
    if not more:
        return False
    level = np.empty(10, dtype=np.int64)
    least = 9
    for band in range(3):
        _levels(cand, band, level)
        for k in range(3, least + 1):
            if level[k] & ~level[k + 1 if k < 9 else 0]:
                least = k
                break
    for band in range(3):
        _levels(cand, band, level)
        ties[band] = level[least] & ~(level[least + 1] if least < 9 else 0)
    return True


@njit()
def _levels(cand: Words, band: int, level: Words) -> None:
    """Set ``level[k]`` to the cells with at least k candidates; ``level[0]`` is empty."""
    level[:] = 0
    for d in range(9):
        x = cand[3 * d + band]
        for k in range(9, 1, -1):
            level[k] |= level[k - 1] & x
        level[1] |= x


@njit()
def branch(cand: Words, ties: Words, state: RandomState) -> int:
    """Return a random cell among those with the fewest candidates; -1 if no cell is open."""
    if not fewest(cand, ties):
        return -1
    in_0, in_1 = popcount(ties[0]), popcount(ties[1])
    skip = random_below(state, in_0 + in_1 + popcount(ties[2]))
    band = 0
    if skip >= in_0:
        skip -= in_0
        band = 1
        if skip >= in_1:
            skip -= in_1
            band = 2
    return int(27 * band + bit_index(nth_bit(ties[band], skip)))


@njit()
def values(cand: Words, cell: int) -> int:
    """Return the candidates of a cell, a bit for each digit."""
    band, place, values = cell // 27, cell % 27, 0
    for d in range(9):
        values |= ((cand[3 * d + band] >> place) & 1) << d
    return values


@njit()
def other_solution(grid: Words, given: Flags, state: RandomState, workspace: Workspace, other: Words) -> bool:
    """Return whether there is a solution other than ``grid``; if so, write it to ``other`` (81 digits).

    Values that differ from the grid are tried first, which finds another solution early.
    """
    stack, decided_stack, seen, ties, cells, untried = workspace
    if not start(grid, given, -1, stack[0], decided_stack[0], seen):
        return False
    depth, alive = 0, True
    while True:
        if alive:
            cell = branch(stack[depth], ties, state)
            if cell >= 0:
                cells[depth] = cell
                untried[depth] = values(stack[depth], cell)
            else:
                if _decode(stack[depth], grid, other):
                    return True
                depth -= 1
        else:
            depth -= 1
        while depth >= 0 and untried[depth] == 0:
            depth -= 1
        if depth < 0:
            return False
        cell = cells[depth]
        grid_bit = 1 << (grid[cell] - 1)
        choices = untried[depth] & ~grid_bit if untried[depth] != grid_bit else grid_bit
        bit = np.int64(random_bit(choices, state))
        untried[depth] ^= bit
        alive = guess(stack, decided_stack, seen, depth, cell, bit)
        depth += 1


@njit()
def guess(stack: WordTable, decided_stack: WordTable, seen: Words, depth: int, cell: int, bit: Any) -> bool:
    """Copy the board at ``depth`` to ``depth + 1``, place a value and propagate. Return False on a contradiction."""
    for k in range(27):
        seen[k] = stack[depth, k]
        stack[depth + 1, k] = stack[depth, k]
    for k in range(3):
        decided_stack[depth + 1, k] = decided_stack[depth, k]
    put(stack[depth + 1], decided_stack[depth + 1], bit_index(bit), cell // 27, 1 << (cell % 27))
    return propagate(stack[depth + 1], decided_stack[depth + 1], seen)


@njit()
def _decode(cand: Words, grid: Words, other: Words) -> bool:
    """Write a decided board to ``other``. Return False if it equals the grid."""
    differs = False
    for cell in range(81):
        other[cell] = bit_index(values(cand, cell)) + 1
        differs |= other[cell] != grid[cell]
    return differs


@njit()
def guesses_sum(grid: Words, given: Flags, orders: int, state: RandomState, workspace: Workspace) -> int:
    """Return the guesses until the first solution, summed over ``orders`` random orders; there must be a solution."""
    stack, decided_stack, seen, ties, cells, untried = workspace
    if not start(grid, given, -1, stack[0], decided_stack[0], seen):
        return 0
    guesses = 0
    for _ in range(orders):
        depth, alive = 0, True
        while True:
            if alive:
                cell = branch(stack[depth], ties, state)
                if cell < 0:
                    break
                cells[depth] = cell
                untried[depth] = values(stack[depth], cell)
            else:
                depth -= 1
                while depth >= 0 and untried[depth] == 0:
                    depth -= 1
                if depth < 0:
                    break
            bit = np.int64(random_bit(untried[depth], state))
            untried[depth] ^= bit
            guesses += 1
            alive = guess(stack, decided_stack, seen, depth, cells[depth], bit)
            depth += 1
    return guesses


@njit()
def repair(grid: Words, given: Flags, state: RandomState, workspace: Workspace, other: Words) -> None:
    """Add clues until the grid is the only solution, each in a random cell where another solution differs."""
    while other_solution(grid, given, state, workspace, other):
        differing = np.flatnonzero(other != grid)
        given[differing[random_below(state, differing.size)]] = True


@njit()
def strip(grid: Words, given: Flags, state: RandomState, workspace: Workspace, other: Words) -> None:
    """Remove clues in random order while the solution stays unique. The resulting puzzle is minimal."""
    order = np.flatnonzero(given)
    for i in range(order.size):
        pick = i + random_below(state, order.size - i)
        order[i], order[pick] = order[pick], order[i]
        given[order[i]] = False
        if other_solution(grid, given, state, workspace, other):
            given[order[i]] = True


def make_workspace() -> Workspace:
    """Allocate the working memory of the functions above."""
    return (
        np.zeros((DEPTH, 27), dtype=np.int64),
        np.zeros((DEPTH, 3), dtype=np.int64),
        np.zeros(27, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        np.zeros(DEPTH, dtype=np.int64),
        np.zeros(DEPTH, dtype=np.int64),
    )
