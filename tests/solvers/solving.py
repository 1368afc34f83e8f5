"""Strategies in this process or in a worker, and what they answer."""

from __future__ import annotations

from typing import Any

from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.worker_process import Worker
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import Strategy, Task


def prepared(name: str, shape: Shape) -> Strategy:
    """The strategy of a name or alias, prepared."""
    registry.load_builtin()
    strategy = registry.get(registry.canonical(name))()
    strategy.prepare(shape)
    return strategy


def answer(strategy: Strategy, puzzle: Puzzle, task: str | Task) -> list[list[int]]:
    """The solutions that a prepared strategy finds."""
    asked = Task.parse(task) if isinstance(task, str) else task
    solutions = strategy.decode(strategy.search(strategy.load(strategy.encode(puzzle)), asked))
    strategy.release()
    return [list(cells) for cells in solutions]


def answer_of_worker(info: Any, puzzle: Puzzle, task: str) -> list[list[int]]:
    """The solutions that a strategy finds in a process of its own."""
    worker = Worker(info, number=0)
    try:
        assert worker.start() == {"status": "ok"}
        assert worker.prepare(puzzle.shape)["status"] == "ok"
        [answer] = worker.solve(SolveRequest([puzzle], Task.parse(task), 60)).answers
        return [list(cells) for cells in answer]
    finally:
        worker.close()
