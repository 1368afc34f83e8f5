"""Fingerprints: checksums of boards that are the same for all isomorphs, for boards of any size, compiled.

Colour refinement (Weisfeiler & Leman 1968) repeatedly tells clues apart by their lines, bands, boxes and digits, and by
the colours of the other clues in these. Boards with different fingerprints are not isomorphs. Boards with equal ones
very likely are, but this is no proof; ``datasets/making/canonical`` gives one up to 12×12.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

Boards = NDArray[np.uint8]
Hashes = NDArray[np.uint64]

REFINEMENTS = 4  # enough to connect every clue with every other
KINDS = 6  # of groups of clues: row, column, box, digit, band, stack
ROW, COLUMN, BOX, DIGIT, BAND, STACK = range(KINDS)


def fingerprint(puzzle: Puzzle) -> str:
    """Return the fingerprint of a puzzle as 16 hexadecimal digits."""
    boards = np.frombuffer(puzzle.cell_bytes, dtype=np.uint8).reshape(1, -1)
    return f"{fingerprints(puzzle.shape, boards)[0]:016x}"


def fingerprints(shape: Shape, boards: Boards) -> Hashes:
    """Return the fingerprints of n boards (n × N·N cells). Releases Python's lock."""
    out = np.empty(len(boards), dtype=np.uint64)
    _fingerprints(boards, _groups(shape), shape.size, shape.box_rows == shape.box_cols, out)
    return out


@lru_cache(maxsize=16)
def _groups(shape: Shape) -> NDArray[np.int64]:
    """Return the number of each cell's row, column, box, digit (0, to be filled in), band and stack."""
    groups = np.zeros((shape.n_cells, KINDS), dtype=np.int64)
    for cell in range(shape.n_cells):
        row, column = divmod(cell, shape.size)
        box = shape.box_of(row, column)
        groups[cell] = row, column, box, 0, row // shape.box_rows, column // shape.box_cols
    return groups


@njit(nogil=True)
def _fingerprints(boards: Boards, groups: NDArray[np.int64], size: int, is_square: bool, out: Hashes) -> None:
    colours, pools = np.zeros(boards.shape[1], dtype=np.uint64), np.zeros((KINDS, size), dtype=np.uint64)
    clues, digits = np.zeros(boards.shape[1], dtype=np.int64), np.zeros(boards.shape[1], dtype=np.int64)
    for k in range(boards.shape[0]):
        n = 0
        for cell in range(boards.shape[1]):
            if boards[k, cell]:
                clues[n], digits[n] = cell, boards[k, cell] - 1
                n += 1
        colours[:n] = 0
        for _ in range(REFINEMENTS):
            _refine(clues[:n], digits[:n], groups, is_square, colours, pools)
        total = np.uint64(n)
        for i in range(n):
            total += _mix(colours[i])
        out[k] = _mix(total)


@njit()
def _refine(
    clues: NDArray[np.int64],
    digits: NDArray[np.int64],
    groups: NDArray[np.int64],
    is_square: bool,
    colours: Hashes,
    pools: Hashes,
) -> None:
    """Give each clue a colour that depends on the colours of all clues in its groups, not on their order."""
    pools[:] = 0
    for i in range(clues.shape[0]):
        colour, cell = _mix(colours[i] + np.uint64(1)), clues[i]
        pools[ROW, groups[cell, ROW]] += colour
        pools[COLUMN, groups[cell, COLUMN]] += colour
        pools[BOX, groups[cell, BOX]] += colour
        pools[DIGIT, digits[i]] += colour
    for part, whole in ((ROW, BAND), (COLUMN, STACK)):
        lines = groups.shape[0] // pools.shape[1]
        for line in range(lines):
            cell = line * pools.shape[1] if part == ROW else line
            pools[whole, groups[cell, whole]] += _mix(pools[part, line])
    for i in range(clues.shape[0]):
        cell = clues[i]
        across = _mix(pools[ROW, groups[cell, ROW]] + _mix(pools[BAND, groups[cell, BAND]]))
        down = _mix(pools[COLUMN, groups[cell, COLUMN]] + _mix(pools[STACK, groups[cell, STACK]]))
        # Only boards with square boxes may be transposed, so only there the two directions are equivalent.
        lines_colour = across + down if is_square else across + _mix(down)
        box = _mix(pools[BOX, groups[cell, BOX]] + np.uint64(2))
        colours[i] = _mix(_mix(lines_colour + box) + pools[DIGIT, digits[i]])


@njit(inline="always")
def _mix(x: Any) -> Any:
    """Mix the bits of a word (Stafford 2011, variant 13)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
