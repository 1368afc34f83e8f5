"""``python -m tests.solvers.memory STRATEGY N``: solves N forms of an easy puzzle and prints the growth in MiB.

The growth is measured after a fifth of the forms, when caches and pools are filled, in four parts. Four times their
median counts: a leak grows in all of them, while an allocator may fetch many MiB at once.
"""

from __future__ import annotations

import gc
import statistics
import sys
from itertools import pairwise

import psutil

from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import GaveUp, Task, Unsupported, registry

PARTS = 4
EASY = Puzzle(Shape(2, 2), tuple(map(int, "4300203010400001")))  # others for strategies of 9×9 boards alone


def main(name: str, number: int) -> None:
    registry.load_builtin()
    strategy = registry.get(name)()
    try:
        strategy.prepare((puzzle := EASY).shape)
    except Unsupported:
        strategy.prepare((puzzle := catalogue.load("easy").items[0].puzzle).shape)
    task = Task.parse("unique" if "unique" in strategy.tasks else "first")
    part, sizes = number // (PARTS + 1), []
    for k in range((PARTS + 1) * part):
        if k and k % part == 0:
            sizes.append(resident())
        model = strategy.load(strategy.encode(form(puzzle, isomorph(1, puzzle, k))))
        try:
            assert len(strategy.decode(strategy.search(model, task))) == 1
        except GaveUp:
            assert not strategy.complete
        strategy.release()
        strategy.counters()
    growth = [after - before for before, after in pairwise([*sizes, resident()])]
    sys.stdout.write(f"{PARTS * statistics.median(growth):.2f}\n")


def resident() -> float:
    """MiB of resident memory, after a garbage collection."""
    gc.collect()
    return float(psutil.Process().memory_info().rss / 2**20)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
