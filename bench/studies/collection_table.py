"""Table of docs/collections.md: ``python -m bench.studies.collection_table [NAME|FILE]...`` prints it.

The random numbers differ from those that generated and selected the puzzles, so scores raised by luck regress to the
mean.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, median

from datasets.collections.catalogue import DATA, Collection, entries, load
from datasets.difficulty.conflicts import mean_conflicts
from datasets.difficulty.rating import guesses
from datasets.difficulty.trial import trial
from datasets.making.hardest import OBJECTIVES
from datasets.puzzle import Puzzle
from datasets.search import solve
from datasets.shape import Shape

SEED = 2026
ORDERS, ORDERS_BEYOND_9 = 100, 10
MAX_GUESSES = 100_000
HEAD = (
    "collection",
    "puzzles",
    "clues",
    "guesses: mean",
    "median",
    "least",
    "most",
    "trial rounds: mean",
    "most",
    "two levels",
    "conflicts: mean",
    "median",
)
MISSING = "–"


def main() -> None:
    parser = argparse.ArgumentParser(description="Print how hard collections are, as a table in Markdown.")
    parser.add_argument("sources", nargs="*", metavar="NAME|FILE", help="default: all embedded collections")
    sources = parser.parse_args().sources or [name for name, facts in entries().items() if "url" not in facts]
    _print_row(HEAD)
    _print_row(["---"] * len(HEAD))
    for source in sources:
        collection = load(source)
        for part in (collection, *by_objective(collection)):
            _print_row(row(part))


def _print_row(cells: Sequence[str]) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def by_objective(collection: Collection) -> list[Collection]:
    """Return the parts of ``hardest``, one for each objective of mining; no parts for other collections."""
    if collection.name != "hardest":
        return []
    with (DATA / "hardest.csv").open(encoding="utf-8", newline="") as stream:
        objectives = {record["puzzle"]: record["objective"] for record in csv.DictReader(stream)}
    return [
        replace(
            collection,
            name=f"for {objective}",
            items=tuple(item for item in collection.items if objectives[item.name] == objective),
        )
        for objective in OBJECTIVES
    ]


def row(collection: Collection, conflicts: bool = True) -> list[str]:
    """Return one row of the table.

    Guesses require a unique solution; trial rounds and conflicts are reported only for 9×9 boards.
    """
    puzzles = [item.puzzle for item in collection.items]
    counts = [puzzle.clues for puzzle in puzzles]
    cells = [collection.name, str(len(puzzles)), f"{min(counts)}–{max(counts)}"]
    if "solutions" in entries().get(collection.name, {}):
        return cells + [MISSING] * (len(HEAD) - len(cells))
    cells += _guess_cells(puzzles)
    if any(puzzle.shape != Shape(3, 3) for puzzle in puzzles):
        return cells + [MISSING] * (len(HEAD) - len(cells))
    cells += _trial_cells(puzzles)
    return cells + (_conflict_cells(puzzles) if conflicts else [])


def _guess_cells(puzzles: list[Puzzle]) -> list[str]:
    orders = ORDERS if max(puzzle.shape.size for puzzle in puzzles) <= 9 else ORDERS_BEYOND_9
    means = [guesses(puzzle, SEED, orders, MAX_GUESSES).mean for puzzle in puzzles]
    rated = [mean for mean in means if mean is not None]
    if len(rated) < len(means):
        return [MISSING] * 4
    return [f"{value:.1f}" for value in (fmean(rated), median(rated), min(rated), max(rated))]


def _trial_cells(puzzles: list[Puzzle]) -> list[str]:
    ratings = [trial(puzzle, solve(puzzle, limit=1).solutions[0]) for puzzle in puzzles]
    rounds = [rating.rounds for rating in ratings]
    return [f"{fmean(rounds):.1f}", str(max(rounds)), f"{fmean(rating.depth == 2 for rating in ratings):.0%}"]


def _conflict_cells(puzzles: list[Puzzle]) -> list[str]:
    means = [mean_conflicts(puzzle, SEED) for puzzle in puzzles]
    return [f"{fmean(means):.1f}", f"{median(means):.1f}"]


if __name__ == "__main__":
    main()
