"""What is known of the embedded collections: the shipped results about their puzzles, and how hard they are."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Container, Iterable, Sequence
from statistics import fmean

from studies.document import table
from sudoku_bench.bench.plan import kept, reference
from sudoku_bench.bench.run.side_tables import key_of, measures_of, rated
from sudoku_bench.datasets.collections.catalogue import Collection, Item, embedded, entries, load
from sudoku_bench.datasets.difficulty.conflicts import ENGINE, ENGINES
from sudoku_bench.datasets.difficulty.rating import SOURCES
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

HEAD = ("collection", "puzzles", "clues", "guesses", "two levels", "conflicts")
MISSING = "–"
LARGEST_SHIPPED = 25  # rows of a board

Results = dict[str, dict[str, object]]  # by puzzle and name, both as in the key of a result


def write_known() -> None:
    """Compute the shipped results whose code has changed (all: eight minutes on one core), and write all of them.

    Boards beyond 25×25 and pencilmarks are left out: one of them may take as long as all others.
    """
    items = [item for name in embedded() for item in load(name).items]
    known = known_of([item for item in items if is_shipped(item.puzzle)], ENGINES)
    body = "".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in known.items()).encode()
    facts = {"sha256": hashlib.sha256(body).hexdigest(), "sources": {name: kept.digest(name) for name in SOURCES}}
    kept.SHIPPED.write_bytes(gzip.compress(json.dumps(facts).encode() + b"\n" + body, mtime=0))


def is_shipped(puzzle: Puzzle) -> bool:
    return puzzle.shape.size <= LARGEST_SHIPPED and not puzzle.shape.pencilmarks


def known_of(items: Sequence[Item], engines: Sequence[str], measured: Container[str] = SOURCES) -> Results:
    """Return the reference of each puzzle, and measures of these names with the conflicts of each engine."""
    references = reference.establish([(item.name, item.puzzle) for item in items], 2)
    measures = [measures_of(i.puzzle, r, engine) for i, r in zip(items, references, strict=True) for engine in engines]
    wanted = {key_of(each, name): (each, name) for each in measures for name in each.names() if name in measured}
    found: dict[str, object] = dict(zip(wanted, rated([*wanted.values()]), strict=True))
    found |= {reference.key_of(i.puzzle, 2): reference.as_json(r) for i, r in zip(items, references, strict=True)}
    by_puzzle: Results = {}
    for key, result in found.items():
        name, _, puzzle = key.partition(" ")
        by_puzzle.setdefault(puzzle, {})[name] = result
    return by_puzzle


def collection_table(*sources: str) -> None:
    """Print how hard collections or files of puzzles are (default: the embedded ones of one solution that are fast)."""
    print(table(HEAD, (row(load(name)) for name in sources or listed())))


def listed() -> list[str]:
    """Return the embedded collections whose puzzles have one solution, without the slowest."""
    one = [name for name in embedded() if "solutions" not in entries()[name]]
    return [name for name in one if name not in ("size25", "pencilmark")]


def row(collection: Collection) -> list[str]:
    """Return one row of the table: means of guesses and conflicts, and the share that one level of trial leaves.

    Guesses require a unique solution; conflicts are of 9×9 boards, trials of ordinary ones.
    """
    puzzles = [item.puzzle for item in collection.items]
    counts = [puzzle.clues for puzzle in puzzles]
    cells = [collection.name, str(len(puzzles)), f"{min(counts)}–{max(counts)}"]
    if "solutions" not in entries().get(collection.name, {}):
        are_nine = all(puzzle.shape.size == 9 for puzzle in puzzles)
        is_ordinary = all(puzzle.shape == Shape(3, 3) for puzzle in puzzles)
        measured = ("guesses", *(["trial"] if is_ordinary else []), *(["conflicts"] if are_nine else []))
        known = list(known_of(collection.items, [ENGINE], measured).values())
        cells.append(f"{fmean(numbers(known, 'guesses', 'guesses')):.1f}")
        depths = numbers(known, "trial", "te_depth") if is_ordinary else []
        cells.append(f"{fmean(depth == 2 for depth in depths):.0%}" if depths else MISSING)
        if are_nine:
            cells.append(f"{fmean(numbers(known, f'conflicts@{ENGINE}', 'conflicts')):.1f}")
    return cells + [MISSING] * (len(HEAD) - len(cells))


def numbers(known: Iterable[dict[str, object]], measure: str, column: str) -> list[float]:
    return [float(of_puzzle[measure][column] or "nan") for of_puzzle in known]  # type: ignore[index]
