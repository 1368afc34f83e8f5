"""Make the embedded collection ``hardest-cdcl``: ``python -m datasets.making.hardest_cdcl`` rewrites its files.

Its puzzles are hard for solvers that learn clauses. A lineage is a search of its own in the vicinity of the same puzzle
(``datasets.making.vicinity``), one that a starting document prints. The hardest puzzles of each lineage are taken,
measured on isomorphs that selected nothing. Isomorphs of the start and of puzzles taken before are left out.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from datasets.collections.catalogue import DATA, load
from datasets.making.canonical import canonical
from datasets.making.vicinity import HardPuzzle, hardest_near
from datasets.puzzle import Puzzle

NAME = "hardest-cdcl"
START = "001"  # of `classics`: CaDiCaL needs 56 conflicts for it, four times as many as for any other
LINEAGES, OF_EACH = 12, 5
STEPS = 2000
SPARE = 5  # further puzzles of a lineage, in place of isomorphs of other lineages' puzzles
COLUMNS = ("puzzle", "objective", "lineage", "start", "conflicts")


def start() -> Puzzle:
    """Return the puzzle that all lineages start from."""
    return next(item.puzzle for item in load("classics").items if item.name == START)


def lineage(number: int, steps: int = STEPS) -> list[HardPuzzle]:
    """Return the hardest puzzles of a lineage, hardest first, more than are taken."""
    return hardest_near([start()], number, steps, OF_EACH + SPARE)


def collect(lineages: Iterable[list[HardPuzzle]]) -> list[list[HardPuzzle]]:
    """Return the first ``OF_EACH`` puzzles of each lineage that are no isomorphs of the start or of earlier ones."""
    seen, collected = {canonical(start()).text}, list[list[HardPuzzle]]()
    for hard_puzzles in lineages:
        taken: list[HardPuzzle] = []
        for hard in hard_puzzles:
            key = canonical(hard.puzzle).text
            if key not in seen and len(taken) < OF_EACH:
                seen.add(key)
                taken.append(hard)
        collected.append(taken)
    return collected


def write(collected: list[list[HardPuzzle]], folder: Path) -> int:
    """Write the puzzles, and the table of their lineages, starts and mean conflicts; return the number of puzzles."""
    rows = [(number, hard) for number, taken in enumerate(collected, 1) for hard in taken]
    (folder / f"{NAME}.txt").write_text("".join(f"{hard.puzzle.text}\n" for _, hard in rows), encoding="utf-8")
    with (folder / f"{NAME}.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(COLUMNS)
        for place, (number, hard) in enumerate(rows, 1):
            name = f"{NAME}-{place:03d}"
            table.writerow([name, "conflicts", f"near-{START}-{number}", START, f"{hard.conflicts:.4g}"])
    return len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=f"Rewrite the files of the collection `{NAME}`.")
    parser.add_argument("--lineages", type=int, default=LINEAGES)
    parser.add_argument("--steps", type=int, default=STEPS, help="of each lineage")
    parser.add_argument("--folder", type=Path, default=DATA)
    options = parser.parse_args()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        found = pool.map(partial(lineage, steps=options.steps), range(1, options.lineages + 1))
        number = write(collect(found), options.folder)
    print(f"{NAME}: {number} puzzles", file=sys.stderr)


if __name__ == "__main__":
    main()
