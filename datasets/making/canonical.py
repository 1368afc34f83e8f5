"""The canonical form of a puzzle or grid: of all its isomorphs the one whose text is first in lexicographic order.

Two boards are isomorphs of each other exactly if their canonical forms are equal. An empty cell comes before digits,
and digits are named in the order in which they appear, so only rows and columns are to be arranged. That is done row
by row, keeping what can still be first:

1. The first row is decided by how many clues it has in each box, so few rows can be first.
2. For each of these, columns are arranged stack by stack, left to right. An arrangement is given up when the second
   row, as far as it is known, is not the best one seen.
3. For each arrangement of columns left, the other rows are taken greedily, with all rows tried where several tie.

Empty rows of a band, empty bands, and the same of columns, are never exchanged: that would change nothing.

Boards with square boxes are tried transposed, too. Boards up to 12×12 are within reach; on larger ones too many
arrangements of columns may be left, see ``fingerprint`` for these. Importing this module imports numba.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.puzzle import Puzzle
from datasets.shape import Shape

Array = NDArray[np.int64]

MAX_ARRANGEMENTS = 100_000  # of the columns; 1,296 at 9×9, 82,944 at 12×12, 191 million at 16×16
ABOVE = 99  # more than any digit
REFINEMENTS = 4  # of a fingerprint: enough to reach every clue from every other


def has_canonical(shape: Shape) -> bool:
    """Whether canonical forms of boards of this shape are within reach."""
    stacks = shape.size // shape.box_cols
    return bool(factorial(shape.box_cols) ** stacks * factorial(stacks) <= MAX_ARRANGEMENTS)


def canonical(puzzle: Puzzle) -> Puzzle:
    """The isomorph of a puzzle (or full grid) that comes first in lexicographic order.

    Raises:
        ValueError: the board is too large, see ``has_canonical``; or a digit stands twice in a row or column.
    """
    shape = puzzle.shape
    if not has_canonical(shape):
        raise ValueError(f"canonical forms of {shape.name} boards are out of reach")
    cells = np.array(puzzle.cells, dtype=np.int64).reshape(shape.size, shape.size)
    if _clash(cells) or _clash(cells.T):
        raise ValueError("a digit stands twice in a row or column")
    best = np.full_like(cells, ABOVE)
    _least(cells, shape.box_rows, _orders(shape.box_cols), best)
    if shape.box_rows == shape.box_cols:
        _least(np.ascontiguousarray(cells.T), shape.box_rows, _orders(shape.box_cols), best)
    return Puzzle(shape, tuple(best.ravel().tolist()))


@lru_cache(maxsize=16)
def _orders(width: int) -> Array:
    """All orders of the columns of a stack."""
    return np.array(list(permutations(range(width))), dtype=np.int64)


@njit(cache=True)
def _clash(cells: Array) -> bool:
    """Whether a row holds a digit twice."""
    for row in cells:
        seen = 0
        for digit in row:
            bit = 1 << digit
            if digit and seen & bit:
                return True
            seen |= bit
    return False


@njit(cache=True)
def _least(cells: Array, box_rows: int, orders: Array, best: Array) -> None:
    """Lower ``best`` to the least isomorph of ``cells`` without transposing, if that is less."""
    size, width = cells.shape[0], orders.shape[1]
    row = np.empty(size, dtype=np.int64)
    allowed = _allowed(cells.T, orders)
    idle = _idle(cells, box_rows)
    for first in range(size):
        _first_row(cells[first], width, row)
        if _compare(row, best[0]) < 0:
            best[0] = row
            best[1:] = ABOVE
    for first in range(size):
        _first_row(cells[first], width, row)
        if _compare(row, best[0]) == 0:
            _arrange(cells, box_rows, orders, allowed, idle, first, best)


@njit(cache=True)
def _idle(lines: Array, width: int) -> Array:
    """For each line (row or column): 0 if it holds a clue, 1 if it is empty, 2 if all lines of its box are."""
    idle = np.zeros(lines.shape[0], dtype=np.int64)
    for k in range(lines.shape[0]):
        idle[k] = not lines[k].any()
    for k in range(0, lines.shape[0], width):
        if idle[k : k + width].all():
            idle[k : k + width] = 2
    return idle


@njit(cache=True)
def _allowed(columns: Array, orders: Array) -> NDArray[np.bool_]:
    """Which orders each stack needs: those that leave empty columns among themselves as they are."""
    width = orders.shape[1]
    idle = _idle(columns, width)
    allowed = np.ones((columns.shape[0] // width, orders.shape[0]), dtype=np.bool_)
    for stack in range(allowed.shape[0]):
        for number in range(orders.shape[0]):
            last = -1
            for k in orders[number]:
                if idle[stack * width + k]:
                    allowed[stack, number] &= k > last
                    last = k
    return allowed


@njit(cache=True)
def _compare(a: Array, b: Array) -> int:
    for k in range(a.shape[0]):
        if a[k] != b[k]:
            return -1 if a[k] < b[k] else 1
    return 0


@njit(cache=True)
def _first_row(row: Array, width: int, out: Array) -> None:
    """The least first row that this row can become: boxes with fewer clues first, empty cells first in each."""
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


@njit(cache=True)
def _arrange(
    cells: Array, box_rows: int, orders: Array, allowed: NDArray[np.bool_], idle: Array, first: int, best: Array
) -> None:
    """Try the arrangements of columns, stack by stack, under which row ``first`` becomes ``best[0]``."""
    size, n_orders, width = cells.shape[0], orders.shape[0], orders.shape[1]
    stacks = size // width
    top = first - first % box_rows
    choice = np.zeros(stacks, dtype=np.int64)  # the stack and its order, as one number, at each place
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
        if not _fits(cells[first], columns, place, width, best[0], labels):
            continue
        if not _second_may_do(cells, first, top, box_rows, columns, (place + 1) * width, labels[place + 1], best):
            continue
        if place + 1 < stacks:
            place += 1
            choice[place] = -1
        else:
            _complete(cells, box_rows, idle, first, columns, labels[stacks], best)


@njit(cache=True)
def _fits(row: Array, columns: Array, place: int, width: int, wanted: Array, labels: Array) -> bool:
    """Whether the first row is as wanted at this place; labels its digits."""
    labels[place + 1] = labels[place]
    for k in range(place * width, place * width + width):
        digit = row[columns[k]]
        if (digit != 0) != (wanted[k] != 0):
            return False
        if digit:
            labels[place + 1, digit] = wanted[k]
    return True


@njit(cache=True)
def _second_may_do(
    cells: Array, first: int, top: int, box_rows: int, columns: Array, known: int, labels: Array, best: Array
) -> bool:
    """Whether a second row can be as low as the best one, judged by its ``known`` first columns.

    A digit of the first row whose column is still to come has a label above those that the first row has so far.
    """
    size = cells.shape[0]
    here = np.empty(size + 1, dtype=np.int64)
    so_far, in_all = best[0, :known].max(), best[0].max()
    for r in range(top, top + box_rows):
        if r == first:
            continue
        here[:] = labels
        label = in_all
        may = True
        for k in range(known):
            digit = cells[r, columns[k]]
            value = here[digit] if digit else 0
            if digit and value == 0:
                if known < size and _holds(cells[first], digit):
                    may = best[1, k] > so_far
                    break
                label += 1
                value = here[digit] = label
            if value != best[1, k]:
                may = value < best[1, k]
                break
        if may:
            return True
    return box_rows == 1


@njit(cache=True)
def _holds(row: Array, digit: int) -> bool:
    return bool((row == digit).any())


@njit(cache=True)
def _complete(
    cells: Array, box_rows: int, idle: Array, first: int, columns: Array, first_labels: Array, best: Array
) -> None:
    """Take the other rows greedily under this arrangement of columns, trying all that tie; lowers ``best``."""
    size = cells.shape[0]
    labels = np.zeros((size + 1, size + 1), dtype=np.int64)
    labels[1] = first_labels
    taken = np.full(size, -1, dtype=np.int64)
    used = np.zeros(size, dtype=np.bool_)
    row = np.empty(size, dtype=np.int64)
    taken[0] = first
    used[first] = True
    level = 1
    while level > 0:
        r = taken[level]
        if r >= 0:
            used[r] = False
        r += 1
        while r < size and not _is_next(r, level, box_rows, idle, taken, used):
            r += 1
        if r == size:
            taken[level] = -1
            level -= 1
            continue
        taken[level] = r
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
            taken[level] = -1


@njit(cache=True)
def _is_next(r: int, level: int, box_rows: int, idle: Array, taken: Array, used: NDArray[np.bool_]) -> bool:
    """Whether row ``r`` may stand at this level: of the band that is being filled, or of a fresh one; of empty ones
    only the first that is left."""
    if used[r]:
        return False
    band = r // box_rows
    for k in range(r):
        if idle[r] and idle[k] == idle[r] and not used[k] and (idle[r] == 2 or k // box_rows == band):
            return False
    if level % box_rows:
        return bool(taken[level - 1] // box_rows == band)
    return not (taken[:level] // box_rows == band).any()


@njit(cache=True)
def _label(row: Array, columns: Array, before: Array, after: Array, out: Array) -> None:
    """A row with its columns arranged and its digits named; new digits are named in the order of appearance."""
    after[:] = before
    label = before.max()
    for k in range(row.shape[0]):
        digit = row[columns[k]]
        if digit and after[digit] == 0:
            label += 1
            after[digit] = label
        out[k] = after[digit] if digit else 0


def fingerprint(puzzle: Puzzle) -> str:
    """A checksum that is the same for all isomorphs, for boards of any size. Puzzles that differ in it are not
    isomorphs; puzzles that share it very likely are, which is no proof.

    Cells, lines, bands, boxes and digits are told apart by their neighbours, again and again (colour refinement).
    """
    shape = puzzle.shape
    high, wide = shape.box_rows, shape.box_cols
    clues = [cell for cell, digit in enumerate(puzzle.cells) if digit]
    rows, columns = ([cell // shape.size for cell in clues], [cell % shape.size for cell in clues])
    boxes = [shape.box_of(r, c) for r, c in zip(rows, columns, strict=True)]
    digits = [puzzle.cells[cell] for cell in clues]
    colours = ["" for _ in clues]
    for _ in range(REFINEMENTS):
        of_rows, of_columns = _pool(rows, colours, shape.size), _pool(columns, colours, shape.size)
        of_boxes, of_digits = _pool(boxes, colours, shape.size), _pool(digits, colours, shape.size + 1)
        of_bands = [_digest(of_rows[k : k + high]) for k in range(0, shape.size, high)]
        of_stacks = [_digest(of_columns[k : k + wide]) for k in range(0, shape.size, wide)]
        for k, (r, c) in enumerate(zip(rows, columns, strict=True)):
            across, down = of_rows[r] + of_bands[r // high], of_columns[c] + of_stacks[c // wide]
            sides = [across, down] if high == wide else [f"across {across}", f"down {down}"]  # may they be exchanged?
            colours[k] = _digest([*sides, f"box {of_boxes[boxes[k]]}", f"digit {of_digits[digits[k]]}"])
    return _digest(colours)


def _pool(places: list[int], colours: list[str], size: int) -> list[str]:
    """For each unit (or digit) what stands in it, in no order."""
    held: list[list[str]] = [[] for _ in range(size)]
    for place, colour in zip(places, colours, strict=True):
        held[place].append(colour)
    return [_digest(colours) for colours in held]


def _digest(words: list[str]) -> str:
    """A checksum of words in any order."""
    return hashlib.blake2b(" ".join(sorted(words)).encode(), digest_size=12).hexdigest()
