"""The steps of a puzzle's solution and what is wrong with it, for its page and ``solve --steps``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.steps.board import Step
from sudoku_bench.datasets.steps.walkthrough import walkthrough
from sudoku_bench.datasets.steps.words import summary

LARGEST = 30  # rows of a board with steps; those of a larger one can take minutes
MOST_GUESSES = 1_000_000  # of the search for a solution: 20 s on a board of 25×25
FEWEST = 17  # clues of an ordinary 9×9 puzzle with one solution (McGuire et al. 2014)


@dataclass(frozen=True)
class Explained:
    """How a puzzle is solved.

    Attributes:
        words: a summary of the steps, or why there are none.
        fault: a sentence that says why this is no puzzle with one solution; empty if none is known.
        steps: the steps to ``solution``, a value for each cell; both are empty if there are none.
    """

    words: str
    fault: str = ""
    steps: Sequence[Step] = ()
    solution: Sequence[int] = ()


def explained(puzzle: Puzzle) -> Explained:
    """Solve a puzzle step by step, unless its board is too large."""
    if not puzzle.clues:
        return Explained("", "This board has no clues, so every complete grid solves it: it is not a puzzle.")
    if any(puzzle.clashes()):
        return Explained("", "Two equal clues see each other: this puzzle has no solution.")
    if puzzle.shape.size > LARGEST:
        return Explained("Boards of this size are shown without steps.")
    found = solve(puzzle, limit=2, max_guesses=MOST_GUESSES)
    if not found.solutions:
        late = "No solution was found in time for the steps."
        return Explained("", "This puzzle has no solution.") if found.complete else Explained(late)
    is_short = puzzle.shape == Shape(3, 3) and puzzle.clues < FEWEST
    short = f": with {puzzle.clues} clues, fewer than {FEWEST}, it always has" if is_short else ""
    fault = f"This puzzle has several solutions{short}. The steps lead to one of them, by guesses."
    is_unique = found.complete and len(found.solutions) == 1
    steps = walkthrough(puzzle, found.solutions[0], is_unique)
    return Explained(f"{summary(steps)}.", fault if len(found.solutions) > 1 else "", steps, found.solutions[0])
