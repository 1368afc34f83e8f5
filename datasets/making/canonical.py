"""The canonical form of a puzzle or grid: the isomorph whose text is first in lexicographic order.

Two boards are isomorphs of each other exactly if their canonical forms are equal. An empty cell sorts before digits,
and digits are labelled in order of appearance, so only rows and columns need to be arranged. The algorithm works row by
row and keeps the arrangements that can still be first:

1. The number of clues in each box decides which rows can be first; these are few.
2. For each of them, columns are arranged stack by stack, left to right. An arrangement is dropped when the known part
   of the second row is worse than the best second row so far.
3. For each remaining arrangement of columns, the other rows are chosen greedily, and all rows that tie are tried.

Empty rows of a band, empty bands, empty columns of a stack and empty stacks are never exchanged, because that changes
nothing. Boards with square boxes are also tried transposed.

Boards up to 12×12 are feasible. Larger boards may leave too many arrangements of columns; see
``datasets/making/fingerprints`` for these. Importing this module imports numba.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

Array = NDArray[np.int64]

MAX_ARRANGEMENTS = 100_000  # of the columns; 1,296 at 9×9, 82,944 at 12×12, 191 million at 16×16
ABOVE = 99  # greater than any digit


def has_canonical(shape: Shape) -> bool:
    """Return whether canonical forms of boards of this shape are feasible."""
    stacks = shape.size // shape.box_cols
    return bool(factorial(shape.box_cols) ** stacks * factorial(stacks) <= MAX_ARRANGEMENTS)


def canonical(puzzle: Puzzle) -> Puzzle:
    """Return the isomorph of a puzzle (or full grid) that is first in lexicographic order.

    Raises:
        ValueError: the board is too large, see ``has_canonical``; or a digit occurs twice in a row or column.
    """
    shape = puzzle.shape
    if not has_canonical(shape):
        raise ValueError(f"canonical forms of {shape.name} boards are not feasible; use a fingerprint")
    cells = np.array(puzzle.cells, dtype=np.int64).reshape(shape.size, shape.size)
    if _has_clash(cells) or _has_clash(cells.T):
        raise ValueError("a digit occurs twice in a row or column")
    best = np.full_like(cells, ABOVE)
    _minimise(cells, shape.box_rows, _orders(shape.box_cols), best)
    if shape.box_rows == shape.box_cols:
        _minimise(np.ascontiguousarray(cells.T), shape.box_rows, _orders(shape.box_cols), best)
    return Puzzle(shape, tuple(best.ravel().tolist()))


@lru_cache(maxsize=16)
def _orders(width: int) -> Array:
    """Return all orders of the columns of a stack."""
    return np.array(list(permutations(range(width))), dtype=np.int64)


@njit()
def _has_clash(cells: Array) -> bool:
    """Return whether a row contains a digit twice."""
    for row in cells:
        seen = 0
        for digit in row:
            bit = 1 << digit
            if digit and seen & bit:
                return True
            seen |= bit
    return False


@njit()
def _minimise(cells: Array, box_rows: int, orders: Array, best: Array) -> None:
    """Set ``best`` to the least isomorph of ``cells`` without transposition, if that is less than ``best``."""
    size, width = cells.shape[0], orders.shape[1]
    row = np.empty(size, dtype=np.int64)
    allowed = _allowed(cells.T, orders)
    emptiness = _emptiness(cells, box_rows)
    for first in range(size):
        _first_row(cells[first], width, row)
        if _compare(row, best[0]) < 0:
            best[0] = row
            best[1:] = ABOVE
    for first in range(size):
        _first_row(cells[first], width, row)
        if _compare(row, best[0]) == 0:
            _arrange(cells, box_rows, orders, allowed, emptiness, first, best)


@njit()
def _emptiness(lines: Array, width: int) -> Array:
    """Classify each row (or column): 0 if it has a clue, 1 if it is empty, 2 if its whole band (or stack) is empty."""
    emptiness = np.zeros(lines.shape[0], dtype=np.int64)
    for k in range(lines.shape[0]):
        emptiness[k] = not lines[k].any()
    for k in range(0, lines.shape[0], width):
        if emptiness[k : k + width].all():
            emptiness[k : k + width] = 2
    return emptiness


@njit()
def _allowed(columns: Array, orders: Array) -> NDArray[np.bool_]:
    """Return which orders each stack needs: those that keep its empty columns in their relative order."""
    width = orders.shape[1]
    emptiness = _emptiness(columns, width)
    allowed = np.ones((columns.shape[0] // width, orders.shape[0]), dtype=np.bool_)
    for stack in range(allowed.shape[0]):
        for number in range(orders.shape[0]):
            last = -1
            for k in orders[number]:
                if emptiness[stack * width + k]:
                    allowed[stack, number] &= k > last
                    last = k
    return allowed


@njit()
def _compare(a: Array, b: Array) -> int:
    """Compare two rows in lexicographic order: -1, 0 or 1."""
    for k in range(a.shape[0]):
        if a[k] != b[k]:
            return -1 if a[k] < b[k] else 1
    return 0


@njit()
def _first_row(row: Array, width: int, out: Array) -> None:
    """Write the least first row that this row can become: boxes with fewer clues first, empty cells first in a box."""
    stacks = row.shape[0] // width
    counts = np.zeros(stacks, dtype=np.int64)
    for k in range(row.shape[0]):
        counts[k // width] += row[k] != 0
    counts.sort()
    label = 0
    for k in range(row.shape[0]):
        given = k % width >= width - counts[k // width]
        label += given
        out[k] = label if given else 0


@njit()
def _arrange(
    cells: Array, box_rows: int, orders: Array, allowed: NDArray[np.bool_], emptiness: Array, first: int, best: Array
) -> None:
    """Try the arrangements of columns, stack by stack, that turn row ``first`` into ``best[0]``."""
    size, n_orders, width = cells.shape[0], orders.shape[0], orders.shape[1]
    stacks = size // width
    top = first - first % box_rows
    choice = np.zeros(stacks, dtype=np.int64)  # stack and its order at each place, combined into one number
    used = np.zeros(stacks, dtype=np.bool_)
    labels = np.zeros((stacks + 1, size + 1), dtype=np.int64)
    columns = np.empty(size, dtype=np.int64)
    place = 0
    choice[0] = -1
    while place >= 0:
        if choice[place] >= 0:
            used[choice[place] // n_orders] = False
        choice[place] += 1
        while choice[place] < stacks * n_orders and (
            used[choice[place] // n_orders] or not allowed[choice[place] // n_orders, choice[place] % n_orders]
        ):
            choice[place] += 1
        if choice[place] >= stacks * n_orders:
            place -= 1
            continue
        stack, order = choice[place] // n_orders, orders[choice[place] % n_orders]
        used[stack] = True
        for k in range(width):
            columns[place * width + k] = stack * width + order[k]
        if not _first_row_fits(cells[first], columns, place, width, best[0], labels):
            continue
        if not _second_row_can_tie(cells, first, top, box_rows, columns, (place + 1) * width, labels[place + 1], best):
            continue
        if place + 1 < stacks:
            place += 1
            choice[place] = -1
        else:
            _complete(cells, box_rows, emptiness, first, columns, labels[stacks], best)


@njit()
def _first_row_fits(row: Array, columns: Array, place: int, width: int, target: Array, labels: Array) -> bool:
    """Return whether the first row equals the target at this place; label its digits."""
    labels[place + 1] = labels[place]
    for k in range(place * width, place * width + width):
        digit = row[columns[k]]
        if (digit != 0) != (target[k] != 0):
            return False
        if digit:
            labels[place + 1, digit] = target[k]
    return True


@njit()
def _second_row_can_tie(
    cells: Array, first: int, top: int, box_rows: int, columns: Array, n_columns: int, labels: Array, best: Array
) -> bool:
    """Return whether some second row can be at most the best one, judged by the first ``n_columns`` columns.

    A digit of the first row whose column is not arranged yet has a label above all labels of the first row so far.
    """
    size = cells.shape[0]
    row_labels = np.empty(size + 1, dtype=np.int64)
    max_so_far, max_first_row = best[0, :n_columns].max(), best[0].max()
    for r in range(top, top + box_rows):
        if r == first:
            continue
        row_labels[:] = labels
        label = max_first_row
        can_tie = True
        for k in range(n_columns):
            digit = cells[r, columns[k]]
            value = row_labels[digit] if digit else 0
            if digit and value == 0:
                if n_columns < size and _contains(cells[first], digit):
                    can_tie = best[1, k] > max_so_far
                    break
                label += 1
                value = row_labels[digit] = label
            if value != best[1, k]:
                can_tie = value < best[1, k]
                break
        if can_tie:
            return True
    return box_rows == 1


@njit()
def _contains(row: Array, digit: int) -> bool:
    return bool((row == digit).any())


@njit()
def _complete(
    cells: Array, box_rows: int, emptiness: Array, first: int, columns: Array, first_labels: Array, best: Array
) -> None:
    """Choose the other rows greedily under this arrangement of columns, try all ties, and lower ``best``."""
    size = cells.shape[0]
    labels = np.zeros((size + 1, size + 1), dtype=np.int64)
    labels[1] = first_labels
    chosen = np.full(size, -1, dtype=np.int64)
    used = np.zeros(size, dtype=np.bool_)
    row = np.empty(size, dtype=np.int64)
    chosen[0] = first
    used[first] = True
    level = 1
    while level > 0:
        r = chosen[level]
        if r >= 0:
            used[r] = False
        r += 1
        while r < size and not _may_be_next(r, level, box_rows, emptiness, chosen, used):
            r += 1
        if r == size:
            chosen[level] = -1
            level -= 1
            continue
        chosen[level] = r
        used[r] = True
        _label(cells[r], columns, labels[level], labels[level + 1], row)
        order = _compare(row, best[level])
        if order > 0:
            continue
        if order < 0:
            best[level] = row
            best[level + 1 :] = ABOVE
        if level + 1 < size:
            level += 1
            chosen[level] = -1


@njit()
def _may_be_next(r: int, level: int, box_rows: int, emptiness: Array, chosen: Array, used: NDArray[np.bool_]) -> bool:
    """Return whether row ``r`` may be placed at this level.

    It must belong to the band in progress, or start a new band. Of several empty rows, or rows of empty bands, only the
    first unused one may be placed.
    """
    if used[r]:
        return False
    band, kind = r // box_rows, emptiness[r]
    for k in range(r):
        if kind and emptiness[k] == kind and not used[k] and (kind == 2 or k // box_rows == band):
            return False
    if level % box_rows:
        return bool(chosen[level - 1] // box_rows == band)
    return not (chosen[:level] // box_rows == band).any()


@njit()
def _label(row: Array, columns: Array, before: Array, after: Array, out: Array) -> None:
    """Write a row with its columns arranged and its digits labelled, new digits in order of appearance."""
    after[:] = before
    label = before.max()
    for k in range(row.shape[0]):
        digit = row[columns[k]]
        if digit and after[digit] == 0:
            label += 1
            after[digit] = label
        out[k] = after[digit] if digit else 0
