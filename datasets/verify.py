"""Check the answer of a strategy against the rules of Sudoku."""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_bench.datasets.puzzle import Puzzle, in_parts, puzzles_of
from sudoku_bench.datasets.shape import Shape

SHOWN = 18  # cells of a wrong answer


def solution_fault(puzzle: Puzzle, cells: Sequence[int]) -> str | None:
    """Describe the first fault of a completed grid; return None if the grid solves the puzzle."""
    shape = puzzle.shape
    if len(cells) != shape.n_cells:
        return f"a solution has {len(cells)} cells, not {shape.n_cells}"
    for cell, (clue, value) in enumerate(zip(puzzle.cells, cells, strict=True)):
        if clue not in (0, value):
            row, col = divmod(cell, shape.size)
            return f"a solution has {value} at r{row + 1}c{col + 1}, where the clue is {clue}"
    for cell, value in puzzle.forbidden:
        if cells[cell] == value:
            row, col = divmod(cell, shape.size)
            return f"a solution has {value} at r{row + 1}c{col + 1}, where a pencilmark forbids it"
    digits = set(range(1, shape.size + 1))
    for kind, units in shape.kinds:
        for number, unit in enumerate(units, start=1):
            held = {cells[cell] for cell in unit}
            if len(held) < len(unit) or not held <= digits:
                what = "each digit once" if len(unit) == shape.size else "only different digits"
                return f"{kind} {number} of a solution does not contain {what}"
    return None


def answer_fault(puzzle: Puzzle, answer: Sequence[Sequence[int]], expected: int) -> str | None:
    """Describe the first fault of an answer; return None if the answer is correct.

    Args:
        puzzle: the form that was solved.
        answer: the solutions that the strategy returned.
        expected: required number of solutions: the smaller of the task's limit and the puzzle's number of solutions.
    """
    for cells in answer:
        fault = solution_fault(puzzle, cells)
        if fault:
            return fault
    if len(set(map(tuple, answer))) < len(answer):
        return "the same solution was returned twice"
    if len(answer) < expected:
        return f"{_solutions(len(answer))} returned, but the puzzle has more ({expected} expected)"
    if len(answer) > expected:
        return f"{_solutions(len(answer))} returned, {expected} expected"
    return None


def in_short(answer: Sequence[Sequence[int]]) -> str:
    """Return the beginning of the first solution of an answer, as the end of a sentence; empty without a solution."""
    if not answer:
        return ""
    joint = "" if max(answer[0], default=0) < 10 else " "
    begin = joint.join(map(str, answer[0][:SHOWN]))
    return f" (the answer begins {begin}{'…' if len(answer[0]) > SHOWN else ''})"


def solved(shape: Shape, boards: bytes, grids: bytes) -> list[bool]:
    """Return which completed grids solve their puzzles; for long lists much faster than one by one.

    Args:
        boards: the ``cell_bytes`` of n puzzles of the shape, one after another.
        grids: for each puzzle one byte for each of its cells.
    """
    number = len(grids) // shape.n_cells
    if number < 2 or not shape.is_ordinary:
        puzzles = puzzles_of(shape, in_parts(boards, number))
        return [not solution_fault(*pair) for pair in zip(puzzles, in_parts(grids, number), strict=True)]
    import numpy as np

    clues, cells = (np.frombuffer(each, dtype=np.uint8) for each in (boards, grids))
    fits = ((clues == 0) | (clues == cells)).reshape(number, -1).all(axis=1)
    bit = np.zeros(256, dtype=np.uint16 if shape.size <= 16 else np.uint64)
    bit[1 : shape.size + 1] = 1 << np.arange(shape.size, dtype=np.uint64)  # none for what is no digit of the board
    sides = (shape.size // shape.box_rows, shape.box_rows, shape.size // shape.box_cols, shape.box_cols)
    bits = bit[np.ascontiguousarray(cells.reshape(number, -1).T)].reshape(*sides, number)
    for unit in ((2, 3), (0, 1), (1, 3)):  # rows, columns, boxes
        fits &= (np.bitwise_or.reduce(bits, axis=unit) == bit.sum(dtype=bit.dtype)).reshape(-1, number).all(axis=0)
    return fits.tolist()  # type: ignore[no-any-return]


def _solutions(count: int) -> str:
    return "1 solution" if count == 1 else f"{count} solutions"
