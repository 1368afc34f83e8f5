"""Makes the embedded collection ``hardest``: a third each mined for guesses, for trial-and-error rounds and for the
conflicts of a CDCL solver.

A lineage is a start grid: a walk (see ``datasets.making.mining``) from it gives a puzzle, and two shorter walks from that
one give two more. Lineages are numbered, each with its own random numbers, so any one can be made again alone; those
whose climb in guesses is slow are passed over. What the search selected is judged once more, by the kernel that rates
everybody's puzzles and by random numbers of its own, and only kept at ``LEAST`` mean guesses or more.

Mining takes hours. Finished lineages are kept in a file of work and not mined again as long as it is there.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from datasets.difficulty.rating import guesses
from datasets.making.canonical import canonical
from datasets.making.mining import NINE, Objective, Walk, advance, begin, follow
from datasets.puzzle import Puzzle
from datasets.reading.reader import parse
from datasets.search import solve

OBJECTIVES = ("guesses", "te_rounds", "conflicts")
STEPS = {"guesses": 6000, "te_rounds": 6000, "conflicts": 5000}
CHILD_STEPS = {"guesses": 2500, "te_rounds": 2500, "conflicts": 2000}
LINEAGES = 36  # per objective
LEAST = 208.0  # mean guesses: so far above `expert` that a rating of 100 orders tells them apart
ORDERS = 1600  # of the rating that decides what is kept
COLUMNS = ("puzzle", "objective", "lineage", "place", "parent", "grid")
TWO_LEVELS = 20  # rounds that a puzzle is credited with which one level of trial and error does not solve


@dataclass(frozen=True)
class Mined:
    """A puzzle that was mined: its objective, the number of its lineage, the start grid, and its place in the
    lineage (0: from the grid; 1, 2: from the puzzle at place 0)."""

    objective: str
    lineage: int
    grid: str
    place: int
    puzzle: str


def te_rounds(puzzle: Puzzle, seed: int, bound: float) -> float:
    """The objective of trial and error: rounds, and a credit if one level does not solve the puzzle."""
    from datasets.difficulty.trial import trial

    rated = trial(puzzle, solve(puzzle, limit=1).solutions[0])
    return float(rated.rounds + TWO_LEVELS * (rated.depth - 1))


def mine_lineage(objective: str, number: int, function: Objective | None) -> list[Mined]:
    """The puzzles of a lineage, none if its climb is slow."""
    walk = begin(objective, number, STEPS[objective])
    grid = Puzzle(NINE, walk.grid).text
    first = _run(walk, function)
    if not first.promising or not first.best_cells:
        return []
    children = [_run(follow(first, child, CHILD_STEPS[objective]), function) for child in (1, 2)]
    walks = [first, *(child for child in children if child.best_cells)]
    texts = [Puzzle(NINE, walk.best_cells).text for walk in walks]
    return [Mined(objective, number, grid, place, text) for place, text in enumerate(texts)]


def _run(walk: Walk, function: Objective | None) -> Walk:
    while not walk.ended and walk.promising:
        walk = advance(walk, function)
    return walk


def lineages(functions: Mapping[str, Objective | None], wanted: int, work: Path) -> Iterator[list[Mined]]:
    """The first ``wanted`` lineages of each objective, turn by turn, from the file of work where they stand there."""
    known = _known(work)
    numbers = dict.fromkeys(OBJECTIVES, 0)
    for _ in range(wanted):
        for objective in OBJECTIVES:
            found: list[Mined] = []
            while not found:
                numbers[objective] += 1
                key = (objective, numbers[objective])
                if key not in known:
                    known[key] = mine_lineage(*key, functions[objective])
                    with work.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps([*key, [vars(mined) for mined in known[key]]]) + "\n")
                found = known[key]
            yield found


def collect(functions: Mapping[str, Objective | None], wanted: int, work: Path) -> list[Mined]:
    """The puzzles that are hard enough, as many of each objective, first those at place 0 of their lineages.

    Where a puzzle is an isomorph of one that is already there, it is left out.
    """
    kept: dict[str, list[Mined]] = {objective: [] for objective in OBJECTIVES}
    keys: set[str] = set()
    for found in lineages(functions, wanted, work):
        for mined in found:
            key = canonical(parse(mined.puzzle)).text
            if key not in keys and is_hard(mined):
                keys.add(key)
                kept[mined.objective].append(mined)
    for one_objective in kept.values():
        one_objective.sort(key=lambda mined: mined.place)
    return [mined for turn in zip(*kept.values(), strict=False) for mined in turn]


def is_hard(mined: Mined) -> bool:
    """Judged by random numbers that no search has seen."""
    seed = random.Random(f"sudoku-bench/hardest/{mined.puzzle}").getrandbits(63)
    mean = guesses(parse(mined.puzzle), seed, ORDERS).mean
    return mean is not None and mean >= LEAST


def write(collected: list[Mined], folder: Path) -> None:
    """``hardest.txt`` and the table beside it: objective, lineage, start grid and parent of each puzzle."""
    names = [f"hardest-{number:03d}" for number in range(1, len(collected) + 1)]
    parents = {(m.objective, m.lineage): name for m, name in zip(collected, names, strict=True) if m.place == 0}
    (folder / "hardest.txt").write_text("".join(f"{mined.puzzle}\n" for mined in collected), encoding="utf-8")
    with (folder / "hardest.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(COLUMNS)
        for mined, name in zip(collected, names, strict=True):
            parent = parents.get((mined.objective, mined.lineage), "") if mined.place else ""
            lineage = f"{mined.objective}-{mined.lineage}"
            table.writerow([name, mined.objective, lineage, mined.place, parent, mined.grid])


def _known(work: Path) -> dict[tuple[str, int], list[Mined]]:
    known = {}
    if work.exists():
        for line in work.read_text(encoding="utf-8").splitlines():
            objective, number, found = json.loads(line)
            known[objective, number] = [Mined(**mined) for mined in found]
    return known
