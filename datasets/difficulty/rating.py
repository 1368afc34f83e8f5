"""All difficulty measures of a puzzle, for programs and for people.

There are two axes. *Search difficulty* is the mean number of guesses of a depth-first search that uses only naked and
hidden singles, over random orders (``datasets.search``); it predicts the solve times of search-based programs. *Logical
difficulty* is the difficulty for a person: the explainer scale (``datasets.difficulty.explainer``), and the rounds of
trial and error (``datasets.difficulty.trial``), which continue where that scale ends. Unsolved cells
(``datasets.difficulty.singles``) and backdoor size (``datasets.difficulty.backdoor``) are coarse; the number of clues
says nothing. All measures except the guesses are the same for all isomorphs; the guesses have the same distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from datasets.puzzle import Puzzle
from datasets.shape import Shape

if TYPE_CHECKING:
    from datasets.difficulty.backdoor import Backdoor
    from datasets.difficulty.explainer import Explained
    from datasets.difficulty.singles import Unsolved
    from datasets.difficulty.trial import Trial

ORDERS = 30
MAX_GUESSES = 100_000  # per order; beyond this the mean is not known
MAX_GUESSES_UNIQUE = 200_000  # of the search for a second solution
EXPLAINER_WORK = 20_000_000  # deduced literals; beyond this the explainer ratings are bounds

COLUMNS = (
    "clues",
    "guesses",
    "guesses_se",
    "te_rounds",
    "te_depth",
    "unsolved_singles",
    "unsolved_locked",
    "backdoor",
    "er",
    "ep",
    "ed",
)


@dataclass(frozen=True)
class Guesses:
    """Mean guesses and the standard error of the mean; None if a search gave up."""

    mean: float | None
    standard_error: float | None


@dataclass(frozen=True)
class Rating:
    """All measures of a puzzle; None for a measure that is not known or not defined for the puzzle.

    Trial, backdoor and explainer scale are defined for puzzles with exactly one solution, and the explainer scale for
    9×9 boards only. Guesses and unsolved cells are defined for puzzles that have a solution.
    """

    clues: int
    guesses: Guesses
    trial: Trial | None = None
    unsolved: Unsolved | None = None
    backdoor: Backdoor | None = None
    explained: Explained | None = None

    def fields(self) -> dict[str, str]:
        """Format the measures by column (``COLUMNS``): empty if not known, ``>`` before a lower bound."""
        fields = dict.fromkeys(COLUMNS, "") | {"clues": str(self.clues)}
        if self.guesses.mean is not None:
            fields["guesses"] = f"{self.guesses.mean:.6g}"
        if self.guesses.standard_error is not None:
            fields["guesses_se"] = f"{self.guesses.standard_error:.6g}"
        if self.trial:
            fields |= {"te_rounds": str(self.trial.rounds), "te_depth": str(self.trial.depth)}
        if self.unsolved:
            fields |= {"unsolved_singles": str(self.unsolved.singles), "unsolved_locked": str(self.unsolved.locked)}
        if self.backdoor:
            fields["backdoor"] = f"{'' if self.backdoor.exact else '>'}{self.backdoor.size}"
        if self.explained:
            fields |= {name: self.explained.text(name) for name in ("er", "ep", "ed")}
        return fields


def rate(
    puzzle: Puzzle,
    seed: int,
    orders: int = ORDERS,
    solutions: int | None = None,
    solution: tuple[int, ...] | None = None,
) -> Rating:
    """Compute all measures of a puzzle. Only the guesses depend on ``seed`` and ``orders`` (at least 2).

    Args:
        solutions: number of solutions, if known; any number above 1 means several. None: a search counts them.
        solution: the solution if there is exactly one.
    """
    if solutions is None:
        from datasets.search import solve

        result = solve(puzzle, limit=2, max_guesses=MAX_GUESSES_UNIQUE)
        solutions = len(result.solutions)
        solution = result.solutions[0] if solutions == 1 and result.complete else None
    if solutions == 0:
        return Rating(puzzle.clues, Guesses(None, None))
    from datasets.difficulty.singles import unsolved

    rating = Rating(puzzle.clues, guesses(puzzle, seed, orders), unsolved=unsolved(puzzle))
    return _with_logical_measures(rating, puzzle, solution) if solution else rating


def _with_logical_measures(rating: Rating, puzzle: Puzzle, solution: tuple[int, ...]) -> Rating:
    """Add the measures that are defined for puzzles with exactly one solution."""
    from datasets.difficulty.backdoor import backdoor
    from datasets.difficulty.explainer import explain
    from datasets.difficulty.trial import trial

    return replace(
        rating,
        trial=trial(puzzle, solution),
        backdoor=backdoor(puzzle, solution),
        explained=explain(puzzle, EXPLAINER_WORK) if puzzle.shape == Shape(3, 3) else None,
    )


def guesses(puzzle: Puzzle, seed: int, orders: int = ORDERS, max_guesses: int = MAX_GUESSES) -> Guesses:
    """Measure the search difficulty over ``orders`` >= 2 random orders (30: a standard error of about 12%)."""
    from datasets.search import count_guesses

    counts = count_guesses(puzzle, orders, seed, max_guesses)
    if (counts < 0).any():
        return Guesses(None, None)
    return Guesses(float(counts.mean()), float(counts.std(ddof=1)) / math.sqrt(orders))
