"""Make the embedded collection ``hardest``: ``python -m datasets.making.hardest`` rewrites its files.

One third of the puzzles is mined for guesses, one for trial-and-error rounds and one for the conflicts of a CDCL
solver. A lineage begins with a start grid: a walk (see ``datasets.making.mining``) from it gives a puzzle, and two
shorter walks from that puzzle give two more. Lineages are numbered, each with its own random numbers, so each can be
made again alone; lineages whose climb in guesses is slow are skipped. The selected puzzles are rated once more, by the
reference kernel and with other random numbers, and kept only if they need at least ``LEAST`` mean guesses.

Mining takes hours. A work file stores finished lineages, and they are not mined again as long as it exists.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from datasets.collections.catalogue import DATA
from datasets.difficulty import conflicts
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
LEAST = 208.0  # mean guesses: far enough above `expert` for a rating of 100 orders to separate them
ORDERS = 1600  # of the rating that decides which puzzles are kept
COLUMNS = ("puzzle", "objective", "lineage", "place", "parent", "grid")
TWO_LEVELS = 20  # rounds added to the score of a puzzle that one level of trial and error does not solve


@dataclass(frozen=True)
class Mined:
    """A mined puzzle.

    Attributes:
        objective: name of the objective.
        lineage: number of the lineage among those of the objective.
        grid: the start grid.
        place: place in the lineage (0: mined from the grid; 1, 2: mined from the puzzle at place 0).
        puzzle: the puzzle's text.
    """

    objective: str
    lineage: int
    grid: str
    place: int
    puzzle: str


def te_rounds(puzzle: Puzzle, seed: int, bound: float) -> float:
    """Objective for mining: rounds of trial and error, plus a bonus if one level does not solve the puzzle."""
    from datasets.difficulty.trial import trial

    rating = trial(puzzle, solve(puzzle, limit=1).solutions[0])
    return float(rating.rounds + TWO_LEVELS * (rating.depth - 1))


FUNCTIONS: dict[str, Objective | None] = {"guesses": None, "te_rounds": te_rounds, "conflicts": conflicts.objective}


def mine_lineage(objective: str, number: int) -> list[Mined]:
    """Mine the puzzles of a lineage; return none if its climb is slow."""
    function = FUNCTIONS[objective]
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


def lineages(number: int, work: Path) -> Iterator[list[Mined]]:
    """Yield the first ``number`` lineages of each objective, in turn; read those that the work file contains."""
    finished = _read_work(work)
    last = dict.fromkeys(OBJECTIVES, 0)
    for _ in range(number):
        for objective in OBJECTIVES:
            lineage: list[Mined] = []
            while not lineage:
                last[objective] += 1
                key = (objective, last[objective])
                if key not in finished:
                    finished[key] = mine_lineage(*key)
                    with work.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps([*key, [vars(mined) for mined in finished[key]]]) + "\n")
                lineage = finished[key]
            yield lineage


def _read_work(work: Path) -> dict[tuple[str, int], list[Mined]]:
    """Read the finished lineages of a work file by objective and number; none if the file does not exist."""
    finished = {}
    if work.exists():
        for line in work.read_text(encoding="utf-8").splitlines():
            objective, number, lineage = json.loads(line)
            finished[objective, number] = [Mined(**mined) for mined in lineage]
    return finished


def collect(number: int, work: Path) -> list[Mined]:
    """Collect the hard puzzles of the first ``number`` lineages, equally many of each objective, place 0 first.

    Isomorphs of puzzles already collected are left out.
    """
    collected: dict[str, list[Mined]] = {objective: [] for objective in OBJECTIVES}
    keys: set[str] = set()
    for lineage in lineages(number, work):
        for mined in lineage:
            key = canonical(parse(mined.puzzle)).text
            if key not in keys and is_hard(mined):
                keys.add(key)
                collected[mined.objective].append(mined)
    for one_objective in collected.values():
        one_objective.sort(key=lambda mined: mined.place)
    return [mined for turn in zip(*collected.values(), strict=False) for mined in turn]


def is_hard(mined: Mined) -> bool:
    """Return whether a puzzle is hard enough, judged with random numbers that the mining did not use."""
    seed = random.Random(f"sudoku-bench/hardest/{mined.puzzle}").getrandbits(63)
    mean = guesses(parse(mined.puzzle), seed, ORDERS).mean
    return mean is not None and mean >= LEAST


def write(collected: list[Mined], folder: Path) -> None:
    """Write ``hardest.txt`` and ``hardest.csv``, the table of objective, lineage, start grid and parent."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Rewrite the files of the collection `hardest`.")
    parser.add_argument("--lineages", type=int, default=LINEAGES, help="lineages of each objective")
    parser.add_argument("--work", type=Path, default=Path("hardest.work.jsonl"), help="file of finished lineages")
    options = parser.parse_args()
    collected = collect(options.lineages, options.work)
    write(collected, DATA)
    print(f"hardest: {len(collected)} puzzles", file=sys.stderr)


if __name__ == "__main__":
    main()
