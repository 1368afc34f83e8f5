"""A fixture for pytest: time a strategy on a puzzle with pytest-benchmark, and check its answers.

    def test_speed(sudoku_benchmark):
        sudoku_benchmark("sat:complete+pairwise@cadical195", PUZZLE)

``pytest --benchmark-json=times.json`` then writes a file that ``sudoku-bench import times.json --out RUN`` turns into a
run. This module is imported by every pytest in an environment with the package, so it imports nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from sudoku_bench.datasets.puzzle import Puzzle
    from sudoku_bench.solvers.strategy import Strategy, Task

ROUNDS = 20
WARM_UP_ROUNDS = 3
SEED = 1  # of the forms


@pytest.fixture
def sudoku_benchmark(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Return a function that times a strategy on a puzzle.

    Its arguments: the strategy, as a subclass of ``sudoku_bench.Strategy``, the name of a strategy of the project, or a
    function from the text of a puzzle to that of its solution; the puzzle, as a grid in one line with exactly one
    solution; and as keywords ``task`` (``first`` or ``unique``), ``name`` of the strategy, ``collection``, and
    ``rounds``. Each round solves another isomorph of the puzzle, as a run does: a solver that sees the same grid again
    and again is up to twice as fast. The test fails if an answer is wrong.
    """
    benchmark = request.getfixturevalue("benchmark")  # of pytest-benchmark

    def time(
        strategy: type[Strategy] | str | Callable[[str], str],
        puzzle: str,
        *,
        task: str = "first",
        name: str = "",
        collection: str = "tests",
        rounds: int = ROUNDS,
    ) -> None:
        from sudoku_bench.bench.worker.stopwatch import solve
        from sudoku_bench.datasets.isomorphs import form, isomorph
        from sudoku_bench.datasets.reading.reader import parse
        from sudoku_bench.datasets.search import solve as reference
        from sudoku_bench.datasets.verify import answer_fault
        from sudoku_bench.solvers.strategy import Task

        asked, board = Task.parse(task), parse(puzzle)
        solutions = reference(board, limit=2).solutions
        if len(solutions) != 1:
            pytest.fail(f"the puzzle has {'no' if not solutions else 'more than one'} solution: {puzzle}")
        timed, label = _strategy(strategy, name)
        timed.prepare(board.shape)
        numbers = iter(range(-WARM_UP_ROUNDS, rounds + 1))
        solved: list[tuple[Puzzle, Sequence[Sequence[int]]]] = []

        def next_form() -> tuple[tuple[Puzzle], dict[str, Any]]:
            return (form(board, isomorph(SEED, board, next(numbers) or next(numbers))),), {}

        def solve_form(asked_form: Puzzle) -> None:
            solved.append((asked_form, solve(timed, asked_form, asked)[0]))

        benchmark.pedantic(solve_form, setup=next_form, rounds=rounds, warmup_rounds=WARM_UP_ROUNDS)
        faults = ((asked_form, answer_fault(asked_form, answer, 1)) for asked_form, answer in solved)
        fault = next((f"wrong answer for {asked_form.text}: {fault}" for asked_form, fault in faults if fault), "")
        symbols = board.shape.symbols
        benchmark.extra_info.update(
            strategy=label,
            collection=collection,
            puzzle=board.text,
            task=task,
            solution="".join(symbols[digit - 1] for digit in solutions[0]),
            fault=fault,
        )
        if fault:
            pytest.fail(f"{label}: {fault}")

    return time


def _strategy(given: type[Strategy] | str | Callable[[str], str], name: str) -> tuple[Strategy, str]:
    """Return an instance of the strategy, and its name."""
    from sudoku_bench import Strategy
    from sudoku_bench.solvers import registry

    if isinstance(given, str):
        registry.load_builtin()
        return registry.get(given)(), name or given
    if isinstance(given, type):
        if not issubclass(given, Strategy):
            raise TypeError(f"{given.__name__} is no subclass of sudoku_bench.Strategy")
        return given(), name or given.name
    label = name or f"function:{getattr(given, '__name__', 'solve')}"
    return _of_function(given)(), label


def _of_function(function: Callable[[str], str]) -> type[Strategy]:
    """Return a strategy that calls a function from text to text."""
    from sudoku_bench import Strategy

    class OfFunction(Strategy):
        def prepare(self, shape: Any) -> None:
            self.symbols = shape.symbols

        def search(self, model: Puzzle, task: Task) -> str:
            return function(model.text)

        def decode(self, answer: str) -> list[list[int]]:
            return [[self.symbols.find(symbol) + 1 for symbol in answer]]

    return OfFunction
