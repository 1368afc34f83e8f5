"""The kernel of ``bitboard:cells``: boards of any shape up to 36×36, a mask of candidates for each cell.

This kernel is separate from ``datasets.search``: that one defines ``guesses``, the search difficulty, with singles only
and random ties, so it must not change when a strategy becomes stronger.

Units that have changed are examined until none is left: the naked and hidden singles of a unit take a few operations on
the masks of its cells, for all digits at once. Locked candidates follow in the same way: the masks of the cells that a
line and a box share (a segment) are joined; a digit that a box has in one segment only is eliminated from the rest of
that line, and vice versa. When nothing more is found, the search branches on a cell with few candidates whose units
have failed often, after dom/wdeg (Boussemart and others 2004), but with the cube of the number of candidates, which
took 0.8 of the guesses on the project's 16×16 boards and 0.5 on the 25×25 boards.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.kernels import njit
from datasets.shape import Shape
from solvers.search.bitboard_lanes import lowest_in, ones_in

Masks = NDArray[np.int64]
Cells = NDArray[np.uint32]
Counts = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Tally = NDArray[np.int64]

SOLUTIONS, GUESSES, FAILURES, BACKTRACKS = range(4)  # columns of a tally


class Tables(NamedTuple):
    """The geometry of a shape. Units are rows, columns, boxes.

    Attributes:
        units: the cells of each unit (3N × N).
        homes: the row, column and box of each cell, each 0 .. N-1 (N·N × 3).
        segments: the cells that a line and a box share (one row of cells for each).
        owners: the line and the box of each segment, as groups: 2N lines, N boxes by rows, N boxes by columns.
    """

    units: Cells
    homes: Cells
    segments: Cells
    owners: Cells


class Board(NamedTuple):
    """Tables and working memory of a search; digits count from bit 0.

    Attributes:
        units, homes, segments, owners: as in ``Tables``.
        due: rows, columns and boxes still to be examined, a mask each.
        failures: for each unit the number of contradictions found in it, plus 1.
        joined: the digits left in each segment.
        once, twice: for each group the digits in at least one and two of its segments.
        claimed: for each group the digits that another group needs in a segment that both share.
    """

    units: Cells
    homes: Cells
    segments: Cells
    owners: Cells
    due: Masks
    failures: Counts
    joined: Masks
    once: Masks
    twice: Masks
    claimed: Masks


@lru_cache(maxsize=4)
def tables_of(shape: Shape) -> Tables:
    size = shape.size
    homes = np.empty((shape.n_cells, 3), dtype=np.uint32)
    for u, unit in enumerate(shape.units):
        homes[list(unit), u // size] = u % size
    shared: dict[tuple[int, int], list[int]] = {}
    for cell, (row, column, box) in enumerate(homes.tolist()):
        shared.setdefault((row, 2 * size + box), []).append(cell)
        shared.setdefault((size + column, 3 * size + box), []).append(cell)
    longest = max(map(len, shared.values()))
    return Tables(
        units=np.array(shape.units, dtype=np.uint32),
        homes=homes,
        # Shorter segments contain cells twice, which has no effect when masks are joined.
        segments=np.array([(cells * longest)[:longest] for cells in shared.values()], dtype=np.uint32),
        owners=np.array(list(shared), dtype=np.uint32),
    )


@njit()
def _board_of(tables: Tables) -> Board:
    """Allocate the working memory of a search."""
    size, n_segments = tables.units.shape[1], tables.segments.shape[0]
    return Board(
        tables.units,
        tables.homes,
        tables.segments,
        tables.owners,
        np.zeros(3, dtype=np.int64),
        np.empty(3 * size, dtype=np.int64),
        np.empty(n_segments, dtype=np.int64),
        np.empty(4 * size, dtype=np.int64),
        np.empty(4 * size, dtype=np.int64),
        np.empty(4 * size, dtype=np.int64),
    )


@njit(forceinline=True)
def _mark(board: Board, cell: Any) -> None:
    """Mark the units of a cell as due."""
    for kind in range(3):
        board.due[kind] |= 1 << board.homes[cell, kind]


@njit(forceinline=True)
def _examine(board: Board, cand: Masks, unit: Any) -> bool:
    """Place the naked and hidden singles of a unit; False on a contradiction."""
    size = board.units.shape[1]
    fixed, once, twice, thrice = 0, 0, 0, 0
    for k in range(size):
        mask = cand[board.units[unit, k]]
        single = mask if mask & (mask - 1) == 0 else 0
        thrice |= fixed & single
        fixed |= single
        twice |= once & mask
        once |= mask
    if once != (1 << size) - 1 or thrice:
        return False
    hidden = once & ~twice & ~fixed
    if hidden == 0 and twice & fixed == 0:
        return True
    for k in range(size):
        cell = board.units[unit, k]
        mask = cand[cell]
        left = mask & hidden if mask & hidden else mask & ~fixed
        if mask & (mask - 1) == 0 or left == mask:
            continue
        if left == 0 or (left & hidden and left & (left - 1)):
            return False
        cand[cell] = left
        _mark(board, cell)
    return True


@njit()
def _singles(board: Board, cand: Masks) -> bool:
    """Examine the due units until none is left; False on a contradiction."""
    size = board.units.shape[1]
    while True:
        kind = 0
        while kind < 3 and board.due[kind] == 0:
            kind += 1
        if kind == 3:
            return True
        unit = np.uint32(kind * size + lowest_in(board.due[kind]))
        board.due[kind] &= board.due[kind] - 1
        if not _examine(board, cand, unit):
            board.failures[unit] += 1
            board.due[:] = 0
            return False


@njit(forceinline=True)
def _join(board: Board, cand: Masks) -> None:
    """Fill ``joined``, ``once``, ``twice`` and ``claimed``."""
    board.once[:] = 0
    board.twice[:] = 0
    board.claimed[:] = 0
    for s in range(board.segments.shape[0]):
        mask = 0
        for k in range(board.segments.shape[1]):
            mask |= cand[board.segments[s, k]]
        board.joined[s] = mask
        for k in range(2):
            group = board.owners[s, k]
            board.twice[group] |= board.once[group] & mask
            board.once[group] |= mask
    for s in range(board.segments.shape[0]):
        line, box = board.owners[s, 0], board.owners[s, 1]
        board.claimed[line] |= board.joined[s] & ~board.twice[box]
        board.claimed[box] |= board.joined[s] & ~board.twice[line]


@njit()
def _locked(board: Board, cand: Masks) -> bool:
    """Eliminate locked candidates and mark the changed units as due; False on a contradiction."""
    _join(board, cand)
    for s in range(board.segments.shape[0]):
        line, box = board.owners[s, 0], board.owners[s, 1]
        wanted = board.claimed[line] & board.twice[box] | board.claimed[box] & board.twice[line]
        drop = board.joined[s] & wanted
        if drop == 0:
            continue
        for k in range(board.segments.shape[1]):
            cell = board.segments[s, k]
            if cand[cell] & drop:
                cand[cell] &= ~drop
                _mark(board, cell)
                if cand[cell] == 0:
                    board.failures[2 * board.units.shape[1] + board.homes[cell, 2]] += 1
                    board.due[:] = 0
                    return False
    return True


@njit()
def _propagate(board: Board, cand: Masks) -> bool:
    """Place singles and eliminate locked candidates until no unit is due; False on a contradiction."""
    while board.due[0] | board.due[1] | board.due[2]:
        if not _singles(board, cand) or not _locked(board, cand):
            return False
    return True


@njit()
def _start(board: Board, clues: Bytes, cand: Masks) -> bool:
    """Compute the candidates that the clues leave; False on a contradiction."""
    full = (1 << board.units.shape[1]) - 1
    for cell in range(clues.size):
        cand[cell] = 1 << (clues[cell] - 1) if clues[cell] else full
    board.failures[:] = 1
    board.due[:] = full
    return bool(_propagate(board, cand))


@njit()
def _branch_cell(board: Board, cand: Masks) -> int:
    """The open cell with the most failures of its units per cube of its number of candidates; -1 if none is open."""
    size = board.units.shape[1]
    best, most, fewest = -1, 0, 1
    for cell in range(cand.size):
        mask = cand[cell]
        if mask & (mask - 1) == 0:
            continue
        row, column, box = board.homes[cell, 0], board.homes[cell, 1], board.homes[cell, 2]
        failures = board.failures[row] + board.failures[size + column] + board.failures[2 * size + box]
        cube = ones_in(mask) ** 3
        if failures * fewest > most * cube:
            best, most, fewest = cell, failures, cube
    return best


@njit()
def _search(board: Board, clues: Bytes, out: Bytes, tally: Tally, stack: Masks, branches: Counts) -> None:
    depth, n_solutions, guesses, failures, backtracks = 0, 0, 0, 0, 0
    alive = _start(board, clues, stack[0])
    while True:
        cell = _branch_cell(board, stack[depth]) if alive else -1
        if cell >= 0:
            bit = stack[depth, cell] & -stack[depth, cell]
            stack[depth + 1] = stack[depth]
            stack[depth + 1, cell] = bit
            stack[depth, cell] ^= bit
            branches[depth] = cell
            depth += 1
        else:
            if alive:
                for k in range(clues.size):
                    out[n_solutions, k] = lowest_in(stack[depth, k]) + 1
                n_solutions += 1
            else:
                failures += 1
            if depth == 0 or n_solutions == out.shape[0]:
                break
            depth -= 1
            backtracks += 1
            cell = branches[depth]
        guesses += 1
        _mark(board, cell)
        alive = _propagate(board, stack[depth])
    tally[SOLUTIONS], tally[GUESSES], tally[FAILURES], tally[BACKTRACKS] = n_solutions, guesses, failures, backtracks


@njit(nogil=True)
def _solve_many(tables: Tables, puzzles: Bytes, out: Bytes, tally: Tally) -> None:
    n = puzzles.shape[1]
    board = _board_of(tables)
    stack, branches = np.empty((n + 1, n), dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    limit, row = out.shape[0] // puzzles.shape[0], 0
    for i in range(puzzles.shape[0]):
        _search(board, puzzles[i], out[row : row + limit], tally[i], stack, branches)
        row += tally[i, SOLUTIONS]


def solve_many(shape: Shape, puzzles: Bytes, out: Bytes, tally: Tally) -> None:
    """Solve puzzles of one shape one by one; arguments as for ``bitboard_bands.solve_many``."""
    _solve_many(tables_of(shape), puzzles, out, tally)
