"""All difficulty measures of a puzzle, for programs and for people.

There are two axes. *Search difficulty* is the work of a search program: the mean number of guesses of a depth-first
search that uses only naked and hidden singles, over random orders (``datasets.search``); the mean conflicts of a solver
that learns clauses, and the mean look-aheads of a solver that tries each candidate before it branches, over random
isomorphs (``datasets.difficulty.conflicts``, ``datasets.difficulty.lookahead``). *Logical difficulty* is the difficulty
for a person: the explainer scale (``datasets.difficulty.explainer``), and the rounds of trial and error
(``datasets.difficulty.trial``). Unsolved cells (``datasets.difficulty.singles``) and backdoor size
(``datasets.difficulty.backdoor``) are coarse; the number of clues says nothing. The logical measures are the same for
all isomorphs, explainer ratings only up to 7.5; the others have the same distribution.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from datasets.difficulty.conflicts import ENGINE
from datasets.difficulty.estimate import UNKNOWN, Estimate, estimate
from datasets.puzzle import Puzzle
from datasets.shape import Shape

if TYPE_CHECKING:
    from datasets.difficulty.backdoor import Backdoor
    from datasets.difficulty.explainer import Explained
    from datasets.difficulty.singles import Unsolved
    from datasets.difficulty.trial import Trial

ORDERS = 30
FORMS = 12  # random isomorphs whose conflicts and look-aheads are counted
LARGEST_FOR_FORMS = 16  # rows of a board; on larger ones a count over all forms takes minutes
MAX_GUESSES = 100_000  # per order; beyond this the mean is not known
MAX_GUESSES_UNIQUE = 200_000  # of the search for a second solution
EXPLAINER_WORK = 250_000_000  # deduced literals; beyond this the explainer ratings are bounds

COLUMNS = (
    "clues",
    "guesses",
    "guesses_se",
    "conflicts",
    "conflicts_se",
    "lookahead",
    "lookahead_se",
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
class Rating:
    """All measures of a puzzle; None for a measure that is not known or not defined for the puzzle.

    Trial, backdoor and explainer scale are defined for puzzles with exactly one solution, and the explainer scale for
    9×9 boards only. Guesses, conflicts, look-aheads and unsolved cells are defined for puzzles that have a solution.
    """

    clues: int
    guesses: Estimate = UNKNOWN
    conflicts: Estimate = UNKNOWN
    lookahead: Estimate = UNKNOWN
    trial: Trial | None = None
    unsolved: Unsolved | None = None
    backdoor: Backdoor | None = None
    explained: Explained | None = None

    def fields(self) -> dict[str, str]:
        """Format the measures by column (``COLUMNS``): empty if not known, ``>`` before a lower bound."""
        fields = dict.fromkeys(COLUMNS, "") | {"clues": str(self.clues)}
        for name in ("guesses", "conflicts", "lookahead"):
            fields |= getattr(self, name).fields(name)
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
    presented: Puzzle | None = None,
    engine: str = ENGINE,
    work: int = EXPLAINER_WORK,
) -> Rating:
    """Compute all measures of a puzzle.

    Guesses depend on ``seed`` and ``orders`` (at least 2), conflicts and look-aheads on ``seed``.

    Args:
        solutions: number of solutions, if known; any number above 1 means several. None: a search counts them.
        solution: the solution if there is exactly one.
        presented: an isomorph to measure search difficulty with; None: the puzzle itself.
        engine: the SAT solver whose conflicts are counted (``conflicts.ENGINES``).
        work: limit of the explainer scale (``datasets.difficulty.explainer.explain``).
    """
    if solutions is None:
        from datasets.search import solve

        result = solve(puzzle, limit=2, max_guesses=MAX_GUESSES_UNIQUE)
        solutions = len(result.solutions)
        solution = result.solutions[0] if solutions == 1 and result.complete else None
    if solutions == 0:
        return Rating(puzzle.clues)
    from datasets.difficulty.singles import unsolved

    rating = Rating(puzzle.clues, unsolved=unsolved(puzzle))
    rating = _with_search_difficulty(rating, presented or puzzle, seed, orders, engine)
    return _with_logical_measures(rating, puzzle, solution, work) if solution else rating


def _with_search_difficulty(rating: Rating, puzzle: Puzzle, seed: int, orders: int, engine: str) -> Rating:
    """Add the work of search programs."""
    rating = replace(rating, guesses=guesses(puzzle, seed, orders))
    if puzzle.shape.size > LARGEST_FOR_FORMS:
        return rating
    from datasets.difficulty.conflicts import conflicts
    from datasets.difficulty.lookahead import look_aheads

    return replace(rating, conflicts=conflicts(puzzle, seed, FORMS, engine), lookahead=look_aheads(puzzle, seed, FORMS))


def _with_logical_measures(rating: Rating, puzzle: Puzzle, solution: tuple[int, ...], work: int) -> Rating:
    """Add the measures that are defined for puzzles with exactly one solution."""
    from datasets.difficulty.backdoor import backdoor
    from datasets.difficulty.explainer import explain
    from datasets.difficulty.trial import trial

    return replace(
        rating,
        trial=trial(puzzle, solution),
        backdoor=backdoor(puzzle, solution),
        explained=explain(puzzle, work) if puzzle.shape == Shape(3, 3) else None,
    )


def guesses(puzzle: Puzzle, seed: int, orders: int = ORDERS, max_guesses: int = MAX_GUESSES) -> Estimate:
    """Measure the search difficulty over ``orders`` >= 2 random orders (30: a standard error of about 12%)."""
    from datasets.search import count_guesses

    return estimate(count_guesses(puzzle, orders, seed, max_guesses).tolist())
