"""Makes the embedded collections: ``python -m datasets.making.embedded`` rewrites their files, byte for byte the same
every time (``hardest`` takes hours and is made by ``datasets.making.hardest_main``, which also asks a SAT solver).

Each puzzle has its own random stream, named by collection and number, so any one can be made again alone. What is an
isomorph of a puzzle already there is passed over: the stream goes on until another puzzle comes.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from datasets.collections.catalogue import DATA
from datasets.difficulty.rating import guesses
from datasets.making.canonical import canonical, fingerprint, has_canonical
from datasets.making.generator import RATING_ORDERS, TIERS, Order, Tier, make
from datasets.making.mining import NINE, advance, begin
from datasets.puzzle import Puzzle
from datasets.search import solve
from datasets.shape import Shape

FOLDER = DATA
TIER_NUMBER = 200
CLIMB = 2000  # steps of the climb to a hard puzzle, before another grid is tried
CLUES_25 = (0, 285, 290, 300)  # 25×25 boards: as few clues as come, and some more, in turn

Maker = Callable[[int, random.Random], Puzzle]


@dataclass(frozen=True)
class Recipe:
    """How many puzzles a collection has, and how its ``number``-th (from 1) is made."""

    name: str
    number: int
    make: Maker


def _plain(order: Order) -> Maker:
    return lambda number, rng: make(order, rng)


def _climbed(tier: Tier) -> Maker:
    """Random puzzles are seldom as hard, so a climb in guesses (see ``datasets.making.mining``) ends within the range."""

    def climb(number: int, rng: random.Random) -> Puzzle:
        while True:
            walk = begin(f"tier/{tier.name}/{number}", rng.getrandbits(32), steps=0, climb=CLIMB, floor=int(tier.low))
            while walk.climbed < 0:
                walk = advance(walk, chunk=CLIMB)
            puzzle = Puzzle(NINE, walk.best_cells)
            if walk.best <= tier.high and tier.holds(guesses(puzzle, rng.getrandbits(63), RATING_ORDERS).mean):
                return puzzle

    return climb


def _size_25(number: int, rng: random.Random) -> Puzzle:
    clues = CLUES_25[number % len(CLUES_25)]
    return make(Order(Shape(5, 5), clues=clues or None), rng)


def _mixed(solutions: str) -> Maker:
    """Mostly the usual board, some smaller and larger ones."""
    shapes = [Shape(3, 3)] * 7 + [Shape(2, 2), Shape(2, 3), Shape(4, 4)]

    def mixed(number: int, rng: random.Random) -> Puzzle:
        return make(Order(shapes[(number - 1) % len(shapes)], solutions=solutions), rng)

    return mixed


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("easy", TIER_NUMBER, _plain(Order(tier=TIERS["easy"]))),
        Recipe("medium", TIER_NUMBER, _plain(Order(tier=TIERS["medium"]))),
        Recipe("hard", TIER_NUMBER, _climbed(TIERS["hard"])),
        Recipe("expert", TIER_NUMBER, _climbed(TIERS["expert"])),
        Recipe("minimal", 1000, _plain(Order())),
        Recipe("size4", 20, _plain(Order(Shape(2, 2)))),
        Recipe("size6", 50, _plain(Order(Shape(2, 3)))),
        Recipe("size9", 50, _plain(Order(symmetry="rotational"))),
        Recipe("size12", 50, _plain(Order(Shape(3, 4)))),
        Recipe("size16", 50, _plain(Order(Shape(4, 4)))),
        Recipe("size25", 40, _size_25),
        Recipe("multiple", 60, _mixed("several")),
        Recipe("contradictory", 60, _mixed("none")),
    )
}


def puzzles(recipe: Recipe, known: set[str]) -> Iterator[Puzzle]:
    """The puzzles of a collection, no two of them isomorphs; ``known`` holds the keys of those met, and gets more."""
    for number in range(1, recipe.number + 1):
        for puzzle in candidates(recipe, number):
            key = key_of(puzzle)
            if key not in known:
                known.add(key)
                yield puzzle
                break


def candidates(recipe: Recipe, number: int) -> Iterator[Puzzle]:
    """What the stream of one puzzle holds: the first is taken, unless an isomorph is already there."""
    rng = random.Random(f"sudoku-bench/{recipe.name}/{number}")
    while True:
        yield recipe.make(number, rng)


def key_of(puzzle: Puzzle) -> str:
    """The same for isomorphs, and for nothing else (but see ``fingerprint`` for boards beyond 12×12)."""
    return canonical(puzzle).text if has_canonical(puzzle.shape) else fingerprint(puzzle)


def write_solutions(name: str, found: list[Puzzle]) -> None:
    """The number of solutions of each puzzle that is declared to have several, as a table beside the puzzles."""
    with (FOLDER / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(["puzzle", "solutions"])
        for number, puzzle in enumerate(found, start=1):
            table.writerow([f"{name}-{number:03d}", len(solve(puzzle, limit=1_000_000).solutions)])


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the files of the embedded collections again.")
    parser.add_argument("collections", nargs="*", metavar="NAME", help="only these (default: all)")
    wanted = parser.parse_args().collections
    for recipe in RECIPES.values():
        if wanted and recipe.name not in wanted:
            continue
        found = list(puzzles(recipe, set()))
        text = "".join(f"{puzzle.text}\n" for puzzle in found)
        (FOLDER / f"{recipe.name}.txt").write_text(text, encoding="utf-8")
        if recipe.name == "multiple":
            write_solutions(recipe.name, found)
        print(f"{recipe.name}: {len(found)} puzzles", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
