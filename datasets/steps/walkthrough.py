"""A puzzle solved step by step: always the easiest step that applies, and a guess where none does.

The steps, their order and their ratings are those of the explainer scale up to XYZ-wing
(``datasets/difficulty/explainer`` goes on beyond it, compiled, for 9×9 boards only). Here boards may have any shape
and units, of which those beside rows and columns are treated like boxes. A guess takes the digit of the solution, so it
is never wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sudoku_bench.datasets.naming import listed
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.steps import eliminations, placements
from sudoku_bench.datasets.steps.board import Board, Step, bits

GUESS = "guess"
LADDER: tuple[Callable[[Board], Step | None], ...] = (  # from easy to hard
    placements.last_cell,
    partial(placements.hidden_single, in_boxes=True),
    partial(placements.hidden_single, in_boxes=False),
    partial(placements.direct_locked, in_boxes=True),
    partial(placements.direct_locked, in_boxes=False),
    partial(placements.direct_set, count=2),
    placements.naked_single,
    partial(placements.direct_set, count=3),
    partial(eliminations.locked, in_boxes=True),
    partial(eliminations.locked, in_boxes=False),
    partial(eliminations.naked_set, count=2),
    partial(eliminations.fish, count=2),
    partial(eliminations.hidden_set, count=2),
    partial(eliminations.naked_set, count=3),
    partial(eliminations.fish, count=3),
    partial(eliminations.hidden_set, count=3),
    partial(eliminations.wing, count=2),
    partial(eliminations.wing, count=3),
)


def walkthrough(puzzle: Puzzle, solution: Sequence[int]) -> tuple[Step, ...]:
    """Return the steps that solve a puzzle.

    Args:
        solution: a solution, as a digit for each cell. If the puzzle has several, guesses lead to this one.
    """
    board = Board(puzzle)
    steps = []
    while not all(board.values):
        step = next((step for find in LADDER if (step := find(board))), None) or _guess(board, solution)
        board.apply(step)
        steps.append(step)
    return tuple(steps)


def _guess(board: Board, solution: Sequence[int]) -> Step:
    """Return a guess in the first of the cells with the fewest candidates."""
    open_cells = [cell for cell, value in enumerate(board.values) if not value]
    cell = min(open_cells, key=lambda cell: board.candidates[cell].bit_count())
    digits = listed((board.digit_name(digit) for digit in bits(board.candidates[cell])), "or")
    reason = f"no rule applies; {board.cell_name(cell)} could be {digits}."
    return Step(0.0, GUESS, (cell, solution[cell]), (), (cell,), reason)
