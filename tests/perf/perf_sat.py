"""Cost of a persistent solver around its SAT engine: ``make perf``. No test depends on a time.

A strategy that assumes the clues of each puzzle is compared with the shortest loop over the same engine that a user
would write. They take turns on the same puzzles, other forms in each round; the figures are medians of CPU time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat.encodings import build
from sudoku_bench.solvers.strategy import FIRST, Strategy
from tests.perf.in_turn import interleaved

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


ROUND_FORMS = [forms(number) for number in range(1, ROUNDS + 2)]


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
    calls = {way: on_new_forms(run) for way, run in ways.items()}
    times = benchmark.pedantic(interleaved, args=(calls, ROUNDS), rounds=1)
    conflicts = [solver.accum_stats()["conflicts"] for solver in (by_hand, again, strategy.solver, plain.solver)]
    for (way, spent), number in zip(times.items(), conflicts, strict=True):
        benchmark.extra_info[way] = spent / times["by hand"]
        print(
            f"\n{engine}, clues assumed, {way}: {spent / PUZZLES * 1e6:.0f} µs a puzzle,"
            f" {spent / times['by hand']:.2f} of by hand; {number} conflicts in all"
        )


def on_new_forms(run: Callable[[Sequence[Puzzle]], Any]) -> Callable[[], Any]:
    """Return a call that solves other forms each time, in the same order for all ways."""
    rounds: Iterator[list[Puzzle]] = iter(ROUND_FORMS)
    return lambda: run(next(rounds))


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
