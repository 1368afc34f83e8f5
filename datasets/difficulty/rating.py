"""All difficulty measures of a puzzle, for programs and for people.

There are two axes. *Search difficulty* is the work of a search program: the mean number of guesses of a depth-first
search that uses only naked and hidden singles, over random orders (``datasets/search``), and the mean conflicts of a
solver that learns clauses, over random isomorphs (``datasets/difficulty/conflicts``). *Logical difficulty* is the
difficulty for a person: the explainer scale (``datasets/difficulty/explainer``), and the rounds of trial and error
(``datasets/difficulty/trial``). Unsolved cells (``datasets/difficulty/singles``) are coarse; the number of clues says
nothing. The logical measures are the same for
all isomorphs, explainer ratings only up to 7.5; the others have the same distribution.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from sudoku_bench.datasets.difficulty.conflicts import ENGINE, conflicts
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.sources import PACKAGE, closure, files_of, imports

if TYPE_CHECKING:
    from sudoku_bench.datasets.difficulty.singles import Unsolved
    from sudoku_bench.datasets.difficulty.trial import Trial

ORDERS = 30
FORMS = 12  # random isomorphs whose conflicts are counted
LARGEST_FOR_FORMS = 16  # rows of a board; on larger ones a count over all forms takes minutes
MAX_GUESSES = 100_000  # per order; beyond this the mean is not known
MAX_GUESSES_UNIQUE = 200_000  # of the search for a second solution
EXPLAINER_WORK = 250_000_000  # deduced literals; beyond this the explainer ratings are bounds
EXPLAINER_WORK_IN_RUNS = 20_000_000  # some seconds
SEED_IN_RUNS = 1  # of orders and forms; puzzles have the same difficulty in every run
FORM_IN_RUNS = -100  # not a timed form (numbered from 0), and far from those of the warm-up (-1, -2, ...)

# The module below ``datasets`` that computes each measure, and that this module uses for no other.
SOURCES = {
    "guesses": "search",
    "conflicts": "difficulty/conflicts",
    "unsolved": "difficulty/singles",
    "trial": "difficulty/trial",
    "explained": "difficulty/explainer",
}

COLUMNS = (
    "clues",
    "guesses",
    "guesses_se",
    "conflicts",
    "conflicts_se",
    "te_rounds",
    "te_depth",
    "unsolved_singles",
    "unsolved_locked",
    "er",
    "ep",
    "ed",
)


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error; None if they are not known."""

    mean: float | None = None
    standard_error: float | None = None

    def fields(self, name: str) -> dict[str, str]:
        """Format both as the columns ``name`` and ``name_se``; empty if not known."""
        values = {name: self.mean, f"{name}_se": self.standard_error}
        return {column: "" if value is None else f"{value:.6g}" for column, value in values.items()}


UNKNOWN = Estimate()


def estimate(counts: Sequence[int]) -> Estimate:
    """Return the mean of at least two counts and its standard error; unknown if one of them is negative (given up)."""
    if min(counts) < 0:
        return UNKNOWN
    return Estimate(fmean(counts), stdev(counts) / math.sqrt(len(counts)))


@dataclass(frozen=True)
class Measures:
    """What the measures of a puzzle depend on.

    Trial and explainer scale are defined for puzzles with exactly one solution, and the explainer scale for 9×9 boards
    only. Guesses, conflicts and unsolved cells are defined for puzzles that have a solution. On boards with a layout or
    pencilmarks, only clues, guesses and conflicts are measured.

    Attributes:
        presented: the puzzle or an isomorph, whose search difficulty is measured.
        solutions: number of solutions; any number above 1 means several.
        solution: the solution if there is exactly one, and it is known.
        seed, orders: of guesses; the seed is also that of conflicts.
        engine: the SAT solver whose conflicts are counted (``conflicts.ENGINES``).
        work: limit of the explainer scale (``datasets/difficulty/explainer.explain``).
    """

    puzzle: Puzzle
    presented: Puzzle
    solutions: int
    solution: tuple[int, ...] | None
    seed: int
    orders: int = ORDERS
    engine: str = ENGINE
    work: int = EXPLAINER_WORK

    @classmethod
    def in_runs(cls, puzzle: Puzzle, solutions: int, solution: tuple[int, ...] | None, engine: str) -> Measures:
        """Return the measures of a puzzle that runs report, the same in every run.

        Search difficulty is measured on a separate form and on forms of that form, so that the luck of a presentation
        cannot be shared with a measurement. The other measures are those of the puzzle as stored.
        """
        presented = form(puzzle, isomorph(SEED_IN_RUNS, puzzle, FORM_IN_RUNS))
        work = EXPLAINER_WORK_IN_RUNS
        return cls(puzzle, presented, solutions, solution, SEED_IN_RUNS, engine=engine, work=work)

    def names(self) -> list[str]:
        """Return the measures that are defined for the puzzle, of ``SOURCES``."""
        small, ordinary = self.puzzle.shape.size <= LARGEST_FOR_FORMS, self.puzzle.shape.is_ordinary
        unique = ordinary and self.solution is not None
        defined = {
            "guesses": True,
            "conflicts": small,
            "unsolved": ordinary,
            "trial": unique,
            "explained": unique and self.puzzle.shape == Shape(3, 3),
        }
        return [name for name, is_defined in defined.items() if is_defined and self.solutions]

    def fields(self, name: str) -> dict[str, str]:
        """Compute a measure; return it as text by column: empty if not known, ``>`` before a lower bound."""
        from sudoku_bench.datasets.difficulty import explainer, singles, trial

        def columns(prefix: str, found: Unsolved | Trial | None) -> dict[str, str]:
            return {f"{prefix}_{key}": str(value) for key, value in (asdict(found) if found else {}).items()}

        compute: dict[str, Callable[[], dict[str, str]]] = {
            "guesses": lambda: guesses(self.presented, self.seed, self.orders).fields(name),
            "conflicts": lambda: estimate(conflicts(self.presented, self.seed, FORMS, self.engine)).fields(name),
            "unsolved": lambda: columns("unsolved", singles.unsolved(self.puzzle)),
            "trial": lambda: columns("te", trial.trial(self.puzzle, self.solution or ())),
            "explained": lambda: explainer.explain(self.puzzle, self.work).fields(),
        }
        return compute[name]()


def rate(
    puzzle: Puzzle,
    seed: int,
    orders: int = ORDERS,
    solutions: int | None = None,
    solution: tuple[int, ...] | None = None,
    work: int = EXPLAINER_WORK,
) -> dict[str, str]:
    """Return all measures of a puzzle by column (``COLUMNS``): empty if not known, ``>`` before a lower bound.

    The arguments are those of ``Measures``; solutions are counted unless their number is given.
    """
    if solutions is None:
        from sudoku_bench.datasets.search import solve

        result = solve(puzzle, limit=2, max_guesses=MAX_GUESSES_UNIQUE)
        solutions = len(result.solutions)
        solution = result.solutions[0] if solutions == 1 and result.complete else None
    measures = Measures(puzzle, puzzle, solutions, solution, seed, orders, work=work)
    fields = dict.fromkeys(COLUMNS, "") | {"clues": str(puzzle.clues)}
    for name in measures.names():
        fields |= measures.fields(name)
    return fields


def sources_of(measure: str) -> set[Path]:
    """Return the files that a measure is computed by: this module, and what it imports except for other measures."""
    here, others = Path(__file__).absolute(), [module for name, module in SOURCES.items() if name != measure]
    not_used = {file for module in others for file in files_of(PACKAGE / "datasets" / module)}
    return {here} | closure(*(file for file in imports(here) if file not in not_used))


def guesses(puzzle: Puzzle, seed: int, orders: int = ORDERS, max_guesses: int = MAX_GUESSES) -> Estimate:
    """Measure the search difficulty over ``orders`` >= 2 random orders (30: a standard error of about 12%)."""
    from sudoku_bench.datasets.search import count_guesses

    return estimate(count_guesses(puzzle, orders, seed, max_guesses).tolist())
