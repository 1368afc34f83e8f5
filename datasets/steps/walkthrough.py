"""A puzzle solved step by step: always the easiest step that applies, and a guess where none does.

The steps, their order and their ratings are those of the explainer scale, which goes on with chains
(``datasets/difficulty/explainer``). On boards other than 9×9, units beside rows and columns are treated like boxes, and
the steps end at XYZ-wings. A guess takes the digit of the solution, so it is never wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from sudoku_bench.datasets.naming import listed
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.steps import eliminations, one_solution, placements
from sudoku_bench.datasets.steps.board import Board, Step, bits

GUESS = "guess"
Rule = Callable[[Board], Step | None]
LADDER: tuple[Rule, ...] = (  # from easy to hard
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
RATED: tuple[Rule, ...] = (  # those of 9×9 boards with one solution
    *LADDER,
    one_solution.unique_loop,
    partial(eliminations.naked_set, count=4),
    partial(eliminations.fish, count=4),
    partial(eliminations.hidden_set, count=4),
    one_solution.universal_grave,
)


def walkthrough(puzzle: Puzzle, solution: Sequence[int], is_unique: bool = True) -> tuple[Step, ...]:
    """Return the steps that solve a puzzle.

    Args:
        solution: a solution, as a digit for each cell. If the puzzle has several, guesses lead to this one.
        is_unique: whether it is the only one, as steps above XYZ-wings take for granted.
    """
    board, steps = Board(puzzle), list[Step]()
    rules = RATED if is_unique and puzzle.shape == Shape(3, 3) else LADDER
    while not all(board.values):
        steps.append(easiest(board, rules) or _guess(board, solution))
        board.apply(steps[-1])
    return tuple(steps)


def easiest(board: Board, rules: Iterable[Rule]) -> Step | None:
    """Return the step of the first rule that has one; None if no rule has."""
    return next((step for find in rules if (step := find(board))), None)


def _guess(board: Board, solution: Sequence[int]) -> Step:
    """Return a guess in the first of the cells with the fewest candidates."""
    open_cells = [cell for cell, value in enumerate(board.values) if not value]
    cell = min(open_cells, key=lambda cell: board.candidates[cell].bit_count())
    digits = listed((board.digit_name(digit) for digit in bits(board.candidates[cell])), "or")
    reason = f"no rule applies; {board.cell_name(cell)} could be {digits}."
    return Step(0.0, GUESS, (cell, solution[cell]), (), (cell,), reason)
