"""The compiled search kernel: count solutions up to a limit, and count the guesses on the way.

A depth-first search that places naked singles (a cell with one candidate) and hidden singles (a digit with one
place in a unit) until neither is left, then branches on a cell with the fewest candidates. Ties between cells, and
the order of the values tried, are random and seeded. Uniqueness, the generator, the rating and the reference
counts of a run all share this one kernel. Importing this module imports numba.

Boards up to 36×36 fit: candidates of a cell are a bit mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.puzzle import Puzzle
from datasets.shape import Shape

Masks = NDArray[np.uint64]
Cells = NDArray[np.int64]

ONE = np.uint64(1)
ZERO = np.uint64(0)


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes:
        solutions: up to ``limit`` distinct solutions, N·N digits each.
        guesses: values tried at branch cells, wrong ones included, until the search ended.
        complete: False if the search gave up at ``max_guesses``: there may be more solutions.
    """

    solutions: tuple[tuple[int, ...], ...]
    guesses: int
    complete: bool


def solve(puzzle: Puzzle, limit: int = 2, seed: int = 0, max_guesses: int = 2**62) -> Found:
    """Find up to ``limit`` solutions, giving up after ``max_guesses`` guesses (complete is then False).

    Raises:
        ValueError: ``limit`` is less than 1.
    """
    if limit < 1:
        raise ValueError(f"a search looks for at least one solution, not {limit}")
    units, peers = _tables(puzzle.shape)
    out = np.zeros((limit, puzzle.shape.n_cells), dtype=np.int64)
    cells = np.array(puzzle.cells, dtype=np.int64)
    found, guesses, complete = _search(cells, units, peers, limit, _state(seed), max_guesses, out)
    return Found(tuple(tuple(row) for row in out[:found].tolist()), guesses, bool(complete))


def count_guesses(puzzle: Puzzle, orders: int, seed: int, max_guesses: int) -> NDArray[np.int64]:
    """Guesses until the first solution, once for each of ``orders`` random orders; -1 from the first order on
    that reached ``max_guesses``.

    Random ties and a random order of values make the count invariant, in distribution, under isomorphs.
    """
    units, peers = _tables(puzzle.shape)
    cells = np.array(puzzle.cells, dtype=np.int64)
    counts: NDArray[np.int64] = _count_guesses(cells, units, peers, orders, _state(seed), max_guesses)
    return counts


@lru_cache(maxsize=16)
def _tables(shape: Shape) -> tuple[Cells, Cells]:
    return np.array(shape.units, dtype=np.int64), np.array(shape.peers, dtype=np.int64)


def _state(seed: int) -> Masks:
    return np.array([seed % 2**64], dtype=np.uint64)


@njit(cache=True)
def _random_below(state: Masks, bound: int) -> Any:
    """A random integer in 0 .. bound-1 (SplitMix64: Steele, Lea & Flood 2014); the same on every machine."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64((z >> np.uint64(33)) % np.uint64(bound))


@njit(cache=True)
def _popcount(mask: Any) -> Any:
    x = mask - ((mask >> ONE) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True)
def _place(cand: Masks, peers: Cells, cell: int, bit: Any, queue: Cells) -> bool:
    """Place a digit and follow the naked singles that appear. False on a contradiction."""
    cand[cell] = bit
    queue[0] = cell
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        mask = cand[here]
        for k in range(peers.shape[1]):
            peer = peers[here, k]
            if cand[peer] & mask:
                left = cand[peer] & ~mask
                if left == ZERO:
                    return False
                cand[peer] = left
                if left & (left - ONE) == ZERO:
                    queue[tail] = peer
                    tail += 1
    return True


@njit(cache=True)
def _place_hidden(cand: Masks, units: Cells, peers: Cells, queue: Cells) -> bool:
    """Place hidden singles until none is left. False on a contradiction."""
    size = units.shape[1]
    full = (ONE << np.uint64(size)) - ONE
    changed = True
    while changed:
        changed = False
        for u in range(units.shape[0]):
            once, more = ZERO, ZERO
            for k in range(size):
                mask = cand[units[u, k]]
                more |= once & mask
                once |= mask
            if once != full:
                return False
            hidden = once & ~more
            for k in range(size):
                cell = units[u, k]
                bit = cand[cell] & hidden
                if bit == ZERO or bit == cand[cell]:
                    continue
                if bit & (bit - ONE):
                    return False  # two digits have no other place than this cell
                if not _place(cand, peers, cell, bit, queue):
                    return False
                changed = True
    return True


@njit(cache=True)
def _branch_cell(cand: Masks, state: Masks) -> int:
    """An open cell with the fewest candidates, ties broken at random; -1 if every cell is decided."""
    best, fewest, ties = -1, 65, 0
    for cell in range(cand.shape[0]):
        mask = cand[cell]
        if mask & (mask - ONE) == ZERO:
            continue
        count = _popcount(mask)
        if count < fewest:
            best, fewest, ties = cell, count, 1
        elif count == fewest:
            ties += 1
            if _random_below(state, ties) == 0:
                best = cell
    return best


@njit(cache=True)
def _random_bit(mask: Any, state: Masks) -> Any:
    skip = _random_below(state, _popcount(mask))
    for _ in range(skip):
        mask &= mask - ONE
    return mask & (~mask + ONE)


@njit(cache=True)
def _digit(bit: Any) -> int:
    return int(_popcount(bit - ONE)) + 1


@njit(cache=True)
def _root(cells: Cells, units: Cells, peers: Cells, cand: Masks, queue: Cells) -> bool:
    """Candidates after the clues and all singles. False on a contradiction."""
    size = units.shape[1]
    cand[:] = (ONE << np.uint64(size)) - ONE
    for cell in range(cells.shape[0]):
        if cells[cell]:
            bit = ONE << np.uint64(cells[cell] - 1)
            if cand[cell] & bit == ZERO:
                return False
            if cand[cell] != bit and not _place(cand, peers, cell, bit, queue):
                return False
    return _place_hidden(cand, units, peers, queue)


@njit(cache=True)
def _search(
    cells: Cells, units: Cells, peers: Cells, limit: int, state: Masks, max_guesses: int, out: Cells
) -> tuple[int, int, bool]:
    """Depth-first search; returns the number of solutions written to ``out``, the guesses, and whether it finished."""
    n = cells.shape[0]
    stack = np.empty((n + 1, n), dtype=np.uint64)  # candidates at each depth
    branch = np.empty(n + 1, dtype=np.int64)  # cell branched on
    untried = np.empty(n + 1, dtype=np.uint64)  # its values not tried yet
    queue = np.empty(n, dtype=np.int64)
    found, guesses, depth = 0, 0, 0
    alive = _root(cells, units, peers, stack[0], queue)
    while True:
        if alive:
            branch[depth] = _branch_cell(stack[depth], state)
            if branch[depth] < 0:
                for cell in range(n):
                    out[found, cell] = _digit(stack[depth, cell])
                found += 1
                if found == limit:
                    return found, guesses, True
                depth -= 1
            else:
                untried[depth] = stack[depth, branch[depth]]
        else:
            depth -= 1
        while depth >= 0 and untried[depth] == ZERO:
            depth -= 1
        if depth < 0:
            return found, guesses, True
        if guesses == max_guesses:
            return found, guesses, False
        bit = _random_bit(untried[depth], state)
        untried[depth] ^= bit
        guesses += 1
        stack[depth + 1] = stack[depth]
        depth += 1
        alive = _place(stack[depth], peers, branch[depth - 1], bit, queue) and _place_hidden(
            stack[depth], units, peers, queue
        )


@njit(cache=True)
def _count_guesses(
    cells: Cells, units: Cells, peers: Cells, orders: int, state: Masks, max_guesses: int
) -> NDArray[np.int64]:
    counts = np.full(orders, -1, dtype=np.int64)
    out = np.empty((1, cells.shape[0]), dtype=np.int64)
    for i in range(orders):
        _, guesses, complete = _search(cells, units, peers, 1, state, max_guesses, out)
        if not complete:
            break
        counts[i] = guesses
    return counts
