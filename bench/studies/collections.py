"""How hard collections are: the tables of docs/collections.md, printed."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median

import numpy as np
import pandas as pd

from bench.studies.document import table
from bench.verdicts import run_tables
from bench.verdicts.arrays import Floats
from bench.verdicts.lineages import clusters
from bench.verdicts.run_data import RunData, of_strategies
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
DRAWS = 2000


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


def conflicts_table(run: Path) -> None:
    """Print how hard the collections of a run are for solvers that learn."""
    print(conflicts_of(run_tables.load(run)))


def conflicts_of(run: RunData) -> str:
    """Return for each strategy the median over puzzles of the mean conflicts over forms, by collection.

    The last column compares the first collection with the last: the ratio of their medians, with a 95% percentile
    interval over lineages drawn with replacement (Efron 1979).
    """
    solved = of_strategies(run.measurements).query("status == 'solved' and conflicts.notna()")
    means = solved.groupby(["strategy", "collection", "puzzle"], as_index=False)["conflicts"].mean()
    numbered = run.puzzles.assign(cluster=clusters(run.puzzles))[["collection", "puzzle", "cluster"]]
    means = means.merge(numbered, on=["collection", "puzzle"])
    names = [name for name in run.collections if (means["collection"] == name).any()]
    rng, rows = np.random.default_rng(1), []
    for strategy, of_strategy in means.groupby("strategy"):
        parts = {name: of_strategy[of_strategy["collection"] == name] for name in names}
        medians = [parts[name]["conflicts"].median() for name in names]
        ratio = ratio_of_medians(parts[names[0]], parts[names[-1]], rng)
        rows.append([str(strategy), *(f"{median:.1f}" for median in medians), ratio])
    return table(["strategy", *names, "ratio"], rows, numbers=True)


def ratio_of_medians(a: pd.DataFrame, b: pd.DataFrame, rng: np.random.Generator) -> str:
    """Return the ratio of the medians of two collections, with its interval; unknown without a positive median."""
    if not len(a) or not len(b):
        return MISSING
    drawn_a, drawn_b = (drawn_medians(rows, rng) for rows in (a, b))
    if drawn_b.min() <= 0:
        return MISSING
    low, high = np.quantile(drawn_a / drawn_b, (0.025, 0.975))
    return f"{a['conflicts'].median() / b['conflicts'].median():.0%} [{low:.0%}, {high:.0%}]"


def drawn_medians(rows: pd.DataFrame, rng: np.random.Generator) -> Floats:
    """Return medians of conflicts, each over clusters of puzzles drawn with replacement."""
    groups = [group.to_numpy() for _, group in rows.groupby("cluster")["conflicts"]]
    draws = rng.integers(len(groups), size=(DRAWS, len(groups)))
    return np.array([np.median(np.concatenate([groups[number] for number in draw])) for draw in draws])
