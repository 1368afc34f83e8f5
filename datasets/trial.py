"""The trial-and-error rating: how many rounds of singles it takes to refute a wrong candidate.

A *round* finds all naked and hidden singles of the present state, then places them all at once. Whenever singles get
stuck, each candidate in turn is assumed, and rounds are counted until a contradiction: a cell without a candidate, or
a unit without a place for a digit. One that round r finds, before it places anything, counts r, so what the assumption
itself breaks counts 1. The cheapest candidates, all of equal count at once, are eliminated, and singles go on: that is
a stage. The rating is the largest count over the stages. A puzzle that is not solved when no candidate is refuted any
more needs a second level of trial. Everything is deterministic and the same for all isomorphs.

Importing this module imports numba. Boards up to 36×36 fit, as in ``datasets.search``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.puzzle import Puzzle
from datasets.search import ONE, ZERO, _digit, _tables
from datasets.shape import Shape

Masks = NDArray[np.uint64]
Cells = NDArray[np.int64]

NO_LIMIT = 2**62


@dataclass(frozen=True)
class Trial:
    """The trial-and-error rating of a puzzle with one solution.

    Attributes:
        rounds: the largest count over all stages; 0 if singles suffice.
        depth: 1, or 2 if one level of trial does not solve the puzzle (``rounds`` is then of the stages done).
    """

    rounds: int
    depth: int


def trial(puzzle: Puzzle, solution: tuple[int, ...]) -> Trial:
    """The rating of a puzzle whose one solution is known: its candidates need no trial, as they are never refuted.

    Raises:
        ValueError: the solution does not fit the clues.
    """
    units, peers, homes = tables(puzzle.shape)
    cells, solved = np.array(puzzle.cells, dtype=np.int64), np.array(solution, dtype=np.int64)
    rounds, depth = trial_kernel(cells, solved, units, peers, homes)
    if depth < 0 or ((cells != solved) & (cells != 0)).any():
        raise ValueError("the solution does not fit the clues")
    return Trial(int(rounds), int(depth))


@lru_cache(maxsize=16)
def tables(shape: Shape) -> tuple[Cells, Cells, Cells]:
    """Units (3N × N cells), peers of each cell, and homes: for each cell its row, column and box (numbers of units)
    and its place in each (N·N × 6)."""
    homes = np.empty((shape.n_cells, 6), dtype=np.int64)
    for u, unit in enumerate(shape.units):
        for place, cell in enumerate(unit):
            homes[cell, u // shape.size], homes[cell, 3 + u // shape.size] = u, place
    return *_tables(shape), homes


@njit(cache=True)
def _remove(cand: Masks, spots: Masks, homes: Cells, cell: int, digit: int, queue: Cells, tail: int) -> int:
    """Take a candidate (digits from 0) away and queue the singles that appear; the new tail, -1 on a contradiction.

    A queued number is cell · N + digit for a naked single, N³ + unit · N + digit for a hidden one.
    """
    size = spots.shape[1]
    bit = ONE << np.uint64(digit)
    left = cand[cell] & ~bit
    if left == cand[cell]:
        return tail
    cand[cell] = left
    if left == ZERO:
        return -1
    if left & (left - ONE) == ZERO:
        queue[tail] = cell * size + _digit(left) - 1
        tail += 1
    for k in range(3):
        unit = homes[cell, k]
        places = spots[unit, digit]
        left = places & ~(ONE << np.uint64(homes[cell, 3 + k]))
        if left == places:
            continue
        spots[unit, digit] = left
        if left == ZERO:
            return -1
        if left & (left - ONE) == ZERO:
            queue[tail] = size * size * size + unit * size + digit
            tail += 1
    return tail


@njit(cache=True)
def _put(cand: Masks, spots: Masks, peers: Cells, homes: Cells, cell: int, digit: int, queue: Cells, tail: int) -> int:
    """Place a digit (from 0) and queue the singles that appear; the new tail, -1 on a contradiction."""
    bit = ONE << np.uint64(digit)
    others = cand[cell] & ~bit
    if others == cand[cell]:
        return -1
    cand[cell] = bit
    for k in range(3):  # no single that is placed already shall be queued
        spots[homes[cell, k], digit] = ONE << np.uint64(homes[cell, 3 + k])
    while others:
        other = others & (~others + ONE)
        others ^= other
        d = _digit(other) - 1
        for k in range(3):
            unit = homes[cell, k]
            places = spots[unit, d]
            left = places & ~(ONE << np.uint64(homes[cell, 3 + k]))
            spots[unit, d] = left
            if left == ZERO:
                return -1
            if left != places and left & (left - ONE) == ZERO:
                queue[tail] = spots.shape[1] ** 3 + unit * spots.shape[1] + d
                tail += 1
    for k in range(peers.shape[1]):
        if cand[peers[cell, k]] & bit:
            tail = _remove(cand, spots, homes, peers[cell, k], digit, queue, tail)
            if tail < 0:
                return -1
    return tail


@njit(cache=True)
def _rounds(
    cand: Masks, spots: Masks, units: Cells, peers: Cells, homes: Cells, queue: Cells, tail: int, limit: int
) -> int:
    """Rounds of singles, from those queued: the round that finds a contradiction, 0 if none up to round ``limit``."""
    size = spots.shape[1]
    head, number = 0, 1
    while head < tail and number < limit:
        end = tail
        while head < end:
            code = queue[head]
            head += 1
            digit = code % size
            cell = code // size
            if cell >= size * size:
                unit = cell - size * size
                cell = units[unit, _digit(spots[unit, digit]) - 1]
            tail = _put(cand, spots, peers, homes, cell, digit, queue, tail)
            if tail < 0:
                return number + 1
        number += 1
    return 0


@njit(cache=True)
def _cheapest(
    cand: Masks,
    spots: Masks,
    solution: Cells,
    units: Cells,
    peers: Cells,
    homes: Cells,
    refuted: Masks,
    queue: Cells,
) -> int:
    """The fewest rounds in which an assumed candidate is refuted, 0 if none is; ``refuted`` gets all that take no more.

    The state must have no single left.
    """
    best = NO_LIMIT
    tried, tried_spots = cand.copy(), spots.copy()
    refuted[:] = ZERO
    for cell in range(cand.shape[0]):
        mask = cand[cell]
        if mask & (mask - ONE) == ZERO:
            continue
        while mask:
            bit = mask & (~mask + ONE)
            mask ^= bit
            digit = _digit(bit) - 1
            if digit + 1 == solution[cell]:
                continue
            tried[:] = cand
            tried_spots[:] = spots
            tail = _put(tried, tried_spots, peers, homes, cell, digit, queue, 0)
            count = 1 if tail < 0 else _rounds(tried, tried_spots, units, peers, homes, queue, tail, best)
            if 0 < count < best:
                best = count
                refuted[:] = ZERO
            if count == best:
                refuted[cell] |= bit
    return 0 if best == NO_LIMIT else best


@njit(cache=True)
def _begin(cells: Cells, cand: Masks, spots: Masks, peers: Cells, homes: Cells, queue: Cells) -> int:
    """The board with its clues and nothing else: the tail of the queue of singles, -1 on a contradiction."""
    full = (ONE << np.uint64(spots.shape[1])) - ONE
    cand[:] = full
    spots[:] = full
    tail = 0
    for cell in range(cells.shape[0]):
        if cells[cell]:
            tail = _put(cand, spots, peers, homes, cell, cells[cell] - 1, queue, tail)
            if tail < 0:
                break
    return tail


@njit(cache=True)
def _eliminate(refuted: Masks, cand: Masks, spots: Masks, homes: Cells, queue: Cells) -> int:
    """Take the refuted candidates away: the tail of the queue of singles, -1 on a contradiction."""
    tail = 0
    for cell in range(cand.shape[0]):
        mask = refuted[cell]
        while mask and tail >= 0:
            bit = mask & (~mask + ONE)
            mask ^= bit
            tail = _remove(cand, spots, homes, cell, _digit(bit) - 1, queue, tail)
    return tail


@njit(cache=True)
def trial_kernel(cells: Cells, solution: Cells, units: Cells, peers: Cells, homes: Cells) -> tuple[int, int]:
    """Rounds and depth of a puzzle (cells with 0 for empty); see ``Trial``. The tables are those of ``tables``.

    ``solution`` only spares the trial of right candidates: zeros give the same result for a puzzle with one solution.
    Depth -1 says that there is no solution, or another one than this.
    """
    n, size = cells.shape[0], units.shape[1]
    cand, spots = np.empty(n, dtype=np.uint64), np.empty((3 * size, size), dtype=np.uint64)
    refuted, queue = np.empty(n, dtype=np.uint64), np.empty(5 * n, dtype=np.int64)
    most = 0
    tail = _begin(cells, cand, spots, peers, homes, queue)
    while tail >= 0 and _rounds(cand, spots, units, peers, homes, queue, tail, NO_LIMIT) == 0:
        if not (cand & (cand - ONE)).any():
            return most, 1
        count = _cheapest(cand, spots, solution, units, peers, homes, refuted, queue)
        if count == 0:
            return most, 2
        most = max(most, count)
        tail = _eliminate(refuted, cand, spots, homes, queue)
    return most, -1
