"""Make the mined embedded collections: ``python -m datasets.making.hardest`` rewrites their files in hours of CPU time.

``hardest``: one third of the puzzles is mined for guesses, one for trial-and-error rounds and one for the conflicts of
a CDCL solver. A lineage begins with a start grid: a walk (see ``datasets.making.mining``) from it gives a puzzle, and
two shorter walks from that puzzle give two more. Lineages whose climb in guesses is slow are skipped. The selected
puzzles are rated once more, by the reference kernel and with other random numbers, and kept only if they need at least
``LEAST`` mean guesses.

``hardest-cdcl``: puzzles that are hard for solvers that learn clauses. A lineage is a search of its own in the vicinity
of the same puzzle (``datasets.making.vicinity``), one that a starting document prints. The hardest puzzles of each
lineage are taken, measured on isomorphs that selected nothing.

Lineages are numbered, each with its own random numbers, so each can be made again alone, on any core. Isomorphs of
puzzles taken before are left out.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from datasets.collections.catalogue import DATA, load
from datasets.difficulty import conflicts
from datasets.difficulty.rating import guesses
from datasets.making.canonical import canonical
from datasets.making.embedded import write
from datasets.making.mining import NINE, Objective, Walk, advance, begin, follow
from datasets.making.vicinity import HardPuzzle, hardest_near
from datasets.puzzle import Puzzle
from datasets.reading.reader import parse
from datasets.search import solve

OBJECTIVES = ("guesses", "te_rounds", "conflicts")
STEPS = {"guesses": 6000, "te_rounds": 6000, "conflicts": 5000}
CHILD_STEPS = {"guesses": 2500, "te_rounds": 2500, "conflicts": 2000}
LINEAGES = 36  # per objective
BATCH = 8  # lineages that are mined at once
LEAST = 208.0  # mean guesses: far enough above `expert` for a rating of 100 orders to separate them
ORDERS = 1600  # of the rating that decides which puzzles are kept
TWO_LEVELS = 20  # rounds added to the score of a puzzle that one level of trial and error does not solve

CDCL = "hardest-cdcl"
CDCL_START = "001"  # of `classics`: CaDiCaL needs 56 conflicts for it, four times as many as for any other
CDCL_LINEAGES, OF_EACH = 12, 5
CDCL_STEPS = 2000
SPARE = 5  # further puzzles of a lineage, in place of isomorphs of other lineages' puzzles


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


def mined_lineages(pool: Executor, objective: str, number: int) -> list[list[Mined]]:
    """Mine the first ``number`` lineages of an objective that are not skipped."""
    lineages: list[list[Mined]] = []
    for first in count(1, BATCH):
        lineages += filter(None, pool.map(partial(mine_lineage, objective), range(first, first + BATCH)))
        if len(lineages) >= number:
            break
    return lineages[:number]


def collect(lineages: Iterable[Sequence[list[Mined]]]) -> list[Mined]:
    """Collect the hard puzzles of lineages, equally many of each objective, place 0 first.

    Isomorphs of puzzles already collected are left out.

    Args:
        lineages: one lineage of each objective at a time.
    """
    collected: dict[str, list[Mined]] = {objective: [] for objective in OBJECTIVES}
    keys: set[str] = set()
    for one_of_each in lineages:
        for mined in (mined for lineage in one_of_each for mined in lineage):
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


def write_mined(collected: list[Mined], folder: Path) -> None:
    """Write ``hardest`` and its table of objective, lineage, place, parent and start grid."""
    names = {(m.objective, m.lineage): f"hardest-{k:03d}" for k, m in enumerate(collected, 1) if m.place == 0}
    parents = [names.get((m.objective, m.lineage), "") if m.place else "" for m in collected]
    rows = [
        (m.objective, f"{m.objective}-{m.lineage}", m.place, parent, m.grid)
        for m, parent in zip(collected, parents, strict=True)
    ]
    write(folder, "hardest", [m.puzzle for m in collected], ("objective", "lineage", "place", "parent", "grid"), rows)


def cdcl_start() -> Puzzle:
    """Return the puzzle that all lineages of ``hardest-cdcl`` start from."""
    return next(item.puzzle for item in load("classics").items if item.name == CDCL_START)


def cdcl_lineage(number: int, steps: int = CDCL_STEPS) -> list[HardPuzzle]:
    """Return the hardest puzzles of a lineage, hardest first, more than are taken."""
    return hardest_near([cdcl_start()], number, steps, OF_EACH + SPARE)


def collect_cdcl(lineages: Iterable[list[HardPuzzle]]) -> list[list[HardPuzzle]]:
    """Return the first ``OF_EACH`` puzzles of each lineage that are no isomorphs of the start or of earlier ones."""
    seen, collected = {canonical(cdcl_start()).text}, list[list[HardPuzzle]]()
    for hard_puzzles in lineages:
        taken: list[HardPuzzle] = []
        for hard in hard_puzzles:
            key = canonical(hard.puzzle).text
            if key not in seen and len(taken) < OF_EACH:
                seen.add(key)
                taken.append(hard)
        collected.append(taken)
    return collected


def write_cdcl(collected: list[list[HardPuzzle]], folder: Path) -> None:
    """Write ``hardest-cdcl`` and its table of lineages, starts and mean conflicts."""
    puzzles = [(number, hard) for number, taken in enumerate(collected, 1) for hard in taken]
    rows = [("conflicts", f"near-{CDCL_START}-{k}", CDCL_START, f"{hard.conflicts:.4g}") for k, hard in puzzles]
    texts = [hard.puzzle.text for _, hard in puzzles]
    write(folder, CDCL, texts, ("objective", "lineage", "start", "conflicts"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=f"Rewrite the files of the collections `hardest` and `{CDCL}`.")
    parser.add_argument("--folder", type=Path, default=DATA)
    folder = parser.parse_args().folder
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        write_cdcl(collect_cdcl(pool.map(cdcl_lineage, range(1, CDCL_LINEAGES + 1))), folder)
        print(f"{CDCL}: done", file=sys.stderr, flush=True)
        of_objectives = [mined_lineages(pool, objective, LINEAGES) for objective in OBJECTIVES]
    write_mined(collect(zip(*of_objectives, strict=True)), folder)
    print("hardest: done", file=sys.stderr)


if __name__ == "__main__":
    main()
