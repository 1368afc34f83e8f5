from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from solvers.bitboard_lanes import (
    eighth, fetch, last_band, next_band, ninth, occupied, only_band, only_lane, put, swap_fours, swap_ones, swap_twos,
    word_of,
)

ALL = (1 << 27) - 1
EVERY_LANE = (1 << 32) - 1
DEPTH = 82


@njit(forceinline=True)
def _keep_rows(x):
    t = (x | x >> 1 | x >> 2) & 0o111111111
    p = (t >> 3) & 0o011011011 | (t << 6) & 0o100100100
    q = (t >> 6) & 0o001001001 | (t << 3) & 0o110110110
    t = t & ((p >> 9 | p << 18) & (q >> 18 | q << 9) | (q >> 9 | q << 18) & (p >> 18 | p << 9))
    return x & (t | t << 1 | t << 2)


@njit(forceinline=True)
def _fill(b):
    b = b | b << 1 | b << 2
    return b | b << 9 | b << 18


@njit(forceinline=True)
def _keep_columns(x):
    u = x >> 9
    v = x >> 18
    m = (x | u | v) & 0o777
    twice = (x & u | (x | u) & v)
    p = (m >> 1) & 0o333 | (m << 2) & 0o444
    q = (m >> 2) & 0o111 | (m << 1) & 0o666
    c = p | q << 16
    n = next_band(c)
    l = last_band(c)
    w = n & (l >> 16 | l << 16)
    m = m & (w | w >> 16)
    x = x & (m | m << 9 | m << 18)
    twice = twice & m
    several = twice | twice >> 1 | twice >> 2 | (m & m >> 1) | (m | m >> 1) & m >> 2
    return x, x & _fill(~several & 0o111)


@njit(forceinline=True)
def _count(x):
    s = swap_fours(x)
    two = x & s
    one = x | s
    s = swap_twos(one)
    two = two | swap_twos(two) | one & s
    one = one | s
    s = swap_ones(one)
    two = two | swap_ones(two) | one & s
    one = one | s
    n = ninth(x)
    s = eighth(one)
    return n | s, eighth(two) | s & n


@njit(forceinline=True)
def _any(x):
    x = x | swap_fours(x)
    x = x | swap_twos(x)
    x = x | swap_ones(x)
    return ninth(x) | eighth(x)


@njit(forceinline=True)
def _three(x):
    s = swap_fours(x)
    two = x & s
    one = x | s
    a = swap_twos(one)
    b = swap_twos(two)
    three = one & b | two & a
    two = two | b | one & a
    one = one | a
    a = swap_ones(one)
    b = swap_ones(two)
    three = three | swap_ones(three) | one & b | two & a
    two = two | b | one & a
    one = one | a
    n = ninth(x)
    a = eighth(one)
    b = eighth(two)
    three = eighth(three) | b & n
    return b | a & n, three


@njit
def _settle(x):
    while True:
        old = x
        one, two = _count(x)
        naked = one & ~two
        y = x & naked
        c = y | y >> 9 | y >> 18
        x = x & (y | ~_fill((c | c >> 1 | c >> 2) & 0o111))
        x = _keep_rows(x)
        x, lone = _keep_columns(x)
        a = _any(lone)
        bad = (one ^ ALL) | naked & ~a
        x = x & (lone | ~a)
        if occupied(bad) or occupied(x) != EVERY_LANE:
            return x, False
        if occupied(x ^ old) == 0:
            return x, True


@njit
def _lane(digit, band):
    return 8 * band + digit if digit < 8 else 24 + band


@njit
def _load(cells, boards):
    for lane in range(32):
        boards[0, lane] = 0
    s0, s1, s2 = 0, 0, 0
    for band in range(3):
        taken = 0
        for place in range(27):
            digit = cells[27 * band + place]
            if digit:
                boards[0, _lane(digit - 1, band)] |= 1 << place
                taken |= 1 << place
        for digit in range(9):
            boards[0, _lane(digit, band)] |= ALL & ~taken
    for lane in range(27, 32):
        boards[0, lane] = ALL


@njit
def _unload(x, boards, depth, out):
    put(boards, depth, x)
    for band in range(3):
        for digit in range(9):
            word = boards[depth, _lane(digit, band)]
            for place in range(27):
                if (word >> place) & 1:
                    out[27 * band + place] = digit + 1


@njit
def _choose(x):
    two, three = _three(x)
    pick = two & ~three
    if occupied(pick & only_band(0)):
        band = 0
    elif occupied(pick & only_band(1)):
        band = 1
    elif occupied(pick & only_band(2)):
        band = 2
    else:
        pick = three
        band = 0
        while occupied(pick & only_band(band)) == 0:
            band += 1
    word = word_of(pick, 8 * band)
    return band, word & -word


@njit
def search(cells, limit, boards, out, counts):
    _load(cells, boards)
    x = fetch(boards, 0)
    depth, found = 0, 0
    while True:
        x, alive = _settle(x)
        counts[1] += 1
        if alive:
            one, two = _count(x)
            if occupied(two & (only_band(0) | only_band(1) | only_band(2))) == 0:
                _unload(x, boards, depth, out[found])
                found += 1
                if found == limit:
                    return found
            else:
                band, bit = _choose(x)
                here = only_band(band) & bit
                lanes = occupied(x & here)
                low = lanes & -lanes
                lane = 0
                while low > 1:
                    low >>= 1
                    lane += 1
                candidate = only_lane(lane) & bit
                put(boards, depth, x & ~candidate)
                depth += 1
                counts[0] += 1
                x = x & ~here | candidate
                continue
        if depth == 0:
            return found
        depth -= 1
        counts[0] += 1
        x = fetch(boards, depth)


@njit
def search_many(puzzles, limit, boards, out, found, counts):
    for i in range(puzzles.shape[0]):
        found[i] = search(puzzles[i], limit, boards, out[i], counts)
