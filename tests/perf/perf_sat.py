"""Cost of handing clauses to SAT engines, and of a persistent solver around its engine: ``make perf``.

Encoding and loading are compared with the code of the document that the project started from, and a strategy that
assumes the clues of each puzzle with the shortest loop over the same engine that a user would write. They take turns on
the same puzzles; the figures are medians of CPU time over rounds. No test depends on a time.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from datasets.collections import catalogue
from datasets.isomorphs import form, isomorph
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers import registry
from solvers.sat.encodings import build
from solvers.strategy import FIRST, Strategy

SEED = "seed:pysat"
LOADED = tuple(
    f"sat:complete+pairwise{option}@{engine}" for engine in ("minisat22", "cadical195") for option in ("", "+direct")
)
ASSUMED = ("glucose4", "minisat22", "cadical195")
PUZZLES, ROUNDS = 30, 7


def prepared(name: str) -> Any:
    registry.load_builtin()
    strategy = registry.get(name)()
    strategy.prepare(Shape(3, 3))
    return strategy


def forms(first: int) -> list[Puzzle]:
    """Return different forms of the puzzles of a tier."""
    items = catalogue.load("hard").items[:PUZZLES]
    return [form(item.puzzle, isomorph(1, item.puzzle, first)) for item in items]


def interleaved(ways: dict[str, Callable[[Sequence[Puzzle]], Any]]) -> dict[str, float]:
    """Return the median CPU seconds of each way; in each round they solve the same forms, new ones."""
    rounds: dict[str, list[float]] = {way: [] for way in ways}
    gc.collect()
    gc.freeze()
    for turn in range(ROUNDS + 1):
        puzzles = forms(turn + 1)
        for way, run in ways.items():
            start = time.process_time()
            run(puzzles)
            if turn:  # the first round is a warm-up
                rounds[way].append(time.process_time() - start)
    gc.unfreeze()
    return {way: float(np.median(times)) for way, times in rounds.items()}


def encode_and_load(strategy: Strategy, puzzles: Sequence[Puzzle]) -> None:
    for puzzle in puzzles:
        strategy.load(strategy.encode(puzzle))
        strategy.release()


def test_encode_and_load_relative_to_the_seed(benchmark: Any) -> None:
    ways = {name: partial(encode_and_load, prepared(name)) for name in (SEED, *LOADED)}
    times = benchmark.pedantic(interleaved, args=(ways,), rounds=1)
    for name, spent in times.items():
        benchmark.extra_info[name] = times[SEED] / spent
        print(f"\n{name}: {spent / PUZZLES * 1e3:.2f} ms to encode and load, {times[SEED] / spent:.1f} times the seed")


@pytest.mark.parametrize("engine", ASSUMED)
def test_assumptions_relative_to_a_loop_by_hand(benchmark: Any, engine: str) -> None:
    """The strategy also asks for the statistics of the engine after each puzzle; without, it shows what they cost.

    A second loop by hand has a solver of its own: its ratio is what two solvers with the same clauses differ by.
    """
    by_hand, again, strategy, plain = solver_of(engine), solver_of(engine), assuming(engine), assuming(engine)
    plain.has_statistics = False
    ways = {
        "by hand": partial(loop_by_hand, by_hand),
        "by hand, second solver": partial(loop_by_hand, again),
        "strategy": partial(solve_all, strategy),
        "strategy without statistics": partial(solve_all, plain),
    }
    puzzles = forms(0)
    answers = [run(puzzles) for run in ways.values()]
    assert all(answer == answers[0] for answer in answers)
    times = benchmark.pedantic(interleaved, args=(ways,), rounds=1)
    conflicts = [solver.accum_stats()["conflicts"] for solver in (by_hand, again, strategy.solver, plain.solver)]
    for (way, spent), number in zip(times.items(), conflicts, strict=True):
        benchmark.extra_info[way] = spent / times["by hand"]
        print(
            f"\n{engine}, clues assumed, {way}: {spent / PUZZLES * 1e6:.0f} µs a puzzle,"
            f" {spent / times['by hand']:.2f} of by hand; {number} conflicts in all"
        )


def assuming(engine: str) -> Any:
    return prepared(f"sat:complete+pairwise+assumptions@{engine}")


def solve_all(strategy: Strategy, puzzles: Sequence[Puzzle]) -> list[list[int]]:
    answers = []
    for puzzle in puzzles:
        found = strategy.decode(strategy.search(strategy.load(strategy.encode(puzzle)), FIRST))
        strategy.release()
        answers.append(list(found[0]))
    return answers


def solver_of(engine: str) -> Any:
    """Return an engine that has the clauses of the strategy."""
    from pysat.solvers import Solver

    return Solver(name=engine, bootstrap_with=build("complete+pairwise", Shape(3, 3)).clauses())


def loop_by_hand(solver: Any, puzzles: Sequence[Puzzle]) -> list[list[int]]:
    """Solve puzzles as a user of python-sat would."""
    answers = []
    for puzzle in puzzles:
        clues = [9 * cell + value for cell, value in enumerate(puzzle.cells) if value]
        assert solver.solve(assumptions=clues)
        answers.append([(literal - 1) % 9 + 1 for literal in solver.get_model()[:729] if literal > 0])
    return answers
