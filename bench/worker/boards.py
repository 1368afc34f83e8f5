"""Boards in the messages between runner and worker: a byte for each cell, as hexadecimal text (pencilmarks: 8 bytes).

Lists of numbers would take many times as long to write and to read as a fast solver needs for the puzzle.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from sudoku_bench.datasets.puzzle import Packed, Puzzle
from sudoku_bench.datasets.puzzle import puzzles_of as packed_puzzles
from sudoku_bench.datasets.shape import Shape

PIPE_BYTES = 1 << 16  # of messages: what a pipe holds
INTEGERS = {int}
LONGEST_BITS = 64  # of a cell in an answer


@cache
def shape_of(*arguments: Any) -> Shape:
    """Return the shape, always the same object: what a shape has computed about itself, it keeps."""
    return Shape(*arguments)


def text_of(puzzles: Iterable[Puzzle]) -> str:
    """Return the cells of puzzles of one shape for a request."""
    if isinstance(puzzles, Packed):
        return puzzles.cells.hex()
    return b"".join([puzzle.cell_bytes for puzzle in puzzles]).hex()


def boards_of(shape: Shape, text: str) -> list[bytes]:
    """Return the cells of each board that a message contains.

    Raises:
        ValueError, TypeError: it is not such a text.
    """
    cells, width = bytes.fromhex(text), shape.n_bytes
    if len(cells) % width:
        raise ValueError(f"{len(cells)} cells, which is no number of boards of {width}")
    return [cells[start : start + width] for start in range(0, len(cells), width)]


def puzzles_of(shape: Shape, text: str) -> list[Puzzle]:
    """Return the puzzles of a request."""
    return [puzzle_of(shape, board) for board in boards_of(shape, text)]


def puzzle_of(shape: Shape, board: bytes) -> Puzzle:
    """Return the puzzle with such cells, which it has as integers too, so that no timed solve converts them."""
    puzzle = next(packed_puzzles(shape, (board,)))
    _ = puzzle.cells, puzzle.forbidden
    return puzzle


def packed(answers: Sequence[Sequence[Sequence[int]]]) -> list[list[str | list[int]]]:
    """Return answers for a reply: a text for each solution, or its integers if one of them is no byte.

    Raises:
        TypeError: a cell is no integer.
        ValueError: one is too large to store.
    """
    return [[_packed(cells) for cells in answer] for answer in answers]


def unpacked(answers: Any) -> list[list[Sequence[int]]]:
    """Return the answers of a reply with the cells of each solution: bytes, or integers if one of them is no byte.

    Raises:
        ValueError, TypeError: these are not answers.
    """
    if type(answers) is not list:
        raise TypeError("answers are a list")
    return [[_unpacked(cells) for cells in answer] for answer in answers]


def _packed(cells: Sequence[int]) -> str | list[int]:
    try:
        return bytes(cells).hex()
    except (ValueError, OverflowError):
        return digits(cells)


def _unpacked(cells: Any) -> Sequence[int]:
    if type(cells) is str:
        return bytes.fromhex(cells)
    if type(cells) is not list or not set(map(type, cells)) <= INTEGERS:
        raise TypeError("a solution is a list of integers")
    return cells


def digits(cells: Sequence[Any]) -> list[int]:
    """Return the cells as Python integers.

    Raises:
        TypeError: a cell is no integer.
        ValueError: one is too large to store.
    """
    numbers = list(map(operator.index, cells))
    longest = max(max(numbers).bit_length(), min(numbers).bit_length())
    if longest > LONGEST_BITS:
        raise ValueError(f"an integer of {longest} bits")
    return numbers
