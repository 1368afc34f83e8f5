"""How far chains and cycles of single links reach: their least lengths, by sets of candidates.

Of each candidate that is taken to be true, *next* are those that it makes true by way of one false candidate. The
search for the best chain or cycle (``walk``) leaves out what cannot be found, or cannot be better than what was found.
Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.bits import ONE, ZERO, bit_index, lowest_bit
from datasets.difficulty.explainer.grid import N_CANDIDATES, Grid, Ints, wide
from datasets.difficulty.explainer.links import N_IN_CELL, N_WEAK, STRONG, Links
from datasets.kernels import njit

WORDS = (N_CANDIDATES + 63) // 64
REACHED, NEWEST, NEXT, ENDS = range(4)  # rows of ``sets``

Sets = NDArray[np.uint64]


class Reach(NamedTuple):
    """Sets of the candidates that have strong links; only these can follow from others.

    Attributes:
        next: those next to each candidate.
        sets: what a search has reached, what it reached last, what is next to that, and what ends a chain.
        place: the bit of each candidate in a set; -1 if it has none.
        candidate: the candidate of each bit.
        size: number of words of a set.
    """

    next: Sets
    sets: Sets
    place: Ints
    candidate: Ints
    size: Ints


def new_reach() -> Reach:
    """Allocate room for sets."""
    return Reach(
        np.zeros((N_CANDIDATES, WORDS), dtype=np.uint64),
        np.zeros((4, WORDS), dtype=np.uint64),
        np.zeros(N_CANDIDATES, dtype=np.int64),
        np.zeros(64 * WORDS, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@njit()
def find_next(grid: Grid, links: Links, reach: Reach, in_cells: bool, first_strong: int, end_strong: int) -> None:
    """Find what is next to each candidate by these strong links, and by weak links, also in cells or not.

    ``reach.place`` must be 0 for the candidates that have a strong link, and -1 for others.
    """
    n = 0
    for candidate in range(N_CANDIDATES):
        if reach.place[candidate] >= 0:
            reach.place[candidate], reach.candidate[n] = n, candidate
            n += 1
    reach.size[0] = (n + 63) // 64
    for candidate in range(N_CANDIDATES):
        if not grid[candidate // 9] >> (candidate % 9) & 1:
            continue
        for word in range(reach.size[0]):
            reach.next[candidate, word] = ZERO
        for k in range(_first_weak(links, candidate, in_cells), links[candidate, N_WEAK]):
            between = links[candidate, k]
            for link in range(first_strong if reach.place[between] >= 0 else end_strong, end_strong):
                if links[between, STRONG + link] >= 0:
                    _add(reach.next, candidate, reach.place[links[between, STRONG + link]])


@njit()
def lengths_if_true(links: Links, reach: Reach, source: int, in_cells: bool) -> tuple[int, int]:
    """Return the least lengths that a cycle through a candidate, and a chain by which it is false, may have; 0: none.

    There is always such a chain, but not always such a cycle.
    """
    sets, place = reach.sets, reach.place[source]
    for word in range(reach.size[0]):
        sets[NEXT, word], sets[REACHED, word], sets[ENDS, word] = reach.next[source, word], ZERO, ZERO
    if place >= 0:
        _add(sets, REACHED, place)
    for k in range(_first_weak(links, source, in_cells), links[source, N_WEAK]):
        if reach.place[links[source, k]] >= 0:
            _add(sets, ENDS, reach.place[links[source, k]])
    cycle, chain, length, is_new = 0 if place >= 0 else -1, 0, 2, True
    while is_new and (cycle == 0 or chain == 0):
        if cycle == 0 and length > 2 and _holds(sets, NEXT, place):
            cycle = length
        length += 2
        is_new, is_end = _settle(reach)
        if chain == 0 and is_end:
            chain = length
        _advance(reach)
    return max(cycle, 0), chain


@njit()
def length_if_false(links: Links, reach: Reach, source: int, first_strong: int, end_strong: int) -> int:
    """Return the least length of a chain by which a candidate is true; 0 if there is none."""
    if reach.place[source] < 0:
        return 0
    sets, length, is_new = reach.sets, 4, True
    for word in range(reach.size[0]):
        sets[NEXT, word], sets[REACHED, word] = ZERO, ZERO
    for link in range(first_strong, end_strong):
        if links[source, STRONG + link] >= 0:
            _add(sets, NEXT, reach.place[links[source, STRONG + link]])
    while is_new:
        is_new, _ = _settle(reach)
        _advance(reach)
        if _holds(sets, NEXT, reach.place[source]):
            return length
        length += 2
    return 0


@njit()
def _settle(reach: Reach) -> tuple[bool, bool]:
    """Let what is next be the newest that was reached; return whether there is any, and whether it ends a chain."""
    sets, newest, ends = reach.sets, ZERO, ZERO
    for word in range(reach.size[0]):
        sets[NEWEST, word] = sets[NEXT, word] & ~sets[REACHED, word]
        sets[REACHED, word] |= sets[NEXT, word]
        newest |= sets[NEWEST, word]
        ends |= sets[NEWEST, word] & sets[ENDS, word]
    return newest != ZERO, ends != ZERO


@njit()
def _advance(reach: Reach) -> None:
    """Find what is next to the newest."""
    sets, n_words = reach.sets, reach.size[0]
    for word in range(n_words):
        sets[NEXT, word] = ZERO
    for k in range(n_words):
        left = sets[NEWEST, k]
        while left:
            bit = lowest_bit(left)
            left ^= bit
            candidate = reach.candidate[64 * k + bit_index(bit)]
            for word in range(n_words):
                sets[NEXT, word] |= reach.next[candidate, word]


@njit()
def _first_weak(links: Links, candidate: int, in_cells: bool) -> int:
    return 0 if in_cells else wide(links[candidate, N_IN_CELL])


@njit()
def _add(sets: Sets, row: int, place: int) -> None:
    sets[row, place >> 6] |= ONE << np.uint64(place & 63)


@njit()
def _holds(sets: Sets, row: int, place: int) -> bool:
    return bool(sets[row, place >> 6] >> np.uint64(place & 63) & ONE)
