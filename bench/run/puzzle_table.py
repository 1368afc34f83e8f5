"""The rows of ``puzzles.csv``: each puzzle of a run with all its measures of difficulty."""

from __future__ import annotations

from collections.abc import Iterator

from bench.plan.plan import Plan
from bench.say.progress import Progress
from datasets.difficulty.rating import COLUMNS, rate
from datasets.isomorphs import form, isomorph

RATING_FORM = -100  # no timed form (they are numbered from 0 on), and far from those of the warm-up (-1, -2, ...)
IDENTITY = ("collection", "puzzle", "grid")  # the collection's name, the puzzle's, and its cells in one line

PUZZLE_COLUMNS = (
    *IDENTITY,
    *COLUMNS,
    "solutions",  # up to the limit of the task, at least 2
    "solution",  # if there is exactly one
    "decoy",
)


def puzzle_rows(planned: Plan, progress: Progress) -> Iterator[list[str]]:
    """A row for each puzzle of a plan; a measure that is not known stays empty.

    The guesses are counted on a form of their own, so that no luck of theirs can be shared with a measurement. The
    other measures are the same for all forms.
    """
    for subject in planned.subjects:
        known = subject.reference
        symmetry = isomorph(planned.suite.seed, subject.puzzle, RATING_FORM)
        rating = rate(
            form(subject.puzzle, symmetry),
            planned.suite.seed,
            solutions=known.solutions,
            solution=symmetry.apply(known.solution) if known.solution else None,
        )
        fields = rating.fields() | {
            "collection": subject.collection,
            "puzzle": subject.name,
            "grid": subject.puzzle.text,
            "solutions": str(known.solutions),
            "solution": "".join(subject.puzzle.shape.symbols[v - 1] for v in known.solution or ()),
            "decoy": subject.decoy,
        }
        yield [fields[column] for column in PUZZLE_COLUMNS]
        progress.advance()
