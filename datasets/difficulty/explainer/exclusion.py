"""Aligned pair and triplet exclusion (6.2 and 7.5): combinations of candidates that leave another cell none.

The candidates of two or three *base* cells are tried in all combinations. A combination is impossible if cells that see
each other hold the same digit, or if an *excluder*, a cell that sees all base cells, has no other candidates. What no
possible combination holds is eliminated. Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np

from datasets.difficulty.explainer.grid import PEERS, POP, SEES, Grid, Ints, any_of, put
from datasets.kernels import njit


@njit(nogil=True)
def aligned_exclusion(grid: Grid, n: int, masks: Ints, note: Ints) -> bool:
    """Find an exclusion with ``n`` base cells (2 or 3).

    An excluder has two candidates, or up to ``n``, and at least two are needed. ``masks`` receives what is eliminated
    from each cell, ``note`` the base cells.
    """
    excluders = np.zeros((81, 20), dtype=np.int64)
    n_excluders = np.zeros(81, dtype=np.int64)
    bases = _find_bases(grid, n, excluders, n_excluders)
    common = np.zeros((2, 20), dtype=np.int64)  # excluders of two base cells, and of three
    for b in range(1, bases.shape[0]):
        for a in range(b):
            note[0], note[1], note[2] = bases[a], bases[b], -1
            n_common = _keep_seen(excluders[bases[a]], n_excluders[bases[a]], bases[b], common[0])
            if n_common < 2:
                continue
            if n == 2 and _excludes(grid, common[0], n_common, note, 2, masks):
                return True
            if n == 3 and _with_third(grid, excluders, n_excluders, common, n_common, note, masks):
                return True
    return False


@njit()
def _find_bases(grid: Grid, n: int, excluders: Ints, n_excluders: Ints) -> Ints:
    """Return the open cells that have excluders; write the excluders of each cell and their number."""
    bases = np.zeros(81, dtype=np.int64)
    n_bases = 0
    for cell in range(81):
        if POP[grid[cell]] < 2:
            continue
        for peer in PEERS[cell]:
            if 2 <= POP[grid[peer]] <= n:
                excluders[cell, n_excluders[cell]] = peer
                n_excluders[cell] += 1
        if n_excluders[cell]:
            bases[n_bases] = cell
            n_bases += 1
    return bases[:n_bases]


@njit()
def _keep_seen(cells: Ints, n: int, cell: int, kept: Ints) -> int:
    """Write those of ``n`` cells that see a cell; return their number."""
    n_kept = 0
    for k in range(n):
        if SEES[cells[k], cell]:
            kept[n_kept] = cells[k]
            n_kept += 1
    return n_kept


@njit()
def _with_third(
    grid: Grid, excluders: Ints, n_excluders: Ints, common: Ints, n_common: int, note: Ints, masks: Ints
) -> bool:
    """Try each third base cell: an excluder of the first cell, then one of the second only."""
    for turn in range(2):
        cell, other = note[turn], note[1 - turn]
        for k in range(n_excluders[cell]):
            third = excluders[cell, k]
            if n_excluders[third] == 0 or third == other or (turn and SEES[third, other]):
                continue
            note[2] = third
            n_left = _keep_seen(common[0], n_common, third, common[1])
            if n_left >= 2 and _excludes(grid, common[1], n_left, note, 3, masks):
                return True
    return False


@njit()
def _excludes(grid: Grid, common: Ints, n_common: int, note: Ints, n: int, masks: Ints) -> bool:
    """Write what the base cells in ``note`` exclude with their common excluders; return whether there is something."""
    third = grid[note[2]] if n == 3 else 0
    left = _possible(grid, note, n, third, grid[common[:n_common]])
    put(masks, 0)
    for k in range(n):
        masks[note[k]] = grid[note[k]] & ~left[k]
    return any_of(masks)


@njit()
def _possible(grid: Grid, note: Ints, n: int, third: int, sets: Ints) -> tuple[int, int, int]:
    """Return the candidates of each base cell that some possible combination holds."""
    a_left, b_left, c_left = 0, 0, 0
    a_mask, b_mask = grid[note[0]], grid[note[1]]
    ab = SEES[note[0], note[1]]
    ac, bc = n == 3 and SEES[note[0], note[2]], n == 3 and SEES[note[1], note[2]]
    for a in range(9):
        if not a_mask >> a & 1:
            continue
        for b in range(9):
            if not b_mask >> b & 1 or (ab and a == b):
                continue
            used = 1 << a | 1 << b
            for c in range(9 if n == 3 else 1):
                if n == 3 and (not third >> c & 1 or (ac and a == c) or (bc and b == c)):
                    continue
                if _is_new(a, b, c, a_left, b_left, c_left, n) and _leaves_all(used | 1 << c if n == 3 else used, sets):
                    a_left, b_left, c_left = a_left | 1 << a, b_left | 1 << b, c_left | 1 << c
        if a_left == a_mask and b_left == b_mask and (n == 2 or c_left == third):
            break
    return a_left, b_left, c_left


@njit()
def _is_new(a: int, b: int, c: int, a_left: int, b_left: int, c_left: int, n: int) -> bool:
    """Return whether a combination holds a candidate that no possible one is known to hold."""
    return bool(not a_left >> a & 1 or not b_left >> b & 1 or (n == 3 and not c_left >> c & 1))


@njit()
def _leaves_all(used: int, sets: Ints) -> bool:
    """Return whether all excluders keep a candidate."""
    fits = True
    for mask in sets:
        fits &= mask & ~used != 0
    return fits
