"""Puzzles as text that ``datasets/reading`` reads, also on boards with other rules."""

from __future__ import annotations

from sudoku_bench.datasets.layouts import JIGSAW, LATIN
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape


def text_of(puzzle: Puzzle) -> str:
    """Return a puzzle as ``reading/boards`` takes it: quasigroups as rows, clues of jigsaws before their regions."""
    shape = puzzle.shape
    if not _says_layout(shape):
        return puzzle.text
    if shape.layout == LATIN:
        n = shape.size
        rows = (puzzle.cells[start : start + n] for start in range(0, n * n, n))
        return "\n".join([f"order {n}", *(" ".join(f"{value - 1:2}" for value in row) for row in rows)])
    return puzzle.text + shape.layout.removeprefix(JIGSAW)


def line_of(puzzle: Puzzle) -> str:
    """Return a puzzle as it is read; with borders if its boxes are not those that a line of this length stands for."""
    usual = puzzle.shape.pencilmarks or puzzle.shape == Shape.of_size(puzzle.shape.size, puzzle.shape.layout)
    return f"{text_of(puzzle)}\n" if usual else f"{puzzle.bordered}\n\n"


def heading(shape: Shape) -> str:
    """Return the line that gives puzzles of ``text_of`` their layout; empty if they say it, or have none."""
    return "" if _says_layout(shape) else f"# layout: {shape.layout}\n"


def _says_layout(shape: Shape) -> bool:
    """Whether the text of a puzzle says its layout, or there is none."""
    is_own = shape.layout == LATIN or (shape.layout.startswith(JIGSAW) and "+" not in shape.layout)
    return not shape.layout or (is_own and not shape.pencilmarks)
