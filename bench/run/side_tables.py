"""Tables beside the measurements of a run: ``puzzles.csv`` (difficulty) and ``encodings.csv`` (exact sizes)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.plan import strategies
from bench.plan.kept import results
from bench.plan.plan import Plan, PlannedPuzzle
from bench.plan.reference import Reference
from bench.say.progress import Progress
from datasets.difficulty.rating import COLUMNS, rate
from datasets.errors import InputError
from datasets.isomorphs import form, isomorph
from datasets.puzzle import Puzzle
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


def puzzle_rows(
    planned_puzzles: Sequence[PlannedPuzzle], seed: int, engine: str, progress: Progress
) -> Iterator[list[str]]:
    """Yield the rows of ``puzzles.csv``: the difficulty of each puzzle; unknown measures stay empty.

    Search difficulty is measured on a separate form and on forms of that form, so that the luck of a presentation
    cannot be shared with a measurement. The other measures are those of the puzzle as stored.

    Args:
        engine: a SAT engine whose conflicts are counted; one that no strategy of the run uses.
    """
    tasks = [Rating(planned.puzzle, planned.reference, seed, engine) for planned in planned_puzzles]
    ratings = results("rating", [task.key for task in tasks], lambda place: tasks[place].fields())
    for planned, rating in zip(planned_puzzles, ratings, strict=True):
        fields = rating | {
            "collection": planned.collection,
            "puzzle": planned.name,
            "grid": planned.puzzle.text,
            "solutions": str(planned.reference.solutions),
            "solution": "".join(planned.puzzle.shape.symbols[v - 1] for v in planned.reference.solution or ()),
            "decoy": planned.decoy,
        }
        yield [fields[column] for column in PUZZLE_COLUMNS]
        progress.advance()


@dataclass(frozen=True)
class Rating:
    """A puzzle to be rated; conflicts are those of ``engine``."""

    puzzle: Puzzle
    reference: Reference
    seed: int
    engine: str

    @property
    def key(self) -> str:
        """What its difficulty depends on."""
        return f"{self.puzzle.shape.box_rows}x{self.puzzle.shape.box_cols} {self.seed} {self.engine} {self.puzzle.text}"

    def fields(self) -> dict[str, str]:
        """Return the difficulty of the puzzle, as text by column."""
        rating = rate(
            self.puzzle,
            self.seed,
            solutions=self.reference.solutions,
            solution=self.reference.solution,
            presented=form(self.puzzle, isomorph(self.seed, self.puzzle, RATING_FORM)),
            engine=self.engine,
            work=EXPLAINER_WORK,
        )
        return rating.fields()


def encoding_rows(plan: Plan) -> Iterator[list[str]]:
    """Yield the rows of ``encodings.csv``: the encodings of a run on common boards and the boards of the run."""
    from solvers.sat.encodings import sizes

    shapes = sorted({*ENCODING_SHAPES, *plan.shapes}, key=lambda shape: (shape.size, shape))
    own = [info for info in plan.strategies if info.origin]
    encodings = encodings_of(info.name for info in plan.strategies if info not in own)
    boards = [shape for shape in shapes if shape in plan.shapes or shape.size <= NINE]  # clause by clause, so slower
    for row in (*sizes(encodings, shapes), *strategies.encodings_of_plugins(own, boards, plan.suite.sandbox)):
        yield [str(row[column]) for column in ENCODING_COLUMNS]


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
