"""Propagation of ``bitboard_bands``: rounds that examine every cell and unit of a 9×9 board at once.

A board is 27 words of 27 bits, all of them in one vector (``bitboard_lanes``). A word contains the cells of a band
(three rows) in which a digit is possible: bit ``9·row + column``. Each operation on the vector applies to all digits
and bands at once, so a round has no branch:

- naked singles, from bit-sliced counts of the digits of each cell;
- locked candidates and more, in rows and in columns: of a digit's places in a band only those remain that are part of
  one of the six ways to place it in three rows and three boxes at once;
- hidden singles of rows, columns and boxes: after that, they are the digits with one place in a box.

Bands as bit vectors come from the fast solvers of the Players' forum, and reasoning on the rows and columns of a box
comes from tdoku (Dillon 2019).
"""

from __future__ import annotations

from typing import Any

from sudoku_bench.datasets.kernels import njit
from sudoku_bench.solvers.search.bitboard_lanes import (
    EVERY_LANE,
    every_band,
    from_first,
    from_next_and_last_column,
    from_ninth,
    last_band,
    next_band,
    occupied,
    swap_fours,
    swap_halves,
    swap_ones,
    swap_twos,
)

Board = Any  # 32 words in registers

ALL = (1 << 27) - 1

# Octal: a digit for the three cells of a box in a row, three digits a row.
FIRST_OF_THREE = 0o111111111
FIRST_BOX, NOT_LAST_BOX = 0o37001001001, 0o37011011011  # and all bits beyond the band


@njit(forceinline=True)
def _boxes(firsts: Board) -> Board:
    """All cells of the boxes whose first bits (0, 3, 6) are set."""
    row = firsts | firsts << 1 | firsts << 2
    return row | row << 9 | row << 18


@njit(forceinline=True)
def _keep_rows(x: Board) -> Board:
    """Keep only the places that are part of a way to place the digit in the rows and boxes of the band."""
    present = (x | x >> 1 | x >> 2) & FIRST_OF_THREE  # of each row and box
    after = (present >> 3) & NOT_LAST_BOX | (present << 6) & ~NOT_LAST_BOX  # the same, from the next box
    before = (present >> 6) & FIRST_BOX | (present << 3) & ~FIRST_BOX
    # Of a row and the next. Bits that are shifted out of the band coincide with no place.
    either = after & (before >> 9 | before << 18) | before & (after >> 9 | after << 18)
    present = present & (either >> 9 | either << 18)
    return x & (present | present << 1 | present << 2)


@njit(forceinline=True)
def _keep_columns(x: Board) -> tuple[Board, Board]:
    """Like ``_keep_rows`` for the columns and boxes of a stack; also the places that are the only ones in their box."""
    second, third = x >> 9, x >> 18
    present = x | second | third  # of each column in the band: the lowest nine bits
    both = from_next_and_last_column(present)
    either = next_band(both) & swap_halves(last_band(both))
    present = present & (either | either >> 16) & 0o777
    x = x & (present | present << 9 | present << 18)
    second, third = x >> 9, x >> 18
    # Without its lowest bit, a box is empty if the digit has one column. A dead board may borrow from the next box,
    # which leaves more bits, not fewer.
    several = present & (present - 0o111 | x & second | (x | second) & third)
    several = several | several >> 1 | several >> 2
    return x, x & _boxes(~several & 0o111)


@njit(forceinline=True)
def once_twice(x: Board) -> tuple[Board, Board]:
    """The cells of each band with at least one and at least two candidates, in all lanes of the band."""
    other = swap_fours(x)
    one, two = x | other, x & other
    other = swap_twos(one)
    one, two = one | other, two | swap_twos(two) | one & other
    other = swap_ones(one)
    one, two = one | other, two | swap_ones(two) | one & other
    other, one = from_ninth(x), from_first(one)
    return one | other, from_first(two) | one & other


@njit(forceinline=True)
def pairs_of(x: Board) -> Board:
    """The cells with two candidates, in all lanes of their band."""
    other = swap_fours(x)
    one, two = x | other, x & other
    a, b = swap_twos(one), swap_twos(two)
    one, two, three = one | a, two | b | one & a, one & b | two & a
    a, b = swap_ones(one), swap_ones(two)
    one, two, three = one | a, two | b | one & a, three | swap_ones(three) | one & b | two & a
    other, one, two = from_ninth(x), from_first(one), from_first(two)
    return (two | one & other) & ~(from_first(three) | two & other)


@njit(forceinline=True)
def _any_digit(x: Board) -> Board:
    """The cells where any digit has its bit, in all lanes of their band."""
    x = x | swap_fours(x)
    x = x | swap_twos(x)
    x = x | swap_ones(x)
    return from_ninth(x) | from_first(x)


@njit(forceinline=True)
def _round(x: Board, one: Board, two: Board) -> tuple[Board, bool]:
    """The board after one round, given its ``once_twice``; False on a contradiction."""
    naked = one & ~two
    due = x & naked
    placed = due | due >> 9 | due >> 18
    x = x & (due | ~_boxes((placed | placed >> 1 | placed >> 2) & 0o111))
    x, lone = _keep_columns(_keep_rows(x))
    decided = _any_digit(lone)
    # A naked single is now the only place in its box, unless its digit is due twice there.
    bad = one ^ ALL | naked & ~decided
    x = x & (lone | ~decided)
    return x, occupied(bad) == 0 and occupied(x) == EVERY_LANE


@njit(forceinline=True)
def is_open(several: Board) -> bool:
    """Has a board cells with several candidates?"""
    return bool(occupied(several & every_band()))


@njit(forceinline=True)
def _is_solution(x: Board) -> bool:
    """Has a board with at most one candidate in each cell every digit in each unit?"""
    present = (x | x >> 1 | x >> 2) & FIRST_OF_THREE
    rows = present | present >> 3 | present >> 6
    boxes = present | present >> 9 | present >> 18
    columns = x | x >> 9 | x >> 18
    columns = columns | next_band(columns) | last_band(columns)
    return bool(occupied(~rows & 0o1001001 | ~boxes & 0o111 | ~columns & 0o777) == 0)


@njit()
def settle(x: Board) -> tuple[Board, Board, bool]:
    """Rounds until nothing changes, no cell is undecided, or False: a contradiction; also the undecided cells."""
    while True:
        one, two = once_twice(x)
        if not is_open(two):
            return x, two, _is_solution(x)
        before = x
        x, alive = _round(x, one, two)
        if not alive or occupied(x ^ before) == 0:
            return x, two, alive


@njit(forceinline=True)  # it is called at each branch of a search for many solutions
def settle_little(x: Board) -> tuple[Board, Board, bool]:
    """Like ``settle``, but a single round."""
    one, two = once_twice(x)
    x, alive = _round(x, one, two)
    two = once_twice(x)[1]
    return x, two, alive and (is_open(two) or _is_solution(x))


@njit(forceinline=True)  # a call would take as long as a round of one board
def settle_both(x: Board, y: Board) -> tuple[Board, Board, bool, Board, Board, bool]:
    """Like ``settle`` for two boards in parallel."""
    while True:
        x_one, x_several = once_twice(x)
        y_one, y_several = once_twice(y)
        x_active = y_active = True
        if not (is_open(x_several) and is_open(y_several)):
            break
        x_before, y_before = x, y
        x, x_alive = _round(x, x_one, x_several)
        y, y_alive = _round(y, y_one, y_several)
        x_active = x_alive and occupied(x ^ x_before) != 0
        y_active = y_alive and occupied(y ^ y_before) != 0
        if not (x_active and y_active):
            break
    if x_active:
        x, x_several, x_alive = settle(x)
    if y_active:
        y, y_several, y_alive = settle(y)
    return x, x_several, x_alive, y, y_several, y_alive
