"""The reference search kernel for boards of any shape: count solutions up to a limit, and guesses.

The depth-first search places naked singles (a cell with one candidate) and hidden singles (a digit with one place in a
unit) until there are none, then branches on a cell with the fewest candidates. Ties between cells and the order of the
values tried are random and seeded. Uniqueness, the generator, the rating and the reference counts of a run use this
kernel. Importing this module imports numba. Boards up to 62×62 fit, because the candidates of a cell are a bit mask.

Why this kernel stands alone: it is the only one that counts several solutions and accepts every shape, and it defines
``guesses`` for all puzzles. ``datasets/making/bands`` is faster, but for 9×9 boards only; ``datasets/difficulty/board``
also keeps the places of each digit, which would make this search slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.bits import (
    ONE,
    ZERO,
    RandomState,
    bit_index,
    popcount,
    random_below,
    random_bit,
    random_state,
)
from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

Masks = NDArray[np.uint64]
Cells = NDArray[np.int64]


@dataclass(frozen=True)
class SearchResult:
    """The result of a search.

    Attributes:
        solutions: up to ``limit`` distinct solutions, N·N digits each.
        guesses: values tried at branch cells until the search ended, including wrong values.
        complete: False if the search stopped at ``max_guesses``; there may be more solutions then.
    """

    solutions: tuple[tuple[int, ...], ...]
    guesses: int
    complete: bool


def solve(puzzle: Puzzle, limit: int = 2, seed: int = 0, max_guesses: int = 2**62) -> SearchResult:
    """Find up to ``limit`` solutions; stop after ``max_guesses`` guesses (``complete`` is then False).

    Raises:
        ValueError: ``limit`` is less than 1.
    """
    if limit < 1:
        raise ValueError(f"a search needs a limit of at least one solution, not {limit}")
    out = np.zeros((limit, puzzle.shape.n_cells), dtype=np.int64)
    n_solutions, guesses, complete = _search(*_tables(puzzle), limit, random_state(seed), max_guesses, out)
    return SearchResult(tuple(tuple(row) for row in out[:n_solutions].tolist()), guesses, bool(complete))


def count_guesses(puzzle: Puzzle, orders: int, seed: int, max_guesses: int) -> NDArray[np.int64]:
    """Count the guesses until the first solution, once for each of ``orders`` random orders.

    If an order reaches ``max_guesses``, its count and all later counts are -1. Because ties and the order of values are
    random, the distribution of the counts is the same for all isomorphs.
    """
    counts: NDArray[np.int64] = _count_guesses(*_tables(puzzle), orders, random_state(seed), max_guesses)
    return counts


def _tables(puzzle: Puzzle) -> tuple[Cells, Masks, Cells, Cells]:
    """Return the clues, the candidates of all cells before the clues are placed, the units, and the peers."""
    masks = np.full(puzzle.shape.n_cells, (1 << puzzle.shape.size) - 1, dtype=np.uint64)
    for cell, value in puzzle.forbidden:
        masks[cell] &= ~(ONE << np.uint64(value - 1))
    return np.array(puzzle.cells, dtype=np.int64), masks, *unit_tables(puzzle.shape)


@lru_cache(maxsize=16)
def unit_tables(shape: Shape) -> tuple[Cells, Cells]:
    """Return the cells of each unit of N cells (3N × N on ordinary boards) and the peers of each cell (N·N rows).

    A row of peers repeats its last one if other cells have more, which has no effect. Smaller units only make peers.
    """
    most = max(map(len, shape.peers))
    peers = [(*peers, *[peers[-1]] * (most - len(peers))) for peers in shape.peers]
    return np.array(shape.full_units, dtype=np.int64), np.array(peers, dtype=np.int64)


@njit()
def _place(cand: Masks, peers: Cells, cell: int, bit: Any, queue: Cells) -> bool:
    """Place a digit and all naked singles that follow. Return False on a contradiction."""
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


@njit()
def _place_hidden(cand: Masks, units: Cells, peers: Cells, queue: Cells) -> bool:
    """Place hidden singles until there are none. Return False on a contradiction."""
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
                    return False  # two digits have their only place in this cell
                if not _place(cand, peers, cell, bit, queue):
                    return False
                changed = True
    return True


@njit()
def _branch_cell(cand: Masks, state: RandomState) -> int:
    """Return an open cell with the fewest candidates, ties broken at random; -1 if no cell is open."""
    best, fewest, ties = -1, 65, 0
    for cell in range(cand.shape[0]):
        mask = cand[cell]
        if mask & (mask - ONE) == ZERO:
            continue
        count = popcount(mask)
        if count < fewest:
            best, fewest, ties = cell, count, 1
        elif count == fewest:
            ties += 1
            if random_below(state, ties) == 0:
                best = cell
    return best


@njit()
def _root(cells: Cells, masks: Masks, units: Cells, peers: Cells, cand: Masks, queue: Cells) -> bool:
    """Set ``cand`` to the candidates after the clues and all singles. Return False on a contradiction."""
    cand[:] = masks
    for cell in range(cells.shape[0]):
        if masks[cell] == ZERO:
            return False
    for cell in range(cells.shape[0]):
        if cells[cell]:
            bit = ONE << np.uint64(cells[cell] - 1)
            if cand[cell] & bit == ZERO:
                return False
            if cand[cell] != bit and not _place(cand, peers, cell, bit, queue):
                return False
    return _place_hidden(cand, units, peers, queue)


@njit(nogil=True)
def _search(
    cells: Cells,
    masks: Masks,
    units: Cells,
    peers: Cells,
    limit: int,
    state: RandomState,
    max_guesses: int,
    out: Cells,
) -> tuple[int, int, bool]:
    """Search depth-first; return the number of solutions written to ``out``, the guesses, and whether it finished."""
    n = cells.shape[0]
    stack = np.empty((n + 1, n), dtype=np.uint64)  # candidates at each depth
    branch = np.empty(n + 1, dtype=np.int64)  # branch cell at each depth
    untried = np.empty(n + 1, dtype=np.uint64)  # its untried values
    queue = np.empty(n, dtype=np.int64)
    n_solutions, guesses, depth = 0, 0, 0
    alive = _root(cells, masks, units, peers, stack[0], queue)
    while True:
        if alive:
            branch[depth] = _branch_cell(stack[depth], state)
            if branch[depth] < 0:
                for cell in range(n):
                    out[n_solutions, cell] = bit_index(stack[depth, cell]) + 1
                n_solutions += 1
                if n_solutions == limit:
                    return n_solutions, guesses, True
                depth -= 1
            else:
                untried[depth] = stack[depth, branch[depth]]
        else:
            depth -= 1
        while depth >= 0 and untried[depth] == ZERO:
            depth -= 1
        if depth < 0:
            return n_solutions, guesses, True
        if guesses == max_guesses:
            return n_solutions, guesses, False
        bit = random_bit(untried[depth], state)
        untried[depth] ^= bit
        guesses += 1
        stack[depth + 1] = stack[depth]
        depth += 1
        alive = _place(stack[depth], peers, branch[depth - 1], bit, queue) and _place_hidden(
            stack[depth], units, peers, queue
        )


@njit(nogil=True)
def _count_guesses(
    cells: Cells, masks: Masks, units: Cells, peers: Cells, orders: int, state: RandomState, max_guesses: int
) -> NDArray[np.int64]:
    counts = np.full(orders, -1, dtype=np.int64)
    out = np.empty((1, cells.shape[0]), dtype=np.int64)
    for i in range(orders):
        _, guesses, complete = _search(cells, masks, units, peers, 1, state, max_guesses, out)
        if not complete:
            break
        counts[i] = guesses
    return counts
