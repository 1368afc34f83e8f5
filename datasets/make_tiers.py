"""Makes the embedded tiers: ``python -m datasets.make_tiers`` rewrites their files, byte for byte the same every time.

Each puzzle has its own random stream, named by tier and number, so any one can be made again alone: a random full
grid is stripped of clues in random order as long as the solution stays unique. Where random puzzles are never hard
enough, a hill climb changes clues of the same grid and keeps what needs more guesses.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from datasets.difficulty import guesses
from datasets.puzzle import Puzzle
from datasets.search import solve
from datasets.shape import Shape

FOLDER = Path(__file__).parent / "data"
NUMBER = 20
ORDERS = 100  # per rating that decides; hints on the way use fewer
HINT_ORDERS = 8


@dataclass(frozen=True)
class Tier:
    """A range of mean guesses, both ends included."""

    name: str
    low: float
    high: float


TIERS = (Tier("easy", 0, 0), Tier("medium", 1, 5), Tier("hard", 10, 25), Tier("expert", 60, 200))


def make_puzzle(tier: Tier, number: int, shape: Shape = Shape(3, 3)) -> Puzzle:
    """The ``number``-th puzzle (from 1) of a tier: minimal, one solution, mean guesses within the tier's range."""
    rng = random.Random(f"sudoku-bench/{tier.name}/{number}")
    while True:
        grid = random_grid(shape, rng)
        puzzle = climb(grid, strip(grid, list(range(shape.n_cells)), rng), tier.low, rng)
        rating = guesses(puzzle, rng.getrandbits(63), ORDERS).mean
        if rating is not None and tier.low <= rating <= tier.high:
            return puzzle


def random_grid(shape: Shape, rng: random.Random) -> Puzzle:
    """A random full grid (not uniform over all grids: the search places singles as it goes)."""
    empty = Puzzle(shape, (0,) * shape.n_cells)
    return Puzzle(shape, solve(empty, limit=1, seed=rng.getrandbits(63)).solutions[0])


def strip(grid: Puzzle, clues: list[int], rng: random.Random) -> Puzzle:
    """Remove clues (cell numbers) in random order while the solution stays unique: the result is minimal."""
    cells = list(only(grid, clues).cells)
    order = list(clues)
    rng.shuffle(order)
    for cell in order:
        cells[cell] = 0
        if not is_unique(Puzzle(grid.shape, tuple(cells))):
            cells[cell] = grid.cells[cell]
    return Puzzle(grid.shape, tuple(cells))


def climb(grid: Puzzle, puzzle: Puzzle, target: float, rng: random.Random, tries: int = 3000) -> Puzzle:
    """Change clues of the same grid, keeping what needs more guesses, until ``target`` is reached or tries run out."""
    best = hint(puzzle, rng)
    for _ in range(tries):
        if best >= target:
            break
        other = change(grid, puzzle, rng)
        score = hint(other, rng)
        if score >= best:
            puzzle, best = other, score
    return puzzle


def change(grid: Puzzle, puzzle: Puzzle, rng: random.Random) -> Puzzle:
    """Drop 1-3 clues, add others at random until the solution is unique again, and strip."""
    clues = [cell for cell, value in enumerate(puzzle.cells) if value]
    absent = [cell for cell, value in enumerate(puzzle.cells) if not value]
    rng.shuffle(clues)
    rng.shuffle(absent)
    kept = clues[rng.randint(1, 3) :]
    for cell in absent:
        kept.append(cell)
        if is_unique(only(grid, kept)):
            break
    return strip(grid, kept, rng)


def only(grid: Puzzle, clues: list[int]) -> Puzzle:
    """The grid with just these cells given."""
    kept = set(clues)
    return Puzzle(grid.shape, tuple(v if c in kept else 0 for c, v in enumerate(grid.cells)))


def hint(puzzle: Puzzle, rng: random.Random) -> float:
    return guesses(puzzle, rng.getrandbits(63), HINT_ORDERS).mean or 0.0


def is_unique(puzzle: Puzzle) -> bool:
    return len(solve(puzzle, limit=2).solutions) == 1


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the files of the embedded tiers again.")
    parser.add_argument("tiers", nargs="*", metavar="TIER", help="only these (default: all)")
    wanted = parser.parse_args().tiers
    for tier in TIERS:
        if wanted and tier.name not in wanted:
            continue
        lines = [make_puzzle(tier, number).text for number in range(1, NUMBER + 1)]
        (FOLDER / f"{tier.name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{tier.name}: {len(lines)} puzzles", file=sys.stderr)


if __name__ == "__main__":
    main()
