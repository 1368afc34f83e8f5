"""Boards in the messages between runner and worker: a byte for each cell, as hexadecimal text.

Lists of numbers would take many times as long to write and to read as a fast solver needs for the puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from datasets.puzzle import Puzzle
from datasets.shape import Shape


@cache
def shape_of(box_rows: int, box_cols: int) -> Shape:
    """Return the shape, always the same object: what a shape has computed about itself, it keeps."""
    return Shape(box_rows, box_cols)


def text_of(puzzles: Iterable[Puzzle]) -> str:
    """Return the cells of puzzles of one shape for a request."""
    return b"".join([puzzle.cell_bytes for puzzle in puzzles]).hex()


def boards_of(shape: Shape, text: str) -> list[bytes]:
    """Return the cells of each board that a message contains.

    Raises:
        ValueError, TypeError: it is not such a text.
    """
    cells, width = bytes.fromhex(text), shape.n_cells
    if len(cells) % width:
        raise ValueError(f"{len(cells)} cells, which is no number of boards of {width}")
    return [cells[start : start + width] for start in range(0, len(cells), width)]


def puzzles_of(shape: Shape, text: str) -> list[Puzzle]:
    """Return the puzzles of a request. They have their cells as integers too, so that no timed solve converts them."""
    return [Puzzle(shape, tuple(cells)) for cells in boards_of(shape, text)]


def packed(answers: Sequence[Sequence[list[int]]]) -> list[list[str | list[int]]]:
    """Return answers for a reply: a text for each solution, or its integers if one of them is no byte."""
    return [[_packed(cells) for cells in answer] for answer in answers]


def unpacked(answers: Any) -> Any:
    """Return the answers of a reply with the integers of each solution.

    Raises:
        ValueError, TypeError: these are not answers.
    """
    return [[list(bytes.fromhex(cells)) if type(cells) is str else cells for cells in answer] for answer in answers]


def _packed(cells: list[int]) -> str | list[int]:
    try:
        return bytes(cells).hex()
    except (ValueError, OverflowError):
        return cells
