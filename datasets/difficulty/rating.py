"""How hard is a puzzle, for machines and for people? All measures of a puzzle at once.

Two axes. *Search difficulty* is the mean number of guesses of a depth-first search that knows only naked and hidden
singles, over random orders (``datasets.search``); it predicts the solve times of search-based programs. *Logical
difficulty* is what a person meets: the explainer scale (``datasets.difficulty.explainer``), and the rounds of trial and error
(``datasets.difficulty.trial``), which go on where that scale ends. Unsolved cells (``datasets.difficulty.singles``) and backdoor size
(``datasets.difficulty.backdoor``) are coarse; the number of clues says nothing. All but the guesses are the same for all
isomorphs, and the guesses are so in distribution.
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
MAX_GUESSES = 100_000  # per order; beyond that the mean is not known
MAX_GUESSES_UNIQUE = 200_000  # of the search for a second solution

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
    """Mean guesses and the standard error of that mean; None where a search gave up."""

    mean: float | None
    standard_error: float | None


@dataclass(frozen=True)
class Rating:
    """All measures of a puzzle; None for one that is not known, or that makes no sense for the puzzle.

    Trial, backdoor and explainer scale are for puzzles with exactly one solution, the explainer scale besides for 9×9
    boards; guesses and unsolved cells for puzzles that have a solution.
    """

    clues: int
    guesses: Guesses
    trial: Trial | None = None
    unsolved: Unsolved | None = None
    backdoor: Backdoor | None = None
    explained: Explained | None = None

    def fields(self) -> dict[str, str]:
        """The measures as text by column (``COLUMNS``); empty for what is not known, ``>`` before a bound."""
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
            from datasets.difficulty.explainer import TOP

            er, ep, ed = self.explained.er, self.explained.ep, self.explained.ed
            fields |= {"er": f">{TOP}" if math.isinf(er) else f"{er:.1f}", "ep": f"{ep:.1f}", "ed": f"{ed:.1f}"}
        return fields


def rate(
    puzzle: Puzzle,
    seed: int,
    orders: int = ORDERS,
    solutions: int | None = None,
    solution: tuple[int, ...] | None = None,
) -> Rating:
    """All measures of a puzzle. Only the guesses depend on ``seed`` and ``orders`` (at least 2).

    Args:
        solutions: how many solutions there are, any number standing for two or more, if known; else it is found out.
        solution: the solution if there is exactly one.
    """
    if solutions is None:
        from datasets.search import solve

        found = solve(puzzle, limit=2, max_guesses=MAX_GUESSES_UNIQUE)
        solutions = len(found.solutions)
        solution = found.solutions[0] if solutions == 1 and found.complete else None
    if solutions == 0:
        return Rating(puzzle.clues, Guesses(None, None))
    from datasets.difficulty.singles import unsolved

    rating = Rating(puzzle.clues, guesses(puzzle, seed, orders), unsolved=unsolved(puzzle))
    return _with_logic(rating, puzzle, solution) if solution else rating


def _with_logic(rating: Rating, puzzle: Puzzle, solution: tuple[int, ...]) -> Rating:
    """The rating of a puzzle with just this solution, complete with the measures that need one."""
    from datasets.difficulty.backdoor import backdoor
    from datasets.difficulty.explainer import explain
    from datasets.difficulty.trial import trial

    return replace(
        rating,
        trial=trial(puzzle, solution),
        backdoor=backdoor(puzzle, solution),
        explained=explain(puzzle) if puzzle.shape == Shape(3, 3) else None,
    )


def guesses(puzzle: Puzzle, seed: int, orders: int = ORDERS, max_guesses: int = MAX_GUESSES) -> Guesses:
    """The search difficulty of a puzzle from ``orders`` >= 2 random orders (30: a standard error of about 12%)."""
    from datasets.search import count_guesses

    counts = count_guesses(puzzle, orders, seed, max_guesses)
    if (counts < 0).any():
        return Guesses(None, None)
    return Guesses(float(counts.mean()), float(counts.std(ddof=1)) / math.sqrt(orders))
