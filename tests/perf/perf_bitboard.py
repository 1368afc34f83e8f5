"""Speed of ``bitboard:bands`` on one core: ``make perf``.

Puzzles per CPU second and guesses per puzzle: in one call of the kernel with arrays (array), in one call of the
strategy (batch), and one by one (stream); for one solution and for two (one is found, a second refuted). The best other
solvers callable from Python take turns with the strategy, so that ratios hold although absolute numbers depend on the
machine. All puzzles are seeded random forms of the embedded tiers, each timed once per round. No test depends on a
time, only on correct answers.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from sudoku_bench.datasets import Puzzle, Shape
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import FIRST, UNIQUE, Strategy, Task
from tests.datasets.rules import is_solution
from tests.perf.in_turn import cpu_s

FAST = "bitboard:bands"
RIVALS = (
    *("bitboard:cells", "sat:complete+pairwise+assumptions@glucose4", "seed:norvig"),
    *("exact-cover:xcover", "cp:choco", "propagation:bitmask"),
)
ROUNDS = 5

# Number of timed forms of a tier, and of those for rivals.
TIERS = {"easy": (2000, 200), "minimal": (4000, 200), "hard": (1900, 100), "expert": (2930, 100), "hardest": (1125, 40)}

pytestmark = pytest.mark.benchmark(group="bitboard: one pass over a tier", timer=time.process_time)


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


def array(strategy: Any, puzzles: Sequence[Puzzle], task: Task) -> list[Any]:
    cells = np.array([puzzle.cells for puzzle in puzzles], dtype=np.uint8)
    out, tally = np.zeros((len(puzzles) * task.limit, 81), np.uint8), np.zeros((len(puzzles), 4), np.int64)
    strategy.kernel(cells, out, tally)
    assert (tally[:, 0] == 1).all()
    return list(out[: len(puzzles), None])


def batch(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task) -> list[Any]:
    return list(strategy.solve_many(puzzles, task))


def stream(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task) -> list[Any]:
    answers = []
    for puzzle in puzzles:
        answers.append(strategy.decode(strategy.search(strategy.load(strategy.encode(puzzle)), task)))
        strategy.release()
    return answers


def guesses_per_puzzle(puzzles: Sequence[Puzzle], task: Task) -> float:
    strategy, total = strategy_of(FAST), 0.0
    for puzzle in puzzles:
        strategy.search(strategy.encode(puzzle), task)
        total += strategy.counters()["guesses"]
    return total / len(puzzles)


@pytest.mark.parametrize("task", [UNIQUE, FIRST], ids=str)
@pytest.mark.parametrize("name", TIERS)
@pytest.mark.parametrize("way", [array, batch, stream])
def test_a_tier(benchmark: Any, way: Any, name: str, task: Task) -> None:
    puzzles = puzzles_of(name)
    answers = benchmark.pedantic(way, args=(strategy_of(FAST), puzzles, task), rounds=ROUNDS, warmup_rounds=1)
    for puzzle, answer in zip(puzzles, answers, strict=True):
        assert len(answer) == 1, puzzle.text
        assert is_solution(puzzle, list(map(int, answer[0]))), puzzle.text
    rate, guesses = len(puzzles) / benchmark.stats.stats.min, guesses_per_puzzle(puzzles, task)
    benchmark.extra_info |= {"puzzles_per_cpu_s": rate, "guesses_per_puzzle": guesses}
    print(f"\n{name}: {way.__name__}, {task}: {rate:,.0f} puzzles per CPU second, {guesses:.2f} guesses per puzzle")


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
