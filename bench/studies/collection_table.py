"""The table of docs/collections.md: ``python -m bench.studies.collection_table [NAME|FILE]...`` prints it.

Random numbers are others than those with which the puzzles were made and selected, so what luck had raised falls back.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
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

FOLDER = DATA
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
NOTHING = "–"


def main() -> None:
    parser = argparse.ArgumentParser(description="Print how hard collections are, as a table in Markdown.")
    parser.add_argument("sources", nargs="*", metavar="NAME|FILE", help="default: all embedded collections")
    sources = parser.parse_args().sources or [name for name, facts in entries().items() if "url" not in facts]
    _print(HEAD)
    _print(["---"] * len(HEAD))
    for source in sources:
        collection = load(source)
        for part in (collection, *by_objective(collection)):
            _print(row(part))


def _print(cells: Sequence[str]) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def by_objective(collection: Collection) -> list[Collection]:
    """The parts of ``hardest``, each mined for another objective; nothing for other collections."""
    if collection.name != "hardest":
        return []
    with (FOLDER / "hardest.csv").open(encoding="utf-8", newline="") as stream:
        objectives = {line["puzzle"]: line["objective"] for line in csv.DictReader(stream)}
    return [
        replace(
            collection,
            name=f"for {objective}",
            items=tuple(item for item in collection.items if objectives[item.name] == objective),
        )
        for objective in OBJECTIVES
    ]


def row(collection: Collection, conflicts: bool = True) -> list[str]:
    """One line: guesses need one solution, trial rounds and conflicts are told of 9×9 boards only."""
    puzzles = [item.puzzle for item in collection.items]
    counts = [puzzle.clues for puzzle in puzzles]
    cells = [collection.name, str(len(puzzles)), f"{min(counts)}–{max(counts)}"]
    if "solutions" in entries().get(collection.name, {}):
        return cells + [NOTHING] * (len(HEAD) - len(cells))
    cells += _of_guesses(puzzles)
    if any(puzzle.shape != Shape(3, 3) for puzzle in puzzles):
        return cells + [NOTHING] * (len(HEAD) - len(cells))
    cells += _of_trial(puzzles)
    return cells + (_of_conflicts(puzzles) if conflicts else [])


def _of_guesses(puzzles: list[Puzzle]) -> list[str]:
    orders = ORDERS if max(puzzle.shape.size for puzzle in puzzles) <= 9 else ORDERS_BEYOND_9
    means = [guesses(puzzle, SEED, orders, MAX_GUESSES).mean for puzzle in puzzles]
    known = [mean for mean in means if mean is not None]
    if len(known) < len(means):
        return [NOTHING] * 4
    return [f"{value:.1f}" for value in (fmean(known), median(known), min(known), max(known))]


def _of_trial(puzzles: list[Puzzle]) -> list[str]:
    rated = [trial(puzzle, solve(puzzle, limit=1).solutions[0]) for puzzle in puzzles]
    rounds = [one.rounds for one in rated]
    return [f"{fmean(rounds):.1f}", str(max(rounds)), f"{fmean(one.depth == 2 for one in rated):.0%}"]


def _of_conflicts(puzzles: list[Puzzle]) -> list[str]:
    means = list(_conflicts(puzzles))
    return [f"{fmean(means):.1f}", f"{median(means):.1f}"]


def _conflicts(puzzles: list[Puzzle]) -> Iterator[float]:
    for puzzle in puzzles:
        yield mean_conflicts(puzzle, SEED)


if __name__ == "__main__":
    main()
