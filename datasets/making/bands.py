"""A second compiled kernel for 9×9 boards only, an order of magnitude faster: the generator's and the mining's.

A board is 27 words: for each digit and each band (three rows) a word of 27 bits, one for each cell where the digit
may still stand. Naked and hidden singles are then a few operations on words (the idea is as old as the fast solvers
of the Players' forum; here without their locked candidates). Both kernels propagate to the same fixpoint and branch
by the same rule, so guesses have the same distribution as those of ``datasets.search``, which stays the judge.

Clues are passed as a solution ``grid`` (81 digits, 1-9) and ``given`` (81 flags): what is asked is always whether
another solution than the known one exists.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.search import _random_below

Words = NDArray[np.int64]
Flags = NDArray[np.bool_]
State = NDArray[np.uint64]
Words2 = NDArray[np.int64]
Room = tuple[Words2, Words2, Words, Words, Words, Words]

ALL = (1 << 27) - 1
ROW = 511
BOX = 7 | 7 << 9 | 7 << 18
COLUMN = 1 | 1 << 9 | 1 << 18
DEPTH = 82  # a guess decides at least one cell


@njit(cache=True, inline="always")
def _bits(mask: int) -> int:
    x = mask - ((mask >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (x * 0x0101010101010101) >> 56


@njit(cache=True, inline="always")
def _set(cand: Words, done: Words, digit: int, band: int, bit: int) -> None:
    """Place a digit: no other in its cell, and the digit nowhere else in its row, column and box."""
    place = _bits(bit - 1)
    column = place % 9
    for d in range(9):
        cand[3 * d + band] &= ~bit
    column_cells = COLUMN << column
    near = (ROW << (place - column)) | (BOX << (column - column % 3))
    base = 3 * digit
    for b in range(3):
        cand[base + b] &= ~column_cells
    cand[base + band] = (cand[base + band] & ~near) | bit
    done[band] |= bit


@njit(cache=True)
def _naked(cand: Words, done: Words) -> int:
    """Place the cells with one candidate. 1: some were placed, 0: there are none, -1: a contradiction."""
    placed = 0
    for band in range(3):
        one, two = 0, 0
        for d in range(9):
            x = cand[3 * d + band]
            two |= one & x
            one |= x
        if one != ALL:
            return -1
        single = one & ~two & ~done[band]
        while single:
            bit = single & -single
            single ^= bit
            digit = 0
            while digit < 9 and not cand[3 * digit + band] & bit:
                digit += 1
            if digit == 9:
                return -1  # the same digit was due twice in a unit
            _set(cand, done, digit, band, bit)
            placed = 1
    return placed


@njit(cache=True, inline="always")
def _lone_columns(cand: Words, seen: Words, base: int) -> int:
    """The cells of a band whose columns have one place for a digit; -1 if a column has none. Updates ``seen``."""
    one, two = 0, 0
    for b in range(3):
        seen[base + b] = cand[base + b]
        for shift in (0, 9, 18):
            row = (cand[base + b] >> shift) & ROW
            two |= one & row
            one |= row
    return (one & ~two) * COLUMN if one == ROW else -1


@njit(cache=True, inline="always")
def _lone(places: int) -> int:
    """The places of a digit in a band that are the only ones of their row or box; -1 if a row or box has none."""
    single = 0
    for k in range(3):
        for unit in (places & (ROW << (9 * k)), places & (BOX << (3 * k))):
            if unit == 0:
                return -1
            if unit & (unit - 1) == 0:
                single |= unit
    return single


@njit(cache=True)
def _hidden(cand: Words, done: Words, seen: Words) -> int:
    """Place the digits with one place in a unit, as ``_naked``. Digits as ``seen`` before are passed over."""
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
            single &= ~done[b]
            while single:
                bit = single & -single
                single ^= bit
                if not cand[base + b] & bit:
                    return -1
                _set(cand, done, d, b, bit)
                placed = 1
    return placed


@njit(cache=True)
def _propagate(cand: Words, done: Words, seen: Words) -> bool:
    """Place singles until none is left. False on a contradiction."""
    while True:
        placed = _naked(cand, done)
        if placed == 0:
            placed = _hidden(cand, done, seen)
            if placed == 0:
                return True
        if placed < 0:
            return False


@njit(cache=True)
def _start(grid: Words, given: Flags, cand: Words, done: Words, seen: Words) -> bool:
    cand[:] = ALL
    done[:] = 0
    seen[:] = 0
    for cell in range(81):
        if given[cell]:
            band, bit, digit = cell // 27, 1 << (cell % 27), grid[cell] - 1
            if not cand[3 * digit + band] & bit:
                return False
            _set(cand, done, digit, band, bit)
    return _propagate(cand, done, seen)


@njit(cache=True)
def _fewest(cand: Words, ties: Words) -> bool:
    """The open cells with the fewest candidates, as one word a band. False if no cell is open."""
    some, more = 0, 0
    for band in range(3):
        one, two, three = 0, 0, 0
        for d in range(9):
            x = cand[3 * d + band]
            three |= two & x
            two |= one & x
            one |= x
        ties[band] = two & ~three
        some |= ties[band]
        more |= three
    if some:
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


@njit(cache=True)
def _levels(cand: Words, band: int, level: Words) -> None:
    """``level[k]``: the cells with at least k candidates; ``level[0]`` is empty."""
    level[:] = 0
    for d in range(9):
        x = cand[3 * d + band]
        for k in range(9, 1, -1):
            level[k] |= level[k - 1] & x
        level[1] |= x


@njit(cache=True)
def _branch(cand: Words, ties: Words, state: State) -> int:
    """A random cell of those with the fewest candidates; -1 if every cell is decided."""
    if not _fewest(cand, ties):
        return -1
    in_0, in_1 = _bits(ties[0]), _bits(ties[1])
    skip = _random_below(state, in_0 + in_1 + _bits(ties[2]))
    band = 0
    if skip >= in_0:
        skip -= in_0
        band = 1
        if skip >= in_1:
            skip -= in_1
            band = 2
    mask = ties[band]
    for _ in range(skip):
        mask &= mask - 1
    return 27 * band + _bits((mask & -mask) - 1)


@njit(cache=True)
def _values(cand: Words, cell: int) -> int:
    """The candidates of a cell, a bit for each digit."""
    band, place, values = cell // 27, cell % 27, 0
    for d in range(9):
        values |= ((cand[3 * d + band] >> place) & 1) << d
    return values


@njit(cache=True)
def _nth_bit(mask: int, skip: int) -> int:
    for _ in range(skip):
        mask &= mask - 1
    return mask & -mask


@njit(cache=True)
def other_solution(grid: Words, given: Flags, state: State, room: Room, other: Words) -> bool:
    """Is there a solution besides ``grid``? Then one is written to ``other`` (81 digits).

    Values that differ from the grid are tried first, so another solution is found soon.
    """
    stack, dones, seen, ties, cells, untried = room
    if not _start(grid, given, stack[0], dones[0], seen):
        return False
    depth, alive = 0, True
    while True:
        if alive:
            cell = _branch(stack[depth], ties, state)
            if cell >= 0:
                cells[depth] = cell
                untried[depth] = _values(stack[depth], cell)
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
        own = 1 << (grid[cell] - 1)
        left = untried[depth] & ~own if untried[depth] != own else own
        bit = _nth_bit(left, _random_below(state, _bits(left)))
        untried[depth] ^= bit
        alive = _guess(stack, dones, seen, depth, cell, bit)
        depth += 1


@njit(cache=True)
def _guess(stack: Words2, dones: Words2, seen: Words, depth: int, cell: int, bit: int) -> bool:
    """Place a value in the board at ``depth``, as a new one at ``depth + 1``. False on a contradiction."""
    for k in range(27):
        seen[k] = stack[depth, k]
        stack[depth + 1, k] = stack[depth, k]
    for k in range(3):
        dones[depth + 1, k] = dones[depth, k]
    _set(stack[depth + 1], dones[depth + 1], _bits(bit - 1), cell // 27, 1 << (cell % 27))
    return _propagate(stack[depth + 1], dones[depth + 1], seen)


@njit(cache=True)
def _decode(cand: Words, grid: Words, other: Words) -> bool:
    """Write a decided board to ``other``. False if it is the grid itself."""
    differs = False
    for cell in range(81):
        other[cell] = _bits(_values(cand, cell) - 1) + 1
        differs |= other[cell] != grid[cell]
    return differs


@njit(cache=True)
def guesses_sum(grid: Words, given: Flags, orders: int, state: State, room: Room) -> int:
    """Guesses until the first solution, summed over random orders, of a puzzle that has one."""
    stack, dones, seen, ties, cells, untried = room
    if not _start(grid, given, stack[0], dones[0], seen):
        return 0
    guesses = 0
    for _ in range(orders):
        depth, alive = 0, True
        while True:
            if alive:
                cell = _branch(stack[depth], ties, state)
                if cell < 0:
                    break
                cells[depth] = cell
                untried[depth] = _values(stack[depth], cell)
            else:
                depth -= 1
                while depth >= 0 and untried[depth] == 0:
                    depth -= 1
                if depth < 0:
                    break
            left = untried[depth]
            bit = _nth_bit(left, _random_below(state, _bits(left)))
            untried[depth] ^= bit
            guesses += 1
            alive = _guess(stack, dones, seen, depth, cells[depth], bit)
            depth += 1
    return guesses


@njit(cache=True)
def repair(grid: Words, given: Flags, state: State, room: Room, other: Words) -> None:
    """Add clues of the grid until it is the only solution: each time a random cell where another solution differs."""
    while other_solution(grid, given, state, room, other):
        differing = np.flatnonzero(other != grid)
        given[differing[_random_below(state, differing.size)]] = True


@njit(cache=True)
def strip(grid: Words, given: Flags, state: State, room: Room, other: Words) -> None:
    """Remove clues in random order while the solution stays unique: the puzzle is then minimal."""
    order = np.flatnonzero(given)
    for i in range(order.size):
        pick = i + _random_below(state, order.size - i)
        order[i], order[pick] = order[pick], order[i]
        given[order[i]] = False
        if other_solution(grid, given, state, room, other):
            given[order[i]] = True


def redundant_clues(grid: Words, given: Flags) -> Flags:
    """Which clues could be removed, each by itself, and leave the grid the only solution."""
    return _redundant_clues(grid, given, np.zeros(1, dtype=np.uint64), make_room())


@njit(cache=True)
def _redundant_clues(grid: Words, given: Flags, state: State, room: Room) -> Flags:
    redundant, trial, other = np.zeros_like(given), given.copy(), np.empty_like(grid)
    for cell in np.flatnonzero(given):
        trial[cell] = False
        redundant[cell] = not other_solution(grid, trial, state, room, other)
        trial[cell] = True
    return redundant


def make_room() -> Room:
    """Working memory for the functions above."""
    return (
        np.zeros((DEPTH, 27), dtype=np.int64),
        np.zeros((DEPTH, 3), dtype=np.int64),
        np.zeros(27, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        np.zeros(DEPTH, dtype=np.int64),
        np.zeros(DEPTH, dtype=np.int64),
    )
