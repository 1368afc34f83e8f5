"""Make the embedded collections: ``python -m studies.embedded`` rewrites their files.

The files are always the same, byte for byte. ``hardest`` and ``hardest-cdcl`` were mined by version 0.2 in hours. Each
puzzle has its own random stream, named by collection and number, so each puzzle can be made again alone. Isomorphs of
earlier puzzles are skipped: the stream continues until it yields a new puzzle.
"""

from __future__ import annotations

import argparse
import csv
import lzma
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from studies import ladders
from sudoku_bench.datasets.collections.catalogue import DATA, entries
from sudoku_bench.datasets.making.duplicates import fingerprint
from sudoku_bench.datasets.making.generator import PuzzleSpec, make
from sudoku_bench.datasets.making.groups import relabelled
from sudoku_bench.datasets.making.tiers import TIERS, Tier, climbed
from sudoku_bench.datasets.making.written import heading, text_of
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape

TIER_NUMBER = 200
CLUES_25 = (0, 285, 290, 300)  # clues of 25×25 boards, in turn; 0: as few as the generator reaches
LEAST_REFUTATION = 1000  # guesses until the search has refuted a puzzle of `refutation`


@dataclass(frozen=True)
class Recipe:
    """A collection: its number of puzzles, and the function that makes the n-th of them (from 1).

    Attributes:
        columns, row: the table beside the puzzles, if there is one: further columns, and these of a puzzle.
    """

    name: str
    number: int
    make: ladders.Maker
    columns: Sequence[str] = ()
    row: Callable[[int, Puzzle], Sequence[object]] = lambda number, puzzle: ()


def _generated(spec: PuzzleSpec) -> ladders.Maker:
    """Make puzzles by the generator."""
    return lambda number, rng: make(spec, rng)


def _climbed(tier: Tier) -> ladders.Maker:
    """Make puzzles of a hard tier by a climb in guesses (``datasets/making/tiers``); random ones are rarely hard."""

    return lambda number, rng: climbed(tier, f"tier/{tier.name}/{number}", rng)


def _size_25(number: int, rng: random.Random) -> Puzzle:
    clues = CLUES_25[number % len(CLUES_25)]
    return make(PuzzleSpec(Shape(5, 5), clues=clues or None), rng)


def _mixed_sizes(solutions: str) -> ladders.Maker:
    """Make mostly 9×9 puzzles, and some smaller and larger ones."""
    shapes = [Shape(3, 3)] * 7 + [Shape(2, 2), Shape(2, 3), Shape(4, 4)]

    def make_next(number: int, rng: random.Random) -> Puzzle:
        return make(PuzzleSpec(shapes[(number - 1) % len(shapes)], solutions=solutions), rng)

    return make_next


def _hard_to_refute(number: int, rng: random.Random) -> Puzzle:
    """Make a 9×9 puzzle without a solution of which every clue is needed for that."""
    while True:
        puzzle = loosened(make(PuzzleSpec(solutions="none"), rng), rng)
        if solve(puzzle, limit=1).guesses >= LEAST_REFUTATION:
            return puzzle


def loosened(puzzle: Puzzle, rng: random.Random, max_guesses: int = 20_000) -> Puzzle:
    """Remove clues of a puzzle without a solution, in random order, while it is refuted within ``max_guesses``.

    The fewer clues a contradiction needs, the more values a search tries before it has refuted the puzzle.
    """
    clues = [cell for cell, value in enumerate(puzzle.cells) if value]
    rng.shuffle(clues)
    for clue in clues:
        without = Puzzle(puzzle.shape, (*puzzle.cells[:clue], 0, *puzzle.cells[clue + 1 :]))
        result = solve(without, limit=1, max_guesses=max_guesses)
        if result.complete and not result.solutions:
            puzzle = without
    return puzzle


def _count(puzzle: Puzzle) -> int:
    return len(solve(puzzle, limit=1_000_000).solutions)


def _of_latin(number: int, _: Puzzle) -> Sequence[object]:
    holes = "balanced" if ladders.is_balanced(number) else "random"
    return ladders.ratio_of(number), holes


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("easy", TIER_NUMBER, _generated(PuzzleSpec(tier=TIERS["easy"]))),
        Recipe("medium", TIER_NUMBER, _generated(PuzzleSpec(tier=TIERS["medium"]))),
        Recipe("hard", TIER_NUMBER, _climbed(TIERS["hard"])),
        Recipe("expert", TIER_NUMBER, _climbed(TIERS["expert"])),
        Recipe("minimal", 1000, _generated(PuzzleSpec())),
        Recipe("size4", 20, _generated(PuzzleSpec(Shape(2, 2)))),
        Recipe("size6", 50, _generated(PuzzleSpec(Shape(2, 3)))),
        Recipe("size9", 50, _generated(PuzzleSpec(symmetry="rotational"))),
        Recipe("size12", 50, _generated(PuzzleSpec(Shape(3, 4)))),
        Recipe("size16", 50, _generated(PuzzleSpec(Shape(4, 4)))),
        Recipe("size25", 40, _size_25),
        Recipe("multiple", 60, _mixed_sizes("several"), ["solutions"], lambda _, puzzle: [_count(puzzle)]),
        Recipe("contradictory", 60, _mixed_sizes("none")),
        Recipe("refutation", 40, _hard_to_refute),
        Recipe("pencilmark", 72, ladders.pencilmark, ["surplus"], lambda number, _: [ladders.surplus_of(number)]),
        Recipe("x", 60, ladders.on_layout("x"), ["pool"], lambda number, _: [ladders.pool_of(number)]),
        Recipe("windoku", 60, ladders.on_layout("windoku"), ["pool"], lambda number, _: [ladders.pool_of(number)]),
        Recipe("jigsaw", 60, ladders.jigsaw, ["pool", "map"], lambda n, _: [ladders.pool_of(n), ladders.map_of(n)]),
        *(Recipe(f"latin{n}", 64, ladders.latin(n), ["ratio", "holes"], _of_latin) for n in (30, 35, 40)),
    )
}


def puzzles(recipe: Recipe, seen_keys: set[str]) -> Iterator[Puzzle]:
    """Yield the puzzles of a collection; skip those with a ``key_of`` in ``seen_keys``, and add the new keys to it."""
    for number in range(1, recipe.number + 1):
        for puzzle in candidates(recipe, number):
            key = key_of(puzzle)
            if key not in seen_keys:
                seen_keys.add(key)
                yield puzzle
                break


def candidates(recipe: Recipe, number: int) -> Iterator[Puzzle]:
    """Yield the random stream of one puzzle; the first that is not an isomorph of an earlier puzzle is used."""
    rng = random.Random(f"sudoku-bench/{recipe.name}/{number}")
    while True:
        yield recipe.make(number, rng)


def key_of(puzzle: Puzzle) -> str:
    """Return a text that is equal for isomorphs; on boards with a layout or pencilmarks, ``relabelled`` limits this."""
    return fingerprint(puzzle) if puzzle.shape.is_ordinary else relabelled(puzzle) or puzzle.text


def write(
    folder: Path, name: str, puzzles: Sequence[str], columns: Sequence[str] = (), rows: Iterable[Sequence[object]] = ()
) -> None:
    """Write ``NAME.txt`` (or ``file`` of the catalogue); with columns also the table ``NAME.csv``, a row per puzzle."""
    path = folder / entries()[name].get("file", f"{name}.txt")
    text = "".join(f"{puzzle}\n" for puzzle in puzzles).encode()
    path.write_bytes(lzma.compress(text, preset=9) if path.suffix == ".xz" else text)
    if columns:
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
            table = csv.writer(stream, lineterminator="\n")
            table.writerow(["puzzle", *columns])
            table.writerows([f"{name}-{number:03d}", *row] for number, row in enumerate(rows, start=1))


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Rewrite the files of the embedded collections, except those that are mined."
    )
    parser.add_argument("collections", nargs="*", metavar="NAME", help="collections to rewrite (default: all)")
    names = parser.parse_args().collections
    for recipe in RECIPES.values():
        if names and recipe.name not in names:
            continue
        collection = list(puzzles(recipe, set()))
        texts = list(map(text_of, collection))
        texts[0] = heading(collection[0].shape) + texts[0]
        rows = (recipe.row(number, puzzle) for number, puzzle in enumerate(collection, start=1))
        write(DATA, recipe.name, texts, recipe.columns, rows)
        print(f"{recipe.name}: {len(collection)} puzzles", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
