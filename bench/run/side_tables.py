"""Tables beside the measurements of a run: ``puzzles.csv`` (difficulty) and ``encodings.csv`` (exact sizes)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.plan.kept import results
from sudoku_bench.bench.plan.plan import Plan, PlannedPuzzle
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.datasets.difficulty.rating import COLUMNS, SOURCES, Measures
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

IDENTITY = ("collection", "puzzle", "grid")  # names of the collection and the puzzle, and the cells in one line

PUZZLE_COLUMNS = (
    *IDENTITY,
    *COLUMNS,
    "group",  # puzzles of one group are not independent
    "solutions",  # up to the limit of the task, at least 2
    "solution",  # if there is exactly one
    "decoy",
    "board",  # the code of its shape, which other rules and pencilmarks are part of
)

ENCODING_COLUMNS = ("encoding", "shape", "variables", "clauses", "literals", "at_mosts")
ENCODING_SHAPES = tuple(map(Shape.of_size, (4, 6, 9, 12, 16, 25, 36)))
LARGEST = 36  # encodings of larger boards have many millions of clauses


def puzzle_rows(
    planned_puzzles: Sequence[PlannedPuzzle], engine: str, progress: Progress, measured: Container[str] = SOURCES
) -> Iterator[list[str]]:
    """Yield the rows of ``puzzles.csv``: the difficulty of each puzzle; unknown measures stay empty.

    Args:
        engine: a SAT engine whose conflicts are counted; one that no strategy of the run uses.
        measured: names of measures; the others stay empty, too.
    """
    measures = [measures_of(planned.puzzle, planned.reference, engine) for planned in planned_puzzles]
    names = [[name for name in each.names() if name in measured] for each in measures]
    ratings = rated([(each, name) for each, of_puzzle in zip(measures, names, strict=True) for name in of_puzzle])
    for planned, of_puzzle in zip(planned_puzzles, names, strict=True):
        fields = dict.fromkeys(PUZZLE_COLUMNS, "") | {
            "collection": planned.collection,
            "puzzle": planned.name,
            "grid": planned.puzzle.text,
            "clues": str(planned.puzzle.clues),
            "group": str(planned.group or ""),
            "solutions": str(planned.reference.solutions),
            "solution": "".join(planned.puzzle.shape.symbols[v - 1] for v in planned.reference.solution or ()),
            "decoy": planned.decoy,
            "board": planned.puzzle.shape.code,
        }
        for _ in of_puzzle:
            fields |= next(ratings)
        yield list(fields.values())
        progress.advance()


def measures_of(puzzle: Puzzle, reference: Reference, engine: str) -> Measures:
    return Measures.in_runs(puzzle, reference.solutions, reference.solution, engine)


def rated(wanted: Sequence[tuple[Measures, str]]) -> Iterator[dict[str, str]]:
    """Yield the columns that each of these measures fills in, by the name of the measure."""
    keys = [key_of(measures, name) for measures, name in wanted]
    return results(keys, lambda place: wanted[place][0].fields(wanted[place][1]))


def key_of(measures: Measures, name: str) -> str:
    """Return what a measure depends on: conflicts are those of an engine."""
    engine = f"@{measures.engine}" if name == "conflicts" else ""
    return f"{name}{engine} {measures.puzzle.shape.code} {measures.puzzle.text}"


def encoding_rows(plan: Plan) -> Iterator[list[str]]:
    """Yield the rows of ``encodings.csv``: the encodings of a run on its boards, and the project's own on common ones.

    An encoding of a plug-in may be made for the boards of the run only.
    """
    from sudoku_bench.solvers.sat.encodings import sizes

    shapes = sorted({*ENCODING_SHAPES, *plan.shapes}, key=lambda shape: (shape.size, shape))
    own = [info for info in plan.strategies if info.plugin]
    encodings = encodings_of(info.name for info in plan.strategies if info not in own)
    for row in (*sizes(encodings, shapes), *strategies.encodings_of_plugins(own, plan.shapes, plan.suite.sandbox)):
        yield [str(row[column]) for column in ENCODING_COLUMNS]


def encodings_of(strategies: Iterable[str]) -> list[str]:
    """Return the distinct encodings of strategies; those of other families use none."""
    from sudoku_bench.solvers.sat.names import parse_model

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
