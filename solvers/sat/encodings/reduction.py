"""Candidates after singles and locked candidates: what is removed before a puzzle is encoded (``+reduced``)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sudoku_bench.datasets.shape import Shape

Masks = list[int]  # for each cell its candidates: bit v-1 for the value v
Segment = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def candidates(shape: Shape, cells: Sequence[int], forbidden: Sequence[tuple[int, int]] = ()) -> Masks | None:
    """The candidates that naked singles, hidden singles and locked candidates leave, applied until none applies.

    Locked candidates: if all places for a value in a box are in one line, no other cell of that line holds it, and the
    same with box and line exchanged. Every solution of the puzzle is kept.

    Args:
        cells: N·N numbers, 0 for an empty cell.
        forbidden: empty cells and values 1 .. N that they do not have.

    Returns:
        N·N masks; None if a contradiction is found.
    """
    masks = [(1 << shape.size) - 1] * shape.n_cells
    for cell, value in forbidden:
        masks[cell] &= ~(1 << value - 1)
    placed = [(cell, 1 << value - 1) for cell, value in enumerate(cells) if value]
    while True:
        if not _place(shape, masks, placed):
            return None
        found = _hidden_singles(shape, masks)
        if found is None:
            return None
        if not found and not _lock(shape, masks):
            return masks
        placed = found or [(cell, mask) for cell, mask in enumerate(masks) if not mask & (mask - 1)]


def _place(shape: Shape, masks: Masks, placed: list[tuple[int, int]]) -> bool:
    """Place values (cell and bit) and the naked singles that follow; False on a contradiction."""
    while placed:
        cell, bit = placed.pop()
        if not masks[cell] & bit:
            return False
        masks[cell] = bit
        for peer in shape.peers[cell]:
            if masks[peer] & bit:
                masks[peer] ^= bit
                if not masks[peer] & (masks[peer] - 1):
                    placed.append((peer, masks[peer]))
    return 0 not in masks


def _hidden_singles(shape: Shape, masks: Masks) -> list[tuple[int, int]] | None:
    """Open cells that are the only place for a value in a unit, and the value; None if a value has no place."""
    found = []
    for unit in shape.full_units:
        once = twice = 0
        for cell in unit:
            twice |= once & masks[cell]
            once |= masks[cell]
        if once.bit_count() < shape.size:
            return None
        for cell in unit:
            bit = masks[cell] & ~twice
            if bit & (bit - 1):  # the only place of two values
                return None
            if bit and bit != masks[cell]:
                found.append((cell, bit))
    return found


def _lock(shape: Shape, masks: Masks) -> bool:
    """Remove what locked candidates exclude; return whether that is anything."""
    before = list(masks)
    for segment, *rests in _segments(shape):
        inside = _union(masks, segment)
        for here, there in (rests, rests[::-1]):
            locked = inside & ~_union(masks, here)
            for cell in there:
                masks[cell] &= ~locked
    return masks != before


def _union(masks: Masks, cells: Sequence[int]) -> int:
    union = 0
    for cell in cells:
        union |= masks[cell]
    return union


@lru_cache(maxsize=8)
def _segments(shape: Shape) -> list[Segment]:
    """The cells that a box shares with a line, the other cells of the box, and the other cells of the line."""
    return [
        (
            tuple(cell for cell in box if cell in line),
            tuple(cell for cell in box if cell not in line),
            tuple(cell for cell in line if cell not in box),
        )
        for box in shape.boxes
        for line in shape.rows + shape.columns
        if not set(box).isdisjoint(line)
    ]
