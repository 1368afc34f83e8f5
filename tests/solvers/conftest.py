"""Strategies run in separate processes, as in a run."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sudoku_bench.bench.plan.strategies import select
from sudoku_bench.bench.process.replies import Reply
from sudoku_bench.bench.process.solve_request import SolveRequest
from sudoku_bench.bench.process.worker_process import Worker
from sudoku_bench.bench.worker.messages import Message
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import Task

LIMIT_S = 120.0  # CPU seconds for a solve: far more than any needs, whatever the speed of the machine


class Solver:
    """A worker with one strategy: ``with solver_of("seed:norvig") as solver: solver.solutions(puzzle, "first")``.

    A test with a shape that the strategy does not support, or with a strategy whose packages are missing, is skipped
    with that reason.
    """

    def __init__(self, name: str) -> None:
        [info] = select([name])
        if not info.available:
            pytest.skip(info.reason)
        # With one hash seed, sets have the same order in each process: differences are due to the strategy.
        self.info = replace(info, environ={**info.environ, "PYTHONHASHSEED": "0"})

    def __enter__(self) -> Solver:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.worker.close()

    def start(self) -> None:
        self.worker = Worker(self.info, number=0)
        self.prepared: dict[Shape, Message] = {}
        assert self.worker.start() == {"status": "ok"}

    def prepare(self, shape: Shape) -> None:
        if not self.worker.alive:  # an earlier test killed it
            self.start()
        if shape not in self.prepared:
            self.prepared[shape] = self.worker.prepare(shape)
        if self.prepared[shape]["status"] == "unsupported":
            pytest.skip(self.prepared[shape]["reason"])
        assert self.prepared[shape]["status"] == "ok", self.prepared[shape]

    def prepare_small_boards(self) -> None:
        """Prepare 4x4 and 6x6 boards, if it supports them: what they leave behind must not matter."""
        for shape in (Shape(2, 2), Shape(2, 3)):
            self.prepared[shape] = self.worker.prepare(shape)

    def ask(self, puzzles: Sequence[Puzzle], task: str) -> Reply:
        """The worker's reply. Answers are None if a strategy that may give up has done so."""
        self.prepare(puzzles[0].shape)
        reply = self.worker.solve(SolveRequest(puzzles, Task.parse(task), LIMIT_S))
        if reply.status == "gave_up" and not registry.get(self.info.name).complete:
            return replace(reply, answers=[None] * len(puzzles))
        assert reply.status == "ok", reply
        assert not reply.malformed, reply
        return reply

    def solutions(self, puzzle: Puzzle, task: str) -> list[list[int]] | None:
        [answer] = self.ask([puzzle], task).answers
        return answer and [list(cells) for cells in answer]


@pytest.fixture(scope="session")
def solver_of() -> type[Solver]:
    return Solver


SPARSE = {"empty", "one_clue"}
SEARCHED = {"hard", "two_solutions", "many_solutions", "deep_contradiction"}
REFUTED = {"cell_without_candidates", "deep_contradiction"}
CLASHING = {"same_clue_in_a_row", "same_clue_in_a_column", "same_clue_in_a_box"}
# Puzzles of the contract test for which a strategy needs minutes, or on which it gives up after seconds.
LEFT_OUT: dict[str, dict[str, set[str]]] = {
    "csp:alldifferent@min-conflicts": {
        "6": SPARSE | SEARCHED | REFUTED | CLASHING,
        "9": SPARSE | SEARCHED | REFUTED | CLASHING,
        "16": {"easy", *CLASHING},
    },
    "ilp:highs": {"4": SPARSE},
    "smt:integers": {"9": SPARSE | SEARCHED},
}


def contract_board(name: str, puzzles: dict[str, dict[str, Puzzle]]) -> dict[str, Puzzle]:
    """The shape, among those with puzzles of every kind, for the tests with several puzzles in a row."""
    return puzzles["6x6" if "hard" in LEFT_OUT.get(name, {}).get("9", ()) else "9x9"]


def contract_puzzles(name: str, shape: str, puzzles: dict[str, dict[str, Puzzle]]) -> dict[str, Puzzle]:
    """The puzzles of a shape that a strategy must solve."""
    without = LEFT_OUT.get(name, {}).get(shape.partition("x")[0], set())
    return {kind: puzzle for kind, puzzle in puzzles[shape].items() if kind not in without}


@pytest.fixture(scope="session")
def puzzles() -> dict[str, dict[str, Puzzle]]:
    """The puzzles of puzzles.toml, by shape and kind."""
    symbols = ".123456789ABCDEFG"
    tables = tomllib.loads(Path(__file__).with_name("puzzles.toml").read_text(encoding="utf-8"))
    return {
        name: {kind: Puzzle(Shape(*boxes), tuple(map(symbols.index, text))) for kind, text in grids.items()}
        for name, grids in tables.items()
        for boxes in [grids.pop("boxes")]
    }
