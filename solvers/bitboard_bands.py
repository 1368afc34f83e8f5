from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from datasets.shape import Shape
from solvers.bitboard_lanes import (
    eighth, fetch, last_band, next_band, ninth, occupied, only_band, only_lane, put, swap_fours, swap_ones, swap_twos,
    word_of, ones_in, lowest_in,
)

ALL = (1 << 27) - 1
EVERY_LANE = (1 << 32) - 1
DEPTH = 82
WEIGHT = 2
PEERS = np.zeros((81, 2), dtype=np.int64)
for _c, _peers in enumerate(Shape(3, 3).peers):
    for _p in _peers:
        PEERS[_c, _p // 54] |= 1 << _p % 54


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


@njit(forceinline=True)
def _round(x):
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
    return x, occupied(bad) == 0 and occupied(x) == EVERY_LANE


@njit
def _settle(x):
    while True:
        old = x
        x, alive = _round(x)
        if not alive or occupied(x ^ old) == 0:
            return x, alive


@njit
def _settle_both(x, y):
    while True:
        old_x, old_y = x, y
        x, x_alive = _round(x)
        y, y_alive = _round(y)
        x_goes = x_alive and occupied(x ^ old_x) != 0
        y_goes = y_alive and occupied(y ^ old_y) != 0
        if not (x_goes and y_goes):
            break
    if x_goes:
        x, x_alive = _settle(x)
    if y_goes:
        y, y_alive = _settle(y)
    return x, x_alive, y, y_alive


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


@njit(forceinline=True)
def _digit(lane):
    return np.uint64(8 if lane >= 24 else lane & 7)


@njit(forceinline=True)
def _best_pair(x, pick, boards, depth, halves):
    put(boards, depth, x)
    for digit in range(9):
        halves[digit, 0] = np.int64(boards[depth, _lane(digit, 0)]) | np.int64(boards[depth, _lane(digit, 1)]) << 27
        halves[digit, 1] = boards[depth, _lane(digit, 2)]
    low_pick = word_of(pick, 0) | word_of(pick, 8) << 27
    high_pick = word_of(pick, 16)
    best, best_cell = -1, 0
    for half in range(2):
        cells = high_pick if half else low_pick
        while cells:
            place = lowest_in(cells)
            cells &= cells - 1
            cell = np.uint64(place + 54 * half)
            band = 2 if half else np.int64(place >= 27)
            lanes = occupied(x & only_band(band) & 1 << (place - 27 if place >= 27 else place))
            first = _digit(lowest_in(lanes))
            second = _digit(lowest_in(lanes & (lanes - 1)))
            low, high = PEERS[cell, 0], PEERS[cell, 1]
            a, b = low & halves[first, 0], high & halves[first, 1]
            c, d = low & halves[second, 0], high & halves[second, 1]
            weight = ones_in(a) + ones_in(b) + WEIGHT * (ones_in(a & low_pick) + ones_in(b & high_pick))
            weight += ones_in(c) + ones_in(d) + WEIGHT * (ones_in(c & low_pick) + ones_in(d & high_pick))
            if weight > best:
                best, best_cell = weight, np.int64(cell)
    band, bit = best_cell // 27, 1 << best_cell % 27
    return band, bit, lowest_in(occupied(x & only_band(band) & bit))


@njit
def _choose(x, boards, depth, halves):
    two, three = _three(x)
    pick = two & ~three
    if occupied(pick):
        return _best_pair(x, pick, boards, depth, halves)
    pick = two
    band = 0
    while occupied(pick & only_band(band)) == 0:
        band += 1
    word = word_of(pick, 8 * band)
    return band, word & -word, lowest_in(occupied(x & only_band(band) & (word & -word)))


@njit
def search(cells, limit, boards, out, counts, weights):
    _load(cells, boards)
    x, alive = _settle(fetch(boards, 0))
    counts[1] += 1
    depth, found = 0, 0
    while True:
        if alive:
            one, two = _count(x)
            if occupied(two & (only_band(0) | only_band(1) | only_band(2))) == 0:
                _unload(x, boards, depth, out[found])
                found += 1
                if found == limit:
                    return found
            else:
                band, bit, lane = _choose(x, boards, depth, weights)
                here = only_band(band) & bit
                candidate = only_lane(lane) & bit
                counts[0] += 2
                counts[1] += 2
                x, alive, y, y_alive = _settle_both(x & ~here | candidate, x & ~candidate)
                if alive:
                    if y_alive:
                        put(boards, depth, y)
                        depth += 1
                    continue
                x, alive = y, y_alive
                continue
        if depth == 0:
            return found
        depth -= 1
        x, alive = fetch(boards, depth), True


@njit
def search_many(puzzles, limit, boards, out, found, counts):
    weights = np.empty((9, 2), dtype=np.int64)
    for i in range(puzzles.shape[0]):
        found[i] = search(puzzles[i], limit, boards, out[i], counts, weights)
