"""Tables beside the measurements of a run: ``puzzles.csv`` (difficulty) and ``encodings.csv`` (exact sizes)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from bench.plan import strategies
from bench.plan.plan import Plan
from bench.say.progress import Progress
from datasets.difficulty.conflicts import unused_engine
from datasets.difficulty.rating import COLUMNS, rate
from datasets.errors import InputError
from datasets.isomorphs import form, isomorph
from datasets.shape import Shape

EXPLAINER_WORK = 20_000_000  # deduced literals: some seconds; an explainer rating that needs more is a bound
RATING_FORM = -100  # not a timed form (numbered from 0), and far from those of the warm-up (-1, -2, ...)
IDENTITY = ("collection", "puzzle", "grid")  # names of the collection and the puzzle, and the cells in one line

PUZZLE_COLUMNS = (
    *IDENTITY,
    *COLUMNS,
    "solutions",  # up to the limit of the task, at least 2
    "solution",  # if there is exactly one
    "decoy",
)

ENCODING_COLUMNS = ("encoding", "shape", "variables", "clauses", "literals", "at_mosts")
ENCODING_SHAPES = tuple(map(Shape.of_size, (4, 6, 9, 12, 16, 25, 36)))
NINE = 9  # rows up to which the encodings of plug-ins are listed for common boards
LARGEST = 36  # encodings of larger boards have many millions of clauses


def puzzle_rows(subjects: Sequence[Subject], seed: int, progress: Progress) -> Iterator[list[str]]:
    """Yield the rows of ``puzzles.csv``: the difficulty of each puzzle; unknown measures stay empty.

    Search difficulty is measured on a separate form and on forms of that form, so that the luck of a presentation
    cannot be shared with a measurement; conflicts are those of an engine that no strategy uses. The other measures are
    those of the puzzle as stored.
    """
    engine = unused_engine(info.name for info in plan.strategies)
    for subject in plan.subjects:
        reference = subject.reference
        rating = rate(
            subject.puzzle,
            plan.suite.seed,
            solutions=reference.solutions,
            solution=reference.solution,
            presented=form(subject.puzzle, isomorph(plan.suite.seed, subject.puzzle, RATING_FORM)),
            engine=engine,
            work=EXPLAINER_WORK,
        )
        fields = rating.fields() | {
            "collection": subject.collection,
            "puzzle": subject.name,
            "grid": subject.puzzle.text,
            "solutions": str(subject.reference.solutions),
            "solution": "".join(subject.puzzle.shape.symbols[v - 1] for v in subject.reference.solution or ()),
            "decoy": subject.decoy,
        }
        yield [fields[column] for column in PUZZLE_COLUMNS]
        progress.advance()


def rating_fields(subject: Subject, seed: int) -> dict[str, str]:
    """Return the difficulty of a puzzle, as text by column."""
    reference, symmetry = subject.reference, isomorph(seed, subject.puzzle, RATING_FORM)
    solution = reference.solution and symmetry.apply(reference.solution)
    return rate(form(subject.puzzle, symmetry), seed, solutions=reference.solutions, solution=solution).fields()


def encoding_rows(plan: Plan) -> Iterator[list[str]]:
    """Yield the rows of ``encodings.csv``: the encodings of a run on common boards and the boards of the run."""
    shapes = sorted({*ENCODING_SHAPES, *plan.shapes}, key=lambda shape: (shape.size, shape))
    own = [info for info in plan.strategies if info.plugin or info.entry_point]
    encodings = encodings_of(info.name for info in plan.strategies if info not in own)
    boards = [shape for shape in shapes if shape in plan.shapes or shape.size <= NINE]  # clause by clause, so slower
    for row in (*encoding_sizes(encodings, shapes), *strategies.encodings_of_plugins(own, boards)):
        yield [str(row[column]) for column in ENCODING_COLUMNS]


def encoding_sizes(names: Iterable[str], shapes: Iterable[Shape]) -> Iterator[dict[str, Any]]:
    """Yield the ``ENCODING_COLUMNS`` for each encoding and shape: the rules only, duplicate clauses counted.

    Boards that an encoding cannot be written for are left out.

    Raises:
        InputError: there is no encoding of that name.
    """
    from solvers.sat.encodings import build, fits

    boards = list(shapes)
    for name in names:
        for shape in (board for board in boards if fits(name, board)):
            yield {"encoding": name, "shape": shape.name, **asdict(build(name, shape).size)}


def encodings_of(strategies: Iterable[str]) -> list[str]:
    """Return the distinct encodings of strategies; those of other families use none."""
    from solvers.sat.names import parse_model

    models = [name.removeprefix("sat:").partition("@")[0] for name in strategies if name.startswith("sat:")]
    return list(dict.fromkeys(parse_model(model)[0] for model in models))


def shape_of(text: str) -> Shape:
    """Parse a board size such as ``16x16`` into the usual shape of that size.

    Raises:
        InputError: the text is not a size, or larger than supported.
    """
    rows, _, columns = text.partition("x")
    if rows != columns or not rows.isascii() or not rows.isdigit() or not 2 <= int(rows[:9]) <= LARGEST:
        raise InputError(f"--shape {text!r}: write a board of 2x2 to {LARGEST}x{LARGEST} as 16x16")
    return Shape.of_size(int(rows))
