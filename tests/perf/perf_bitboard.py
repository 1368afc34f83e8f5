"""Speed of ``bitboard:bands`` on one core: ``make perf``.

The best other solvers callable from Python take turns with the strategy, so that ratios hold although absolute numbers
depend on the machine. All puzzles are seeded random forms of the embedded tiers, other ones in each round. They are
solved one by one for two solutions (one is found, a second refuted). No test depends on a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import UNIQUE, Strategy, Task
from tests.perf.in_turn import cpu_s

FAST = "bitboard:bands"
RIVALS = (
    *("bitboard:cells", "sat:complete+pairwise+assumptions@glucose4", "seed:norvig"),
    *("exact-cover:xcover", "cp:choco", "propagation:bitmask"),
)
ROUNDS = 5

# Number of timed forms of a tier, and of those for rivals.
TIERS = {"easy": (2000, 200), "minimal": (4000, 200), "hard": (1900, 100), "expert": (2930, 100), "hardest": (1125, 40)}


@cache
def puzzles_of(name: str) -> tuple[Puzzle, ...]:
    """Return forms of the puzzles of a tier, in random order."""
    number, stored = TIERS[name][0], [item.puzzle for item in catalogue.load(name).items]
    order = np.random.default_rng(1).permutation(len(stored))
    picks = [(stored[order[k % len(stored)]], 1 + k // len(stored)) for k in range(number)]
    return tuple(form(puzzle, isomorph(1, puzzle, copy)) for puzzle, copy in picks)


@cache
def strategy_of(name: str) -> Any:
    registry.load_builtin()
    strategy = registry.get(name)()
    strategy.prepare(Shape(3, 3))
    return strategy


def stream(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task) -> list[Any]:
    answers = []
    for puzzle in puzzles:
        answers.append(strategy.decode(strategy.search(strategy.load(strategy.encode(puzzle)), task)))
        strategy.release()
    return answers


@pytest.mark.parametrize("name", TIERS)
def test_ratio_to_the_best_others(benchmark: Any, name: str) -> None:
    """CPU time of rivals relative to this strategy, same puzzles, two solutions: medians over interleaved rounds."""
    ratios = benchmark.pedantic(compared, args=(name,), rounds=1)
    benchmark.extra_info |= ratios
    for rival, ratio in ratios.items():
        print(f"\n{name}: {FAST} is {ratio:,.2f} times as fast as {rival}")


def compared(name: str) -> dict[str, float]:
    puzzles, few = puzzles_of(name), TIERS[name][1]
    ratios: dict[str, list[float]] = {rival: [] for rival in RIVALS}
    for number in range(ROUNDS + 1):
        part = puzzles[few * number : few * (number + 1)]  # different ones, as persistent solvers remember puzzles
        own_s = cpu_s(partial(stream, strategy_of(FAST), part, UNIQUE))
        for rival in RIVALS:
            ratios[rival].append(cpu_s(partial(stream, strategy_of(rival), part, UNIQUE)) / own_s)
    return {rival: float(np.median(rounds[1:])) for rival, rounds in ratios.items()}  # the first round is a warm-up
