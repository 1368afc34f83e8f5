"""What a chain or cycle of single links eliminates, and how it is recorded. Importing this module imports numba."""

from __future__ import annotations

from sudoku_bench.datasets.bits import ZERO
from sudoku_bench.datasets.difficulty.explainer import found as records
from sudoku_bench.datasets.difficulty.explainer.found import (
    CHAIN,
    CYCLE,
    FULL,
    LAST_ORDER,
    MAX_STEPS,
    STEPS,
    Found,
    length_tenths,
    place_for,
)
from sudoku_bench.datasets.difficulty.explainer.grid import AROUND, CELL, PEERS, Grid, Ints, flag, put, wide
from sudoku_bench.datasets.difficulty.explainer.links import (
    CAUSE,
    CHAIN_BASE,
    CYCLE_BASE,
    LITERAL,
    NEAR_FALSE,
    NEAR_TRUE,
    NODES,
    OF_CYCLE,
    PARENT,
    PLACES,
    RANK,
    SEES_FALSE,
    SEES_TRUE,
    Walk,
    push,
    start,
)
from sudoku_bench.datasets.kernels import njit

OWN = 2  # mark of the cells of a cycle


@njit()
def conclude_chain(
    grid: Grid, walk: Walk, found: Found, mode: int, node: int, literal: int, cause: int, keep_all: bool
) -> None:
    cell, mask = (literal >> 1) // 9, 1 << ((literal >> 1) % 9)
    mark = mark_of(cell, grid[cell] & ~mask if literal & 1 else mask)
    _record(walk, found, CHAIN_BASE[mode], RANK[mode], wide(CHAIN), mark, node, literal, cause, keep_all)


@njit()
def conclude_cycle(grid: Grid, walk: Walk, found: Found, mode: int, node: int, link: int, keep_all: bool) -> None:
    """Record a cycle if it eliminates something."""
    if not _eliminates(walk, node):
        return
    _mark_near(walk, node, flag(True))
    mark = wide(0)
    for cell in range(81):
        mask = _eliminated_by_cycle(grid, walk, cell)
        if mask:
            mark += mark_of(cell, mask)
    _mark_near(walk, node, flag(False))
    if mark:
        source = wide(walk.node[0, LITERAL])
        _record(walk, found, CYCLE_BASE[mode], RANK[mode], wide(CYCLE), mark, node, source, link, keep_all)


@njit()
def mark_of(cell: int, mask: int) -> int:
    """Return a number for what is eliminated in one cell; those of several cells are added up."""
    x = (cell * 512 + mask + 1) * 0x1E3779B97F4A7C15
    return (x ^ (x >> 29)) * 0x3F58476D1CE4E5B9


@njit()
def _eliminates(walk: Walk, last: int) -> bool:
    """Return whether a candidate outside the cells of a cycle sees a true and a false one of the cycle."""
    cells, eliminates = walk.cells, False
    for word in range(2):
        for row in range(SEES_FALSE, OF_CYCLE + 1):
            cells[row, word] = ZERO
        node = last
        while node >= 0:
            candidate = walk.node[node, LITERAL] >> 1
            row = candidate % 9 + (SEES_TRUE if walk.node[node, LITERAL] & 1 else SEES_FALSE)
            cells[row, word] |= AROUND[candidate // 9, word]
            cells[OF_CYCLE, word] |= CELL[candidate // 9, word]
            node = walk.node[node, PARENT]
        for digit in range(9):
            both = cells[SEES_FALSE + digit, word] & cells[SEES_TRUE + digit, word]
            eliminates |= both & cells[PLACES + digit, word] & ~cells[OF_CYCLE, word] != ZERO
    return eliminates


@njit()
def _mark_near(walk: Walk, last: int, value: bool) -> None:
    """Mark the candidates that see those of a cycle, and its own cells; or remove the marks."""
    node = last
    while node >= 0:
        literal = walk.node[node, LITERAL]
        for peer in PEERS[(literal >> 1) // 9]:
            walk.flag[peer * 9 + (literal >> 1) % 9, NEAR_TRUE if literal & 1 else NEAR_FALSE] = value
        node = walk.node[node, PARENT]
    node = last
    while node >= 0:
        cell = (walk.node[node, LITERAL] >> 1) // 9
        for candidate in range(9 * cell, 9 * cell + 9):
            walk.flag[candidate, NEAR_TRUE] = walk.flag[candidate, NEAR_FALSE] = OWN if value else 0
        node = walk.node[node, PARENT]


@njit()
def _eliminated_by_cycle(grid: Grid, walk: Walk, cell: int) -> int:
    mask = 0
    for digit in range(9):
        near = walk.flag[cell * 9 + digit]
        if near[NEAR_TRUE] == 1 and near[NEAR_FALSE] == 1 and grid[cell] >> digit & 1:
            mask |= 1 << digit
    return mask


@njit()
def _record(
    walk: Walk,
    found: Found,
    base: int,
    rank: int,
    kind: int,
    mark: int,
    node: int,
    literal: int,
    cause: int,
    keep_all: bool,
) -> None:
    """Keep a chain or cycle if it is the best for its conclusion, or of all."""
    length, at = 1 if kind == CHAIN else 0, node
    while at >= 0:
        length, at = length + 1, wide(walk.node[at, PARENT])
    rating = base + length_tenths(length)
    number = place_for(found, keep_all, rating, length, rank, mark)
    if number < 0:
        return
    n = found.size[STEPS] if keep_all else 0
    record = found.record[number]
    record[records.RATING], record[records.LENGTH], record[records.RANK] = rating, length, rank
    record[records.KIND], record[records.MARK], record[records.ORDER] = kind, mark, found.size[LAST_ORDER]
    record[records.BEGIN] = record[records.END] = n
    found.size[LAST_ORDER] += 1
    if n + length + 1 >= MAX_STEPS:
        found.size[FULL] = 1
        return
    found.path[n, records.LITERAL], found.path[n, records.CAUSE] = literal, cause
    while node >= 0:
        n += 1
        found.path[n, records.LITERAL], found.path[n, records.CAUSE] = walk.node[node, LITERAL], walk.node[node, CAUSE]
        node = walk.node[node, PARENT]
    record[records.END] = found.size[STEPS] = n + 1


@njit()
def eliminated_by(grid: Grid, walk: Walk, found: Found, number: int, masks: Ints) -> None:
    """Write what a record eliminates in each cell (81 masks)."""
    put(masks, 0)
    begin, end = found.record[number, records.BEGIN], found.record[number, records.END]
    if found.record[number, records.KIND] == CHAIN:
        literal = found.path[begin, records.LITERAL]
        cell, mask = (literal >> 1) // 9, 1 << ((literal >> 1) % 9)
        masks[cell] = grid[cell] & ~mask if literal & 1 else mask
        return
    start(walk, wide(found.path[begin + 1, records.LITERAL]))  # the cycle as a path, to mark what sees it
    for k in range(begin + 2, end):
        push(walk, wide(found.path[k, records.LITERAL]), walk.size[NODES] - 1, 0)
    _mark_near(walk, walk.size[NODES] - 1, flag(True))
    for cell in range(81):
        masks[cell] = _eliminated_by_cycle(grid, walk, cell)
    _mark_near(walk, walk.size[NODES] - 1, flag(False))
