"""The kernel of ``bitboard:cells``: boards of any shape and layout up to 62×62, a mask of candidates for each cell.

This kernel is separate from ``datasets/search``: that one defines ``guesses``, the search difficulty, with singles only
and random ties, so it must not change when a strategy becomes stronger.

Units that have changed are examined until none is left: the naked and hidden singles of a unit take a few operations on
the masks of its cells, for all digits at once. A unit of fewer than N cells is filled up with a cell without candidates
and has no hidden singles. Locked candidates follow in the same way: the masks of the cells that a line and a box share
(a segment) are joined; a digit that a box has in one segment only is eliminated from the rest of that line, and vice
versa. When nothing more is found, the search branches on a cell with few candidates whose units have failed often,
after dom/wdeg (Boussemart and others 2004), but with the cube of the number of candidates, which took 0.8 of the
guesses on the project's 16×16 boards and 0.5 on the 25×25 boards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.search.bitboard_lanes import lowest_in, ones_in

Masks = NDArray[np.int64]
Cells = NDArray[np.uint32]
Counts = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Tally = NDArray[np.int64]

SOLUTIONS, GUESSES, FAILURES, BACKTRACKS = range(4)  # columns of a tally


class Tables(NamedTuple):
    """The geometry of a shape. Units are rows, columns, boxes or regions, and those that a layout adds.

    Attributes:
        general: empty if rows, columns and boxes or regions are all units, for which the kernel is compiled apart and
            runs faster; otherwise (True,).
        units: the cells of each unit (3N × N); if general, cell N·N is none, and the last unit has no cells.
        homes: the row, column and box of each cell, each 0 .. N-1 (N·N × 3); if general, then all its units.
        segments: the cells that a line and a box share (one row of cells for each).
        owners: the line and the box of each segment, as groups: 2N lines, N boxes by rows, N boxes by columns.
    """

    general: tuple[()] | tuple[bool]
    units: Cells
    homes: Cells
    segments: Cells
    owners: Cells


class Board(NamedTuple):
    """Tables and working memory of a search; digits count from bit 0.

    Attributes:
        due: rows, columns and boxes still to be examined, a mask each; if general, a mask for each 32 units.
        failures: for each unit the number of contradictions found in it, plus 1.
        joined: the digits left in each segment.
        once, twice: for each group the digits in at least one and two of its segments.
        claimed: for each group the digits that another group needs in a segment that both share.
    """

    tables: Tables
    due: Masks
    failures: Counts
    joined: Masks
    once: Masks
    twice: Masks
    claimed: Masks


def tables_of(shape: Shape) -> Tables:
    size, general = shape.size, len(shape.units) != 3 * shape.size or not shape.boxes or bool(shape.small_units)
    units = [(*unit, *[shape.n_cells] * (size - len(unit))) for unit in (*shape.units, *[()] * general)]
    most = max(map(len, shape.homes)) * general
    every = [(*homes[:most], *[len(shape.units)] * (most - len(homes))) for homes in shape.homes]
    homes = np.array([(*divmod(cell, size), 0, *units) for cell, units in enumerate(every)], dtype=np.uint32)
    for place, box in enumerate(shape.boxes):
        homes[list(box), 2] = place
    shared: dict[tuple[int, int], list[int]] = {}
    for cell, (row, column, box) in enumerate(homes[:, :3].tolist() if shape.boxes else ()):
        shared.setdefault((row, 2 * size + box), []).append(cell)
        shared.setdefault((size + column, 3 * size + box), []).append(cell)
    longest = max(map(len, shared.values()), default=1)
    # Shorter segments contain cells twice, which has no effect when masks are joined.
    segments = [(cells * longest)[:longest] for cells in shared.values()]
    return Tables(
        general=(True,) if general else (),
        units=np.array(units, dtype=np.uint32),
        homes=homes,
        segments=np.array(segments, dtype=np.uint32).reshape(-1, longest),
        owners=np.array(list(shared), dtype=np.uint32).reshape(-1, 2),
    )


@njit()
def _board_of(tables: Tables) -> Board:
    """Allocate the working memory of a search."""
    (n_units, size), n_segments = tables.units.shape, tables.segments.shape[0]
    return Board(
        tables,
        np.zeros(max(3, n_units // 32 + 1), dtype=np.int64),
        np.empty(n_units, dtype=np.int64),
        np.empty(n_segments, dtype=np.int64),
        np.empty(4 * size, dtype=np.int64),
        np.empty(4 * size, dtype=np.int64),
        np.empty(4 * size, dtype=np.int64),
    )


@njit(forceinline=True)
def _mark(board: Board, cell: Any) -> None:
    """Mark the units of a cell as due."""
    if len(board.tables.general):
        for k in range(3, board.tables.homes.shape[1]):
            unit = board.tables.homes[cell, k]
            board.due[unit >> 5] |= 1 << (unit & 31)
    else:
        for kind in range(3):
            board.due[kind] |= 1 << board.tables.homes[cell, kind]


@njit(forceinline=True)
def _examine(board: Board, cand: Masks, unit: Any) -> bool:
    """Place the naked and hidden singles of a unit; False on a contradiction."""
    size = board.tables.units.shape[1]
    fixed, once, twice, thrice = 0, 0, 0, 0
    for k in range(size):
        mask = cand[board.tables.units[unit, k]]
        single = mask if mask & (mask - 1) == 0 else 0
        thrice |= fixed & single
        fixed |= single
        twice |= once & mask
        once |= mask
    if len(board.tables.general) and board.tables.units[unit, size - 1] == size * size:
        if thrice:
            return False
        hidden = 0
    elif once != (1 << size) - 1 or thrice:
        return False
    else:
        hidden = once & ~twice & ~fixed
    if hidden == 0 and twice & fixed == 0:
        return True
    for k in range(size):
        cell = board.tables.units[unit, k]
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
    size = board.tables.units.shape[1]
    while True:
        kind, kinds, width = 0, 3, size
        if len(board.tables.general):
            kinds, width = board.due.size, 32
        while kind < kinds and board.due[kind] == 0:
            kind += 1
        if kind == kinds:
            return True
        unit = np.uint32(kind * width + lowest_in(board.due[kind]))
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
    for s in range(board.tables.segments.shape[0]):
        mask = 0
        for k in range(board.tables.segments.shape[1]):
            mask |= cand[board.tables.segments[s, k]]
        board.joined[s] = mask
        for k in range(2):
            group = board.tables.owners[s, k]
            board.twice[group] |= board.once[group] & mask
            board.once[group] |= mask
    for s in range(board.tables.segments.shape[0]):
        line, box = board.tables.owners[s, 0], board.tables.owners[s, 1]
        board.claimed[line] |= board.joined[s] & ~board.twice[box]
        board.claimed[box] |= board.joined[s] & ~board.twice[line]


@njit()
def _locked(board: Board, cand: Masks) -> bool:
    """Eliminate locked candidates and mark the changed units as due; False on a contradiction."""
    _join(board, cand)
    for s in range(board.tables.segments.shape[0]):
        line, box = board.tables.owners[s, 0], board.tables.owners[s, 1]
        wanted = board.claimed[line] & board.twice[box] | board.claimed[box] & board.twice[line]
        drop = board.joined[s] & wanted
        if drop == 0:
            continue
        for k in range(board.tables.segments.shape[1]):
            cell = board.tables.segments[s, k]
            if cand[cell] & drop:
                cand[cell] &= ~drop
                _mark(board, cell)
                if cand[cell] == 0:
                    board.failures[2 * board.tables.units.shape[1] + board.tables.homes[cell, 2]] += 1
                    board.due[:] = 0
                    return False
    return True


@njit(forceinline=True)
def _any_due(board: Board) -> Any:
    due = board.due[0] | board.due[1] | board.due[2]
    if len(board.tables.general):
        for kind in range(3, board.due.size):
            due |= board.due[kind]
    return due


@njit()
def _propagate(board: Board, cand: Masks) -> bool:
    """Place singles and eliminate locked candidates until no unit is due; False on a contradiction."""
    while _any_due(board):
        if not _singles(board, cand) or not _locked(board, cand):
            return False
    return True


@njit()
def _start(board: Board, clues: Bytes, cand: Masks) -> bool:
    """Compute the candidates that the clues leave; False on a contradiction."""
    (n_units, size), n_cells, alive = board.tables.units.shape, board.tables.homes.shape[0], True
    full = (1 << size) - 1
    if clues.size == n_cells:
        for cell in range(n_cells):
            cand[cell] = 1 << (clues[cell] - 1) if clues[cell] else full
    else:
        masks = clues.view(np.int64)
        for cell in range(n_cells):
            cand[cell] = masks[cell]
            alive &= masks[cell] != 0
    board.failures[:] = 1
    if len(board.tables.general):
        cand[n_cells] = 0  # no cell
        for unit in range(n_units):
            board.due[unit >> 5] |= 1 << (unit & 31)
    else:
        board.due[:] = full
    return bool(alive and _propagate(board, cand))


@njit()
def _branch_cell(board: Board, cand: Masks) -> int:
    """The open cell with the most failures of its units per cube of its number of candidates; -1 if none is open."""
    size = board.tables.units.shape[1]
    best, most, fewest = -1, 0, 1
    for cell in range(cand.size):
        mask = cand[cell]
        if mask & (mask - 1) == 0:
            continue
        if len(board.tables.general):
            failures = 0
            for k in range(3, board.tables.homes.shape[1]):
                failures += board.failures[board.tables.homes[cell, k]]
        else:
            row, column, box = board.tables.homes[cell, 0], board.tables.homes[cell, 1], board.tables.homes[cell, 2]
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
                for k in range(out.shape[1]):
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
def solve_many(tables: Tables, puzzles: Bytes, out: Bytes, tally: Tally) -> None:
    """Solve puzzles of one shape one by one; the other arguments are as for ``bitboard_bands.solve_many``."""
    n = out.shape[1]
    board = _board_of(tables)
    stack, branches = np.empty((n + 1, n + len(tables.general)), dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    limit, row = out.shape[0] // puzzles.shape[0], 0
    for i in range(puzzles.shape[0]):
        _search(board, puzzles[i], out[row : row + limit], tally[i], stack, branches)
        row += tally[i, SOLUTIONS]
