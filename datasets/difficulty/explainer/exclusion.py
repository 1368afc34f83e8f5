"""Aligned pair and triplet exclusion (6.2 and 7.5): combinations of candidates that leave another cell none.

The candidates of two or three *base* cells are tried in all combinations. A combination is impossible if cells that see
each other hold the same digit, or if an *excluder*, a cell that sees all base cells, has no other candidates. What no
possible combination holds is eliminated. Importing this module imports numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.bits import ONE, bit_index, lowest_bit
from sudoku_bench.datasets.difficulty.explainer.grid import CELL, PEERS, POP, SEES, Grid, Ints, put
from sudoku_bench.datasets.kernels import njit

CellSets = NDArray[np.uint64]  # two words for each set


@njit(nogil=True)
def aligned_exclusion(grid: Grid, n: int, masks: Ints) -> bool:
    """Find an exclusion with ``n`` base cells (2 or 3).

    An excluder has two candidates, or up to ``n``, and at least two are needed. ``masks`` receives what is eliminated
    from each cell.
    """
    excluders, common = np.zeros((81, 2), dtype=np.uint64), np.zeros(2, dtype=np.uint64)
    bases, sets = np.zeros(3, dtype=np.int64), np.zeros(20, dtype=np.int64)
    _find_excluders(grid, n, excluders)
    for b in range(1, 81):
        for a in range(b if excluders[b, 0] | excluders[b, 1] else 0):
            for word in range(2):
                common[word] = excluders[a, word] & excluders[b, word]
            if not _are_several(common[0], common[1]):
                continue
            bases[0], bases[1], bases[2] = a, b, -1
            if n == 2 and _excludes(grid, common[0], common[1], bases, 2, sets, masks):
                return True
            if n == 3 and _with_third(grid, excluders, common, bases, sets, masks):
                return True
    return False


@njit()
def _find_excluders(grid: Grid, n: int, excluders: CellSets) -> None:
    """Find the excluders of each open cell."""
    for cell in range(81):
        for peer in PEERS[cell]:
            if POP[grid[cell]] > 1 and 2 <= POP[grid[peer]] <= n:
                for word in range(2):
                    excluders[cell, word] |= CELL[peer, word]


@njit()
def _are_several(low: Any, high: Any) -> bool:
    return bool(low & (low - ONE) or high & (high - ONE) or (low and high))


@njit()
def _with_third(grid: Grid, excluders: CellSets, common: CellSets, bases: Ints, sets: Ints, masks: Ints) -> bool:
    """Try each third base cell: an excluder of the first cell, then one of the second only."""
    for turn in range(2):
        cell, other = bases[turn], bases[1 - turn]
        for word in range(2):
            left = excluders[cell, word]
            while left:
                bit = lowest_bit(left)
                left ^= bit
                third = 64 * word + bit_index(bit)
                if third == other or (turn and SEES[third, other]):
                    continue
                low, high = common[0] & excluders[third, 0], common[1] & excluders[third, 1]
                bases[2] = third
                if _are_several(low, high) and _excludes(grid, low, high, bases, 3, sets, masks):
                    return True
    return False


@njit()
def _excludes(grid: Grid, low: Any, high: Any, bases: Ints, n: int, sets: Ints, masks: Ints) -> bool:
    """Write what the base cells exclude with their common excluders; return whether there is something.

    ``low`` and ``high`` hold these excluders; ``sets`` is room for their candidates.
    """
    n_sets = 0
    for word, left in enumerate((low, high)):
        while left:
            bit = lowest_bit(left)
            left ^= bit
            sets[n_sets] = grid[64 * word + bit_index(bit)]
            n_sets += 1
    third = grid[bases[2]] if n == 3 else 0
    a_left, b_left, c_left = _possible(grid, bases, third, sets, n_sets)
    if a_left == grid[bases[0]] and b_left == grid[bases[1]] and c_left == third:
        return False
    put(masks, 0)
    masks[bases[0]], masks[bases[1]] = grid[bases[0]] & ~a_left, grid[bases[1]] & ~b_left
    if n == 3:
        masks[bases[2]] = third & ~c_left
    return True


@njit()
def _possible(grid: Grid, bases: Ints, third: int, sets: Ints, n_sets: int) -> tuple[int, int, int]:
    """Return the candidates of each base cell that some possible combination holds.

    ``third`` holds the candidates of the third one, 0 if there is none.
    """
    a_left, b_left, c_left = 0, 0, 0
    a_mask, b_mask = grid[bases[0]], grid[bases[1]]
    ab = SEES[bases[0], bases[1]]
    ac, bc = third and SEES[bases[0], bases[2]], third and SEES[bases[1], bases[2]]
    for a in range(9):
        for b in range(9):
            is_known = a_left >> a & 1 and b_left >> b & 1 and c_left == third
            if not a_mask >> a & 1 or not b_mask >> b & 1 or (ab and a == b) or is_known:
                continue
            used, fits, excluded = 1 << a | 1 << b, True, (1 << a if ac else 0) | (1 << b if bc else 0)
            for k in range(n_sets):
                left = sets[k] & ~used
                fits &= left != 0
                if POP[left] == 1:
                    excluded |= left
            possible = third & ~excluded
            if fits and (possible or not third):
                a_left, b_left, c_left = a_left | 1 << a, b_left | 1 << b, c_left | possible
    return a_left, b_left, c_left
