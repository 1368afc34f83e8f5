"""How hard collections are: the table of docs/collections.md, printed."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import replace
from statistics import fmean, median

from bench.studies.document import table
from datasets.collections.catalogue import DATA, Collection, entries, load
from datasets.difficulty.conflicts import mean_conflicts
from datasets.difficulty.rating import guesses
from datasets.difficulty.trial import trial
from datasets.making.hardest import OBJECTIVES
from datasets.puzzle import Puzzle
from datasets.search import solve
from datasets.shape import Shape

# The random numbers differ from those that generated and selected the puzzles: scores raised by luck regress.
SEED = 2026
ORDERS, ORDERS_BEYOND_9 = 100, 10
MAX_GUESSES = 100_000
SIZE, GUESSES = ("collection", "puzzles", "clues"), ("guesses: mean", "median", "least", "most")
TRIAL, CONFLICTS = ("trial rounds: mean", "most", "two levels"), ("conflicts: mean", "median")
HEAD = (*SIZE, *GUESSES, *TRIAL, *CONFLICTS)
MISSING = "–"


def collection_table(*sources: str) -> None:
    """Print how hard collections or files of puzzles are (default: all embedded collections)."""
    names = sources or [name for name, facts in entries().items() if "url" not in facts]
    print(table(HEAD, (row(part) for name in names for part in with_parts(load(name)))))


def with_parts(collection: Collection) -> Iterable[Collection]:
    """Yield a collection, and of ``hardest`` its parts, one for each objective of mining."""
    yield collection
    if collection.name == "hardest":
        with (DATA / "hardest.csv").open(encoding="utf-8", newline="") as stream:
            objectives = {record["puzzle"]: record["objective"] for record in csv.DictReader(stream)}
        for objective in OBJECTIVES:
            items = tuple(item for item in collection.items if objectives[item.name] == objective)
            yield replace(collection, name=f"for {objective}", items=items)


def row(collection: Collection) -> list[str]:
    """Return one row of the table.

    Guesses require a unique solution; trial rounds and conflicts are reported only for 9×9 boards.
    """
    puzzles = [item.puzzle for item in collection.items]
    counts = [puzzle.clues for puzzle in puzzles]
    cells = [collection.name, str(len(puzzles)), f"{min(counts)}–{max(counts)}"]
    if "solutions" not in entries().get(collection.name, {}):
        cells += guess_cells(puzzles)
        if all(puzzle.shape == Shape(3, 3) for puzzle in puzzles):
            return [*cells, *trial_cells(puzzles), *conflict_cells(puzzles)]
    return cells + [MISSING] * (len(HEAD) - len(cells))


def guess_cells(puzzles: list[Puzzle]) -> list[str]:
    orders = ORDERS if max(puzzle.shape.size for puzzle in puzzles) <= 9 else ORDERS_BEYOND_9
    means = [guesses(puzzle, SEED, orders, MAX_GUESSES).mean for puzzle in puzzles]
    rated = [mean for mean in means if mean is not None]
    if len(rated) < len(means):
        return [MISSING] * len(GUESSES)
    return [f"{value:.1f}" for value in (fmean(rated), median(rated), min(rated), max(rated))]


def trial_cells(puzzles: list[Puzzle]) -> list[str]:
    ratings = [trial(puzzle, solve(puzzle, limit=1).solutions[0]) for puzzle in puzzles]
    rounds = [rating.rounds for rating in ratings]
    return [f"{fmean(rounds):.1f}", str(max(rounds)), f"{fmean(rating.depth == 2 for rating in ratings):.0%}"]


def conflict_cells(puzzles: list[Puzzle]) -> list[str]:
    means = [mean_conflicts(puzzle, SEED) for puzzle in puzzles]
    return [f"{fmean(means):.1f}", f"{median(means):.1f}"]
