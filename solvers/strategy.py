"""The contract of a strategy: one complete way to solve a puzzle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.shape import Shape


@dataclass(frozen=True)
class Task:
    """What is asked of a strategy.

    Attributes:
        name: ``first`` (one solution), ``unique`` (find one and refute a second) or ``count`` (enumerate up to K).
        limit: how many solutions at most: 1, 2 or K.
    """

    name: str
    limit: int

    @classmethod
    def parse(cls, text: str) -> Task:
        """``first``, ``unique`` or ``count:K``.

        Raises:
            InputError: it is none of these.
        """
        if text == "first":
            return FIRST
        if text == "unique":
            return UNIQUE
        name, _, number = text.partition(":")
        if name == "count" and number.isascii() and number.isdigit() and 0 < int(number) <= 1_000_000:
            return cls("count", int(number))
        raise InputError(f"{text!r} is not a task; use first, unique or count:K with K from 1 to 1000000")

    def __str__(self) -> str:
        return f"count:{self.limit}" if self.name == "count" else self.name


FIRST = Task("first", 1)
UNIQUE = Task("unique", 2)


class GaveUp(Exception):
    """Raised by an incomplete strategy that stops without an answer."""


class Unsupported(Exception):
    """Raised by ``prepare`` for a shape that the strategy cannot do; the message says why."""


class Strategy:
    """One complete way to solve a puzzle. Subclass, set ``name``, write ``search``, and decorate with ``register``.

    There is one instance per process and shape. The worker calls ``prepare`` once and then, for each puzzle,
    ``encode``, ``load``, ``search``, ``decode`` and ``release``, each timed apart. Packages are imported inside these
    methods (the first ``prepare`` is the place), so that a process holds only what its own strategy needs. A strategy
    never times itself, never prints, and carries nothing from one puzzle to the next unless it says ``persistent``.
    """

    name: ClassVar[str]  # family:model[+option][@engine]
    tasks: ClassVar[Sequence[str]] = ("first", "unique", "count")
    requires: ClassVar[Sequence[str]] = ()  # distributions; a missing one makes the strategy unsupported
    programs: ClassVar[Sequence[str]] = ()  # executables; likewise
    persistent: ClassVar[bool] = False  # True if it keeps state from puzzle to puzzle
    complete: ClassVar[bool] = True  # False if it may give up where it could not decide
    deterministic: ClassVar[bool] = True  # False if answers or counters differ from process to process
    environ: ClassVar[Mapping[str, str]] = {}  # environment variables that its process must start with

    def prepare(self, shape: Shape) -> None:
        """Once per process and shape: rules, solver, compilation.

        Raises:
            Unsupported: this strategy cannot do boards of that shape.
        """

    def encode(self, puzzle: Puzzle) -> Any:
        """Turn a puzzle into the strategy's own model of it."""
        return puzzle

    def load(self, model: Any) -> Any:
        """Hand the model to the solver; what is returned takes the model's place."""
        return model

    def search(self, model: Any, task: Task) -> Any:
        """Look for ``task.limit`` solutions.

        Raises:
            GaveUp: an incomplete search stopped without an answer.
        """
        raise NotImplementedError

    def decode(self, answer: Any) -> Sequence[Sequence[int]]:
        """Solutions of N·N digits each, as many as asked; fewer means that there are no more."""
        solutions: Sequence[Sequence[int]] = answer
        return solutions

    def release(self) -> None:
        """Free what this solve used; its price is part of the solve."""

    def solve_many(self, puzzles: Sequence[Puzzle], task: Task) -> Sequence[Sequence[Sequence[int]]]:
        """A whole batch in one call (mode ``batch:B``): the solutions of each puzzle, in order.

        Override it where a solver does better with many puzzles at once; as it is, it goes through them one by one.
        """
        answers = []
        for puzzle in puzzles:
            answers.append(list(self.decode(self.search(self.load(self.encode(puzzle)), task))))
            self.release()
        return answers

    def counters(self) -> Mapping[str, float]:
        """Work done by the last solve, such as ``{"conflicts": 12}``; asked for after ``release``, untimed."""
        return {}
