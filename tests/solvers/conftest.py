"""Strategies run in processes of their own here, as they do in a run."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.process import Sample, Worker
from bench.strategies import select
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.strategy import Task

LIMIT_S = 120.0  # CPU seconds for a solve: far more than any needs, so that none depends on the machine's speed


class Solver:
    """A worker with one strategy: ``with solver_of("seed:norvig") as solver: solver.solutions(puzzle, "first")``.

    A test that asks for a shape that the strategy does not support, or for a strategy whose packages are missing,
    is skipped with that reason.
    """

    def __init__(self, name: str) -> None:
        [info] = select([name])
        if not info.available:
            pytest.skip(info.reason)
        # Sets of strings come in the same order in each process, so that what differs is the strategy's doing.
        self.info = replace(info, environ={**info.environ, "PYTHONHASHSEED": "0"})

    def __enter__(self) -> Solver:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.worker.close()

    def start(self) -> None:
        self.worker = Worker(self.info, number=0)
        self.prepared: dict[Shape, dict[str, Any]] = {}
        assert self.worker.start() == {"status": "ok"}

    def prepare(self, shape: Shape) -> None:
        if not self.worker.alive:  # an earlier test killed it
            self.start()
        if shape not in self.prepared:
            self.prepared[shape] = self.worker.prepare(shape)
        if self.prepared[shape]["status"] == "unsupported":
            pytest.skip(self.prepared[shape]["reason"])
        assert self.prepared[shape]["status"] == "ok", self.prepared[shape]

    def ask(self, puzzles: Sequence[Puzzle], task: str, phases: bool = False) -> dict[str, Any]:
        """The worker's reply: ``answers``, one for each puzzle, and ``counters`` of the last."""
        self.prepare(puzzles[0].shape)
        reply = self.worker.solve(Sample(puzzles, Task.parse(task), LIMIT_S, phases=phases))
        assert reply["status"] == "ok", reply
        assert "answers" in reply, reply
        return reply

    def solutions(self, puzzle: Puzzle, task: str) -> list[list[int]]:
        [answer] = self.ask([puzzle], task)["answers"]
        return answer


@pytest.fixture(scope="session")
def solver_of() -> type[Solver]:
    return Solver


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
